"""Every experiment once, small: prints bytes, FLOPs and gradient digests as JSON.

Run as a process of its own, twice, by test_determinism.py.
"""

import json
import sys

from gpu_worker.catalog import DEFAULT_SEED, EXPERIMENTS
from gpu_worker.registry import load_torch, run_experiment

SMALL: dict[str, dict[str, object]] = {
    "tradeoff": {"layers": 2, "hidden": 32, "length": 16, "batch": 2, "steps": 3, "pairs": 3},
    "sqrt-n": {"depths": [4, 9], "layers": 6, "rows": 16, "width": 8},
    "dropout-rng": {"layers": 2, "width": 16, "batches": [4]},
    "selective": {"layers": 2, "hidden": 32, "length": 16},
    "saved-tensors": {"layers": 3, "width": 32, "rows": 16},
    "replay": {"layers": 4, "segments": 2, "width": 32, "rows": 16},
    "which-api": {"layers": 3, "width": 32, "rows": 16},
    "optimizer-state": {"layers": 2, "hidden": 32, "length": 16, "depths": [4, 8], "steps": 3},
    "batchnorm-twice": {"layers": 2, "channels": 4, "side": 8},
    "offload": {"layers": 3, "width": 64, "batches": [64, 128], "pairs": 3},
    "placement": {"layers": 9, "depths": [2, 8], "exhaustive": [4], "width": 8, "rows": 16},
}
# overhead makes a claim about time and combine starts processes: each has a test of its own.


def main() -> None:
    load_torch()
    found = {}
    for name, parameters in SMALL.items():
        if name not in EXPERIMENTS:
            continue
        one = run_experiment(name, parameters, DEFAULT_SEED, "cpu", False)
        found[name] = {
            "memory": [
                (arm.name, arm.stored, arm.peak, arm.total_peak, arm.allocator_peak)
                for arm in one.memory
            ],
            "flops": [(arm.name, arm.total) for arm in one.flops],
            "digest": one.provenance.gradient_digest,
            "timelines": [arm.timeline and arm.timeline.live for arm in one.memory],
            "verdicts": [(claim.id, claim.verdict) for claim in one.claims],
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
