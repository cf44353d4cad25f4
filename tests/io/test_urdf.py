"""URDF to mechanisms: what is taken, what is refused, and that garbage does no harm."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.errors import ModelError, ModelWarning
from poinsot.io.urdf import mechanism_from_urdf, read_urdf
from poinsot.model import (
    Body,
    Box,
    Fixed,
    Free,
    Gear,
    Limits,
    Mechanism,
    Mesh,
    Mimic,
    Planar,
    Pose,
    Prismatic,
    Revolute,
)
from tests.random_examples import examples


def robot(inside, name="r"):
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n{inside}\n</robot>'


def joint(kind, inside="", *, name="j", parent="base", child="arm"):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{inside}</joint>"
    )


LINKS = '<link name="base"/><link name="arm"/>'


def only_joint(kind, inside="", **options):
    return mechanism_from_urdf(robot(LINKS + joint(kind, inside)), **options).bodies[1].joint


def arm_with(inertial):
    text = robot(f'<link name="base"/><link name="arm">{inertial}</link>' + joint("fixed"))
    return mechanism_from_urdf(text).bodies[1]


INERTIA = '<inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/>'


def test_a_whole_arm():
    text = robot(
        """<link name="base"/>
        <link name="arm"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
          <inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
          <visual><geometry><mesh filename="package://nowhere/arm.stl"/></geometry></visual></link>
        <link name="tool"/>
        <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
          <origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><axis xyz="0 2 0"/>
          <limit lower="-1" upper="2" velocity="3" effort="4"/>
          <dynamics damping="0.1" friction="0.2"/></joint>
        <joint name="wrist" type="fixed"><parent link="arm"/><child link="tool"/>
          <origin xyz="0 0 -1"/></joint>
        <transmission name="t"><joint name="shoulder"/></transmission>""",
        name="one arm",
    )
    assert mechanism_from_urdf(text) == Mechanism(
        "one arm",
        [
            Body("base"),
            Body(
                "arm",
                "base",
                Revolute(
                    "y",
                    name="shoulder",
                    damping=0.1,
                    friction=0.2,
                    limits=Limits((-1, 2), velocity=3, effort=4),
                ),
                Pose((0, 0, 1), axis="z", angle=math.pi / 2),
                mass=2,
                com=(0, 0, -0.5),
                inertia=(0.2, 0.2, 0.01),
                shapes=[Mesh("package://nowhere/arm.stl")],
            ),
            Body("tool", "arm", Fixed(name="wrist"), Pose((0, 0, -1))),
        ],
        gravity=(0, 0, -9.81),
    )


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("revolute", Revolute("x", name="j")),
        ("continuous", Revolute("x", name="j")),
        ("prismatic", Prismatic("x", name="j")),
        ("fixed", Fixed(name="j")),
        ("floating", Free(name="j")),
        ("planar", Planar("y", "z", name="j")),
    ],
)
def test_types_and_the_default_axis(kind, expected):
    assert only_joint(kind) == expected


@pytest.mark.parametrize(
    ("normal", "first", "second"),
    [
        ("0 0 1", (1, 0, 0), (0, 1, 0)),
        ("0 1 0", (1, 0, 0), (0, 0, -1)),
        ("-1 0 0", (0, 1, 0), (0, 0, -1)),
        ("1 0 1", (math.sqrt(0.5), 0, -math.sqrt(0.5)), (0, 1, 0)),
    ],
)
def test_planar_axis_is_the_normal(normal, first, second):
    planar = only_joint("planar", f'<axis xyz="{normal}"/>')
    np.testing.assert_allclose(planar.axis, first, atol=1e-15)
    np.testing.assert_allclose(planar.axis2, second, atol=1e-15)


@pytest.mark.parametrize(
    ("kind", "limit", "expected"),
    [
        ("revolute", 'velocity="2" effort="3"', Limits(velocity=2, effort=3)),
        ("revolute", 'upper="1"', Limits((0, 1))),
        ("revolute", 'lower="-inf" upper="INF" velocity="inf"', None),
        ("prismatic", 'lower="-1" upper="inf"', Limits((-1, math.inf))),
        (
            "prismatic",
            f'lower="{-sys.float_info.max}" upper="1" velocity="3"',
            Limits((-math.inf, 1), velocity=3),
        ),
        ("continuous", 'lower="0" upper="0" effort="3"', Limits(effort=3)),
        ("floating", 'lower="0" upper="0" effort="3"', None),
    ],
)
def test_limits(kind, limit, expected):
    assert only_joint(kind, f"<limit {limit}/>").limits == expected


def test_passive_forces_can_be_left_out():
    dynamics = '<dynamics damping="3" friction="1"/>'
    assert only_joint("revolute", dynamics, passive=True).damping == (3.0,)
    assert only_joint("revolute", dynamics, passive=False) == Revolute("x", name="j")


def test_inertia_is_turned_into_link_axes():
    body = arm_with(
        '<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>'
        f'<mass value="4"/>{INERTIA}</inertial>'
    )
    assert (body.mass, body.com) == (4.0, (1.0, 2.0, 3.0))
    # x of the inertia's axes is y of the link's, and y is -x.
    np.testing.assert_allclose(body.inertia, (2, 1, 2.5, -0.1, -0.3, 0.2), rtol=1e-15)


def test_root_joint():
    text = robot(LINKS + joint("continuous"))
    assert mechanism_from_urdf(text, root=Free()).bodies[0].joint == Free()
    clash = robot(LINKS + joint("continuous", name="base"))
    mechanism = mechanism_from_urdf(clash, root=Free())
    assert mechanism.joint_names == ("base root", "base")
    assert mechanism.bodies[0].joint == Free(name="base root")


def test_a_root_called_world_is_the_world_if_it_stands_still():
    text = robot('<link name="world"/><link name="arm"/>' + joint("floating", parent="world"))
    assert mechanism_from_urdf(text) == Mechanism("r", [Body("arm", joint=Free(name="j"))])
    moving = mechanism_from_urdf(text, root=Free())
    body = Body("world link", joint=Free())
    assert moving == Mechanism("r", [body, Body("arm", "world link", Free(name="j"))])
    clash = robot(
        '<link name="world"/><link name="world link"/>'
        + joint("floating", parent="world", child="world link")
    )
    assert mechanism_from_urdf(clash, root=Free()).body_names == ("world link'", "world link")


def test_a_world_that_is_seen_is_kept():
    ground = '<visual><geometry><box size="9 9 1"/></geometry></visual>'
    text = robot(
        f'<link name="world">{ground}</link><link name="arm"/>' + joint("floating", parent="world")
    )
    mechanism = mechanism_from_urdf(text)
    assert mechanism.body_names == ("world link", "arm")
    assert mechanism.bodies[0].shapes == (Box((9, 9, 1)),)
    inner = robot(
        '<link name="arm"/><link name="world"/>' + joint("fixed", parent="arm", child="world")
    )
    assert mechanism_from_urdf(inner).body_names == ("arm", "world link")


def test_children_may_come_first():
    links = '<link name="tool"/>' + LINKS
    text = robot(joint("fixed", name="k", parent="arm", child="tool") + joint("fixed") + links)
    assert mechanism_from_urdf(text).body_names == ("base", "tool", "arm")


FOLLOWED = '<link name="tool"/>' + joint("prismatic", name="k", child="tool")


def test_mimic_is_kept_as_data_with_a_warning():
    def followers(kind, mimic):
        return robot(LINKS + FOLLOWED + joint(kind, mimic))

    text = followers("revolute", '<mimic joint="k" multiplier="-2" offset="0.5"/>')
    with pytest.warns(ModelWarning, match="mimic.*as data only.*move freely: 'j'"):
        found = mechanism_from_urdf(text).bodies[2].joint
    assert found == Revolute("x", name="j", mimic=Mimic("k", -2, 0.5))
    following = mechanism_from_urdf(text, mimic=True)
    assert following.bodies[2].joint == found
    assert following.constraints == (Gear("j mimics k", "k", "j", -2, offset=0.5),)
    with pytest.warns(ModelWarning, match=r"unknown joints is left out: 'j' \(of 'l'\)"):
        found = mechanism_from_urdf(followers("revolute", '<mimic joint="l"/>')).bodies[2].joint
    assert found == Revolute("x", name="j")
    still = mechanism_from_urdf(followers("fixed", '<mimic joint="k"/>'), mimic=True)
    assert still.bodies[2].joint == Fixed(name="j")
    with pytest.raises(ModelError, match="'j' mimics itself"):
        mechanism_from_urdf(followers("revolute", '<mimic joint="j"/>'))


THIRD = '<link name="tool"/>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not well-formed XML"),
        ("<robot", "not well-formed XML"),
        ("<sdf/>", "must be <robot>, got <sdf>"),
        ("<robot/>", "<robot> must have the attribute 'name'"),
        (robot(""), "at least one <link>"),
        (robot("<link/>"), "line 3: link: <link> must have the attribute 'name'"),
        (robot('<link name="a"/>\n<link name="a"/>'), "line 4: two links .* 'a', .* line 3"),
        (robot('<link name="a"/><link name="b"/>'), "one root link, got 2: 'a', 'b'"),
        (robot(LINKS + joint("fixed") + joint("fixed")), "two joints are called 'j'"),
        (robot(LINKS + joint("fixed", parent="bas")), "parent link 'bas'; did you mean 'base'"),
        (robot(LINKS + joint("fixed", child="amr")), "unknown child link 'amr'"),
        (robot(LINKS + joint("fixed") + joint("fixed", name="k")), "child of two joints, 'j' and"),
        (robot(LINKS + THIRD + joint("fixed", child="base")), "cycle: 'base'"),
        (
            robot(
                LINKS + joint("fixed") + joint("fixed", name="k", parent="arm", child="base"),
            ),
            "cycle: 'base' -> 'arm'",
        ),
        (robot(LINKS + '<joint name="j" type="fixed"/>'), "joint 'j': there must be a <parent>"),
        (robot(LINKS + joint("")), "joint 'j': <joint> must have the attribute 'type'"),
        (robot(LINKS + joint("revolut")), "unknown type 'revolut'; did you mean 'revolute'"),
        (robot(LINKS + joint("revolute", '<axis xyz="0 0 0"/>')), "line 3: joint 'j': axis"),
        (robot(LINKS + joint("planar", '<axis xyz="0 0 0"/>')), "joint 'j': axis .* zero"),
        (robot(LINKS + joint("revolute", '<axis xyz="0 1"/>')), "xyz of <axis> .* three numbers"),
        (robot(LINKS + joint("fixed", '<origin rpy="0 0 x"/>')), "'j': rpy of <origin> .*'0 0 x'"),
        (robot(LINKS + joint("fixed", '<origin xyz="0 0 nan"/>')), "finite numbers"),
        (robot(LINKS + joint("fixed", '<origin xyz="0 0 1_0"/>')), "finite numbers"),
        (robot(LINKS + joint("fixed", '<origin xyz="0 0 ${h}"/>')), "xacro"),
        (
            robot(LINKS + joint("revolute", '<limit lower="2" upper="1"/>')),
            "joint 'j': limits: the smallest",
        ),
        (robot(LINKS + joint("revolute", '<dynamics friction="-1"/>')), "joint 'j': friction"),
        (robot(LINKS + joint("revolute", '<dynamics damping="1 2"/>')), "must be one number"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text, message):
    with pytest.raises(ModelError, match=message):
        mechanism_from_urdf(text)


@pytest.mark.parametrize(
    ("inertial", "message"),
    [
        (f"<inertial>{INERTIA}</inertial>", "link 'arm': there must be a <mass>"),
        ('<inertial><mass value="1"/></inertial>', "link 'arm': there must be a <inertia>"),
        (f'<inertial><mass value="-1"/>{INERTIA}</inertial>', "'arm': mass must not be negative"),
        ('<inertial><mass value="1"/><inertia ixx="1"/></inertial>', "attribute 'iyy'"),
        (
            '<inertial><origin rpy="1 2 3"/><mass value="1"/><inertia ixx="1e308" iyy="1e308" '
            'izz="1e308" ixy="1e308" ixz="1e308" iyz="1e308"/></inertial>',
            "too large",
        ),
    ],
)
def test_what_is_wrong_with_an_inertia_is_named(inertial, message):
    with pytest.raises(ModelError, match=message):
        arm_with(inertial)


def test_files(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(robot(LINKS + joint("fixed")), "utf-8")
    assert read_urdf(path).body_names == ("base", "arm")
    latin = '<?xml version="1.0" encoding="iso-8859-1"?>' + robot(LINKS + joint("fixed"), "é")[21:]
    path.write_bytes(latin.encode("latin-1"))
    assert read_urdf(str(path)).name == "é"
    path.write_bytes(b'<?xml version="1.0" encoding="nonsense"?><robot/>')
    with pytest.raises(ModelError, match=r"arm\.urdf: URDF: the encoding 'nonsense'"):
        read_urdf(path)
    with pytest.raises(FileNotFoundError):
        read_urdf(tmp_path / "none.urdf")


# What others may send


def test_entities_are_not_expanded():
    levels = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "ha"}">' for i in range(30))
    bomb = f'<!DOCTYPE robot [{levels}]><robot name="&e29;"><link name="a"/></robot>'
    load_inputs = (
        '<!DOCTYPE robot SYSTEM "file:///etc/passwd"><robot name="r"><link name="a"/></robot>'
    )
    for text in (bomb, load_inputs, "<!DOCTYPE robot><robot/>"):
        with pytest.raises(ModelError, match="document type"):
            mechanism_from_urdf(text)
    with pytest.raises(ModelError, match="undefined entity"):
        mechanism_from_urdf('<robot name="&e;"/>')


def test_depth_and_size_are_bounded(monkeypatch):
    with pytest.raises(ModelError, match="nested more than 500 deep"):
        mechanism_from_urdf("<robot>" * 100_000)
    monkeypatch.setattr("poinsot.io.xml.parse.MAX_SIZE", 100)
    with pytest.raises(ModelError, match="101 bytes"):
        mechanism_from_urdf("x" * 101)


def test_a_long_chain():
    n = 3000
    links = "".join(f'<link name="l{i}"/>' for i in range(n))
    joints = "".join(
        joint("continuous", name=f"j{i}", parent=f"l{i}", child=f"l{i + 1}") for i in range(n - 1)
    )
    assert mechanism_from_urdf(robot(links + joints)).nv == n - 1


WHOLE = robot(
    '<link name="base"/><link name="arm"><inertial><origin xyz="0 0 1" rpy="1 0 0"/>'
    f'<mass value="2"/>{INERTIA}</inertial></link>'
    + joint(
        "revolute",
        '<origin xyz="0 0 1" rpy="0 1 0"/><axis xyz="0 1 0"/><dynamics damping="1"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
    )
)
PIECES = [
    "", " ", "\0", "\ud800", "<", ">", '"', "/", "&", "-", "1e308", "-1e308", "1e-320", "inf",
    "nan", "0 0 0", "base", "arm", "world", "floating", "planar", "prismatic", "fixed", "mimic",
    "<link>", '<link name="z"/>', '<mimic joint="j"/>', "<!--", "]]>", "<![CDATA[", "<?x?>", "é",
]  # fmt: skip


@st.composite
def mutated(draw):
    text = WHOLE
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        piece = draw(st.sampled_from(PIECES) | st.text(max_size=5))
        text = text[:start] + piece + text[start + draw(st.integers(0, 12)) :]
    return text


NUMBER = st.sampled_from(["0", "1", "-1", "1e308", "-1e308", "1e-320", "1e200", "nan", "x", ""])


@st.composite
def renumbered(draw):
    """Replace whole values, so that most texts stay well-formed."""
    parts = WHOLE.split('"')
    for i in draw(st.lists(st.sampled_from(range(3, len(parts), 2)), max_size=4)):
        parts[i] = " ".join(draw(NUMBER) for _ in parts[i].split())
    return '"'.join(parts)


@pytest.mark.filterwarnings("ignore::poinsot.errors.ModelWarning")
@settings(max_examples=examples(48), deadline=None)
@given(text=st.text() | mutated() | renumbered())
def test_garbage_raises_nothing_but_model_errors(text):
    try:
        mechanism = mechanism_from_urdf(text)
    except ModelError:
        return
    assert np.isfinite([body.mass for body in mechanism.bodies]).all()
