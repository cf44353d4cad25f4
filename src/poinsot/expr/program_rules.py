"""The rules that every program keeps; run after each pass."""

from __future__ import annotations

from poinsot.errors import ProgramError
from poinsot.expr.ops import ARITY, LEAVES
from poinsot.expr.program import Program


def verify(program: Program) -> Program:
    """Return the program, or raise :class:`ProgramError` naming the step that breaks a rule."""
    names = [port.name for port in (*program.inputs, *program.outputs)]
    if len(set(names)) != len(names):
        raise ProgramError(f"ports must have distinct names, got {names}")
    first = program.first_step
    for k, (op, args) in enumerate(program.steps):
        if op in LEAVES or len(args) != ARITY[op]:
            raise ProgramError(f"step {k}: {op.name} with {len(args)} operands")
        for a in args:
            if not 0 <= a < first + k:
                raise ProgramError(f"step {k}: {op.name}{args} uses a value before it is computed")
    if len(program.results) != sum(port.size for port in program.outputs):
        raise ProgramError("the number of results differs from the size of the outputs")
    if not all(0 <= r < first + len(program.steps) for r in program.results):
        raise ProgramError("a result names a value that does not exist")
    return program
