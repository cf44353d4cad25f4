"""Friction and limits of joints that act."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Self

from poinsot.front.described import Described
from poinsot.model import JointStop
from poinsot.spatial import Scalar


class Acting(Described):
    """The methods of ``System`` that turn data of its joints into force elements."""

    def with_friction(
        self, ratio: Scalar = 1.0, *, stribeck: Scalar = 0.1, smoothing: Scalar = 1e-3
    ) -> Self:
        """Return the system with the friction of its joints acting: a ``JointFriction`` for each.

        The Coulomb friction that joints carry (``friction=``, or from URDF and MJCF) is the level
        at which they slide.  Without this it is data, and ``ps.simulate`` warns of it.

        Args:
            ratio: Static level over kinetic level, at least 1.
            stribeck: Velocity over which friction falls from one to the other [m/s or rad/s].
            smoothing: Velocity that counts as rest [m/s or rad/s].

        Raises:
            ModelError: If there is no such friction, or a loop's joint has some.
        """
        from poinsot.model.acting import with_friction

        return self.from_mechanism(with_friction(self.description, ratio, stribeck, smoothing))

    def with_stops(
        self,
        stiffness: Scalar,
        dissipation: Scalar = 0.0,
        *,
        exponent: float = 1.0,
        joints: Sequence[str] | None = None,
    ) -> Self:
        """Return the system with a ``JointStop`` at each end of its joints' ranges.

        Args:
            stiffness: Stiffness [N/mᵖ or N m/radᵖ], p being the exponent.
            dissipation: Dissipation [s/m or s/rad].
            exponent: p, at least 1.
            joints: Names of joints; all that have limits of position by default.

        Raises:
            ModelError: If there are none.
        """
        from poinsot.model.acting import with_stops

        made = partial(JointStop, stiffness=stiffness, dissipation=dissipation, exponent=exponent)
        return self.from_mechanism(with_stops(self.description, joints, made))
