"""Quantities of driven motions, of one or of many side by side."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from poinsot.assemble.driven_motion import Followed, why_stopped
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.evaluate.call_arrays import Call
from poinsot.evaluate.expression import Expression
from poinsot.evaluate.expression import expression as expression_kernel
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.front.description import Values
from poinsot.front.motion import AbstractMotion
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.section_results import SectionLoads
from poinsot.front.system import System
from poinsot.model.bar import Bar
from poinsot.model.section import Section
from poinsot.simulation.running.status import Outcome, Status
from poinsot.spatial import Array


class DrivenStates(AbstractMotion):
    """States of a driven system at increasing times, and what follows from them.

    Args:
        system: The system with its drives as constraints.
        motion: The states, of one motion or of many one after the other.
        drives: Names of the driven joints.
        values: Free parameters of many motions by name, shapes ``shape``.
        shape: Leading dimensions; () for one motion.
    """

    called: ClassVar[str] = "study"

    def __init__(
        self,
        system: System,
        motion: Followed,
        drives: Sequence[str],
        values: dict[str, Array] | None = None,
        shape: tuple[int, ...] = (),
    ) -> None:
        self._system, self._motion, self._shape = system, motion, shape
        self._drives, self._values = tuple(drives), values

    @property
    def system(self) -> System:
        """The system with its drives as constraints."""
        return self._system

    @property
    def drives(self) -> tuple[str, ...]:
        """Names of the driven joints."""
        return self._drives

    @property
    def t(self) -> Array:
        """Times [s], shape (n,)."""
        return self._motion.t

    @property
    def q(self) -> Array:
        """Configurations, shape (..., n, nq)."""
        return self._shaped(self._motion.q)

    @property
    def v(self) -> Array:
        """Velocities, shape (..., n, nv)."""
        return self._shaped(self._motion.v)

    @property
    def states(self) -> dict[str, Array]:
        """Further states at these times, by name, shapes (..., n)."""
        if self._motion.further is None:
            return {}
        columns = np.moveaxis(self._shaped(self._motion.further), -1, 0)
        return dict(zip(self.system.mechanism.state_values, columns, strict=True))

    @property
    def a(self) -> Array:
        """Accelerations dv/dt, shape (..., n, nv)."""
        return self._shaped(self._motion.a)

    def acceleration(self) -> Array:
        """Return dv/dt [m/s² or rad/s²], shape (..., n, nv)."""
        return self.a

    def drive_forces(self) -> dict[str, Array]:
        """Return the forces of the drives [N or N m] by joint, shape (..., n)."""
        lam = self.system.multipliers(self.q, self.v, t=self.t, **self._numbers_given()).values
        first = lam.shape[-1] - len(self._drives)
        return {joint: lam[..., first + k] for k, joint in enumerate(self._drives)}

    def tau(self) -> Array:
        """Return the forces of the drives [N or N m] in their joints' places, (..., n, nv).

        Drives of joints that close loops have no place there: ``drive_forces``.
        """
        forces, mechanism = np.zeros_like(self.v), self.system.mechanism
        for name, force in self.drive_forces().items():
            joint, entry = mechanism.joint_and_entry(name)
            if joint in mechanism.joints:
                forces[..., mechanism.v_slice(joint).start + (entry or 0)] = force
        return forces

    def _wrenches(self, axes: str) -> dict[str, Array]:
        given = self._numbers_given()
        return self.system.reactions(self.q, self.v, axes=axes, t=self.t, **given)

    def section_loads(self, sections: Bar | Sequence[Section], *, cuts: int = 51) -> SectionLoads:
        """Return force and moment in sections of a link along the motion, shape (..., n, k, 6).

        Args:
            sections: A bar, which is cut evenly from its start to its end, or sections.
            cuts: Number of sections of a bar.
        """
        given = self._numbers_given()
        return self.system.section_loads(sections, self.q, self.v, t=self.t, cuts=cuts, **given)

    def evaluate(self, expression: Expression) -> Array:
        """Return any expression of the state, shape (..., n, ...).

        Args:
            expression: A formula or a function of t, q and v, as ``Run.evaluate`` takes them;
                ``tau`` are the forces of the drives.
        """
        kernel = expression_kernel(self.system.mechanism, expression, "evaluate")
        known = {"t": lambda: self.t[:, None], "q": lambda: self.q, "v": lambda: self.v,
                 "a": lambda: self.a, "tau": self.tau, PARAMETERS: self._numbers}  # fmt: skip
        arrays = tuple(known[port.name]() for port in kernel.signature.inputs)
        call = Call("evaluate", kernel.signature, arrays, None)
        kernel.run(call.inputs, [call.output])
        value: Array = call.result()
        return value

    def _between(self, times: Array) -> tuple[Array, Array]:
        q = np.empty((*self._shape, times.size, self.system.nq))
        v = np.empty((*self._shape, times.size, self.system.nv))
        stored = np.searchsorted(self.t, times, side="right") - 1
        for i, (k, t) in enumerate(zip(stored.tolist(), times.tolist(), strict=True)):
            state = self.q[..., k, :], self.v[..., k, :]
            q[..., i, :], v[..., i, :] = state if self.t[k] == t else self._followed(k, t)
        return q, v

    @abstractmethod
    def _followed(self, k: int, t: float) -> tuple[Array, Array]:
        """Return q and v at a time behind stored state k, shapes (..., nq) and (..., nv)."""

    def _shaped(self, array: Array) -> Array:
        """Return an array of all motions, (B, n, ...), in the shape of the batch."""
        return array.reshape(*self._shape, *array.shape[1:]) if self._shape else array

    def _given(self) -> dict[str, Array] | None:
        """Return the parameters of many motions, with a dimension more for the time."""
        if not self._values:
            return None
        return {name: values[..., None] for name, values in self._values.items()}

    def _numbers_given(self) -> dict[str, Any]:
        """Return parameters and further states as dynamics take them."""
        return {"parameters": self._given(), "states": self.states or None}

    def _numbers(self) -> Array:
        """Return the parameters as kernels take them, shape (..., number of them)."""
        given = self._given()
        return parameter_values(self.system, "evaluate", given, self.t, states=self.states or None)


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
