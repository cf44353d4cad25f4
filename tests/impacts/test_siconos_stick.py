"""A stick that falls on a rough floor: numbers that Siconos publishes with its tutorials.

github.com/siconos/siconos-tutorials, examples/mechanics/ImpactingStick/ImpactingStick.ref, commit
b6c9bfd1940a: length 1 m, 1 kg, g = 10 m/s², e = 1, μ = 0.01, steps of 0.1 ms.  Restitution is one
of velocities, friction opposes the slip after the impact; in the first one it turns round.
"""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

STEP, G = 1e-4, 10.0
STICK = ps.System(
    "stick",
    [ps.Body("stick", joint=ps.Planar("x", "y"), mass=1.0, inertia=(1 / 12, 0, 1 / 12))],
    gravity=(0, -G, 0),
)
FLOOR = ps.Contact(
    ps.PointOnSurface("floor", ("stick", (0, -0.5, 0)), "y"), restitution=1.0, friction=0.01
)
IMPACTS = [  # rows of the table around each: q, v, then q, v, normal and tangential impulse
    (
        (0.323403390593277, 0.351402940593274, 0.791428163397421),
        (-0.5, -0.503000000000001, 0.1),
        (0.323353203651541, 0.35137128476689, 0.79151716453986),
        (-0.503738834723236, -0.130116527676411, 1.68002284879199),
        (0.37388347232359, 0.0037388347232359),
    ),
    (
        (0.271417729791555, 0.284808220763453, 0.964727520250348),
        (-0.503738834723236, -1.16111652767639, 1.68002284879199),
        (0.271367199486785, 0.284707701240424, 0.964972124921726),
        (-0.50686726067093, -0.849273932906975, 3.21207057875369),
        (0.312842594769416, 0.00312842594769416),
    ),
]
RATES = [0.467484654912627, 0.470940144068822]
"""How fast the end rises after each."""
SLIPS = [(-0.464858495117248, 0.0865932918665121), (-0.0252340155628751, 0.407673138479762)]
"""Velocity of the end along the floor before and after each."""


WORKS = [0.000707135538252869, 0.000108919300479577 - 0.000707135538252869]
"""Of friction, in each: positive in the first, where Newton's law creates energy."""


def newton(q, v, floor):
    """Return an impact by Newton's law, which says so where it creates energy."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*the contacts .*do work of", ps.ModelWarning)
        return ps.impact(STICK, q, v, [floor])


@pytest.mark.parametrize("number", [0, 1])
def test_the_impacts(number):
    """Velocities and impulses, but for what gravity does within a step of theirs."""
    q0, v0, q1, v1, (normal, tangential) = IMPACTS[number]
    q = np.add(q0, q1) / 2.0
    q[1] = 0.5 * np.cos(q[2])
    hit = newton(q, v0, FLOOR)
    least = G * STEP
    assert_allclose(hit.v, v1, rtol=1e-3, atol=least)
    assert_allclose(hit.rates["floor"], RATES[number], atol=least)
    assert_allclose(hit.impulses["floor"], normal, atol=least)
    assert_allclose(np.linalg.norm(hit.friction_impulses["floor"]), tangential, atol=0.01 * least)
    end = (0, -0.5, 0)
    for v, slip in zip((v0, hit.v), SLIPS[number], strict=True):
        along = STICK.velocity("stick", q, v, point=end, axes="world")[0]
        assert_allclose(along, slip, atol=2 * least)
    assert hit.sticks == ()
    assert_allclose(hit.works["floor"], WORKS[number], rtol=0.03)


def test_an_impact_of_one_step():
    """To the digits of the table: gravity acts before the impulse, the floor returns their rate."""
    _, v0, _, v1, impulses = IMPACTS[0]
    free = np.array(v0) - (0, G * STEP, 0)
    F_x, F_y, turn = (np.array(v1) - free) * (1, 1, 1 / 12)  # λ, and r × λ at the angle of the rows
    angle = np.arcsin(2 * turn / np.hypot(F_x, F_y)) - np.arctan2(F_x, F_y)  # r = (sin, -cos) / 2
    q = np.array([0.0, 0.5 * np.cos(angle), angle])
    before, after = (
        STICK.velocity("stick", q, v, point=(0, -0.5, 0), axes="world")[1] for v in (free, v1)
    )
    returned = ps.Contact(FLOOR.constraint, restitution=-after / before, friction=0.01)
    hit = newton(q, free, returned)
    assert_allclose(hit.v, v1, rtol=0, atol=1e-11)
    assert_allclose(hit.impulses["floor"], impulses[0], rtol=1e-10)


def test_the_run():
    """Both impacts at their times, and the state at the end, 0.2 s, to the error of their steps."""
    start = [0.5 * np.sin(np.pi / 4), 0.5 * np.cos(np.pi / 4) + 0.01, np.pi / 4]
    with pytest.warns(ps.ModelWarning, match="in an impact at 'floor' the contacts do work"):
        run = ps.simulate(STICK, start, [-0.5, 0.1, 0.1], duration=0.1636, contacts=[FLOOR])
    assert [event.name for event in run.events] == ["floor", "floor"]
    times = [event.t for event in run.events]
    assert_allclose(times, [0.0603, 0.1635], atol=5 * STEP)
    for event, (*_, v1, _) in zip(run.events, IMPACTS, strict=True):
        assert_allclose(event.v, v1, rtol=2e-2, atol=2 * G * STEP)
