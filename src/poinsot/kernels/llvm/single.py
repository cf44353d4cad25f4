"""The function that evaluates one state.

``void @single(ptr inputs, ptr outputs)``: both arguments are arrays of pointers, one for each port.
"""

from __future__ import annotations

from poinsot.expr import Program
from poinsot.kernels.llvm.emit import (
    declarations,
    definitions,
    emit_body,
    load_pointers,
    port_names,
)
from poinsot.kernels.llvm.target import Target


def single_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@single``."""
    arguments = ", ".join(f"ptr %{name}" for name, _ in port_names(program))
    return "\n".join(
        [
            *sorted(declarations(program, 1, target.width)),
            definitions(program, target.width),
            emit_body("body", program, 1, target.width),
            "define void @single(ptr %inputs, ptr %outputs) nounwind {",
            *load_pointers(program),
            f"  call fastcc void @body({arguments})",
            "  ret void\n}",
        ]
    )
