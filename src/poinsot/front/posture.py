"""What ``ps.inverse_kinematics`` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.system import System

TOLERANCE: Final = 1e-9
"""Largest residual [m, rad] of a solution."""

_SHOWN: Final = 5
"""Poses without a solution that a report names."""


@dataclass(frozen=True, eq=False)
class Posture:
    """Configurations in which tools have wanted poses; leading dimensions are those of the poses.

    Attributes:
        system: The system.
        tools: Names of the bodies that are led.
        best: The configurations that come nearest [m or rad], shape (..., nq).
        residual: What is missing there: the largest error [m, rad] of the poses and of loops and
            constraints, shape (...).
        starts: How many starts were needed, shape (...).
        held_back: Which velocities are at a limit that keeps a pose from being reached,
            shape (..., nv); none where it is reached.
    """

    system: System
    tools: tuple[str, ...]
    best: Array
    residual: Array
    starts: NDArray[np.int64]
    held_back: NDArray[np.bool_]

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Whether the poses are reached, to 1e-9 m and rad, shape (...)."""
        return np.asarray(self.residual <= TOLERANCE)

    @property
    def q(self) -> Array:
        """The solutions [m or rad], shape (..., nq); NaN where there is none."""
        return np.where(self.ok[..., None], self.best, np.nan)

    def report(self) -> str:
        """Return how many poses are reached and, of some that are not, what holds them back."""
        ok = self.ok.reshape(-1)
        tools = ", ".join(map(repr, dict.fromkeys(self.tools)))
        lines = [f"{self.system.name!r}: {ok.sum()} of {ok.size} poses of {tools} reached"]
        held = self.held_back.reshape(ok.size, self.system.nv)
        missed = np.nonzero(~ok)[0]
        names = np.array(self.system.velocity_names)
        for number in missed[:_SHOWN]:
            index = np.unravel_index(number, self.ok.shape)
            where = f"pose {', '.join(map(str, index))}: " if self.ok.ndim else ""
            reason = "no limit of a joint holds it back: it is out of reach"
            if held[number].any():
                reason = f"held back by the limits of {', '.join(names[held[number]])}"
            starts = self.starts.reshape(-1)[number]
            size = self.residual.reshape(-1)[number]
            lines.append(
                f"{where}{size:.3g} (m, rad) remain at best after {starts} starts; {reason}"
            )
        if missed.size > _SHOWN:
            lines.append(f"... and {missed.size - _SHOWN} more")
        return "\n".join(lines)
