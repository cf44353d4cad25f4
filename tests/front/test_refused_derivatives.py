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
    monkeypatch.setattr("poinsot.evaluate.derivative_kernel.LONGEST_DENSE", 200)
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


def folded():
    """A rod whose mass is a parameter, but a constant of its programs."""
    m = ps.symbols("m")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=m, com=(0, 0, -1))
    return ps.System("rod", [rod], parameters={"m": 2.0})


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.derivative("inverse_dynamics", [0.1], [0.0], [0.0], by="m"),
        lambda s: s.derivative("inverse_dynamics", [0.1], [0.0], [0.0], by=("q", "m")),
        lambda s: ps.linearize(s, [0.0], inputs=["m"]),
        lambda s: ps.root_locus(s, "m", [1.0, 2.0], [0.0]),
        lambda s: s.export("c", "inverse_dynamics by m"),
        lambda s: s.export("python", ["mass_matrix", "weighted inverse_dynamics by q m"]),
        lambda s: s.to_sympy("inverse_dynamics by m"),
        lambda s: s.operations("inverse_dynamics by m"),
        lambda s: ps.simulate(s, [0.1], [0.0], 0.1).sensitivity("m"),
    ],
)
def test_a_folded_parameter_names_free(ask):
    """Ask on every route for derivatives by a parameter that is a constant of the program."""
    with pytest.raises(ps.PoinsotError, match=r"as a constant; make it an input: free=\['m'\]"):
        ask(folded())
    with pytest.raises(ps.PoinsotError, match="'w'; ") as refused:
        folded().export("c", "inverse_dynamics by w")
    assert "free=" not in str(refused.value)


X = ([0.1, 0.2], [0.3, 0.4], [0.5, 0.6])
WRENCH = {"wrenches": {"lower": np.ones(6)}}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda s: s.derivative("mass_matrix", X[0], by="wrenches", **WRENCH),
            "mass_matrix does not depend on wrenches; leave wrenches= out",
        ),
        (
            lambda s: s.derivative("pose", X[0], by="base", body="lower"),
            "pose does not depend on the motion of the base",
        ),
        (lambda s: s.derivative("inverse_dynamics", *X, by="wrenches"), "give wrenches="),
        (lambda s: s.derivative("inverse_dynamics", *X, by="base"), "give base="),
        (lambda s: s.derivative(np.zeros(2), *X, by="q"), "quantity must be a name, got ndarray"),
        (lambda s: s.derivative(["bias"], *X, by="q"), "quantity must be a name"),
        (lambda s: s.derivative(3, *X, by="q"), "quantity must be a name.*got int 3"),
        (lambda s: s.hessian(None, X[0]), "quantity must be a name.*got NoneType None"),
        (lambda s: s.time_derivative({}, X[0], X[1]), "quantity must be a name"),
        (lambda s: s.evaluate(np.zeros(2), *X), "quantity must be a name"),
        (lambda s: s.derivative("bias", *X[:2], by="q", order=0), r"order=: .*by=\('q', 'q'\)"),
        (lambda s: s.derivative("bias", *X[:2], by="q", order=2), r"order=: .*by=\('q', 'q'\)"),
        (lambda s: s.hessian("potential_energy", X[0], order=2), r"order="),
        (lambda s: s.coefficient_vectors([np.nan, 0.1]), "q must be finite.*nan"),
        (lambda s: s.coefficient_vectors([0.1, np.inf]), "q must be finite"),
        (lambda s: s.coefficient_vectors([1j, 0.1]), "q must be real numbers"),
        (lambda s: s.coefficient_vectors(["a", "b"]), "q must be real numbers"),
        (lambda s: s.coefficient_vectors(None), "q must be finite, got None"),
        (lambda s: s.coefficient_vectors([[0.1], [0.2, 0.3]]), "q must be real numbers"),
        (lambda s: s.coefficient_vectors([0.1]), r"q must have shape \(2,\), got \(1,\)"),
    ],
)
def test_what_is_no_argument_is_named(ask, message):
    """Ask for what does not exist: quantities, orders, configurations, loads without influence."""
    with pytest.raises((ps.PoinsotError, TypeError), match=message) as refused:
        ask(ps.library.double_pendulum())
    assert "unhashable" not in str(refused.value)
