"""Numbers that a case writes as text: "pi/2", "8/3 m l^2", "q=linspace(.1,.5,n+1)"."""

import ast
import operator
import re

import numpy as np

_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS = {name: getattr(np, name) for name in ("sin", "cos", "tan", "sqrt", "abs")}
_ASSIGNMENT = re.compile(r"(\w+)=(linspace\([^)]*\)|-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")


def number(value, **names):
    """Return a number, or what a formula in pi and ``names`` comes to; "2 m" is a product.

    "|x|" is the absolute value; it cannot stand inside another.

    >>> number("8/3 m l^2", m=3.0, l=2.0), number("-l", l=2.0), number(1)
    (32.0, -2.0, 1.0)
    >>> number("2e-3"), number("-1.5e+1 m", m=2.0)
    (0.002, -30.0)
    >>> number("|sin(x) 2| - 1", x=-np.pi / 2)
    1.0
    """
    if not isinstance(value, str):
        return float(value)
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", value.strip().replace("^", "**"))
    # 2m, 3 (a + b), but not 2e-3
    text = re.sub(r"(?<![a-zA-Z_])([\d.]+) *(?![eE][-+]?\d)(?=[a-zA-Z_(])", r"\1*", text)
    text = re.sub(r"([\w)]) +(?=[\w(])", r"\1*", text)  # m l, m (a + b)
    return float(_value(ast.parse(text, mode="eval").body, {"pi": np.pi, **names}))


def assignments(text, **names):
    """Return what a text assigns, e.g. ``x=.4`` or ``q=linspace(.1,.5,n+1)``, by name.

    >>> assignments("at q=linspace(0,1,n), F=.4", n=3)
    {'q': array([0. , 0.5, 1. ]), 'F': 0.4}
    >>> assignments("Ia=2e-3, F=-1.5e+1, g=9.81.")
    {'Ia': 0.002, 'F': -15.0, 'g': 9.81}
    """
    found = {}
    for name, value in _ASSIGNMENT.findall(text):
        if value.startswith("linspace"):
            first, last, count = value.removeprefix("linspace(").removesuffix(")").split(",")
            found[name] = np.linspace(number(first), number(last), int(number(count, **names)))
        else:
            found[name] = number(value)
    return found


def _value(node, names):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand, names)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _value(node.left, names), _value(node.right, names)
        return _OPERATIONS[type(node.op)](left, right)
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) in _FUNCTIONS:
        return _FUNCTIONS[node.func.id](*(_value(part, names) for part in node.args))
    raise ValueError(f"{ast.unparse(node)!r} is no number")
