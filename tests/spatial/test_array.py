import numpy as np
import pytest

from poinsot.errors import ShapeError
from poinsot.expr import symbol
from poinsot.spatial.array import components, frozen, halves, matrix, vector


def test_integers_become_floats():
    """Check that no array of integers, which would truncate, is ever made."""
    assert vector(1, 2).dtype == np.float64
    assert matrix((1, 2), (3, 4)).dtype == np.float64
    assert frozen("p", [1, 2, 3], (3,)).dtype == np.float64
    assert halves([1, 2, 3, 4, 5, 6])[0].dtype == np.float64


def test_complex_numbers_stay_complex():
    """Check that complex steps survive."""
    assert vector(1, 2j).dtype == np.complex128


def test_symbols_give_object_arrays():
    """Check that symbols and numbers mix, and come out as they went in."""
    x = symbol("x")
    array = vector(x, 1.0)
    assert array.dtype == object
    assert components(array) == [x, 1.0]
    assert matrix((x, 0.0), (0.0, x)).shape == (2, 2)


def test_components_are_python_scalars():
    """Check that no NumPy scalar is left to slow the arithmetic down."""
    assert [type(x) for x in components(np.ones(3))] == [float] * 3


def test_frozen_copies_and_locks():
    """Check that later changes on either side cannot reach the other."""
    source = np.zeros(3)
    copy = frozen("p", source, (3,))
    source[0] = 1.0
    assert copy[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        copy[0] = 1.0


def test_frozen_names_what_has_the_wrong_shape():
    """Check the error message."""
    with pytest.raises(ShapeError, match=r"p must have shape \(3,\), got \(2,\)"):
        frozen("p", [0.0, 0.0], (3,))
