"""Force elements in files."""

from poinsot.io.native.elements import read_element
from poinsot.io.native.node import Node
from poinsot.model import AbstractForce

__all__ = ["read_force"]


def read_force(node: Node) -> AbstractForce:
    """Return the force element that an object describes, its formulas checked."""
    force: AbstractForce = read_element(node, "force")
    with node.named():
        force.check_parameters(node.parameters)
    return force
