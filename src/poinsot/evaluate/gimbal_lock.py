"""Gimbal lock: two of three axes of a joint coincide, and one rate is undetermined.

The mass matrix is singular there, and accelerations are NaN or rounding errors.  Only joints with
three angles lock, and only where no armature resists their rates.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelWarning, PoinsotError, users_line
from poinsot.model import Euler, Mechanism, nonzero
from poinsot.spatial import Array

__all__ = ["Locks"]

LOCKED: Final = 1e-12
"""Sine of the angle between two axes up to which they coincide."""


class Locks:
    """The configurations in which joints of a mechanism are locked.

    Args:
        mechanism: The bodies.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._joints: list[tuple[str, int, bool]] = []
        for name, body, q_slice in zip(
            mechanism.joint_names, mechanism.bodies, mechanism.q_slices, strict=True
        ):
            joint = body.joint
            if isinstance(joint, Euler) and not nonzero(joint.armature_matrix()[::2, ::2]):
                alike = joint.sequence[0] == joint.sequence[2]
                self._joints.append((name, q_slice.start + 1, alike))

    def __bool__(self) -> bool:
        return bool(self._joints)

    def report(self, name: str, arguments: Sequence[ArrayLike], result: Array) -> None:
        """Report which joint is locked, and set the results there to NaN.

        Args:
            name: The quantity.
            arguments: Configurations, shape (..., nq), and the other arguments.
            result: The quantity there; it becomes NaN where a joint is locked.

        Raises:
            PoinsotError: If this is one state.

        Warns:
            ModelWarning: Once, if these are many.
        """
        q = np.asarray(arguments[0], np.float64)
        for joint, middle, alike in self._joints:
            across = np.sin(q[..., middle]) if alike else np.cos(q[..., middle])
            locked = np.abs(across) <= LOCKED
            if not locked.any():
                continue
            remedy = (
                "start elsewhere, choose a sequence whose axes do not meet there, or take "
                "Spherical, which has no such place"
            )
            lead = np.broadcast_shapes(*(np.shape(given)[:-1] for given in arguments))
            if not lead:
                raise PoinsotError(
                    f"{name}: joint {joint!r} is locked at q = {q.tolist()}: two of its axes "
                    f"coincide, so that nothing determines its accelerations; {remedy}"
                )
            locked_states = np.broadcast_to(locked, lead)
            result[locked_states] = np.nan
            warnings.warn(
                f"{name}: joint {joint!r} is locked in {np.count_nonzero(locked_states)} of "
                f"{locked_states.size} states, where two of its axes coincide: the result there "
                "is NaN; " + remedy,
                ModelWarning,
                stacklevel=users_line(),
            )
