"""Working resistances and gas forces by tables, over the driver's coordinate or the stroke."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.checks import finite_array, finite_number
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.turn_states import TurnStates

OVER: Final = ("driver", "stroke")
MOTIONS: Final = {"both": (-1.0, 1.0), "forward": (0.0, 1.0), "backward": (-1.0, 0.0)}
"""Signs of the rate at which a force acts."""
ATMOSPHERE: Final = 101325.0
"""[Pa]"""
FOUR_STROKES: Final = 4.0 * np.pi
"""Of an engine: angle of the crank after which the pressures repeat [rad]."""


@final
@dataclass(frozen=True, eq=False)
class WorkingLoad:
    """A force on a link by a table, for ``loads`` of a turn.

    It acts at the mass centre along one direction.  Between the points it is linear; beyond them it
    keeps the value of the last one, unless it is periodic.

    Attributes:
        link: The link on which it acts.
        x: Coordinates, increasing [rad or m], shape (n,).
        force: Forces there [N], shape (n,).
        over: "driver": x are coordinates of the driver; "stroke": of the link, as ``turn.output``.
        direction: Of the force, from the x axis of the ground [rad].
        motion: "forward" or "backward": only while the link's coordinate grows, or falls.
        period: After which the table repeats; None: never.

    Examples:
        >>> cut = WorkingLoad("ram", x=[0.0, 0.1], force=[0.0, -800.0], over="stroke")
        >>> cut.motion
        'both'
    """

    link: str
    x: ArrayLike
    force: ArrayLike
    over: str = "driver"
    direction: float = 0.0
    motion: str = "both"
    period: float | None = None

    def __post_init__(self) -> None:
        where = f"working load on {self.link!r}"
        if self.over not in OVER:
            raise ModelError(f"{where}: over must be one of {', '.join(OVER)}, got {self.over!r}")
        if self.motion not in MOTIONS:
            raise ModelError(
                f"{where}: motion must be one of {', '.join(MOTIONS)}, got {self.motion!r}"
            )
        x, force = (finite_array(values, where) for values in (self.x, self.force))
        if x.ndim != 1 or x.shape != force.shape or len(x) < 2:
            raise ModelError(
                f"{where}: x and force must be lists of as many numbers, two or more, got "
                f"{x.shape} and {force.shape}"
            )
        if np.any(np.diff(x) <= 0.0):
            raise ModelError(f"{where}: x must increase")
        finite_number(self.direction, f"{where}: direction")
        if self.period is not None and not (self.period >= float(x[-1] - x[0])):
            raise ModelError(f"{where}: the table is longer than its period {self.period:g}")
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "force", force)

    @staticmethod
    def of_gas(
        link: str,
        angles: ArrayLike,
        pressures: ArrayLike,
        *,
        bore: float,
        direction: float,
        ambient: float = ATMOSPHERE,
        period: float | None = FOUR_STROKES,
    ) -> WorkingLoad:
        """Return the force of a gas on a piston by an indicator diagram.

        Args:
            link: The piston.
            angles: Of the crank [rad], increasing.
            pressures: There, absolute [Pa].
            bore: Diameter of the piston [m].
            direction: In which the gas pushes the piston, from the x axis of the ground [rad].
            ambient: Pressure behind the piston [Pa].
            period: Angle of one cycle [rad]: 4π of four strokes, 2π of two.
        """
        where = f"gas on {link!r}"
        size = finite_number(bore, f"{where}: bore")
        if size <= 0.0:
            raise ModelError(f"{where}: bore [m] must be positive, got {size:g}")
        excess = finite_array(pressures, f"{where}: pressures") - ambient
        return WorkingLoad(
            link, angles, np.pi / 4 * size**2 * excess, direction=direction, period=period
        )

    def __call__(self, turn: TurnStates, *state: Any) -> Array:  # noqa: ANN401 (of a law)
        """Return [Fx, Fy, M] at all positions of a turn, shape (n, 3)."""
        if state:
            raise ModelError(
                f"working load on {self.link!r}: tables are loads of turns; give simulate a"
                " function of t, q and v"
            )
        x = turn.x if self.over == "driver" else turn.output(self.link)
        nodes, values = np.asarray(self.x, float), np.asarray(self.force, float)
        force = np.interp(x, nodes, values, period=self.period)
        if self.motion != "both":
            low, high = MOTIONS[self.motion]
            sign = np.sign(turn.output_rate(self.link))
            force = np.where((sign >= low) & (sign <= high) & (sign != 0.0), force, 0.0)
        along = np.array([np.cos(self.direction), np.sin(self.direction), 0.0])
        return np.asarray(force[:, None] * along)
