"""Each way in which a run can go wrong, with a real process for each."""

import contextlib
import os
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpu_worker.contracts import MAX_REPORT_BYTES, RunReport, decode_worker_message, encode
from gpu_worker.runner import Runner
from tests.gpu_worker.processes import list_marked, make_request, wait_until

MARK = f"test-runner-{uuid.uuid4()}"


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    os.environ["REMAT_STATE"] = MARK
    runner = Runner(device="cpu", worker="tester", registry="tests.gpu_worker.misbehaving")
    runner.start()
    yield runner
    runner.close()
    del os.environ["REMAT_STATE"]
    assert list_marked(MARK) == []


def run(runner: Runner, experiment: str, **changes: object) -> RunReport:
    report = runner.run(make_request(experiment, **changes))
    assert decode_worker_message(encode(report)) == report
    return report


@pytest.mark.parametrize(
    ("experiment", "reason", "words"),
    [
        ("eat_memory", "out_of_memory", "can't allocate memory"),
        ("eat_memory_in_python", "out_of_memory", "MemoryError"),
        ("kill_itself", "killed", "SIGKILL"),
        ("crash_hard", "crashed", "SIGSEGV"),
        ("leave_without_a_word", "crashed", "exit code 3"),
        ("exit_politely", "crashed", "enough"),
        ("print_much", "output_limit", "bytes of output"),
        ("return_nan", "non_finite", "claims[1].observed"),
        ("return_too_much", "report_too_large", "without its trace"),
        ("return_far_too_much", "report_too_large", "size limit"),
        ("return_nonsense", "crashed", "not what the contract says"),
        ("break_checkpoint", "invalid_setup", "CheckpointError"),
        ("raise_error", "crashed", "a bug of ours"),
    ],
)
def test_it_names_the_reason(runner: Runner, experiment: str, reason: str, words: str) -> None:
    report = run(runner, experiment)
    assert (report.state, report.reason) == ("failed", reason)
    assert report.detail is not None
    assert words in report.detail


@pytest.mark.parametrize("experiment", ["loop_for_ever", "ignore_limits"])
def test_it_ends_an_endless_loop(runner: Runner, experiment: str) -> None:
    report = run(runner, experiment, wall_limit_s=3.0)
    assert report.reason in ("cpu_limit", "timeout")
    assert report.wall_s is not None
    assert report.wall_s < 6.0


def test_it_ends_a_sleeper_at_the_wall_limit(runner: Runner) -> None:
    report = run(runner, "sleep_for_ever", wall_limit_s=1.0)
    assert report.reason == "timeout"
    assert report.wall_s == pytest.approx(1.0, abs=0.5)


@pytest.mark.parametrize("experiment", ["measure_well", "print_some", "read_input"])
def test_it_measures_what_behaves(runner: Runner, experiment: str) -> None:
    report = run(runner, experiment)
    assert report.state == "measured"
    assert report.measurement is not None
    assert not report.measurement.partial


def test_it_leaves_no_child_in_whatever_session(runner: Runner) -> None:
    assert run(runner, "fork_children").state == "measured"
    # The spare process that waits: its supervisor and itself.
    wait_until(lambda: len(list_marked(MARK)) <= 2, timeout_s=5)


def test_it_keeps_what_was_measured_before_the_end(runner: Runner) -> None:
    report = run(runner, "measure_half")
    assert report.reason == "killed"
    assert report.measurement is not None
    assert report.measurement.partial
    assert [(arm.name, arm.peak) for arm in report.measurement.memory] == [("plain", 2)]
    assert [(arm.name, arm.total) for arm in report.measurement.flops] == [("plain", 7)]


def test_it_keeps_the_finite_part_marked_partial(runner: Runner) -> None:
    report = run(runner, "return_nan")
    assert report.measurement is not None
    assert report.measurement.partial
    assert [claim.id for claim in report.measurement.claims] == ["sound"]
    assert "value" not in report.measurement.facts


def test_it_drops_a_long_trace_before_it_refuses(runner: Runner) -> None:
    report = run(runner, "return_long_trace")
    assert report.state == "measured"
    assert report.measurement is not None
    assert report.measurement.trace is None
    assert len(encode(report)) < MAX_REPORT_BYTES


def test_it_gives_a_run_no_credential_and_the_two_thresholds(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMAT_BROKER_URL", "redis+socket://worker:secret@/nowhere")
    runner.close()
    report = run(runner, "show_environment")
    assert report.measurement is not None
    facts = report.measurement.facts
    assert facts["thresholds"] == "65536"
    assert "REMAT_BROKER_URL" not in str(facts["names"])


@pytest.mark.slow
def test_a_lost_rank_ends_the_whole_group(runner: Runner) -> None:
    def kill_one_rank() -> None:
        wait_until(lambda: len(list_ranks()) == 2, timeout_s=60)
        os.kill(list_ranks()[0], 9)

    killer = threading.Thread(target=kill_one_rank)
    killer.start()
    report = run(runner, "combine", wall_limit_s=120.0, memory_mib=2048)
    killer.join()
    assert (report.state, report.reason) == ("failed", "killed")
    assert report.wall_s is not None
    assert report.wall_s < 100.0
    assert list_ranks() == []


def list_ranks() -> list[int]:
    """Processes that the run spawned to be its ranks."""
    found = []
    for pid in list_marked(MARK):
        with contextlib.suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"experiment": "no-such"}, "unknown_experiment", "no-such"),
        ({"experiment_version": 9}, "unknown_experiment", "version 9"),
        ({"device": "cuda"}, "unsupported_device", "cuda"),
        ({"simulate": True}, "invalid_parameters", "simulate"),
        ({"parameters": {"pairs": 10**9}}, "invalid_parameters", "pairs"),
    ],
)
def test_it_refuses_what_it_cannot_run(
    runner: Runner, changes: dict[str, object], reason: str, words: str
) -> None:
    report = run(runner, **{"experiment": "measure_well", **changes})  # type: ignore[arg-type]  # by name
    assert (report.state, report.reason) == ("failed", reason)
    assert words in (report.detail or "")
    assert report.wall_s is None


def test_a_spare_that_dies_while_it_waits_is_replaced(runner: Runner) -> None:
    assert run(runner, "measure_well").state == "measured"
    for pid in list_marked(MARK):
        os.kill(pid, 9)
    assert run(runner, "measure_well").state == "measured"


def test_it_says_hello_when_a_process_was_ready(runner: Runner) -> None:
    run(runner, "measure_well")
    hello = runner.make_hello(queues=("runs-cpu",))
    assert hello is not None
    assert decode_worker_message(encode(hello)) == hello
    assert len(hello.code_digest) == len(hello.torch_digest) == 64
    fresh = Runner(device="cpu", worker="tester", registry="tests.gpu_worker.misbehaving")
    assert fresh.make_hello(queues=("runs-cpu",)) is None
