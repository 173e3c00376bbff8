"""Is a rerun the same? Bytes, FLOPs and gradient digests of two reports, side by side.

Bytes and FLOPs depend on shapes and versions alone. Gradient bits depend on the machine
too: they are compared only for equal device, instruction set, threads and versions.
"""

import shlex
from dataclasses import asdict, dataclass, field

from gpu_worker.contracts import Environment, Json, Measurement, RunReport

_BYTE_FIELDS = (
    "stored",
    "peak",
    "total_peak",
    "allocator_peak",
    "parameters",
    "gradients",
    "optimizer_state",
)
_SAME_PLACE = ("device", "device_name", "torch", "python", "threads", "instruction_set")
# `device_name` too: another processor may choose another kernel in the same library.


@dataclass(frozen=True)
class Comparison:
    """What was compared of one run, and every difference found, as text."""

    experiment: str
    compared: dict[str, int] = field(default_factory=dict)
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        return not self.differences

    def to_plain(self) -> dict[str, Json]:
        plain = asdict(self)
        plain["equal"] = self.is_equal
        return plain

    def to_text(self) -> str:
        verdict = "identical" if self.is_equal else "DIFFERENT"
        counts = ", ".join(f"{number} {name}" for name, number in self.compared.items())
        lines = [f"{self.experiment}: {verdict} ({counts})"]
        lines += [f"  {one}" for one in (*self.differences, *self.notes)]
        return "\n".join(lines)


def split_command(command: str) -> list[str]:
    """The words after "./remat lab": the experiment, its options."""
    words = shlex.split(command)
    if words[:2] != ["./remat", "lab"] or len(words) < 3:
        raise ValueError(f"{command!r} is not a command of the laboratory")
    return words[2:]


def compare_reports(experiment: str, first: RunReport, second: RunReport) -> Comparison:
    """`first` is the old report. A rerun that failed differs in everything."""
    if first.measurement is None or second.measurement is None or second.state == "failed":
        return Comparison(experiment, {}, (f"the rerun failed: {second.reason}",))
    old, new = first.measurement, second.measurement
    differences = [*_compare_bytes(old, new), *_compare_flops(old, new)]
    compared = {
        "byte counts": sum(_count_known(old)),
        "FLOP counts": sum(arm.total is not None for arm in old.flops),
    }
    notes: list[str] = []
    moved = list_moved(old.environment, new.environment)
    if moved:
        notes.append(f"gradient digests are not compared: {', '.join(moved)} differ")
    elif old.provenance.gradient_digest is not None:
        compared["gradient digest"] = 1
        if old.provenance.gradient_digest != new.provenance.gradient_digest:
            differences.append("gradient digest: another")
    if old.provenance.code_digest != new.provenance.code_digest:
        notes.append("the measuring code has changed since")
    return Comparison(experiment, compared, tuple(differences), tuple(notes))


def list_moved(old: Environment, new: Environment) -> list[str]:
    """What differs between two places, of what can change the bits of a gradient."""
    return [name for name in _SAME_PLACE if getattr(old, name) != getattr(new, name)]


def _count_known(found: Measurement) -> list[int]:
    return [getattr(arm, name) is not None for arm in found.memory for name in _BYTE_FIELDS]


def _compare_bytes(old: Measurement, new: Measurement) -> list[str]:
    arms = {arm.name: arm for arm in new.memory}
    differences = []
    for arm in old.memory:
        if arm.name not in arms:
            differences.append(f"{arm.name}: no such arm in the rerun")
            continue
        for name in _BYTE_FIELDS:
            before, after = getattr(arm, name), getattr(arms[arm.name], name)
            if before != after:
                differences.append(f"{arm.name} {name}: {before} before, {after} now")
        if arm.timeline != arms[arm.name].timeline:
            differences.append(f"{arm.name} timeline: another")
    return differences


def _compare_flops(old: Measurement, new: Measurement) -> list[str]:
    totals = {arm.name: arm.total for arm in new.flops}
    return [
        f"{arm.name} FLOPs: {arm.total} before, {totals.get(arm.name)} now"
        for arm in old.flops
        if totals.get(arm.name) != arm.total
    ]
