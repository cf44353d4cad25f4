"""Dormand and Prince's integrator of order 5, with an error of order 4 and dense output of order 4.

Coefficients as in DOPRI5 [HNW, Table II.5.2]; the seventh stage is the derivative at the end.
"""

from __future__ import annotations

from poinsot.simulation.stepping.integrators.explicit import Explicit, Tableau
from poinsot.simulation.stepping.integrators.integrator import StepControl

DP5 = Explicit(
    name="dp5",
    order=5,
    # As in DOPRI5.
    step_control=StepControl(
        alpha=0.2 - 0.75 * 0.04, beta=0.04, least_factor=0.2, most_factor=10.0
    ),
    tableau=Tableau(
        nodes=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0),
        stages=(
            {},
            {0: 1 / 5},
            {0: 3 / 40, 1: 9 / 40},
            {0: 44 / 45, 1: -56 / 15, 2: 32 / 9},
            {0: 19372 / 6561, 1: -25360 / 2187, 2: 64448 / 6561, 3: -212 / 729},
            {0: 9017 / 3168, 1: -355 / 33, 2: 46732 / 5247, 3: 49 / 176, 4: -5103 / 18656},
        ),
        solution={0: 35 / 384, 2: 500 / 1113, 3: 125 / 192, 4: -2187 / 6784, 5: 11 / 84},
        errors=(
            {
                0: 71 / 57600,
                2: -71 / 16695,
                3: 71 / 1920,
                4: -17253 / 339200,
                5: 22 / 525,
                6: -1 / 40,
            },
        ),
        end_in_error=True,
        more_nodes=(),
        more_stages=(),
        dense=(
            {
                0: -12715105075 / 11282082432,
                2: 87487479700 / 32700410799,
                3: -10690763975 / 1880347072,
                4: 701980252875 / 199316789632,
                5: -1453857185 / 822651844,
                6: 69997945 / 29380423,
            },
        ),
    ),
)
