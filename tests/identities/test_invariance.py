"""Descriptions that mean the same give the same dynamics."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot.formulations.kinematics import pose
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import mass_matrix_in_base
from poinsot.formulations.recursive.inverse import inverse_dynamics, newton_euler
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.formulations.recursive.links import links_of, regrouped_links
from poinsot.model import Body, Fixed, Helical, Mechanism, Pose, Prismatic, Revolute
from poinsot.spatial import Transform
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases


def rebuilt(body, **changes):
    """Return the body with some of its fields changed."""
    names = ("name", "parent", "joint", "pose", "mass", "com", "inertia")
    return Body(**{name: getattr(body, name) for name in names} | changes)


def as_pose(X):
    """Return a transform as a pose."""
    return Pose(X.p, matrix=X.R)


def random_transform(rng):
    """Return a pose anywhere near the origin."""
    q = rng.standard_normal(4)
    return Pose(rng.uniform(-1.0, 1.0, 3), quat=q).transform()


@dataclass
class Results:
    """Joint forces, mass matrix and accelerations of one state."""

    tau: np.ndarray
    M: np.ndarray
    a: np.ndarray

    @classmethod
    def of(cls, mechanism, case, q=slice(None), v=slice(None)):
        """Compute them with the coordinates of a case taken in another order."""
        q, v, a, tau = case.q[q], case.v[v], case.a[v], case.tau[v]
        return cls(
            inverse_dynamics(mechanism, q, v, a),
            mass_matrix_in_base(mechanism, q),
            articulated_forward_dynamics(mechanism, q, v, tau),
        )

    def assert_agree(self, other):
        """Compare; accelerations as well as the condition of M allows."""
        assert_agree(self.tau, other.tau)
        assert_agree(self.M, other.M)
        condition = np.linalg.cond(self.M) if self.M.size else 1.0
        assert_agree(self.a, other.a, 1e-11 + 50 * np.finfo(float).eps * condition)


@settings(max_examples=examples(6))
@given(cases())
def test_regrouped_links_feel_the_same(case):
    """Check the joint forces of links with fewest parameters against those of plain links."""
    m, q, v, a = case.mechanism, case.q, case.v, case.a
    plain = newton_euler(StraightTree(m, links_of(m), q=q, v=v, a=a), passive=False)
    regrouped = StraightTree(m, regrouped_links(m), q=q, v=v, a=a)
    assert_agree(newton_euler(regrouped, passive=False), plain)


@settings(max_examples=examples(6))
@given(cases())
def test_order_of_bodies_only_permutes(case):
    """Check that listing the bodies in another order permutes the results."""
    m = case.mechanism
    order = case.rng.permutation(m.n_bodies)
    other = Mechanism(m.name, [m.bodies[i] for i in order], m.gravity)
    q = np.concatenate([np.arange(m.nq)[m.q_slices[i]] for i in order])
    v = np.concatenate([np.arange(m.nv)[m.v_slices[i]] for i in order])
    first, second = Results.of(m, case), Results.of(other, case, q, v)
    Results(first.tau[v], first.M[np.ix_(v, v)], first.a[v]).assert_agree(second)


@settings(max_examples=examples(6))
@given(cases(20))
def test_halves_fixed_to_each_other_are_the_whole(case):
    """Check that a body may be split in two, its children hanging on the second half."""
    m, rng = case.mechanism, case.rng
    bodies, poses = [], {}
    for body in m.bodies:
        poses[body.name] = random_transform(rng)
    for body in m.bodies:
        X_HB = Transform.identity() if body.parent == "world" else poses[body.parent].inverse()
        bodies.append(
            rebuilt(
                body,
                parent=body.parent if body.parent == "world" else f"half of {body.parent}",
                pose=as_pose(X_HB @ body.pose.transform()),
                mass=0.5 * body.mass,
                inertia=0.5 * np.array(body.inertia),
            )
        )
        X_BH = poses[body.name]
        bodies.append(
            Body(
                f"half of {body.name}",
                body.name,
                Fixed(),
                as_pose(X_BH),
                0.5 * body.mass,
                X_BH.inverse().apply_point(np.array(body.com)),
                X_BH.R.T @ (0.5 * body.inertia_matrix()) @ X_BH.R,
            )
        )
    other = Mechanism(m.name, bodies, m.gravity)
    Results.of(other, case).assert_agree(Results.of(m, case))


@settings(max_examples=examples(5))
@given(cases(6))
def test_chains_of_fixed_frames_change_nothing(case):
    """Check that many bodies without mass, fixed to each other, may stand before each joint."""
    m, rng = case.mechanism, case.rng
    bodies = []
    for body in m.bodies:
        rest, parent = body.pose.transform(), body.parent
        for k in range(12):
            step, name = random_transform(rng), f"{body.name} frame {k}"
            bodies.append(Body(name, parent, Fixed(), as_pose(step)))
            rest, parent = step.inverse() @ rest, name
        bodies.append(rebuilt(body, parent=parent, pose=as_pose(rest)))
    other = Mechanism(m.name, rng.permutation(np.array(bodies, dtype=object)), m.gravity)
    q = np.concatenate([np.arange(m.nq)[m.q_slice(joint)] for joint in moving(other)])
    v = np.concatenate([np.arange(m.nv)[m.v_slice(joint)] for joint in moving(other)])
    first, second = Results.of(m, case), Results.of(other, case, q.astype(int), v.astype(int))
    v = v.astype(int)
    Results(first.tau[v], first.M[np.ix_(v, v)], first.a[v]).assert_agree(second)


def moving(mechanism):
    """Return the names of the joints that are in the smaller mechanism too."""
    return [name for name in mechanism.joint_names if "frame" not in name]


@settings(max_examples=examples(6))
@given(cases(20))
def test_turning_the_world_turns_the_poses(case):
    """Check that roots and gravity may be turned together."""
    m = case.mechanism
    X = random_transform(case.rng)
    bodies = [
        rebuilt(body, pose=as_pose(X @ body.pose.transform())) if body.parent == "world" else body
        for body in m.bodies
    ]
    other = Mechanism(m.name, bodies, X.R @ np.array(m.gravity))
    Results.of(other, case).assert_agree(Results.of(m, case))
    i = case.body()
    assert_agree(pose(other, i, case.q), X.homogeneous() @ pose(m, i, case.q))


@settings(max_examples=examples(6))
@given(cases(20))
def test_axes_may_point_the_other_way(case):
    """Check that turning a joint's axis round changes the signs of its coordinate and force."""
    m = case.mechanism
    bodies, q_sign, v_sign = [], np.ones(m.nq), np.ones(m.nv)
    for i, body in enumerate(m.bodies):
        if isinstance(body.joint, Revolute | Prismatic):
            joint = body.joint
            turned = type(joint)(
                -np.array(joint.axis),
                damping=joint.damping,
                stiffness=joint.stiffness,
                rest=-np.array(joint.rest),
                armature=joint.armature,
            )
            bodies.append(rebuilt(body, joint=turned))
            q_sign[m.q_slices[i]] = v_sign[m.v_slices[i]] = -1.0
        else:
            bodies.append(body)
    other = Mechanism(m.name, bodies, m.gravity)
    q, v, a = q_sign * case.q, v_sign * case.v, v_sign * case.a
    assert_agree(
        v_sign * inverse_dynamics(other, q, v, a), inverse_dynamics(m, case.q, case.v, case.a)
    )


def in_units(joint, length):
    """Return a joint without passive forces in another unit of length."""
    return Helical(joint.axis, length * joint.pitch) if isinstance(joint, Helical) else joint


@pytest.mark.parametrize(("length", "mass"), [(1e-6, 1e-12), (1e-3, 1e3), (1e6, 1e18)])
@settings(max_examples=examples(5))
@given(case=cases(20, passive=False))
def test_units_do_not_matter(length, mass, case):
    """Check that a mechanism of any size and weight moves as its model in other units does."""
    m = case.mechanism
    bodies = [
        rebuilt(
            body,
            joint=in_units(body.joint, length),
            pose=Pose(length * np.array(body.pose.xyz), matrix=body.pose.matrix),
            mass=mass * body.mass,
            com=length * np.array(body.com),
            inertia=mass * length**2 * np.array(body.inertia),
        )
        for body in m.bodies
    ]
    other = Mechanism(m.name, bodies, length * np.array(m.gravity))
    q_units = [unit for body in m.bodies for unit in body.joint.q_units]
    v_units = [unit for body in m.bodies for unit in body.joint.v_units]
    q_scale = np.array([length if unit == "m" else 1.0 for unit in q_units])
    v_scale = np.array([length if unit == "m/s" else 1.0 for unit in v_units])
    q, v, a = q_scale * case.q, v_scale * case.v, v_scale * case.a
    tau = inverse_dynamics(other, q, v, a) * v_scale / (mass * length**2)
    assert_agree(tau, inverse_dynamics(m, case.q, case.v, case.a))
    M = mass_matrix_in_base(other, q) * np.outer(v_scale, v_scale) / (mass * length**2)
    assert_agree(M, mass_matrix_in_base(m, case.q))
