"""Loops and constraints in files."""

from collections.abc import Mapping
from typing import Any

from poinsot.errors import ModelError
from poinsot.io.native.elements import element_tree, fields_tree, read_element, read_fields
from poinsot.io.native.node import Node
from poinsot.model import AbstractConstraint, FormulaConstraint, Holonomic, Loop, Nonholonomic

__all__ = ["constraint_tree", "read_constraint", "read_loop"]


def read_loop(node: Node) -> Loop:
    """Return the loop that an object describes."""
    loop: Loop = read_fields(node, Loop)
    return loop


def read_constraint(node: Node) -> AbstractConstraint:
    """Return the constraint that an object describes; one without type is a formula."""
    constraint: AbstractConstraint
    if isinstance(node.value, Mapping) and "type" not in node.value:
        constraint = read_fields(node, FormulaConstraint)
    else:
        constraint = read_element(node, "constraint")
    with node.named():
        constraint.check_parameters(node.parameters)
    return constraint


def constraint_tree(constraint: AbstractConstraint) -> dict[str, Any]:
    """Return the object that describes a constraint; what is as by default is left out.

    Raises:
        ModelError: If it is a function that files cannot hold.
    """
    if isinstance(constraint, Holonomic | Nonholonomic):
        is_holonomic = isinstance(constraint, Holonomic)
        arguments, other = ("q", "Formula") if is_holonomic else ("q, v", "Velocity")
        raise ModelError(
            f"{constraint.label}: a function of {arguments} and t cannot be written to a file; "
            f"write it as a {other}Constraint, whose formulas can"
        )
    return (
        fields_tree(constraint)
        if isinstance(constraint, FormulaConstraint)
        else element_tree(constraint)
    )
