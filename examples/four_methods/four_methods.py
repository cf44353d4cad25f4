"""Four methods on three planar mechanisms: table 2 of Wang, Lin and Lai (2007), in numbers.

    python examples/four_methods/four_methods.py

Roberson and Wittenburg's method by screw matrices and Huston's (Kane's equations) take the relative
coordinates of a tree and close its loops by multipliers; Schiehlen's (Newton and Euler's equations)
takes the Cartesian coordinates of every link and all joints as constraints; units take the
coordinates of the drivers alone.  All four compute the accelerations of the drivers of a four-bar,
a six-bar and a platform on three legs (3-RRR), and all four are compiled.

Equations are differential ones of second order and algebraic ones; unknowns are those of the
largest system of linear equations that is solved; operations are those of the compiled program for
one state.  Units compute the positions of all links too, which the other methods are given: closed
forms are among the operations; those of the 3-RRR are iterated, in the time but not among them.
"""

from time import perf_counter

import numpy as np

import poinsot as ps
from poinsot.library import planar_linkage

MECHANISMS = {"four-bar": "four-bar", "six-bar": "Watt II", "3-RRR": "3-RRR"}
METHODS = {
    "Roberson-Wittenburg": "screw_matrix",
    "Huston (Kane)": "kane",
    "Schiehlen (Newton-Euler)": "cartesian",
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
    """Return accelerations of the drivers, equations, unknowns, operations, seconds per state."""
    system = mechanism.system()
    q, v = mechanism.system_state(*state[:2])
    columns = [system.v_slice(joint).start for joint in mechanism.linkage.drivers]
    tau = np.zeros_like(v)
    tau[:, columns] = state[2]
    return solved(system, (q, v, tau), method, lambda a: a[:, columns])


def cartesian(mechanism):
    """Return the mechanism with three coordinates of each link, every pin being a constraint."""
    linkage = mechanism.linkage
    bodies = [
        ps.Body(name, joint=ps.Planar("x", "y"), mass=link.mass, com=(*link.com, 0.0),
                inertia=(link.inertia,) * 3)
        for name, link in linkage.links.items()
    ]  # fmt: skip

    def place(link, point):
        return ("world" if link == "0" else link), (*point, 0.0)

    pins = [
        ps.Loop(x.name, place(x.a, x.pa), place(x.b, x.pb), ps.Revolute("z"))
        for x in linkage.joints
    ]
    return ps.System("cartesian", bodies, loops=pins, gravity=(*linkage.gravity, 0.0))


def of_links(mechanism, state):
    """Return the same by Newton and Euler's equations of every link by itself."""
    system, (q, v, torques) = cartesian(mechanism), state
    poses, rates = mechanism.positions(q), mechanism.velocities(q, v)
    names = list(mechanism.linkage.links)
    places, speeds = (np.concatenate([x[name] for name in names], axis=1) for x in (poses, rates))
    turned = np.zeros((system.nv, len(mechanism.linkage.drivers)))  # angle of each drive by v
    joints = {joint.name: joint for joint in mechanism.linkage.joints}
    for k, driver in enumerate(mechanism.linkage.drivers):
        for link, sign in ((joints[driver].b, 1.0), (joints[driver].a, -1.0)):
            if link != "0":
                turned[3 * names.index(link) + 2, k] += sign
    return solved(system, (places, speeds, torques @ turned.T), "recursive", lambda a: a @ turned)


def solved(system, state, method, of_drivers):
    """Return accelerations of the drivers, equations, unknowns, operations, seconds per state."""

    def call():
        return system.forward_dynamics(*state, method=method)

    a, seconds = of_drivers(call()), shortest(call)
    rows = system.mobility(state[0][0]).rank
    operations = system.operations("forward_dynamics", method=method).final
    equations = f"{system.nv} + {rows}"
    return a, equations, system.nv + rows, operations, seconds / len(a)


def of_units(mechanism, state):
    """Return the same by units."""
    a = mechanism.forward_dynamics(*state)
    seconds = shortest(lambda: mechanism.forward_dynamics(*state))
    unknowns = max(3 * len(unit.bodies) for unit in mechanism.units)
    equations = f"{len(mechanism.linkage.drivers)} + 0"
    return a, equations, unknowns, mechanism.operations("forward_dynamics"), seconds / len(a)


def shortest(function):
    """Return the shortest time of some calls [s]."""
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


def table():
    """Return rows: mechanism, method, equations, unknowns, operations, µs, largest difference."""
    rows = []
    for name, model in MECHANISMS.items():
        mechanism = planar_linkage(model)
        state = states(mechanism, STATES)
        reference = mechanism.forward_dynamics(*state)
        for title, method in METHODS.items():
            if method is None:
                row = of_units(mechanism, state)
            elif method == "cartesian":
                row = of_links(mechanism, state)
            else:
                row = of_loops(mechanism, method, state)
            a, equations, unknowns, operations, seconds = row
            error = np.abs(a - reference).max() / np.abs(reference).max()
            rows.append((name, title, equations, unknowns, operations, seconds * 1e6, error))
    return rows


def constraints(system):
    """Return the residuals of the constraints as text, those out of the plane left out."""
    _, *rows = ps.derive(system).text("constraint_residual").split("\n  φ[")
    return "\n".join(f"  φ[{row.rstrip()}" for row in rows if not row.rstrip().endswith("] = 0"))


def main():
    """Print the table, and the equations of the four-bar in the coordinates of three methods."""
    print(f"{'':10}{'method':26}{'equations':>10}{'unknowns':>9}{'operations':>11}{'µs':>7}"
          f"{'difference':>11}")  # fmt: skip
    for name, title, equations, unknowns, operations, time, error in table():
        print(
            f"{name:10}{title:26}{equations:>10}{unknowns:9}{operations:11}{time:7.3f}{error:11.0e}"
        )
    four_bar = planar_linkage("four-bar")
    print("\nThe constraints of the four-bar in relative coordinates,")
    print(constraints(four_bar.system()))
    print("\nin Cartesian coordinates,")
    print(constraints(cartesian(four_bar)))
    print("\nand in units:")
    print(ps.derive(four_bar))


if __name__ == "__main__":
    main()
