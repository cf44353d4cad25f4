"""What users get wrong about laws, arms, sections and motions: each with its remedy."""

import numpy as np
import pytest

import poinsot as ps

ARM = ps.library.n_link_pendulum(2)
TIP = ps.FormulaConstraint("tip", ["x - 0.3"], {"x": ("rod 2", (0, 0, -1), "x")})
GAINS = {"poles": (-4, -5)}
ENDS = (0, 0, 0), (0, 0, -1)
BAR = ps.Bar("rod 1", *ENDS, 1.0)
PATH = ps.through_points([0, 1], [[0.0, 0.0], [1.0, 1.0]])
SPEED = ps.PrescribedSpeed("spin", "rod 1", 1.0)
Q = np.array([0.3, 0.5])


def accuracy(**given):
    """Return the accuracy of the arm's end."""
    return ps.accuracy(ARM, "rod 2", Q, (0, 0, -1), **given)


MISTAKES = {
    "model": (lambda: ps.control("arm", TIP, **GAINS), "must be a System, got 'arm'"),
    "posture": (lambda: ps.control(ARM, Q, **GAINS), r"e\.g\. lambda t: q, got ndarray"),
    "signal": (
        lambda: ps.control(ARM, ps.Signal([0, 1], [Q, Q]), **GAINS),
        r"a Signal has no two derivatives.* ps\.through_points",
    ),
    "plant": (
        lambda: ps.library.puma560().export("c", ps.control(ARM, lambda t: Q, **GAINS)),
        r"'pendulum of 2 links' with 2 coordinates and 2 velocities, got \(6,\) and \(6,\)",
    ),
    "picture": (
        lambda: ps.control(ARM, lambda t: Q, **GAINS).plot("law.png"), "plot takes a run first"
    ),
    "run of links": (lambda: ps.link_loads(PATH, Q, Q, Q), "give the system first"),
    "weights": (lambda: ps.control(ARM, TIP, weights=3), r"e\.g\. \(100, 1, 1\), got 3"),
    "speed": (lambda: ps.control(ARM, SPEED, **GAINS), "'spin' constrains velocities"),
    "pose": (
        lambda: ps.control(ARM, ps.pose_programme(ARM, "rod 2", lambda t: np.eye(4)), **GAINS),
        r"the wanted pose must be \(position, rotation\)",
    ),
    "states": (
        lambda: ps.control(ARM, lambda t: Q, **GAINS).at(0, np.zeros((3, 2)), np.zeros((2, 2))),
        r"do not broadcast to one another: t \(\), q \(3,\), v \(2,\)",
    ),
    "wanted": (
        lambda: ps.pd_gravity(ARM, lambda t: [0.0], position_gain=1, rate_gain=1)(0, Q, Q),
        r"wanted\(t\) must give 2 numbers, got shape \(1,\)",
    ),
    "impedance": (
        lambda: ps.impedance(ARM, TIP, stiffness=1, damping=1, redundancy="call"),
        "numbers or a function",
    ),
    "noise": (lambda: ps.noisy_law(TIP, ARM, 1.0), "the law first"),
    "negative noise": (
        lambda: ps.noisy_law(lambda t, q, v: q, ARM, 1.0, rate=-1.0),
        "rate must be a deviation, not negative, or 2 of them, got -1",
    ),
    "centring": (lambda: ps.centring(ARM, damping="much"), "damping must be real numbers"),
    "limits": (lambda: ps.away_from_limits(3), "give the system first, got 3"),
    "regulator": (lambda: ps.lqr(3), "a system with q, or a run, got 3"),
    "weight": (lambda: ps.lqr(ARM, Q * 0, state_weight="a"), "state_weight must be real numbers"),
    "tool": (
        lambda: ps.inverse_kinematics(ARM, {("rod 2",): (0, 0, -1)}),
        r"\(body, point\) or \(body, Pose\), got \('rod 2',\)",
    ),
    "starts": (
        lambda: ps.inverse_kinematics(ARM, {"rod 2": (0, 0, -1)}, starts=0),
        "starts must be a whole number of 1 or more",
    ),
    "links": (lambda: accuracy(links=[BAR]), r"links must be \[\(bar, \(EA, GJ"),
    "tau": (lambda: accuracy(tau=[1.0]), r"tau must have shape \(\.\.\., 2\)"),
    "sigmas": (lambda: accuracy(joint_errors=1e-3).ellipsoid(0), "sigmas must be positive, got 0"),
    "errors": (lambda: accuracy().displacements([1, 2]), r"errors must have shape \(n, 2\)"),
    "order": (lambda: PATH.derivative(-1, 0.0), "order of a derivative must be a whole number"),
    "times": (lambda: PATH.position("start"), "times must be real numbers, got 'start'"),
    "step": (lambda: PATH.signals(step=-1), "step must be positive, got -1 s"),
    "via": (lambda: ps.ToolPath([0, 0, 0]).arc([1, 0], [2, 0, 0]), "via must have 3 numbers"),
    "a bar": (lambda: ARM.section_load(BAR, Q, Q), r"one section, bar\.section\(s\)"),
    "a frame": (lambda: ARM.section_motion(BAR, Q, Q, Q), r"one section, bar\.section\(s\)"),
    "gyration": (lambda: ps.Bar("rod 1", *ENDS, 1.0, gyration=3.0), "gyration must have 2"),
    "y": (lambda: ps.Bar("rod 1", *ENDS, 1.0, y=(0, 1)), "y must have 3 numbers"),
    "density": (lambda: ps.Bar("rod 1", *ENDS, lambda s: "heavy"), "at s = 0 m must be real"),
    "shape": (lambda: ps.Bar.of("rod 1"), r"takes a Body, system\.bodies\[k\]"),
    "mass": (lambda: ps.Section("rod 1", mass="heavy"), "mass must be real numbers"),
    "run": (lambda: ps.effort(ARM), "give a run"),
    "table": (lambda: ps.from_joint_table("arm", 3), r"one row \(n, O, theta\)"),
    "payload": (
        lambda: ps.link_loads(
            ps.System("arm", [ps.Body("rod", joint=ps.Revolute("y"), mass=ps.symbols("m"))]),
            [0.0], [0.0], [0.0],
        ),
        r"'rod' has free parameters; give them numbers: system\.with_parameters",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    """Make it, and read what to do."""
    mistake, message = MISTAKES[name]
    with pytest.raises(ps.PoinsotError, match=message):
        mistake()
