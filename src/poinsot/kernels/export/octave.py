"""Routines as functions of MATLAB and Octave, one per file; columns are states."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from poinsot.expr import Op, Port
from poinsot.kernels.export.c_function import checked_precision
from poinsot.kernels.export.dialect import PRODUCT, SIGN, SUM, Dialect, Infix, decimal
from poinsot.kernels.export.listing import StatementListing
from poinsot.kernels.export.routine import Package, Routine
from poinsot.kernels.export.sources import Sources

_INFIX: Final[Infix] = {
    Op.ADD: (" + ", SUM, SUM, PRODUCT),
    Op.SUB: (" - ", SUM, SUM, PRODUCT),
    Op.MUL: (" .* ", PRODUCT, PRODUCT, SIGN),
    Op.DIV: (" ./ ", PRODUCT, PRODUCT, SIGN),
}

_CALLS: Final[Mapping[Op, str]] = {
    Op.SQRT: "real_sqrt",
    Op.SIN: "sin",
    Op.COS: "cos",
    Op.TAN: "tan",
    Op.ASIN: "real_asin",
    Op.ACOS: "real_acos",
    Op.ATAN2: "atan2",
    Op.EXP: "exp",
    Op.LOG: "real_log",
    Op.POW: "real_power",
    Op.MIN: "smaller",
    Op.MAX: "larger",
    Op.ABS: "abs",
    Op.SIGN: "sign_of",
    Op.FLOOR: "floor",
    Op.LESS: "less",
    Op.LESS_EQUAL: "less_equal",
    Op.EQUAL: "equal",
    Op.SELECT: "choice",
}

_BODIES: Final[Mapping[Op, tuple[str, tuple[str, ...]]]] = {
    # operation: parameters, statements that give y; numbers stay real, and NaN stays NaN.
    # Octave's power of a negative number is complex where one exponent of the array is no integer.
    Op.SQRT: ("a", ("a(a < 0) = NaN;", "y = sqrt(a);")),
    Op.ASIN: ("a", ("a(abs(a) > 1) = NaN;", "y = asin(a);")),
    Op.ACOS: ("a", ("a(abs(a) > 1) = NaN;", "y = acos(a);")),
    Op.LOG: ("a", ("a(a < 0) = NaN;", "y = log(a);")),
    Op.POW: (
        "a, b",
        (
            "[a, b] = alike(a, b);",
            "a(a == -Inf & b ~= fix(b)) = Inf;",
            "a(isinf(b)) = abs(a(isinf(b)));",
            "a(a < 0 & b ~= fix(b)) = NaN;",
            "turned = (a < 0 | 1 ./ a == -Inf) & abs(b - 2 .* fix(b ./ 2)) == 1;",
            "y = power(abs(a), b);",
            "y(turned) = -y(turned);",
            "y(b == 0 | a == 1) = 1;",
        ),
    ),
    Op.MIN: ("a, b", ("y = min(a, b);", "y(isnan(a) | isnan(b)) = NaN;")),
    Op.MAX: ("a, b", ("y = max(a, b);", "y(isnan(a) | isnan(b)) = NaN;")),
    Op.SIGN: ("a", ("y = sign(a);", "y(isnan(a)) = NaN;")),
    Op.LESS: ("a, b", ("y = double(a < b);", "y(isnan(a) | isnan(b)) = NaN;")),
    Op.LESS_EQUAL: ("a, b", ("y = double(a <= b);", "y(isnan(a) | isnan(b)) = NaN;")),
    Op.EQUAL: ("a, b", ("y = double(a == b);", "y(isnan(a) | isnan(b)) = NaN;")),
    Op.SELECT: (
        "c, a, b",
        (
            "[c, a] = alike(c, a);",
            "[c, b] = alike(c, b);",
            "[a, b] = alike(a, b);",
            "y = b;",
            "y(c ~= 0) = a(c ~= 0);",
            "y(isnan(c)) = NaN;",
        ),
    ),
}

_ALIKE: Final = """\
function [a, b] = alike(a, b)
  one = ones(size(a)) .* ones(size(b));
  a = a .* one;
  b = b .* one;
end
"""


def to_octave(package: Package, precision: str) -> Sources:
    """Return NAME_ROUTINE.m for each routine.

    Inputs are columns; with several columns each is a state, and the states are the columns of
    results that are vectors, the third dimension of those that are matrices.

    Args:
        package: The routines.
        precision: "double" or "float" (MATLAB's single).
    """
    kind = {"double": "double", "float": "single"}[checked_precision(precision)]
    return Sources(
        {
            f"{package.name}_{routine.name}.m": _file(package, routine, kind)
            for routine in package.routines
        }
    )


def _file(package: Package, routine: Routine, kind: str) -> str:
    program = routine.program
    name = f"{package.name}_{routine.name}"
    inputs = [f"{port.name}({k + 1}, :)" for port in program.inputs for k in range(port.size)]
    targets = [text for port in program.outputs for text in _targets(port)]
    dialect = Dialect(_number, _CALLS, "{} = {};", "{} = {};", _INFIX)
    listing = StatementListing(program, dialect, inputs, targets)
    results = ", ".join(port.name for port in program.outputs)
    arguments = ", ".join(port.name for port in program.inputs)
    comments = [*package.heading(), "", *routine.description(), *_SHAPES]
    lines = [f"% {line}".rstrip() for line in comments]
    lines += _sizes(program.inputs, kind)
    for port in program.outputs:
        lines.append(f"{port.name} = zeros({', '.join(_dimensions(port))}, '{kind}');")
    lines += listing.body()
    body = "".join(f"  {line}\n" for line in lines)
    helpers = [_helper(op) for op in _BODIES if op in program.counts]
    if {Op.SELECT, Op.POW} & set(program.counts):
        helpers.append(_ALIKE)
    head = f"function [{results}] = {name}({arguments})\n"
    return "\n".join([f"{head}{body}end\n", *helpers])


_SHAPES: Final = ("Inputs are columns; several columns are several states.",)


def _sizes(inputs: Sequence[Port], kind: str) -> list[str]:
    """Return statements that check the rows and find the number of states.

    An input of one state broadcasts.
    """
    lines = ["n_states = 1;"]
    for port in inputs:
        name, size = port.name, port.size
        lines += [
            f"if size({name}, 1) ~= {size}",
            f"  error('{name} must have {size} rows, one column for each state');",
            "end",
            f"{name} = {kind}({name});",
            f"if size({name}, 2) ~= 1",
            f"  n_states = size({name}, 2);",
            "end",
        ]
    return lines


def _dimensions(port: Port) -> list[str]:
    """Return the dimensions of a result: a number is a row of states."""
    return [*(map(str, port.shape) if port.shape else ("1",)), "n_states"]


def _targets(port: Port) -> list[str]:
    """Return each entry of an output as it is written, C order."""
    indices: list[tuple[int, ...]] = [()]
    for n in port.shape:
        indices = [(*index, k + 1) for index in indices for k in range(n)]
    return [f"{port.name}({', '.join([*map(str, index or (1,)), ':'])})" for index in indices]


def _helper(op: Op) -> str:
    parameters, statements = _BODIES[op]
    body = "".join(f"  {line}\n" for line in statements)
    return f"function y = {_CALLS[op]}({parameters})\n{body}end\n"


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return decimal(value)
