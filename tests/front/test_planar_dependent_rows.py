"""Constraints on velocities that depend on each other: units against the System of least norm."""

import numpy as np
import pytest

import poinsot as ps
from tests.front.test_planar_any_system import composable_agrees
from tests.planar_systems import RandomPlane, at_state

ROWS = {
    "twice": [
        ps.KnifeEdge("first", ("a1", (0.2, 0.1, 0.0))),
        ps.KnifeEdge("again", ("a1", (0.2, 0.1, 0.0))),
    ],
    "three of two": [
        ps.VelocityConstraint("first", "u_dot - 2*w_dot - sin(t)", where={"u": "a0", "w": "a1"}),
        ps.VelocityConstraint("second", "u_dot + w_dot", where={"u": "a0", "w": "a1"}),
        ps.VelocityConstraint("sum", "4*u_dot - 2*w_dot - 2*sin(t)", where={"u": "a0", "w": "a1"}),
    ],
    "of nothing": [
        ps.KnifeEdge("nothing", ("a0", (0.0, 0.0, 0.0))),  # its hinge is on the table
        ps.PrescribedSpeed("speed", "a1", "0.3 + cos(2*t)"),
    ],
}


def drawn(rows):
    """Return an open chain with such constraints at a state, and as units."""
    plane = RandomPlane(11)
    plane.chain("a", ["R", "R", "R"])
    system = ps.System("chain", plane.bodies, constraints=ROWS[rows], gravity=(1.0, -9.0, 2.0))
    state = at_state(system, plane.rng.uniform(-0.3, 0.3, system.nq), plane.rng, 0.2)
    names = ["a0", "a1", "a2"]
    return state, ps.PlanarMechanism.from_system(system, names, state.q, t=state.t), plane.rng


@pytest.mark.parametrize("rows", list(ROWS))
def test_dependent_constraints_have_the_multipliers_of_least_norm(rows):
    """Check accelerations and multipliers, then the same in batches, by machine code."""
    state, mechanism, rng = drawn(rows)
    system, (q, v, t) = state.system, (state.q, state.v, state.t)
    tau = rng.uniform(-1, 1, 3)
    a = system.forward_dynamics(q, v, tau, t=t, backend="floats")
    expected = system.multipliers(q, v, tau, t=t).values
    names = [row.name for row in mechanism.linkage.velocity_rows]
    many = np.full((100, 1), 1.0)
    for lead in (np.ones(()), many):  # enough of them for machine code
        given = lead * q, lead * v
        times = np.full(lead.shape[:1], t) if lead.ndim else t
        found = mechanism.forward_dynamics(*given, lead * tau, t=times)
        assert np.max(np.abs(found - a)) < 1e-10 * (1.0 + np.max(np.abs(a)))
        reactions = mechanism.reactions(*given, lead * a, t=times, tau=lead * tau)
        for name in names:
            (k,) = [k for k, row in enumerate(system.row_names) if row.startswith(f"{name}:")]
            assert np.allclose(reactions[name], expected[k], rtol=1e-9, atol=1e-9), name
        forces = mechanism.inverse_dynamics(*given, lead * a, t=times)
        again = mechanism.forward_dynamics(*given, forces, t=times)
        assert np.allclose(again, a, rtol=1e-10, atol=1e-10)
    composable_agrees(state, tau)
    if rows == "twice":
        assert np.isclose(expected[0], expected[1])
        assert abs(expected[0]) > 1e-3


def test_runs_with_dependent_constraints_go_with_the_system():
    """Check a run of a chain whose three constraints hold two rates."""
    state, mechanism, rng = drawn("three of two")
    state = at_state(state.system, state.q, rng)
    accuracy = {"rtol": 1e-10, "atol": 1e-12}
    run = mechanism.simulate(state.q, state.v, 0.3, **accuracy)
    whole = ps.simulate(state.system, state.q, state.v, 0.3, **accuracy)
    assert np.max(np.abs(run.q[-1] - whole.q[-1])) < 1e-8
    assert np.max(np.abs(run.q[-1] - state.q)) > 1e-3
