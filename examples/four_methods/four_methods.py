"""Four methods on three planar mechanisms: table 2 of Wang, Lin and Lai (2007), in numbers.

    python examples/four_methods/four_methods.py

Roberson and Wittenburg's method by screw matrices, Huston's (Kane's equations), Schiehlen's (Newton
and Euler's equations) and the composable method compute the accelerations of the drivers of a
four-bar, a six-bar and a platform on three legs (3-RRR).  The first three take all joints of a tree
and close its loops by multipliers; units take the coordinates of the drivers alone.  Unknowns are
those of the largest system of linear equations that is solved; operations are those of the compiled
program for one state, of units with the positions of all links where these have a closed form: of
the 3-RRR, whose positions are iterated, without them.
"""

from time import perf_counter

import numpy as np

from poinsot.library import planar_linkage

MECHANISMS = {"four-bar": "four-bar", "six-bar": "Watt II", "3-RRR": "3-RRR"}
METHODS = {
    "Roberson-Wittenburg": "screw_matrix",
    "Huston (Kane)": "kane",
    "Schiehlen (Newton-Euler)": "newton_euler",
    "composable": None,
}
STATES = 1000
REPEATS = 7


def states(mechanism, count):
    """Return coordinates near the drawing, rates and forces of the drivers, (count, nq) each."""
    rng = np.random.default_rng(1)
    shape = count, len(mechanism.linkage.drivers)
    return mechanism.drawn + rng.uniform(-0.05, 0.05, shape), rng.normal(size=shape), np.ones(shape)


def of_loops(mechanism, method, state):
    """Return accelerations of the drivers, unknowns, operations and seconds per state."""
    system = mechanism.system()
    q, v = mechanism.system_state(*state[:2])
    columns = [system.v_slice(joint).start for joint in mechanism.linkage.drivers]
    tau = np.zeros_like(v)
    tau[:, columns] = state[2]
    compiled = method != "newton_euler"
    count = len(q) if compiled else min(20, len(q))
    a = system.forward_dynamics(q[:count], v[:count], tau[:count], method=method)
    seconds = shortest(
        lambda: system.forward_dynamics(q[:count], v[:count], tau[:count], method=method)
    )
    operations = system.operations("forward_dynamics", method=method).final if compiled else None
    unknowns = system.nv + len(system.row_names)
    if not compiled:  # six accelerations of each body, reactions of joints and loops
        unknowns = 6 * len(system.bodies) + 5 * len(system.bodies) + len(system.row_names)
    return a[:, columns], unknowns, operations, seconds / count


def of_units(mechanism, state):
    """Return the same by units."""
    a = mechanism.forward_dynamics(*state)
    seconds = shortest(lambda: mechanism.forward_dynamics(*state))
    unknowns = max(3 * len(unit.bodies) for unit in mechanism.units)
    return a, unknowns, mechanism.operations("forward_dynamics"), seconds / len(a)


def shortest(function):
    """Return the shortest time of some calls [s]."""
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


def table():
    """Return rows: mechanism, method, unknowns, operations, µs per state, largest difference."""
    rows = []
    for name, model in MECHANISMS.items():
        mechanism = planar_linkage(model)
        state = states(mechanism, STATES)
        reference = mechanism.forward_dynamics(*state)
        for title, method in METHODS.items():
            solved = of_units(mechanism, state) if method is None else (
                of_loops(mechanism, method, state))  # fmt: skip
            a, unknowns, operations, seconds = solved
            scale = np.abs(reference[: len(a)]).max()
            error = np.abs(a - reference[: len(a)]).max() / scale
            rows.append((name, title, unknowns, operations, seconds * 1e6, error))
    return rows


def main():
    """Print the table."""
    print(f"{'':10}{'method':26}{'unknowns':>9}{'operations':>12}{'µs':>9}{'difference':>12}")
    for name, title, unknowns, operations, time, error in table():
        count = "-" if operations is None else operations
        print(f"{name:10}{title:26}{unknowns:9}{count!s:>12}{time:9.3f}{error:12.0e}")


if __name__ == "__main__":
    main()
