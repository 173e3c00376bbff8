"""A registry whose experiments break every rule; anything else it leaves to the real one.

Named to the worker by REMAT_TEST_EXPERIMENTS, which no message can set.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping

from gpu_worker import catalog, registry
from gpu_worker.contracts import (
    ClaimResult,
    Environment,
    FlopArm,
    Measurement,
    MemoryArm,
    Provenance,
)
from gpu_worker.measure import progress


def measure_well(value: float = 1.0, trace: str | None = None, rows: int = 0) -> Measurement:
    claim = ClaimResult("sound", 1.0, 1.0, "equal", 0.0, "1", "holds")
    shaky = ClaimResult("shaky", value, 1.0, "equal", 0.0, "1", "holds")
    return Measurement(
        claims=(claim, shaky),
        memory=(),
        flops=(FlopArm("plain", 1),),
        timing=None,
        environment=Environment("cpu", "test", "0", "0", 1, "none", None),
        provenance=Provenance("c", "t", {}, 0, None, "none", (), "none"),
        facts={"value": value, "filler": "x" * rows},
        trace=trace,
    )


def eat_memory() -> Measurement:
    import torch

    kept = [torch.ones(4 << 20) for _ in range(4096)]
    return measure_well(float(len(kept)))


def eat_memory_in_python() -> Measurement:
    kept = [bytearray(16 << 20) for _ in range(4096)]
    return measure_well(float(len(kept)))


def loop_for_ever() -> Measurement:
    while True:
        pass


def sleep_for_ever() -> Measurement:
    while True:
        time.sleep(3600)


def ignore_limits() -> Measurement:
    for number in (signal.SIGXCPU, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    return loop_for_ever()


def kill_itself() -> Measurement:
    os.kill(os.getpid(), signal.SIGKILL)
    return measure_well()


def crash_hard() -> Measurement:
    os.kill(os.getpid(), signal.SIGSEGV)
    return measure_well()


def leave_without_a_word() -> Measurement:
    os._exit(3)


def exit_politely() -> Measurement:
    sys.exit("enough")


def print_much() -> Measurement:
    for _ in range(100):
        sys.stdout.write("x" * (1 << 20))
    sys.stdout.flush()
    return measure_well()


def print_some() -> Measurement:
    print("x" * (1 << 20))
    return measure_well()


def fork_children() -> Measurement:
    """Three kinds of children: of the group, of a session of their own, orphaned twice."""
    marker = os.environ["TMPDIR"]
    program = f"import time; time.sleep(3600)  # {marker}"
    subprocess.Popen([sys.executable, "-c", program])
    subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    spawn = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {program!r}])"
    subprocess.run([sys.executable, "-c", spawn], start_new_session=True, check=True)
    if os.fork() == 0:
        os.setsid()
        time.sleep(3600)
    return measure_well()


def measure_half() -> Measurement:
    arm = MemoryArm("plain", 1, 2, 3, None, unknown={"allocator_peak": "not_measured"})
    progress.tell(arm, FlopArm("plain", 7))
    return kill_itself()


def fork_and_wait() -> Measurement:
    fork_children()
    return sleep_for_ever()


def return_nan() -> Measurement:
    return measure_well(float("nan"))


def return_long_trace() -> Measurement:
    return measure_well(trace="A" * 2_000_000)


def return_too_much() -> Measurement:
    return measure_well(rows=2_000_000)


def return_far_too_much() -> Measurement:
    return measure_well(rows=40_000_000)


def return_nonsense() -> object:
    return ClaimResult("sound", 1.0, 1.0, "equal", 0.0, "1", "holds")


def break_checkpoint() -> Measurement:
    import torch
    from torch.utils.checkpoint import checkpoint

    calls = []

    def block(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return x.sin().cos() if len(calls) == 1 else x.sin()[:1].cos()

    x = torch.ones(4, requires_grad=True)
    y = checkpoint(block, x, use_reentrant=False)
    assert isinstance(y, torch.Tensor)
    y.sum().backward()  # type: ignore[no-untyped-call]  # untyped in torch
    return measure_well()


def raise_error() -> Measurement:
    raise KeyError("a bug of ours")


def read_input() -> Measurement:
    return measure_well(float(len(sys.stdin.read())))


def show_environment() -> Measurement:
    found = measure_well()
    found.facts["names"] = " ".join(sorted(os.environ))
    found.facts["thresholds"] = os.environ["MALLOC_MMAP_THRESHOLD_"]
    return found


_EXPERIMENTS: Mapping[str, Callable[[], object]] = {
    function.__name__: function
    for function in (
        measure_well,
        eat_memory,
        eat_memory_in_python,
        loop_for_ever,
        sleep_for_ever,
        ignore_limits,
        kill_itself,
        crash_hard,
        leave_without_a_word,
        exit_politely,
        print_much,
        print_some,
        fork_children,
        fork_and_wait,
        measure_half,
        return_nan,
        return_long_trace,
        return_too_much,
        return_far_too_much,
        return_nonsense,
        break_checkpoint,
        raise_error,
        read_input,
        show_environment,
    )
}

EXPERIMENTS: Mapping[str, catalog.Experiment] = {
    **catalog.EXPERIMENTS,
    **{
        name: catalog.Experiment(name, 1, (), ("sound", "shaky"), memory_mib=256)
        for name in _EXPERIMENTS
    },
}


def load_torch() -> None:
    import torch

    torch.set_num_threads(1)
    torch.ones(2, requires_grad=True).sum().backward()  # type: ignore[no-untyped-call]  # untyped in torch


def run_experiment(
    name: str, parameters: Mapping[str, object], seed: int, device: str, simulate: bool
) -> object:
    if name in _EXPERIMENTS:
        return _EXPERIMENTS[name]()
    return registry.run_experiment(name, parameters, seed, device, simulate)
