"""Quantities along a run obey the laws of mechanics."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import four_bar, pendulum

H = 1e-4
"""Step of differences in time [s]; their error is about H**2."""


def arm() -> ps.System:
    """Two links in space, with a free parameter, a spring and a force that depends on time."""
    m = ps.symbols("m")
    bodies = [
        ps.Body("upper", joint=ps.Revolute((1, 2, 0)), mass=m, com=(0.1, 0, -0.5),
                inertia=(1, 2, 3)),
        ps.Body("ball", "upper", ps.Spherical(), ps.Pose((0, 0, -1)), mass=1, com=(0, 0.1, -0.4),
                inertia=(0.1, 0.2, 0.25)),
    ]  # fmt: skip
    pull = ps.FormulaForce("ball", ("sin(3*t)", 0, "0.2*m"), name="pull")
    spring = ps.Spring(("world", (1, 0, 0)), ("ball", (0, 0, 0)), 5.0, length=0.5)
    return ps.System("arm", bodies, forces=[pull, spring], parameters={"m": 2.0}, free=["m"])


def turning(t):
    c, s = np.cos(t), np.sin(t)
    return [[c, -s, 0], [s, c, 0], [0, 0, 1]], [0, 0, 0.1 * t, 0, 0, 1], [0, 0, 0.1, 0, 0, 0]


@pytest.fixture(scope="module")
def run():
    def tau(t, q, v):
        return [np.cos(t), *(-0.1 * v[1:])]

    system = arm()
    q = np.array([0.3, 1, 0, 0, 0])
    return ps.simulate(
        system, q, [0.1, 0.3, -0.2, 0.5], 1.0, tau=tau, base=turning, parameters={"m": 3.0}
    )


@pytest.fixture(scope="module")
def closed():
    system = four_bar()
    q = system.assemble(system.neutral() + 0.1)
    v = system.consistent_velocity(q, np.ones(system.nv))
    return ps.simulate(system, q, v, 1.0, tau=lambda t, q, v: -0.3 * v)


def rates(run, t, of):
    """Return d/dt of a function of q and v at times inside the run."""
    after, before = (of(*run.at(t + step)) for step in (H, -H))
    return (after - before) / (2 * H)


INNER = slice(3, -3)


@pytest.mark.parametrize("which", ["run", "closed"])
def test_acceleration_is_the_rate_of_velocity(which, request):
    run = request.getfixturevalue(which)
    t = run.t[INNER]
    assert_allclose(run.acceleration()[INNER], rates(run, t, lambda q, v: v), atol=1e-5)


def test_drive_and_base_are_those_of_the_run(run):
    assert_allclose(run.tau()[:, 0], np.cos(run.t), rtol=1e-15)
    assert_allclose(run.tau()[:, 1:], -0.1 * run.v[:, 1:], rtol=1e-15)
    for k in (0, len(run) // 2):
        R, velocity, acceleration = turning(run.t[k])
        base = ps.BaseMotion(ps.Pose(matrix=np.array(R)), velocity, acceleration)
        a = run.system.forward_dynamics(
            run.q[k], run.v[k], run.tau()[k], t=run.t[k], base=base, parameters=run.parameters
        )
        assert_allclose(run.acceleration()[k], a, rtol=1e-11)


def test_reactions_change_the_momentum(closed):
    """dP/dt = weight and reactions at the ground, about the world origin."""
    system, t = closed.system, closed.t[INNER]
    force = np.zeros((len(closed), 6))
    mass = sum(body.mass for body in system.bodies)
    weight = mass * np.array(system.gravity)
    force[:, :3] += weight
    force[:, 3:] += np.cross(closed.centre_of_mass(), weight)
    wrenches = closed.reactions(axes="world")
    roots = [body.name for body in system.bodies if body.parent == "world"]
    (loop,) = system.loops
    ends = [(root, system.joint_names[system.body_names.index(root)], 1.0) for root in roots]
    for body, joint, sign in ends:
        place, wrench = closed.pose(body)[:, :3, 3], sign * wrenches[joint]
        force += np.hstack([wrench[:, :3], wrench[:, 3:] + np.cross(place, wrench[:, :3])])
    ground, sign = (loop.second, 1.0) if loop.first[0] == "world" else (loop.first, -1.0)
    place = closed.pose(ground[0]) @ np.append(ground[1].xyz, 1.0)
    second = closed.pose(loop.second[0]) @ np.append(loop.second[1].xyz, 1.0)
    wrench = sign * wrenches[loop.name]
    assert_allclose(place[:, :3], second[:, :3], atol=1e-9)
    force += np.hstack([wrench[:, :3], wrench[:, 3:] + np.cross(second[:, :3], wrench[:, :3])])
    momentum = rates(closed, t, system.momentum)
    assert_allclose(force[INNER], momentum, atol=2e-5 * np.abs(force).max())


def test_power_of_the_drive_changes_the_energy(closed):
    system, t = closed.system, closed.t[INNER]
    energy = rates(closed, t, lambda q, v: system.kinetic_energy(q, v) + system.potential_energy(q))
    power = np.sum(closed.tau() * closed.v, axis=1)
    assert_allclose(power[INNER], energy, atol=1e-5)


def test_constraints_hold_along_the_run(closed):
    rows = len(closed.system.row_names)
    assert (
        closed.constraint_residual().shape == closed.constraint_rate().shape == (len(closed), rows)
    )
    assert np.abs(closed.constraint_residual()).max() <= 1e-10
    assert np.abs(closed.constraint_rate()).max() <= 1e-9
    lam = closed.multipliers()
    state = (closed.q[5], closed.v[5], closed.tau()[5])
    expected = closed.system.multipliers(*state)
    assert lam.names == expected.names
    assert_allclose(lam.values[5], expected.values, rtol=1e-9, atol=1e-9)
    assert_array_equal(lam.determined[5], expected.determined)


def test_a_tree_has_no_rows(run):
    assert run.constraint_residual().shape == (len(run), 0)
    assert run.multipliers().values.shape == (len(run), 0)
    assert set(run.reactions()) == {"upper", "ball"}


def test_bodies_along_the_run(run):
    point = (0.1, 0.2, 0.3)
    t = run.t[INNER]

    def place(q, v):
        return (run.system.pose("ball", q, parameters={"m": 3.0}) @ np.append(point, 1.0))[..., :3]

    velocity = run.velocity("ball", point, axes="world")
    assert_allclose(velocity[INNER, :3], rates(run, t, place), atol=1e-5)
    moved = rates(
        run, t, lambda q, v: run.system.velocity("ball", q, v, point, axes="world",
                                                 parameters={"m": 3.0})
    )  # fmt: skip
    assert_allclose(run.body_acceleration("ball", point, axes="world")[INNER], moved, atol=1e-4)


def test_expressions_agree_with_numpy(run):
    q, v, t = run.q, run.v, run.t
    assert_allclose(run.evaluate("cos(upper) * v.ball.wx + m*t"), np.cos(q[:, 0]) * v[:, 1] + 3 * t)
    assert_allclose(run.evaluate("tau.upper - a.upper"), run.tau()[:, 0] - run.acceleration()[:, 0])
    both = run.evaluate(lambda t, q, v: np.outer(q[1:3], v))
    assert_allclose(both, q[:, 1:3, None] * v[:, None, :])


def test_expressions_at_other_times(run):
    t = np.array([[0.1, 0.2, 0.35], [0.9, 1.0, 0.0]])
    q, v = run.at(t)
    assert_allclose(run.evaluate("upper + v.upper", t), q[..., 0] + v[..., 0])
    assert run.evaluate(lambda t, q, v: q, t).shape == (2, 3, 5)
    with pytest.raises(ps.ModelError, match="the run goes from"):
        run.evaluate("t", 2.0)


def test_names_and_units(run):
    assert run.names["q"] == ("upper", "ball.qw", "ball.qx", "ball.qy", "ball.qz")
    assert run.names["v"] == ("upper", "ball.wx", "ball.wy", "ball.wz")
    assert run.units["q"] == ("rad", "1", "1", "1", "1")
    assert run.units["tau"] == ("N m",) * 4
    assert run.units["a"] == ("rad/s²",) * 4


def test_mistakes(run):
    with pytest.raises(ps.ModelError, match="axes must be 'body', 'joint' or 'world', got 'wrld'"):
        run.reactions(axes="wrld")
    with pytest.raises(ps.FormulaError, match=r"unknown name 'v.uper'; did you mean 'v.upper'"):
        run.evaluate("v.uper")
    with pytest.raises(ps.ModelError, match="no body 'bal'"):
        run.pose("bal")


def test_what_was_computed_does_not_travel(run):
    run.acceleration()
    again = pickle.loads(pickle.dumps(run))
    assert "_along" not in again.__dict__
    assert_array_equal(again.acceleration(), run.acceleration())


def test_arrays_are_the_callers(run):
    run.tau()[:] = 0.0
    run.acceleration()[:] = 0.0
    assert np.abs(run.acceleration()).max() > 0.0 < np.abs(run.tau()).max()


def test_constant_forces():
    run = ps.simulate(pendulum(), [0.1], [0.0], 0.5, tau=[0.7])
    assert_array_equal(run.tau(), np.full((len(run), 1), 0.7))
