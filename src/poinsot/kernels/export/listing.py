"""The steps of a program as statements: values used once are inlined, others get names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from poinsot.expr import Op, Program
from poinsot.kernels.export.dialect import ATOM, Dialect, Text

LONG_TEXT: Final = 72
"""A value whose text is longer than this gets a name although it is used only once."""

PREFIXES: Final = ("x", "w", "u", "value")
"""Names of values begin with the first of these that is not the name of an array."""

_TURNS: Final = {Op.SIN: "sin", Op.COS: "cos"}


class StatementListing:
    """Writes the steps of a program in a dialect.

    Args:
        program: The program.
        dialect: The language.
        inputs: How each entry of the inputs is read.
        targets: How each entry of the outputs is written.
    """

    def __init__(
        self, program: Program, dialect: Dialect, inputs: Sequence[str], targets: Sequence[str]
    ) -> None:
        self._program, self._dialect = program, dialect
        self._texts: dict[int, Text] = {k: (text, ATOM) for k, text in enumerate(inputs)}
        self._texts.update(
            (program.n_inputs + k, dialect.constant(value))
            for k, value in enumerate(program.constants)
        )
        self._uses = uses_of(program)
        self._targets = targets
        ports = {port.name for port in (*program.inputs, *program.outputs)}
        self._prefix = next(prefix for prefix in PREFIXES if prefix not in ports)
        self._entries = [f"{port.name}{k}" for port in program.inputs for k in range(port.size)]
        self._named = 0

    def body(self) -> list[str]:
        """Return the statements of the whole program; outputs are stored in order, at the end."""
        lines = self._steps(range(len(self._program.steps)), {})
        return lines + self._stores(range(len(self._texts)))

    def block(self, steps: Sequence[int], keep: Mapping[int, str]) -> list[str]:
        """Return the statements of some steps, and what these store into the outputs.

        Args:
            steps: Which steps.
            keep: Where to store the values (by number) that other blocks of the program read.
        """
        lines = self._steps(steps, keep)
        values = [self._program.first_step + k for k in steps]
        stores = self._stores(values)
        self._texts.update((value, (keep[value], ATOM)) for value in values if value in keep)
        return lines + stores

    def leaves(self) -> list[str]:
        """Return the statements that store inputs and constants into the outputs."""
        return self._stores(range(self._program.first_step))

    def _steps(self, steps: Sequence[int], keep: Mapping[int, str]) -> list[str]:
        program, lines = self._program, list[str]()
        for k in steps:
            value = program.first_step + k
            op, args = program.steps[k]
            text = self._dialect.write(op, [self._texts[a] for a in args])
            if self._uses[value] > 1 or len(text[0]) > LONG_TEXT or value in keep:
                name = self._name(op, args)
                lines.append(self._dialect.assign.format(name, text[0]))
                text = (name, ATOM)
            self._texts[value] = text
            if value in keep:
                lines.append(self._dialect.store.format(keep[value], text[0]))
        return lines

    def _stores(self, values: Sequence[int]) -> list[str]:
        chosen = set(values)
        return [
            self._dialect.store.format(target, self._texts[value][0])
            for value, target in zip(self._program.results, self._targets, strict=True)
            if value in chosen
        ]

    def _name(self, op: Op, args: tuple[int, ...]) -> str:
        """Return sin_q0 for sin(q[0]), and numbers for what has no better name."""
        if op in _TURNS and args[0] < self._program.n_inputs:
            return f"{_TURNS[op]}_{self._entries[args[0]]}"
        self._named += 1
        return f"{self._prefix}{self._named - 1}"


def uses_of(program: Program) -> list[int]:
    """Return how often each value is read, by steps and by results."""
    uses = [0] * (program.first_step + len(program.steps))
    for _, args in program.steps:
        for a in args:
            uses[a] += 1
    for value in program.results:
        uses[value] += 1
    return uses
