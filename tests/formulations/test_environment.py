"""What acts from outside: wrenches and moving bases, against Pinocchio and against free bases."""

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import mass_matrix_in_base
from poinsot.model import Environment
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases, random_case


def random_surroundings(case):
    """Return a moving base and wrenches on about half of the bodies."""
    rng = case.rng
    bodies = rng.permutation(case.mechanism.n_bodies)[: 1 + case.mechanism.n_bodies // 2]
    return Environment(
        gravity=rng.normal(size=3),
        velocity=rng.normal(size=6),
        acceleration=rng.normal(size=6),
        wrenches={int(i): rng.normal(size=6) for i in bodies},
    )


def on_free_base(case, environment):
    """Return the same mechanism on a free body that moves as the base does, and its state."""
    m = case.mechanism
    bodies = [
        ps.Body(
            body.name, "_base" if body.parent == "world" else body.parent, body.joint, body.pose,
            body.mass, body.com, body.inertia,
        )
        for body in m.bodies
    ]  # fmt: skip
    carried = ps.System(
        "on base", [ps.Body("_base", joint=ps.Free()), *bodies], gravity=environment.gravity
    )
    q = np.concatenate([carried.neutral()[:7], case.q])
    v = np.concatenate([environment.velocity, case.v])
    return carried, q, v


@settings(max_examples=examples(8))
@given(cases(max_bodies=15))
def test_moving_base_is_a_free_body_with_that_motion(case):
    """Check inverse dynamics against the same mechanism on a free body with prescribed motion."""
    environment = random_surroundings(case)
    carried, q, v = on_free_base(case, environment)
    a = np.concatenate([environment.acceleration, case.a])
    still = Environment(
        environment.gravity, wrenches={i + 1: w for i, w in environment.wrenches.items()}
    )
    expected = inverse.inverse_dynamics(carried.mechanism, q, v, a, still)[6:]
    assert_agree(
        inverse.inverse_dynamics(case.mechanism, case.q, case.v, case.a, environment), expected
    )


@settings(max_examples=examples(8))
@given(cases(max_bodies=15))
def test_wrenches_do_the_work_of_the_jacobian(case):
    """Check that wrenches change the bias by -Jᵀ F, F in body axes at the origin."""
    m, environment = case.mechanism, random_surroundings(case)
    system = ps.System("tree", m.bodies, gravity=m.gravity)
    loaded = Environment(np.array(m.gravity), wrenches=environment.wrenches)
    work = sum(
        system.jacobian(m.body_names[i], case.q, backend="floats").T @ wrench
        for i, wrench in environment.wrenches.items()
    )
    bias = inverse.bias(m, case.q, case.v)
    size = np.max(np.abs(bias), initial=1.0) + np.max(np.abs(work), initial=0.0)
    difference = inverse.bias(m, case.q, case.v, loaded) - (bias - work)
    assert np.max(np.abs(difference), initial=0.0) <= 1e-11 * size


@settings(max_examples=examples(8))
@given(cases(max_bodies=15))
def test_forward_is_the_inverse_of_inverse(case):
    """Check articulated bodies against inverse dynamics with everything acting."""
    m, environment = case.mechanism, random_surroundings(case)
    if m.nv == 0:
        return
    a = articulated_forward_dynamics(m, case.q, case.v, case.tau, environment)
    tau = inverse.inverse_dynamics(m, case.q, case.v, a, environment)
    size = np.max(np.abs(mass_matrix_in_base(m, case.q)) @ np.abs(a)) + np.max(np.abs(case.tau))
    assert np.max(np.abs(tau - case.tau)) <= 1e-11 * size


@pytest.mark.parametrize("backend", ["auto", "rolled", "interpreter"])
@pytest.mark.parametrize("seed", [3, 8])
def test_system_takes_base_and_wrenches(backend, seed):
    """Check the public keywords on every back end, single and batched."""
    case = random_case(seed=seed, n_bodies=9)
    m, rng = case.mechanism, case.rng
    system = ps.System("tree", m.bodies, gravity=m.gravity)
    pose = ps.Pose(rpy=rng.normal(size=3))
    base = ps.BaseMotion(pose, rng.normal(size=6), rng.normal(size=6))
    wrenches = {name: rng.normal(size=6) for name in m.body_names[::2]}
    environment = Environment(
        np.array(pose.matrix).T @ m.gravity,
        base.velocity,
        base.acceleration,
        {m.index(name): w for name, w in wrenches.items()},
    )
    keywords = {"base": base, "wrenches": wrenches, "backend": backend}
    expected = inverse.inverse_dynamics(m, case.q, case.v, case.a, environment)
    tau = system.inverse_dynamics(case.q, case.v, case.a, **keywords)
    assert_agree(tau, expected)
    a = system.forward_dynamics(case.q, case.v, tau, **keywords)
    np.testing.assert_allclose(a, case.a, rtol=1e-6, atol=1e-6)
    many = {name: np.repeat(w[None], 5, axis=0) for name, w in wrenches.items()}
    batch = system.bias(case.q, case.v, **(keywords | {"wrenches": many}))
    assert batch.shape == (5, m.nv)
    assert_agree(batch[3], inverse.bias(m, case.q, case.v, environment))


@pytest.mark.parametrize("backend", ["auto", "rolled", "interpreter"])
def test_gravity_force_follows_the_base(backend):
    """Check gravity on a turned base against gravity turned the other way, single and batched."""
    case = random_case(seed=5, n_bodies=8, passive=False)
    m, rng = case.mechanism, case.rng
    system = ps.System("tree", m.bodies, gravity=m.gravity)
    poses = [ps.Pose(rpy=rpy) for rpy in rng.normal(size=(3, 3))]
    turned = [
        ps.System("tree", m.bodies, gravity=np.array(pose.matrix).T @ m.gravity) for pose in poses
    ]
    expected = [one.gravity_force(case.q, backend="floats") for one in turned]
    motion = rng.normal(size=(2, 6))  # the motion of the base is no part of gravity
    for pose, force in zip(poses, expected, strict=True):
        base = ps.BaseMotion(pose, *motion)
        assert_agree(system.gravity_force(case.q, base=base, backend=backend), force)
        rest = ps.BaseMotion(pose)
        assert_agree(system.bias(case.q, 0 * case.v, base=rest, backend=backend), force)
    many = np.array([np.eye(4)] * 3)
    many[:, :3, :3] = [pose.matrix for pose in poses]
    assert_agree(
        system.gravity_force(case.q, base=ps.BaseMotion(many), backend=backend), np.array(expected)
    )
    with pytest.raises(ps.ModelError, match="gravity_force: base must be a BaseMotion, got tuple"):
        system.gravity_force(case.q, base=(0, 0))


def test_wrong_surroundings_are_named():
    """Check the messages about bases and wrenches."""
    system = ps.System("rod", [ps.Body("rod", joint=ps.Revolute("x"), mass=1, com=(0, 0, 1))])
    state = ([0.0], [0.0], [0.0])
    with pytest.raises(ps.ModelError, match="no body 'rot'; did you mean 'rod'"):
        system.inverse_dynamics(*state, wrenches={"rot": np.zeros(6)})
    with pytest.raises(ps.ShapeError, match=r"wrench on body 'rod' must have shape \(..., 6\)"):
        system.inverse_dynamics(*state, wrenches={"rod": np.zeros(3)})
    two = ps.System("two", [*system.bodies, ps.Body("end", "rod", ps.Revolute("x"), mass=1)])
    with pytest.raises(
        ps.ShapeError, match=r"wrench on body do not .*: 'rod' \(2, 6\), 'end' \(3, 6\)"
    ):
        two.bias(*np.zeros((2, 2)), wrenches={"end": np.zeros((3, 6)), "rod": np.zeros((2, 6))})
    with pytest.raises(ps.ModelError, match="base must be a BaseMotion, got tuple"):
        system.inverse_dynamics(*state, base=(0, 0))
    with pytest.raises(ps.ShapeError, match=r"velocity must have shape \(..., 6\), got \(3,\)"):
        ps.BaseMotion(velocity=(0, 0, 1))
    with pytest.raises(ps.ShapeError, match="pose must be a Pose or have shape"):
        ps.BaseMotion(pose=np.eye(3))
