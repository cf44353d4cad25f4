"""Motions: limits, closed forms, splines, paths of tools, least time by dynamic programming."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from tests.random_examples import examples

ROUNDING = 1.0 + 1e-9
BLOCK = ps.System("block", [ps.Body("block", joint=ps.Prismatic("x"), mass=2.0)], gravity=(0, 0, 0))
LINE = ps.through_points([0, 1], [[0.0], [1.0]], kind="linear")
ARM = ps.from_dh("arm", [{"a": 0.5}, {"a": 0.4}], masses=[3, 2], coms=[(-0.25, 0, 0), (-0.2, 0, 0)],
                 inertias=[(0, 0.1, 0.1), (0, 0.05, 0.05)], gravity=(0, -9.81, 0))  # fmt: skip


@given(limits=st.tuples(*[st.floats(-2.0, 2.0)] * 3), span=st.floats(0.1, 10.0))
@settings(max_examples=examples(20), deadline=None)
def test_ramps_keep_limits_and_reach_their_end(limits, span):
    """Go some way with any limits: at rest at the end, the slower joint in step."""
    v, a, j = (10.0**x for x in limits)
    for kind, jerk in (("trapezoid", None), ("s_curve", j)):
        motion = ps.point_to_point(
            [0.0, 1.0], [span, 1.0 - span / 2], kind=kind, velocity=v, acceleration=a, jerk=jerk
        )
        t = motion.instants()
        assert_allclose(motion.end, [span, 1.0 - span / 2], rtol=1e-9)
        assert_allclose(motion.velocity(motion.times[-1]), 0.0, atol=1e-6 * v)
        assert np.abs(motion.velocity(t)).max() <= v * ROUNDING
        assert np.abs(motion.acceleration(t)).max() <= a * ROUNDING
        if jerk:
            assert np.abs(motion.jerk(t)).max() <= j * ROUNDING


def test_durations_are_the_closed_forms():
    """L/v + v/a of a trapezoid, and a/j more of an S-curve; peaks of polynomials."""
    limits = {"velocity": 1.0, "acceleration": 2.0}
    assert_allclose(ps.point_to_point([0], [3], kind="trapezoid", **limits).duration, 3.5)
    s_curve = ps.point_to_point([0], [3], kind="s_curve", jerk=8.0, **limits)
    assert_allclose(s_curve.duration, 3.75)
    assert_allclose(s_curve.slower(2.0).jerk(0.0), 1.0)
    for kind, peak in (("cubic", 1.5), ("quintic", 1.875)):
        motion = ps.point_to_point([0.0], [2.0], kind=kind, velocity=0.5)
        assert_allclose(motion.velocity(motion.duration / 2), 0.5)
        assert_allclose(motion.duration, 4.0 * peak)
    with pytest.raises(ps.ModelError, match="too short for the limits; at least 6"):
        ps.point_to_point([0.0], [2.0], 5.0, kind="cubic", velocity=0.5)


def test_splines_pass_through_points_and_are_smooth():
    """Left and right derivatives agree where pieces meet; ends are at rest."""
    rng = np.random.default_rng(2)
    t, q = np.array([0.0, 0.7, 1.0, 2.2]), rng.normal(size=(4, 2))
    for kind, smooth in (("cubic", 3), ("quintic", 5)):
        motion = ps.through_points(t, q, kind=kind)
        assert_allclose(motion.position(t), q, atol=1e-12)
        for order in range(1, smooth):
            left, right = motion.derivative(order, t[1:3] - 1e-9), motion.derivative(order, t[1:3])
            assert_allclose(left, right, atol=1e-5 * (1.0 + np.abs(right).max()))
        assert_allclose(motion.velocity(t[[0, -1]]), 0.0, atol=1e-11)


def test_a_law_contains_a_motion():
    """Traced, a motion of several pieces and its derivatives are those of the numbers."""
    motion = ps.through_points([0.0, 0.3, 0.6], [[0.1, 0.2], [0.5, -0.1], [0.3, 0.3]])
    law = ps.control(ARM, motion, poles=(-5, -6))
    t = np.array([-0.1, 0.1, 0.45, 0.7])
    state = law.at(t, np.zeros((4, 2)), np.zeros((4, 2)))
    assert_allclose(state.f, -motion.position(t), atol=1e-14)
    assert_allclose(state.rate, -motion.velocity(t), atol=1e-13)
    assert_allclose(state.bias, -motion.acceleration(t), atol=1e-12)
    t = np.linspace(0.0, 0.6, 13)
    q, v, a = motion.signals(0.01)
    for signal, order, near in ((q, 0, 1e-12), (v, 1, 1e-9), (a, 2, 1e-9)):
        assert_allclose(signal(t), motion.derivative(order, t), atol=near * 100)


def test_least_time_of_a_block_is_bang_bang():
    """2 sqrt(L / a), with a limit of speed L/v + v/a; the force is at its limit throughout."""
    motion = ps.time_optimal(BLOCK, LINE, effort=8.0)
    assert_allclose(motion.duration, 1.0, rtol=1e-9)
    assert_allclose(np.abs(motion.loads(BLOCK).tau), 8.0)
    limited = ps.time_optimal(BLOCK, LINE, acceleration=4.0, velocity=0.8, points=400)
    assert_allclose(limited.duration, 1.0 / 0.8 + 0.8 / 4.0, rtol=1e-3)


@pytest.fixture(scope="module")
def arm_path():
    """A path of the planar arm through four configurations."""
    return ps.through_points([0, 1, 2, 3], [[0, 0.3], [0.7, 1.2], [1.2, 0.4], [0.6, 1.5]])


def test_least_time_of_an_arm_is_that_of_dynamic_programming(arm_path):
    """All speeds on a fine grid, joint forces at both ends of each step: no sequence is faster."""
    effort, points = np.array([40.0, 15.0]), 30
    motion = ps.time_optimal(ARM, arm_path, effort=effort, points=points)
    s = np.linspace(0.0, 3.0, points + 1)
    x = np.linspace(0.0, 50.0, 401)
    least = np.zeros_like(x)  # the path stands still at its ends, at any speed
    q, first, second = (arm_path.derivative(k, np.minimum(s, 3.0 - 1e-12)) for k in range(3))
    still = np.zeros_like(q)
    g = ARM.inverse_dynamics(q, still, still)
    m, b = ARM.inverse_dynamics(q, still, first) - g, ARM.inverse_dynamics(q, first, second) - g
    step = s[1]
    for i in range(points - 1, -1, -1):
        u = (x[None, :] - x[:, None]) / (2.0 * step)
        forces = [m[i] * u[..., None] + b[i] * x[:, None, None] + g[i],
                  m[i + 1] * u[..., None] + b[i + 1] * x[None, :, None] + g[i + 1]]  # fmt: skip
        allowed = np.all([(np.abs(f) <= effort).all(axis=-1) for f in forces], axis=0)
        with np.errstate(divide="ignore"):
            time = 2.0 * step / (np.sqrt(x)[:, None] + np.sqrt(x)[None, :])
        least = np.where(allowed, time + least, np.inf).min(axis=1)
    assert motion.duration < 1.005 * least.min()
    assert motion.duration > 0.97 * least.min()


def test_limits_hold_on_a_finer_grid(arm_path):
    """Ten times as densely as the grid: forces, velocities, accelerations, and jerk if limited."""
    effort, limits = np.array([40.0, 15.0]), {"velocity": 2.0, "acceleration": 15.0}
    motion = ps.time_optimal(ARM, arm_path, effort=effort, points=60, **limits)
    smooth = ps.time_optimal(ARM, arm_path, effort=effort, points=60, jerk=300.0, **limits)
    for each in (motion, smooth):
        loads = each.loads(ARM, each.instants(11))
        assert (loads.peak() <= effort * ROUNDING).all()
        assert np.abs(loads.v).max() <= 2.0 * ROUNDING
        assert np.abs(loads.a).max() <= 15.0 * ROUNDING
        assert_allclose(each.end, arm_path.end, atol=1e-12)
    assert np.abs(smooth.jerk(smooth.instants())).max() <= 300.0 * ROUNDING
    assert motion.duration < smooth.duration < 1.5 * motion.duration
    steady = ps.time_optimal(ARM, arm_path, effort=effort, points=60, effort_rate=400.0)
    t = np.linspace(0.0, steady.duration, 2001)
    rates = np.diff(steady.loads(ARM, t).tau, axis=0) / t[1]
    assert 350.0 < np.abs(rates).max() <= 400.0 * 1.01
    best = ps.point_to_point([0.0], [1.0], kind="s_curve", velocity=1, acceleration=2, jerk=10)
    near = ps.time_optimal(BLOCK, LINE, velocity=1.0, acceleration=2.0, jerk=10.0)
    assert best.duration <= near.duration * ROUNDING < 1.05 * best.duration


def test_paths_of_tools_have_their_lengths_and_joints_follow_them():
    """A quarter of a circle; a corner blended by an arc; the hand of the arm stays on its path."""
    quarter = ps.ToolPath([1.0, 0, 0]).arc([np.sqrt(0.5), np.sqrt(0.5), 0], [0, 1.0, 0])
    assert_allclose(quarter.length, np.pi / 2)
    assert_allclose(np.linalg.norm(quarter.pose(np.linspace(0, 1.5, 7))[:, :3, 3], axis=1), 1.0)
    corner = ps.ToolPath([0.3, 0.1, 0]).line([0.3, 0.5, 0]).line([0.6, 0.5, 0], blend=0.1)
    assert_allclose(corner.length, 0.3 + 0.2 + 0.1 * np.pi / 2)
    s = np.linspace(0.0, corner.length, 301)
    gaps = np.linalg.norm(np.diff(corner.pose(s)[:, :3, 3], axis=0), axis=1)
    assert_allclose(gaps, s[1], rtol=1e-4)
    joints = corner.joints(ARM, "link 2", [0.2, 1.0])
    hand = ARM.pose("link 2", joints.position(s))[:, :3, 3]
    assert np.abs(hand - corner.pose(s)[:, :3, 3]).max() < 3e-5
    X, Y = np.eye(4), np.eye(4)
    Y[:3, :3], Y[:3, 3] = ps.Pose(axis="z", angle=1.0).transform().R, (0.0, 2.0, 0.0)
    half = ps.ToolPath(X).line(Y).pose(1.0)
    assert_allclose(half[:3, :3], ps.Pose(axis="z", angle=0.5).transform().R, atol=1e-12)


C = np.sqrt(0.5)
QUARTER = ps.ToolPath([1.0, 0, 0]).arc([C, C, 0], [0, 1.0, 0])


@pytest.mark.parametrize(
    "path",
    [
        QUARTER.line([-1, 1.5, 0.3], blend=0.2),
        QUARTER.line([-1, 1, 0], blend=0.1),
        ps.ToolPath([0, 0, 0]).line([1, 0, 0]).arc([1.5, 0.5, 0], [1, 1, 0], blend=0.2),
        QUARTER.arc([-0.5, 1.2, 0.3], [-1, 1, 0], blend=0.2),
    ],
    ids=["arc, line", "tangent", "line, arc", "arcs"],
)
def test_blends_of_arcs_keep_speed_direction_and_curvature(path):
    """Walk along: a unit of path per unit of s, and no jump of the first two derivatives."""
    s, step = np.linspace(0.0, path.length, 8001, retstep=True)
    p = path.pose(s)[:, :3, 3]
    rate = np.diff(p, axis=0) / step
    assert_allclose(np.linalg.norm(rate, axis=1), 1.0, atol=1e-6)
    bend = np.diff(rate, axis=0) / step
    assert np.linalg.norm(bend, axis=1).max() < 6.0
    assert np.abs(np.diff(bend, axis=0)).max() < 0.03  # a corner has 1 / step, an arc's end 1
    assert 0.1 < path.pieces[1].length < 0.41


def test_attitudes_of_blends_turn_smoothly():
    """Two pieces that turn about different axes: angular velocities meet at both ends."""
    poses = [ps.Pose((0.0, 1.0, 0.0), axis="z", angle=1.0), ps.Pose((1, 1, 0), axis="x", angle=0.8)]
    path = ps.ToolPath(ps.Pose()).line(poses[0]).line(poses[1], blend=0.3)
    s, step = np.linspace(0.0, path.length, 4001, retstep=True)
    R = path.pose(s)[:, :3, :3]
    W = np.swapaxes(R[:-1], 1, 2) @ R[1:]
    w = np.stack(
        [W[:, 2, 1] - W[:, 1, 2], W[:, 0, 2] - W[:, 2, 0], W[:, 1, 0] - W[:, 0, 1]], axis=1
    )
    w = w / (2.0 * step)
    assert_allclose(w[0], [0, 0, 1.0], atol=1e-5)  # 1 rad per metre
    assert np.abs(np.diff(w, axis=0)).max() < 0.02
    assert_allclose(R[-1], poses[1].transform().R, atol=1e-12)
    first, blend, last = path.pieces
    assert_allclose(blend.end[1], last.R, atol=1e-12)
    assert_allclose(blend.R, first.end[1], atol=1e-12)


def test_mistakes_are_named(arm_path):
    """Weights, limits, corners, kinds and lengths."""
    with pytest.raises(ps.ModelError, match="'link 1' cannot hold the weight"):
        ps.time_optimal(ARM, arm_path, effort=5.0)
    with pytest.raises(ps.ModelError, match="give limits"):
        ps.time_optimal(ARM, arm_path)
    bent = ps.through_points([0, 1, 2], [[0, 0], [1, 0], [1, 1]], kind="linear")
    with pytest.raises(ps.ModelError, match="corner at s = 1"):
        ps.time_optimal(ARM, bent, effort=40.0)
    with pytest.raises(ps.ModelError, match=r"path must be q\(s\).* got ToolPath"):
        ps.time_optimal(ARM, ps.ToolPath([0, 0, 0]), effort=40.0)
    with pytest.raises(ps.ModelError, match="effort must be real numbers, got '8 N'"):
        ps.time_optimal(ARM, arm_path, effort="8 N")
    with pytest.raises(ps.ModelError, match="start must be finite"):
        ps.point_to_point([np.nan], [1.0], 1.0)
    with pytest.raises(ps.ModelError, match="duration must be positive, got -1"):
        ps.point_to_point([0.0], [1.0], -1)
    with pytest.raises(ps.ModelError, match="points must be finite"):
        ps.through_points([0, 1], [[0.0], [np.nan]])
    with pytest.raises(ps.ModelError, match="'s_curve'"):
        ps.point_to_point([0], [1], kind="scurve")
    with pytest.raises(ps.ModelError, match="needs a limit of acceleration"):
        ps.point_to_point([0], [1], kind="trapezoid", velocity=1.0)
    with pytest.raises(ps.ModelError, match="blend must be shorter"):
        ps.ToolPath([0, 0, 0]).line([1, 0, 0]).line([1, 1, 0], blend=2.0)
    with pytest.raises(ps.ModelError, match="no piece before"):
        ps.ToolPath([0, 0, 0]).line([1, 0, 0], blend=0.1)
    turned = ps.ToolPath(ps.Pose()).line(ps.Pose(axis="z", angle=1.0))
    with pytest.raises(ps.ModelError, match="only turns the tool has no corner"):
        turned.line([1, 0, 0], blend=0.1)
    with pytest.raises(ps.ModelError, match=r"it has a start only; add pieces, path\.line"):
        ps.ToolPath([0, 0, 0]).pose(0.1)
    with pytest.raises(ps.ShapeError, match=r"start with a pose, .* got \(3, 3\)"):
        ps.ToolPath(np.eye(3))
    with pytest.raises(ps.ModelError, match=r"out of reach"):
        ps.ToolPath([0.8, 0, 0]).line([2.0, 0, 0]).joints(ARM, "link 2", [0.1, 0.2])
    long = ps.time_optimal(BLOCK, LINE, effort=8.0)
    with pytest.raises(ps.ModelError, match="signals"):
        ps.control(BLOCK, long, poles=(-1, -2)).at(0.0, [0.0], [0.0])
