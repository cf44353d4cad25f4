"""Mechanisms written as MJCF: MuJoCo reads the same dynamics from them, and so do we."""

import re
import warnings
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.errors import ModelError, ModelWarning
from poinsot.formulations.kinematics import body_pose
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.formulations.recursive.inverse import bias
from poinsot.io.mjcf import mjcf_from_mechanism, model_from_mjcf
from poinsot.io.urdf import read_urdf
from poinsot.model import (
    Body,
    Cylindrical,
    Fixed,
    Free,
    Helical,
    Limits,
    Mechanism,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from tests.oracles.agreement import assert_agree
from tests.random_joints import KINDS
from tests.strategies import cases

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the oracle: pip install mujoco")
from tests.io.mjcf_texts import quietly  # noqa: E402
from tests.oracles.mujoco_terms import mujoco_terms  # noqa: E402
from tests.random_examples import examples  # noqa: E402

WRITTEN = tuple(kind for kind in KINDS if kind != "helical")
HEAVY = {"mass": 2.0, "com": (0.1, 0.2, 0.3), "inertia": (0.3, 0.4, 0.5, 0.01, 0.02, 0.03)}
TOLERANCE = 1e-11
"""Measured: 4e-14."""


def with_mass_and_forces(case):
    """Return a random mechanism that MuJoCo takes: mass everywhere, one coefficient a joint."""
    rng, bodies = case.rng, []
    for body in case.mechanism.bodies:
        joint, options = body.joint, {}
        if joint.nv and rng.random() < 0.5:
            options = {"damping": rng.uniform(0, 2), "friction": rng.uniform(0, 2)}
            if joint.nq == joint.nv:
                options["stiffness"], options["armature"] = rng.uniform(0, 2, 2)
                options["rest"] = rng.uniform(-1, 1, joint.nq)
        own = {
            key: getattr(joint, key) for key in ("axis", "axis2", "sequence") if hasattr(joint, key)
        }
        mass = {} if body.mass else HEAVY
        mass = mass or {"mass": body.mass, "com": body.com, "inertia": body.inertia}
        bodies.append(
            Body(body.name, body.parent, type(joint)(**own, **options), body.pose, **mass)
        )
    return Mechanism(case.mechanism.name, bodies, case.mechanism.gravity)


def assert_dynamics(mechanism, text, q, v):
    """Compare a mechanism with what MuJoCo reads."""
    theirs = mujoco_terms(mujoco.MjModel.from_xml_string(text), mechanism, q, v)
    assert_agree(mass_matrix_along_paths(mechanism, q), theirs.mass_matrix, TOLERANCE)
    assert_agree(bias(mechanism, q, v), theirs.bias - theirs.passive, TOLERANCE)


def assert_written(mechanism, q, v):
    """Compare a mechanism, what MuJoCo reads of it, and what we read of it again."""
    text = mjcf_from_mechanism(mechanism)
    assert_dynamics(mechanism, text, q, v)
    again = quietly(model_from_mjcf, text)
    assert again.gravity == mechanism.gravity
    q = np.concatenate([q[mechanism.q_slices[i]] for i in mechanism.order])
    assert_dynamics(again, text, q, v)
    return again, q


@settings(max_examples=examples(11))
@given(cases(max_bodies=25, kinds=WRITTEN, passive=False))
def test_random_mechanisms(case):
    mechanism = with_mass_and_forces(case)
    again, q = assert_written(mechanism, case.q, case.v)
    i = case.body()
    X, Y = (
        body_pose(mechanism, i, case.q),
        body_pose(again, again.index(f"{mechanism.body_names[i]}"), q),
    )
    assert_agree(X.R, Y.R, TOLERANCE)
    assert_agree(X.p, Y.p, TOLERANCE)


def test_massless_bodies_become_joints():
    bodies = [
        Body("a", joint=Prismatic((1, 2, 3), damping=1), pose=Pose((1, 2, 3), rpy=(1, 2, 3))),
        Body("b", "a", Universal("x", "z"), Pose((1, 0, 0), rpy=(0, 0, 1))),
        Body("c", "b", Spherical(), Pose((0, 2, 0), rpy=(0, 1, 0)), **HEAVY),
        Body("d", "c", Spherical(armature=0.3), Pose((0, 2, 0))),
        Body("e", "d", Prismatic("y"), Pose((1, 0, 0)), **HEAVY),
        Body("f", "e", Revolute("y", stiffness=2, rest=0.3), Pose((1, 0, 0))),
        Body("g", "f", Fixed(), Pose((1, 0, 0), rpy=(0, 0, 1)), **HEAVY),
    ]
    mechanism = Mechanism("chain", bodies)
    rng = np.random.default_rng(2)
    again, _ = assert_written(mechanism, mechanism.random(rng), rng.normal(size=mechanism.nv))
    assert [name for name in again.body_names if "/" not in name] == ["c", "e", "f", "g"]
    assert mjcf_from_mechanism(mechanism).count("<body ") == 4


@pytest.mark.parametrize(
    ("parent", "pose", "options", "kind"),
    [
        ("world", Pose(), {}, "free"),
        ("world", Pose(), {"damping": 2.0}, "free"),
        ("world", Pose(), {"damping": [2, 2, 2, 1, 1, 1]}, "ball"),
        ("world", Pose(), {"armature": [0, 0, 0, 1, 1, 1]}, "ball"),
        ("world", Pose((1, 2, 3), rpy=(1, 2, 3)), {}, "ball"),
        ("first", Pose(), {}, "ball"),
    ],
)
def test_free_joints(parent, pose, options, kind):
    bodies = [Body("first", joint=Revolute("y"), **HEAVY)]
    bodies.append(Body("second", parent, Free(**options), pose, **HEAVY))
    mechanism = Mechanism("two", bodies)
    rng = np.random.default_rng(2)
    assert_written(mechanism, mechanism.random(rng), rng.normal(size=mechanism.nv))
    assert f'type="{kind}"' in mjcf_from_mechanism(mechanism)


def test_limits_come_back():
    limits = Limits((-1, 2), effort=3)
    joint = Planar("x", "y", limits=Limits(((-1, -2, -3), (1, 2, 3)), effort=(3, 4, 5)))
    bodies = [
        Body("a", joint=Revolute("x", limits=limits), **HEAVY),
        Body("b", "a", joint, **HEAVY),
    ]
    again = quietly(model_from_mjcf, mjcf_from_mechanism(Mechanism("limited", bodies)))
    assert [body.joint.limits for body in again.bodies] == [
        limits,
        *(Limits((-k, k), effort=k + 2) for k in (1, 2, 3)),
    ]
    for lost in (Limits(velocity=3), Limits((1, 1))):
        body = Body("a", joint=Revolute("x", name="slow", limits=lost), **HEAVY)
        with pytest.warns(ModelWarning, match="limits.*not written: 'slow'"):
            mjcf_from_mechanism(Mechanism("m", [body]))


def test_names_are_kept():
    name = "a<b> & \"c\" 'd'\n\té"
    body = Body(name, joint=Revolute("x", name=name), **HEAVY)
    text = mjcf_from_mechanism(Mechanism(name, [body]))
    again = quietly(model_from_mjcf, text)
    assert (again.name, again.body_names, again.joint_names) == (name, (name,), (name,))
    assert mujoco.MjModel.from_xml_string(text).nv == 1


def mechanism_with(joint=None, forces=(), **mass):
    joint = Revolute("x") if joint is None else joint
    return Mechanism("m", [Body("arm", joint=joint, **(mass or HEAVY))], forces=forces)


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        (mechanism_with(Helical("x", 0.1, name="screw")), "joint 'screw': MuJoCo has no helical"),
        (mechanism_with(Cylindrical(damping=np.ones((2, 2)))), "'arm': MuJoCo has one damping"),
        (mechanism_with(Spherical(armature=(1, 2, 3))), "'arm': MuJoCo has one armature"),
        (mechanism_with(Free(damping=(1, 2, 3, 0, 0, 0))), "'arm': damping must be the same"),
        (mechanism_with(Free(armature=1)), "'arm': armature along body axes"),
        (mechanism_with(mass=1.0), "body 'arm': it moves, and MuJoCo takes no moving body"),
        (mechanism_with(mass=0.0), "body 'arm': it moves, and MuJoCo takes no moving body"),
        (mechanism_with(forces=[ps.ConstantForce("arm", (1, 0, 0))]), "force elements cannot"),
        (
            Mechanism("m", [Body("a", joint=Universal("x", "y"), **HEAVY),
                            Body("b", joint=Revolute("x", name="a/1"), **HEAVY)]),
            "joint 'a/1': two have this name",
        ),
        (
            Mechanism("m", [Body(f"{i}", f"{i - 1}" if i else "world", Fixed(), **HEAVY)
                            for i in range(600)]),
            "more than 496 bodies carry each other",
        ),
        (Mechanism("m", [Body("a\x01b", joint=Revolute(), **HEAVY)]), "cannot be written as XML"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(mechanism, message):
    with pytest.raises(ModelError, match=message):
        mjcf_from_mechanism(mechanism)


def test_moments_that_no_body_has():
    with pytest.warns(ModelWarning, match="implausible"):
        mechanism = mechanism_with(mass=1.0, inertia=(1, 1, 3))
    with pytest.raises(ModelError, match="body 'arm': no body can have"):
        mjcf_from_mechanism(mechanism)
    with pytest.warns(ModelWarning, match="implausible"):
        bodies = [
            Body("arm", joint=Spherical(), **HEAVY),
            Body(
                "tip", "arm", pose=Pose((1, 0, 0), rpy=(1, 2, 3)), mass=1.0, inertia=(0.1, 0.1, 0.3)
            ),
            Body("floor", mass=1.0, inertia=(-1, 1, 1)),
        ]
    mechanism = Mechanism("m", bodies)
    rng = np.random.default_rng(2)
    with pytest.warns(ModelWarning, match="to which they are fixed: 'floor', 'tip'"):
        again, _ = assert_written(mechanism, mechanism.random(rng), rng.normal(size=3))
    assert [body.mass for body in again.bodies] == [3.0, 0.0, 0.0]
    disc = mechanism_with(mass=1.0, inertia=Pose(rpy=(1, 2, 3)).transform().R @ np.diag([1, 2, 3])
                          @ Pose(rpy=(1, 2, 3)).transform().R.T)  # fmt: skip
    assert mujoco.MjModel.from_xml_string(mjcf_from_mechanism(disc)).nv == 1


def test_the_deepest_chain_is_read_by_both():
    n = 496
    bodies = [
        Body(
            f"{i}", f"{i - 1}" if i else "world", Revolute("x") if i % 50 == 0 else Fixed(), **HEAVY
        )
        for i in range(n)
    ]
    text = mjcf_from_mechanism(Mechanism("deep", bodies))
    assert quietly(model_from_mjcf, text).n_bodies == n
    assert mujoco.MjModel.from_xml_string(text).nbody == n + 1


def test_load_and_save(tmp_path):
    path = tmp_path / "arm.xml"
    system = ps.System("arm", [Body("arm", joint=Revolute("x", damping=2.0), **HEAVY)])
    ps.save(system, path)
    again = ps.load(path)
    assert again.name == "arm"
    np.testing.assert_allclose(again.mass_matrix([0.3]), system.mass_matrix([0.3]), rtol=1e-14)
    assert not any(ps.load(path, passive=False).bodies[0].joint.damping)
    with pytest.raises(ModelError, match="root is for URDF files"):
        ps.load(path, ps.Free())
    path.write_text('<robot name="r"><link name="a"/></robot>')
    with pytest.warns(ps.ModelWarning, match="'a' moves no mass"):
        assert ps.load(path, ps.Free()).nv == 6
    path.write_text("<html/>")
    with pytest.raises(ModelError, match="must be <mujoco>, got <html>"):
        ps.load(path)


ROBOTS = (
    *("anymal.urdf", "panda.urdf", "solo12.urdf", "talos_full_v2.urdf", "tiago_dual.urdf"),
    "simple_humanoid.urdf",
)
"""Some have implausible moments of fixed links, and massless ones."""


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_from_urdf(name):
    try:
        package = metadata.distribution("example-robot-data")
    except metadata.PackageNotFoundError:
        pytest.skip("pip install example-robot-data")
    folder = Path(package.locate_file("cmeel.prefix/share/example-robot-data/robots"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        mechanism = read_urdf(next(folder.rglob(name)), root=Free())
        try:
            text = mjcf_from_mechanism(mechanism)
        except ModelError as error:  # some versions of the package have links that cannot be
            found = re.search(r"principal moments \[(.*?)\], and MuJoCo refuses", str(error))
            small, middle, large = sorted(map(float, found[1].split(",")))
            assert small < 0.0 or large > small + middle
            return
    rng = np.random.default_rng(1)
    assert_dynamics(mechanism, text, mechanism.random(rng), rng.normal(size=mechanism.nv))
