"""``<equality>`` against MuJoCo: residuals, and the motions that constraints let go."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.errors import ModelError, ModelWarning
from poinsot.io.mjcf import mjcf_from_mechanism, model_from_mjcf
from poinsot.model import Body, Mechanism, Pose
from poinsot.spatial import quaternion_to_matrix

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the oracle: pip install mujoco")
from tests.io.mjcf_texts import INERTIAL, quietly  # noqa: E402
from tests.random_examples import examples  # noqa: E402

TOLERANCE = 1e-12
"""Of residuals and Jacobians at random coordinates."""
CLOSED = 1e-9
"""Of residuals and projectors onto row spaces where constraints hold as near as assembly goes."""

WORLD = f"""<worldbody><site name="post" pos="0.3 0.1 0.9" euler="10 20 30"/>
  <body name="a" pos="0.1 0 1" euler="20 0 0"><joint name="a1" axis="1 2 0" ref="30"/>
    <joint name="a2" type="slide" axis="0 1 1" ref="0.2"/>{INERTIAL}
    <site name="tip" pos="0.1 0.2 -0.3" quat="1 2 3 4"/>
    <body name="b" pos="0 0.3 -0.5" quat="1 0.2 0.3 0"><joint name="b" type="ball"/>{INERTIAL}
      <frame pos="0 0 0.1"><body name="c" pos="0.4 0 0"><joint name="c" pos="0.1 0 0.2"/>{INERTIAL}
        <site name="hook" type="capsule" size="0.1" fromto="0 0 0 0.1 0.2 0.3"/></body></frame>
    </body></body>
  <body name="d" pos="1 0 0" euler="0 30 0"><joint name="d1" type="slide" axis="1 0 0"/>
    <joint name="d2" type="slide" axis="0 1 0"/><joint name="d3" type="ball"/>{INERTIAL}
    <site name="mark" pos="0 0.1 0" euler="0 0 40"/></body>
</worldbody>"""


def texts(equality, head=""):
    return f"<mujoco>{head}{WORLD}<equality>{equality}</equality></mujoco>"


def rows(text, q):
    """Return residuals and Jacobian of MuJoCo's equality constraints."""
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_makeConstraint(model, data)
    n = data.ne
    J = data.efc_J.reshape(-1, model.nv)[:n]
    return data.efc_pos[:n].copy(), J.copy()


def residual(system, q):
    return system.constraint_residual(q, backend="interpreter")


def jacobian(system, q):
    return system.constraint_jacobian(q, backend="interpreter")


def space(J):
    """Return the projector onto the rows of a matrix."""
    _, s, Vt = np.linalg.svd(J)
    V = Vt[: (s > 1e-8 * s[0]).sum()]
    return V.T @ V


def assembled(system, rng):
    """Return coordinates at which the constraints hold, far from those of the file."""
    for _ in range(50):
        try:
            return system.assemble(system.mechanism.random(rng) * 0.5 + 0.5 * system.neutral())
        except ps.PoinsotError:
            continue
    raise AssertionError("no assembled configuration found")


EQUALITIES = {
    "connect": '<connect name="e" body1="a" body2="d" anchor="0.1 0.2 0.3"/>',
    "connect to the world": '<connect name="e" body1="c" anchor="0.1 0.2 0.3"/>',
    "connect of sites": '<connect name="e" site1="hook" site2="post"/>',
    "weld": '<weld name="e" body1="a" body2="d"/>',
    "weld with anchor": '<weld name="e" body1="a" body2="d" anchor="0.1 0.2 0.3"/>',
    "weld to the world": '<weld name="e" body1="d" torquescale="3"/>',
    "weld with relpose": '<weld name="e" body1="a" body2="d" anchor="0.1 0 0.3" '
    'relpose="0.3 0.2 -0.1 2 0.3 0.2 0.1"/>',
    "weld of sites": '<weld name="e" site1="tip" site2="mark"/>',
    "joint": '<joint name="e" joint1="a1" joint2="a2"/>',
    "joint and slide": '<joint name="e" joint1="d1" joint2="a1" polycoef="0.1 -2 0 0 0"/>',
    "joint with powers": '<joint name="e" joint1="c" joint2="a2" polycoef="0.1 2 -1 0.5 3"/>',
    "joint alone": '<joint name="e" joint1="a1" polycoef="0.3"/>',
}


@pytest.mark.parametrize("kind", EQUALITIES)
def test_rows_are_mujocos(kind):
    text, rng = texts(EQUALITIES[kind]), np.random.default_rng(1)
    system = ps.System.from_mechanism(quietly(model_from_mjcf, text))
    for _ in range(3):
        q = system.mechanism.random(rng)
        ours, (theirs, J) = residual(system, q), rows(text, q)
        if kind.startswith("joint"):
            assert ours == pytest.approx(theirs, abs=TOLERANCE)
            assert jacobian(system, q) == pytest.approx(J, abs=TOLERANCE)
        else:  # ours are in the axes of the first frame
            sizes = [np.linalg.norm(x[:3]) for x in (ours, theirs)]
            assert sizes[0] == pytest.approx(sizes[1], abs=TOLERANCE)
    q = assembled(system, rng)
    theirs, J = rows(text, q)
    assert theirs == pytest.approx(np.zeros(len(theirs)), abs=CLOSED)
    assert space(jacobian(system, q)) == pytest.approx(space(J), abs=CLOSED)


def test_what_is_said_and_left_out():
    text = texts(
        '<connect body1="a" anchor="0 0 0" solref="0.1 1"/><joint name="a1" joint1="c"/>'
        '<weld name="off" body1="a" body2="b" active="false"/>'
        '<weld body1="a" body2="c" class="no"/><tendon name="rope" tendon1="t"/>',
        '<default><equality solimp="0.9"/><default class="no"><equality active="false"/></default>'
        "</default>",
    )
    with pytest.warns(ModelWarning) as caught:
        mechanism = model_from_mjcf(text).mechanism
    (message,) = (str(one.message) for one in caught)
    for part in (
        *("2 <equality (its softness: it holds exactly)> ('a1')", "<equality/tendon> ('rope')"),
        *("2 <equality/weld (it is not active)> ('off')", "connect solimp, solref"),
    ):
        assert part in message
    assert [one.name for one in mechanism.closures] == ["connect 1", "a1'"]


@pytest.mark.parametrize(
    ("equality", "message"),
    [
        (
            '<connect name="e" body1="a"/>',
            "equality 'e': <connect> must have the attribute 'anchor'",
        ),
        ('<connect body1="A" anchor="0 0 0"/>', "unknown body 'A'; known are"),
        ('<weld site1="tip" site2="tap"/>', "unknown site 'tap'; did you mean 'tip'?"),
        ('<weld body1="a" body2="a"/>', "both ends are on 'a'"),
        ('<weld body1="a" relpose="1 2"/>', "relpose of <weld> must be 7 numbers"),
        ('<joint joint1="b"/>', "unknown joint with one coordinate 'b'"),
        ('<joint joint1="c" joint2="c"/>', "joint 'c' cannot be coupled to itself"),
        (
            '<joint joint1="c" polycoef="1 2 3 4 5 6"/>',
            "polycoef of <joint> must be 1 to 5",
        ),
        ('<connect body1="a" anchor="0 0 0" active="no"/>', "active of <connect> must be"),
    ],
)
def test_errors_name_the_element(equality, message):
    with pytest.raises(ModelError, match=r"^MJCF, line ") as caught:
        model_from_mjcf(texts(equality))
    assert message in str(caught.value)


def written_pair(joint, rng):
    """Return two free bodies that a loop joins, with random frames."""
    mass = {"mass": 1.0, "inertia": (0.3, 0.4, 0.5)}
    bodies = [Body("a", joint=ps.Free(), **mass), Body("b", joint=ps.Free(), **mass)]
    frames = [(name, Pose(rng.normal(size=3), rpy=rng.normal(size=3))) for name in "ab"]
    return Mechanism("pair", bodies, loops=[ps.Loop("loop", *frames, joint)])


@settings(max_examples=examples(4))
@given(st.integers(0, 2**32 - 1))
def test_loops_are_written(seed):
    rng = np.random.default_rng(seed)
    for joint, least in (
        (ps.Spherical(), 3),
        (ps.Fixed(), 6),
        (ps.Revolute(rng.normal(size=3)), 6),
    ):
        mechanism = written_pair(joint, rng)
        text = mjcf_from_mechanism(mechanism)
        system = ps.System.from_mechanism(mechanism)
        again = ps.System.from_mechanism(quietly(model_from_mjcf, text))
        q = assembled(system, rng)
        theirs, J = rows(text, q)
        assert theirs == pytest.approx(np.zeros(least), abs=CLOSED)
        assert residual(again, q) == pytest.approx(np.zeros(least), abs=CLOSED)
        ours = jacobian(system, q)
        turned = turned_jacobian(J, q)
        assert space(ours) == pytest.approx(space(turned), abs=CLOSED)
        assert space(jacobian(again, q)) == pytest.approx(space(ours), abs=CLOSED)


def turned_jacobian(J, q):
    """Return MuJoCo's Jacobian for our velocities: of free bodies in their own axes."""
    turned = J.copy()
    for k in range(2):
        R = quaternion_to_matrix(q[7 * k + 3 : 7 * k + 7])
        turned[:, 6 * k : 6 * k + 3] = J[:, 6 * k : 6 * k + 3] @ R
    return turned


def test_couplings_are_written():
    mass = {"mass": 1.0, "inertia": (0.3, 0.4, 0.5)}
    bodies = [Body("a", joint=ps.Revolute("x"), **mass), Body("b", joint=ps.Prismatic("x"), **mass)]
    couplings = [
        ps.Gear("gear", "b", "a", -2.5, offset=0.3),
        ps.RackPinion("rack", "a", "b", 0.1),
        ps.PrescribedMotion("brake", "a", 0.25),
    ]
    text = mjcf_from_mechanism(Mechanism("m", bodies, constraints=couplings))
    q = np.array([0.7, -0.2])
    expected = [0.7 + 2.5 * -0.2 - 0.3, -0.2 - 0.1 * 0.7, 0.7 - 0.25]
    assert rows(text, q)[0] == pytest.approx(expected)
    again = ps.System.from_mechanism(quietly(model_from_mjcf, text))
    assert residual(again, q) == pytest.approx(expected)


def test_what_mujoco_does_not_have():
    rng = np.random.default_rng(1)
    for joint, message in (
        (ps.Universal("x", "y"), "loop 'loop': MuJoCo closes loops by fixed, spherical and"),
        (ps.Revolute("x", damping=1.0), "loop 'loop': its joint has damping, which closures of"),
        (ps.Revolute("x", limits=ps.Limits((0, 1))), "its joint has limits"),
    ):
        with pytest.raises(ModelError) as caught:
            mjcf_from_mechanism(written_pair(joint, rng))
        assert message in str(caught.value)
    one = ps.PrescribedMotion("motor", "a", "t")
    bodies = [Body("a", joint=ps.Revolute("x"), mass=1.0)]
    with pytest.raises(ModelError, match="'motor': MuJoCo has no such constraint"):
        mjcf_from_mechanism(Mechanism("m", bodies, constraints=[one]))
