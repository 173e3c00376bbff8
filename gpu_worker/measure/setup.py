"""One run as an experiment sees it, and the state of the process it runs in."""

import contextlib
import gc
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from gpu_worker.catalog import Values

NUM_THREADS = 1
# Gradient bits differ between one and two threads (another order of sums), so one is pinned.


@dataclass(frozen=True)
class Run:
    """What to measure. `parameters` are resolved: every one is there and in its range."""

    experiment: str
    parameters: Values
    seed: int
    device: str
    simulate: bool

    def get_int(self, name: str) -> int:
        value = self.parameters[name]
        assert isinstance(value, int)
        return value

    def get_float(self, name: str) -> float:
        value = self.parameters[name]
        assert isinstance(value, int | float)
        return float(value)

    def get_text(self, name: str) -> str:
        value = self.parameters[name]
        assert isinstance(value, str)
        return value

    def get_ints(self, name: str) -> list[int]:
        value = self.parameters[name]
        assert isinstance(value, list)
        return value

    @property
    def torch_device(self) -> torch.device:
        """Simulations trace CPU operators: a build without CUDA refuses fake CUDA tensors."""
        return torch.device("cpu" if self.simulate else self.device)


def prepare_process(*, seed: int, device: str) -> None:
    """Pin what makes two runs differ: threads, seeds, choice of kernels.

    What the imports made is taken out of the garbage collector's sight: it has nothing to
    find there, and every pass collects first (0.2 s each otherwise, 5 s of a sweep).
    """
    gc.collect()
    gc.freeze()
    torch.set_num_threads(NUM_THREADS)
    torch.manual_seed(seed)
    if device == "cuda":
        if not torch.cuda.is_available():
            raise ValueError("device: this process sees no CUDA device")
        torch.backends.cudnn.benchmark = False
        torch.backends.cudnn.deterministic = True
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cuda.matmul.allow_tf32 = False


@contextlib.contextmanager
def open_tensors(run: Run, *, dtype: torch.dtype = torch.float32) -> Iterator[None]:
    """The context in which an experiment makes its tensors.

    Real tensors, or in a simulation fake ones: right in shape, type and lifetime, with no
    memory behind them. Models are built in `dtype` because `Module.to(dtype)` fails on
    fake tensors ("Cannot swap t1 because it has weakref associated with it").
    """
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    mode = FakeTensorMode() if run.simulate else contextlib.nullcontext()
    try:
        with mode, torch.device(run.torch_device):
            yield
    finally:
        torch.set_default_dtype(before)
