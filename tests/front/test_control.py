"""Control of programmed motions: decay of errors, forces of constraints, ranks and mistakes."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

import poinsot as ps
from poinsot.kernels.export import Package
from tests.kernels.export.test_c import compiled, needs_cc

ROBOTS = Path(__file__).parents[1] / "data" / "robots"
NEAR = 1e-8
"""Of the error at the start."""


def led(system, q, axes, point=(0.1, 0.2, -0.1)):
    """Return the programme that leads a point of the last body from near where it is at q."""
    body = system.body_names[-1]
    place = (system.pose(body, q) @ np.append(point, 1.0))[:3]
    formulas = [f"{x} - ({float(place['xyz'.index(x)])!r} + 0.05 * sin(2*t) + 0.01)" for x in axes]
    return ps.FormulaConstraint("hand", formulas, {x: (body, point, x) for x in axes})


@pytest.mark.parametrize(
    ("make", "axes"),
    [
        (ps.library.rrp_arm, "xy"),
        (lambda: ps.library.n_link_pendulum(4), "x"),
        (lambda: ps.load(ROBOTS / "kuka_iiwa.urdf").without_passive(), "xyz"),
    ],
    ids=["RRP", "planar", "seven joints"],
)
def test_errors_decay_by_the_matrix_exponential(make, axes):
    """Follow a moving point with full gain matrices, the free motion damped and pulled."""
    system, m, rng = make(), len(axes), np.random.default_rng(3)
    q = system.neutral() + rng.uniform(0.4, 0.8, system.nq)
    gains = [np.diag(rng.uniform(8, 12, m)) + rng.uniform(-1, 1, (m, m)) for _ in range(2)]
    law = ps.control(
        system, led(system, q, axes), position_gain=gains[0], rate_gain=gains[1],
        redundancy=lambda t, q, v: -3.0 * v + np.sin(t),
    )  # fmt: skip
    run = ps.simulate(system, q, np.full(system.nv, 0.05), 0.8, tau=law, rtol=1e-10, save=0.2)
    states = law.at(run.t, run.q, run.v)
    assert (states.rank == m).all()
    C = np.block([[np.zeros((m, m)), np.eye(m)], [-gains[0], -gains[1]]])
    both = np.concatenate([states.f, states.rate], axis=1)
    expected = np.array([expm(C * t) @ both[0] for t in run.t])
    assert_allclose(both, expected, rtol=0.0, atol=NEAR * np.abs(both[0]).max())
    assert_allclose(np.sort_complex(law.poles), np.sort_complex(np.linalg.eigvals(C)))
    assert_allclose(law(run.t[1], run.q[1], run.v[1]), run.tau()[1], atol=1e-12 * 100)


def test_without_error_the_weighted_law_is_the_ideal_constraint():
    """Let the free motion be that without forces: then tau = Γᵀ N of the constrained motion."""
    arm = ps.library.n_link_pendulum(4)
    q, v = np.array([0.3, 0.5, -0.4, 0.9]), np.array([0.2, -0.3, 0.5, 0.1])
    body = arm.body_names[-1]
    place, speed = arm.pose(body, q)[:3, 3], arm.velocity(body, q, v, axes="world")[:3]
    axes = [k for k in range(3) if abs(speed[k]) > 1e-9][:1]
    formulas = [f"u - ({float(place[k])!r} + {float(speed[k])!r} * t)" for k in axes]
    path = ps.FormulaConstraint("path", formulas, {"u": (body, (0, 0, 0), "xyz"[axes[0]])})
    falling = arm.forward_dynamics(q, v)
    law = ps.control(arm, path, poles=(-1, -2), redundancy=falling, weighted=True)
    state, constrained = law.at(0.0, q, v), law.programme
    assert_allclose(state.f, 0.0, atol=1e-15)
    lam = constrained.multipliers(q, v).values
    assert np.abs(lam).max() > 1e-3
    assert_allclose(state.tau, state.jacobian.T @ lam, atol=1e-12 * np.abs(lam).max())
    assert_allclose(state.a, constrained.forward_dynamics(q, v), atol=1e-11)


def test_reactions_of_a_programme_are_forces_on_the_tool():
    """A plane's force at the tip; of a pose that is right [N₁; R N₂ / 2]; of joints none."""
    puma, q, v = ps.library.puma560(), np.array([0.1, -0.7, 0.4, 0.2, 0.8, 0.3]), np.full(6, 0.1)
    place, X = (0.0, 0.0, 0.1), puma.pose("link 6", q)
    height = float((X @ [*place, 1.0])[2])
    plane = ps.FormulaConstraint("plane", [f"z - {height!r}"], {"z": ("link 6", place, "z")})
    law = ps.control(puma, plane, poles=(-5, -6))
    N = law.programme.multipliers(q, v).values
    wrench = law.tool_wrench("link 6", q, v, point=place)
    assert_allclose(wrench, [0, 0, N[0], 0, 0, 0], atol=1e-9 * np.abs(N).max())
    assert_allclose(law.programme.reactions(q, v, axes="world", point="first")["plane"][:3],
                    wrench[:3], atol=1e-9 * np.abs(N).max())  # fmt: skip
    parts = {"pose": (X[:3, 3], X[:3, :3]), "position": X[:3, 3]}
    for motion, part in parts.items():
        programme = ps.pose_programme(puma, "link 6", lambda t, part=part: part, motion=motion)
        led = ps.control(puma, programme, poles=(-5, -6))
        N = led.programme.multipliers(q, v).values
        force, couple = N[:3], N[3:] if motion == "pose" else np.zeros(3)
        expected = np.concatenate([force, X[:3, :3] @ couple / 2.0])
        wrench = led.tool_wrench("link 6", [q, q], v)[1]
        assert_allclose(wrench, expected, atol=1e-8 * np.abs(N).max())
    joints = ps.control(puma, lambda t: q, poles=(-5, -6))
    with pytest.raises(ps.ModelError, match="leads more than 'link 2'"):
        joints.tool_wrench("link 2", q, v)


def test_an_attitude_is_led_alone():
    """Three rows of a spatial arm; errors decay, and the hand moves as it likes."""
    puma, q = ps.library.puma560(), np.array([0.1, -0.7, 0.4, 0.2, 0.8, 0.3])
    R = puma.pose("link 6", q + 0.1)[:3, :3]
    law = ps.control(
        puma, ps.pose_programme(puma, "link 6", lambda t: R, motion="attitude"), poles=(-8, -9),
        redundancy=lambda t, q, v: -3.0 * v,
    )  # fmt: skip
    run = ps.simulate(puma, q, np.zeros(6), 2.0, tau=law)
    assert_allclose(puma.pose("link 6", run.q[-1])[:3, :3], R, atol=1e-5)
    with pytest.raises(ps.ModelError, match="no motion 'atitude'; did you mean 'attitude'"):
        ps.pose_programme(puma, "link 6", lambda t: R, motion="atitude")
    with pytest.raises(ps.PoinsotError, match=r"wanted rotation must have the shape \(3, 3\)"):
        ps.control(puma, ps.pose_programme(puma, "link 6", lambda t: R[0], motion="attitude"),
                   poles=(-1, -2))  # fmt: skip


def test_an_exported_law_gives_the_same_forces():
    """Run the Python module of a law."""
    arm = ps.library.double_pendulum()
    law = ps.control(arm, lambda t: [0.3 * np.sin(t), 0.1 * t], poles=(-4 + 1j, -4 - 1j))
    names = {}
    exec(arm.export("python", law, name="arm")["arm.py"], names)
    q, v = [0.2, 0.4], [1.0, -2.0]
    found = names["control_law"](np.array([0.7]), q, v)
    assert_allclose(found, law(0.7, q, v), rtol=1e-12)


def test_a_singular_programme_says_so():
    """Stretch an arm whose tip is to be led in its plane."""
    arm = ps.library.n_link_pendulum(2)
    body = arm.body_names[-1]
    end = 2 * np.array(arm.bodies[-1].com)
    plane = [x for k, x in enumerate("xyz") if np.abs(arm.jacobian(body, [0.4, 0.3], end)[k]).any()]
    where = {x: (body, end, x) for x in plane}
    tip = ps.FormulaConstraint("tip", [f"{x} - 0.8" for x in plane], where)
    law = ps.control(arm, tip, poles=(-3, -3))
    assert law.at(0.0, [0.3, 0.8], [0.0, 0.0]).rank == 2
    with pytest.warns(ps.ModelWarning, match="rank 1, not 2"):
        state = law.at(0.0, [0.3, 0.0], [0.0, 0.0])
    assert np.isfinite(state.tau).all()


def tip(formulas, name="tip", points=(0.0, 0.0, -1.0)):
    """Return a programme of the end of a pendulum of two rods of 1 m."""
    axes = {x: ("rod 2", points, x) for x in "xyz" if any(x in text for text in formulas)}
    return ps.FormulaConstraint(name, formulas, axes)


TWO = ps.library.n_link_pendulum(2)


def test_redundancy_is_an_argument_of_the_law():
    """Give u at calls, in a run as a signal, and to the exported law: as if it were the law's."""
    programme, u = tip(["x - 0.3*t"]), np.array([0.7, -0.4])
    asked = ps.control(TWO, programme, poles=(-4, -5), redundancy="call")
    fixed = ps.control(TWO, programme, poles=(-4, -5), redundancy=u)
    q, v = np.array([[0.3, 0.8], [0.1, -0.5]]), np.array([[0.2, 0.1], [1.0, 0.0]])
    expected = fixed(0.5, q, v)
    for law in (asked, ps.control(TWO, programme, poles=(-4, -5))):
        assert_allclose(law(0.5, q, v, redundancy=u), expected, rtol=1e-12)
    names = {}
    exec(TWO.export("python", asked, name="arm")["arm.py"], names)
    exported = names["control_law"](np.array([0.5]), q[0], v[0], u)
    assert_allclose(exported, expected[0], rtol=1e-12)
    ramp = ps.Signal([0.0, 1.0], [[0.0, 0.0], u])
    run = ps.simulate(TWO, q[0], v[0], 0.5, tau=lambda t, q, v: asked(t, q, v, redundancy=ramp(t)))
    ramped = ps.control(TWO, programme, poles=(-4, -5), redundancy=lambda t, q, v: u * t)
    same = ps.simulate(TWO, q[0], v[0], 0.5, tau=ramped)
    assert_allclose(run.q[-1], same.q[-1], atol=1e-9)
    numbers = {"u1": 0.7, "u2": 0.0}
    plant = ps.System("arm", TWO.bodies, gravity=TWO.gravity, parameters=numbers)
    plant, free = plant.with_free("u1", "u2"), ps.symbols("u1 u2")
    many = ps.simulate(plant, q[0], v[0], 0.5, tau=lambda t, q, v: asked(t, q, v, redundancy=free),
                       parameters={"u2": [0.3, -0.4]}, save=0.5)  # fmt: skip
    assert_allclose(many.q[1, -1], ps.simulate(TWO, q[0], v[0], 0.5, tau=fixed).q[-1], atol=1e-9)
    with pytest.raises(ps.ModelError, match=r"at each call, law\(t, q, v, redundancy=u\)"):
        ps.simulate(TWO, q[0], v[0], 0.5, tau=asked)
    with pytest.raises(ps.ModelError, match=r"redundancy\(t, q, v\) of .* must give 2 acc.*\(3,\)"):
        ps.control(TWO, programme, poles=(-1, -1), redundancy=lambda t, q, v: np.ones(3))(0, *q)
    with pytest.raises(ps.ShapeError, match=r"redundancy must have shape \(\.\.\., 2\)"):
        asked(0.0, q[0], v[0], redundancy=[1.0])
    with pytest.raises(ps.ModelError, match="or \"call\", got 'calls'"):
        ps.control(TWO, programme, poles=(-1, -1), redundancy="calls")


def test_a_run_says_that_its_programme_became_singular():
    """Start stretched; lead the tip away till the arm is straight; swing through with a limit."""
    law = ps.control(TWO, tip(["x - 0.3", "z + 1.2"]), poles=(-5, -6))
    with pytest.warns(ps.SimulationWarning, match=r"singular at t = 0 s, q = \[0.3, 0.0\]: rank 1"):
        run = ps.simulate(TWO, [0.3, 0.0], [0.0, 0.0], 0.5, tau=law)
    assert run.status.ok
    assert "rows tip: relation 1, tip: relation 2; joints rod 1, rod 2" in run.status.message
    away = ps.control(TWO, tip(["x - 0.3 - 0.8*t", "z + 1.2"]), poles=(-5, -6))
    with pytest.warns(ps.SimulationWarning, match="singular at t = 1.6"):  # x = 1.6 m: stretched
        stopped = ps.simulate(TWO, away.programme.assemble([0.3, 0.8]), [0.0, 0.0], 3.0, tau=away)
    assert not stopped.status.ok
    # a weak arm that swings through the straight posture between stored states
    weak = ps.limited_law(law, 1e-3)
    with pytest.warns(ps.SimulationWarning, match="rank 1, not 2") as told:
        ps.simulate(TWO, [0.3, 0.9], [0.0, -5.0], 0.4, tau=weak, save=0.4)
    place = re.search(r"q = \[[^,]*, ([^]]*)\]", str(told[0].message))
    assert abs(float(place[1])) < 1e-3
    with pytest.warns(ps.SimulationWarning, match="rank 1, not 2") as told:  # of many states
        ps.simulate(TWO, [0.3, 0.9], [0.0, -5.0], 0.4, tau=weak, integrator="rk4", step=1e-4)
    place = re.search(r"q = \[[^,]*, ([^]]*)\]", str(told[0].message))
    assert abs(float(place[1])) < 1e-3
    with pytest.warns(ps.SimulationWarning, match="at t = 0 s of run 1"):
        ps.simulate(TWO, [[0.3, 0.9], [0.3, 0.0]], [0.0, 0.0], 0.1, tau=law, save=0.1)


def test_each_run_of_a_batch_says_that_its_programme_became_singular(tmp_path):
    """Two of four start stretched: only they tell, by themselves, in parts, from files, at events.

    A law that asks for too much stops its runs between the times that are stored.
    """
    law = ps.control(TWO, tip(["x - 0.3", "z + 1.2"]), poles=(-5, -6))
    starts = np.array([[[0.3, 0.9], [0.3, 0.0]], [[0.1, 0.8], [0.2, 0.0]]])
    with pytest.warns(ps.SimulationWarning, match=r"of run 0, 1 \(2 runs in all\), q = \[0.3, "):
        runs = ps.simulate(TWO, starts, [0.0, 0.0], 0.1, tau=law, save=0.1)
    alone = "singular at t = 0 s, q = [0.2, 0.0]: rank 1, not 2: rows tip: relation 1, tip: "
    file = runs.save(tmp_path / "runs.npz")
    for again in (runs, ps.load_run(file), pickle.loads(pickle.dumps(runs))):
        told = np.array([["singular" in x.message for x in row] for row in again.status])
        assert (told == [[False, True], [False, True]]).all()
        assert again.ok.all()
        assert again[1, 0].status.message == "reached t = 0.1 s"
        assert alone in again[1, 1].status.message
        assert alone in again[1][1].status.message
    seen = ps.Event("early", lambda t, q, v: t - 0.05)
    with pytest.warns(ps.SimulationWarning, match=r"of run 1, q"):
        runs = ps.simulate(TWO, starts[0], [0, 0], 0.1, tau=law, save=0.1, events=[seen])
    assert runs[0].status.message == "reached t = 0.1 s"
    assert "singular at t = 0 s, q = [0.3, 0.0]" in runs[1].status.message
    assert len(runs[1].events) == 1
    away = ps.control(TWO, tip(["x - 0.3 - 0.8*t", "z + 1.2"]), poles=(-5, -6))
    goal = away.programme.assemble([0.3, 0.8])
    with pytest.warns(ps.SimulationWarning) as warned:
        runs = ps.simulate(TWO, [goal], [0.0, 0.0], 3.0, tau=away, save=1.0)
    assert "singular at t = 1.6" in runs[0].status.message  # x = 1.6 m: stretched
    assert len(warned) == 2


def test_a_sampled_law_says_that_its_programme_became_singular(tmp_path):
    """Hold its forces: of the plant itself, in batches, from files, and of the plant on a cart."""
    law = ps.control(TWO, tip(["x - 0.3", "z + 1.2"]), poles=(-5, -6))
    digital = ps.sampled_law(TWO, ps.limited_law(law, 50.0), every=0.02)
    alone = "singular at t = 0 s, q = [0.3, 0.0]: rank 1, not 2: rows tip: relation 1, tip: "
    with pytest.warns(ps.SimulationWarning, match=re.escape(alone)):
        run = ps.simulate(digital, [0.3, 0.0], [0.0, 0.0], 0.1)
    assert run.status.ok
    assert run.status.message.count("singular") == 1  # not once for each joint
    assert "joints rod 1, rod 2 move" in run.status.message
    bent = ps.simulate(digital, [0.3, 0.9], [0.0, 0.0], 0.1)
    assert bent.status.message == "reached t = 0.1 s"
    with pytest.warns(ps.SimulationWarning, match="at t = 0 s of run 1"):
        runs = ps.simulate(digital, [[0.3, 0.9], [0.3, 0.0]], [0, 0], 0.1, save=0.1)
    assert alone in runs[1].status.message
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=5.0)])
    driven = cart.attach(digital, to="cart")
    with pytest.warns(ps.SimulationWarning, match=re.escape(alone)):
        ps.simulate(pickle.loads(pickle.dumps(driven)), [0.7, 0.3, 0.0], np.zeros(3), 0.02)
    rod = ps.library.n_link_pendulum(1)
    level = ps.FormulaConstraint("level", ["x - 0.3"], {"x": ("rod 1", (0, 0, -1), "x")})
    held = ps.sampled_law(rod, ps.control(rod, level, poles=(-5, -6)), every=0.02)
    with pytest.warns(ps.SimulationWarning, match=r"q = \[1.5708\]: rank 0, not 1: rows level"):
        run = ps.simulate(held, [np.pi / 2], [0.0], 0.02)
    assert ps.load_run(run.save(tmp_path / "run.npz")).status == run.status


def test_programmes_that_cannot_be_followed_are_refused():
    """Contradictory goals, also of rates; a row that no joint moves; a point out of reach."""
    hand = tip(["x - 0.3", "z + 1.2"])
    for programme, message in (
        ([hand, tip(["x - 0.5"], "again")], "'tip: relation 1', 'again: relation' are never zero"),
        ([tip(["x - t"], "a"), tip(["x - 2*t"], "b")], "'a: relation', 'b: relation'.* m/s or rad"),
        (tip(["y - 0.1"]), r"no joint moves the row 'tip: relation' .* 0\.1 m"),
        (tip(["x - 3", "z + 1.2"]), "out of reach at t = 0 s: .* 'tip' by 1.14"),
    ):
        with pytest.raises(ps.ModelError, match=message):
            ps.control(TWO, programme, poles=(-1, -2))
    ps.control(TWO, [hand, tip(["x - 0.3"], "again")], poles=(-1, -2))  # twice the same goal
    late = tip(["x - 5 + t", "z + 1.2"])  # within reach from t = 3.4 s on
    with pytest.raises(ps.ModelError, match="out of reach at t = 3 s"):
        ps.control(TWO, late, poles=(-1, -2), start=3.0)
    ps.control(TWO, late, poles=(-1, -2), start=4.0)
    with pytest.raises(
        ps.ModelError, match="'tip: relation 1', 'again: relation' of the programme"
    ):
        ps.impedance(TWO, [hand, tip(["x - 0.3"], "again")], stiffness=1.0, damping=1.0)
    spring = ps.impedance(TWO, hand, stiffness=50.0, damping=10.0)
    with pytest.warns(ps.SimulationWarning, match="rank 1, not 2"):  # swings through straight
        ps.simulate(TWO, [0.3, 0.9], [0.0, -9.0], 0.15, tau=ps.limited_law(spring, 1e-3))


@needs_cc
@pytest.mark.parametrize("rows", [3, 6])
def test_laws_of_seven_joints_compiled_by_c_give_the_same_forces(rows, tmp_path):
    """Lead the hand of the library's arm, its position and its pose, by C and by machine code."""
    arm, hand = ps.library.seven_joint_arm(), "link 7"
    q = np.array([0.3, 0.5, 0.2, 0.9, 0.1, 0.6, 0.2])
    X = arm.pose(hand, q)
    programme = led(arm, q, "xyz")
    if rows == 6:
        programme = ps.pose_programme(arm, hand, lambda t: (X[:3, 3] * (1.0 - t), X[:3, :3]))
    law = ps.control(arm, programme, poles=(-5, -6), redundancy=ps.centring(arm))
    package = Package("arm", (), (arm._routine(law),))
    (run,) = compiled(package, tmp_path, options=("-std=c99", "-O0", "-ffp-contract=off"))
    rng = np.random.default_rng(0)
    t, states = rng.uniform(0, 0.1, (5, 1)), q + rng.uniform(-0.2, 0.2, (5, 7))
    v = rng.normal(size=(5, 7))
    expected = law(t[:, 0], states, v)
    assert_allclose(run(t, states, v)[0], expected, rtol=0.0, atol=1e-12 * np.abs(expected).max())


def test_a_wrong_model_leaves_the_error_of_statics():
    """A plant heavier than the law's model sags: m l² Γ0 f = Δm g l sin q at rest."""
    light, heavy = (
        ps.System("rod", [ps.Body("rod", joint=ps.Revolute("y"), mass=m, com=(0, 0, -0.5))])
        for m in (2.0, 2.5)
    )
    law = ps.control(light, lambda t: [0.6], poles=(-6, -6))
    run = ps.simulate(heavy, [0.6], [0.0], 8.0, tau=law)
    error = law.at(0.0, run.q[-1], run.v[-1]).f
    sag = -0.5 * 9.81 * 0.5 * np.sin(run.q[-1]) / (2.0 * 0.25 * 36.0)
    assert_allclose(error, sag, rtol=1e-6)


def test_mistakes_are_named():
    """Give gains that do not settle, of wrong shapes, twice or not at all; a closed system."""
    arm, wanted = ps.library.double_pendulum(), lambda t: [0.1 * t, 0.0]
    with pytest.raises(ps.ModelError, match=r"errors would not decay.*real part 1\.7"):
        ps.control(arm, wanted, position_gain=-3.0, rate_gain=0.0)
    with pytest.raises(ps.ModelError, match="rate_gain must be a number, 2 numbers or a 2 x 2"):
        ps.control(arm, wanted, position_gain=1.0, rate_gain=[1.0, 2.0, 3.0])
    with pytest.raises(ps.ModelError, match="position_gain and rate_gain, or poles"):
        ps.control(arm, wanted, position_gain=1.0)
    with pytest.raises(ps.ModelError, match="real or conjugate pairs"):
        ps.control(arm, wanted, poles=(-1 + 1j, -1))
    with pytest.raises(ps.ModelError, match="redundancy must be"):
        ps.control(arm, wanted, poles=(-1, -1), redundancy=[1.0])
    with pytest.raises(ps.ModelError, match="has loops or constraints"):
        ps.control(ps.library.slider_crank(), lambda t: [t, 0.0, 0.0], poles=(-1, -1))
    with pytest.raises(ps.ModelError, match="no body 'tol'"):
        ps.pose_programme(arm, "tol", lambda t: (np.zeros(3), np.eye(3)))
    with pytest.raises(ps.ModelError, match=r"the wanted configuration has the shape \(1,\)"):
        ps.control(arm, lambda t: [0.1], poles=(-1, -1))
    with pytest.raises(ps.ModelError, match="programme must be constraints"):
        ps.control(arm, None, poles=(-1, -1))
    with pytest.raises(ps.ModelError, match="weights must be positive definite"):
        ps.control(arm, wanted, weights=(-1, 1, 1))
    with pytest.raises(ps.ModelError, match="poles must be numbers, got 'fast'"):
        ps.control(arm, wanted, poles="fast")
    with pytest.raises(ps.ModelError, match="frequency must be real numbers, got '6 Hz'"):
        ps.control(arm, wanted, frequency="6 Hz")
    with pytest.raises(ps.ModelError, match="reactions must name constraints"):
        ps.control(arm, wanted, frequency=6.0, reactions=20.0)
    with pytest.raises(ps.ModelError, match="a function t -> "):
        ps.pose_programme(arm, "lower", np.eye(4))
