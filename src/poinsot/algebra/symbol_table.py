"""The table of symbols of some equations."""

from __future__ import annotations

from poinsot.algebra.alphabet import Letter
from poinsot.algebra.equation_views import EquationBlock, WrittenQuantities
from poinsot.expr import Op
from poinsot.expr.serialization import operands_first


def symbols_used(traced: WrittenQuantities, block: EquationBlock) -> list[Letter]:
    """Return the letters of the symbols in equations, in the order of the vectors, parameters last.

    Coordinates and joint forces are among them in any case; intermediate variables are not: the
    equations say what they are.

    Args:
        traced: The system.
        block: Its equations.
    """
    symbols = traced.symbols
    roots = [expr for _, expr in block.assignments]
    roots += [expr for _, rows in block.quantities for _, expr in rows]
    used = {str(node.value) for node in operands_first(roots) if node.op is Op.SYMBOL}
    used |= {str(x.value) for x in (*symbols.q, *symbols.tau, *symbols.lam)}
    vectors = (symbols.q, symbols.v, symbols.a, symbols.tau, symbols.lam, symbols.t)
    names = [str(x.value) for vector in (*vectors, symbols.parameters) for x in vector]
    return [symbols.letters[name] for name in names if name in used]
