"""About how long the derivative of a program is, known before it is traced."""

from __future__ import annotations

from collections.abc import Sequence

from poinsot.expr.derivative import CHOICES, SMOOTH
from poinsot.expr.ops import Op
from poinsot.expr.program import Program

SUMS = (Op.ADD, Op.SUB)


def derivative_length(program: Program, moves: Sequence[int], order: int = 1) -> int:
    """Return about how many operations the tangents of a program take besides it, or more.

    Each value has as many tangents as there are directions in which it moves.  A tangent of a
    product of two values that move takes two products and a sum, of a sum of them a sum.  With
    ``order`` tangents of one another a value has 2^k - 1 of them, and of a product one for each of
    the 3^k pairs of disjoint subsets of the directions.

    Args:
        program: The program.
        moves: For each entry of its inputs the directions in which it moves, bit k for the k-th.
        order: How often it is differentiated along those directions.

    >>> from poinsot.expr import build, symbol_array
    >>> x = symbol_array("x", 3)
    >>> derivative_length(build({"x": x}, {"y": x[0] * x[1] + x[2]}), [1, 2, 0])
    2
    """
    tangents = 2**order - 1
    product = 3**order - 1 + 3**order - 2**order
    masks = [*moves, *[0] * len(program.constants)]
    length = 0
    for op, args in program.steps:
        given = [masks[a] for a in args]
        moving = given[0]
        for mask in given[1:]:
            moving |= mask
        masks.append(moving)
        if op in SUMS:
            length += tangents * (given[0] & given[1]).bit_count()
        elif op is Op.MUL:
            both = (given[0] & given[1]).bit_count()
            length += tangents * (moving.bit_count() - both) + product * both
        elif op is not Op.NEG:
            length += tangents * moving.bit_count()
    return length


def gradients_length(program: Program, moves: Sequence[int], *, together: bool = False) -> int:
    """Return about how many operations differentiation backwards takes besides a program, or fewer.

    Each value has as many adjoints as there are results that change with it.  What is passed on to
    an operand of a product is a product, and where something has been passed on before, a sum.

    Args:
        program: The program.
        moves: For each entry of its inputs, whether it moves: not 0.
        together: Whether the results are weighted and summed up first.

    >>> from poinsot.expr import build, symbol_array
    >>> x = symbol_array("x", 3)
    >>> gradients_length(build({"x": x}, {"y": x[0] * x[1] + x[0] * x[2]}), [1, 1, 1])
    5
    """
    moving = [bool(x) for x in moves] + [False] * len(program.constants)
    first = len(moving)
    for op, args in program.steps:
        smooth = args[op is Op.SELECT :] if op in SMOOTH else ()
        moving.append(any(moving[a] for a in smooth))
    needed_by = [0] * len(moving)
    for k, value in enumerate(program.results):
        needed_by[value] |= 1 if together else 1 << k
    length = 0
    for value in reversed(range(first, len(moving))):
        op, args = program.steps[value - first]
        results = needed_by[value]
        if not results or not moving[value]:
            continue
        is_product = op not in SUMS and op is not Op.NEG and op not in CHOICES
        for a in args[op is Op.SELECT :]:
            if moving[a]:
                length += is_product * results.bit_count()
                length += (needed_by[a] & results).bit_count()
                needed_by[a] |= results
    return length
