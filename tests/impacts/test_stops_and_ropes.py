"""Ends of joints and ropes as contacts in runs: closed forms, and mistakes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

G, LENGTH = 9.81, 1.2


def swing(low, high):
    """Return a pendulum, a mass at LENGTH, with ends."""
    hinge = ps.Revolute("y", limits=ps.Limits(position=(low, high)))
    return ps.System("swing", [ps.Body("rod", joint=hinge, mass=1.3, com=(0, 0, -LENGTH))])


def test_pendulum_that_meets_a_stop_at_its_lowest_point():
    """Between bounces energy is kept, so that each speed is e times the one before."""
    e, q0 = 0.7, 1.0
    system = swing(0.0, np.inf)
    run = ps.simulate(
        system, [q0], [0.0], duration=5.0, contacts=ps.contacts_from_limits(system, e), rtol=1e-12
    )
    hardest = np.sqrt(2.0 * G / LENGTH * (1.0 - np.cos(q0)))
    assert len(run.events) == 4
    for k, event in enumerate(run.events):
        assert event.name == "rod.lower"
        assert_allclose(event.v_before, [-(e**k) * hardest], rtol=1e-9)
        assert_allclose(event.v, [e ** (k + 1) * hardest], rtol=1e-9)


def test_elastic_stops_keep_the_energy_over_a_hundred_bounces():
    system = swing(-0.5, 0.9)
    run = ps.simulate(
        system, [0.3], [9.0], duration=18.0, contacts=ps.contacts_from_limits(system, 1.0),
        rtol=1e-12, atol=1e-13,
    )  # fmt: skip
    names = [event.name for event in run.events]
    assert len(names) >= 100
    assert names[:4] == ["rod.upper", "rod.lower"] * 2
    energy = system.kinetic_energy(run.q, run.v) + system.potential_energy(run.q)
    kinetic = system.kinetic_energy([0.3], [9.0])
    assert np.ptp(energy) < 1e-10 * kinetic


def test_ropes_pull_when_they_are_taut():
    e, length = 0.5, 0.8
    bob = ps.System("bob", [ps.Body("bob", joint=ps.Prismatic("z"), mass=2.0)])
    line = ps.rope("line", ("world", (0, 0, 0)), ("bob", (0, 0, 0)), length, e)
    run = ps.simulate(bob, [-0.1], [0.0], duration=0.9, contacts=[line])
    fall, speed = np.sqrt(2 * (length - 0.1) / G), np.sqrt(2 * G * (length - 0.1))
    assert_allclose([event.t for event in run.events], [fall, (1 + 2 * e) * fall], rtol=1e-9)
    assert_allclose(run.events[0].v, [e * speed], rtol=1e-9)

    carts = [ps.Body(name, joint=ps.Prismatic("x"), mass=m) for name, m in (("a", 1.0), ("b", 3.0))]
    pair = ps.System("pair", carts, gravity=(0, 0, 0))
    tow = ps.rope("tow", ("a", (0, 0, 0)), ("b", (0, 0, 0)), 2.0, restitution=0.25)
    hit = ps.impact(pair, [0.0, 2.0], [0.0, 4.0], [tow])
    assert_allclose(hit.v[1] - hit.v[0], -1.0)
    assert_allclose(hit.v @ [1.0, 3.0], 12.0)


URDF = """<robot name="r"><link name="ground"/>
<link name="rod"><inertial><origin xyz="0 0 -1"/><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="elbow" type="revolute"><parent link="ground"/><child link="rod"/><axis xyz="0 1 0"/>
<limit lower="-0.5" upper="1.5" effort="10" velocity="2"/></joint></robot>"""


def test_limits_of_files_become_contacts(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(URDF)
    system = ps.load(path)
    contacts = ps.contacts_from_limits(system, {"elbow": 0.5})
    assert [contact.name for contact in contacts] == ["elbow.lower", "elbow.upper"]
    hit = ps.impact(system, [1.5], [2.0], contacts)
    assert_allclose(hit.v, [-1.0])
    assert hit.acted == ("elbow.upper",)


def two_ways():
    limited = ps.Cylindrical("z", limits=ps.Limits(position=(0, 1)))
    return ps.System("screw", [ps.Body("nut", joint=limited, mass=1.0, inertia=(1, 1, 1))])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ps.contacts_from_limits(ps.library.pendulum(), 1.0), "no joint has limits"),
        (lambda: ps.contacts_from_limits(swing(0, 1), 1.0, joints=["rid"]), "rod"),
        (lambda: ps.contacts_from_limits(swing(0, 1), {}), "'rod' is in joints, and restitution"),
        (lambda: ps.contacts_from_limits(swing(0, 1), 1.5), "from 0 to 1"),
        (lambda: ps.contacts_from_limits(two_ways(), 0.5), "has 2 coordinates"),
        (lambda: ps.rope("r", ("a", (0, 0, 0)), ("a", (1, 0, 0)), 1.0), "both ends are on 'a'"),
        (lambda: ps.rope("r", ("a", (0, 0, 0)), ("b", (1, 0, 0)), 0.0), "must be positive"),
    ],
)
def test_mistakes_are_told(call, message):
    with pytest.raises(ps.ModelError, match=message):
        call()


def test_stops_have_laws_as_contacts_do():
    """Two carts at their ends at once, by laws of their own in turn, and as printed."""
    ends = ps.Limits(position=(0.0, np.inf))
    carts = [ps.Body(name, joint=ps.Prismatic("x", limits=ends), mass=1.0) for name in "ab"]
    system = ps.System("carts", carts, gravity=(0, 0, 0))
    laws = {"a": "poisson", "b": "stronge"}
    stops = ps.contacts_from_limits(system, {"a": 0.5, "b": 0.25}, law=laws, order="sequential")
    assert [(stop.law, stop.order) for stop in stops] == [(x, "sequential") for x in laws.values()]
    run = ps.simulate(system, [1.0, 1.0], [-1.0, -1.0], 1.5, contacts=stops)
    assert_allclose(run.v[-1], [0.5, 0.25])
    printed = ps.contacts_from_limits(system, 0.5, law="printed")
    assert_allclose(ps.impact(system, [0, 0], [-1.0, -2.0], printed).v, [0.5, 1.0])
    with pytest.raises(ps.ModelError, match="joint 'b' is in joints, and law lacks it"):
        ps.contacts_from_limits(system, 0.5, law={"a": "poisson"})


def test_ropes_have_laws_as_contacts_do():
    """A bob that a rope stops as it lands on rough ground: one after the other, each by its law."""
    bob = ps.System("bob", [ps.Body("bob", joint=ps.Translation(), mass=2.0)])
    ground = ps.Contact(ps.PointOnSurface("ground", ("bob", (0, 0, 0)), "z"), 0.5, 0.2, "stronge",
                        "sequential")  # fmt: skip
    line = ps.rope("line", ("world", (0, 0, 0)), ("bob", (0, 0, 0)), 1.0, 0.25, law="poisson",
                   order="sequential")  # fmt: skip
    hit = ps.impact(bob, [1.0, 0, 0], [3.0, 0, -1.0], [ground, line])
    assert_allclose(
        hit.v, [-0.25 * 3.0 + 0.2 * 1.5, 0, 0.5]
    )  # the rope first, then the ground rubs
    run = ps.simulate(bob, [0.7, 0, 0.0], [3.0, 0, 0.5], 0.15, contacts=[ground, line])
    assert "line" in [event.name for event in run.events]
    at_once = ps.rope("line", ("world", (0, 0, 0)), ("bob", (0, 0, 0)), 1.0, 0.25)
    with pytest.raises(ps.ModelError, match=r"same order, got 'ground'.*'line'"):
        ps.impact(bob, [1.0, 0, 0], [3.0, 0, -1.0], [ground, at_once])
