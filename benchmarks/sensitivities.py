"""What derivatives of runs cost, in plain runs, on one core.

    python -m benchmarks.sensitivities [--quick] [--save]

Each run takes 20 s of motion with `dp8` at the usual tolerance and stores every step.  Every call
has about 1.5 ms of Python in it besides, which runs of less than a millisecond feel.

- run: `ps.simulate(...)`, as a user calls it.
- gradient: `run.gradient(formula, by="parameters")` of one number at the end by 20 parameters.
- forward: `run.sensitivity("parameters", [20.0])`, the derivatives of the last state by the same.
- samples: `run.sensitivity("parameters", times)` at 50 times between the steps, as `ps.fit` asks.

All take turns; of each the best of some repeats counts, and of five rounds the median.  First calls
are in a process whose disk cache may know the code.
"""

import argparse
from collections.abc import Callable

import numpy as np

import poinsot as ps
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, use_one_core
from poinsot.library.bicycle import BENCHMARK_BICYCLE, bicycle_state

DURATION = 20.0
PARAMETERS = 20
GRADIENT, FORWARD = 8.0, PARAMETERS + 2.0
"""Plain runs that the gradient and forward sensitivities may take."""
ROUNDS = 5


def chain(name: str, joints: int, fields: tuple[str, ...], *, closed: bool = False) -> ps.System:
    """Return hinges along x and y in turn, or all along y and closed, with free parameters.

    Args:
        name: Of the system.
        joints: How many.
        fields: Parameters of each link, of "m", "c", "x", "y" and "z": mass, centre of mass,
            moments of inertia.
        closed: Whether the end of the last link is pinned.
    """
    usual = {"m": 1.0, "c": 0.5, "x": 0.1, "y": 0.1, "z": 0.05}
    bodies, values = [], {}
    for k in range(joints):
        given = dict(usual)
        for field in fields:
            values[f"{field}{k}"] = usual[field]
            given[field] = ps.symbols(f"{field}{k}")
        bodies.append(
            ps.Body(
                f"link{k}", parent=f"link{k - 1}" if k else "world",
                pose=ps.Pose((0, 0, -1 if k else 0)),
                joint=ps.Revolute("y" if closed or k % 2 == 0 else "x"), mass=given["m"],
                com=(0, 0, -given["c"]), inertia=(given["x"], given["y"], given["z"]),
            )
        )  # fmt: skip
    end = {"first": ("world", ps.Pose((1.5, 0, 0))), "second": (f"link{joints - 1}", (0, 0, -1))}
    loops = [ps.Loop("pin", joint=ps.Revolute("y"), **end)] if closed else []
    return ps.System(name, bodies, parameters=values, free=list(values), loops=loops)


Subject = tuple[ps.System, np.ndarray, np.ndarray, dict[str, float]]
"""A system with twenty parameters, its start, and the values of those that have none."""


def ride() -> Subject:
    """Return a bicycle that was pushed sideways."""
    fixed = ("lam", "g", "w", "rR", "rF", "IBxx")
    names = [name for name in BENCHMARK_BICYCLE if name not in fixed][:PARAMETERS]
    known = ps.library.bicycle()
    q, v = bicycle_state(known, 4.6)
    v = v.copy()
    v[known.velocity_names.index("lean")] += 0.5
    values = {name: BENCHMARK_BICYCLE[name] for name in names}
    system = ps.library.bicycle(**{name: ps.symbols(name) for name in names})
    return system, q, known.consistent_velocity(q, v), values


def subjects() -> list[Subject]:
    """Return what is measured."""
    closed = chain("closed chain of 5", 5, ("m", "c", "x", "y"), closed=True)
    open_ones = [
        chain("chain of 10", 10, ("m", "c")), chain("chain of 4", 4, ("m", "c", "x", "y", "z")),
    ]  # fmt: skip
    return [
        *((x, np.linspace(0.5, 1.0, x.nq), np.zeros(x.nv), {}) for x in open_ones),
        (closed, closed.assemble(np.linspace(-0.9, 1.0, closed.nq)), np.zeros(closed.nv), {}),
        ride(),
    ]


def calls(subject: Subject) -> tuple[int, dict[str, Callable[[], object]]]:
    """Return the steps of a run, and what is timed by name."""
    system, q, v, values = subject

    def simulated() -> ps.Run:
        return ps.simulate(system, q, v, DURATION, parameters=values or None)

    run = simulated()
    if len(system.free) != PARAMETERS:
        raise ValueError(f"{system.name} has {len(system.free)} free parameters")
    times = np.linspace(0.1, DURATION - 0.05, 50)
    formula = f'sin("{system.coordinate_names[-1]}")'
    return len(run), {
        "run": simulated,
        "gradient": lambda: run.gradient(formula, by="parameters"),
        "forward": lambda: run.sensitivity("parameters", [DURATION]),
        "samples": lambda: run.sensitivity("parameters", times),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sensitivities")
    parser.description, parser.formatter_class = __doc__, argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results")
    options = parser.parse_args()
    core = use_one_core()
    rows, verdicts = [], []
    for subject in subjects():
        system = subject[0]
        steps, timed = calls(subject)
        cases = [Case("call()", {"call": call}) for call in timed.values()]
        run, *others = median_times(cases, repeats=2 if options.quick else 10, rounds=ROUNDS)
        gradient, forward, samples = (seconds / run for seconds in others)
        shown = (f"{x:.1f}" for x in (1e3 * run, gradient, forward, samples))
        rows.append([system.name, str(steps - 1), *shown])
        for label, allowed, ratio in (
            ("gradient", GRADIENT, gradient), ("forward", FORWARD, forward),
        ):  # fmt: skip
            title = f"{system.name}, {label} of {PARAMETERS} parameters / run"
            verdicts.append(Verdict(title, allowed, ratio, at_least=False))
    heads = ("system", "steps", "run [ms]", f"gradient (at most {GRADIENT:.0f} runs)",
             f"forward (at most {FORWARD:.0f} runs)", "samples [runs]")  # fmt: skip
    title = f"Derivatives of runs by {PARAMETERS} parameters, in plain runs"
    sections = [section(title, table(heads, rows)), verdict_section(verdicts)]
    text = page(__doc__, sections, facts={"core": f"one, number {core}"})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'sensitivities')}")


if __name__ == "__main__":
    main()
