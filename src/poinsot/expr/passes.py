"""Passes: program in, equivalent program out.  The pipeline is the list ``PASSES``."""

from __future__ import annotations

from collections import Counter

from poinsot.expr.ops import COMMUTATIVE, Op
from poinsot.expr.program import Program, Step
from poinsot.expr.program_rules import verify


def optimise(program: Program) -> Program:
    """Run every pass; each must return a well-formed program, or the same one."""
    program = verify(program)
    for run in PASSES:
        result = run(program)
        program = program if result is program else verify(result)
    return program


def share_reciprocals(program: Program) -> Program:
    """Turn several divisions by one value into one reciprocal and products.

    A division costs about ten products; the result may change in its last bit.
    """
    divisions = Counter(args[1] for op, args in program.steps if op is Op.DIV)
    shared = {divisor for divisor, n in divisions.items() if n > 1}
    if not shared:
        return program
    editor = _Editor(program)
    unit = editor.constant(1.0)
    reciprocal: dict[int, int] = {}
    for k, (op, args) in enumerate(program.steps):
        a = editor.renamed(args)
        if op is Op.DIV and args[1] in shared:
            if args[1] not in reciprocal:
                reciprocal[args[1]] = editor.emit(Op.DIV, (unit, a[1]))
            r = reciprocal[args[1]]
            editor.define(k, r if a[0] == unit else editor.emit(Op.MUL, (a[0], r)))
        else:
            editor.define(k, editor.emit(op, a))
    return editor.program()


def share_subexpressions(program: Program) -> Program:
    """Merge steps that compute the same value (graphs come shared; edited programs may not)."""
    different = {(op, tuple(sorted(a)) if op in COMMUTATIVE else a) for op, a in program.steps}
    if len(different) == len(program.steps):
        return program
    editor = _Editor(program)
    seen: dict[Step, int] = {}
    for k, (op, args) in enumerate(program.steps):
        a = editor.renamed(args)
        step = (op, tuple(sorted(a)) if op in COMMUTATIVE else a)
        if step not in seen:
            seen[step] = editor.emit(op, a)
        editor.define(k, seen[step])
    return editor.program()


def drop_unused(program: Program) -> Program:
    """Leave out steps and constants that no result depends on."""
    first = program.first_step
    used = set(program.results)
    for k in range(len(program.steps) - 1, -1, -1):
        if first + k in used:
            used.update(program.steps[k][1])
    if len(used.difference(range(program.n_inputs))) == first - program.n_inputs + len(
        program.steps
    ):
        return program
    editor = _Editor(program)
    for k, (op, args) in enumerate(program.steps):
        if first + k in used:
            editor.define(k, editor.emit(op, editor.renamed(args)))
    return editor.program(used)


PASSES = (share_reciprocals, share_subexpressions, drop_unused)


class _Editor:
    """Copies a program step by step; steps may be replaced or left out on the way.

    While it works, values are numbered with all new constants after the old ones left in place:
    constants are kept apart as negative numbers until the end.
    """

    def __init__(self, program: Program) -> None:
        self._old = program
        self._constants = list(program.constants)
        n_in = program.n_inputs
        self._names: dict[int, int] = {k: k for k in range(n_in)}
        self._names.update((n_in + c, -1 - c) for c in range(len(program.constants)))
        self._steps: list[Step] = []

    def constant(self, value: float) -> int:
        """Return the name of a constant, new or old."""
        if value not in self._constants:
            self._constants.append(value)
        return -1 - self._constants.index(value)

    def renamed(self, args: tuple[int, ...]) -> tuple[int, ...]:
        """Return the operands of an old step by their new names."""
        return tuple([self._names[a] for a in args])

    def emit(self, op: Op, args: tuple[int, ...]) -> int:
        """Append a step and return its name."""
        self._steps.append((op, args))
        return self._old.n_inputs + len(self._steps) - 1

    def define(self, k: int, name: int) -> None:
        """Record the new name of the value of the old step ``k``."""
        self._names[self._old.first_step + k] = name

    def program(self, used: set[int] | None = None) -> Program:
        """Return the edited program; ``used`` (old value numbers) says which constants stay."""
        n_in = self._old.n_inputs
        kept = [
            c
            for c in range(len(self._constants))
            if used is None or c >= len(self._old.constants) or n_in + c in used
        ]
        number = {-1 - c: n_in + k for k, c in enumerate(kept)}
        shift = len(kept)

        def final(name: int) -> int:
            return number[name] if name < 0 else name if name < n_in else name + shift

        return Program(
            self._old.inputs,
            self._old.outputs,
            tuple(self._constants[c] for c in kept),
            tuple((op, tuple([final(a) for a in args])) for op, args in self._steps),
            tuple(final(self._names[r]) for r in self._old.results),
        )
