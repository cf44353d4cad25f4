"""Python modules: run, and compared with the interpreter."""

import numpy as np
import pytest

from poinsot.kernels.export.python import to_python
from poinsot.library import pendulum
from tests.kernels.export.routines import assert_right, every_operation, packed, random_routine


def module(package, precision="double"):
    """Return the namespace of the module."""
    names = {}
    exec(compile(to_python(package, precision)[f"{package.name}.py"], "model.py", "exec"), names)
    return names


def called(function, *arrays):
    """Return the results as a list."""
    found = function(*arrays)
    return list(found) if isinstance(found, tuple) else [found]


def test_every_operation_is_the_interpreters():
    """Compare each operation on a grid of special and ordinary numbers."""
    one = every_operation()
    assert_right(called(module(packed(one))["f"], *one.states), one, 1e-15)


@pytest.mark.parametrize("seed", range(4))
def test_random_programs_of_any_leading_shape(seed):
    """Compare batches, batches of batches, broadcast inputs and single states."""
    one = random_routine(seed)
    function = module(packed(one))[one.name]
    assert_right(called(function, *one.states), one)
    whole = called(function, *one.states)
    shaped = called(function, *[x.reshape(4, 5, -1) for x in one.states])
    for y, z in zip(shaped, whole, strict=True):
        np.testing.assert_array_equal(y.reshape(z.shape), z)
    first = called(function, one.states[0], one.states[1][3])
    single = called(function, *[x[3] for x in one.states])
    for y, z in zip(first, single, strict=True):
        np.testing.assert_allclose(y[3], z, rtol=1e-9)
        assert np.shape(z) == np.shape(y)[1:]


def test_single_precision_stays_single():
    """Ask for float32 and get it."""
    one = random_routine(1)
    for y in called(module(packed(one), "float")[one.name], *one.states):
        assert y.dtype == np.float32


def test_wrong_shapes_are_refused():
    """Call with too many numbers."""
    function = module(packed(random_routine(0)))["f0"]
    with pytest.raises(ValueError, match=r"x must have shape \(..., 3\), got \(4,\)"):
        function(np.zeros(4), np.zeros(2))


@pytest.mark.parametrize("name", ["sys", "numpy", "random", "math"])
def test_modules_hide_no_others(name):
    """Export a system that is called as a module of Python is."""
    sources = pendulum().export("python", "bias", name=name)
    assert f"{name}_.py" in sources.files
