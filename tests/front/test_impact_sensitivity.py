"""Derivatives of runs through impacts with friction, and by all laws: against differences."""

from typing import Any

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ModelError

STEP = 1e-6
M = ps.symbols("m")


def agrees(run: Any, *numbers: float, by: tuple[str, ...], atol: float = 2e-6) -> ps.Run:
    """Hold derivatives at the end, and of times of events, against differences; return the run."""
    nominal = run(*numbers)
    result = nominal.sensitivity(by)
    assert nominal.events
    assert np.abs(result.v[-1]).max() > 1e-3
    for k in range(len(by)):
        more, less = (
            run(*(x + s * STEP * (j == k) for j, x in enumerate(numbers))) for s in (1, -1)
        )
        for ours, name in ((result.q, "q"), (result.v, "v")):
            slope = (getattr(more, name)[-1] - getattr(less, name)[-1]) / (2 * STEP)
            if ours.shape[1] != slope.size:  # a body that floats: q has quaternions
                continue
            np.testing.assert_allclose(ours[-1, :, k], slope, rtol=1e-6, atol=atol)
        times = [(a.t - b.t) / (2 * STEP) for a, b in zip(more.events, less.events, strict=True)]
        np.testing.assert_allclose([x[k] for x in result.event_times], times, atol=atol)
    return nominal


@pytest.mark.parametrize("law", ["unilateral", "printed", "poisson", "stronge"])
@pytest.mark.parametrize(("friction", "slip"), [(0.2, 1.5), (0.9, 0.2)])
def test_a_rod_that_falls_on_rough_ground(law: str, friction: float, slip: float) -> None:
    """It slides, sticks or turns its slip round; by its mass, its angle and its velocity."""
    body = ps.Body("rod", joint=ps.Planar("x", "z"), mass=M, inertia=(0.1, 0.12, 0.1))
    system = ps.System("rod", [body], parameters={"m": 1.0}, free=["m"])
    place = ps.PointOnSurface("ground", ("rod", (0.3, 0, -0.5)), "z - 0.05*sin(3*x)")
    ground = ps.Contact(place, 0.6, friction, law)

    def run(mass: float, angle: float, speed: float) -> ps.Run:
        return ps.simulate(
            system, [0, 0.7, angle], [speed, 0, 0.3], 0.25, contacts=[ground],
            parameters={"m": mass}, rtol=1e-11,
        )  # fmt: skip

    names = system.velocity_names
    done = agrees(run, 1.0, 0.2, slip, by=("m", f"q.{names[2]}", f"v.{names[0]}"))
    assert done.impact(done.events[0]).friction_impulses["ground"].any()


@pytest.mark.parametrize("law", ["unilateral", "poisson", "stronge"])
def test_slip_that_turns_in_space(law: str) -> None:
    """An eccentric body that floats and spins hits a slope; by its mass and velocities."""
    body = ps.Body(
        "stone", joint=ps.Free(), mass=M, com=(0.05, -0.02, 0.04), inertia=(0.02, 0.05, 0.03)
    )
    system = ps.System("stone", [body], parameters={"m": 1.0}, free=["m"])
    place = ps.PointOnSurface("slope", ("stone", (0.2, 0.1, -0.3)), "z - 0.1*x + 0.05*y")
    slope = ps.Contact(place, 0.5, 0.3, law)
    start = np.array([0, 0, 0.5, 0.9, 0.1, -0.2, 0.3])
    start[3:] /= np.linalg.norm(start[3:])

    def run(mass: float, sideways: float, spin: float) -> ps.Run:
        v = [1.0, sideways, -1.0, 0.5, spin, -2.0]
        return ps.simulate(
            system, start, v, 0.25, contacts=[slope], parameters={"m": mass}, rtol=1e-11
        )

    names = system.velocity_names
    agrees(run, 1.0, 0.4, 1.0, by=("m", f"v.{names[1]}", f"v.{names[4]}"))


def test_a_closed_system_against_a_rough_wall() -> None:
    """The coupler of a four-bar, whose loop is redundant, scrapes along a wall; by a mass."""
    ends = {"first": ("world", ps.Pose((0.7, 0, 0))), "second": ("rocker", ps.Pose((0.6, 0, 0)))}
    bodies = [
        ps.Body(
            name, parent=parent, pose=ps.Pose((x, 0, 0)), joint=ps.Revolute("z"), mass=mass,
            com=(0.2, 0, 0), inertia=(0.01, 0.1, 0.1),
        )
        for name, parent, x, mass in (
            ("crank", "world", 0.0, M), ("coupler", "crank", 0.3, 2.0),
            ("rocker", "coupler", 0.8, 1.5),
        )
    ]  # fmt: skip
    system = ps.System(
        "four-bar", bodies, gravity=(0, -9.81, 0), parameters={"m": 1.0}, free=["m"],
        loops=[ps.Loop("pin", joint=ps.Revolute("z"), **ends)],
    )  # fmt: skip
    q = system.assemble([0.8, 0.5, -2.0], joints=["crank"])
    v = system.consistent_velocity(q, [3.0, 0, 0], joints=["crank"])
    gap = ps.PointOnSurface("wall", ("coupler", (0.5, 0, 0)), "y - 0.37")
    wall = ps.Contact(gap, 0.6, 0.2, "stronge")

    def run(mass: float) -> ps.Run:
        return ps.simulate(system, q, v, 0.6, contacts=[wall], parameters={"m": mass}, rtol=1e-11)

    done = agrees(run, 1.0, by=("m",))
    assert done.impact(done.events[0]).friction_impulses["wall"].any()


def test_contacts_in_turn_and_poisson_at_once() -> None:
    """Two feet of a box come down together while it turns, and act in turn or at once."""
    body = ps.Body("box", joint=ps.Planar("x", "z"), mass=M, inertia=(0.1, 0.2, 0.1))
    system = ps.System("box", [body], parameters={"m": 3.0}, free=["m"])
    places = [ps.PointOnSurface(name, ("box", (x, 0, -0.1)), "z") for name, x in
              (("left", -0.1), ("right", 0.13))]  # fmt: skip
    turns = [ps.Contact(places[0], 0.5, 0.4, "stronge", "sequential"),
             ps.Contact(places[1], 0.7, 0.0, "unilateral", "sequential")]  # fmt: skip
    at_once = [ps.Contact(place, 0.5, 0.2, "poisson") for place in places]
    smooth = [ps.Contact(place, 0.5, 0.0, "poisson") for place in places]
    fall = (np.sqrt(1.0 + 2 * 9.81 * 0.1) - 1.0) / 9.81
    for contacts in (turns, at_once, smooth):

        def run(mass: float, speed: float, listed: Any = contacts) -> ps.Run:
            return ps.simulate(
                system, [0, 0.2, -0.5 * fall], [speed, -1.0, 0.5], fall + 0.02, contacts=listed,
                parameters={"m": mass}, rtol=1e-11,
            )  # fmt: skip

        done = agrees(run, 3.0, 3.0, by=("m", f"v.{system.velocity_names[0]}"))
        assert len(done.impact(done.events[0]).impulses) == 2


def test_ground_that_moves_and_gradients() -> None:
    """A rough conveyor that is carried by a body; the gradient is that of the sensitivities."""
    belt = ps.Body("belt", joint=ps.Prismatic("x"), mass=5.0)
    body = ps.Body("rod", joint=ps.Planar("x", "z"), mass=M, inertia=(0.1, 0.12, 0.1))
    system = ps.System("belt", [belt, body], parameters={"m": 1.0}, free=["m"])
    place = ps.PointOnSurface("top", ("rod", (0.2, 0, -0.4)), "z - 0.1*x", on="belt")
    top = ps.Contact(place, 0.5, 0.3, "poisson")

    def run(mass: float, speed: float) -> ps.Run:
        return ps.simulate(
            system, [0, 0, 0.7, 0], [speed, 0, 0, 0], 0.4, contacts=[top],
            parameters={"m": mass}, rtol=1e-11,
        )  # fmt: skip

    done = agrees(run, 1.0, 0.8, by=("m", "v.belt"))
    x = done.sensitivity("m").q[-1, 0, 0]
    assert np.isclose(done.gradient("belt", "m")["m"], x, rtol=1e-7)
    push = ps.Signal([0.0, 0.5], np.zeros((2, 4)), kind="hold")  # and no numbers given
    again = ps.simulate(system, [0, 0, 0.7, 0], [0.8, 0, 0, 0], 0.4, contacts=[top], tau=push)
    assert np.isclose(again.sensitivity("m").q[-1, 0, 0], x, rtol=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_feet_on_a_table_that_rises_with_time(friction: float) -> None:
    """Gaps of time, closed by two feet at once, and a wall that one rough foot scrapes along."""
    body = ps.Body("box", joint=ps.Planar("x", "z"), mass=M, inertia=(0.1, 0.12, 0.1))
    system = ps.System("box", [body], parameters={"m": 1.0}, free=["m"])
    places = [
        ps.PointOnSurface(f"foot {x}", ("box", (x, 0, -0.5)), "z - 0.1*sin(3*t)")
        for x in (-0.3, 0.4)
    ]
    contacts = [ps.Contact(place, 0.5, 0.0, "poisson") for place in places]
    if friction:  # that of a surface which moves is one of a body that carries it
        wall = ps.PointOnSurface("wall", ("box", (0.4, 0, 0.1)), "0.6 - x")
        contacts.append(ps.Contact(wall, 0.7, friction, "poisson"))

    def run(drop: float, speed: float) -> ps.Run:
        return ps.simulate(
            system, [0, 0.7, 0], [speed, drop, 0], 0.3, contacts=contacts, rtol=1e-11,
            parameters={"m": 1.0},
        )  # fmt: skip

    names = system.velocity_names
    done = agrees(run, -0.1, 1.5, by=(f"v.{names[1]}", f"v.{names[0]}"))
    assert ("wall" in {event.name for event in done.events}) == bool(friction)


def test_a_mass_is_fitted_through_a_rough_impact() -> None:
    """Measured angles of a rod before and after it hits rough ground."""
    body = ps.Body("rod", joint=ps.Planar("x", "z"), mass=M, inertia=(0.1, 0.12, 0.1))
    system = ps.System("rod", [body], parameters={"m": 1.4}, free=["m"])
    place = ps.PointOnSurface("ground", ("rod", (0.3, 0, -0.5)), "z")
    rough = [ps.Contact(place, 0.6, 0.4, "stronge")]
    start = {"q": [0, 0.7, 0.2], "v": [1.5, 0, 0.3]}
    truth = ps.simulate(
        system, *start.values(), 0.25, contacts=rough, parameters={"m": 1.0}, rtol=1e-11
    )
    t = np.linspace(0.02, 0.25, 20)
    data = ps.Measurement(t, {"rod.angle": truth.at(t)[0][:, 2]}, **start)
    found = ps.fit(system, data, ["m"], contacts=rough)
    assert np.isclose(found.estimates["m"], 1.0, rtol=1e-6)


def test_what_has_one_sided_derivatives_is_named() -> None:
    """Two feet that come down at once, in turn: the message tells when, and which."""
    body = ps.Body("box", joint=ps.Planar("x", "z"), mass=1.0, inertia=(0.1, 0.2, 0.1))
    system = ps.System("box", [body])
    feet = [
        ps.Contact(ps.PointOnSurface(name, ("box", (x, 0, 0)), "z"), 0.5, 0.1, order="sequential")
        for name, x in (("left", -0.1), ("right", 0.13))
    ]
    run = ps.simulate(system, [0, 0.1, 0], [0, 0, 0], 0.16, contacts=feet)
    text = (
        r"sensitivity: at t = 0\.14\d+ s, contact 'left': .*'left' and 'right' close equally fast"
    )
    with pytest.raises(ModelError, match=text):
        run.sensitivity("v")
