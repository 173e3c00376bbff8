"""`./remat bench lab`: what the way through queue, sandbox and ingest adds to a measurement.

A default `tradeoff` is measured in turn by a whole running stack, from `sent` to the report
taken in, and by a bare script that calls the same experiment once. Neither time holds the
start of a process or the import of torch: the worker's spare process waits ready, and the
script looks at its clock afterwards. Each bare run has the environment of a sandbox, since
its allocator settings cost time too.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gpu_worker.catalog import DEFAULT_SEED, get_experiment
from gpu_worker.pool import make_environment
from tests.harness import RunningStack, run_remat, wait_for
from tests.live import query

TARGET_RATIO = 1.3
# What the project asks of the median pair.

SETTLE_S = 8.0
# After a run the worker imports torch into its next spare process: 2 CPU seconds.

QUIET_TIMEOUT_S = 900.0
# A new stack first measures the defaults of the whole bank.

BARE = """
import sys, time
from gpu_worker.registry import load_torch, run_experiment
load_torch()
start = time.perf_counter()
run_experiment("tradeoff", {}, int(sys.argv[1]), "cpu", False)
print(time.perf_counter() - start)
"""

REQUEST = """
from django.db import transaction
from assessment.experiments.plans import RunPlan
from assessment.experiments.services import request_run
from gpu_worker.catalog import get_experiment, resolve_parameters
experiment = get_experiment("tradeoff")
plan = RunPlan("tradeoff", experiment.version, resolve_parameters(experiment, {{}}), seed={seed})
with transaction.atomic():
    print("run", request_run(plan).run.id)
"""


def measure_bare(seed: int) -> float:
    """Seconds of one run in a fresh process, without its start and imports."""
    done = subprocess.run(
        [sys.executable, "-c", BARE, str(seed)],
        env=make_environment("cpu"),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def measure_worker(stack: RunningStack, state: Path, seed: int) -> float:
    """Seconds from `sent` to the ingested report of one run through the whole stack."""
    code = REQUEST.format(seed=seed)
    done = run_remat(state, "manage", "shell", "-v", "0", "-c", code)
    run_id = next(line.split()[1] for line in done.stdout.splitlines() if line.startswith("run "))
    wait_for(lambda: _read_end(stack, run_id)[0] == "measured", what="the report", timeout_s=300)
    return _read_end(stack, run_id)[1]


def _read_end(stack: RunningStack, run_id: str) -> tuple[str, float]:
    statement = (
        "select state, coalesce(extract(epoch from finished_at - sent_at), 0)::float"
        " from experiments_run where id::text = %s"
    )
    state, seconds = query(stack, statement, run_id)[0]
    return str(state), float(seconds)


def wait_quiet(stack: RunningStack) -> None:
    """Until no run is asked for, sent or running."""
    statement = (
        "select count(*) from experiments_run where state in ('requested', 'sent', 'running')"
    )
    wait_for(
        lambda: query(stack, statement)[0][0] == 0,
        what="the end of the bank's runs",
        timeout_s=QUIET_TIMEOUT_S,
        pause_s=1.0,
    )


def measure_pairs(repeats: int) -> list[tuple[float, float]]:
    """(worker, bare) seconds, in turn, so that a busy moment of the machine hits both."""
    with tempfile.TemporaryDirectory(prefix="rb-") as directory:
        state = Path(directory) / "state"
        stack = RunningStack.start(state, ("-m", "launcher", "serve"))
        try:
            stack.wait_ready(timeout_s=300)
            wait_quiet(stack)
            pairs = []
            for i in range(repeats):
                time.sleep(SETTLE_S)
                seed = DEFAULT_SEED + 1 + i
                pairs.append((measure_worker(stack, state, seed), measure_bare(seed)))
                print(f"worker {pairs[-1][0]:.2f} s, bare {pairs[-1][1]:.2f} s", file=sys.stderr)
            return pairs
        finally:
            stack.stop()
            run_remat(state, "stop")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench lab", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    pairs = measure_pairs(options.repeats)
    ratio = statistics.median(worker / bare for worker, bare in pairs)
    summary = {
        "experiment": f"tradeoff version {get_experiment('tradeoff').version}",
        "worker_s": statistics.median(worker for worker, _ in pairs),
        "bare_s": statistics.median(bare for _, bare in pairs),
        "ratio": ratio,
        "target": TARGET_RATIO,
    }
    print(json.dumps(summary, indent=1))
    return 0 if ratio <= TARGET_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
