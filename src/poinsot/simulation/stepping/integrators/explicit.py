"""Explicit Runge-Kutta methods: the functions of the stepper from a tableau."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter, Row
from poinsot.simulation.stepping.dense_output import polynomial
from poinsot.simulation.stepping.error_estimate import error_along, no_error, row_errors
from poinsot.simulation.stepping.integrators.integrator import AbstractIntegrator
from poinsot.simulation.stepping.vectors import stage_argument


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


@dataclass(frozen=True)
class Explicit(AbstractIntegrator):
    """An explicit Runge-Kutta method.

    Attributes:
        tableau: Its coefficients.
    """

    tableau: Tableau

    @property
    def n_derivatives(self) -> int:
        """All stages: those of a step, the derivative at its end and those for dense output."""
        return self.end + 1 + len(self.tableau.more_stages)

    @property
    def end(self) -> int:
        """The derivative at the end comes after the stages."""
        return len(self.tableau.stages)

    @property
    def end_is_known(self) -> bool:
        """It is where the error takes it."""
        return self.tableau.end_in_error

    @property
    def n_dense(self) -> int:
        """The cubic part and the rows of the integrator."""
        return 3 + len(self.tableau.dense)

    @property
    def error_row(self) -> Row:
        """The first row of errors; without one, the derivative at the start."""
        return self.tableau.errors[0] if self.tableau.errors else super().error_row

    @property
    def gap(self) -> float | None:
        """Of an integrator with an error estimate."""
        if not self.tableau.errors:
            return None
        nodes = sorted({*self.tableau.nodes, *self.tableau.more_nodes})
        first, second = max(pairwise(nodes), key=lambda pair: pair[1] - pair[0])
        return (first + second) / 2.0

    def functions(self, layout: Layout) -> list[str]:
        """Return ``@step``, ``@error``, ``@error_along``, ``@dense`` and what they call."""
        tableau = self.tableau
        rows = {f"stage{s}": row for s, row in enumerate(tableau.stages) if s > 0}
        rows["solution"] = tableau.solution
        rows |= {f"more{s}": row for s, row in enumerate(tableau.more_stages)}
        errors = [no_error(layout)]
        if tableau.errors:
            errors = [row_errors(tableau.errors, layout), *error_along(tableau.errors, layout)]
        return [
            *[stage_argument(name, "y", row, layout) for name, row in rows.items()],
            self._step(layout),
            *errors,
            polynomial("polynomial", self.end, tableau.dense, layout),
            self._dense(layout),
        ]

    def _step(self, layout: Layout) -> str:
        """Return ``@step(c)``: the stages of a step; its end is in x then."""
        w, tableau = ControlWriter(layout), self.tableau
        t, h = w.get("t"), w.get("h")
        for s in range(1, self.end):
            _stage(w, f"stage{s}", s, t + h * tableau.nodes[s])
        w.do("solution")
        if tableau.end_in_error:
            w.set_time(t + h)
            w.do("derivative", self.end)
        return w.define("step")

    def _dense(self, layout: Layout) -> str:
        """Return ``@dense(c)``: the stages that only the polynomial needs, and its coefficients."""
        w = ControlWriter(layout)
        t, h = w.get("t"), w.get("h")
        for number, node in enumerate(self.tableau.more_nodes):
            _stage(w, f"more{number}", self.end + 1 + number, t + h * node)
        w.do("polynomial")
        return w.define("dense")


def _stage(w: ControlWriter, argument: str, number: int, time: Value) -> None:
    """Write the derivative k[number] at a stage."""
    w.do(argument)
    w.set_time(time)
    w.do("derivative", number)
