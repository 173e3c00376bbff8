"""Synthetic measurements with the reference numbers of the laboratory, built by the contract."""

import base64
import json
import zlib
from typing import Any

from gpu_worker.catalog import EXPERIMENTS
from gpu_worker.contracts import (
    ClaimResult,
    Environment,
    FlopArm,
    Measurement,
    MemoryArm,
    Point,
    Provenance,
    Scaling,
    Series,
    TimeArm,
    Timeline,
    Timing,
    to_plain,
)

MIB = 2**20

QUICK_NAMES = [name for name, one in EXPERIMENTS.items() if not one.slow]
# Of the experiments whose real reports every run of the tests makes.


def make_environment() -> Environment:
    return Environment(
        device="cpu",
        device_name="AMD EPYC",
        torch="2.13.0+cpu",
        python="3.11.2",
        threads=1,
        instruction_set="AVX2",
        load_average=1.5,
    )


def make_provenance() -> Provenance:
    return Provenance(
        code_digest="c0de" * 16,
        torch_digest="70ac" * 16,
        parameters={"layers": 4},
        seed=20261130,
        gradient_digest="9ad1" * 16,
        backend="tensor-tracer",
        passes=("reference", "memory", "flops", "timing"),
        command="./remat lab tradeoff --json",
    )


def make_hill(peak: int, *, events: int = 120) -> Timeline:
    half = events // 2
    live = [peak * (i + 1) // half for i in range(half)]
    live += [peak * (half - i - 1) // half for i in range(half)]
    return Timeline(op=tuple(range(events)), live=tuple(live), backward_op=half)


def make_saw(stored: int, peak: int, *, teeth: int = 4, events: int = 160) -> Timeline:
    half = events // 2
    live = [stored * (i + 1) // half for i in range(half)]
    width = half // teeth
    for i in range(half):
        base = stored * (half - i) // half
        live.append(base + (peak - stored) * (width - abs(width - 2 * (i % width))) // width)
    live[half + width // 2] = peak
    return Timeline(op=tuple(range(events)), live=tuple(live), backward_op=half)


def make_tradeoff(**changes: Any) -> Measurement:
    values: dict[str, Any] = {
        "claims": (
            ClaimResult("gradients-equal", 0.0, 0.0, "equal", 0.0, "1", "holds", noise_floor=0.0),
            ClaimResult("peak-lower", 9_707_528, 32_539_144, "less", 0.0, "byte", "holds"),
            ClaimResult("flops-higher", 4 / 3, 4 / 3, "equal", 1e-6, "1", "holds"),
            ClaimResult("weights-equal-after-20-steps", 0.0, 0.0, "equal", 0.0, "1", "holds"),
        ),
        "memory": (
            MemoryArm(
                "plain",
                31_227_908,
                32_539_144,
                45_088_768,
                32_539_176,
                parameters=3_172_352,
                gradients=3_172_352,
                optimizer_state=6_344_920,
                timeline=make_hill(32_539_144),
            ),
            MemoryArm(
                "checkpointed",
                786_436,
                9_707_528,
                22_257_152,
                None,
                parameters=3_172_352,
                gradients=3_172_352,
                optimizer_state=6_344_920,
                timeline=make_saw(786_436, 9_707_528),
                unknown={"allocator_peak": "not_supported"},
            ),
            MemoryArm("plain-again", 31_227_908, 32_539_144, 45_088_768, None),
        ),
        "flops": (
            FlopArm("plain", 2_818_572_288),
            FlopArm("checkpointed", 3_758_096_384),
        ),
        "timing": Timing(
            "process",
            (TimeArm("plain", (0.1, 0.11), 0.105), TimeArm("checkpointed", (0.15, 0.15), 0.15)),
            1.42,
            (1.25, 1.51),
        ),
        "environment": make_environment(),
        "provenance": make_provenance(),
        "facts": {},
    }
    return Measurement(**{**values, **changes})


def make_sqrt_n() -> Measurement:
    depths = (4, 9, 16, 25, 36, 49, 64, 100)
    size, extra = 65_536, 4_096 + 128 + 8
    plain = tuple(float((n + 1) * size + extra) for n in depths)
    root = tuple(float(2 * round(n**0.5) * size + extra) for n in depths)
    points = tuple(Point(n, y, y) for n, y in zip(depths, root, strict=True))
    xs = tuple(float(n) for n in depths)
    return make_tradeoff(
        claims=(
            ClaimResult(
                "sqrt-peak", root[-1], root[-1], "equal", 0.0, "byte", "holds", points=points
            ),
            ClaimResult("peak-grows", 4.93, 1.0, "greater", 0.0, "1", "holds"),
        ),
        scaling=Scaling(
            "depth",
            "byte",
            (
                Series("plain", xs, plain, plain, 0.934),
                Series("checkpointed", xs, root, root, 0.496),
            ),
        ),
        timing=None,
    )


def make_selective() -> Measurement:
    rows = {
        "plain": (31.03, 1.0),
        "full": (9.26, 1.3333),
        "every-second-block": (16.5, 1.1667),
        "attention": (16.6, 1.119),
        "core": (20.0, 1.0238),
        "save-matmuls": (19.8, 1.0),
        "save-linears": (16.0, 1.0476),
        "every-second-matmul": (14.5, 1.1667),
    }
    return make_tradeoff(
        memory=tuple(
            MemoryArm(name, None, int(peak * MIB), None, None) for name, (peak, _) in rows.items()
        ),
        flops=tuple(FlopArm(name, round(ratio * 2.8e9)) for name, (_, ratio) in rows.items()),
    )


def as_stored(measurement: Measurement) -> dict[str, Any]:
    """The measurement as a JSON column gives it back."""
    stored: dict[str, Any] = json.loads(json.dumps(to_plain(measurement)))
    return stored


def pack_trace(plain: object) -> str:
    return base64.b64encode(zlib.compress(json.dumps(plain).encode())).decode()
