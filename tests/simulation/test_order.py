"""Orders of convergence of all methods: at the end of a run and between its steps.

On random trees of all joints, quaternions among them, on loops, and under laws of time.  Errors of
orientations are angles.
"""

from functools import partial

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import four_bar, four_bar_configuration
from tests.strategies import random_case

ORDERS = {"dp8": (8, 7), "dp5": (5, 4), "stiff": (5, 4), "rk4": (4, 4), "symplectic": (2, 2)}
ORDERS["symplectic4"] = (4, 4)
"""Of the solution, and of the dense output as errors over a run show it."""
EQUAL = ("rk4", "symplectic", "symplectic4")
STEPS = {"dp8": 8, "dp5": 24, "stiff": 24, "rk4": 48, "symplectic": 64, "symplectic4": 32}
"""In the coarser of two runs: few enough that rounding does not show, and many enough."""
SLACK = 0.35


def law(t, q, v):
    return np.cos(3.0 * t) - 0.5 * v


def loop():
    system = four_bar()
    q = four_bar_configuration(0.8)
    return system, q, 2.0 * np.linalg.svd(system.constraint_jacobian(q))[2][-1]


def random_tree(seed):
    """Return a random tree of two bodies, slow enough for coarse steps."""
    case = random_case(seed, 2)
    mechanism = case.mechanism
    system = ps.System("tree", mechanism.bodies, gravity=mechanism.gravity)
    return system, np.array(case.q), 0.3 * np.array(case.v)


CASES = {
    "loop": (loop, 0.5),
    "free and helical": (partial(random_tree, 6), 0.15),
    "balls": (partial(random_tree, 8), 0.5),
    "helical and planar": (partial(random_tree, 11), 3.0),
}
"""Systems, and how long to go [s]: as fast as they are."""


def errors(system, q, v, method, count, exact):
    """Return the largest errors at the ends of steps and between, in a run of equal steps."""
    duration = exact.t[-1]
    h = duration / count
    how = {"step": h} if method in EQUAL else {"rtol": 0.1, "atol": 10.0}
    if method not in EQUAL:
        how |= {"first_step": h, "max_step": h}
    run = ps.simulate(system, q, v, duration, tau=law, integrator=method, **how)
    assert run.status.ok
    assert len(run) == count + 1
    assert run.statistics.rejected == 0
    between = h * (np.arange(count) + 0.37)
    return [
        max(np.abs(system.difference(a, b)).max(), np.abs(c - d).max())
        for (a, c), (b, d) in (
            ((run.q, run.v), exact.at(run.t)),
            (run.at(between), exact.at(between)),
        )
    ]


@pytest.mark.parametrize("method", ORDERS)
@pytest.mark.parametrize("case", CASES)
def test_order(case, method):
    """Check that halving the step divides errors by 2**order.

    Twice, and one of them counts: steps may be too coarse for it at first, or rounding may show at
    last.
    """
    make, duration = CASES[case]
    system, q, v = make()
    exact = ps.simulate(system, q, v, duration, tau=law, rtol=1e-12)
    seen = [errors(system, q, v, method, k * STEPS[method], exact) for k in (1, 2, 4)]
    assert np.max(seen) < 0.1
    orders = np.log2(np.divide(seen[:-1], seen[1:])).max(axis=0)
    assert (orders > np.array(ORDERS[method]) - SLACK).all(), (seen, orders)
