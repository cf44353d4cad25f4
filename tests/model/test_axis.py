"""Unit axes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poinsot.errors import ModelError
from poinsot.model import unit_axis
from poinsot.model.axis import perpendicular

WHERE = "joint 'elbow'"


@pytest.mark.parametrize(
    ("axis", "expected"),
    [
        ("x", (1, 0, 0)),
        ("y", (0, 1, 0)),
        ("z", (0, 0, 1)),
        ("-y", (0, -1, 0)),
        ([0, 3, 4], (0, 0.6, 0.8)),
    ],
)
def test_unit_axis_of_letters_and_vectors(axis: Any, expected: tuple[float, ...]) -> None:
    """Give a tuple of floats for each way of writing an axis."""
    unit = unit_axis(axis, WHERE)
    assert isinstance(unit, tuple)
    assert all(type(x) is float for x in unit)
    assert unit == pytest.approx(expected, abs=1e-16)


@given(st.tuples(*[st.floats(-1e300, 1e300)] * 3).filter(any))
def test_unit_axis_has_unit_length_and_is_stable(axis: tuple[float, float, float]) -> None:
    """Normalise vectors of any length, and change no bit the second time."""
    unit = unit_axis(axis, WHERE)
    assert np.linalg.norm(unit) == pytest.approx(1.0, abs=1e-15)
    assert unit_axis(unit, WHERE) == unit
    largest = int(np.argmax(np.abs(axis)))
    assert np.sign(unit[largest]) == np.sign(axis[largest])


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(any))
def test_perpendicular_completes_an_axis(axis: tuple[float, float, float]) -> None:
    """Complete a unit vector to three orthonormal ones."""
    unit = unit_axis(axis, WHERE)
    frame = np.column_stack([perpendicular(unit), unit])
    np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-15)


@pytest.mark.parametrize("letter", ["x", "-x", "y", "-y", "z", "-z"])
def test_perpendicular_to_a_coordinate_axis_are_the_other_two(letter: str) -> None:
    """Give them with plus sign and in order."""
    others = [row for row, name in zip(np.eye(3), "xyz", strict=True) if name not in letter]
    np.testing.assert_array_equal(perpendicular(unit_axis(letter, WHERE)).T, others)


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        (
            (0, 0, 0),
            r"^joint 'elbow': axis must not be zero, got \(0, 0, 0\); "
            r"give the direction, e\.g\. \(0, 0, 1\)$",
        ),
        ("w", """joint 'elbow': axis must be "x", "y", "z" or a vector, got 'w'"""),
        ((1, 0), r"joint 'elbow': axis must have 3 numbers, got \(1, 0\)"),
        ((1, 0, np.nan), "joint 'elbow': axis must be finite"),
    ],
)
def test_unit_axis_refuses(axis: Any, message: str) -> None:
    """Name the joint, the value and the remedy."""
    with pytest.raises(ModelError, match=message):
        unit_axis(axis, WHERE)
