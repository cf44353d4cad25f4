"""One row of a constraint of a system, in the plane: on positions, or on velocities alone.

    φ = 0,    B v + φ_t = 0,    B a + γ = 0

v and a stack those of its links.  Rows on positions are pairs of one equation (kind "H"); those on
velocities alone, non-holonomic ones, leave the drivers' coordinates free but not their rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from poinsot.expr import Program
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.frame_names import FRAME

ROW: Final = "row of a constraint"
PER_LINK: Final = 6
"""Numbers of a link in z: pose and its rate."""


@dataclass(frozen=True)
class RowPair:
    """One row.

    Attributes:
        name: Its name.
        links: The links that it touches; the clock may be one.
        program: z -> φ, B with three numbers for each link, γ; z is for each link (x, y, φ) and its
            rate.
    """

    name: str
    links: tuple[str, ...]
    program: Program

    @property
    def kind(self) -> str:
        """What messages call it."""
        return ROW

    @property
    def bodies(self) -> tuple[str, ...]:
        """The links that its equation touches."""
        return self.links

    @property
    def a(self) -> str:
        """The last of its links but the clock."""
        return [link for link in (*self.links, FRAME) if link != CLOCK][-1]

    @property
    def b(self) -> str:
        """The first of its links."""
        return self.links[0]

    @property
    def is_length(self) -> bool:
        """Whether whole turns mean nothing to it."""
        return True

    @property
    def path_a(self) -> tuple[tuple[str, str], ...]:
        """No joints' coordinates."""
        return ()

    @property
    def path_b(self) -> tuple[tuple[str, str], ...]:
        """None here either."""
        return ()
