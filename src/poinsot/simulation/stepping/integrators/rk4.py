"""The classical Runge-Kutta method of order 4, with steps of one length [HNW, section II.1].

Between steps a cubic takes the states and derivatives at both ends: order 3.
"""

from __future__ import annotations

from poinsot.simulation.stepping.integrators.explicit import Explicit, Tableau

RK4 = Explicit(
    name="rk4",
    order=4,
    step_control=None,
    tableau=Tableau(
        nodes=(0.0, 1 / 2, 1 / 2, 1.0),
        stages=({}, {0: 1 / 2}, {1: 1 / 2}, {2: 1.0}),
        solution={0: 1 / 6, 1: 1 / 3, 2: 1 / 3, 3: 1 / 6},
    ),
)
