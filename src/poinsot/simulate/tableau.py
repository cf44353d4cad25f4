"""What a Runge-Kutta method is: its coefficients, its error estimate and its step control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Row: TypeAlias = Mapping[int, float]
"""Coefficients by the number of the stage, zeros left out."""


@dataclass(frozen=True)
class Tableau:
    """An explicit Runge-Kutta method with error estimate and dense output.

        k[s] = f(t + c[s] h, y + h sum of stages[s][j] k[j]),      y(t + h) = y + h sum of b[j] k[j]

    The derivative at the end of a step counts as stage ``n_stages``: it is the first one of the
    next step.  Then come the stages that only the dense output needs.

    Attributes:
        name: What users call it.
        order: Order of the solution.
        nodes: c, one for each stage.
        stages: Rows of A.
        solution: Row b.
        errors: Rows whose products with the stages estimate the error / h.  Of one, the norm is
            taken; of two, of orders 5 and 3, ||e5||² / sqrt(||e5||² + ||e3||² / 100)
            [HNW, section II.10].
        end_in_error: Whether the error takes the derivative at the end of the step.
        more_nodes: c of the stages for dense output.
        more_stages: Rows of A of these.
        dense: Rows of the interpolating polynomial beyond its cubic part [HNW, section II.6].
        alpha: The next step is proportional to error**-alpha last_error**beta
            [HNW2, section IV.2].
        beta: See alpha.
        least_factor: A step is at least so many times the last one.
        most_factor: And at most so many times.
    """

    name: str
    order: int
    nodes: tuple[float, ...]
    stages: tuple[Row, ...]
    solution: Row
    errors: tuple[Row, ...]
    end_in_error: bool
    more_nodes: tuple[float, ...]
    more_stages: tuple[Row, ...]
    dense: tuple[Row, ...]
    alpha: float
    beta: float
    least_factor: float
    most_factor: float

    @property
    def n_stages(self) -> int:
        """Stages of one step, without the derivative at its end."""
        return len(self.stages)

    @property
    def n_derivatives(self) -> int:
        """All stages: those of a step, the derivative at its end and those for dense output."""
        return self.n_stages + 1 + len(self.more_stages)

    @property
    def n_dense(self) -> int:
        """Coefficients of the interpolating polynomial."""
        return 3 + len(self.dense)
