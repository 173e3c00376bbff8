import json
import subprocess
import sys
from pathlib import Path

import pytest

from assessment.ops.bank_files import read_csv_bank
from assessment.ops.simulate import main
from tests.bank.documents import make_documents, make_single, write_bank

FAST = ["--simulees", "20", "--quiet"]


def test_it_prints_a_table_and_writes_json_and_a_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, figure = tmp_path / "report.json", tmp_path / "figure.svg"
    arguments = ["--bank", "random:60", "--json", str(report), "--figure", str(figure), *FAST]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert "RMSE of theta" in printed
    assert "ended by" in printed
    summary = json.loads(report.read_text())
    assert summary["num_simulees"] == 20
    assert summary["reasons"] == {"max_items": 20}
    assert figure.read_text().startswith("<svg")


def test_the_same_seed_writes_the_same_report(tmp_path: Path) -> None:
    reports = [tmp_path / "first.json", tmp_path / "second.json"]
    for report in reports:
        assert main(["--bank", "random:60", "--json", str(report), *FAST]) == 0
    assert reports[0].read_bytes() == reports[1].read_bytes()


def test_an_authored_bank_is_provisional_and_shows_what_a_wrong_floor_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = {}
    for at in range(12):
        items[f"q-{at}"] = make_single(f"q-{at}") | {
            "concept": ("replay", "offload")[at % 2],
            "level": 1 + at % 3,
            "enemies": [f"q-{at ^ 1}"],
        }
    quiz = make_documents()["quizzes"]["small"] | {"items": list(items)}
    write_bank(tmp_path, {"items": items, "quizzes": {"small": quiz}})
    report = tmp_path / "report.json"
    assert main(["--bank", str(tmp_path), "--json", str(report), *FAST]) == 0
    summary = json.loads(report.read_text())
    assert summary["is_provisional"] is True
    assert summary["max_length"] == 6
    assert summary["reasons"] == {"bank_exhausted": 20}
    assert summary["wrong_c"]["bias"] > summary["bias"]
    assert "if c were 0.5" in capsys.readouterr().out


def test_a_file_needs_its_metric_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text("item,a,b,c\nx,1,0,.2\ny,1.2,0.5,\n")
    assert main(["--bank", str(bank), *FAST]) == 2
    assert "--metric" in capsys.readouterr().err
    assert main(["--bank", str(bank), "--metric", "normal-ogive", *FAST]) == 0


def test_slopes_and_intercepts_are_read_as_such(tmp_path: Path) -> None:
    """The item of mirt issue 173: its d is an intercept, so that b is -d / a = .39."""
    bank = tmp_path / "bank.csv"
    bank.write_text("item,slope,intercept,c\nx,5.742,-2.248,.326\n")
    items = read_csv_bank(bank, metric="logistic").bank.items
    assert (items.a[0], items.b[0], items.c[0]) == pytest.approx((5.742, 0.3915, 0.326), abs=1e-4)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,a1,d\nx,5.742,-2.248\n", "slope and intercept"),
        ("slope,intercept\n0,1\n", "a slope of 0"),
        ("a,b\n1,x\n", "row 2, b: 'x' is not a number"),
        ("a,b\n,1\n", "row 2, a is empty"),
        ("item,b\nq,1\n", "columns a and b"),
        ("a,b\n1,nan\n", "item 0: b = nan is not legal"),
        ("item,a,b\nq,1,0\nq,1,0\n", "two items have one name"),
    ],
)
def test_a_bank_out_of_order_is_refused_in_one_line(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = tmp_path / "bank.csv"
    bank.write_text(content)
    assert main(["--bank", str(bank), "--metric", "logistic", *FAST]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--bank", "no-such-bank"],
        ["--bank", "random:0"],
        ["--bank", "random:20", "--exposure-cap", "0.1"],
        ["--bank", "random:20", "--min-items", "9", "--max-items", "3"],
        ["--bank", "random:20", "--simulees", "0"],
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--quiet", *arguments]) == 2
    assert capsys.readouterr().err.startswith("remat simulate: ")


def test_it_runs_where_there_is_no_django() -> None:
    code = (
        "import sys; from assessment.ops import calibrate, simulate\n"
        "simulate.main(['--bank', 'random:20', '--simulees', '2'])\n"
        "assert not {'django', 'scipy', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


def test_a_policy_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy, report = tmp_path / "policy.json", tmp_path / "report.json"
    policy.write_text(
        json.dumps(
            {"selection": {"randomesque": 3, "exposure_cap": 0.5}, "stop": {"max_items": 10}}
        )
    )
    arguments = ["--bank", "random:60", "--policy", str(policy), "--json", str(report), *FAST]
    assert main(arguments) == 0
    summary = json.loads(report.read_text())
    assert (summary["policy"]["randomesque"], summary["policy"]["length"]) == (3, 10)
    assert summary["max_count"] <= 0.5 * 20 + 1
    policy.write_text('{"selection": {"no_such_field": 1}}')
    assert main(arguments) == 2
    assert "no_such_field" in capsys.readouterr().err


def test_a_policy_balances_concepts_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank, policy, report = (tmp_path / name for name in ("bank.csv", "policy.json", "report.json"))
    rows = [f"1,{0.01 * at},{'rare' if at % 5 == 0 else 'common'}" for at in range(60)]
    bank.write_text("\n".join(["a,b,concept", *rows]) + "\n")
    content = [{"concept": "rare", "lower": 0.5, "upper": 0.5}]
    policy.write_text(json.dumps({"content": content, "stop": {"max_items": 10}}))
    arguments = ["--bank", str(bank), "--metric", "logistic", "--policy", str(policy)]
    assert main([*arguments, "--json", str(report), *FAST]) == 0
    assert json.loads(report.read_text())["policy"]["content"][0]["concept"] == 1
    for wrong in ({"content": [{"concept": "gone"}]}, {"contents": content}):
        policy.write_text(json.dumps(wrong))
        assert main([*arguments, *FAST]) == 2
        assert "remat simulate: " in capsys.readouterr().err


def test_every_estimator_is_told_on_the_same_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.json"
    assert main(["--bank", "random:40", "--estimators", "--json", str(report), *FAST]) == 0
    summary = json.loads(report.read_text())
    told = summary["estimators"]
    assert set(told) == {"EAP", "MAP", "MLE", "WLE-Warm", "WLE-Jeffreys"}
    assert told["EAP"]["rmse"] == pytest.approx(summary["rmse"], abs=1e-3)
    assert told["WLE-Warm"] == pytest.approx(told["WLE-Jeffreys"])
    assert "WLE-Jeffreys" in capsys.readouterr().out
