"""Functions of MATLAB and Octave: run by Octave where it is, else by a reader of the subset."""

import shutil
import subprocess

import numpy as np
import pytest

from poinsot.expr import Port, Program
from poinsot.kernels.export.octave import to_octave
from tests.kernels.export.octave_subset import Octave
from tests.kernels.export.routines import (
    assert_right,
    every_operation,
    packed,
    random_routine,
    routine,
)

ROUTINES = [every_operation(), *map(random_routine, range(4))]


def file_of(one, precision="double"):
    """Return the only file of a routine."""
    (text,) = to_octave(packed(one), precision).files.values()
    return text


@pytest.mark.parametrize("one", ROUTINES, ids=lambda one: one.name)
def test_the_subset_gives_the_interpreters_numbers(one):
    """Read and run the files as Octave would, all states at once and one alone."""
    octave = Octave(file_of(one))
    found = octave(*[x.T for x in one.states])
    assert_right([y.T for y in found], one)
    single = octave(*[x[:1].T for x in one.states])
    for y, z in zip(single, found, strict=True):
        np.testing.assert_allclose(y[..., 0], z[..., 0], rtol=1e-9)


def test_matrices_have_the_states_last():
    """Write a matrix of inputs and see its entries in place."""
    program = Program((Port("z", (6,)),), (Port("M", (2, 3)),), (), (), tuple(range(6)))
    states = np.arange(24.0).reshape(4, 6)
    (M,) = Octave(file_of(routine(program, [states])))(states.T)
    np.testing.assert_array_equal(np.moveaxis(M, -1, 0), states.reshape(4, 2, 3))


def test_one_state_beside_many_and_wrong_rows():
    """Broadcast an input, and refuse one with too many rows."""
    one = random_routine(1)
    octave = Octave(file_of(one))
    x, z = (array.T for array in one.states)
    wide = octave(x, np.tile(z[:, :1], (1, x.shape[1])))
    for y, w in zip(octave(x, z[:, :1]), wide, strict=True):
        np.testing.assert_array_equal(y, w)
    with pytest.raises(ValueError, match="x must have 3 rows"):
        octave(x[:2], z)


def test_single_precision_is_asked_for():
    """Look at the type of the results."""
    one = random_routine(0)
    for y in Octave(file_of(one, "float"))(*[x.T for x in one.states]):
        assert y.dtype == np.float32


@pytest.mark.skipif(shutil.which("octave") is None, reason="Octave is not installed")
@pytest.mark.parametrize("one", ROUTINES, ids=lambda one: one.name)
def test_octave_gives_the_interpreters_numbers(one, tmp_path):
    """Run the files in Octave itself."""
    to_octave(packed(one), "double").write(tmp_path)
    names = [port.name for port in one.program.inputs]
    for name, x in zip(names, one.states, strict=True):
        np.savetxt(tmp_path / f"{name}.txt", x.T, fmt="%.17g")
    outputs = [port.name for port in one.program.outputs]
    script = "".join(f"{name} = load('{name}.txt');" for name in names)
    script += f"[{', '.join(outputs)}] = model_{one.name}({', '.join(names)});"
    script += "".join(f"dlmwrite('{y}.out', {y}, 'precision', '%.17g');" for y in outputs)
    done = subprocess.run(["octave", "-qf", "--eval", script], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr
    found = [np.loadtxt(tmp_path / f"{y}.out", delimiter=",", ndmin=2).T for y in outputs]
    assert_right(found, one)
