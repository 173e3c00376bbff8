"""From one request to one report, whatever the experiment does to its process.

A run has a process of its own with limits on memory, CPU, time and output. However it
ends, the caller gets a RunReport that the contract accepts, nothing of the run is left,
and the next run finds a fresh process.
"""

import importlib
import logging
import threading
from collections.abc import Mapping

from gpu_worker import catalog, endings
from gpu_worker.contracts import RunReport, RunRequest, WorkerHello
from gpu_worker.pool import Sandbox, SandboxError, WarmPool

logger = logging.getLogger(__name__)

REGISTRY = "gpu_worker.registry"

CPU_SHARE = 0.75
# Of the wall limit: with one thread, a loop that burns the processor is named for what it
# is before the wall limit would call it slow.


class RefusedError(Exception):
    """A request that must not be run: a code of contracts.REASONS, and why."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class Runner:
    """Serves one request at a time for one device class.

    Parameters
    ----------
    device : "cpu" or "cuda"
    worker : name of this worker in its reports
    registry : module with `EXPERIMENTS`, `load_torch` and `run_experiment`; tests put
        misbehaving experiments in one of their own. No message can name it.
    """

    def __init__(self, *, device: str, worker: str, registry: str = REGISTRY) -> None:
        self.device = device
        self.worker = worker
        self.is_busy = False
        self.num_taken = 0
        self._experiments: Mapping[str, catalog.Experiment] = importlib.import_module(
            registry
        ).EXPERIMENTS
        self._pool = WarmPool(registry=registry, device=device)
        self._pool_lock = threading.Lock()
        self._about: Mapping[str, object] | None = None

    def start(self) -> None:
        """Start the spare process; returns before it is ready."""
        with self._pool_lock:
            try:
                self._pool.refill()
            except SandboxError as error:
                logger.error("no spare process: %s", error)

    def close(self) -> None:
        with self._pool_lock:
            self._pool.close()

    def run(self, request: RunRequest) -> RunReport:
        """The end report of a request. Never raises for what the request or the run did."""
        self.is_busy = True
        self.num_taken += 1
        try:
            experiment, values = self._check(request)
            return self._measure(request, experiment, values)
        except RefusedError as refusal:
            return endings.fail(request, refusal.reason, refusal.detail, worker=self.worker)
        except SandboxError as error:
            logger.error("run %s: %s", request.run_id, error)
            return endings.fail(request, "crashed", str(error), worker=self.worker)
        finally:
            self.is_busy = False
            self.start()

    def make_hello(self, *, queues: tuple[str, ...]) -> WorkerHello | None:
        """None until a process has been ready once: before that nothing can be promised."""
        if self._pool_lock.acquire(blocking=False):
            try:
                self._about = self._pool.look() or self._about
            finally:
                self._pool_lock.release()
        if self._about is None:
            return None
        return WorkerHello(
            worker=self.worker,
            device=self.device,
            device_name=str(self._about["device_name"]),
            code_digest=str(self._about["code_digest"]),
            torch_digest=str(self._about["torch_digest"]),
            torch=str(self._about["torch"]),
            queues=queues,
            at=endings.format_now(),
            busy=self.is_busy,
        )

    def _check(self, request: RunRequest) -> tuple[catalog.Experiment, catalog.Values]:
        """Refuse at this end of the queue what the other end should not have sent."""
        experiment = self._experiments.get(request.experiment)
        if experiment is None:
            raise RefusedError(
                "unknown_experiment", f"{request.experiment!r} is not in the catalog"
            )
        if request.experiment_version != experiment.version:
            detail = f"version {request.experiment_version} asked, {experiment.version} here"
            raise RefusedError("unknown_experiment", detail)
        if request.device != self.device or request.device not in experiment.devices:
            detail = f"{request.experiment} on {request.device}, the worker has {self.device}"
            raise RefusedError("unsupported_device", detail)
        if request.simulate and not experiment.simulates:
            raise RefusedError(
                "invalid_parameters", f"simulate: {experiment.name} cannot be simulated"
            )
        try:
            values = catalog.resolve_parameters(
                experiment, request.parameters, device=request.device, simulate=request.simulate
            )
        except ValueError as error:
            raise RefusedError("invalid_parameters", str(error)) from error
        return experiment, values

    def _measure(
        self, request: RunRequest, experiment: catalog.Experiment, values: catalog.Values
    ) -> RunReport:
        sandbox = self._take_sandbox()
        wall_limit_s = min(request.wall_limit_s, experiment.wall_limit_s)
        body = {
            "experiment": request.experiment,
            "parameters": values,
            "seed": request.seed,
            "device": request.device,
            "simulate": request.simulate,
            "memory_mib": min(request.memory_mib, experiment.memory_mib),
            "cpu_s": wall_limit_s * CPU_SHARE,
        }
        ending = sandbox.run(body, wall_limit_s=wall_limit_s)
        if not ending.is_clean:
            logger.error("run %s left a process that will not die", request.run_id)
        if ending.message and "traceback" in ending.message:
            logger.warning("run %s: %s", request.run_id, ending.message["traceback"])
        return endings.make_report(
            request, ending, worker=self.worker, cpu_limit_s=wall_limit_s * CPU_SHARE
        )

    def _take_sandbox(self) -> Sandbox:
        with self._pool_lock:
            sandbox = self._pool.take()
        self._about = sandbox.about
        return sandbox
