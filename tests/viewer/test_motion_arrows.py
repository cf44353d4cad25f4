"""Arrows: forces of springs, external wrenches and impulses are those of mechanics."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.front.motion_arrows import applied_forces, impulses, reactions


@pytest.fixture(scope="module")
def bounce():
    """Return a ball on a slide that is pulled by a spring and pushed, and bounces."""
    ball = ps.Body(
        "ball", joint=ps.Prismatic("z"), pose=ps.Pose((0, 0, 0), rpy=(0, 0, 0.6)), mass=2.0
    )
    spring = ps.Spring(("world", (0, 0, 1)), ("ball", (0, 0, 0)), stiffness=4.0, length=0.5)
    system = ps.System("ball", [ball], forces=[spring])
    floor = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -0.5 * v)
    wrench = {"ball": lambda t, q, v: [3.0, 0, 1.0 + t, 0, 0, 0]}
    return ps.simulate(system, [0.4], [0.0], 0.5, events=[floor], wrenches=wrench)


def test_forces_of_springs_and_wrenches(bounce):
    """The spring pulls along its line; the wrench turns with the body, which stands askew."""
    t, q, v = bounce.t, bounce.q, bounce.v
    spring, wrench = applied_forces(bounce, t, q, v)
    assert (spring.kind, spring.name, spring.body, spring.point) == (
        "forces",
        "spring",
        0,
        (0, 0, 0),
    )
    pull = 4.0 * (1.0 - q[:, 0] - 0.5)
    np.testing.assert_allclose(spring.values, np.outer(pull, [0, 0, 1]), atol=1e-12)
    assert wrench.name == "wrench on ball"
    expected = np.column_stack(
        [np.full(t.size, 3 * np.cos(0.6)), np.full(t.size, 3 * np.sin(0.6)), 1.0 + t]
    )
    np.testing.assert_allclose(wrench.values, expected, atol=1e-12)


def test_reactions_balance_what_is_across_the_joint(bounce):
    """The guide holds against the push across it, and nothing along it."""
    (guide,) = reactions(bounce, bounce.t, bounce.q, bounce.v)
    push = np.array([3 * np.cos(0.6), 3 * np.sin(0.6), 0.0])
    np.testing.assert_allclose(guide.values, np.tile(-push, (bounce.t.size, 1)), atol=1e-9)


def test_impulses_change_momenta(bounce):
    """The floor gives m (1 + e) times the speed of the fall, upwards."""
    (event,) = bounce.events
    (blow,) = impulses(bounce)
    assert (blow.t, blow.name, blow.body) == (event.t, "floor", 0)
    np.testing.assert_allclose(blow.value, [0, 0, -2.0 * 1.5 * event.v_before[0]], atol=1e-12)


def test_impulses_of_many_bodies_add_up():
    """A rod of two links hits a stop: impulses on bodies are the change of all momentum."""
    links = [
        ps.Body("upper", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5),
                inertia=(0.1, 0.1, 0.1)),
        ps.Body("lower", "upper", ps.Revolute("y"), ps.Pose((0, 0, -1)), mass=2.0, com=(0, 0, -0.5),
                inertia=(0.1, 0.1, 0.1)),
    ]  # fmt: skip
    system = ps.System("rods", links)
    stop = ps.Event("stop", "upper", direction="down", reset=lambda t, q, v: [-v[0], 0.3 * v[1]])
    run = ps.simulate(system, [0.4, 0.2], [-2.0, 1.0], 0.4, events=[stop])
    event, *_ = run.events
    total = sum(np.array(blow.value) for blow in impulses(run) if blow.t == event.t)
    change = system.momentum(event.q, event.v) - system.momentum(event.q_before, event.v_before)
    np.testing.assert_allclose(total, change[:3], atol=1e-12)
    assert impulses(ps.simulate(system, [0.4, 0.2], [0, 0], 0.1)) == []
