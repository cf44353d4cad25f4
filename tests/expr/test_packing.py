"""Values as vectors: what is packed comes back, and what is known is left out."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from poinsot.expr.packing import SYMMETRIC, UNIT_LOWER, ArrayLayout, layout_of


@dataclass(frozen=True, eq=False)
class Record:
    """Something of every kind."""

    x: float
    u: np.ndarray
    A: np.ndarray = field(metadata=SYMMETRIC)
    L: np.ndarray = field(metadata=UNIT_LOWER)
    pair: tuple[np.ndarray, float]
    absent: np.ndarray | None = None


RECORD = Record(
    2.0,
    np.arange(1.0, 4.0),
    np.array([[1.0, 2.0], [2.0, 3.0]]),
    np.array([[1.0, 0.0], [5.0, 1.0]]),
    (np.ones((2, 3)), 7.0),
)


def test_records_come_back():
    """Pack a record and unpack it: every field is the same, triangles are stored once."""
    layout = layout_of(RECORD)
    entries = np.array(layout.packed(RECORD))
    assert layout.size == len(entries) == 1 + 3 + 3 + 1 + 6 + 1
    result = layout.unpacked(entries)
    assert result.x == RECORD.x
    for name in ("u", "A", "L"):
        np.testing.assert_array_equal(getattr(result, name), getattr(RECORD, name))
    np.testing.assert_array_equal(result.pair[0], RECORD.pair[0])
    assert result.pair[1] == RECORD.pair[1]
    assert result.absent is None


def test_fields_are_where_the_layout_says():
    """Find a field among the entries."""
    layout = layout_of(RECORD)
    start, inner = layout.field("A")
    assert layout.packed(RECORD)[start : start + inner.size] == [1.0, 2.0, 3.0]


def test_zeros_are_left_out_where_asked():
    """Leave out an array of zeros, which comes back all the same."""
    value = (np.zeros(6), np.ones(2))
    assert layout_of(value).size == 8
    layout = layout_of(value, sparse=True)
    assert layout.packed(value) == [1.0, 1.0]
    np.testing.assert_array_equal(layout.unpacked(np.ones(2))[0], np.zeros(6))


def test_values_of_one_shape_have_equal_layouts():
    """Compare layouts: numbers do not matter, shapes and zeros do."""
    assert layout_of((np.ones(3), 1.0)) == layout_of((np.arange(3.0), 5.0))
    assert layout_of(np.ones(3)) != layout_of(np.ones(4))
    assert layout_of((np.ones(3),), sparse=True) != layout_of((np.zeros(3),), sparse=True)


@pytest.mark.parametrize("triangle", ["", "symmetric", "unit lower"])
def test_triangles_have_their_sizes(triangle):
    """Count the entries of a matrix of three rows."""
    size = {"": 9, "symmetric": 6, "unit lower": 3}[triangle]
    assert ArrayLayout((3, 3), triangle).size == size
