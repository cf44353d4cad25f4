"""Random trees that random loops and other constraints close, at states that obey them.

The frames of a loop, the length of a rod, the offset of a gear ... are chosen so that the
constraint holds at a random configuration of the tree.  One integer drives everything, as in
``tests.strategies``.
"""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

import poinsot as ps
from poinsot.formulations.constrained.constraint_rows import all_rows, with_closures
from poinsot.formulations.forces import with_elements
from poinsot.formulations.kinematics import body_pose
from poinsot.model import AbstractClosure, Environment, Mechanism
from poinsot.model.changed import changed
from poinsot.spatial import Transform
from tests.random_joints import KINDS as JOINTS
from tests.random_joints import random_joint
from tests.strategies import random_mechanism

LOOPS = tuple(f"loop {kind}" for kind in JOINTS if kind != "free")
OTHERS = (
    "distance", "curve", "surface", "gear", "rack", "prescribed", "formula", "holonomic",
)  # fmt: skip
CLOSURES = (*LOOPS, *OTHERS)
TIME = 0.4
"""When the constraints hold [s]."""

CURVES = (
    (("0.5*cos(s)", "0.4*sin(s)", "0.3*s"), (-2.5, 2.5)),
    (("s", "0.2*s", "-0.4*s"), (-2.0, 2.0)),
    (("s", "0.3*s**2", "0.1*sin(2*s)"), (-1.5, 1.5)),
    (("0.7*cos(s)", "0.7*sin(s)", 0), (-3.2, 3.2)),
)
SURFACES = (
    "0.3*x**2 - 0.2*x*y + z",
    "x + 2*y - z",
    "x**2 + 0.5*y**2 + 2*z**2",
    "z - 0.2*sin(x + t) + 0.3*t",
)


@dataclass(frozen=True, repr=False)
class Closed:
    """A mechanism with constraints, and a state in which they hold at the time t."""

    mechanism: Mechanism
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    drives: dict = field(compare=False)
    rng: np.random.Generator = field(compare=False)
    made_by: str = ""
    t: float = TIME

    def __repr__(self):
        return self.made_by

    def rows(self, q=None, v=None, t=TIME):
        """Return all rows, here or elsewhere."""
        q, v = self.q if q is None else q, self.v if v is None else v
        return all_rows(self.mechanism, q, v, t)

    def environment(self, *, load_inputs=True):
        """Return gravity, and whatever else can act: a moving base, wrenches and drives."""
        m, rng = self.mechanism, np.random.default_rng(5)
        environment = Environment(np.array(m.gravity), t=self.t)
        if load_inputs:
            environment = Environment(
                rng.uniform(-10, 10, 3),
                rng.uniform(-1, 1, 6),
                rng.uniform(-5, 5, 6),
                {0: rng.uniform(-5, 5, 6)},
                drives={k: tau for k, (_, tau) in self.drives.items()},
                t=self.t,
            )
        return environment

    def acting(self, q=None, v=None, *, load_inputs=True):
        """Return the surroundings with what the closures' springs, dampers and drives do."""
        q, v = self.q if q is None else q, self.v if v is None else v
        environment = with_elements(self.mechanism, q, v, self.environment(load_inputs=load_inputs))
        return with_closures(self.mechanism, q, v, environment)


def closed_cases(max_bodies=7, max_closures=3, min_bodies=1, **options):
    """Random closed mechanisms with states."""
    return st.builds(
        random_closed,
        seed=st.integers(0, 2**32 - 1),
        n_bodies=st.integers(min_bodies, max_bodies),
        n_closures=st.integers(1, max_closures),
        **{name: st.just(value) for name, value in options.items()},
    )


def random_closed(
    seed, n_bodies, n_closures, *, kinds=CLOSURES, joints=JOINTS, passive=True, first=None
):
    """Return the closed mechanism that belongs to a seed and two sizes.

    Args:
        seed: Of everything random.
        n_bodies: Bodies of the tree.
        n_closures: Loops and constraints; fewer where the tree has no joints for them.
        kinds: Kinds of constraints.
        joints: Kinds of joints of the tree.
        passive: Whether springs, dampers and armature may be there.
        first: The kind of the first constraint; drawn as the others by default.
    """
    rng = np.random.default_rng([seed, n_bodies, n_closures])
    tree = random_mechanism(rng, n_bodies, kinds=joints, passive=passive)
    q = tree.random(rng)
    closures = []
    for k in range(n_closures):
        kind = first if k == 0 and first is not None else str(rng.choice(kinds))
        one = _closure(rng, tree, q, kind, f"closure {k}", passive=passive)
        if one is not None:
            closures.append(one)
    loops = [one for one in closures if isinstance(one, ps.Loop)]
    others = [one for one in closures if not isinstance(one, ps.Loop)]
    mechanism = Mechanism(tree.name, tree.bodies, tree.gravity, (), loops, others)
    drives = {
        k: (one.name, rng.uniform(-3, 3, one.nv))
        for k, one in enumerate(mechanism.closures)
        if isinstance(one, AbstractClosure)
    }
    named = "".join(
        f", {key}={value!r}"
        for key, value in (("first", first), ("kinds", kinds), ("joints", joints))
        if value not in (None, CLOSURES, JOINTS)
    )
    made_by = f"random_closed({seed}, {n_bodies}, {n_closures}, passive={passive}{named})"
    v = _allowed(mechanism, q, rng.uniform(-2.0, 2.0, tree.nv))
    return Closed(mechanism, q, v, rng.uniform(-3, 3, tree.nv), drives, rng, made_by)


def assume_well_posed(case):
    """Leave out what has no answer, or none that a number of the right size is near to.

    Motions that the constraints contradict, and rows whose rank is a matter of taste: random trees
    have axes that are parallel up to 1e-8, or to 1e-13, which is too much for rounding.
    """
    rows = case.rows()
    assume(len(rows.phi))
    missed = rows.J @ case.v + rows.drift
    assume(np.abs(missed).max() < 1e-9)
    scaled = rows.J / np.maximum(np.linalg.norm(rows.J, axis=1), 1e-3)[:, None]
    values = np.linalg.svd(scaled, compute_uv=False)
    assume(not np.any((values > 5e-15) & (values < 1e-4)))
    size = np.abs(rows.gamma).max(initial=1.0)
    assume(size < 1e4)
    a = np.linalg.lstsq(scaled, -rows.gamma, rcond=1e-8)[0]
    assume(np.abs(scaled @ a + rows.gamma).max() < 1e-9 * size)


def _allowed(m, q, v):
    """Return the velocity that the constraints allow next to v."""
    rows = all_rows(m, q, v, TIME)
    if not len(rows.phi):
        return v
    return v - np.linalg.lstsq(rows.J, rows.J @ v + rows.drift, rcond=1e-9)[0]


def _closure(rng, tree, q, kind, name, *, passive):
    """Return a constraint of a kind that holds at q, or None if the tree has nothing for it."""
    if kind in ("gear", "rack", "prescribed"):
        return _coupling(rng, tree, q, kind, name)
    if kind == "holonomic":
        return _holonomic(rng, tree, q, name) if tree.nq else None
    ends = _two_bodies(rng, tree, q)
    if kind == "distance":
        return _distance(rng, ends, name)
    if kind == "curve":
        return _on_curve(rng, ends, name, passive=passive)
    if kind == "surface":
        return _on_surface(rng, ends, name)
    if kind == "formula":
        return _formula(rng, tree, q, ends, name)
    return _loop(rng, ends, kind.removeprefix("loop "), name, passive=passive)


def _two_bodies(rng, tree, q):
    """Return names and poses of two bodies, one of which may be the world."""
    names = ("world", *tree.body_names)
    i, j = rng.choice(len(names), 2, replace=False)
    poses = [Transform.identity() if k == 0 else body_pose(tree, k - 1, q) for k in (i, j)]
    return (names[i], poses[0]), (names[j], poses[1])


def _loop(rng, ends, kind, name, *, passive):
    (first, X_W1), (second, X_W2) = ends
    joint = _cut_joint(rng, kind, passive=passive)
    q_own = joint.random(rng)
    if kind == "euler":  # away from gimbal lock
        while np.linalg.svd(joint.motion_subspace(q_own))[1][-1] < 0.3:
            q_own = joint.random(rng)
    E = ps.Pose(rng.uniform(-0.5, 0.5, 3), rpy=rng.uniform(-1.5, 1.5, 3))
    F = X_W2.inverse() @ X_W1 @ E.transform() @ joint.transform(q_own)
    return ps.Loop(name, (first, E), (second, ps.Pose(F.p, matrix=F.R)), joint)


def _cut_joint(rng, kind, *, passive):
    axis = rng.standard_normal(3) if rng.random() < 0.5 else np.eye(3)[rng.integers(3)]
    joint = random_joint(rng, kind, axis / np.linalg.norm(axis), passive=passive)
    return changed(joint, armature=(0.0,) * joint.nv) if np.any(joint.armature) else joint


def _place(rng, end):
    """Return a point of a body, and where it is in the world."""
    point = rng.uniform(-0.5, 0.5, 3)
    return (end[0], point), end[1].apply_point(point)


def _distance(rng, ends, name):
    (first, p1), (second, p2) = (_place(rng, end) for end in ends)
    length = np.linalg.norm(p2 - p1)
    return ps.Distance(name, first, second, length) if length > 0.05 else None


def _on_curve(rng, ends, name, *, passive):
    point, p = _place(rng, ends[0])
    formulas, limits = CURVES[rng.integers(len(CURVES))]
    curve = ps.Curve(formulas, limits)
    c = curve.at(float(rng.uniform(0.7 * limits[0], 0.7 * limits[1]))).c
    own = {"damping": 0.3, "stiffness": 2.0, "rest": 0.1} if passive and rng.random() < 0.5 else {}
    return ps.PointOnCurve(name, point, curve, _carrying(rng, ends[1], c, p), **own)


def _on_surface(rng, ends, name):
    point, p = _place(rng, ends[0])
    formula = SURFACES[rng.integers(len(SURFACES))]
    x = rng.uniform(0.2, 0.6, 3)
    value = eval(formula, {"x": x[0], "y": x[1], "z": x[2], "t": TIME, "sin": np.sin})
    on = _carrying(rng, ends[1], x, p)
    return ps.PointOnSurface(name, point, f"{formula} - ({value!r})".replace("np.float64", ""), on)


def _carrying(rng, end, x, p):
    """Return a frame on a body in which a place p of the world has the coordinates x."""
    R = np.array(ps.Pose(rpy=rng.uniform(-1.5, 1.5, 3)).matrix)
    at = end[1].inverse().apply_point(p)
    return end[0], ps.Pose(at - R @ x, matrix=R)


def _coupling(rng, tree, q, kind, name):
    single = [joint for joint, nq in tree.joint_sizes.items() if nq == 1]
    if len(single) < 2 or kind == "prescribed":
        if not single:
            return None
        joint = single[rng.integers(len(single))]
        at = float(q[tree.q_slice(joint)][0])
        motion = f"{at!r} + 0.7*sin(t - {TIME}) + 0.3*(t - {TIME})"
        return ps.PrescribedMotion(name, joint, motion)
    first, second = (single[k] for k in rng.choice(len(single), 2, replace=False))
    ratio = rng.uniform(0.3, 2.0) * rng.choice([-1, 1])
    offset = q[tree.q_slice(second)][0] - ratio * q[tree.q_slice(first)][0]
    return (ps.Gear if kind == "gear" else ps.RackPinion)(name, first, second, ratio, offset)


def _holonomic(rng, tree, q, name):
    weights = rng.uniform(-1, 1, (2, tree.nq))

    def value(x, t):
        return weights[0] @ np.sin(x) + (weights[1] @ x) * x[0] * np.cos(t)

    wanted = value(q, TIME)
    return ps.Holonomic(name, lambda x, t: value(x, t) - wanted)


def _formula(rng, tree, q, ends, name):
    (first, p1), (second, p2) = (_place(rng, end) for end in ends)
    where = {"x": (*first, "x"), "y": (*first, "y"), "z": (*second, "z")}
    known = {"x": p1[0], "y": p1[1], "z": p2[2], "t": TIME}
    single = [joint for joint, nq in tree.joint_sizes.items() if nq == 1]
    text = "x*y + 0.5*z + 0.2*t*x"
    if single:
        where["u"] = single[0]
        known["u"] = q[tree.q_slice(single[0])][0]
        text += " + 0.3*u*z"
    return ps.FormulaConstraint(name, f"{text} - ({float(eval(text, known))!r})", where)
