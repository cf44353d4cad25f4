"""The scalar graph: operations, nodes, programs, what can be done to them.  Knows no mechanics."""

from poinsot.expr.derivative import gradient, jacobian, tangent
from poinsot.expr.functions import (
    atan2,
    cos,
    equal,
    maximum,
    minimum,
    select,
    sign,
    sin,
    sqrt,
)
from poinsot.expr.linalg import (
    cholesky,
    cholesky_solve,
    ldl,
    ldl_solve,
    ltdl,
    ltdl_solve,
    ltl,
    solve_lower,
    solve_lower_transposed,
)
from poinsot.expr.node import Expr, Scalar, as_expr, constant, fresh_symbol, symbol
from poinsot.expr.ops import Op
from poinsot.expr.passes import optimise
from poinsot.expr.program import Port, Program, build, fresh_symbols, symbol_array
from poinsot.expr.rolled import Code, Rolled, RolledBuilder
from poinsot.expr.show import show
from poinsot.expr.text import show_expr
from poinsot.expr.traced_array import traced
from poinsot.expr.verify import verify

__all__ = [
    "Code",
    "Expr",
    "Op",
    "Port",
    "Program",
    "Rolled",
    "RolledBuilder",
    "Scalar",
    "as_expr",
    "atan2",
    "build",
    "cholesky",
    "cholesky_solve",
    "constant",
    "cos",
    "equal",
    "fresh_symbol",
    "fresh_symbols",
    "gradient",
    "jacobian",
    "ldl",
    "ldl_solve",
    "ltdl",
    "ltdl_solve",
    "ltl",
    "maximum",
    "minimum",
    "optimise",
    "select",
    "show",
    "show_expr",
    "sign",
    "sin",
    "solve_lower",
    "solve_lower_transposed",
    "sqrt",
    "symbol",
    "symbol_array",
    "tangent",
    "traced",
    "verify",
]
