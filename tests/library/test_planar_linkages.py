"""Planar linkages of rods with one degree of freedom, by energies of rods between known points."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.library import (
    hoberman_ring,
    hoberman_ring_configuration,
    jansen_leg,
    jansen_leg_configuration,
    peaucellier,
    peaucellier_configuration,
    scissor_lift,
    scissor_lift_configuration,
    stephenson,
    stephenson_configuration,
    watt,
    watt_configuration,
)
from tests.library.one_degree import acceleration
from tests.library.published import case

G, DENSITY = 9.81, 1.7


def crossing(A, a, B, b, side):
    """Return the point at distances a of A and b of B, left (1) or right (-1) of A B."""
    d = abs(B - A)
    x = (d**2 + a**2 - b**2) / (2 * d)
    return A + (B - A) / d * mpmath.mpc(x, side * mpmath.sqrt(a**2 - x**2))


def turn(angle):
    return mpmath.mpc(mpmath.cos(angle), mpmath.sin(angle))


def six_bar(s, lengths, point, ground, pivot, carrier):
    r1, r2, r3, r4, r5 = lengths
    A = r1 * turn(s)
    B = crossing(A, r2, ground, r3, 1)
    start, end, size = (ground, B, r3) if carrier == "rocker" else (A, B, r2)
    C = start + point * (end - start) / size
    D = crossing(C, r4, pivot, r5, 1)
    return [mpmath.mpc(0), A, B, mpmath.mpc(ground), C, D, mpmath.mpc(pivot)]


WATT = ([0.10, 0.30, 0.25, 0.40, 0.22], 0.15 - 0.12j, 0.30 + 0j, 0.75 + 0.05j, "rocker")
STEPHENSON = ([0.10, 0.30, 0.25, 0.35, 0.25], 0.20 + 0.15j, 0.30 + 0j, 0.50 + 0.05j, "coupler")
HOLY = {key: 0.01 * value for key, value in case("kin-jansen")["model"]["lengths"].items()}


def jansen(s):
    A, B = HOLY["m"] * turn(s), mpmath.mpc(-HOLY["a"], -HOLY["l"])
    C = crossing(A, HOLY["j"], B, HOLY["b"], -1)
    D = crossing(B, HOLY["d"], C, HOLY["e"], 1)
    E = crossing(A, HOLY["k"], B, HOLY["c"], 1)
    F = crossing(D, HOLY["f"], E, HOLY["g"], -1)
    return [mpmath.mpc(0), A, B, C, D, E, F, crossing(E, HOLY["i"], F, HOLY["h"], 1)]


def inversor(s):
    Q, O = mpmath.mpc(0.25), mpmath.mpc(0)
    B = Q + 0.25 * turn(s)
    A, C = crossing(O, 0.5, B, 0.2, 1), crossing(O, 0.5, B, 0.2, -1)
    return [O, Q, A, B, C, A + C - B]


def lift(s):
    """Return left and right pins from the feet upwards, bars at the angle s."""
    x, y = mpmath.cos(s), mpmath.sin(s)
    sides = [[mpmath.mpc(0, k * y), mpmath.mpc(x, k * y)] for k in range(4)]
    return [point for pair in sides for point in pair] + [mpmath.mpc(1, 3 * y)]


def ring(s):
    """Return the bends of four pairs and the pins between them, outer and inner."""
    a, r = mpmath.pi / 4, 0.3
    bends = [r * mpmath.cos(s) / mpmath.sin(a) * turn(2 * a * i) for i in range(4)]
    pins = [
        r * (mpmath.cos(s) / mpmath.tan(a) + sign * mpmath.sin(s)) * turn(2 * a * i + a)
        for sign in (1, -1)
        for i in range(4)
    ]
    return bends + pins


SIX = [(0, 1), (1, 2), (3, 2), (4, 5), (6, 5)]
RING = [(i, 4 + i) for i in range(4)] + [(i, 8 + (i - 1) % 4) for i in range(4)]
RING += [(i, 8 + i) for i in range(4)] + [(i, 4 + (i - 1) % 4) for i in range(4)]

LINKAGES = {
    "watt": (
        watt(density=DENSITY), watt_configuration, lambda s: six_bar(s, *WATT),
        [*SIX, (3, 4), (2, 4)], [], 0.7, 0,
    ),
    "stephenson": (
        stephenson(density=DENSITY), stephenson_configuration, lambda s: six_bar(s, *STEPHENSON),
        [*SIX, (1, 4), (2, 4)], [], 0.7, 0,
    ),
    "jansen": (
        jansen_leg(density=DENSITY), jansen_leg_configuration, jansen,
        [(0, 1), (1, 3), (2, 3), (3, 4), (2, 4), (1, 5), (2, 5), (5, 6), (6, 7), (5, 7), (4, 6)],
        [], 1.0, 0,
    ),
    "peaucellier": (
        peaucellier(density=DENSITY), peaucellier_configuration, inversor,
        [(1, 3), (0, 2), (0, 4), (2, 3), (4, 3), (2, 5), (4, 5)], [], 0.4, 0,
    ),
    "scissor lift": (
        scissor_lift(3, density=DENSITY, platform=DENSITY, foot=0.8),
        lambda s: scissor_lift_configuration(3 * np.sin(s), 3), lift,
        [(0, 3), (1, 2), (2, 5), (3, 4), (4, 7), (5, 6), (6, 8)], [(1, 0.8), (7, 0.8)], 0.8, 1,
    ),
    "hoberman ring": (
        hoberman_ring(4, density=DENSITY, carriage=0.2),
        lambda s: hoberman_ring_configuration(s, 4), ring,
        RING, [(i, 0.2) for i in range(4)], 0.3, 2,
    ),
}  # fmt: skip
"""System, closed form, points, rods between them, masses in points, s, and its number in q."""


@pytest.mark.parametrize("name", LINKAGES)
def test_accelerations_are_those_of_one_degree(name):
    """Check mobility, closed form, velocities and free accelerations."""
    system, configuration, points, rods, masses, s, index = LINKAGES[name]
    rate = 2.0
    q = configuration(s)
    assert_allclose(system.constraint_residual(q), np.zeros(len(system.row_names)), atol=1e-14)
    assert (system.mobility(q).degrees, system.finite_mobility(q)) == (1, 1)
    joint = system.velocity_names[index]
    v = system.consistent_velocity(q, rate * np.eye(system.nv)[index], joints=[joint])

    def places(x):
        return [(p.real, p.imag, mpmath.mpf(0)) for p in points(x)]

    here = np.array([complex(p) for p in points(mpmath.mpf(s))])
    heavy = [(i, j, DENSITY * abs(here[i] - here[j])) for i, j in rods]
    heavy += [(i, i, mass) for i, mass in masses]
    gravity = system.gravity
    second = acceleration(places, heavy, s, rate, gravity)
    assert_allclose(sum(m for *_, m in heavy), sum(body.mass for body in system.bodies))
    a = system.forward_dynamics(q, v)
    assert_allclose(a[index], second, rtol=1e-9, atol=1e-9)


def test_peaucellier_draws_a_straight_line():
    """Check x and y of the pin D: it is the inverse of B in a circle about the origin."""
    linkage = peaucellier()
    for angle in (-1.5, -0.6, 0.0, 0.9, 1.8):
        q = peaucellier_configuration(angle)
        D = (linkage.pose("rod AD", q) @ [0.2, 0, 0, 1])[:2]
        height = (0.5**2 - 0.2**2) / 0.5 * np.tan(angle / 2)
        assert_allclose(D, [0.42, height], atol=1e-14)


@pytest.mark.parametrize("stages", [1, 2, 4])
def test_scissor_lift_by_virtual_work(stages):
    """Check height and holding force -N (N m + M) g cot(θ) of the foot."""
    lift = scissor_lift(stages, length=0.8, density=3.0, platform=25.0, foot=1.5)
    height = 0.5 * stages
    q, still = scissor_lift_configuration(height, stages, length=0.8), np.zeros(2 * stages + 3)
    pose = lift.pose("platform", q)
    assert_allclose(pose[:2, 3], [0, height], atol=1e-14)
    assert_allclose(pose[:3, :3], np.eye(3), atol=1e-14)
    tau = lift.inverse_dynamics(q, still, still, joints=["foot"])
    angle = np.arcsin(height / stages / 0.8)
    held = -stages * (stages * 3.0 * 0.8 + 26.5) * G / np.tan(angle)
    assert_allclose(tau, [held, *still[1:]], rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("n", [3, 5])
def test_hoberman_ring_opens_as_known(n):
    """Check the radii of pins of a driven ring against the closed form."""
    ring, arm, a = hoberman_ring(n, arm=0.4), 0.4, np.pi / n
    q = ring.assemble(hoberman_ring_configuration(0.2, n, arm=0.4) + 0.01, joints=["right 0"])
    psi = q[2]
    outer = ring.pose("left 1", q) @ [*(-arm * np.sin(a), arm * np.cos(a)), 0, 1]
    inner = ring.pose("right 1", q) @ [*(-arm * np.sin(a), arm * np.cos(a)), 0, 1]
    for place, sign in ((outer, 1), (inner, -1)):
        radius = arm * (np.cos(psi) / np.tan(a) + sign * np.sin(psi))
        angle = 3 * a
        assert_allclose(place[:2], radius * np.array([np.cos(angle), np.sin(angle)]), atol=1e-12)
    mobility = ring.mobility(q)
    assert (mobility.degrees, mobility.rank) == (1, 3 * n - 1)
