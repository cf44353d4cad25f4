"""Written forms of inertia and what no body can have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poinsot.model.inertia import inertia_matrix, inertia_numbers, inertia_problem


def test_forms_agree() -> None:
    """Read 3, 6 and 3x3 numbers into the same order."""
    six = (1.0, 2.0, 2.5, 0.1, 0.2, 0.3)
    matrix = [[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 2.5]]
    assert inertia_numbers(matrix, "I") == inertia_numbers(six, "I") == six
    assert inertia_matrix(six).tolist() == matrix
    assert inertia_numbers((1, 2, 3), "I") == (1, 2, 3, 0, 0, 0)


@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3), min_size=1, max_size=5))
def test_points_of_mass_are_plausible(points: list[tuple[float, float, float]]) -> None:
    """Accept the inertia of any set of unit masses."""
    r = np.array(points) - np.mean(points, axis=0)
    I = np.sum(r * r) * np.eye(3) - r.T @ r
    assert inertia_problem(inertia_numbers(I, "I"), len(points)) is None


@pytest.mark.parametrize(
    ("inertia", "problem"),
    [
        ((1, 1, 2.1), "principal moments 1, 1, 2.1 kg m^2: the largest exceeds the sum"),
        ((1, 1, -0.1), "principal moments -0.1, 1, 1 kg m^2: one is negative"),
        ((1, 1, 1, 2, 0, 0), "one is negative"),
    ],
)
def test_problem_tells_the_moments(inertia: tuple[float, ...], problem: str) -> None:
    """Say which law is broken, with the numbers."""
    assert problem in str(inertia_problem(inertia_numbers(inertia, "I"), 1.0))


def test_rounded_plate_is_plausible() -> None:
    """Forgive a plate whose file prints four digits."""
    assert inertia_problem((0.0833, 0.0833, 0.1667, 0.0, 0.0, 0.0), 1.0) is None


def test_nothing_beside_the_mass_is_rounding() -> None:
    """Forgive what turning a zero inertia leaves, but not the inertia of a tiny body."""
    tiny = (-1e-20, 0.0, 1e-20, 0.0, 0.0, 0.0)
    assert inertia_problem(tiny, 1.0) is None
    assert "one is negative" in str(inertia_problem(tiny, 1e-9))
