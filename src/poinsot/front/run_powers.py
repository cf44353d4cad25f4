"""Powers along a run that no formula names: of drives, dampers and prescribed motions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from poinsot.evaluate.loads import driven_loop
from poinsot.evaluate.request import Request, request_for
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import Mechanism, nonzero
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.spatial import Array


def drive_power(mechanism: Mechanism, along: QuantitiesAlongRun, v: Array) -> Array:
    """Return tau·v, the power of the joint forces, those along loops too [W], shape (n,)."""
    power: Array = np.einsum("ni,ni->n", along.tau(), v)
    for name, force in along.drives().items():
        number = driven_loop(mechanism, "work", name).number
        velocity = along.quantity(request_for("closure_velocity", loop=number))
        power = power + np.einsum("ni,ni->n", force, velocity)
    return power


def constraint_power(mechanism: Mechanism, along: QuantitiesAlongRun, v: Array) -> Array:
    """Return lam·J v, the power of the forces of constraints [W]: of those that move with time."""
    J, lam = along.quantity(Request("constraint_jacobian")), along.multipliers()[0]
    power: Array = np.einsum("nk,nki,ni->n", lam, J, v)
    return power


def damper_power(mechanism: Mechanism, along: QuantitiesAlongRun, v: Array) -> Array:
    """Return -vᵀ D v, the power of the damping of joints, those of loops too [W], shape (n,)."""

    def power(t: Any, q: Array, v: Array) -> Any:  # noqa: ANN401
        total: Any = 0.0 * t
        view = MechanismView(mechanism, q, v, t)
        for name, joint in mechanism.all_joints.items():
            if nonzero(joint.damping):
                u = view.joint_motion(name).v
                total = total - u @ joint.damping_matrix() @ u
        return total

    return along.expression(power)


POWERS: Final[dict[str, Callable[[Mechanism, QuantitiesAlongRun, Array], Array]]] = {
    "drives": drive_power,
    "dampers": damper_power,
    "constraints": constraint_power,
}
"""By what ``Run.work`` is asked for."""
