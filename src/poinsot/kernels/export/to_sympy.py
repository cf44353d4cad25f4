"""Routines as expressions of SymPy with named intermediate values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from poinsot.expr import Program
from poinsot.expr.to_sympy import sympy_number, sympy_operation
from poinsot.kernels.export.listing import PREFIXES, uses_of
from poinsot.kernels.export.routine import Routine


@dataclass(frozen=True, eq=False)
class SympyRoutine:
    """A routine in SymPy: assignments in the order of computation, and the results.

    Attributes:
        name: Its name.
        inputs: For each input its symbols: those of parameters have their names, others are
            numbered: q0, q1, ...
        assignments: Symbols of intermediate values and what they are, as ``sympy.cse`` gives them.
        outputs: For each output a number, a column, a matrix or (beyond two dimensions) an array.
    """

    name: str
    inputs: Mapping[str, tuple[Any, ...]]
    assignments: tuple[tuple[Any, Any], ...] = field(repr=False)
    outputs: Mapping[str, Any] = field(repr=False)

    def expanded(self) -> dict[str, Any]:
        """Return the outputs without intermediate values: short for small systems only."""
        replacements: dict[Any, Any] = {}
        for name, value in self.assignments:
            replacements[name] = value.xreplace(replacements)
        return {
            port: value.xreplace(replacements) if hasattr(value, "xreplace") else value
            for port, value in self.outputs.items()
        }

    def lambdify(self, modules: str = "numpy") -> Callable[..., Any]:
        """Return a function of one sequence of numbers for each input, made by ``sympy.lambdify``.

        Args:
            modules: As there, e.g. "numpy", "mpmath" or "math".
        """
        import sympy

        def kept(formulas: Any) -> tuple[Any, Any]:  # noqa: ANN401
            return list(self.assignments), formulas

        outputs = list(self.outputs.values())
        asked = outputs[0] if len(outputs) == 1 else outputs
        function: Callable[..., Any] = sympy.lambdify(
            list(self.inputs.values()), asked, modules=modules, cse=kept
        )
        return function


def to_sympy(routine: Routine) -> SympyRoutine:
    """Return the routine in SymPy; numbers become short fractions where these are the same."""
    import sympy

    program = routine.program
    taken = {port.name for port in routine.ports}
    taken |= {name.rstrip("0123456789") for names in routine.symbols.values() for name in names}
    prefix = next(candidate for candidate in (*PREFIXES, "value_") if candidate not in taken)
    inputs = {
        port.name: tuple(
            map(sympy.Symbol, routine.symbols.get(port.name) or _numbered(port.name, port.size))
        )
        for port in program.inputs
    }
    values = [symbol for symbols in inputs.values() for symbol in symbols]
    values += [sympy_number(value) for value in program.constants]
    assignments: list[tuple[Any, Any]] = []
    uses = uses_of(program)
    for k, (op, args) in enumerate(program.steps):
        value = sympy_operation(op, [values[a] for a in args])
        if uses[program.first_step + k] > 1 and not value.is_Atom:
            name = sympy.Symbol(f"{prefix}{len(assignments)}")
            assignments.append((name, value))
            value = name
        values.append(value)
    return SympyRoutine(routine.name, inputs, tuple(assignments), _outputs(program, values))


def _numbered(name: str, size: int) -> list[str]:
    return [f"{name}{k}" for k in range(size)]


def _outputs(program: Program, values: list[Any]) -> dict[str, Any]:
    import sympy

    outputs: dict[str, Any] = {}
    results = iter(program.results)
    for port in program.outputs:
        entries = [values[next(results)] for _ in range(port.size)]
        if not port.shape:
            outputs[port.name] = entries[0]
        elif len(port.shape) <= 2:
            rows, columns = port.shape if len(port.shape) == 2 else (port.size, 1)
            outputs[port.name] = sympy.ImmutableMatrix(rows, columns, entries)
        else:
            outputs[port.name] = sympy.ImmutableDenseNDimArray(entries, port.shape)
    return outputs
