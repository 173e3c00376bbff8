import math
from dataclasses import asdict

import pytest

from gpu_worker.contracts import MAX_REPORT_BYTES, encode
from gpu_worker.endings import (
    Ending,
    drop_non_finite,
    fail,
    find_non_finite,
    make_report,
    name_ending,
)
from tests.gpu_worker.misbehaving import measure_well
from tests.gpu_worker.processes import make_request


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (Ending(limit="timeout", wall_s=3.0), "timeout"),
        (Ending(limit="output_limit"), "output_limit"),
        (Ending(message={"failed": "invalid_setup", "detail": "x"}), "invalid_setup"),
        (Ending(message={"failed": "no such code"}), "crashed"),
        (Ending(returncode=-24), "cpu_limit"),
        (Ending(returncode=-9, cpu_s=90.5), "cpu_limit"),
        (Ending(returncode=-9, cpu_s=5.0), "killed"),
        (Ending(returncode=-15), "killed"),
        (Ending(returncode=-64), "killed"),
        (Ending(returncode=None), "killed"),
        (Ending(returncode=-11), "crashed"),
        (Ending(returncode=-6, tail="terminate: std::bad_alloc"), "out_of_memory"),
        (Ending(returncode=1, tail="Traceback\nMemoryError"), "out_of_memory"),
        (Ending(returncode=0), "crashed"),
    ],
)
def test_it_names_how_a_run_ended(ending: Ending, reason: str) -> None:
    assert name_ending(ending, cpu_limit_s=90.0)[0] == reason


def test_it_finds_the_place_of_a_bad_number() -> None:
    assert find_non_finite({"a": [1.0, {"b": math.inf}]}, "m") == "m.a[1].b"
    assert find_non_finite({"a": [1.0, None, "nan", 3]}) is None


def test_it_drops_only_what_holds_a_bad_number() -> None:
    found = asdict(measure_well(math.nan))
    kept = drop_non_finite(found)
    claims = kept["claims"]
    assert isinstance(claims, list)
    assert [claim["id"] for claim in claims] == ["sound"]
    assert kept["facts"] == {"filler": ""}
    assert kept["flops"] == found["flops"]


def test_a_late_result_does_not_hide_that_the_limit_was_hit() -> None:
    ending = Ending(message={"measured": asdict(measure_well())}, limit="timeout", wall_s=9.0)
    report = make_report(make_request("x"), ending, worker="w", cpu_limit_s=9.0)
    assert (report.state, report.reason) == ("failed", "timeout")


def test_a_partial_result_too_large_to_travel_is_left_out() -> None:
    found = asdict(measure_well(rows=MAX_REPORT_BYTES))
    report = fail(make_request("x"), "killed", "d" * 5000 + "\0", worker="w", found=found)
    assert report.measurement is None
    assert len(report.detail or "") == 2000
    assert len(encode(report)) < 5000


def test_a_simulated_run_says_so() -> None:
    ending = Ending(message={"measured": asdict(measure_well())}, wall_s=1.0)
    request = make_request("x", simulate=True)
    report = make_report(request, ending, worker="w", cpu_limit_s=9.0)
    assert report.state == "simulated"
