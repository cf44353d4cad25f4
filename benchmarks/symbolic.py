"""Equations from symbols: derivation and evaluation against SymPy's Kane and Lagrange.

    python -m benchmarks.symbolic [--quick] [--save]

The chains are those of the cases chain-cart (n point masses on a cart) and chain-relative (rods
about z and y in turn).  All masses, lengths, moments and gravity are symbols.

Ready: seconds from nothing to a function that gives accelerations for numbers.  For SymPy that is
the derivation (`KanesMethod.kanes_equations`, `LagrangesMethod.form_lagranges_equations`) and
`lambdify(..., cse=True)` of mass matrix and forcing; the function then solves with
`numpy.linalg.solve`.  For us it is the description, `ps.derive(system)`, the function
`equations.function("forward_dynamics")` of state, joint forces and parameters, which is machine
code of the derived expressions, and its first call; the disk cache is off.  Seconds are those of
the processor, the least of three runs, or of as many as five seconds hold, so that other work on
the machine counts little; SymPy's cache is emptied before each.

Call: microseconds for one state, called from Python with float64 arrays on one core, parameters as
arguments; "folded" is `system.forward_dynamics(q, v, tau)`, in which they are constants.
Error: largest difference of accelerations over the largest acceleration.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import sympy
from sympy.core.cache import clear_cache

import poinsot as ps
from benchmarks import sympy_chains
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, use_one_core

RUNS, ENOUGH = 3, 5.0
"""How often something is timed, at most, and after how many seconds no more."""


@dataclass(frozen=True)
class Subject:
    """A kind of chain: how we describe it, how SymPy does, and how the coordinates differ."""

    name: str
    sizes: tuple[int, ...]
    ours: Callable[[int], ps.System]
    theirs: Callable[..., sympy_chains.Chain]
    state: Callable[[int], tuple[np.ndarray, np.ndarray, np.ndarray]]
    to_ours: Callable[[np.ndarray], np.ndarray]
    to_theirs: Callable[[np.ndarray], np.ndarray]


def cart(n: int) -> ps.System:
    """Return n point masses on a cart, relative angles."""
    numbers = {f"m{k}": x for k, x in enumerate(np.linspace(1, 2, n + 1))}
    numbers |= {f"l{k}": x for k, x in enumerate(np.linspace(0.5, 1, n))} | {"g": 9.81}
    m = [ps.symbols(f"m{k}") for k in range(n + 1)]
    l = [ps.symbols(f"l{k}") for k in range(n)]
    bodies = [ps.Body("cart", joint=ps.Prismatic("x"), mass=m[0])]
    for k in range(n):
        at = ps.Pose((l[k - 1] if k else 0, 0, 0))
        parent = bodies[-1].name
        bodies.append(
            ps.Body(f"{k}", parent, ps.Revolute("z"), at, mass=m[k + 1], com=(l[k], 0, 0))
        )
    gravity = (0, -ps.symbols("g"), 0)
    return ps.System("cart", bodies, gravity=gravity, parameters=_floats(numbers))


def rods(n: int) -> ps.System:
    """Return n rods about z and y in turn."""
    numbers = {f"m{k}": x for k, x in enumerate(np.linspace(1, 2, n))}
    numbers |= {f"l{k}": x for k, x in enumerate(np.linspace(0.5, 1, n))}
    numbers |= {"Ia": 0.001, "It": 0.05, "g": 9.81}
    Ia, It, g = ps.symbols("Ia It g")
    bodies = []
    for k in range(n):
        m, l = ps.symbols(f"m{k} l{k}")
        at = ps.Pose((ps.symbols(f"l{k - 1}") if k else 0, 0, 0))
        parent, joint = f"{k - 1}" if k else "world", ps.Revolute("zy"[k % 2])
        own = {"mass": m, "com": (l / 2, 0, 0), "inertia": (Ia, It, It)}
        bodies.append(ps.Body(f"{k}", parent, joint, at, **own))
    return ps.System("rods", bodies, gravity=(0, -g, 0), parameters=_floats(numbers))


def _floats(numbers: dict[str, float]) -> dict[str, float]:
    return {name: float(x) for name, x in numbers.items()}


def cart_state(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the state of the case, and the numbers of the parameters and of the force."""
    p = np.concatenate([np.linspace(1, 2, n + 1), np.linspace(0.5, 1, n), [9.81, 0.4]])
    return np.linspace(0.1, 0.5, n + 1), np.linspace(-0.2, 0.3, n + 1), p


def rods_state(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the state of the case, and the numbers of the parameters."""
    p = np.concatenate([np.linspace(1, 2, n), np.linspace(0.5, 1, n), [0.001, 0.05, 9.81]])
    return np.linspace(0.1, 0.5, n), np.linspace(-0.2, 0.3, n), p


def relative(x: np.ndarray) -> np.ndarray:
    """Return the place of the cart and the differences of the angles."""
    return np.concatenate([x[:1], np.diff(x[1:], prepend=0.0)])


def absolute(x: np.ndarray) -> np.ndarray:
    """Return the place of the cart and the angles from +x."""
    return np.concatenate([x[:1], np.cumsum(x[1:])])


def same(x: np.ndarray) -> np.ndarray:
    """Return coordinates that do not differ."""
    return x


SUBJECTS = (
    Subject("cart", (3, 4, 5, 6, 7, 8), cart, sympy_chains.cart, cart_state, relative, absolute),
    Subject("rods", (3, 4, 5), rods, sympy_chains.rods, rods_state, same, same),
)


def least_time(function: Callable, *arguments: object) -> tuple:
    """Return what a function returns and the least seconds of the processor that it took."""
    taken: list[float] = []
    while len(taken) < RUNS and sum(taken) < ENOUGH:
        clear_cache()
        start = time.process_time()
        result = function(*arguments)
        taken.append(time.process_time() - start)
    return result, min(taken)


def ready(subject: Subject, n: int, *arrays: np.ndarray) -> Callable[..., np.ndarray]:
    """Return accelerations as a function of q, v, tau and the parameters."""
    function = ps.derive(subject.ours(n)).function("forward_dynamics")
    function(*arrays)
    return function


def peer(method: Callable, subject: Subject, n: int) -> Callable[..., np.ndarray]:
    """Return SymPy's function of accelerations."""
    return sympy_chains.callable_of(*method(subject.theirs, n))


def compared(subject: Subject, n: int, repeats: int) -> tuple[list[str], dict[str, float]]:
    """Return a row of the table, and the ratios in it."""
    q, u, p = subject.state(n)
    x, y = subject.to_ours(q), subject.to_ours(u)
    tau = np.zeros(len(x))
    tau[0] = p[-1] if subject.name == "cart" else 0.0
    values = p[: len(subject.ours(n).parameters)]
    own_function, own = least_time(ready, subject, n, x, y, tau, values)
    by_kane, kane = least_time(peer, sympy_chains.kane, subject, n)
    by_lagrange, lagrange = least_time(peer, sympy_chains.lagrange, subject, n)
    a = subject.to_theirs(own_function(x, y, tau, values))
    error = max(np.abs(f(q, u, p) - a).max() for f in (by_kane, by_lagrange)) / np.abs(a).max()
    system = subject.ours(n)
    system.forward_dynamics(x, y, tau)
    state = {"q": x, "v": y, "tau": tau}
    call, folded, kane_call, lagrange_call = median_times(
        [
            Case("f(q, v, tau, p)", {"f": own_function, **state, "p": values}),
            Case("s.forward_dynamics(q, v, tau)", {"s": system, **state}),
            Case("f(q, u, p)", {"f": by_kane, "q": q, "u": u, "p": p}),
            Case("f(q, u, p)", {"f": by_lagrange, "q": q, "u": u, "p": p}),
        ],
        repeats=repeats,
    )
    ratios = {
        "kane": kane / own,
        "lagrange": lagrange / own,
        "call": min(kane_call, lagrange_call) / call,
        "error": error,
    }
    return [
        subject.name, str(n), f"{own:.3f}", f"{kane:.2f}", f"{lagrange:.2f}",
        f"{ratios['kane']:.0f}", f"{ratios['lagrange']:.0f}", f"{call * 1e6:.2f}",
        f"{folded * 1e6:.2f}", f"{kane_call * 1e6:.0f}", f"{lagrange_call * 1e6:.0f}",
        f"{ratios['call']:.0f}", f"{error:.0e}",
    ], ratios  # fmt: skip


def against_sympy(sizes: int | None, repeats: int) -> tuple[str, list[Verdict]]:
    """Return the table against SymPy, and the targets at the largest size."""
    rows, verdicts = [], []
    for subject in SUBJECTS:
        for n in subject.sizes[:sizes]:
            row, ratios = compared(subject, n, repeats)
            rows.append(row)
            print("  ".join(row), flush=True)
        what = f"{subject.name}, n = {n}"
        verdicts.append(Verdict(f"{what}: error", 1e-10, ratios["error"], at_least=False, unit=""))
        if n == subject.sizes[-1]:  # where the targets are set
            verdicts += [
                Verdict(f"{what}: ready, Kane over ours", 5.0, ratios["kane"]),
                Verdict(f"{what}: ready, Lagrange over ours", 30.0, ratios["lagrange"]),
                Verdict(f"{what}: call, SymPy over ours", 100.0, ratios["call"]),
            ]
    heads = (
        "chain", "links", "ready s", "Kane s", "Lagrange s", "ratio", "ratio", "call µs",
        "folded µs", "Kane µs", "Lagrange µs", "ratio", "error",
    )  # fmt: skip
    return section("Against SymPy", table(heads, rows, left=1)), verdicts


def long_chains() -> tuple[str, list[Verdict]]:
    """Return how long ours takes for chains that SymPy does not finish."""
    rows, verdicts = [], []
    for n, limit in ((10, 0.5), (40, 5.0)):
        subject = SUBJECTS[0]
        rest, (_, _, p) = np.zeros(n + 1), subject.state(n)
        _, seconds = least_time(ready, subject, n, rest, rest, rest, p[:-1])
        lines = ps.derive(subject.ours(n)).forward_dynamics.compact
        rows.append(
            [str(n), f"{seconds:.2f}", str(len(lines.assignments)), str(lines.n_operations)]
        )
        what = f"{n} links on a cart: derive and compile"
        verdicts.append(Verdict(what, limit, seconds, at_least=False, unit="s"))
    heads = ("links", "ready s", "intermediate variables", "operations")
    return section("Longer chains", table(heads, rows, left=0)), verdicts


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.symbolic", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="the smallest chains only")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/symbolic.md")
    options = parser.parse_args()
    use_one_core()
    one = SUBJECTS[0]
    ready(one, 1, *[np.zeros(2)] * 3, np.ones(4))  # imports and the compiler's own start
    long, also = long_chains()
    peers, met = against_sympy(1 if options.quick else None, 7 if options.quick else 70)
    sections = [peers, long, verdict_section([*met, *also])]
    text = page(__doc__, sections, facts={"SymPy": sympy.__version__})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'symbolic')}")


if __name__ == "__main__":
    main()
