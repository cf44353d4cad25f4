"""Routines as a Python module that needs NumPy only; arrays of any leading shape."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from poinsot.expr import Op, Port
from poinsot.kernels.export.c_function import checked_precision
from poinsot.kernels.export.dialect import ARITHMETIC, Dialect, decimal
from poinsot.kernels.export.listing import StatementListing
from poinsot.kernels.export.routine import Package, Routine
from poinsot.kernels.export.sources import Sources

_TAKEN: Final = frozenset({"numpy", *sys.stdlib_module_names})
"""Modules that a file of the same name beside it would hide from everybody."""

_NUMPY: Final[Mapping[Op, str]] = {
    Op.SQRT: "np.sqrt",
    Op.SIN: "np.sin",
    Op.COS: "np.cos",
    Op.TAN: "np.tan",
    Op.ASIN: "np.arcsin",
    Op.ACOS: "np.arccos",
    Op.ATAN2: "np.arctan2",
    Op.EXP: "np.exp",
    Op.LOG: "np.log",
    Op.POW: "np.power",
    Op.MIN: "np.minimum",
    Op.MAX: "np.maximum",
    Op.ABS: "np.abs",
    Op.SIGN: "np.sign",
    Op.FLOOR: "np.floor",
    Op.LESS: "_less",
    Op.LESS_EQUAL: "_less_equal",
    Op.EQUAL: "_equal",
    Op.SELECT: "_choice",
}

_COMPARISON: Final = (
    "def {}(a, b):\n    return np.where(np.isnan(a) | np.isnan(b), np.nan, {}(a, b))\n"
)
_CHOICES: Final[Mapping[Op, str]] = {
    Op.LESS: _COMPARISON.format("_less", "np.less"),
    Op.LESS_EQUAL: _COMPARISON.format("_less_equal", "np.less_equal"),
    Op.EQUAL: _COMPARISON.format("_equal", "np.equal"),
    Op.SELECT: (
        "def _choice(c, a, b):\n"
        "    return np.where(np.isnan(c), np.nan, np.where(np.not_equal(c, 0), a, b))\n"
    ),
}

_ENTRIES: Final = '''\
def _entries(name, array, size):
    """Return the entries along the last axis, one array each."""
    array = np.asarray(array, dtype={dtype})
    if array.ndim == 0 or array.shape[-1] != size:
        raise ValueError(f"{{name}} must have shape (..., {{size}}), got {{array.shape}}")
    return np.moveaxis(array, -1, 0)
'''


def to_python(package: Package, precision: str) -> Sources:
    """Return NAME.py; its functions are called as the routines and broadcast leading dimensions.

    It is NAME_.py where Python has a module NAME.

    Args:
        package: The routines.
        precision: "double" (float64) or "float" (float32).
    """
    dtype = {"double": "np.float64", "float": "np.float32"}[checked_precision(precision)]
    used = {op for routine in package.routines for op in routine.program.counts}
    heading = "\n".join([*package.heading(), "It needs NumPy only."])
    sections = [
        f'"""{heading}\n"""\n\nimport numpy as np\n',
        _ENTRIES.format(dtype=dtype),
        *[text for op, text in _CHOICES.items() if op in used],
        *[_function(routine, dtype) for routine in package.routines],
    ]
    name = f"{package.name}_" if package.name in _TAKEN else package.name
    return Sources({f"{name}.py": "\n\n".join(sections)})


def _function(routine: Routine, dtype: str) -> str:
    program = routine.program
    names = [_names(port) for port in program.inputs]
    inputs = [name for entries in names for name in entries]
    targets = [text for port in program.outputs for text in _targets(port)]
    dialect = Dialect(_number, _NUMPY, "{} = {}", "{} = {}", ARITHMETIC)
    listing = StatementListing(program, dialect, inputs, targets)
    lines = [f"{p.name} = _entries({p.name!r}, {p.name}, {p.size})" for p in program.inputs]
    shapes = ", ".join(f"{port.name}.shape[1:]" for port in program.inputs)
    lines.append(f"batch = np.broadcast_shapes({shapes})")
    for port in program.outputs:
        dims = ", ".join(["*batch", *map(str, port.shape)])
        lines.append(f"{port.name} = np.empty(({dims},), dtype={dtype})")
    lines += [
        f"({', '.join(entries)},) = {port.name}"
        for port, entries in zip(program.inputs, names, strict=True)
        if entries
    ]
    lines.append('with np.errstate(all="ignore"):')
    lines += [f"    {line}" for line in listing.body() or ["pass"]]
    # a number for one state, not an array of no dimension
    results = ", ".join(port.name if port.shape else f"{port.name}[()]" for port in program.outputs)
    lines.append(f"return {results}")
    arguments = ", ".join(port.name for port in program.inputs)
    doc = "\n    ".join(routine.description())
    text = "".join(f"    {line}\n" for line in lines)
    return f'def {routine.name}({arguments}):\n    """{doc}\n    """\n{text}'


def _names(port: Port) -> Sequence[str]:
    return [f"{port.name}{k}" for k in range(port.size)]


def _targets(port: Port) -> Sequence[str]:
    """Return each entry of an output as it is written, C order."""
    indices: list[tuple[int, ...]] = [()]
    for n in port.shape:
        indices = [(*index, k) for index in indices for k in range(n)]
    return [f"{port.name}[{', '.join(['...', *map(str, index)])}]" for index in indices]


def _number(value: float) -> str:
    if math.isnan(value):
        return "np.nan"
    if math.isinf(value):
        return "np.inf" if value > 0 else "-np.inf"
    return decimal(value)
