"""What comes from a System goes with its links: other drivers, further forces, parts and units."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from tests.front.test_planar_elements import ELEMENTS, ROD, four_bar
from tests.front.test_planar_given_numbers import driven_four_bar

make = ps.PlanarMechanism.from_system


def closed(system, crank=0.8):
    """Return a configuration, rates and forces of the four-bar."""
    q = system.assemble([crank, 0.3, -1.2], joints=["crank"])
    return q, system.consistent_velocity(q, [2.0, 0, 0], joints=["crank"])


@pytest.mark.parametrize("name", ELEMENTS)
def test_other_drivers_move_the_same_system(name):
    """Check accelerations of the rocker, driven, against the closed system."""
    system = four_bar(ELEMENTS[name])
    q, v = closed(system)
    tau = np.array([0.0, 0.0, 0.9])
    other = make(system, ["crank"], q).with_drivers(["rocker"])
    assert np.allclose(other.drawn, q[2:])
    expected = system.forward_dynamics(q, v, tau, backend="floats")
    found = other.forward_dynamics(q[2:], v[2:], tau[2:])
    assert np.allclose(found, expected[2:], rtol=1e-9)
    back = other.with_drivers(["crank"])
    again = back.forward_dynamics(back.drawn, v[:1], [0.0])
    free = system.forward_dynamics(q, v, 0 * tau, backend="floats")[:1]
    assert np.allclose(again, free, rtol=1e-9)


def test_further_forces_add_to_those_of_the_system():
    """Check stiffness and damping of joints and a spring beside an element."""
    system = four_bar(ELEMENTS["slanted"])
    q, v = closed(system)
    units = make(system, ["crank"], q)
    more = units.with_forces(
        [{"id": "s", "a": "crank", "pa": (0.05, 0), "b": "rocker", "pb": (0.1, 0), "k": 30.0}],
        {"rod": {"k": 4.0, "c": 0.2, "rest": 0.1}},
    )
    at, rate, a = q[:1], v[:1], np.array([0.4])
    poses, rates = units.positions(at), units.velocities(at, rate)
    added = more.inverse_dynamics(at, rate, a) - units.inverse_dynamics(at, rate, a)
    ends, speeds = [], []
    for link, point in (("crank", (0.05, 0)), ("rocker", (0.1, 0))):
        x, y, angle = poses[link]
        c, s = np.cos(angle), np.sin(angle)
        r = np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])
        ends.append(np.array([x, y]) + r)
        speeds.append(rates[link][:2] + rates[link][2] * np.array([-r[1], r[0]]))
    apart, closing = ends[1] - ends[0], speeds[1] - speeds[0]
    power = 30.0 * apart @ closing
    joint = rates["rod"][2] - rates["crank"][2]
    power += (4.0 * (q[1] - 0.1) + 0.2 * joint) * joint
    assert np.isclose(added[0] * rate[0], power, rtol=1e-9)


@pytest.mark.parametrize("name", ["drag", "actuator", "joint force", "bushing"])
def test_mechanisms_of_systems_are_parts(name):
    """Check a dyad on the rod of a part, and the part twice, against Systems."""
    element = ELEMENTS[name]
    base = four_bar(element)
    bodies = [*base.bodies, ps.Body("arm", "rod", ps.Revolute("z"), ps.Pose((0.2, 0, 0)), **ROD)]
    whole = ps.System(
        "longer", bodies, loops=base.loops, forces=[element], gravity=(0.3, -0.2, -9.81)
    )
    q, v = closed(base)
    part = make(base, ["crank"], q)
    joint = make(whole, ["crank", "arm"], np.append(q, 0.4)).linkage
    entry = {"m": 1.5, "J": joint.links["arm"].inertia, "c": joint.links["arm"].com}
    pin = joint.by_name["arm"]
    longer = ps.planar(
        {"arm": entry}, [{"id": "arm", "a": "p.rod", "pa": pin.pa, "b": "arm", "pb": pin.pb}],
        ["arm"], gravity=part.linkage.gravity, parts={"p": {"mechanism": part, "ports": {}}},
    )  # fmt: skip
    assert longer.linkage.drivers == ("arm", "p.crank")
    tau = np.array([0.7, 0.0, 0.0, -0.2])
    rates = np.append(v, 0.8)
    expected = whole.forward_dynamics(np.append(q, 0.4), rates, tau, backend="floats")[[3, 0]]
    found = longer.forward_dynamics([0.4, q[0]], [0.8, v[0]], [-0.2, 0.7])
    assert np.allclose(found, expected, rtol=1e-9)
    parts = {"l": {"mechanism": part, "ports": {}}, "r": {"mechanism": part, "ports": {}}}
    twice = ps.planar({}, [], [], parts={"o": {"mechanism": ps.planar(
        {}, [], [], parts=parts), "ports": {}}}, gravity=part.linkage.gravity)  # fmt: skip
    alone = part.forward_dynamics(q[:1], v[:1], [0.7])
    both = twice.forward_dynamics([q[0], q[0]], [v[0], v[0]], [0.7, 0.7])
    assert np.allclose(both, alone[0], rtol=1e-12)
    with pytest.raises(ps.ModelError, match="come from a System"):
        twice.save("never.json")


def test_units_of_systems_alone_feel_their_elements():
    """Check forces at the ports of the dyad of a four-bar, with drag and with none."""
    system = four_bar(ELEMENTS["drag"])
    q, v = closed(system)
    units = make(system, ["crank"], q)
    dyad = units.unit("rod").alone()
    at, rate, a = q[:1], v[:1], np.array([0.3])
    motions = [x["crank"] for x in (units.positions(at), units.velocities(at, rate),
                                    units.accelerations(at, rate, a))]  # fmt: skip
    port = [driver for driver in dyad.linkage.drivers if driver.startswith("crank")]
    assert list(dyad.linkage.drivers) == port
    assert len(port) == 3
    loads = dyad.inverse_dynamics(*motions)
    crank = units.reactions(at, rate, a)["rod"]
    assert np.allclose(loads[:2], crank, rtol=1e-9)
    assert np.allclose(dyad.reactions(*motions)["pin"], units.reactions(at, rate, a)["pin"])


def test_states_and_samples_go_along():
    """Check a motor with a state as a part, with other drivers, and its run."""
    system, q = driven_four_bar(), library.four_bar_configuration(0.4)
    units = make(system, ["crank"], q)
    whole = ps.planar({}, [], [], parts={"p": {"mechanism": units, "ports": {}}},
                      gravity=units.linkage.gravity)  # fmt: skip
    assert whole.states == units.states
    held = {"current": 2.0}
    wanted = units.with_states(**held).forward_dynamics(q[:1], [1.0], [0.0], t=0.1)
    found = whole.with_states(**held).forward_dynamics(q[:1], [1.0], [0.0], t=0.1)
    assert np.allclose(found, wanted, rtol=1e-12)
    outer = {"o": {"mechanism": whole.with_states(**held), "ports": {}}}
    again = ps.planar({}, [], [], parts=outer, gravity=units.linkage.gravity)
    assert np.allclose(again.forward_dynamics(q[:1], [1.0], [0.0], t=0.1), wanted, rtol=1e-12)
    runs = [m.simulate(q[:1], [1.0], 0.2, save=0.1) for m in (units, whole)]
    assert np.allclose(runs[0].q, runs[1].q, atol=1e-9)
    assert np.allclose(runs[0].states["current"], runs[1].states["current"], atol=1e-9)
    parts = {name: {"mechanism": units, "ports": {}} for name in "lr"}
    with pytest.raises(ps.ModelError, match="states may come from one System only"):
        ps.planar({}, [], [], parts=parts)
    with pytest.raises(ps.ModelError, match="no file can hold"):
        ps.load_planar({"bodies": {"a": {}}, "joints": [], "of_system": [1]})


def test_constraints_of_time_go_along():
    """Check a wave of a hinge, driven elsewhere, at the time of the drawing and later."""
    link = {"mass": 1.0, "com": (0.2, 0, 0), "inertia": (0.02, 0.02, 0.02)}
    place = ps.Pose((0.4, 0, 0))
    bodies = [ps.Body("arm", joint=ps.Revolute("z"), **link),
              ps.Body("hand", "arm", ps.Revolute("z"), place, **link),
              ps.Body("finger", "hand", ps.Revolute("z"), place, **link)]  # fmt: skip
    wave = ps.PrescribedMotion("wave", "hand", "0.3 + 0.2*sin(9*t)")
    ratio = ps.Gear("g", "arm", "finger", ratio=-1.5)
    system = ps.System("shaken", bodies, constraints=[wave, ratio])
    t = 0.1
    q = np.array([0.2, 0.3 + 0.2 * np.sin(9 * t), -0.3])
    units = make(system, ["arm"], q, t=t)
    other = units.with_drivers(["finger"])
    assert np.allclose(other.drawn, q[2:])
    later = 0.3
    q[1] = 0.3 + 0.2 * np.sin(9 * later)
    assert np.allclose(units.with_drivers(["finger"], q[:1], t=later).drawn, q[2:])
    v = system.consistent_velocity(q, [2.0, 0, 0], joints=["arm"], t=later)
    expected = system.forward_dynamics(q, v, [0.0, 0.0, 0.5], t=later)
    found = other.forward_dynamics(q[2:], v[2:], [0.5], t=later)
    assert np.allclose(found, expected[2:], rtol=1e-10)
