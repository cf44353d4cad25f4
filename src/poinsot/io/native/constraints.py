"""Loops and constraints in files."""

from collections.abc import Mapping
from typing import Any

from poinsot.errors import ModelError
from poinsot.io.native.elements import element_tree, fields_tree, read_element, read_fields
from poinsot.io.native.node import Node
from poinsot.model import AbstractConstraint, FormulaConstraint, Holonomic, Loop

__all__ = ["constraint_tree", "read_constraint", "read_loop"]


def read_loop(node: Node) -> Loop:
    """Return the loop that an object describes."""
    loop: Loop = read_fields(node, Loop)
    return loop


def read_constraint(node: Node) -> AbstractConstraint:
    """Return the constraint that an object describes; one without type is a formula."""
    one: AbstractConstraint
    if isinstance(node.value, Mapping) and "type" not in node.value:
        one = read_fields(node, FormulaConstraint)
    else:
        one = read_element(node, "constraint")
    with node.named():
        one.check_parameters(node.parameters)
    return one


def constraint_tree(one: AbstractConstraint) -> dict[str, Any]:
    """Return the object that describes a constraint; what is as by default is left out.

    Raises:
        ModelError: If it is a function that files cannot hold.
    """
    if isinstance(one, Holonomic):
        raise ModelError(
            f"{one.label}: a function of q and t cannot be written to a file; write it as a "
            "FormulaConstraint, whose formulas can"
        )
    return fields_tree(one) if isinstance(one, FormulaConstraint) else element_tree(one)
