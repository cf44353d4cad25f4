"""What numbers and names descriptions accept."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from poinsot.errors import ModelError
from poinsot.model import Body
from poinsot.model.checks import checked_name, finite_array, finite_number, symmetric, vec3


@pytest.mark.parametrize("value", [[1, 2], (1.0, 2.0), np.array([1, 2]), [Fraction(1), 2]])
def test_finite_array_takes_any_real_numbers(value: Any) -> None:
    """Turn whatever holds real numbers into float64."""
    array = finite_array(value, "x")
    assert array.dtype == np.float64
    assert array.tolist() == [1.0, 2.0]


def test_finite_array_copies() -> None:
    """Leave the caller's array free to change."""
    given = np.zeros(3)
    assert not np.shares_memory(given, finite_array(given, "x"))


@pytest.mark.parametrize("value", ["1.0", ["1", 2], 1j, [1, [2, 3]], object(), [10**400]])
def test_finite_array_refuses_what_is_not_real(value: Any) -> None:
    """Refuse text, complex numbers, ragged lists and objects."""
    with pytest.raises(ModelError, match="body 'a': com must be real numbers, got"):
        finite_array(value, "body 'a': com")


@pytest.mark.parametrize("value", [np.nan, np.inf, [0, -np.inf], None])
def test_finite_array_refuses_what_is_not_finite(value: Any) -> None:
    """Refuse NaN and infinities."""
    with pytest.raises(ModelError, match="x must be finite, got"):
        finite_array(value, "x")


def test_finite_number_refuses_a_list() -> None:
    """Refuse many numbers where one is asked for."""
    with pytest.raises(ModelError, match=r"mass must be one number, got \[1\]"):
        finite_number([1], "mass")


def test_vec3_refuses_wrong_lengths() -> None:
    """Say how many numbers were expected."""
    with pytest.raises(ModelError, match=r"xyz must have 3 numbers, got \(1, 2\)"):
        vec3((1, 2), "xyz")


def test_symmetric_removes_rounding_only() -> None:
    """Symmetrise rounding, refuse more, and change nothing the second time."""
    A = np.array([[1.0, 2.0], [2.0 + 1e-12, 3.0]])
    once = symmetric(A, "K")
    assert np.array_equal(once, once.T)
    assert np.array_equal(symmetric(once, "K"), once)
    with pytest.raises(ModelError, match=r"K must be symmetric, .* differs .* by 0.1"):
        symmetric(np.array([[1.0, 2.0], [2.1, 3.0]]), "K")


@pytest.mark.parametrize("name", ["", "  "])
def test_checked_name_refuses_empty_text(name: str) -> None:
    """Refuse a name that nobody could write."""
    with pytest.raises(ModelError, match="name must not be empty"):
        checked_name(name, "name")


def test_checked_name_refuses_numbers() -> None:
    """Refuse a name that is not text."""
    with pytest.raises(ModelError, match="name must be text, got 3"):
        checked_name(3, "name")


def test_a_name_in_place_of_a_number_is_told_how_to_be_a_parameter():
    with pytest.raises(
        ModelError, match=r"got 'm'; for a parameter write m = poinsot.symbols\('m'\)"
    ):
        Body("a", mass="m")
