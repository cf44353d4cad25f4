"""Constrained motions whose equations fit on one line."""

import numpy as np
import pytest

import poinsot as ps

SLOW = {"backend": "interpreter"}
G = 9.81


def particle(*constraints, mass=2.0):
    """Return a point that moves in space but for its constraints."""
    body = ps.Body("bead", joint=ps.Translation(), mass=mass)
    return ps.System("particle", [body], constraints=constraints)


def test_bead_on_a_helix():
    """Slide down (r cos s, r sin s, h s): d²s/dt² = -g h / (r² + h²), with drive and damping."""
    r, h, mass, damping, push = 0.5, 0.2, 2.0, 0.3, 1.7
    helix = ps.Curve((f"{r}*cos(s)", f"{r}*sin(s)", f"{h}*s"), (-3, 3))
    wire = ps.PointOnCurve("wire", ("bead", (0, 0, 0)), helix, damping=damping)
    system = particle(wire, mass=mass)
    s, rate = 0.8, 1.5
    at = helix.at(s)
    q, v = at.c, at.dc * rate
    drive = {"wire": [push]}
    a = system.forward_dynamics(q, v, drives=drive, **SLOW)
    expected = (-mass * G * h - damping * rate + push) / (mass * (r * r + h * h))
    assert system.loop_position("wire", q)[0] == pytest.approx(s)
    assert system.loop_velocity("wire", q, v)[0] == pytest.approx(rate)
    assert system.loop_acceleration("wire", q, v, a)[0] == pytest.approx(expected)


def test_bead_on_a_sphere_at_its_lowest_point():
    """Swing through the bottom of a bowl: the wall carries m (g + v² / R)."""
    R, speed, mass = 0.7, 1.3, 2.0
    bowl = ps.PointOnSurface("bowl", ("bead", (0, 0, 0)), f"x**2 + y**2 + z**2 - {R**2}")
    system = particle(bowl, mass=mass)
    q, v = [0.0, 0.0, -R], [speed, 0.0, 0.0]
    a = system.forward_dynamics(q, v, **SLOW)
    np.testing.assert_allclose(a, [0.0, 0.0, speed**2 / R], atol=1e-12)
    force = system.reactions(q, v, axes="world", **SLOW)["bowl"][:3]
    np.testing.assert_allclose(force, [0.0, 0.0, mass * (G + speed**2 / R)], atol=1e-10)


def test_rod_is_a_pendulum():
    """Hang a point on a rod: its pull is m (g cos θ + v² / L), the multiplier pushes."""
    L, angle, speed, mass = 0.9, 0.6, 2.0, 2.0
    system = particle(ps.Distance("rod", ("world", (0, 0, 0)), ("bead", (0, 0, 0)), L))
    out, along = np.array([np.sin(angle), 0, -np.cos(angle)]), np.array([np.cos(angle), 0, 0.0])
    along[2] = np.sin(angle)
    lam = system.multipliers(L * out, speed * along, **SLOW).values[0]
    assert lam == pytest.approx(-mass * (G * np.cos(angle) + speed**2 / L))


def test_gear_and_rack():
    """Drive wheel 1: (I1 + n² I2 + r² m) a = tau, with the forces on what follows."""
    wheels = [
        ps.Body("first", joint=ps.Revolute("z"), inertia=(0.2, 0.2, 0.3), mass=1.0),
        ps.Body("second", joint=ps.Revolute("z"), inertia=(0.2, 0.2, 0.2), mass=1.0),
        ps.Body("rack", joint=ps.Prismatic("x"), mass=4.0),
    ]
    n, r, tau = -0.5, 0.05, 1.2
    pair = ps.Gear("pair", "first", "second", n, offset=0.3)
    steering = ps.RackPinion("steering", "first", "rack", r)
    system = ps.System("gears", wheels, constraints=[pair, steering])
    q, v = [0.2, 0.3 - 0.1, 0.01], [1.0, n, r]
    a = system.forward_dynamics(q, v, [tau, 0, 0], **SLOW)
    expected = tau / (0.3 + n * n * 0.2 + r * r * 4.0)
    np.testing.assert_allclose(a, expected * np.array([1.0, n, r]), rtol=1e-12)
    lam = system.multipliers(q, v, [tau, 0, 0], **SLOW).values
    np.testing.assert_allclose(lam, [0.2 * n * expected, 4.0 * r * expected], rtol=1e-12)


def test_prescribed_motion_finds_its_force():
    """Move a slider as A sin(w t): the force is m d²x/dt²."""
    slider = ps.Body("slider", joint=ps.Prismatic("x"), mass=3.0)
    drive = ps.PrescribedMotion("drive", "slider", "0.4*sin(5*t)")
    system = ps.System("shaker", [slider], constraints=[drive])
    t = np.linspace(0.0, 1.0, 5)
    q, v = 0.4 * np.sin(5 * t)[:, None], 2.0 * np.cos(5 * t)[:, None]
    found = system.multipliers(q, v, t=t, **SLOW).values[:, 0]
    np.testing.assert_allclose(found, -30.0 * np.sin(5 * t), atol=1e-12)


def test_plane_by_a_formula():
    """Slide down z = x tan(slope)."""
    slope = 0.4
    plane = ps.FormulaConstraint(
        "plane", f"z - {float(np.tan(slope))!r}*x",
        where={"x": ("bead", (0, 0, 0), "x"), "z": ("bead", (0, 0, 0), "z")},
    )  # fmt: skip
    a = particle(plane).forward_dynamics(np.zeros(3), np.zeros(3), **SLOW)
    down = -G * np.sin(slope)
    np.testing.assert_allclose(a, [down * np.cos(slope), 0.0, down * np.sin(slope)], atol=1e-12)
