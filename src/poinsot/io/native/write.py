"""From the mechanism to the tree of a file: defaults are left out, numbers are kept exactly.

Formulas are written as the file had them that they come from, if any, and read again give the same
expressions.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.expr import Expr, formula_text
from poinsot.io.native.constraints import constraint_tree
from poinsot.io.native.elements import element_tree, fields_tree
from poinsot.io.native.function_text import function_texts
from poinsot.io.native.plain import plain
from poinsot.io.native.read import FORMAT
from poinsot.io.native.signals import signal_tree
from poinsot.model import Body, Mechanism
from poinsot.model.constraints.smooth_function import TracedFunction
from poinsot.model.coordinate_names import coordinate_entries, velocity_entries
from poinsot.model.states.law import StagedFunction

__all__ = ["native_from_mechanism"]

_BODY_KEYS: Final = ("name", "parent", "pose", "joint", "mass", "com", "inertia", "shapes")
"""In the order in which they are written."""


def native_from_mechanism(mechanism: Mechanism) -> dict[str, Any]:
    """Return the tree of keys that describes a mechanism.

    >>> from poinsot.model import Revolute
    >>> arm = Mechanism("arm", [Body("hand", joint=Revolute("z"), mass=2)])
    >>> native_from_mechanism(arm)["bodies"][0]["joint"]
    {'type': 'revolute', 'axis': [0.0, 0.0, 1.0]}
    """
    tree: dict[str, Any] = {
        "format": FORMAT,
        "name": mechanism.name,
        "gravity": plain(mechanism.gravity),
        **_parameters(mechanism),
        "bodies": [_body(body) for body in mechanism.bodies],
    }
    if mechanism.loops:
        tree["loops"] = [fields_tree(loop) for loop in mechanism.loops]
    if mechanism.constraints:
        tree["constraints"] = [constraint_tree(constraint) for constraint in mechanism.constraints]
    if mechanism.forces:
        tree["forces"] = [element_tree(force) for force in mechanism.forces]
    if mechanism.states:
        tree["states"] = [_state(state, mechanism) for state in mechanism.states]
    written: dict[str, Any] = _with_texts(
        tree, {formula.serial: text for formula, text in mechanism.texts}
    )
    return written


def _with_texts(value: Any, texts: Mapping[int, str]) -> Any:  # noqa: ANN401 (a node of the tree)
    """Return a tree with texts in place of formulas."""
    if isinstance(value, dict):
        return {key: _with_texts(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_texts(item, texts) for item in value]
    if isinstance(value, Expr):
        return texts.get(value.serial) or formula_text(value)
    return value


def _body(body: Body) -> dict[str, Any]:
    tree = fields_tree(body)
    return {key: tree[key] for key in _BODY_KEYS if key in tree}


def _state(state: Any, mechanism: Mechanism) -> dict[str, Any]:  # noqa: ANN401
    """Return the object of a state; functions become formulas of named coordinates."""
    tree = element_tree(state)
    names = [
        [f"{key}.{entry.name}" for entry in entries(mechanism)]
        for key, entries in (("q", coordinate_entries), ("v", velocity_entries))
    ]
    for key, law in state.laws.items():
        if isinstance(law, StagedFunction):
            raise ModelError(
                f"{state.label}: its {key} is a function that asks for a quantity of a large "
                "system, which files cannot hold; write it as a formula, e.g. 'energy'"
            )
        if isinstance(law, TracedFunction):
            inputs = (("t",), *([_quoted(name) for name in listed] for listed in names))
            where = f"{state.label}: {key}"
            tree[key] = function_texts(law.program, inputs, law.terms, where)[0]
    return tree


def _quoted(name: str) -> str:
    """Return the name of a coordinate as formulas write it, e.g. ``v."left knee"``."""
    key, _, rest = name.partition(".")
    return name if re.fullmatch(r"[\w.]+", rest) else f'{key}."{rest}"'


def _parameters(mechanism: Mechanism) -> dict[str, Any]:
    given: dict[str, Any] = {}
    signals = dict(mechanism.signals)
    numbers = {name: x for name, x in mechanism.parameters if name not in signals}
    if numbers:
        given["parameters"] = numbers
    if signals:
        given["signals"] = {name: signal_tree(signal) for name, signal in signals.items()}
    if mechanism.free:
        given["free"] = list(mechanism.free)
    return given
