import csv
import json
from pathlib import Path

import numpy as np
import pytest

from assessment.ops.calibrate import main

REFERENCE = Path(__file__).parents[2] / "fixtures" / "reference" / "psychometrics.json"


def write_lsat(path: Path, name: str) -> None:
    counts = json.loads(REFERENCE.read_text())["calibration_LSAT"]["data"][name]["pattern_counts"]
    lines = ["pattern,q1,q2,q3,q4,q5,n"]
    lines += [f"{pattern},{','.join(pattern)},{count}" for pattern, count in counts.items()]
    path.write_text("\n".join(lines) + "\n")


def write_random(path: Path, *, num_persons: int, holes: float = 0.0) -> None:
    rng = np.random.default_rng(3)
    theta, b = rng.standard_normal(num_persons), np.linspace(-1.5, 1.5, 8)
    right = rng.random((num_persons, 8)) < 1 / (1 + np.exp(-(theta[:, None] - b)))
    missing = rng.random(right.shape) < holes
    lines = [",".join(f"q{i}" for i in range(8))]
    for row, gone in zip(right, missing, strict=True):
        cells = ("NA" if no else str(int(yes)) for yes, no in zip(row, gone, strict=True))
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n")


def test_lsat7_is_calibrated_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, report = tmp_path / "lsat7.csv", tmp_path / "report.json"
    write_lsat(answers, "LSAT7")
    options = ["--id-column", "pattern", "--weights-column", "n", "--model", "2PL", "--no-priors"]
    assert main([str(answers), *options, "--json", str(report)]) == 0
    told = json.loads(report.read_text())
    assert told["log_likelihood"] == pytest.approx(-2658.8051, abs=1e-3)
    assert told["items"][2]["a"] == pytest.approx(1.7075, abs=1e-3)
    assert told["metric"] == "logistic"
    assert "converged" in capsys.readouterr().out


def test_few_answers_choose_a_smaller_model(tmp_path: Path) -> None:
    answers, report = tmp_path / "answers.csv", tmp_path / "report.json"
    for num_persons, model in ((20, "authored"), (100, "1PL"), (400, "2PL")):
        write_random(answers, num_persons=num_persons)
        assert main([str(answers), "--json", str(report)]) == 0
        assert {row["model"] for row in json.loads(report.read_text())["items"]} == {model}


def test_missing_answers_and_anchors(tmp_path: Path) -> None:
    answers, anchors = tmp_path / "answers.csv", tmp_path / "anchors.csv"
    bank = tmp_path / "bank.csv"
    write_random(answers, num_persons=600, holes=0.3)
    anchors.write_text("item,a,b\nq0,1,-1.5\nq7,1,1.5\n")
    arguments = [str(answers), "--anchors", str(anchors), "--csv", str(bank)]
    assert main(arguments) == 2
    assert main([*arguments, "--metric", "logistic"]) == 0
    with bank.open(newline="") as file:
        rows = {row["item"]: row for row in csv.DictReader(file)}
    assert (float(rows["q0"]["b"]), float(rows["q7"]["b"])) == (-1.5, 1.5)
    assert float(rows["q4"]["b"]) == pytest.approx(0.21, abs=0.3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q1,q2\n1,2\n", "row 2, q2: '2' is not 0, 1 or empty"),
        ("q1,q1\n1,0\n", "name each item once"),
        ("q1,q2\n", "no answers"),
        ("q1,q2\n,NA\n", "no answers"),
        ("", "name each item once"),
    ],
)
def test_a_file_out_of_order_is_refused_in_one_line(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text(content)
    assert main([str(answers)]) == 2
    assert message in capsys.readouterr().err


def test_an_item_that_all_got_right_needs_priors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("q1,q2\n" + "1,0\n1,1\n" * 20)
    assert main([str(answers), "--model", "2PL", "--no-priors"]) == 2
    assert "item 0" in capsys.readouterr().err
    assert main([str(answers), "--model", "2PL"]) == 0


def test_a_column_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("q1,q2\n1,0\n")
    assert main([str(answers), "--id-column", "person"]) == 2
    assert "no column person" in capsys.readouterr().err


@pytest.mark.parametrize("row", ["1,0,1", "1"])
def test_a_row_of_another_length_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str
) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text(f"q0,q1\n1,0\n{row}\n")
    assert main([str(answers)]) == 2
    assert "row 3: 2 cells are due" in "".join(capsys.readouterr())
