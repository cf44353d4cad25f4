"""verify: it agrees on right systems, and sees what is wrong with a formulation."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.evaluate.formulation import FORMULATIONS, Formulation
from poinsot.evaluate.quantity import Algorithm
from poinsot.model import AbstractJoint
from poinsot.spatial import Transform
from poinsot.verification.comparison import Check, Report
from tests.library.test_closed_library import MECHANISMS
from tests.library.test_rolling_library import ROLLING

MODELS = {
    "pendulum": library.pendulum,
    "bead_column": library.bead_column,
    "double_pendulum": library.double_pendulum,
    "landing_leg": library.landing_leg,
    "newtons_cradle": lambda: library.newtons_cradle(2),
    "bouncing_double_pendulum": library.bouncing_double_pendulum,
    "n_link_pendulum": lambda: library.n_link_pendulum(4),
    "cart_pole": library.cart_pole,
    "furuta_pendulum": library.furuta_pendulum,
    "gantry_crane": library.gantry_crane,
    "heavy_top": library.heavy_top,
    "puma560": library.puma560,
    "rrp_arm": library.rrp_arm,
    "five_body_tree": library.five_body_tree,
    "chain": lambda: library.chain(7),
    "humanoid": library.humanoid,
    "satellite": library.satellite,
    "scara": library.scara,
    "seven_joint_arm": library.seven_joint_arm,
    "bennett": library.bennett,
    "four_bar": library.four_bar,
    "n_four_bar": lambda: library.n_four_bar(4),
    "rrp_arm_on_rail": library.rrp_arm_on_rail,
    "slider_crank": library.slider_crank,
    "two_loops": library.two_loops,
}


def test_every_model_of_the_library_is_verified():
    """Check that no model of the library is left out, here or among the closed ones."""
    makers = {
        "from_dh",
        "from_joint_table",
        "from_low_pairs",
        "from_mdh",
        "circular_rail",
        "rrp_arm_at",
    }
    # Planar mechanisms are verified in test_planar_verify.
    makers |= {"jansen_leg_points", "planar_linkage", "planetary_gear", "cam_and_follower"}
    states = {
        name for name in library.__all__ if name.endswith(("_configuration", "_state", "_contacts"))
    }
    assert set(MODELS) | set(MECHANISMS) | set(ROLLING) == set(library.__all__) - makers - states


@pytest.mark.parametrize("name", sorted(MODELS))
def test_library_models_agree(name, capsys):
    """Verify models of the library and read the table."""
    report = ps.verify(MODELS[name](), n_states=1)
    assert report.ok, str(report)
    assert "all agree" in str(report)
    assert "forward dynamics: recursive, newton_euler" in repr(report)
    assert capsys.readouterr().out == "", "a library does not print"


def test_every_joint_and_passive_force_agrees():
    """Verify a tree with springs, dampers, armature and each kind of joint."""
    inertia = {"mass": 1.3, "com": (0.1, 0.2, -0.1), "inertia": (0.3, 0.4, 0.5, 0.01, 0.02, 0.03)}
    bodies = [
        ps.Body("a", joint=ps.Free(), **inertia),
        ps.Body("b", "a", ps.Revolute((1, 2, 3), damping=0.4, stiffness=2.0), **inertia),
        ps.Body("c", "a", ps.Prismatic((0, 1, 1), armature=0.3, rest=0.1), **inertia),
        ps.Body("d", "c", ps.Spherical(damping=0.2), ps.Pose((0.3, 0, 0)), **inertia),
        ps.Body("e", "d", ps.Fixed(), ps.Pose((0, 0.2, 0)), **inertia),
    ]
    assert ps.verify(ps.System("all joints", bodies)).ok


def test_closed_systems_that_hold_only_near_a_place():
    """Verify a rod that is hard to close by chance, links without mass and a drive in time."""
    bodies = [
        ps.Body("crank", joint=ps.Revolute("z"), mass=1.0, com=(0.1, 0, 0), inertia=(1, 1, 1)),
        ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.2, 0, 0))),
        ps.Body("slider", joint=ps.Prismatic("x"), mass=2.0, inertia=(1, 1, 1)),
    ]
    pin = ps.Loop(
        "pin", ("rod", (0.5, 0, 0)), ("slider", (0, 0, 0)),
        ps.Revolute("z", damping=0.1, stiffness=2.0),
    )  # fmt: skip
    motor = ps.PrescribedMotion("motor", "crank", "0.4 + 3*t")
    system = ps.System("slider-crank", bodies, loops=[pin], constraints=[motor])
    report = ps.verify(system, q=[0.4, -0.5, 0.6])
    assert report.ok, str(report)
    assert "assembled" in str(report)


def test_joints_that_rest_as_prescribed_agree():
    """A slide driven by sin(2 t) has no acceleration at t = 0, but rounding of that of the rod."""
    slide = ps.Body("slide", joint=ps.Prismatic("x"), mass=1.0)
    rod = ps.Body("rod", "slide", ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5),
                  inertia=(0.1, 0.1, 0.1))  # fmt: skip
    drive = ps.PrescribedMotion("drive", "slide", "sin(2*t)")
    report = ps.verify(ps.System("driven", [slide, rod], constraints=[drive]))
    assert report.ok, str(report)


def test_a_system_that_never_closes_is_reported():
    """Verify a rod that is too short: not ok, and the report says what to do."""
    arm = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, com=(1, 0, 0))
    rod = ps.Distance("rod", ("arm", (1, 0, 0)), ("world", (9, 0, 0)), 1.0)
    report = ps.verify(ps.System("apart", [arm], constraints=[rod]))
    assert not report.ok
    assert "give q= near one" in str(report)


def test_a_wrong_formulation_is_seen(monkeypatch):
    """Forget the Coriolis forces in one formulation."""
    kane = FORMULATIONS["kane"].algorithms
    (right,) = kane["bias"]
    wrong = Algorithm(lambda m, q, v, environment: right.compute(m, q, 0 * v, environment))
    monkeypatch.setitem(FORMULATIONS, "kane", Formulation({**kane, "bias": (wrong,)}))
    report = ps.verify(library.double_pendulum())
    assert not report.ok
    assert [check.name for check in report.checks if not check.ok] == ["bias: recursive, kane"]
    assert "DIFFERS" in str(report)


@dataclass(frozen=True, init=False, repr=False)
class Cam(AbstractJoint):
    """Turns about z and lifts by a sine of the angle; the rate of S is given by the test."""

    wrong: float

    kind: ClassVar[str] = "cam"
    nq: ClassVar[int] = 1
    nv: ClassVar[int] = 1
    q_units: ClassVar[tuple[str, ...]] = ("rad",)
    v_units: ClassVar[tuple[str, ...]] = ("rad/s",)

    def __init__(self, wrong):
        super().__init__()
        object.__setattr__(self, "wrong", wrong)

    def transform(self, q):
        R = np.array([[np.cos(q[0]), -np.sin(q[0]), 0], [np.sin(q[0]), np.cos(q[0]), 0], [0, 0, 1]])
        return Transform(R, np.array([0.0, 0.0, 0.3 * np.sin(q[0])]))

    def motion_subspace(self, q):
        return np.array([[0.0, 0.0, 0.3 * np.cos(q[0]), 0.0, 0.0, 1.0]]).T

    def motion_subspace_rate(self, q, v):
        rate = -self.wrong * 0.3 * np.sin(q[0]) * v[0]
        return np.array([[0.0, 0.0, rate, 0.0, 0.0, 0.0]]).T

    def position_rate(self, q, v):
        return np.array(v)

    def reaction_subspace(self, q):
        raise NotImplementedError

    def coordinates(self, X_JB):
        raise NotImplementedError

    def neutral(self):
        return np.zeros(1)

    def random(self, rng):
        return rng.uniform(-np.pi, np.pi, 1)


def test_a_wrong_joint_of_the_user_is_seen():
    """Give S of a joint of one's own a wrong rate: all formulations take it alike."""

    def follower(wrong):
        cam = ps.Body("cam", joint=Cam(wrong), mass=1.0, com=(0.1, 0, 0), inertia=(1, 1, 1))
        arm = ps.Body("arm", "cam", ps.Revolute("x"), mass=1.0, com=(0, 0.3, 0))
        return ps.System("follower", [cam, arm])

    assert ps.verify(follower(1.0)).ok
    wrong = [check.name for check in ps.verify(follower(0.0)).checks if not check.ok]
    assert "rate of S of cam joints by differences" in wrong
    assert not any("recursive," in name for name in wrong)


def test_large_closed_systems_compile_no_straight_code(monkeypatch):
    """Verify twelve loops at a regular state: floats and rolled forms only."""
    monkeypatch.setattr("poinsot.evaluate.kernel.LlvmKernel", None)
    report = ps.verify(library.n_four_bar(12), q=library.n_four_bar_state(12, angle=1.0)[0])
    assert report.ok, str(report)
    assert any("floats, rolled" in check.name for check in report.checks)


def test_singular_systems_are_reported():
    """Verify a joint that moves no mass: a report that is not ok, not an exception."""
    with pytest.warns(ps.ModelWarning, match="joint 'a' moves no mass"):
        system = ps.System("massless", [ps.Body("a", joint=ps.Revolute("x"))])
    report = ps.verify(system)
    assert not report.ok


def test_nan_never_agrees():
    """Check that a NaN difference is not accepted."""
    report = Report("s", 1, (Check("nothing", float("nan"), 1.0),))
    assert not report.ok


@pytest.mark.parametrize("method", ["screw_matrix", "kane", "newton_euler", "embedding"])
def test_methods_are_chosen_by_name(method):
    """Check each method through the public keywords, single and batched, with a moving base."""
    system = library.double_pendulum()
    rng = np.random.default_rng(2)
    q, v, tau = rng.normal(size=(3, 4, 2))
    keywords = {
        "base": ps.BaseMotion(velocity=rng.normal(size=6), acceleration=rng.normal(size=6)),
        "wrenches": {"lower": rng.normal(size=6)},
    }
    for name in ("inverse_dynamics", "forward_dynamics"):
        expected = getattr(system, name)(q, v, tau, **keywords)
        result = getattr(system, name)(q, v, tau, **keywords, method=method)
        np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-10)
    expected = system.bias(q[0], v[0], **keywords)
    np.testing.assert_allclose(system.bias(q[0], v[0], **keywords, method=method), expected)
    np.testing.assert_allclose(system.mass_matrix(q, method=method), system.mass_matrix(q))


def test_unknown_method_is_named():
    """Check the message about methods."""
    with pytest.raises(ps.PoinsotError, match="unknown method 'magic'; choose one of 'recursive'"):
        library.double_pendulum().mass_matrix([0.0, 0.0], method="magic")
    with pytest.raises(ps.PoinsotError, match="method 'kane' has no rolled form"):
        library.double_pendulum().mass_matrix([0.0, 0.0], method="kane", backend="rolled")
