"""Masked arrays: what is masked is refused, not computed with."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ArrayTypeError
from poinsot.library import double_pendulum, four_bar

MASKED = np.ma.masked_array([0.1, 0.2], [True, False])
SYSTEM = double_pendulum()
STILL = np.zeros(2)
CALLS = {
    "configuration": lambda: SYSTEM.mass_matrix(MASKED),
    "velocity": lambda: SYSTEM.bias(STILL, MASKED),
    "time": lambda: SYSTEM.forward_dynamics(STILL, STILL, t=np.ma.masked_array([0.0], [True])),
    "wrench": lambda: SYSTEM.bias(STILL, STILL, wrenches={"upper": np.ma.masked_all(6)}),
    "body": lambda: ps.Body("b", com=np.ma.masked_array([1.0, 2, 3], [True, False, False])),
    "samples": lambda: ps.Signal([0.0, 1.0], MASKED),
    "run": lambda: ps.simulate(SYSTEM, MASKED, STILL, 0.1),
    "forces": lambda: ps.simulate(SYSTEM, STILL, STILL, 0.1, tau=MASKED),
    "wrenches": lambda: ps.simulate(
        SYSTEM, STILL, STILL, 0.1, wrenches={"upper": np.ma.masked_all(6)}
    ),
    "guess": lambda: ps.equilibrium(SYSTEM, MASKED),
    "assembly": lambda: four_bar().assemble(np.ma.masked_all(3)),
    "drive": lambda: ps.drive(four_bar(), np.ma.masked_all(3), {"crank": "t"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_masked_entries_are_refused(name):
    """Give an array with masked entries wherever arrays go in, twice."""
    for _ in range(2):
        with pytest.raises(ArrayTypeError, match=r"masked.*filled"):
            CALLS[name]()


def test_arrays_without_masked_entries_are_plain():
    """Give masked arrays in which nothing is masked."""
    q = np.ma.masked_array([0.1, 0.2], False)
    np.testing.assert_array_equal(SYSTEM.mass_matrix(q), SYSTEM.mass_matrix(q.data))
