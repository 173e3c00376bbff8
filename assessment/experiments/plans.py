"""Which run answers which option. Pure: reads the frozen item and the catalogue only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assessment.bank.snapshot import Evidence, Item, Snapshot
from assessment.core.errors import Conflict, Invalid
from gpu_worker import catalog


@dataclass(frozen=True)
class RunPlan:
    """A run to ask for: what the digest is taken of, the device class apart."""

    experiment: str
    version: int
    parameters: Mapping[str, object]
    seed: int = catalog.DEFAULT_SEED
    is_simulated: bool = False
    needs_cuda: bool = False

    def digest(self, device: str) -> str:
        """Content address of this run on a device class."""
        return catalog.digest_run(
            self.experiment, self.version, self.parameters, self.seed, device, self.is_simulated
        )


@dataclass(frozen=True)
class NoRun:
    """Why nothing is measured for this answer."""

    reason: str


def plan_evidence(evidence: Evidence | None) -> RunPlan | NoRun:
    """The run that this evidence calls for, or the reason why there is none."""
    if evidence is None or evidence.experiment is None:
        return NoRun(evidence.reason if evidence and evidence.reason else "no_experiment")
    if evidence.experiment not in catalog.EXPERIMENTS:
        return NoRun("experiment_not_built")
    experiment = catalog.get_experiment(evidence.experiment)
    parameters = catalog.resolve_parameters(experiment, evidence.parameters)
    return RunPlan(
        experiment=experiment.name,
        version=experiment.version,
        parameters=parameters,
        needs_cuda=evidence.needs == "cuda",
    )


@dataclass(frozen=True)
class Refutation:
    """The evidence against a wrong answer; option_id names the option that it answers."""

    evidence: Evidence | None
    option_id: str | None = None


def choose_refutation(
    item: Item, *, wrong_options: Sequence[str], value: float | None
) -> Refutation:
    """What refutes this answer: the first wrong choice that can be measured, else the first.

    A number or an order that shows no belief of its own is answered by what supports the key.
    """
    if item.numeric is not None and value is not None:
        near = item.numeric.find_near(value)
        return Refutation((near.evidence if near is not None else None) or item.key_evidence)
    options = [item.options_by_id[one] for one in wrong_options]
    measurable = [one for one in options if isinstance(plan_evidence(one.evidence), RunPlan)]
    chosen = next(iter(measurable or options), None)
    if chosen is None:
        return Refutation(item.key_evidence)
    return Refutation(chosen.evidence, chosen.id)


def list_default_plans(snapshot: Snapshot) -> list[RunPlan]:
    """Every run that some answer to this bank version may ask for, each once.

    Those of the items that many learners meet first (the quizzes' own order) come first.
    Instances of a family are left out: each learner meets at most one of a hundred runs.
    """
    found: dict[str, RunPlan] = {}
    for evidence in _list_evidence(snapshot):
        plan = plan_evidence(evidence)
        if isinstance(plan, RunPlan) and not plan.needs_cuda:
            found.setdefault(plan.digest("cpu"), plan)
    return list(found.values())


def _list_evidence(snapshot: Snapshot) -> Iterator[Evidence]:
    seen: set[str] = set()
    for quiz in snapshot.quizzes.values():
        for item_id in quiz.item_ids:
            if item_id not in seen and snapshot.items[item_id].family is None:
                seen.add(item_id)
                yield from _list_item_evidence(snapshot.items[item_id])


def _list_item_evidence(item: Item) -> Iterator[Evidence]:
    if item.key_evidence is not None:
        yield item.key_evidence
    for option in item.options:
        if option.evidence is not None:
            yield option.evidence
    for near in item.numeric.near if item.numeric is not None else ():
        if near.evidence is not None:
            yield near.evidence


@dataclass(frozen=True)
class Range:
    """One parameter that a learner may change, with the value of the run at hand."""

    name: str
    kind: str
    value: object
    minimum: float | None
    maximum: float | None
    choices: tuple[str, ...]
    unit: str


WHAT_IF_KINDS = ("int", "float", "choice")
# What a slider or a list can set; lists of places stay as they are.


def list_ranges(plan: RunPlan, *, device: str) -> list[Range]:
    """The parameters of this run's experiment that a what-if may change, with their bounds.

    None of an experiment that left the catalogue.
    """
    if plan.experiment not in catalog.EXPERIMENTS:
        return []
    is_large = device == "cuda"
    return [
        Range(
            name=one.name,
            kind=one.kind,
            value=plan.parameters[one.name],
            minimum=one.minimum,
            maximum=one.large_maximum if is_large and one.large_maximum else one.maximum,
            choices=one.choices,
            unit=one.unit,
        )
        for one in catalog.get_experiment(plan.experiment).parameters
        if one.kind in WHAT_IF_KINDS and one.name in plan.parameters
    ]


def plan_what_if(base: RunPlan, changes: Mapping[str, object], *, device: str) -> RunPlan:
    """The same experiment with other numbers, within the ranges of the base's device class.

    Raises Invalid naming the parameter, and Conflict for an experiment that left the
    catalogue: its old result stays readable.
    """
    if base.experiment not in catalog.EXPERIMENTS:
        raise Conflict("nothing_was_run")
    experiment = catalog.get_experiment(base.experiment)
    given = {**base.parameters, **changes}
    try:
        parameters = catalog.resolve_parameters(experiment, given, device=device)
    except ValueError as error:
        name, _, message = str(error).partition(": ")
        raise Invalid.field(f"parameters.{name}", "out_of_range", message or name) from error
    return RunPlan(
        base.experiment,
        experiment.version,
        parameters,
        seed=base.seed,
        needs_cuda=needs_cuda(base.experiment, parameters),
    )


def needs_cuda(name: str, parameters: Mapping[str, object]) -> bool:
    """Whether these parameters are beyond what a run on a CPU may take."""
    if name not in catalog.EXPERIMENTS:
        return False
    try:
        catalog.resolve_parameters(catalog.get_experiment(name), parameters)
    except ValueError:
        return True
    return False
