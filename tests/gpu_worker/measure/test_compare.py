import pytest
import torch
from torch import nn

from gpu_worker.measure.compare import (
    NonFiniteError,
    compute_largest_difference,
    compute_relative_error,
    copy_gradients,
    count_changed,
    digest_tensors,
)

A = {"w": torch.tensor([3.0, 4.0]), "b": torch.tensor([0.0])}


def test_equal_tensors_differ_by_exactly_zero() -> None:
    assert compute_largest_difference(A, {k: v.clone() for k, v in A.items()}) == 0.0


def test_the_largest_difference_is_the_worst_element() -> None:
    other = {"w": torch.tensor([3.0, 3.5]), "b": torch.tensor([0.25])}
    assert compute_largest_difference(A, other) == 0.5


def test_the_relative_error_is_over_all_elements() -> None:
    other = {"w": torch.tensor([3.0, 4.0]), "b": torch.tensor([5.0])}
    assert compute_relative_error(A, other) == pytest.approx(1.0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_value_that_is_not_finite_is_never_a_small_difference(bad: float) -> None:
    other = {"w": torch.tensor([3.0, bad]), "b": torch.tensor([0.0])}
    with pytest.raises(NonFiniteError, match="w has a value"):
        compute_largest_difference(A, other)
    with pytest.raises(NonFiniteError):
        compute_largest_difference(other, other)


def test_a_missing_gradient_is_not_equal() -> None:
    with pytest.raises(ValueError, match="only one side has b"):
        compute_largest_difference(A, {"w": A["w"]})
    assert count_changed(A, {"w": A["w"]}) == 1


def test_a_type_or_a_bit_is_a_change() -> None:
    assert count_changed(A, {"w": A["w"].double(), "b": A["b"]}) == 1
    assert count_changed(A, {"w": A["w"] + 1e-6, "b": torch.tensor([-1e-30])}) == 2
    assert count_changed(A, A) == 0


def test_digests_see_bits_names_types_and_shapes() -> None:
    digest = digest_tensors(A)
    changed = [
        {"w": A["w"], "c": A["b"]},
        {"w": A["w"].reshape(2, 1), "b": A["b"]},
        {"w": A["w"].bfloat16(), "b": A["b"]},
        {"w": A["w"], "b": torch.tensor([-0.0])},
    ]
    assert digest == digest_tensors(dict(reversed(A.items())))
    assert len({digest, *map(digest_tensors, changed)}) == 5


def test_a_copied_gradient_does_not_change_with_the_next_step() -> None:
    layer = nn.Linear(2, 1)
    layer(torch.ones(1, 2)).sum().backward()
    kept = copy_gradients(layer)
    layer(torch.ones(1, 2)).sum().backward()
    assert kept["weight"].tolist() == [[1.0, 1.0]]
