"""Calls by name that are machine code from the second on: the same answers, and the same errors."""

import copy
import pickle

import numpy as np
import pytest

import poinsot as ps

RNG = np.random.default_rng(5)
Q, V, A = RNG.normal(size=(3, 4, 3))
TENSOR = RNG.normal(size=(4, 3))

CALLS = {
    "pose": lambda s, q, v, a, **how: s.pose("tip", q, **how),
    "velocity": lambda s, q, v, a, **how: s.velocity("tip", q, v, axes="world", **how),
    "acceleration": lambda s, q, v, a, **how: s.acceleration("tip", q, v, a, **how),
    "jacobian": lambda s, q, v, a, **how: s.jacobian("tip", q, **how),
    "jacobian_rate": lambda s, q, v, a, **how: s.jacobian_rate("tip", q, v, **how),
    "evaluate": lambda s, q, v, a, **how: s.evaluate("inverse_dynamics", q, v, a, **how),
    "evaluate a body": lambda s, q, v, a, **how: s.evaluate("pose", q, body="tip", **how),
    "derivative": lambda s, q, v, a, **how: s.derivative("mass_matrix", q, by="q", **how),
    "of a body": lambda s, q, v, a, **how: s.derivative("pose", q, by=["q"], body="tip", **how),
    "along": lambda s, q, v, a, **how: s.derivative("mass_matrix", q, by="q", along=v, **how),
    "along the second": lambda s, q, v, a, **how: s.derivative(
        "inverse_dynamics", q, v, a, by=("q", "v"), along=[None, v], **how
    ),
    "by a parameter": lambda s, q, v, a, **how: s.derivative("mass_matrix", q, by="m", **how),
    "weighted": lambda s, q, v, a, **how: s.derivative(
        "inverse_dynamics", q, v, a, by="q", weights=v, **how
    ),
    "weighted matrix": lambda s, q, v, a, **how: s.derivative(
        "mass_matrix", q, by="q", weights=np.einsum("...i,...j->...ij", v, v), **how
    ),
    "of a point": lambda s, q, v, a, **how: s.derivative(
        "jacobian", q, by="q", body="tip", point=v, **how
    ),
    "rate": lambda s, q, v, a, **how: s.time_derivative("pose", q, v, body="tip", **how),
    "second rate": lambda s, q, v, a, **how: s.time_derivative(
        "mass_matrix", q, v, a, order=2, **how
    ),
}
SOLVED = {"evaluate", "along the second", "weighted"}
"""Those of quantities that loads are part of."""


def arm():
    """Return an arm of three bodies, with a free parameter and a force that depends on time."""
    m = ps.symbols("m")
    bodies = [
        ps.Body("upper", joint=ps.Revolute("z"), mass=m, com=(0.4, 0.1, 0), inertia=(1, 2, 2)),
        ps.Body("fore", "upper", ps.Prismatic("x"), mass=1.0, com=(0.2, 0, 0), inertia=(1, 1, 2)),
        ps.Body("tip", "fore", ps.Revolute("y"), mass=0.5, com=(0, 0, 0.3), inertia=(1, 1, 1)),
    ]
    push = ps.JointForce("upper", "-0.5*q*t")
    return ps.System("arm", bodies, free=["m"], parameters={"m": 2.0}, forces=[push])


@pytest.mark.parametrize("name", CALLS)
def test_later_calls_are_the_first_call(name):
    """Call with one state, lists, many, out=, values and times: as a new system's first call."""
    call, known = CALLS[name], arm()
    for _ in range(3):
        call(known, Q[0], V[0], A[0])
        call(known, Q, V, A)
    hows = [{}, {"parameters": {"m": 3.5}}, {"backend": "interpreter"}]
    hows += [{"t": 0.7}] if name in SOLVED else []
    for how in hows:
        for state in ((Q[1], V[1], A[1]), (Q, V, A), (Q[:0], V[:0], A[:0])):
            expected = call(arm(), *state, **how)
            got = call(known, *state, **how)
            np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-13)
            out = np.empty_like(expected)
            assert call(known, *state, **how, out=out) is out
            np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-13)
    listed = call(known, *(x[2].tolist() for x in (Q, V, A)))
    np.testing.assert_allclose(listed, call(arm(), Q[2], V[2], A[2]), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", CALLS)
def test_later_calls_reject_what_the_first_rejects(name):
    """Give wrong shapes, types and keywords: the same error before and after."""
    call, known = CALLS[name], arm()
    call(known, Q[0], V[0], A[0])
    call(known, Q[0], V[0], A[0])
    long, texts = np.zeros(4), ["a", "b", "c"]
    attempts = [
        ((long, V[0], A[0]), {}), ((texts, V[0], A[0]), {}), ((Q[0], V[0], A[0]), {"speed": 1}),
        ((Q[0], V[0], A[0]), {"parameters": {"k": 1.0}}),
        ((Q[0], V[0], A[0]), {"out": np.zeros(999)}), ((Q[0], V[0], A[0]), {"backend": "gpu"}),
    ]  # fmt: skip
    for state, how in attempts:
        with pytest.raises((TypeError, ValueError, ps.PoinsotError)) as before:
            call(arm(), *state, **how)
        with pytest.raises((TypeError, ValueError, ps.PoinsotError)) as after:
            call(known, *state, **how)
        assert str(after.value) == str(before.value)
        assert type(after.value) is type(before.value)


def test_names_are_still_checked():
    """Give unknown names and orders to a system that knows the right ones."""
    system = arm()
    for _ in range(2):
        system.pose("tip", Q[0])
        system.velocity("tip", Q[0], V[0], axes="world")
        system.derivative("pose", Q[0], by="q", body="tip")
        system.time_derivative("pose", Q[0], V[0], body="tip", order=1)
    with pytest.raises(ps.ModelError, match="'tipp'"):
        system.pose("tipp", Q[0])
    with pytest.raises(ps.ModelError, match="axes must be"):
        system.velocity("tip", Q[0], V[0], axes="joint")
    with pytest.raises(ps.ModelError, match="order"):
        system.time_derivative("pose", Q[0], V[0], body="tip", order=True)
    with pytest.raises(ps.ModelError, match="has no argument 'w'"):
        system.derivative("pose", Q[0], by="w", body="tip")
    with pytest.raises((TypeError, ps.ModelError)):
        system.pose(["tip"], Q[0])


def test_loads_and_expressions_behind_plain_calls():
    """Add wrenches and expressions to calls whose plain form is machine code."""
    system, wrench = arm(), {"tip": [0.0, 1.0, 0.0, 0.3, 0.0, 0.0]}
    for _ in range(2):
        system.evaluate("inverse_dynamics", Q[0], V[0], A[0])
        system.derivative("inverse_dynamics", Q[0], V[0], A[0], by="q")
    loaded = system.evaluate("inverse_dynamics", Q[0], V[0], A[0], wrenches=wrench)
    np.testing.assert_allclose(loaded, system.inverse_dynamics(Q[0], V[0], A[0], wrenches=wrench))
    J = system.jacobian("tip", Q[0])
    expected = system.inverse_dynamics(Q[0], V[0], A[0]) - J.T @ wrench["tip"]
    np.testing.assert_allclose(loaded, expected, atol=1e-12)
    change = system.derivative("inverse_dynamics", Q[0], V[0], A[0], by="q", wrenches=wrench)
    bend = system.derivative("jacobian", Q[0], by="q", body="tip")
    plain = system.derivative("inverse_dynamics", Q[0], V[0], A[0], by="q")
    np.testing.assert_allclose(
        change, plain - np.einsum("iak,i->ak", bend, wrench["tip"]), atol=1e-12
    )
    angle = ps.symbols("angle")
    pose = system.pose("tip", np.array([angle, 0.2, 0.3], dtype=object))
    assert pose.dtype == object


def test_copies_answer_for_themselves():
    """Copy and pickle a system with shortcuts, and change what the copy has."""
    system = arm()
    for _ in range(2):
        system.pose("tip", Q[0])
    for other in (copy.deepcopy(system), pickle.loads(pickle.dumps(system))):
        np.testing.assert_array_equal(other.pose("tip", Q[0]), system.pose("tip", Q[0]))
