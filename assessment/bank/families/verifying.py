"""Checks the key of every instance by a run, never by the formula that made it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from assessment.bank.families.catalog import FAMILIES
from assessment.bank.families.family import Family, Report
from assessment.bank.specs import ItemSpec

RunExperiment = Callable[[str, Mapping[str, object]], Report]
# (experiment, parameters) -> the laboratory's report. The caller knows where torch lives.


@dataclass(frozen=True)
class Verification:
    """One instance. observed None: the run failed, `reason` says why."""

    slug: str
    family: str
    experiment: str
    parameters: Mapping[str, object]
    state: str
    key: float
    observed: float | None
    is_confirmed: bool
    reason: str = ""

    def as_json(self) -> dict[str, object]:
        return dict(vars(self)) | {"parameters": dict(self.parameters)}


def verify_items(
    items: Iterable[ItemSpec],
    run: RunExperiment,
    *,
    families: Mapping[str, Family] = FAMILIES,
) -> Iterable[Verification]:
    """Each instance of a family among the items, one run for all that share one."""
    reports: dict[str, Report] = {}
    for item in items:
        if item.family is None or item.numeric is None:
            continue
        family = families[item.family]
        parameters = family.parameters(item.instance)  # type: ignore[arg-type]  # our own numbers
        name = f"{family.experiment}:{sorted(parameters.items())}"
        if name not in reports:
            reports[name] = run(family.experiment, parameters)
        yield verify_item(item, family, reports[name], parameters)


def verify_item(
    item: ItemSpec, family: Family, report: Report, parameters: Mapping[str, object]
) -> Verification:
    """The stored key beside what the run shows."""
    assert item.numeric is not None
    key, state = item.numeric.value, str(report.get("state"))
    observed: float | None = None
    reason = str(report.get("reason") or "")
    if state in ("measured", "simulated"):
        try:
            observed = family.read_key(report, item.instance)  # type: ignore[arg-type]  # as above
        except (ValueError, KeyError, TypeError) as error:
            reason = str(error)
    is_confirmed = observed is not None and abs(observed - key) <= family.agreement * abs(key)
    if observed is not None and not is_confirmed:
        reason = f"the run shows {observed:g}, the key says {key:g}"
    return Verification(
        slug=item.slug,
        family=family.slug,
        experiment=family.experiment,
        parameters=parameters,
        state=state,
        key=key,
        observed=observed,
        is_confirmed=is_confirmed,
        reason=reason,
    )
