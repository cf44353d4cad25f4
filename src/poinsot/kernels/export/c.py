"""Routines as C99: a header, a source and a test; nothing is allocated."""

from __future__ import annotations

from poinsot.kernels.export.c_function import CStyle, c_function, checked_precision, comment
from poinsot.kernels.export.c_test import c_test
from poinsot.kernels.export.routine import Package
from poinsot.kernels.export.sources import Sources


def to_c(package: Package, precision: str) -> Sources:
    """Return NAME.h, NAME.c and NAME_test.c.

    Functions are called NAME_ROUTINE; they take arrays in C order, one for each input and output,
    which must not overlap, and keep nothing between calls.

    Args:
        package: The routines.
        precision: "double" or "float".
    """
    name = package.name
    style = CStyle(checked_precision(precision), name, "", "static ")
    heading = comment(
        [
            *package.heading(),
            f"Numbers are {style.real}. Do not compile with -ffast-math: NaN would be lost.",
        ]
    )
    guard = f"{name.upper()}_H"
    functions = [comment(r.description()) + c_function(r, style) for r in package.routines]
    choices = style.choices([routine.program for routine in package.routines])
    declared = [comment(r.description()) + style.head(r) + ";\n" for r in package.routines]
    header = [
        heading + f"#ifndef {guard}\n#define {guard}\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n',
        *declared,
        "#ifdef __cplusplus\n}\n#endif\n",
        "#endif\n",
    ]
    source = [
        heading + f'#include "{name}.h"\n\n#include <math.h>\n',
        *(["\n".join(choices) + "\n"] if choices else []),
        *functions,
    ]
    return Sources(
        {
            f"{name}.h": "\n".join(header),
            f"{name}.c": "\n".join(source),
            f"{name}_test.c": heading + c_test(package, style),
        }
    )
