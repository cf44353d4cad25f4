"""Quantities of driven motions, of one or of many side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from poinsot.assemble.driven_motion import Followed, why_stopped
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.evaluate.call_arrays import Call
from poinsot.evaluate.expression import Expression, expression
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.front.description import Values
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.system import System
from poinsot.model.coordinate_names import acceleration_unit, force_unit
from poinsot.simulation.running.status import Outcome, Status
from poinsot.spatial import Array


class DrivenStates:
    """States of a driven system at increasing times, and what follows from them.

    Attributes:
        system: The system with its drives as constraints.
        t: Times [s], shape (n,).
        q, v, a: Configurations, velocities and accelerations, shapes (..., n, nq), (..., n, nv)
            and (..., n, nv).
    """

    def __init__(
        self,
        system: System,
        motion: Followed,
        drives: Sequence[str],
        values: dict[str, Array] | None = None,
    ) -> None:
        self.system = system
        self.t, self.q, self.v, self.a = motion.t, motion.q, motion.v, motion.a
        self._motion, self._drives, self._values = motion, tuple(drives), values

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of the entries of "q" and of "v", which accelerations and joint forces share."""
        return {"q": self.system.coordinate_names, "v": self.system.velocity_names}

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """Units of the entries of "q", "v", "a" (accelerations) and "tau" (joint forces)."""
        v = self.system.velocity_units
        forces, rates = tuple(map(force_unit, v)), tuple(map(acceleration_unit, v))
        return {"q": self.system.coordinate_units, "v": v, "a": rates, "tau": forces}

    def drive_forces(self) -> dict[str, Array]:
        """Return the forces of the drives [N or N m] by joint, shape (..., n)."""
        lam = self.system.multipliers(self.q, self.v, t=self.t, parameters=self._given()).values
        first = lam.shape[-1] - len(self._drives)
        return {joint: lam[..., first + k] for k, joint in enumerate(self._drives)}

    def tau(self) -> Array:
        """Return the forces of the drives [N or N m] in their joints' places, (..., n, nv)."""
        forces = np.zeros_like(self.v)
        for joint, force in self.drive_forces().items():
            forces[..., self.system.v_slice(joint).start] = force
        return forces

    def reactions(self, *, axes: str = "body") -> dict[str, Array]:
        """Return the wrenches in all joints and loops, (..., n, 6); see ``System.reactions``."""
        return self.system.reactions(self.q, self.v, axes=axes, t=self.t, parameters=self._given())

    def pose(self, body: str) -> Array:
        """Return the pose of a body, body to world, shape (..., n, 4, 4)."""
        return self.system.pose(body, self.q, parameters=self._given())

    def velocity(
        self, body: str, point: ArrayLike = (0.0, 0.0, 0.0), *, axes: str = "body"
    ) -> Array:
        """Return the velocity [v; w] of a body [m/s, rad/s], (..., n, 6); see ``Run.velocity``."""
        given = self._given()
        return self.system.velocity(body, self.q, self.v, point, axes=axes, parameters=given)

    def acceleration(
        self, body: str, point: ArrayLike = (0.0, 0.0, 0.0), *, axes: str = "body"
    ) -> Array:
        """Return the rate of a body's ``velocity``, (..., n, 6); see ``System.acceleration``."""
        state = (self.q, self.v, self.a, point)
        return self.system.acceleration(body, *state, axes=axes, parameters=self._given())

    def kinetic_energy(self) -> Array:
        """Return the kinetic energy [J], shape (..., n)."""
        return np.asarray(self.system.kinetic_energy(self.q, self.v, parameters=self._given()))

    def potential_energy(self) -> Array:
        """Return the potential energy [J], springs included, shape (..., n)."""
        return np.asarray(self.system.potential_energy(self.q, parameters=self._given()))

    def energy(self) -> Array:
        """Return kinetic and potential energy together [J], shape (..., n)."""
        return self.kinetic_energy() + self.potential_energy()

    def evaluate(self, expression_of_state: Expression) -> Array:
        """Return any expression of the state, shape (..., n, ...).

        Args:
            expression_of_state: A formula or a function of t, q and v, as ``Run.evaluate`` takes
                them; ``tau`` are the forces of the drives.
        """
        kernel = expression(self.system.mechanism, expression_of_state, "evaluate")
        known = {"t": lambda: self.t[:, None], "q": lambda: self.q, "v": lambda: self.v,
                 "a": lambda: self.a, "tau": self.tau, PARAMETERS: self._numbers}  # fmt: skip
        arrays = tuple(known[port.name]() for port in kernel.signature.inputs)
        call = Call("evaluate", kernel.signature, arrays, None)
        kernel.run(call.inputs, [call.output])
        value: Array = call.result()
        return value

    def _given(self) -> dict[str, Array] | None:
        """Return the parameters of many motions, with a dimension more for the time."""
        if not self._values:
            return None
        return {name: values[..., None] for name, values in self._values.items()}

    def _numbers(self) -> Array:
        """Return the parameters as kernels take them, shape (..., number of them)."""
        return parameter_values(self.system, "evaluate", self._given(), self.t)


def driven_rows(system: System, parameters: Values = None) -> NumericRows:
    """Return the rows of a system with its drives, at its own parameters or at those given."""
    values = parameter_values(system, "drive", parameters)
    return NumericRows(system.mechanism, parameters=values)


def status_of(rows: NumericRows, motion: Followed) -> Status:
    """Return how one motion ended.

    Args:
        rows: Loops, constraints and drives, with its parameters.
        motion: The motion, from t = 0 on.
    """
    reached = float(motion.reached)
    if np.isnan(reached):
        left = rows.violations(motion.end, 0.0)
        said = f"does not close at the start: {left} remain"
        return Status(Outcome.NOT_CLOSED, 0.0, f"{said}; give a nearer guess, or other parameters")
    if motion.ok:
        return Status(Outcome.FINISHED, reached, f"reached t = {reached:g} s")
    return Status(Outcome.SINGULAR, reached, why_stopped(rows, motion.end, reached))
