"""Tables of joints against products of the matrices that define them."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot import ModelError, System
from poinsot.library import from_dh, from_low_pairs, from_mdh
from poinsot.model.dh_tables import dh_bodies, low_pair_bodies, mdh_bodies
from poinsot.spatial import Inertia, Transform

numbers = st.floats(-2.0, 2.0)
NAMES = ("a", "alpha", "d", "theta")
dh_rows = st.lists(
    st.fixed_dictionaries(
        dict.fromkeys(NAMES, numbers) | {"joint": st.sampled_from(["revolute", "prismatic"])}
    ),
    min_size=1,
    max_size=5,
)
low_pairs = st.lists(
    st.tuples(numbers, numbers, numbers, st.sampled_from([0, 1])), min_size=1, max_size=5
)


def turn(axis, angle):
    """Return the homogeneous matrix of a turn about x or z."""
    c, s = np.cos(angle), np.sin(angle)
    T = np.eye(4)
    i, j = {"x": (1, 2), "z": (0, 1)}[axis]
    T[i, i], T[i, j], T[j, i], T[j, j] = c, -s, s, c
    return T


def shift(x, z):
    T = np.eye(4)
    T[:3, 3] = x, 0.0, z
    return T


def variables(row, q):
    """Return theta and d of a row at q."""
    slides = row["joint"] == "prismatic"
    return row["theta"] + (0.0 if slides else q), row["d"] + (q if slides else 0.0)


def standard(row, q):
    theta, d = variables(row, q)
    return turn("z", theta) @ shift(row["a"], d) @ turn("x", row["alpha"])


def modified(row, q):
    theta, d = variables(row, q)
    return turn("x", row["alpha"]) @ shift(row["a"], 0.0) @ turn("z", theta) @ shift(0.0, d)


def equation_35(row, q):
    """Return the pose whose rotation and offset are printed in (35) of Liu (1988)."""
    a, b, alpha, nu = row
    theta, d = (1 - nu) * q, b + nu * q
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    T = np.eye(4)
    T[:3, :3] = [[c, -s, 0], [ca * s, ca * c, -sa], [sa * s, sa * c, ca]]
    T[:3, 3] = a, -d * sa, d * ca
    return T


def assert_poses(system, rows, matrix):
    """Check the pose of every link at a random q against the product of the row's matrices."""
    q = np.random.default_rng(len(rows)).uniform(-2.0, 2.0, len(rows))
    assert system.nq == len(rows)
    product = np.eye(4)
    for i, row in enumerate(rows):
        product = product @ matrix(row, q[i])
        pose = system.pose(f"link {i + 1}", q, backend="interpreter")
        assert_allclose(pose, product, atol=1e-13)


@given(dh_rows)
def test_standard_table(rows):
    """Check Rz(theta) Tz(d) Tx(a) Rx(alpha), the variable added to theta or d."""
    assert_poses(from_dh("arm", rows), rows, standard)


@given(dh_rows)
def test_modified_table(rows):
    """Check Rx(alpha) Tx(a) Rz(theta) Tz(d)."""
    assert_poses(from_mdh("arm", rows), rows, modified)


@given(low_pairs)
def test_low_pairs(rows):
    """Check equation (35)."""
    assert_poses(from_low_pairs("arm", rows), rows, equation_35)


PUMA = [
    {"d": 0.67183, "alpha": pi / 2},
    {"a": 0.4318},
    {"d": 0.15005, "a": 0.0203, "alpha": -pi / 2},
    {"d": 0.4318, "alpha": pi / 2},
    {"alpha": -pi / 2},
    {},
]


def modified_rows(rows):
    """Return the modified table of the same arm: a and alpha belong to the row before.

    The last a and alpha have no place in it, so they must be zero.
    """
    shifted = [{}, *rows[:-1]]
    return [
        {
            **{name: row[name] for name in ("d", "theta", "joint") if name in row},
            **{name: before[name] for name in ("a", "alpha") if name in before},
        }
        for row, before in zip(rows, shifted, strict=True)
    ]


def test_puma_560_is_the_same_in_both_conventions():
    """Check tip pose, joint forces and mass matrix; only the frames of the links differ."""
    rng = np.random.default_rng(5)
    masses, coms = rng.uniform(1, 3, 6), rng.uniform(-0.2, 0.2, (6, 3))
    inertias = np.array([np.diag([0.3, 0.4, 0.5])] * 6)
    near_coms, near_inertias = [], []
    for row, mass, com, inertia in zip(PUMA, masses, coms, inertias, strict=True):
        link = turn("x", row.get("alpha", 0.0))
        X = Transform(link[:3, :3], [row.get("a", 0.0), 0.0, 0.0])
        near_coms.append(X.apply_point(com))
        at_com = Inertia(mass, np.zeros(3), inertia).to_parent(Transform.rotation(X.R))
        near_inertias.append(at_com.I)
    far = from_dh("far", PUMA, masses=masses, coms=coms, inertias=inertias)
    near = from_mdh(
        "near", modified_rows(PUMA), masses=masses, coms=near_coms, inertias=near_inertias
    )
    q, v, a = rng.normal(size=(3, 6))
    assert_allclose(near.pose("link 6", q), far.pose("link 6", q), atol=1e-14)
    assert_allclose(near.mass_matrix(q), far.mass_matrix(q), atol=1e-12)
    assert_allclose(near.inverse_dynamics(q, v, a), far.inverse_dynamics(q, v, a), atol=1e-11)


def test_links_get_what_is_listed_for_them():
    """Check names, masses and joint settings."""
    settings = {"damping": [0.1, 0.2], "stiffness": [1, 2], "rest": [3, 4], "armature": [5, 6]}
    for make in (dh_bodies, mdh_bodies):
        bodies = make([{"a": 1.0}, {"joint": "prismatic"}], names=["in", "out"], masses=[7, 8],
                      coms=[(1, 2, 3), (4, 5, 6)], inertias=[(1, 1, 1), (2, 2, 2)],
                      **settings)  # fmt: skip
        links = {body.name: body for body in bodies if not body.name.endswith("axis")}
        assert [links[name].mass for name in ("in", "out")] == [7, 8]
        assert links["out"].com == (4, 5, 6)
        assert links["out"].inertia[:3] == (2, 2, 2)
        system = System("arm", bodies)
        joints = [body.joint for body in bodies if body.joint.nv]
        assert [joint.kind for joint in joints] == ["revolute", "prismatic"]
        assert [joint.damping for joint in joints] == [(0.1,), (0.2,)]
        assert [joint.rest for joint in joints] == [(3.0,), (4.0,)]
        assert system.q_slice("out") == slice(1, 2)


def test_frames_at_right_angles_stay_exact():
    """Check that cos(pi / 2) leaves no trace in the places, so that it folds."""
    bodies = low_pair_bodies([(0, 0.9, 0, 0), (0, 0.25, pi / 2, 0), (0, 0, pi / 2, 1)])
    assert bodies[1].pose.xyz == (0.0, -0.25, 0.0)


@pytest.mark.parametrize(
    ("make", "rows", "links", "message"),
    [
        (mdh_bodies, [], {}, "at least one row"),
        (mdh_bodies, {"a": 1}, {}, "rows must be a list"),
        (mdh_bodies, [{"thet": 1}], {}, "row 1 has the unknown key 'thet'; did you mean 'theta'"),
        (mdh_bodies, [{}, {"theta": "pi"}], {}, "row 2: theta must be real numbers"),
        (mdh_bodies, [(0, 0, 0, 0)], {}, "row 1 must be a mapping with the keys a, alpha, d"),
        (dh_bodies, [{"joint": "helical"}], {}, "'revolute' or 'prismatic', got 'helical'"),
        (dh_bodies, [{}], {"mass": [1]}, "unknown argument 'mass'; did you mean 'masses'"),
        (dh_bodies, [{}, {}], {"masses": [1]}, "each of the 2 rows, got 1"),
        (dh_bodies, [{}], {"masses": 1.0}, "masses must be a list"),
        (dh_bodies, [{}], {"names": [""]}, "must not be empty"),
        (low_pair_bodies, [(0, 0, 0)], {}, "row 1 must be the four numbers a, b, alpha, nu"),
        (low_pair_bodies, [(0, 0, 0, 0.5)], {}, "nu must be 0 .* or 1 .*, got 0.5"),
        (low_pair_bodies, [{"theta": 1}], {}, "unknown key 'theta'; known are"),
        (low_pair_bodies, ["abcd"], {}, "row 1 must be a mapping"),
    ],
)  # fmt: skip
def test_mistakes_are_explained(make, rows, links, message):
    """Check that each message names the row, the value and the remedy."""
    with pytest.raises(ModelError, match=message):
        make(rows, **links)
