"""What it costs that no event is passed over.

    python -m benchmarks.events [--quick] [--save]

Each run is simulated without events, with events as they are looked for, on pieces of each step
whose functions are bounded and which are halved where need be, and with a look at the eighths of
each step only, as it was done before and is for functions that are too large to bound.  Times are
whole calls of `ps.simulate`, the median of three rounds in which all take turns.  Where the
eighths pass over events, there are fewer of them, and times are not judged.

- ball: it falls from 1 m and bounces with restitution 0.9, once as an event, once as a contact.
- pendulum: three recorded events, two of them zeros of coordinates.
- chain of 7: its end against three walls, which it hits, and which are far away.
- chain of 7, recorded: one event in every joint.
- tick: `sin(40*t)` for 100 s of a cart that rolls on, in four steps.
"""

import argparse
from collections.abc import Callable

import numpy as np

import poinsot as ps
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, use_one_core
from poinsot.library import chain, pendulum
from poinsot.simulation.laws import traced_events as looked_for

ALLOWED = 1.3
"""How many times the time of eighths a run may take."""
NONE, NOW, EIGHTHS = "no events", "as now", "eighths"


def runs() -> dict[str, tuple[tuple, dict]]:
    """Return arguments of simulate, and those of events, by name."""
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
    bounce = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -0.9 * v)
    floor = ps.Contact(ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z"), 0.9)
    swing = pendulum()
    bob = swing.coordinate_names[0]
    marks = [ps.Event("low", bob), ps.Event("turn", f"v.{bob}"), ps.Event("half", f"{bob} - 0.5")]
    arm, rng = chain(7), np.random.default_rng(3)
    state = (arm, rng.uniform(-1, 1, 7), np.zeros(7), 5.0)
    end = arm.bodies[-1].name
    joints = [ps.Event(f"joint {k}", lambda t, q, v, k=k: q[k] - 0.1 * k) for k in range(7)]
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)], gravity=(0,) * 3)
    return {
        "ball, event": ((ball, [1.0], [0.0], 5.0), {"events": [bounce]}),
        "ball, contact": ((ball, [1.0], [0.0], 5.0), {"contacts": [floor]}),
        "pendulum": ((swing, [1.0], [0.0], 50.0), {"events": marks}),
        "chain of 7, walls near": (state, {"contacts": walls(end, reach(state, end))}),
        "chain of 7, walls far": (state, {"contacts": walls(end, (-50.0,) * 3)}),
        "chain of 7, recorded": (state, {"events": joints}),
        "tick": ((cart, [0.0], [1.0], 100.0), {"events": [ps.Event("tick", "sin(40*t)")]}),
    }


def reach(state: tuple, body: str) -> np.ndarray:
    """Return places along x, y and z that the body passes in the run but for walls there."""
    path = ps.simulate(*state).pose(body)[:, :3, 3]
    return 0.1 * path[0] + 0.9 * path.min(axis=0)


def walls(body: str, places) -> list[ps.Contact]:
    """Return walls at places along x, y and z."""
    gaps = [f"{axis} - ({place!r})" for axis, place in zip("xyz", map(float, places), strict=True)]
    return [
        ps.Contact(ps.PointOnSurface(f"wall {k}", (body, (0, 0, 0)), gap), 0.5)
        for k, gap in enumerate(gaps)
    ]


def in_eighths(function: Callable[[], object]) -> Callable[[], object]:
    """Return a function that runs with functions of events taken for too large."""

    def call() -> object:
        usual, looked_for.LARGEST = looked_for.LARGEST, 0
        try:
            return function()
        finally:
            looked_for.LARGEST = usual

    return call


def ways(arguments: tuple, watched: dict) -> dict[str, Callable[[], ps.Run]]:
    """Return the ways of a run by name."""

    def now() -> ps.Run:
        return ps.simulate(*arguments, **watched)

    return {NONE: lambda: ps.simulate(*arguments), NOW: now, EIGHTHS: in_eighths(now)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.events")
    parser.description, parser.formatter_class = __doc__, argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results")
    options = parser.parse_args()
    core = use_one_core()
    rows, verdicts = [], []
    for name, (arguments, watched) in runs().items():
        calls = ways(arguments, watched)
        found = {way: len(call().events) for way, call in calls.items()}
        timed = [Case("call()", {"call": call}) for call in calls.values()]
        times = dict(
            zip(calls, median_times(timed, repeats=2 if options.quick else 15), strict=True)
        )
        ratio = times[NOW] / times[EIGHTHS]
        shown = [f"{1e3 * times[way]:.3f}" for way in (NONE, NOW, EIGHTHS)]
        rows.append([name, *shown, f"{ratio:.2f}", str(found[NOW]), str(found[EIGHTHS])])
        if found[NOW] == found[EIGHTHS]:
            verdicts.append(Verdict(f"{name}, now / eighths", ALLOWED, ratio, at_least=False))
    heads = ("run", "no events [ms]", "now [ms]", "eighths [ms]", "now / eighths", "events found",
             "in eighths")  # fmt: skip
    sections = [section("Runs with events", table(heads, rows)), verdict_section(verdicts)]
    text = page(__doc__, sections, facts={"core": f"one, number {core}"})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'events')}")


if __name__ == "__main__":
    main()
