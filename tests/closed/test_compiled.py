"""Machine code of closed systems against the interpreter: one state, batches, times, ``out``."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from tests.closed.random_closed import TIME, random_closed

HANDFUL = {
    "universal and rod": (5, 3, 2, "loop universal"),
    "curve": (0, 3, 1, "curve"),
    "moving in time": (2, 3, 2, "prescribed"),
    "ball": (0, 2, 1, "loop spherical"),
}
"""Seed, bodies, closures and the kind of the first; they can move, and have rows that repeat."""
SLOW = {"backend": "interpreter"}


@pytest.fixture(scope="module", params=HANDFUL)
def closed(request):
    """Return a system, a state of it that obeys the constraints, and joint forces."""
    seed, n_bodies, n_closures, first = HANDFUL[request.param]
    case = random_closed(
        seed, n_bodies, n_closures, first=first, kinds=("distance", "gear"),
        joints=("revolute", "prismatic", "spherical"),
    )  # fmt: skip
    system = ps.System.from_mechanism(case.mechanism)
    assert len(system.row_names)
    return system, case


def _states(case, shape):
    """Return states near one that obeys the constraints; the same for none."""
    m, rng = case.mechanism, np.random.default_rng(4)
    q = m.integrate(case.q, 1e-3 * rng.normal(size=(*shape, m.nv)))
    v = case.v + 1e-3 * rng.normal(size=(*shape, m.nv))
    return q, v, case.tau + rng.normal(size=(*shape, m.nv)), TIME + rng.uniform(0, 0.1, shape)


def test_accelerations_of_one_state_and_of_many(closed):
    """Compare machine code with the interpreter, for batches of any shape, with times of each."""
    system, case = closed
    for shape in ((), (5,), (2, 3)):
        q, v, tau, t = _states(case, shape)
        expected = system.forward_dynamics(q, v, tau, t=t, **SLOW)
        for _ in range(2):  # the second call may be machine code as a whole
            found = system.forward_dynamics(q, v, tau, t=t)
            assert found.shape == (*shape, system.nv)
            assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        out = np.empty((*shape, system.nv))
        assert system.forward_dynamics(q, v, tau, t=t, out=out) is out
        assert_allclose(out, expected, rtol=1e-9, atol=1e-9)


def test_rows_of_many_states_and_times(closed):
    """Compare all rows with those of the single states, and with ``out``."""
    system, case = closed
    q, v, _, t = _states(case, (2, 3))
    m = len(system.row_names)
    for name, state in (
        ("constraint_residual", (q,)),
        ("constraint_rate", (q, v)),
        ("constraint_bias", (q, v)),
        ("constraint_jacobian", (q,)),
    ):
        method = getattr(system, name)
        found = method(*state, t=t)
        assert found.shape == ((2, 3, m, system.nv) if "jacobian" in name else (2, 3, m))
        out = np.empty_like(found)
        assert method(*state, t=t, out=out) is out
        for k in np.ndindex(2, 3):
            one = method(*(x[k] for x in state), t=t[k], **SLOW)
            assert_allclose(found[k], one, rtol=1e-11, atol=1e-11)
            assert_allclose(out[k], one, rtol=1e-11, atol=1e-11)
        over_time = method(*(x[0, 0] for x in state), t=t)
        assert over_time.shape == found.shape


def test_multipliers_are_an_object_each_time(closed):
    """Ask for multipliers until they would be machine code: names, values and what is sure."""
    system, case = closed
    for shape in ((), (), (), (4,), (4,)):
        q, v, tau, t = _states(case, shape)
        found = system.multipliers(q, v, tau, t=t)
        expected = system.multipliers(q, v, tau, t=t, **SLOW)
        assert found.names == system.row_names
        assert_allclose(found.values, expected.values, rtol=1e-7, atol=1e-8)
        assert np.array_equal(found.determined, expected.determined)


def test_methods_agree_on_a_moving_base_under_wrenches_and_drives(closed):
    """Give all that can act from outside, to every formulation."""
    system, case = closed
    rng = np.random.default_rng(2)
    load_inputs = {
        "base": ps.BaseMotion(velocity=rng.normal(size=6), acceleration=rng.normal(size=6)),
        "wrenches": {system.body_names[0]: rng.normal(size=6)},
        "drives": dict(case.drives.values()),
        "t": TIME,
    }
    q, v, tau = case.q, case.v, case.tau
    expected = system.forward_dynamics(q, v, tau, **load_inputs)
    assert np.abs(expected - system.forward_dynamics(q, v, tau, t=TIME)).max() > 1e-3
    for method in ("screw_matrix", "kane"):
        found = system.forward_dynamics(q, v, tau, **load_inputs, method=method, **SLOW)
        assert_allclose(found, expected, rtol=1e-8, atol=1e-8)
    for method in ("newton_euler", "embedding"):
        many = [np.stack([x, x]) for x in (q, v, tau)]
        found = system.forward_dynamics(*many, **load_inputs, method=method)
        assert_allclose(found, [expected, expected], rtol=1e-8, atol=1e-8)
    a = expected
    forces = system.inverse_dynamics(q, v, a, **load_inputs, **SLOW)
    for method in ("screw_matrix", "kane", "newton_euler", "embedding"):
        found = system.inverse_dynamics(q, v, a, **load_inputs, method=method, **SLOW)
        assert_allclose(found, forces, rtol=1e-8, atol=1e-8)


def test_reactions_balance_the_base(closed):
    """Add up what the world gives to bodies: weight, inertia and nothing else."""
    system, case = closed
    q, v = case.q, case.v
    a = system.forward_dynamics(q, v, case.tau, t=TIME, **SLOW)
    found = system.reactions(q, v, tau=case.tau, t=TIME, axes="world", **SLOW)
    total = np.zeros(3)
    for body in system.bodies:
        if body.parent == "world":
            total += found[body.joint.name or body.name][:3]
    for one in (*system.loops, *system.constraints):
        if one.name in found:
            (first, _), (second, _) = one.pairs[0]
            total += found[one.name][:3] if first == "world" else 0.0
            total -= found[one.name][:3] if second == "world" else 0.0
    h = 1e-5
    up, down = (
        system.momentum(system.integrate(q, s * h * v), v + s * h * a, **SLOW) for s in (1, -1)
    )
    weight = sum(body.mass for body in system.bodies) * np.array(system.gravity)
    rate = (up - down)[:3] / (2 * h)
    size = max(1.0, np.abs(rate).max(), np.abs(total).max())
    assert_allclose(total + weight, rate, atol=1e-5 * size)
