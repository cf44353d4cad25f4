"""Explicit Runge-Kutta methods: the functions of the stepper from a tableau."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import vectors
from poinsot.simulation.stepping.integrators.integrator import AbstractIntegrator
from poinsot.simulation.stepping.integrators.tableau import Tableau
from poinsot.simulation.stepping.ir_value import Value
from poinsot.simulation.stepping.ir_writer import IrWriter, Row


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
        return self.tableau.errors[0] if self.tableau.errors else {0: 1.0}

    @property
    def gap(self) -> float | None:
        """Of an integrator with an error estimate."""
        if not self.tableau.errors:
            return None
        nodes = sorted({*self.tableau.nodes, *self.tableau.more_nodes})
        first, second = max(pairwise(nodes), key=lambda pair: pair[1] - pair[0])
        return (first + second) / 2.0

    def functions(self, lanes: int) -> list[str]:
        """Return ``@step``, ``@error``, ``@error_along``, ``@dense`` and what they call."""
        tableau = self.tableau
        rows = {f"stage{s}": row for s, row in enumerate(tableau.stages) if s > 0}
        rows["solution"] = tableau.solution
        rows |= {f"more{s}": row for s, row in enumerate(tableau.more_stages)}
        return [
            *[_stage_argument(name, row, lanes) for name, row in rows.items()],
            self._step(lanes),
            *self._errors(lanes),
            vectors.polynomial(self.end, tableau.dense, lanes),
            self._dense(lanes),
        ]

    def _step(self, lanes: int) -> str:
        """Return ``@step(c)``: the stages of a step; its end is in x then."""
        w, tableau = IrWriter(lanes), self.tableau
        t, h = w.get("t"), w.get("h")
        for s in range(1, self.end):
            _stage(w, f"stage{s}", s, tableau.nodes[s], t, h)
        w.line("call fastcc void @solution(ptr %c)")
        if tableau.end_in_error:
            w.set("t_stage", t + h)
            w.line(f"call void @derivative(ptr %c, i64 {self.end})")
        w.line("ret void")
        return w.function("internal fastcc void @step(ptr %c)")

    def _errors(self, lanes: int) -> list[str]:
        """Return what estimates errors."""
        rows = self.tableau.errors
        if not rows:
            return [vectors.no_error(lanes)]
        return [_error(rows, lanes), *error_along(rows, _norm, lanes)]

    def _dense(self, lanes: int) -> str:
        """Return ``@dense(c)``: the stages that only the polynomial needs, and its coefficients."""
        w = IrWriter(lanes)
        t, h = w.get("t"), w.get("h")
        for number, node in enumerate(self.tableau.more_nodes):
            _stage(w, f"more{number}", self.end + 1 + number, node, t, h)
        w.line("call fastcc void @polynomial(ptr %c)")
        w.line("ret void")
        return w.function("internal fastcc void @dense(ptr %c)")


def _stage(w: IrWriter, argument: str, number: int, node: float, t: Value, h: Value) -> None:
    w.line(f"call fastcc void @{argument}(ptr %c)")
    w.set("t_stage", t + h * node)
    w.line(f"call void @derivative(ptr %c, i64 {number})")


def _stage_argument(name: str, row: Row, lanes: int) -> str:
    """Return ``@name(c)``: x = y + h sum of row[s] k[s]."""
    w = vectors.vector_writer(lanes)
    y, x, h = w.get("y"), w.get("x"), w.get("h")
    stages = vectors.stages(w, row)
    step = w.splat(h)
    with w.over():
        total = w.combination(row, stages)
        w.store(w.arithmetic("fadd", w.load(y), w.arithmetic("fmul", step, total)), x)
    w.line("ret void")
    return w.function(f"internal fastcc void @{name}(ptr %c)")


def _error(rows: tuple[Row, ...], lanes: int) -> str:
    """Return ``double @error(c)``: norm of the error of the step from y to x, 1 at the limit.

    The scale of entry i is atol + rtol max(|y|, |x|) [HNW, section II.4].
    0 * x is added, which is NaN where x is not finite.
    """
    w = vectors.vector_writer(lanes)
    y, x, h, n = w.get("y"), w.get("x"), w.get("h"), w.get("n")
    scale_of = vectors.error_scale(w)
    stages = vectors.stages(w, {s: 0.0 for row in rows for s in row})
    names = [f"e{number}" for number in range(len(rows))]
    with w.over(sums=names) as totals:
        now, then = w.load(y), w.load(x)
        scale = scale_of(now, then)
        watch = w.arithmetic("fmul", then, w.lanes.number(0.0))
        for name, row in zip(names, rows, strict=True):
            e = w.arithmetic("fdiv", w.combination(row, stages), scale)
            total = w.arithmetic("fadd", f"%{name}", w.arithmetic("fmul", e, e))
            totals.append(w.arithmetic("fadd", total, watch))
    count = n.to_double()
    w.line(f"ret double {_norm(w, names, h, count)}")
    return w.function("internal fastcc double @error(ptr %c)")


def _norm(w: IrWriter, names: list[str], h: Value, count: Value) -> Value:
    if len(names) == 1:
        return h * (w.value(f"%{names[0]}.total") / count).sqrt()
    fifth, third = (w.value(f"%{name}.total") for name in names)
    both = fifth + third * 0.01
    both = both.equals(0.0).choose(1.0, both)  # without any error it is 0 / 1 in place of 0 / 0
    return h * (fifth / (both * count).sqrt())


Norm = Callable[[IrWriter, list[str], Value, Value], Value]
"""(writer, names of sums of squares, factor, number of entries) -> norm of errors."""


def error_along(rows: Sequence[Row], norm: Norm, lanes: int) -> list[str]:
    """Return ``double @error_along(c)`` and what it calls; x stays the end of the step.

    The end of the step and the ends that differ from it by the estimated errors are put on the
    constraints, and what they then differ by counts.

    Args:
        rows: Combinations of the k that estimate the error / h.
        norm: What makes one number of them.
        lanes: Doubles in a register.
    """
    return [
        _keep(lanes),
        *[_apart(number, row, lanes) for number, row in enumerate(rows)],
        _differences(len(rows), norm, lanes),
        _error_along(len(rows), lanes),
    ]


def _error_along(count: int, lanes: int) -> str:
    w = IrWriter(lanes)
    w.set("t_stage", w.get("t") + w.get("h"))
    w.line("call fastcc void @keep_end(ptr %c)")
    for number in range(count + 1):
        if number:
            w.line(f"call fastcc void @apart{number - 1}(ptr %c)")
        w.line("call fastcc void @project(ptr %c)")
        w.line(f"call fastcc void @keep_apart(ptr %c, i64 {number})")
    w.line("call fastcc void @take_end(ptr %c)")
    w.line(f"ret double {w.put('call fastcc double @differences(ptr %c)')}")
    return w.function("internal fastcc double @error_along(ptr %c)")


def _apart(number: int, row: Row, lanes: int) -> str:
    """Return ``@apart<number>(c)``: x = z + h sum of row[s] k[s]."""
    w = vectors.vector_writer(lanes)
    z, x, h = w.get("z"), w.get("x"), w.get("h")
    stages, step = vectors.stages(w, row), w.splat(h)
    with w.over():
        total = w.combination(row, stages)
        w.store(w.arithmetic("fadd", w.load(z), w.arithmetic("fmul", step, total)), x)
    w.line("ret void")
    return w.function(f"internal fastcc void @apart{number}(ptr %c)")


def _keep(lanes: int) -> str:
    """Return ``@keep_apart(c, number)``: x into the memory of dense output, not in use yet."""
    w = vectors.vector_writer(lanes)
    x, offset = w.get("x"), w.put("mul i64 %width, %number")
    goal = w.put(f"getelementptr double, ptr {w.get('dense')}, i64 {offset}")
    with w.over():
        w.store(w.load(x), goal)
    w.line("ret void")
    return w.function("internal fastcc void @keep_apart(ptr %c, i64 %number)")


def _differences(count: int, norm: Norm, lanes: int) -> str:
    """Return ``double @differences(c)``: norm of the stored states, less the first of them."""
    w = vectors.vector_writer(lanes)
    y, base, n = w.get("y"), w.get("dense"), w.get("n")
    kept = [w.vector(base, number) for number in range(count + 1)]
    scale_of = vectors.error_scale(w)
    names = [f"e{number}" for number in range(count)]
    with w.over(sums=names) as totals:
        end = w.load(kept[0])
        scale = scale_of(w.load(y), end)
        for name, state in zip(names, kept[1:], strict=True):
            e = w.arithmetic("fdiv", w.arithmetic("fsub", w.load(state), end), scale)
            totals.append(w.arithmetic("fadd", f"%{name}", w.arithmetic("fmul", e, e)))
    size = n.to_double()
    w.line(f"ret double {norm(w, names, w.value(double(1.0)), size)}")
    return w.function("internal fastcc double @differences(ptr %c)")
