"""Mechanisms made of mechanisms: the same dynamics as the tree listed by hand."""

from dataclasses import dataclass, fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.formulations.forces import element_energy, with_elements
from poinsot.formulations.kinematics import pose
from poinsot.formulations.recursive.composite import mass_matrix_along_paths as mass_matrix
from poinsot.formulations.recursive.inverse import inverse_dynamics
from poinsot.model import Body, Environment, Mechanism, Pose
from poinsot.model.composition import attached, with_frame
from poinsot.model.subsystem import carried_part, prefixed_part
from poinsot.spatial import Transform
from tests.formulations.loaded import with_forces
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import Case, cases

PREFIX = "guest/"


@dataclass
class Cut:
    """A random tree in two: ``whole`` is listed by hand, the rest is what composition gets."""

    whole: Mechanism
    host: Mechanism
    guest: Mechanism
    to: str
    place: Pose
    case: Case

    def attached(self, prefix=PREFIX):
        """Return the two put together by the function under test."""
        (root,) = (self.guest.bodies[i] for i in self.guest.roots)
        joint = root.joint if isinstance(root.joint, ps.Free) else None
        return attached(self.host, self.guest, self.to, pose=self.place, prefix=prefix, joint=joint)


def below(mechanism, i):
    """Return the names of a body and of all that it carries, by paths."""
    return {name for k, name in enumerate(mechanism.body_names) if i in mechanism.path(k)}


def rebuilt(body, **values):
    names = ("name", "parent", "joint", "pose", "mass", "com", "inertia")
    return Body(**{name: getattr(body, name) for name in names} | values)


def cut(case):
    """Return a random tree in two at a random body that another one, or the world, carries."""
    m, rng = case.mechanism, case.rng
    i = int(rng.integers(m.n_bodies))
    if len(below(m, i)) == m.n_bodies:
        i = m.order[-1]
    names, to = below(m, i), m.bodies[i].parent
    X = Pose(rng.uniform(-1, 1, 3), quat=rng.standard_normal(4)).transform()
    inside, load_inputs = [], [body for body in m.bodies if body.name not in names]
    for body in m.bodies:
        if body.name == m.body_names[i]:
            X_FJ = X.inverse() @ body.pose.transform()
            inside.append(rebuilt(body, parent="world", pose=Pose(X_FJ.p, matrix=X_FJ.R)))
        elif body.name in names:
            inside.append(body)
    forces, of_host, of_guest = springs(rng, sorted(names), load_inputs, to, X)
    renamed = [
        rebuilt(b, name=PREFIX + b.name, parent=PREFIX * (b.parent in names) + b.parent)
        for b in m.bodies
        if b.name in names
    ]
    return Cut(
        Mechanism("whole", [*load_inputs, *renamed], m.gravity, forces),
        Mechanism("whole", load_inputs, m.gravity, of_host),
        Mechanism("guest", inside, m.gravity, of_guest),
        to,
        Pose(X.p, matrix=X.R),
        case,
    )


def springs(rng, inside, load_inputs, to, X):
    """Return forces of the whole, and the same as host and guest have them."""
    host, guest = load_inputs[0].name, str(rng.choice(inside))
    p, q = rng.uniform(-1, 1, (2, 3)) + 2.0
    drag = ("-vx", "sin(y)", "-0.1*vz*abs(vz)")
    here = [ps.Spring(("world", p), (host, q), 3.0, 0.2, 1.0, name="own")]
    there = [
        ps.Spring(("world", X.inverse().apply_point(p)), (guest, q), 5.0, 0.3, 0.5, name="tie"),
        ps.ConstantForce(guest, (1, 2, 3), (3, 2, 1), point=p),
        ps.FormulaForce(guest, drag, axes="body", point=q),
    ]
    by_hand = [
        ps.Spring((to, p), (PREFIX + guest, q), 5.0, 0.3, 0.5, name=PREFIX + "tie"),
        ps.ConstantForce(PREFIX + guest, (1, 2, 3), (3, 2, 1), point=p),
        ps.FormulaForce(PREFIX + guest, drag, axes="body", point=q),
    ]
    return [*here, *by_hand], here, there


def dynamics(m, q, v, a):
    """Return joint forces, mass matrix and the energy of the springs, on floats."""
    environment = with_elements(m, q, v, Environment.of(m))
    tau = inverse_dynamics(m, q, v, a, environment)
    return np.asarray(tau, float), mass_matrix(m, q), np.array(element_energy(m, q))


@settings(max_examples=examples(8))
@given(cases(25, min_bodies=2))
def test_the_whole_is_the_tree_listed_by_hand(case):
    """Check all that is known of the dynamics, with springs that end on the guest's world."""
    parts = cut(case)
    m = parts.attached()
    assert m.body_names == parts.whole.body_names
    assert m.joint_names == parts.whole.joint_names
    assert (m.name, m.gravity) == (parts.host.name, parts.host.gravity)
    q = m.random(case.rng)
    v, a = case.rng.normal(size=(2, m.nv))
    for mine, by_hand in zip(dynamics(m, q, v, a), dynamics(parts.whole, q, v, a), strict=True):
        assert_agree(mine, by_hand, 1e-10)


@settings(max_examples=examples(8))
@given(cases(25, min_bodies=2))
def test_coordinates_are_the_hosts_then_the_guests(case):
    """Check that the guest's block of M is the guest's M: it feels only what it carries."""
    parts = cut(case)
    m = parts.attached()
    q_host, q_guest = parts.host.random(case.rng), parts.guest.random(case.rng)
    M = mass_matrix(m, np.concatenate([q_host, q_guest]))
    assert_agree(
        M[parts.host.nv :, parts.host.nv :],
        mass_matrix(parts.guest, q_guest),
    )


@settings(max_examples=examples(8))
@given(cases(25, min_bodies=2))
def test_a_part_attached_again_is_the_whole(case):
    """Check that taking the guest out by its prefix loses nothing, bit by bit."""
    parts = cut(case)
    whole = parts.attached()
    part = prefixed_part(whole, PREFIX)
    assert part.body_names == parts.guest.body_names
    assert part.joint_names == parts.guest.joint_names
    (root,) = part.roots
    joint = whole.bodies[whole.index(PREFIX + part.body_names[root])].joint
    assert attached(parts.host, part, parts.to, prefix=PREFIX, joint=joint) == whole


@settings(max_examples=examples(6))
@given(cases(25, min_bodies=2))
def test_a_body_with_all_it_carries(case):
    """Check part(body) against the prefix, whose names it keeps."""
    whole = cut(case).attached()
    root = next(
        b.name for b in whole.bodies if b.name.startswith(PREFIX) and b.parent[:6] != PREFIX
    )
    first, second = carried_part(whole, root), prefixed_part(whole, PREFIX)
    assert first.body_names == tuple(PREFIX + name for name in second.body_names)
    q, v, a = first.random(case.rng), *case.rng.normal(size=(2, first.nv))
    for mine, other in zip(dynamics(first, q, v, a), dynamics(second, q, v, a), strict=True):
        assert_array_equal(mine, other)


@settings(max_examples=examples(5))
@given(cases(20, min_bodies=2), st.sampled_from(["", "a/", "left arm: "]))
def test_prefixes_only_rename(case, prefix):
    """Check that the prefix changes no number."""
    parts = cut(case)
    host = with_forces(parts.host, [])
    guest = with_forces(parts.guest, [])
    (root,) = guest.roots
    one, other = (
        attached(host, guest, parts.to, pose=parts.place, prefix=p, joint=guest.bodies[root].joint)
        for p in (PREFIX, prefix)
    )
    q, v, a = one.random(case.rng), *case.rng.normal(size=(2, one.nv))
    for mine, renamed in zip(dynamics(one, q, v, a), dynamics(other, q, v, a), strict=True):
        assert_array_equal(mine, renamed)


@settings(max_examples=examples(5))
@given(cases(20, min_bodies=2, kinds=("revolute", "prismatic"), passive=False))
def test_pinocchio_appends_alike(case):
    """Check the mass matrix and the joint forces against Pinocchio's own composition."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle: pip install pin")
    from tests.oracles.pinocchio_model import PinocchioOracle

    parts = cut(case)
    host, guest = (PinocchioOracle(m) for m in (parts.host, parts.guest))
    joint, placement = host.places[-1 if parts.to == "world" else parts.host.index(parts.to)]
    frame = host.model.addFrame(pin.Frame("here", joint, placement, pin.FrameType.OP_FRAME))
    for i, name in enumerate(guest.model.names):
        guest.model.names[i] = f"guest, {name}"
    X = parts.place.transform()
    model = pin.appendModel(host.model, guest.model, frame, pin.SE3(X.R, X.p))
    model.gravity = host.model.gravity  # which it does not copy
    data = model.createData()
    m = with_forces(parts.attached(), [])
    index = [
        model.joints[
            model.getJointId(f"guest, {name[6:]}, 0" if name[:6] == PREFIX else f"{name}, 0")
        ].idx_q
        for name in m.body_names
    ]
    q, v, a = m.random(case.rng), *case.rng.normal(size=(2, m.nv))
    x, y, z = (np.empty(m.nv) for _ in range(3))
    x[index], y[index], z[index] = q, v, a
    tau, _, _ = dynamics(m, q, v, a)
    assert_agree(tau, pin.rnea(model, data, x, y, z)[index], 1e-10)


@settings(max_examples=examples(5))
@given(cases(12))
def test_a_frame_is_carried_along(case):
    """Check where a frame is, and that it changes no dynamics."""
    m, i, X = case.mechanism, case.body(), Pose(case.point(), rpy=case.point())
    framed = with_frame(m, "frame", m.body_names[i], X)
    X_WF = pose(framed, framed.index("frame"), case.q)
    assert_allclose(X_WF, pose(m, i, case.q) @ X.transform().homogeneous(), atol=1e-12)
    for mine, other in zip(
        dynamics(framed, case.q, case.v, case.a), dynamics(m, case.q, case.v, case.a), strict=True
    ):
        assert_agree(mine, other)


def linkage(to, prefix, X, name):
    """Return bodies, loop and constraints of a four-bar linkage whose frame sits at X in a body."""
    solid = {"mass": 0.5, "com": (0.1, 0, 0.02), "inertia": (0.01, 0.02, 0.02)}
    ground = X @ Transform.translation([1.0, 0.0, 0.0])
    bodies = [
        Body(prefix + "crank", to, ps.Revolute("z", name=prefix + "drive"), as_pose(X), **solid),
        Body(prefix + "rod", prefix + "crank", ps.Revolute("z"), Pose((0.3, 0, 0)), **solid),
        Body(prefix + "rocker", prefix + "rod", ps.Revolute("z"), Pose((0.9, 0, 0)), **solid),
    ]
    pin = ps.Loop(prefix + "pin", (prefix + "rocker", Pose((0.4, 0, 0))), (to, as_pose(ground)),
                  ps.Spherical(damping=0.1))  # fmt: skip
    constraints = [
        ps.Distance(prefix + "tie", (to, X.apply_point([0, 0, 1])), (prefix + "rod", (0, 1, 0)), 1),
        ps.PrescribedMotion(prefix + "motor", prefix + "drive", "0.3*t"),
        ps.Gear(prefix + "gear", prefix + "rod", prefix + "rocker", -2.0),
    ]
    return {"name": name, "bodies": bodies, "loops": [pin], "constraints": constraints}


def as_pose(X):
    return Pose(X.p, matrix=X.R)


def test_loops_and_constraints_are_carried_along():
    """Check the rows of all constraints against those of the whole listed by hand."""
    X = Pose((0.1, -0.2, 0.3), rpy=(0.4, 0.5, 0.6))
    one = Mechanism(**linkage("world", "", Transform.identity(), "linkage"))
    two = attached(arm(), one, "hand", pose=X, prefix="a/")
    whole = attached(two, one, "a/rod", pose=X, prefix="b/")
    first = linkage("hand", "a/", X.transform(), "")
    second = linkage("a/rod", "b/", X.transform(), "")
    parts = {key: [*first[key], *second[key]] for key in ("loops", "constraints")}
    bodies = [*arm().bodies, *first["bodies"], *second["bodies"]]
    mine, by_hand = (
        ps.System.from_mechanism(m) for m in (whole, Mechanism("arm", bodies, **parts))
    )
    assert mine.row_names == by_hand.row_names
    rng = np.random.default_rng(0)
    q, v = mine.random(rng), rng.normal(size=mine.nv)
    for system in (mine, by_hand):
        assert len(system.row_names) == 12
    for quantity, state in (
        ("constraint_residual", (q,)),
        ("constraint_jacobian", (q,)),
        ("constraint_bias", (q, v)),
        ("constraint_rate", (q, v)),
    ):
        results = [
            getattr(system, quantity)(*state, t=0.7, backend="interpreter")
            for system in (mine, by_hand)
        ]
        assert_agree(*results)


def test_loops_and_constraints_come_out_again():
    """Check that a linkage is what it was after it has been attached and taken out."""
    one = Mechanism(**linkage("world", "", Transform.identity(), "linkage"))
    whole = attached(arm(), one, "hand", prefix="linkage/")
    assert prefixed_part(whole, "linkage/") == one
    assert carried_part(whole, "linkage/crank").row_names == tuple(
        f"linkage/{name}" for name in one.row_names
    )


def test_loops_that_are_cut_are_pointed_out():
    """Check that a loop between a part and the rest is left out with a warning."""
    pin = ps.Loop("pin", ("hand", Pose()), ("world", Pose((1, 0, 0))), ps.Spherical())
    with pytest.warns(ps.ModelWarning, match=r"loop 'pin' \(on 'world'\)"):
        part = carried_part(arm(loops=[pin]), "hand")
    assert not part.loops


def arm(name="arm", **options):
    bodies = [
        Body("base"),
        Body("hand", "base", ps.Revolute("y", name="wrist"), mass=1.0, com=(0, 0, 0.1)),
    ]
    return Mechanism(name, bodies, **options)


def test_a_free_root_must_be_decided_upon():
    """Check that a free root is held, or floats, only when told so."""
    robot = Mechanism("robot", [Body("trunk", joint=ps.Free(), mass=3.0)])
    with pytest.raises(ps.ModelError, match=r"root 'trunk' is free .* joint=Fixed\(\)"):
        attached(arm(), robot, "hand")
    assert attached(arm(), robot, "hand", joint=ps.Fixed()).nv == 1
    assert attached(arm(), robot, "hand", joint=ps.Free()).nv == 7
    assert attached(arm(), robot, "world").nv == 7
    turned = attached(arm(), robot, "hand", joint=ps.Revolute("x", name="mount"), prefix="r/")
    assert turned.joint_names[-1] == "mount"


def test_several_roots_take_no_joint():
    """Check what is said of guests with several roots, and that the advice works."""
    two = Mechanism("two", [Body("a", joint=ps.Free()), Body("b")])
    with pytest.raises(ps.ModelError, match=r"it has 2: 'a', 'b'; attach its parts .*part\('a'\)"):
        attached(arm(), two, "hand", joint=ps.Fixed())
    with pytest.raises(ps.ModelError, match=r"'a' is free .*part\('a'\) with joint=Fixed\(\)"):
        attached(arm(), two, "hand")
    assert attached(arm(), carried_part(two, "b"), "hand").parents == (-1, 0, 1)


def test_clashes_name_both_and_the_remedy():
    """Check every kind of name that may clash."""
    with pytest.raises(ps.ModelError) as caught:
        attached(arm(), arm("tool changer"), "hand")
    message = str(caught.value)
    assert "'tool changer' to 'hand' of 'arm'" in message
    assert "bodies of both are called 'base', 'hand'" in message
    assert "prefix='tool_changer/'" in message
    joints = Mechanism("x", [Body("c", joint=ps.Revolute(name="wrist"))])
    with pytest.raises(ps.ModelError, match="joints of both are called 'wrist'"):
        attached(arm(), joints, "hand")
    pull = [ps.ConstantForce("hand", (1, 0, 0), name="pull")]
    loaded = Mechanism("y", [Body("c")], forces=[ps.ConstantForce("c", (1, 0, 0), name="pull")])
    with pytest.raises(ps.ModelError, match="force elements of both are called 'pull'"):
        attached(arm(forces=pull), loaded, "hand")
    shaken = {"constraints": [ps.PrescribedMotion("shake", "wrist", "sin(t)")]}
    guest = Mechanism("g", [Body("c", joint=ps.Revolute())],
                      constraints=[ps.PrescribedMotion("shake", "c", "t")])  # fmt: skip
    with pytest.raises(ps.ModelError, match="constraints of both are called 'shake'"):
        attached(arm(**shaken), guest, "hand")


def test_the_prefix_of_the_remedy_is_free():
    """Check that the advice of an error is no error again."""
    once = attached(arm(), arm("arm"), "hand", prefix="arm/")
    with pytest.raises(ps.ModelError, match="prefix='arm2/'"):
        attached(once, arm("arm"), "hand", prefix="arm/")


def test_a_guest_with_another_gravity_is_pointed_out():
    """Check the warning, and that the host's gravity holds."""
    with pytest.warns(ps.ModelWarning, match=r"its gravity \(0.0, 0.0, 0.0\) is not"):
        whole = attached(arm(), arm("guest", gravity=(0, 0, 0)), "hand", prefix="g/")
    assert whole.gravity == (0.0, 0.0, -9.81)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"to": "hnad"}, "did you mean 'hand'"),
        ({"to": 3}, "no such body"),
        ({"pose": (0, 0, 1)}, "pose must be a Pose"),
        ({"prefix": None}, "prefix must be text"),
        ({"joint": "fixed"}, "joint must be a joint"),
    ],
)
def test_wrong_arguments(values, message):
    """Check that each argument is refused by its name."""
    given = {"to": "hand", "pose": Pose(), "prefix": "g/", "joint": None} | values
    with pytest.raises(ps.ModelError, match=message):
        attached(arm(), arm("guest"), **given)


def test_no_name_becomes_that_of_the_world():
    """Check prefixes that make, or leave, the name of the world."""
    ld = Mechanism("ld", [Body("ld")])
    with pytest.raises(ps.ModelError, match="would be called 'world'"):
        attached(arm(), ld, "hand", prefix="wor")
    with pytest.raises(ps.ModelError, match="would be called 'world'"):
        prefixed_part(Mechanism("m", [Body("g/world")]), "g/")


def test_parts_that_are_none():
    """Check prefixes without bodies, and bodies that hang on different others."""
    whole = attached(arm(), arm("guest"), "hand", prefix="guest/")
    for prefix in ("gest/", "", "guest/base/"):
        with pytest.raises(ps.ModelError, match=r"(did you mean|known are) 'guest/'"):
            prefixed_part(whole, prefix)
    apart = Mechanism("m", [Body("g/a"), Body("b"), Body("g/c", "b")])
    with pytest.raises(ps.ModelError, match=r"hang on different others, 'world', 'b'"):
        prefixed_part(apart, "g/")
    with pytest.raises(ps.ModelError, match="no body 'hnad'"):
        carried_part(whole, "hnad")


def test_forces_that_are_cut_are_pointed_out():
    """Check which forces a part keeps, and the warning about others."""
    whole = attached(arm(), arm("guest"), "hand", prefix="g/")
    tie = ps.Spring(("g/hand", (0, 0, 0)), ("world", (1, 0, 0)), 3.0, name="tie")
    own = ps.Spring(("g/hand", (0, 0, 0)), ("hand", (1, 0, 0)), 3.0, name="g/own")
    away = ps.ConstantForce("base", (1, 0, 0))
    with pytest.warns(ps.ModelWarning, match=r"spring 'tie' \(on 'world'\)"):
        part = prefixed_part(with_forces(whole, [tie, own, away]), "g/")
    assert part.forces == (ps.Spring(("hand", (0, 0, 0)), ("world", (1, 0, 0)), 3.0, name="own"),)


def test_every_field_of_a_mechanism_is_composed():
    """A field that is new must be joined and taken apart in model/composition.py too."""
    known = {"name", "bodies", "gravity", "forces", "loops", "constraints"}
    known |= {"parameters", "free", "signals", "texts", "states"}
    assert {f.name for f in fields(Mechanism)} == known


def test_parameters_of_both_are_kept():
    """Attach what shares a parameter, and take it apart again."""
    m, l = ps.symbols("m l")
    host = Mechanism("host", [Body("a", mass=m)], parameters={"m": 2.0}, free=["m"])
    guest = Mechanism("guest", [Body("b", mass=m * l)], parameters={"l": 3.0})
    whole = attached(host, guest, "a")
    assert whole.parameters == (("m", 2.0), ("l", 3.0))
    assert whole.free == ("m",)
    assert whole.at({}).bodies[1].mass == 6.0
    assert carried_part(whole, "b").at({}).bodies[0].mass == 6.0
    other = Mechanism("other", [Body("b", mass=m)], parameters={"m": 5.0})
    with pytest.raises(ps.ModelError, match=r"'m' is 2\.0 here and 5\.0 there"):
        attached(host, other, "a")


def test_transforms_compose_exactly_with_none():
    """Poses stay as they are where nothing is between, so that parts are equal bit by bit."""
    X = Pose((0.1, 0.2, 0.3), rpy=(0.4, 0.5, 0.6))
    assert attached(arm(), Mechanism("g", [Body("g", pose=X)]), "hand").bodies[-1].pose == X
    whole = attached(arm(), Mechanism("g", [Body("g")]), "hand", pose=X)
    assert whole.bodies[-1].pose == X
