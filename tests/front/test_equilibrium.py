"""Static equilibrium: closed forms, laws on random systems, and MuJoCo at rest."""

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import poinsot as ps
from poinsot.analysis import statics
from poinsot.library import (
    bennett,
    four_bar,
    n_link_pendulum,
    pendulum,
    slider_crank,
    watt,
)
from tests.closed.random_closed import assume_well_posed, random_closed
from tests.random_examples import examples
from tests.strategies import random_mechanism

G = 9.81
HOLDING = ("loop revolute", "loop spherical", "loop universal", "distance", "gear")
"""Kinds of closures that hold everywhere and do not depend on time."""


def rod(name="rod", parent="world", joint=None, **more):
    joint = joint or ps.Revolute("y")
    return ps.Body(name, parent, joint, mass=2.0, com=(0, 0, -0.5), **more)


@pytest.mark.parametrize(("k", "rest"), [(1.0, 0.4), (20.0, -1.2), (6.0, 2.5)])
def test_pendulum_with_a_torsion_spring(k, rest):
    """m g l sin(q) + k (q - rest) = 0."""
    system = ps.System("sprung", [rod(joint=ps.Revolute("y", stiffness=k, rest=rest))])
    found = ps.equilibrium(system, [rest])
    expected = brentq(lambda q: 2.0 * G * 0.5 * np.sin(q) + k * (q - rest), 0, rest, xtol=1e-15)
    assert_allclose(found.q, [expected], rtol=1e-12)
    assert_allclose(found.eigenvalues, [k + G * np.cos(expected)], rtol=1e-12)
    assert found.stable


def test_spring_scale():
    """k x = m g: a free parameter, and a force besides."""
    m = ps.symbols("m")
    pan = ps.Body("pan", joint=ps.Prismatic("z", stiffness=50.0), mass=m)
    system = ps.System("scale", [pan], parameters={"m": 1.0}, free=["m"])
    for mass, push in ((1.0, 0.0), (4.0, 0.0), (4.0, 10.0)):
        found = ps.equilibrium(system, tau=[push], parameters={"m": mass})
        assert_allclose(found.q, [(push - mass * G) / 50.0], rtol=1e-13)
    push = ps.Signal([0.0, 4.0], [0.0, 4.0])
    for law in (lambda t, q, v: [t], lambda t, q, v: [push(t)], push):
        found = ps.equilibrium(system, tau=law, t=2.0)
        assert_allclose(found.q, [(2.0 - G) / 50.0], rtol=1e-13)
    found = ps.equilibrium(system, tau=lambda t, q, v: [-150.0 * q[0] + t], t=2.0)
    assert_allclose(found.q, [(2.0 - G) / 200.0], rtol=1e-13)
    assert_allclose(found.eigenvalues, [200.0], rtol=1e-13)


@pytest.mark.parametrize("n", [3, 8])
def test_hanging_chain_of_rods(n):
    """Slopes of the rods of a discrete catenary grow by m g / H from one to the next."""
    length, mass = 0.5, 0.7
    bodies = [
        ps.Body(f"r{k}", f"r{k - 1}" if k else "world", ps.Revolute("y"),
                ps.Pose((length, 0, 0)) if k else ps.Pose(), mass=mass, com=(length / 2, 0, 0),
                inertia=(0.001, mass * length**2 / 12, mass * length**2 / 12))
        for k in range(n)
    ]  # fmt: skip
    span = 0.7 * n * length
    pin = ps.Loop("pin", ("world", (span, 0, 0)), (f"r{n - 1}", (length, 0, 0)), ps.Revolute("y"))
    system = ps.System("chain", bodies, loops=[pin])
    found = ps.equilibrium(system, np.linspace(0.6, 0.1, n))
    angle = -np.cumsum(found.q)
    H = found.reactions(axes="world")["pin"][0]
    slope = np.tan(angle)
    assert_allclose(np.diff(slope), mass * G / H, rtol=1e-10)
    assert_allclose(np.sum(length * np.cos(angle)), span, rtol=1e-12)
    assert_allclose(np.sum(np.sin(angle)), 0.0, atol=1e-12)
    assert found.stable
    assert len(found.eigenvalues) == n - 2


def test_spherical_pendulum_hangs_below_its_pivot_and_may_turn():
    body = ps.Body("ball", joint=ps.Spherical(), mass=3.0, com=(0.1, -0.2, 0.3), inertia=(1, 1, 1))
    system = ps.System("ball", [body])
    found = ps.equilibrium(system, [0.3, 0.2, 0.9, -0.1])
    com = system.centre_of_mass(found.q)
    assert_allclose(com, [0, 0, -np.linalg.norm(body.com)], atol=1e-12)
    assert_allclose(np.linalg.norm(found.q), 1.0, rtol=1e-14)
    assert found.stability == "neutral"
    assert_allclose(found.eigenvalues[1:], 3.0 * G * np.linalg.norm(body.com), rtol=1e-10)


def test_a_body_on_three_springs():
    """A free body hangs so that the springs carry its weight and no moment is left."""
    places = [(np.cos(a), np.sin(a), 0.0) for a in (0.0, 2.0, 4.0)]
    body = ps.Body("plate", joint=ps.Free(), mass=5.0, com=(0.1, 0.05, 0.0), inertia=(1, 1, 2))
    springs = [
        ps.Spring(("world", (x, y, 2.0)), ("plate", (x, y, z)), 40.0, length=1.0)
        for x, y, z in places
    ]
    system = ps.System("plate", [body], forces=springs)
    found = ps.equilibrium(system)
    X = system.pose("plate", found.q)
    pull, moment = np.zeros(3), np.zeros(3)
    for x, y, z in places:
        p = (X @ [x, y, z, 1.0])[:3]
        d = np.array([x, y, 2.0]) - p
        f = 40.0 * (np.linalg.norm(d) - 1.0) * d / np.linalg.norm(d)
        pull, moment = pull + f, moment + np.cross(p, f)
    weight = np.array([0, 0, -5.0 * G])
    assert_allclose(pull + weight, 0.0, atol=1e-10)
    assert_allclose(moment + np.cross(system.centre_of_mass(found.q), weight), 0.0, atol=1e-10)
    assert found.stable


def test_maxima_repel_unless_asked_for():
    up = ps.equilibrium(pendulum(), [np.pi - 0.2], stable=False)
    assert_allclose(up.q, [np.pi], rtol=1e-12)
    assert up.stability == "unstable"
    down = ps.equilibrium(pendulum(), [np.pi])
    assert_allclose(np.cos(down.q), [1.0], rtol=1e-12)
    assert down.stable


def test_joints_that_are_held():
    """The upper of two rods is held level: the lower hangs, and the motor carries both."""
    lower = rod("lower", "rod", pose=ps.Pose((0, 0, -1.0)))
    system = ps.System("double", [rod(), lower])
    found = ps.equilibrium(system, [0.1, 0.3], fixed={"rod": np.pi / 2})
    assert found.q[0] == np.pi / 2
    assert_allclose(found.q[1], -np.pi / 2, rtol=1e-12)
    assert_allclose(found.holding["rod"], [2.0 * G * 0.5 + 2.0 * G * 1.0], rtol=1e-12)
    assert_allclose(found.eigenvalues, [2.0 * G * 0.5], rtol=1e-12)
    a = system.forward_dynamics(found.q, [0.0, 0.0], [found.holding["rod"][0], 0.0])
    assert_allclose(a, 0.0, atol=1e-10)


def test_forces_without_a_potential():
    """A load that turns with its body, and a law of q that is no gradient."""
    load = ps.ConstantForce("lower", (1.5, 0, 0.4), point=(0, 0, -1.0), axes="body")
    lower = rod("lower", "rod", pose=ps.Pose((0, 0, -1.0)))
    system = ps.System("follower", [rod(), lower], forces=[load])
    found = ps.equilibrium(system, tau=lambda t, q, v: [-3 * q[1], 2.0 * np.sin(q[0])])
    drive = [-3 * found.q[1], 2.0 * np.sin(found.q[0])]
    a = system.forward_dynamics(found.q, [0.0, 0.0], drive)
    assert_allclose(a, 0.0, atol=1e-10)
    assert np.abs(found.q).min() > 1e-3


@pytest.mark.parametrize("make", [four_bar, slider_crank, bennett, watt], ids=lambda f: f.__name__)
def test_closed_systems_do_no_work_and_stay(make):
    """Bennett's linkage and flat ones in space have redundant rows."""
    system = make()
    found = ps.equilibrium(system, system.neutral() + 0.1)
    assert np.abs(system.constraint_residual(found.q)).max() <= 1e-10
    J = system.constraint_jacobian(found.q)
    _, sizes, right = np.linalg.svd(J)
    free = right[int(np.sum(sizes > 1e-9 * sizes[0])):]  # fmt: skip
    h = 1e-5
    for way in free:
        ends = [
            system.potential_energy(system.assemble(system.integrate(found.q, step * way)))
            for step in (-h, 0.0, h)
        ]
        assert abs(ends[2] - ends[0]) / (2 * h) <= 1e-6
        assert min(ends[0], ends[2]) > ends[1]
    lam = found.multipliers.values
    bias = system.bias(found.q, np.zeros(system.nv))
    assert_allclose(J.T @ lam, bias, atol=1e-10)
    run = ps.simulate(system, found.q, np.zeros(system.nv), 2.0)
    assert np.abs(run.q - found.q).max() <= 1e-9
    assert found.stable


@settings(max_examples=examples(4), deadline=None, phases=(Phase.explicit, Phase.generate))
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 4))
def test_random_trees_on_springs_rest(seed, n):
    """Every joint has a spring, quaternions have bodies tied to the world."""
    rng = np.random.default_rng(seed)
    mechanism = random_mechanism(rng, n, passive=False)
    forces = [
        ps.Spring(("world", rng.uniform(-1, 1, 3)), (body.name, p), rng.uniform(20, 60), length=0.3)
        for body in mechanism.bodies
        for p in rng.uniform(-1, 1, (3, 3))
    ]
    system = ps.System("tied", mechanism.bodies, gravity=mechanism.gravity, forces=forces)
    if not system.nv:
        return
    found = ps.equilibrium(system, system.random(rng))
    scale = max(np.abs(found.eigenvalues).max(), 1.0)
    bias = system.bias(found.q, np.zeros(system.nv))
    assert np.abs(bias).max() <= 1e-9 * scale
    assert found.stability != "unstable"
    rest = system.potential_energy(found.q)
    for _ in range(20):
        step = rng.normal(size=system.nv) * 1e-3
        assert system.potential_energy(system.integrate(found.q, step)) >= rest - 1e-9 * scale


@settings(max_examples=examples(3), deadline=None, phases=(Phase.explicit, Phase.generate))
@given(st.integers(0, 2**32 - 1), st.integers(2, 3))
def test_random_closed_systems_on_springs_rest(seed, n):
    """Check virtual work, and that a motion from there goes nowhere."""
    case = random_closed(seed, n, 1, kinds=HOLDING, passive=False)
    assume_well_posed(case)
    assume(case.mechanism.nv)
    assume(not case.mechanism.depends_on_time)  # a gear with nothing to turn becomes a drive
    rng, m = np.random.default_rng(seed), case.mechanism
    forces = [
        ps.Spring(("world", rng.uniform(-1, 1, 3)), (body.name, p), rng.uniform(20, 60))
        for body in m.bodies
        for p in rng.uniform(-1, 1, (3, 3))
    ]
    system = ps.System("tied", m.bodies, gravity=m.gravity, forces=forces, loops=m.loops,
                       constraints=m.constraints)  # fmt: skip
    found = ps.equilibrium(system, case.q)
    J = system.constraint_jacobian(found.q)
    bias = system.bias(found.q, np.zeros(system.nv))
    _, sizes, right = np.linalg.svd(J)
    rank = int(np.sum(sizes > 1e-9 * sizes[0]))
    work = right[rank:] @ bias
    scale = max(np.abs(found.eigenvalues).max(initial=0.0), np.abs(bias).max())
    assert np.abs(work).max(initial=0.0) <= 1e-9 * scale
    assert_allclose(J.T @ found.multipliers.values, bias, atol=1e-8 * scale)
    assert found.stability != "unstable"
    assume(found.eigenvalues.min(initial=1.0) > 1e-2)
    run = ps.simulate(system, found.q, np.zeros(system.nv), 0.3)
    assert np.abs(run.q - found.q).max() <= 1e-9


def test_the_end_of_a_curve_is_told():
    """A bead slides down a wire that ends in the air."""
    bead = ps.Body("bead", joint=ps.Translation(), mass=1.0)
    wire = ps.PointOnCurve("wire", ("bead", (0, 0, 0)), ps.Curve(["s", "0", "-s"], (0.0, 1.0)))
    system = ps.System("bead on a wire", [bead], constraints=[wire])
    with pytest.raises(
        ps.EquilibriumError, match=r"'bead' is out of balance .*'wire.* beyond the end"
    ):
        ps.equilibrium(system, [0.5, 0.0, -0.5])


def test_against_mujoco_at_rest(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the oracle")
    rng = np.random.default_rng(3)

    def joint():
        return ps.Revolute(
            rng.normal(size=3), stiffness=rng.uniform(5, 15), rest=rng.uniform(-1, 1)
        )

    bodies = [
        ps.Body(f"b{k}", f"b{k - 1}" if k else "world", joint(),
                ps.Pose(rng.uniform(-0.4, 0.4, 3)), mass=1.0, com=rng.uniform(-0.3, 0.3, 3),
                inertia=(0.1, 0.1, 0.1))
        for k in range(4)
    ]  # fmt: skip
    system = ps.System("arm", bodies)
    found = ps.equilibrium(system)
    ps.save(system, tmp_path / "arm.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    data = mujoco.MjData(model)
    data.qpos[:] = found.q
    mujoco.mj_forward(model, data)
    assert_allclose(data.qacc, 0.0, atol=1e-9)
    assert np.abs(data.qfrc_spring).max() > 1.0


def test_where_there_is_none_the_joint_is_named():
    stone = ps.Body("stone", joint=ps.Free(), mass=2.0, inertia=(1, 1, 1))
    message = r"joint 'stone' is still out of balance by 19.6 N \(stone.z\)"
    with pytest.raises(ps.EquilibriumError, match=message):
        ps.equilibrium(ps.System("falling", [stone]))
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)])
    message = r"'cart': no equilibrium found .* by 5 N \(cart\).*fixed=\{'cart': \.\.\.\}"
    with pytest.raises(ps.EquilibriumError, match=message):
        ps.equilibrium(cart, tau=[5.0])
    with pytest.raises(ps.EquilibriumError, match="out of balance"):
        ps.equilibrium(cart, tau=[5.0], stable=False)


def test_mistakes():
    system = n_link_pendulum(2)
    with pytest.raises(ps.ShapeError, match=r"q must have shape \(2,\), got \(3,\)"):
        ps.equilibrium(system, [0, 0, 0])
    with pytest.raises(ps.ModelError, match="no joint 'elbow'"):
        ps.equilibrium(system, fixed={"elbow": 0.0})
    with pytest.raises(ps.ShapeError, match=r"tau must have shape \(2,\), got \(3,\)"):
        ps.equilibrium(system, tau=[1, 2, 3])
    with pytest.raises(ps.ModelError, match="q must be finite"):
        ps.equilibrium(system, [np.nan, 0])
    with pytest.raises(ps.AssemblyError, match="does not close"):
        ps.equilibrium(four_bar(), fixed=dict.fromkeys(four_bar().joint_names, 0.3))
    with pytest.raises(ps.ModelError, match="no degree of freedom"):
        ps.equilibrium(ps.System("rock", [ps.Body("rock", mass=1.0)]))


@pytest.mark.parametrize("compiled", [0, 20_000], ids=["NumPy", "compiled"])
def test_many_joints(compiled, monkeypatch):
    """A chain hangs straight, whoever runs the program."""
    monkeypatch.setattr(statics, "COMPILED", compiled)
    found = ps.equilibrium(n_link_pendulum(20), np.linspace(0.5, -0.5, 20))
    assert_allclose(np.cos(found.q), 1.0, rtol=1e-12)
    assert found.stable


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        ("6*t", "'motor: motion' prescribes a motion, with the speed 6"),
        ("3*t**2", "acceleration 6"),
    ],
)
def test_what_is_driven_does_not_rest(motion, message):
    """Refuse rest while a motor turns the hoop, or begins to; a motor that stands still is one."""
    hoop = ps.Body("hoop", joint=ps.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    bead = ps.Body("bead", "hoop", ps.Revolute("x"), mass=1.0, com=(0, 0, -1))

    def driven(formula):
        motor = ps.PrescribedMotion("motor", "hoop", formula)
        return ps.System("hoop", [hoop, bead], constraints=[motor])

    with pytest.raises(ps.EquilibriumError, match=message):
        ps.equilibrium(driven(motion), [0.0, 0.3])
    turning = ps.System("hoop", [hoop, bead], constraints=[ps.PrescribedSpeed("fan", "hoop", 6.0)])
    with pytest.raises(
        ps.EquilibriumError, match=r"'fan: speed' prescribes.*speed 6.*steady_motion"
    ):
        ps.equilibrium(turning, [0.0, 0.3])
    assert ps.equilibrium(driven("0.2"), [0.0, 0.3]).stable
    assert ps.equilibrium(driven("3*t**3"), [0.0, 0.3]).stable
