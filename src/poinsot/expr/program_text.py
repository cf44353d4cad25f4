"""Programs as text that a person can read."""

from __future__ import annotations

from typing import Final

from poinsot.expr.program import Program
from poinsot.expr.text import ATOM, SUM, Text, render, show_number

LONG_LINE: Final = 80
"""A value whose text is longer than this gets a name of its own."""


def show(program: Program) -> str:
    """Return the program as lines ``t3 = t1 * sin(q[0])``, values used once written in place.

    >>> from poinsot.expr import build, symbol_array
    >>> x = symbol_array("x", 2)
    >>> s = x[0].sin()
    >>> print(show(build({"x": x}, {"y": [s * x[1], s + 1]})))
    program (x[2]) -> (y[2])
      t0 = sin(x[0])
      y[0] = x[1] * t0
      y[1] = 1 + t0
    """
    uses = [0] * (program.first_step + len(program.steps))
    for _, args in program.steps:
        for a in args:
            uses[a] += 1
    text: list[Text] = [
        (f"{port.name}[{k}]", ATOM) for port in program.inputs for k in range(port.size)
    ]
    text += [(show_number(c), SUM if c < 0 else ATOM) for c in program.constants]
    head = " -> ".join(
        "(" + ", ".join(f"{port.name}[{port.size}]" for port in ports) + ")"
        for ports in (program.inputs, program.outputs)
    )
    lines = [f"program {head}"]
    named = 0
    for k, (op, args) in enumerate(program.steps):
        body = render(op, [text[a] for a in args])
        if uses[program.first_step + k] > 1 or len(body[0]) > LONG_LINE:
            lines.append(f"  t{named} = {body[0]}")
            body = (f"t{named}", ATOM)
            named += 1
        text.append(body)
    entries = [f"{port.name}[{k}]" for port in program.outputs for k in range(port.size)]
    lines += [
        f"  {entry} = {text[r][0]}" for entry, r in zip(entries, program.results, strict=True)
    ]
    return "\n".join(lines)
