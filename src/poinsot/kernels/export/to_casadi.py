"""Routines as functions of CasADi, with its derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from poinsot.expr import Op, Port
from poinsot.kernels.export.routine import Routine
from poinsot.kernels.export.run_on_values import follow, needed


def to_casadi(routine: Routine) -> Any:  # noqa: ANN401 (a casadi.Function)
    """Return the routine as a ``casadi.Function`` of SX.

    Inputs and outputs have the names of the ports.  Vectors are columns; matrices keep their shape.

    Raises:
        PoinsotError: CasADi is not installed.
    """
    needed("casadi")
    import casadi

    program = routine.program
    inputs = [casadi.SX.sym(port.name, port.size) for port in program.inputs]
    entries = [
        x[k] for x, port in zip(inputs, program.inputs, strict=True) for k in range(port.size)
    ]
    results = iter(follow(program, entries, _operations(), casadi.SX))
    outputs = []
    for port in program.outputs:
        rows, columns = _shape(port)
        flat = casadi.vertcat(casadi.SX(0, 1), *[next(results) for _ in range(port.size)])
        # CasADi stores columns, we rows
        outputs.append(casadi.reshape(flat, columns, rows).T)
    names_in = [port.name for port in program.inputs]
    names_out = [port.name for port in program.outputs]
    return casadi.Function(routine.name, inputs, outputs, names_in, names_out)


def _shape(port: Port) -> tuple[int, int]:
    """Return rows and columns: a vector is a column; beyond two dimensions, the first are rows."""
    if not port.shape:
        return 1, 1
    return (port.size, 1) if len(port.shape) == 1 else (port.shape[0], port.size // port.shape[0])


@cache
def _operations() -> Mapping[Op, Callable[..., Any]]:
    import casadi

    def is_number(a: Any) -> Any:  # noqa: ANN401
        # a == a would be simplified to 1
        return a <= math.inf

    def where_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of two numbers that is NaN where one of them is."""

        def both(a: Any, b: Any) -> Any:  # noqa: ANN401
            both_numbers = casadi.logic_and(is_number(a), is_number(b))
            return casadi.if_else(both_numbers, function(a, b), math.nan)

        return both

    def select(condition: Any, a: Any, b: Any) -> Any:  # noqa: ANN401
        chosen = casadi.if_else(condition, a, b)
        return casadi.if_else(is_number(condition), chosen, math.nan)

    return {
        Op.ADD: lambda a, b: a + b,
        Op.SUB: lambda a, b: a - b,
        Op.MUL: lambda a, b: a * b,
        Op.DIV: lambda a, b: a / b,
        Op.NEG: lambda a: -a,
        Op.SQRT: casadi.sqrt,
        Op.SIN: casadi.sin,
        Op.COS: casadi.cos,
        Op.TAN: casadi.tan,
        Op.ASIN: casadi.asin,
        Op.ACOS: casadi.acos,
        Op.ATAN2: casadi.atan2,
        Op.EXP: casadi.exp,
        Op.LOG: casadi.log,
        Op.POW: casadi.power,
        Op.MIN: where_numbers(casadi.fmin),
        Op.MAX: where_numbers(casadi.fmax),
        Op.ABS: casadi.fabs,
        Op.SIGN: lambda a: casadi.if_else(is_number(a), casadi.sign(a), math.nan),
        Op.FLOOR: casadi.floor,
        Op.LESS: where_numbers(lambda a, b: a < b),
        Op.LESS_EQUAL: where_numbers(lambda a, b: a <= b),
        Op.EQUAL: where_numbers(lambda a, b: a == b),
        Op.SELECT: select,
    }
