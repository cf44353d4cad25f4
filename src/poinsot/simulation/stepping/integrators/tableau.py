"""What an explicit Runge-Kutta method is: its coefficients and those of its error estimate."""

from __future__ import annotations

from dataclasses import dataclass

from poinsot.simulation.stepping.ir_writer import Row


@dataclass(frozen=True)
class Tableau:
    """The coefficients of an explicit Runge-Kutta method with dense output.

        k[s] = f(t + c[s] h, y + h sum of stages[s][j] k[j]),      y(t + h) = y + h sum of b[j] k[j]

    The derivative at the end of a step counts as the stage after the last: it is the first one of
    the next step.  Then come the stages that only the dense output needs.

    Attributes:
        nodes: c, one for each stage.
        stages: Rows of A.
        solution: Row b.
        errors: Rows whose products with the stages estimate the error / h.  Of one, the norm is
            taken; of two, of orders 5 and 3, ||e5||² / sqrt(||e5||² + ||e3||² / 100)
            [HNW, section II.10]; of none, there is no estimate.
        end_in_error: Whether the error takes the derivative at the end of the step.
        more_nodes: c of the stages for dense output.
        more_stages: Rows of A of these.
        dense: Rows of the interpolating polynomial beyond its cubic part [HNW, section II.6].
    """

    nodes: tuple[float, ...]
    stages: tuple[Row, ...]
    solution: Row
    errors: tuple[Row, ...] = ()
    end_in_error: bool = False
    more_nodes: tuple[float, ...] = ()
    more_stages: tuple[Row, ...] = ()
    dense: tuple[Row, ...] = ()
