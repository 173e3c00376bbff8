"""`manage.py bank VERB`: the item bank from the command line.

Each verb takes --json and ends with status 1 when it found something wrong. A verb that
reads a bank takes a folder of YAML files, or the published version when none is given.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.bank import drafting, selectors, services
from assessment.bank.audit import AUDIT_SEED, audit_bank
from assessment.bank.belief_table import write_table
from assessment.bank.compare import compare_versions
from assessment.bank.coverage import cover_bank
from assessment.bank.documents import BankError, Problem, read_document
from assessment.bank.families.catalog import FAMILIES
from assessment.bank.families.drawing import read_bank
from assessment.bank.families.verifying import Verification, verify_items
from assessment.bank.lint import has_errors, lint_bank
from assessment.bank.parsing import parse_bank
from assessment.bank.specs import BankSpec, ItemSpec
from assessment.core.errors import DomainError
from assessment.flow import publishing
from assessment.ops.laboratory import run_experiment

Options = Mapping[str, Any]
Outcome = tuple[object, list[str], bool]
# JSON, lines for people, and whether all is well.


class Command(BaseCommand):
    help = "Load, check, publish and compare the item bank."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        for name, (_, text, arguments) in VERBS.items():
            verb = verbs.add_parser(name, help=text)
            verb.add_argument("--json", action="store_true", help="print one JSON document")
            arguments(verb)

    def handle(self, *args: object, **options: Any) -> None:
        try:
            plain, lines, is_well = VERBS[options["verb"]][0](options)
        except BankError as error:
            raise CommandError("\n".join(map(str, error.problems))) from error
        except DomainError as error:
            raise CommandError(_explain(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        if options["json"]:
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(lines))
        if not is_well:
            sys.exit(1)


def _explain(error: DomainError) -> str:
    """What is wrong, field by field where the error names fields."""
    fields = "; ".join(f"{one['field']}: {one['message']}" for one in error.errors)
    return fields or error.detail or error.code


def load(options: Options) -> Outcome:
    version = services.load_bank(options["directory"])
    findings = []
    if options["publish"] and not version.publications.exists():
        findings = services.release_version(version)
        publishing.open_bank_version(str(version.id))
    elif options["publish"]:
        services.publish_version(version)
    plain = {"version": version.number, "id": str(version.id), "warnings": len(findings)}
    return plain, [f"bank version {version.number}"], True


def lint(options: Options) -> Outcome:
    findings = lint_bank(_read_spec(options))
    is_well = not has_errors(findings)
    num_errors = sum(one.level == "error" for one in findings)
    plain = {
        "errors": num_errors,
        "warnings": len(findings) - num_errors,
        "findings": [one.as_json() for one in findings],
    }
    lines = [
        f"{one.level}: {one.owner} {one.place} {one.language or ''}: {one.message}"
        + (f" [{one.excerpt}]" if one.excerpt else "")
        for one in findings
    ]
    lines.append(f"{num_errors} errors, {len(findings) - num_errors} warnings")
    return plain, lines, is_well


def audit(options: Options) -> Outcome:
    found = audit_bank(_read_spec(options), rng=np.random.default_rng(AUDIT_SEED))
    lines = []
    for kind, scores in (("new", found.new), ("seed", found.seed)):
        for one in scores:
            if one.score is not None:
                lines.append(
                    f"{kind:<5}{one.language:<4}{one.guesser:<20}{one.num_items:>4} items "
                    f"{one.score:6.1%}  [{one.low:.1%}, {one.high:.1%}]"
                )
    lines += [
        f"flag: {one.slug} {one.language} {one.code}: {one.message}"
        + (f" (waived: {one.waiver})" if one.waiver else "")
        for one in found.flags
    ]
    return found.as_json(), lines, found.is_passed


def coverage(options: Options) -> Outcome:
    stale = []
    if options["directory"] is None:
        stale = selectors.list_stale_texts(selectors.get_current_version())
    rows = [one.as_json() for one in cover_bank(_read_spec(options), stale=stale)]
    lines = [
        f"{row['language']:<4}{row['complete']:>4} of {row['items']} items, "
        f"{row['seed_complete']} of {row['seed_items']} seed items, "
        f"{row['present']} of {row['texts']} texts {row['statuses']}"
        for row in rows
    ]
    return {"languages": rows}, lines, True


def table(options: Options) -> Outcome:
    page = write_table(_read_spec(options))
    return {"page": page}, page.splitlines(), True


def verify(options: Options) -> Outcome:
    items = [
        item
        for item in _read_spec(options).items.values()
        if item.family is not None and options["family"] in (None, item.family)
    ]
    if options["limit"] is not None:
        items = _take_each(items, options["limit"])
    found = _verify_in_parallel(items, options)
    confirmed = sum(one.is_confirmed for one in found)
    plain = {
        "instances": len(found),
        "confirmed": confirmed,
        "families": sorted({one.family for one in found}),
        "results": [one.as_json() for one in found],
    }
    lines = [
        f"{'confirmed' if one.is_confirmed else 'REFUTED  '} {one.slug:<26}{one.experiment:<18}"
        f"key {one.key:.9g} run {'-' if one.observed is None else format(one.observed, '.9g')} "
        f"({one.state}) {one.reason}".rstrip()
        for one in found
    ]
    lines.append(f"{confirmed} of {len(found)} instances confirmed by a run")
    return plain, lines, bool(found) and confirmed == len(found)


def publish(options: Options) -> Outcome:
    """A draft by its slug, or a version by its number or id."""
    if options["draft"]:
        version = drafting.publish_draft(options["what"])
    else:
        version = selectors.get_version(options["what"])
        services.release_version(version)
    publishing.open_bank_version(str(version.id))
    plain = {"version": version.number, "id": str(version.id)}
    return plain, [f"bank version {version.number} is served"], True


def draft(options: Options) -> Outcome:
    problems: list[Problem] = []
    path: Path = options["file"]
    document = read_document(path, name=path.name, problems=problems)
    if problems:
        raise BankError(problems)
    saved = drafting.save_draft(document)
    lines = [f"draft {saved.slug}, revision {saved.revision}"]
    lines += [f"{one['level']}: {one['place']}: {one['message']}" for one in saved.findings]
    plain = {"slug": saved.slug, "revision": saved.revision, "findings": saved.findings}
    return plain, lines, not any(one["level"] == "error" for one in saved.findings)


def discard(options: Options) -> Outcome:
    draft = drafting.discard_draft(options["slug"])
    return (
        {"slug": draft.slug, "state": draft.state},
        [f"{draft.slug}: the draft is discarded"],
        True,
    )


def retire(options: Options) -> Outcome:
    version = drafting.retire_item(options["slug"], reason=options["reason"])
    plain = {"version": version.number, "id": str(version.id)}
    return plain, [f"bank version {version.number} is served without {options['slug']}"], True


def compare(options: Options) -> Outcome:
    old, new = (selectors.get_version(options[name]) for name in ("old", "new"))
    changes = compare_versions(old, new)
    lines = [f"{one.kind:<11}{one.owner} {one.field}" for one in changes]
    plain = {
        "old": old.number,
        "new": new.number,
        "changes": [one.as_json() for one in changes],
    }
    return plain, [*lines, f"{len(changes)} changes"], True


def versions(options: Options) -> Outcome:
    rows: list[dict[str, object]] = []
    for one in selectors.list_versions():
        published = [str(row.published_at) for row in one.publications.all()]
        rows.append(
            {
                "version": one.number,
                "id": str(one.id),
                "note": one.note,
                "published": sorted(published),
            }
        )
    lines = [f"{row['version']:>4}  {row['id']}  {row['published']}  {row['note']}" for row in rows]
    return {"versions": rows}, lines, True


def import_text(options: Options) -> Outcome:
    page, drafts = drafting.import_page(
        options["file"].read_bytes(), language=options["lang"], prefix=options["prefix"]
    )
    lines = [
        f"{one.level}: line {one.line}: {one.message}"
        + (f" [{one.excerpt}]" if one.excerpt else "")
        for one in page.findings
    ]
    lines.append(f"{len(drafts)} drafts" if page.is_clean else "nothing was imported")
    plain = {
        "clean": page.is_clean,
        "title": page.title,
        "introduction": page.introduction,
        "findings": [dict(vars(one)) for one in page.findings],
        "drafts": [one.document for one in drafts],
    }
    return plain, lines, page.is_clean


def _read_spec(options: Options) -> BankSpec:
    """The bank in a folder, or the published one."""
    directory = options["directory"]
    if directory is None:
        return parse_bank(selectors.read_stored_source(selectors.get_current_version()))
    return parse_bank(read_bank(directory))


def _take_each(items: list[ItemSpec], limit: int) -> list[ItemSpec]:
    """The first few instances of each family."""
    counts: dict[str | None, int] = {}
    found = []
    for item in items:
        counts[item.family] = counts.get(item.family, 0) + 1
        if counts[item.family] <= limit:
            found.append(item)
    return found


def _verify_in_parallel(items: list[ItemSpec], options: Options) -> list[Verification]:
    """Runs of their own processes, a few at a time; one run for all that share it."""

    def run(experiment: str, parameters: Mapping[str, object]) -> Mapping[str, Any]:
        return futures[_name_run(experiment, parameters)].result()

    with ThreadPoolExecutor(options["jobs"]) as pool:
        wanted = {}
        for item in items:
            family = FAMILIES[str(item.family)]
            parameters = family.parameters(item.instance)  # type: ignore[arg-type]  # our own
            wanted[_name_run(family.experiment, parameters)] = (family.experiment, parameters)
        futures = {name: pool.submit(run_experiment, *one) for name, one in wanted.items()}
        return list(verify_items(items, run))


def _name_run(experiment: str, parameters: Mapping[str, object]) -> str:
    return f"{experiment}:{sorted(parameters.items())}"


def _take_directory(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, nargs="?", help="default: the published bank")


def _load_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path)
    parser.add_argument("--publish", action="store_true", help="lint it and make it served")


def _verify_arguments(parser: ArgumentParser) -> None:
    _take_directory(parser)
    parser.add_argument("--family", choices=sorted(FAMILIES))
    parser.add_argument("--limit", type=int, help="instances of each family")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")


def _publish_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("what", help="number or id of a version; slug of a draft with --draft")
    parser.add_argument("--draft", action="store_true")


def _draft_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="YAML document of one item")


def _discard_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("slug")


def _retire_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("slug")
    parser.add_argument("--reason", required=True)


def _compare_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("old", help="number or id")
    parser.add_argument("new", help="number or id")


def _import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path)
    parser.add_argument("--lang", required=True, help="the page's own language")
    parser.add_argument("--prefix", help="of the drafts' slugs; default: the language")


def _no_arguments(parser: ArgumentParser) -> None:
    pass


Verb = tuple[Callable[[Options], Outcome], str, Callable[[ArgumentParser], None]]

VERBS: Mapping[str, Verb] = {
    "load": (load, "read the YAML files of a folder as one version", _load_arguments),
    "lint": (lint, "texts, languages, evidence and options", _take_directory),
    "audit": (audit, "what test-wise guessers earn", _take_directory),
    "coverage": (coverage, "how much there is in each language", _take_directory),
    "table": (table, "wrong answers, their beliefs and claims, as a page", _take_directory),
    "verify": (verify, "check the keys of families by runs", _verify_arguments),
    "draft": (draft, "store an item document as a draft", _draft_arguments),
    "discard": (discard, "give a draft up", _discard_arguments),
    "publish": (publish, "serve a draft or a version", _publish_arguments),
    "retire": (retire, "take an item out of new sessions", _retire_arguments),
    "compare": (compare, "what changed between two versions", _compare_arguments),
    "versions": (versions, "all versions, the newest first", _no_arguments),
    "import-text": (import_text, "drafts of a plain-text quiz page", _import_arguments),
}
