"""From the name of an experiment to its measurement. torch is loaded here, at the first run."""

import gc
import importlib
import os
from collections.abc import Mapping

from gpu_worker.catalog import EXPERIMENTS as EXPERIMENTS
from gpu_worker.catalog import get_experiment, resolve_parameters
from gpu_worker.contracts import Measurement

# The profiler's library announces itself on stderr unless this stands before torch is loaded.
os.environ.setdefault("KINETO_LOG_LEVEL", "99")


def run_experiment(
    name: str,
    parameters: Mapping[str, object],
    seed: int,
    device: str,
    simulate: bool,
) -> Measurement:
    """Measure (or simulate) one experiment in this process.

    Parameters
    ----------
    name : slug of the catalog
    parameters : what departs from the defaults; checked here again
    seed : seeds weights, inputs and masks
    device : "cpu" or "cuda"
    simulate : shape-exact, nothing allocated; for experiments that can

    Raises
    ------
    ValueError : unknown experiment, parameter out of range, device or mode not supported
    """
    experiment = get_experiment(name)
    if device not in experiment.devices:
        raise ValueError(f"device: {name} does not run on {device}")
    if simulate and not experiment.simulates:
        raise ValueError(f"simulate: {name} cannot be simulated")
    values = resolve_parameters(experiment, parameters, device=device, simulate=simulate)
    module = importlib.import_module(f"gpu_worker.experiments.{name.replace('-', '_')}")
    from gpu_worker.measure.setup import Run, prepare_process

    prepare_process(seed=seed, device=device)
    run = Run(experiment=name, parameters=values, seed=seed, device=device, simulate=simulate)
    found = module.measure(run)
    assert isinstance(found, Measurement)
    return found


def load_torch() -> None:
    """Pay for the imports before the first request: torch, and its first optimizer."""
    import torch

    from gpu_worker.measure.setup import prepare_process

    prepare_process(seed=0, device="cpu")
    weight = torch.nn.Parameter(torch.zeros(2, 2))
    optimizer = torch.optim.AdamW([weight])
    (weight @ weight).sum().backward()
    optimizer.step()
    # A traced step begins with a full collection; without what stays for ever it takes
    # milliseconds, and not a fifth of a second.
    gc.collect()
    gc.freeze()
