"""The laboratory's command line, each call a process of its own where it measures."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpu_worker import lab, reruns
from gpu_worker.catalog import EXPERIMENTS, get_experiment
from gpu_worker.contracts import decode_worker_message

ROOT = Path(__file__).parents[2]

SMALL = ("--depths", "4,9", "--layers", "6", "--rows=8", "--width=8")


def run_lab(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpu_worker.lab", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def report_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lab") / "report.json"
    found = run_lab("sqrt-n", *SMALL, "--set", "segments=2,3", "--out", str(path))
    assert found.returncode == 0, found.stderr
    assert "holds" in found.stdout
    return path


def test_a_report_is_what_the_worker_would_send(report_path: Path) -> None:
    report = decode_worker_message(report_path.read_text())
    assert report.kind == "report"
    assert report.measurement is not None
    assert report.measurement.provenance.parameters["segments"] == [2, 3]
    command = report.measurement.provenance.command
    assert command.startswith("./remat lab sqrt-n --depths 4,9 --layers 6 --segments 2,3")


def test_a_rerun_is_identical(report_path: Path) -> None:
    found = run_lab("--again", str(report_path), "--json")
    assert found.returncode == 0, found.stdout + found.stderr
    (comparison,) = json.loads(found.stdout)
    assert comparison["equal"] is True
    assert comparison["compared"]["gradient digest"] == 1
    assert comparison["compared"]["byte counts"] > 15


def test_a_byte_that_was_changed_is_found(report_path: Path, tmp_path: Path) -> None:
    plain = json.loads(report_path.read_text())
    plain["measurement"]["memory"][0]["peak"] += 1
    plain["measurement"]["flops"][1]["total"] += 1
    plain["measurement"]["provenance"]["gradient_digest"] = "0" * 64
    path = tmp_path / "changed.json"
    path.write_text(json.dumps([plain]))
    found = run_lab("--again", str(path))
    assert found.returncode == 1
    assert "plain peak:" in found.stdout
    assert "checkpointed FLOPs:" in found.stdout
    assert "gradient digest: another" in found.stdout


def test_digests_are_not_compared_between_different_machines(report_path: Path) -> None:
    plain = json.loads(report_path.read_text())
    old = decode_worker_message(plain)
    plain["measurement"]["environment"]["instruction_set"] = "NEON"
    plain["measurement"]["provenance"]["gradient_digest"] = "0" * 64
    other = decode_worker_message(plain)
    assert old.kind == other.kind == "report"
    found = reruns.compare_reports("sqrt-n", other, old)
    assert found.is_equal
    assert "gradient digest" not in found.compared
    assert found.notes == ("gradient digests are not compared: instruction_set differ",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nope",), "'nope' is unknown"),
        (("sqrt-n", "--layers", "7777"), "layers: must be at most 400"),
        (("sqrt-n", "--layers"), "--layers needs a value"),
        (("sqrt-n", "--layers", "many"), "layers: 'many' is not a number"),
        (("sqrt-n", "--nonsense", "1"), "nonsense: sqrt-n has no such parameter"),
        (("sqrt-n", "--set", "layers"), "'layers' is not NAME=VALUE"),
        (("saved-tensors", "--simulate"), "saved-tensors cannot be simulated"),
        (("--all", "--layers", "4"), "--all runs the defaults"),
        (("--again", "/nonexistent"), "No such file"),
        (("nope", "--help"), "'nope' is unknown"),
        (("sqrt-n", "--seed", "-1"), "must be from 0 to 4294967295"),
        (("sqrt-n", "--seed", str(2**40)), "must be from 0 to 4294967295"),
        (("sqrt-n", "--seed", "one"), "'one' is not a number"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        lab.main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "[", "{}", "[1]", "[]", '{"reports": []}', '{"reports": [{"kind": "hello"}]}']
)
def test_a_file_that_holds_no_report_is_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(SystemExit) as caught:
        lab.main(["--again", str(path)])
    assert caught.value.code == 2
    assert "bad.json" in capsys.readouterr().err


def test_it_lists_every_experiment_with_its_parameters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lab.main([]) == 0
    text = capsys.readouterr().out
    for experiment in EXPERIMENTS.values():
        assert experiment.name in text
        assert all(claim in text for claim in experiment.claims)
    assert lab.main(["--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == set(EXPERIMENTS)


def test_help_is_about_the_experiment_that_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert lab.main(["--help"]) == 0
    assert "--again" in capsys.readouterr().out
    assert lab.main(["sqrt-n", "--help"]) == 0
    text = capsys.readouterr().out
    assert "--depths           4,9,16,25,36,49,64,100 (4 to 400)" in text
    assert "--width            32 (4 to 512; to 8192 on a card or simulated; --large: 1024)" in text
    assert "[--simulate]" in text
    assert "tradeoff" not in text
    assert lab.main(["saved-tensors", "-h"]) == 0
    assert "[--simulate]" not in capsys.readouterr().out


def test_values_are_read_by_their_kind() -> None:
    experiment = get_experiment("tradeoff")
    given = lab.read_parameters(
        experiment, ["dropout=0.25"], ["--plain-blocks", "2", "--model=mlp"]
    )
    assert given == {"dropout": 0.25, "plain_blocks": 2, "model": "mlp"}
    sweep = lab.read_parameters(get_experiment("sqrt-n"), [], ["--depths", "4,9,16"])
    assert sweep == {"depths": [4, 9, 16]}


@pytest.mark.parametrize("experiment", list(EXPERIMENTS.values()), ids=lambda one: one.name)
def test_the_command_of_a_report_is_understood(experiment: object) -> None:
    """What provenance writes, the laboratory reads back to the same order."""
    from gpu_worker.catalog import Experiment, resolve_parameters
    from gpu_worker.measure.provenance import write_command
    from gpu_worker.measure.setup import Run

    assert isinstance(experiment, Experiment)
    values = resolve_parameters(experiment, {})
    command = write_command(Run(experiment.name, values, 7, "cpu", experiment.simulates))
    options, rest = lab.make_parser().parse_known_args(reruns.split_command(command))
    order = lab.make_order(options.name, options, rest)
    assert order == lab.Order(experiment, values, 7, "cpu", experiment.simulates)
