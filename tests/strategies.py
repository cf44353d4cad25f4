"""Random trees of bodies and states of them.

One integer drives everything that is random about a tree, so an example is cheap, is known by two
numbers (``random_case(seed=..., n_bodies=...)``) and shrinks by its size.  The trees are made to be
difficult: every kind of joint anywhere, axes that are parallel, nearly parallel or intersect,
placements from none to far away, branches, several roots, children listed before their parents,
and bodies without mass.
"""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from poinsot.formulations.jacobians import jacobian
from poinsot.model import Body, Mechanism, Pose
from tests.random_joints import KINDS, random_joint

MOST_BODIES = 40
LARGE = 30.0
"""Length of a large offset [m].  Bodies are about 0.3 m, so inertias differ by (30 / 0.3)²."""
WORST_CONDITION = 1e9
"""Of the mass matrix, above which bodies without mass get some after all."""


@dataclass(frozen=True, repr=False)
class Case:
    """A mechanism, a state of it, accelerations and joint forces."""

    mechanism: Mechanism
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    rng: np.random.Generator = field(compare=False)
    made_by: str = ""

    def __repr__(self):
        return self.made_by

    def body(self):
        """Return the number of a body drawn at random."""
        return int(self.rng.integers(self.mechanism.n_bodies))

    def point(self):
        """Return a point in body coordinates, drawn at random."""
        return self.rng.uniform(-1.0, 1.0, 3)


def cases(max_bodies=MOST_BODIES, min_bodies=1, **options):
    """Random mechanisms of up to ``max_bodies`` bodies, each with a state."""
    return st.builds(
        random_case,
        seed=st.integers(0, 2**32 - 1),
        n_bodies=st.integers(min_bodies, max_bodies),
        **{name: st.just(value) for name, value in options.items()},
    )


def random_case(seed, n_bodies, **options):
    """Return the case that belongs to a seed and a number of bodies."""
    rng = np.random.default_rng([seed, n_bodies])
    mechanism = random_mechanism(rng, n_bodies, **options)
    named = "".join(f", {key}={value!r}" for key, value in options.items())
    return Case(
        mechanism,
        mechanism.random(rng),
        *rng.uniform(-2.0, 2.0, (3, mechanism.nv)),
        rng,
        f"random_case(seed={seed}, n_bodies={n_bodies}{named})",
    )


def random_mechanism(rng, n_bodies, *, passive=True, kinds=KINDS, gravity=None, root=None):
    """Return a random tree whose mass matrix is positive definite.

    Args:
        rng: Source of everything random.
        n_bodies: How many bodies.
        passive: Whether joints may have damping, springs and armature.
        kinds: The kinds of joints, each as frequent as the others on average.
        gravity: Acceleration of free fall; random without one.
        root: Joint of the only root; by default roots are as other bodies, and several.
    """
    parents = _random_parents(rng, n_bodies, single_root=root is not None)
    weights = rng.dirichlet(np.full(len(kinds), 0.7))  # mostly one kind, or a mixture
    axis_style = rng.choice(["aligned", "random", "parallel", "nearly parallel", "mixed"])
    place_style = rng.choice(["none", "quarter", "offset", "intersecting", "random", "mixed"])
    leaves = set(range(n_bodies)) - set(parents)
    massless = 0.0 if rng.random() < 0.5 else 0.3
    bodies, axes = [], {}
    for i, parent in enumerate(parents):
        before = axes.get(parent)
        kind = rng.choice(kinds, p=weights)
        pose, axes[i] = _random_place(rng, place_style, axis_style, before)
        if parent < 0 and root is not None:
            joint = root
        else:
            joint = random_joint(rng, kind, axes[i], passive=passive)
        light = i not in leaves and joint.nv <= 1 and rng.random() < massless
        mass, com, inertia = (0.0, np.zeros(3), np.zeros(3)) if light else _random_inertia(rng)
        name = f"body {parent}" if parent >= 0 else "world"
        bodies.append(Body(f"body {i}", name, joint, pose, mass, com, inertia))
    listed = [bodies[i] for i in rng.permutation(n_bodies)]
    if gravity is None:
        gravity = rng.uniform(-10.0, 10.0, 3)
    mechanism = Mechanism(f"random tree of {n_bodies}", listed, gravity)
    if any(body.mass == 0.0 for body in listed) and _is_singular(mechanism, rng):
        heavy = [_with_mass(rng, body) for body in listed]
        mechanism = Mechanism(mechanism.name, heavy, gravity)
    return mechanism


def summed_mass_matrix(mechanism, q):
    """Return the sum of Jᵀ I J over the bodies, and the armature: the definition, at full cost."""
    M = np.zeros((mechanism.nv, mechanism.nv))
    for i, body in enumerate(mechanism.bodies):
        J = jacobian(mechanism, i, "body", q, np.zeros(3))
        M += J.T @ body.spatial_inertia().matrix() @ J
        M[mechanism.v_slices[i], mechanism.v_slices[i]] += body.joint.armature_matrix()
    return M


def _random_parents(rng, n_bodies, *, single_root):
    """Return a parent for each body, smaller than its own number; -1 is the world."""
    shape = rng.choice(["chain", "tree", "brush", "forest"])
    roots = {"forest": 0.3}.get(shape, 0.02)
    parents = [-1]
    for i in range(1, n_bodies):
        nearest = {"chain": i - 1, "brush": max(i - 4, 0)}.get(shape, 0)
        is_root = not single_root and rng.random() < roots
        parents.append(-1 if is_root else int(rng.integers(nearest, i)))
    return parents


def _random_place(rng, place_style, axis_style, before):
    """Return a joint's pose in its parent and its axis, given the axis of the parent's joint."""
    if place_style == "mixed":
        place_style = rng.choice(["none", "quarter", "offset", "intersecting", "random", "large"])
    if axis_style == "mixed":
        axis_style = rng.choice(["aligned", "random", "parallel", "nearly parallel"])
    R = np.eye(3)
    if place_style == "quarter":
        R = _quarter_turns(rng)
    elif place_style in ("random", "large", "intersecting"):
        R = _rotation(rng)
    if axis_style == "aligned" or (before is None and axis_style == "parallel"):
        axis = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    elif before is None or axis_style == "random":
        axis = _unit(rng.standard_normal(3))
    else:
        tilt = 0.0 if axis_style == "parallel" else 10.0 ** rng.uniform(-16, -1)
        axis = R.T @ _unit(before * rng.choice([-1.0, 1.0]) + tilt * _unit(rng.standard_normal(3)))
    p = np.zeros(3)
    if place_style == "intersecting":
        along = rng.uniform(-0.5, 0.5, 2)
        p = along[0] * (R @ axis) + (0.0 if before is None else along[1] * before)
    elif place_style == "large":
        p = LARGE * _unit(rng.standard_normal(3))
    elif place_style != "none":
        p = rng.uniform(-0.5, 0.5, 3)
        p[rng.random(3) < 0.3] = 0.0
    return Pose(p, matrix=R), axis


def _random_inertia(rng):
    """Return mass, mass centre and inertia of a few point masses: what a real body can have."""
    points = rng.uniform(-0.3, 0.3, (5, 3)) + rng.choice([0.0, 0.5]) * rng.uniform(-1, 1, 3)
    masses = 10.0 ** rng.uniform(-1.5, 0.5) * rng.uniform(0.5, 1.5, 5)
    com = masses @ points / masses.sum()
    r = points - com
    second = np.einsum("k,ki,kj->ij", masses, r, r)
    return masses.sum(), com, np.trace(second) * np.eye(3) - second


def _with_mass(rng, body):
    if body.mass > 0.0:
        return body
    return Body(body.name, body.parent, body.joint, body.pose, *_random_inertia(rng))


def _is_singular(mechanism, rng):
    moments = np.linalg.eigvalsh(summed_mass_matrix(mechanism, mechanism.random(rng)))
    return moments.size > 0 and moments[0] <= moments[-1] / WORST_CONDITION


def _quarter_turns(rng):
    """Return one of the 24 rotations that map the axes on each other."""
    R = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
    return R if np.linalg.det(R) > 0 else -R


def _rotation(rng):
    w, x, y, z = _unit(rng.standard_normal(4))
    return np.array(Pose(quat=(w, x, y, z)).matrix)


def _unit(vector):
    return vector / np.linalg.norm(vector)
