"""Calls for derivatives that are refused: what each is told, on every route alike."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.formulations.recursive.rolled_derivatives import LARGEST


def many_joints(n=12):
    """A chain whose derivatives are rolled, and one with an element, which are assembled."""
    chain = ps.library.chain(n)
    force = ps.JointForce(chain.joint_names[0], "-3*q")
    return chain, ps.System("with an element", chain.bodies, forces=[force])


CHAIN, WITH_ELEMENT = many_joints()
ZEROS = np.zeros((3, CHAIN.nv))
ASSEMBLED = {
    "second of a chain": (
        lambda **how: CHAIN.inverse_dynamics_second_derivatives(*ZEROS, **how), (4, 12, 12, 12),
    ),
    "first with an element": (
        lambda **how: WITH_ELEMENT.inverse_dynamics_derivatives(*ZEROS, **how), (3, 12, 12),
    ),
    "forward, by LAPACK": (
        lambda **how: CHAIN.forward_dynamics_derivatives(*ZEROS, **how), (3, 12, 12),
    ),
    "hessian": (lambda **how: CHAIN.hessian("potential_energy", ZEROS[0], **how), (12, 12)),
    "along unit vectors": (
        lambda **how: CHAIN.derivative("inverse_dynamics", *ZEROS, by=("q", "q"), **how),
        (12, 12, 12),
    ),
    "one program": (
        lambda **how: CHAIN.inverse_dynamics_derivatives(*ZEROS, **how), (3, 12, 12),
    ),
}  # fmt: skip


@pytest.mark.parametrize("route", ASSEMBLED)
def test_arrays_for_results_are_checked_on_every_route(route, monkeypatch):
    """Give arrays of another shape, type or precision where results are put together of several."""
    monkeypatch.setattr("poinsot.evaluate.derivative.LONGEST_DENSE", 200)
    monkeypatch.setitem(LARGEST, "forward_dynamics_derivatives", 10)
    call, shape = ASSEMBLED[route]
    read_only = np.empty(shape)
    read_only.flags.writeable = False
    for out, message in (
        (np.empty(3), "out must have shape"),
        (np.empty((2, *shape)), "out must have shape"),
        ([0.0], "out must be a NumPy array, got list"),
        (np.empty(shape, np.float32), "out must have dtype float64, got float32"),
        (read_only, "out is read-only"),
    ):
        with pytest.raises((ps.ShapeError, ps.ArrayTypeError), match=message):
            call(out=out)
    out = np.full(shape, np.nan)
    assert call(out=out) is out
    assert np.array_equal(out, call())
