"""What both sides of the queue refuse, and the address of a run."""

import importlib
import itertools

import pytest

from gpu_worker.catalog import (
    EXPERIMENTS,
    Experiment,
    digest_run,
    get_experiment,
    list_large_parameters,
    resolve_parameters,
)

ALL = list(EXPERIMENTS.values())


@pytest.mark.parametrize("experiment", ALL, ids=lambda one: one.name)
def test_defaults_and_the_large_configuration_are_allowed(experiment: Experiment) -> None:
    defaults = resolve_parameters(experiment, {})
    assert resolve_parameters(experiment, defaults) == defaults
    assert set(defaults) == {one.name for one in experiment.parameters}
    large = list_large_parameters(experiment)
    assert large, "no larger configuration for a GPU"
    for name, value in resolve_parameters(experiment, large, device="cuda").items():
        if name in large:
            assert value != defaults[name]


@pytest.mark.parametrize("experiment", ALL, ids=lambda one: one.name)
def test_every_experiment_has_its_module_and_distinct_claims(experiment: Experiment) -> None:
    name = experiment.name.replace("-", "_")
    assert importlib.util.find_spec(f"gpu_worker.experiments.{name}") is not None
    assert len(set(experiment.claims)) == len(experiment.claims) > 0
    assert set(experiment.cuda_claims) <= set(experiment.claims)


@pytest.mark.parametrize("experiment", ALL, ids=lambda one: one.name)
def test_one_step_out_of_a_range_is_refused_by_name(experiment: Experiment) -> None:
    for one in experiment.parameters:
        if one.kind not in ("int", "float", "ints"):
            continue
        assert one.minimum is not None
        assert one.maximum is not None
        for bad in (one.minimum - 1, one.maximum + 1):
            value = [bad] if one.kind == "ints" else bad
            with pytest.raises(ValueError, match=f"^{one.name}: must be at"):
                resolve_parameters(experiment, {one.name: value})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"nonsense": 1}, "nonsense: tradeoff has no such parameter"),
        ({"layers": "4"}, "layers: must be a number"),
        ({"layers": True}, "layers: must be a number"),
        ({"layers": None}, "layers: must be a number"),
        ({"layers": [4]}, "layers: must be a number"),
        ({"layers": 4.5}, "layers: must be an integer"),
        ({"layers": float("nan")}, "layers: must be finite"),
        ({"dropout": float("inf")}, "dropout: must be finite"),
        ({"layers": 10**400}, "layers: must be at most"),
        ({"model": "cnn"}, "model: must be one of"),
        ({"model": ["gpt"]}, "model: must be one of"),
        ({"heads": 3}, "heads: must divide hidden"),
        ({"plain_blocks": 4}, "plain_blocks: must be less than layers"),
        ({"layers": 16, "hidden": 512, "batch": 32, "length": 512}, "layers: with this batch"),
    ],
)
def test_a_bad_parameter_is_refused_with_its_name(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve_parameters(get_experiment("tradeoff"), given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"depths": [4]}, "depths: needs at least two"),
        ({"depths": [4, 4]}, "depths: needs at least two"),
        ({"depths": [4, 10]}, "depths: 10 is not a square"),
        ({"depths": [400, 361, 324, 289, 256, 225, 196]}, "depths: must sum"),
        ({"depths": 4}, "depths: must be a list"),
        ({"depths": [4, "9"]}, "depths: must be a number"),
        ({"depths": [4] * 25}, "depths: must be a list of at most 24"),
        ({"layers": 10, "segments": [3]}, "segments: 3 does not divide layers"),
    ],
)
def test_lists_are_checked_entry_by_entry(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve_parameters(get_experiment("sqrt-n"), given)


def test_an_unknown_experiment_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="'nope' is unknown"):
        get_experiment("nope")


def test_larger_values_are_for_cuda_and_simulations() -> None:
    experiment = get_experiment("tradeoff")
    given = {"hidden": 4096, "heads": 32, "layers": 32}
    with pytest.raises(ValueError, match="must be at most"):
        resolve_parameters(experiment, given)
    assert resolve_parameters(experiment, given, device="cuda")["hidden"] == 4096
    assert resolve_parameters(experiment, given, simulate=True)["layers"] == 32


def test_equal_numbers_of_another_type_have_one_address() -> None:
    experiment = get_experiment("tradeoff")
    digests = {
        digest_run("tradeoff", 1, resolve_parameters(experiment, given), 1, "cpu", False)
        for given in ({}, {"layers": 4}, {"layers": 4.0}, {"dropout": 0.1}, {"batch": 4.0})
    }
    assert len(digests) == 1


def test_whatever_changes_a_run_changes_its_address() -> None:
    base = ("tradeoff", 1, {"layers": 4}, 1, "cpu", False)
    others = [
        ("sqrt-n", 1, {"layers": 4}, 1, "cpu", False),
        ("tradeoff", 2, {"layers": 4}, 1, "cpu", False),
        ("tradeoff", 1, {"layers": 5}, 1, "cpu", False),
        ("tradeoff", 1, {"layers": 4}, 2, "cpu", False),
        ("tradeoff", 1, {"layers": 4}, 1, "cuda", False),
        ("tradeoff", 1, {"layers": 4}, 1, "cpu", True),
    ]
    digests = [digest_run(*one) for one in (base, *others)]
    assert len(set(digests)) == len(digests)
    assert all(len(one) == 64 for one in digests)


def test_the_order_of_parameters_does_not_matter() -> None:
    for order in itertools.permutations({"a": 1, "b": [2, 3], "c": "x"}.items()):
        assert digest_run("x", 1, dict(order), 1, "cpu", False) == digest_run(
            "x", 1, {"a": 1, "b": [2, 3], "c": "x"}, 1, "cpu", False
        )
