"""A main program in C that tests routines on a few states, against the interpreter's results."""

from __future__ import annotations

from typing import Final

from poinsot.kernels.export.c_function import CStyle
from poinsot.kernels.export.expected_results import expected
from poinsot.kernels.export.routine import Package, Routine
from poinsot.spatial import Array

TOLERANCE: Final = {"double": "1e-9", "float": "1e-3f"}
"""Accepted difference, relative to the largest number of a result."""

_COMPARE: Final = """\
static int differs(const char *what, int state, const {real} *found, const {real} *right, int n)
{{
    {real} worst = 0, largest = 0;
    int bad = 0;
    for (int k = 0; k < n; k++) {{
        if ((found[k] != found[k]) != (right[k] != right[k])) bad = 1;
        const {real} size = {fabs}(right[k]);
        if (size > largest && size <= {largest}) largest = size;
        if (right[k] != right[k] || found[k] == right[k]) continue;
        const {real} off = {fabs}(found[k] - right[k]);
        if (!(off <= worst)) worst = off;
    }}
    if (worst > {tolerance} * largest + {tolerance}) bad = 1;
    printf("%s, state %d: largest difference %.1e of %.1e%s\\n", what, state, (double)worst,
           (double)largest, bad ? ": WRONG" : "");
    return bad;
}}
"""


def c_test(package: Package, style: CStyle) -> str:
    """Return the main program; it ends with 0 if every result is right."""
    name = package.name
    head = f'#include "{name}.h"\n\n#include <float.h>\n#include <math.h>\n#include <stdio.h>\n'
    blocks = [check for routine in package.routines for check in _checks(routine, style)]
    body = ["int bad = 0;", *blocks, 'printf(bad ? "%d wrong\\n" : "all right\\n", bad);']
    main = "int main(void)\n{\n" + "".join(f"    {line}\n" for line in body)
    return f"{head}\n{compare(style)}\n{data(package, style)}\n{main}    return bad != 0;\n}}\n"


def compare(style: CStyle) -> str:
    """Return the function that compares results."""
    single = style.real == "float"
    return _COMPARE.format(
        real=style.real,
        fabs="fabsf" if single else "fabs",
        largest="FLT_MAX" if single else "DBL_MAX",
        tolerance=TOLERANCE[style.real],
    )


def data(package: Package, style: CStyle) -> str:
    """Return the states and the results that are right, as constants ROUTINE_PORT[states][size]."""
    return "".join(
        _table(f"{routine.name}_{port.name}", rows, style)
        for routine in package.routines
        for port, rows in zip(routine.ports, [*routine.states, *expected(routine)], strict=True)
        if port.size
    )


def _table(name: str, rows: Array, style: CStyle) -> str:
    n_states, size = rows.shape
    lines = ["    {" + ", ".join(style.number(float(x)) for x in row) + "}" for row in rows]
    head = f"static const {style.real} {name}[{n_states}][{size}] = {{\n"
    return head + ",\n".join(lines) + "\n};\n"


def _checks(routine: Routine, style: CStyle) -> list[str]:
    n_states = len(routine.states[0]) if routine.states else 1
    outputs = routine.program.outputs
    locals_ = [f"{style.real} {p.name}[{p.size}];" for p in outputs if p.size]
    given = [f"{routine.name}_{p.name}[k]" if p.size else "0" for p in routine.program.inputs]
    results = [p.name if p.size else "0" for p in outputs]
    lines = [f"for (int k = 0; k < {n_states}; k++) {{"]
    inner = [*locals_, f"{style.name(routine)}({', '.join([*given, *results])});"]
    inner += [
        f'bad += differs("{routine.name}", k, {p.name}, {routine.name}_{p.name}[k], {p.size});'
        for p in outputs
        if p.size
    ]
    return [*lines, *[f"    {line}" for line in inner], "}"]
