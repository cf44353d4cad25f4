"""Every type of joint as a cut joint between two free bodies, against the same joint in a tree."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.spatial import matrix_to_quaternion
from tests.cases.runner import outcome_of

X = np.array([0.6, 0.0, 0.8])
Y = np.array([0.0, 1.0, 0.0])
TYPES = {
    "revolute": {"axis_in_cut_frame": X},
    "prismatic": {"axis_in_cut_frame": X},
    "helical": {"axis_in_cut_frame": X, "pitch": 0.3},
    "cylindrical": {"axis_in_cut_frame": X},
    "universal": {"axis_in_cut_frame": X, "axis2_in_cut_frame": np.array([0.36, 0.8, 0.48])},
    "planar": {"axis_in_cut_frame": X, "axis2_in_cut_frame": Y},
    "spherical": {},
    "translation": {},
    "fixed": {},
}


def bodies():
    """Return two free bodies in the neutral description."""
    return [
        {
            "id": i,
            "parent": 0,
            "mass": 1.3 * i,
            "com": [0.1, -0.2 * i, 0.3],
            "inertia_com": [[0.2, 0.01, 0.0], [0.01, 0.2 + 0.1 * i, -0.02], [0.0, -0.02, 0.25]],
            "joint": {"type": "free", "placement": {}},
        }
        for i in (1, 2)
    ]


def as_body(description, *where):
    numbers = {key: description[key] for key in ("mass", "com")}
    return ps.Body(*where, **numbers, inertia=description["inertia_com"])


FLOATS = {"backend": "floats"}
"""For the tree that is compared with: nothing of it is compiled."""
MOVING = {
    "orientation": [0.8, -0.2, 0.4, 0.4],
    "velocity": [0.3, -0.5, 0.7, 1.1, -0.6, 0.9],
    "acceleration": [1.0, 2.0, -1.5, 0.4, 0.8, -0.2],
}


@pytest.mark.parametrize(
    ("kind", "moving"), [*((kind, {}) for kind in TYPES), ("universal", MOVING), ("planar", MOVING)]
)
def test_cut_joint(kind, moving):
    """Check accelerations, rank, singular values and the wrench of a joint of this type."""
    rng = np.random.default_rng(len(kind))
    axes = {key.removesuffix("_in_cut_frame"): value for key, value in TYPES[kind].items()}
    joint = getattr(ps, kind.capitalize())(**axes)
    on_plus = ps.Pose((0.4, -0.1, 0.2), quat=(0.8, 0.4, -0.2, 0.4))
    on_minus = ps.Pose((-0.3, 0.2, 0.1), quat=(0.5, -0.1, 0.7, 0.5))
    inverse = on_minus.transform().inverse()
    first, second = bodies()
    tree = ps.System(
        "tree",
        [
            as_body(first, "body 1", "world", ps.Free()),
            ps.Body("cut", "body 1", joint, on_plus),
            as_body(second, "body 2", "cut", ps.Fixed(), ps.Pose(inverse.p, matrix=inverse.R)),
        ],
        gravity=(0.5, 1.0, -9.0),
    )
    q, v = tree.random(rng), rng.normal(size=tree.nv)
    base = ps.BaseMotion(
        ps.Pose(quat=moving.get("orientation", (1, 0, 0, 0))),
        moving.get("velocity", np.zeros(6)),
        moving.get("acceleration", np.zeros(6)),
    )
    a = tree.forward_dynamics(q, v, base=base, **FLOATS)
    place = tree.pose("body 2", q, **FLOATS)
    turn = ps.Pose(matrix=place[:3, :3])
    state = {
        "q": [*q[:7], *place[:3, 3], *quaternion_of(turn)],
        "qd": [*v[:6], *tree.velocity("body 2", q, v, **FLOATS)],
    }
    wrench = tree.reactions(q, v, base=base, **FLOATS)["cut"]
    R = base.R @ tree.pose("cut", q, **FLOATS)[:3, :3]
    N = complement(joint.motion_subspace(q[7:]))
    frame = {side: pose.transform() for side, pose in (("plus", on_plus), ("minus", on_minus))}
    seen = [joint.transform(q[7:]).inverse() @ frame["plus"].inverse(), frame["minus"].inverse()]
    J = N.T @ np.hstack([-seen[0].motion_matrix(), seen[1].motion_matrix()])
    cut = {
        "plus": 1,
        "minus": 2,
        "type": kind,
        **TYPES[kind],
        "cut_frame_on_plus": framed(on_plus),
        "cut_frame_on_minus": framed(on_minus),
    }
    expected = {
        "qdd": [*a[:6], *tree.acceleration("body 2", q, v, a, **FLOATS)],
        "constraint_rank": 6 - joint.nv,
        "constraint_rows": 6 - joint.nv,
        "constraint_singular_values": np.linalg.svd(J, compute_uv=False).tolist(),
        "force_on_minus_body_inertial": [(R @ wrench[:3]).tolist()],
        "moment_on_minus_body_inertial": [(R @ wrench[3:]).tolist()],
        "mobility": 6 + joint.nv,
    }
    if kind == "helical":  # how long a wrench with force and moment is depends on the units
        del expected["constraint_singular_values"]
    if not moving:
        expected["kinetic_energy"] = float(tree.kinetic_energy(q, v, **FLOATS))
    case = {
        "id": kind,
        "kind": "loop_dynamics",
        "system": {"gravity": [0.5, 1.0, -9.0], "bodies": bodies()},
        "cut_joints": [cut],
        "state": state,
        "expected": expected,
    }
    if moving:
        case["base"] = moving
    outcome, text = outcome_of(case)
    assert outcome == "PASS", text


def complement(S):
    """Return an orthonormal basis of all wrenches that do no work on the motions S."""
    whole, _ = np.linalg.qr(np.hstack([S, np.eye(6)]))
    return whole[:, S.shape[1] :] if S.shape[1] else np.eye(6)


def framed(pose):
    return {"quaternion": quaternion_of(pose), "translation": list(pose.xyz)}


def quaternion_of(pose):
    return matrix_to_quaternion(np.array(pose.matrix)).tolist()
