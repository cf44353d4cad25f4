"""Dynamics of large trees: the sweeps of this folder as rolled programs."""

from __future__ import annotations

from poinsot.expr import Rolled
from poinsot.formulations.recursive.articulated import accelerations
from poinsot.formulations.recursive.inverse import newton_euler
from poinsot.formulations.recursive.links import links_of, regrouped_links
from poinsot.formulations.recursive.rolled_tree import GRAVITY, RolledTree
from poinsot.model import LoadInputs, Mechanism


def rolled_inverse_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return tau = M a + bias as a rolled program of q, v, a and the load inputs."""
    return _newton_euler(mechanism, ("q", "v", "a"), "inverse_dynamics", load_inputs)


def rolled_bias(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the bias as a rolled program of q, v and the load inputs."""
    return _newton_euler(mechanism, ("q", "v"), "bias", load_inputs)


def rolled_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q."""
    return _newton_euler(mechanism, ("q",), "gravity_force", None)


def rolled_tilted_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q and gravity in base axes."""
    return _newton_euler(mechanism, ("q", GRAVITY), "tilted_gravity_force", None)


def rolled_forward_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the acceleration as a rolled program of q, v and tau: articulated bodies."""
    name, inputs = "forward_dynamics", ("q", "v", "tau")
    tree = RolledTree(mechanism, links_of(mechanism), inputs, (name, (mechanism.nv,)), load_inputs)
    return tree.shown(name, accelerations(tree))


def _newton_euler(
    mechanism: Mechanism, inputs: tuple[str, ...], name: str, load_inputs: LoadInputs | None
) -> Rolled:
    links = regrouped_links(mechanism)
    tree = RolledTree(mechanism, links, inputs, (name, (mechanism.nv,)), load_inputs)
    return tree.shown(name, newton_euler(tree, passive=load_inputs is not None))
