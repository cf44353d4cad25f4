"""The scalar graph: operations, nodes, programs, what can be done to them.  Knows no mechanics."""

from poinsot.expr.derivative import derivatives_along, gradient, jacobian, tangent
from poinsot.expr.formula_text import formula_text
from poinsot.expr.from_sympy import from_sympy
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
from poinsot.expr.garbage_collection import garbage_collection_paused
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
from poinsot.expr.node import (
    Expr,
    Scalar,
    as_expr,
    constant,
    fresh_symbol,
    symbol,
)
from poinsot.expr.node_serials import TooManyNodesError, nodes_at_most
from poinsot.expr.ops import Op
from poinsot.expr.passes import optimise
from poinsot.expr.program import Port, Program, build, fresh_symbols, symbol_array
from poinsot.expr.program_rules import verify
from poinsot.expr.program_text import show
from poinsot.expr.rolled import Rolled, RolledBuilder
from poinsot.expr.rolled_code import Code
from poinsot.expr.serialization import from_rows, to_rows
from poinsot.expr.substitute import substitute, symbol_names
from poinsot.expr.text import show_expr
from poinsot.expr.to_sympy import all_to_sympy, to_sympy
from poinsot.expr.traced_array import traced

__all__ = [
    "Code",
    "Expr",
    "Op",
    "Port",
    "Program",
    "Rolled",
    "RolledBuilder",
    "Scalar",
    "TooManyNodesError",
    "all_to_sympy",
    "as_expr",
    "atan2",
    "build",
    "cholesky",
    "cholesky_solve",
    "constant",
    "cos",
    "derivatives_along",
    "equal",
    "formula_text",
    "fresh_symbol",
    "fresh_symbols",
    "from_rows",
    "from_sympy",
    "garbage_collection_paused",
    "gradient",
    "jacobian",
    "ldl",
    "ldl_solve",
    "ltdl",
    "ltdl_solve",
    "ltl",
    "maximum",
    "minimum",
    "nodes_at_most",
    "optimise",
    "select",
    "show",
    "show_expr",
    "sign",
    "sin",
    "solve_lower",
    "solve_lower_transposed",
    "sqrt",
    "substitute",
    "symbol",
    "symbol_array",
    "symbol_names",
    "tangent",
    "to_rows",
    "to_sympy",
    "traced",
    "verify",
]
