"""Links, pins, slides and springs of planar linkages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.model.scalar_values import nonzero

PlanarVector: TypeAlias = Sequence[float] | NDArray[Any]
PlanarAngle: TypeAlias = float | NDArray[Any]


@dataclass(frozen=True)
class PlanarLink:
    """A rigid link.

    Attributes:
        mass: Mass [kg].
        inertia: Moment of inertia about the mass centre [kg m²].
        com: Mass centre in the link's frame [m].
        pose: Where it is in a drawing of the mechanism, (x, y, φ) [m, rad]: tells the assembly.
        points: Named points in the link's frame [m], for pictures and curves.
        outlines: Of its plates in the link's frame [m], for pictures.
    """

    mass: float = 0.0
    inertia: float = 0.0
    com: PlanarVector = (0.0, 0.0)
    pose: PlanarVector | None = None
    points: Mapping[str, PlanarVector] = field(default_factory=dict)
    outlines: tuple[tuple[tuple[float, float], ...], ...] = field(
        default=(), repr=False, metadata={"in_digest": False}
    )


@dataclass(frozen=True)
class PlanarJoint:
    """A pin or a slide between two links.

    A pin ("R") joins the point ``pa`` of a with ``pb`` of b.  A slide ("P") keeps ``pb`` on the
    line through ``pa`` with the direction u, at the angle ``ua`` from the x axis of a, and the
    angle of b relative to a at ``beta``; its stroke is s = u · (p_b - p_a).

    Attributes:
        name: Its name.
        kind: "R" or "P".
        a: The link that carries the guide of a slide.
        b: The other link.
        pa: Point of a, in its frame [m].
        pb: Point of b, in its frame [m].
        ua: Direction of the guide in a [rad].
        beta: Angle of b relative to a, of slides [rad].
        k: Stiffness along its angle or stroke [N m/rad or N/m].
        c: Damping, viscous friction [N m s/rad or N s/m].
        rest: Angle or stroke at which its spring is relaxed.
        armature: Inertia of a rotor that turns or moves with it [kg m² or kg].
        mu: Coefficient of Coulomb friction.
        radius: Of a pin with friction [m].
        length: Of the block of a slide with friction along the guide [m]; 0: its couple rubs not.
        slip: Velocity over which friction changes its sign [rad/s or m/s]; 0: at once.
    """

    name: str
    kind: str
    a: str
    b: str
    pa: PlanarVector = (0.0, 0.0)
    pb: PlanarVector = (0.0, 0.0)
    ua: PlanarAngle = 0.0
    beta: PlanarAngle = 0.0
    k: float = 0.0
    c: float = 0.0
    rest: float = 0.0
    armature: float = 0.0
    mu: float = 0.0
    radius: float = 0.0
    length: float = 0.0
    slip: float = 0.0

    def other(self, body: str) -> str:
        """Return the link at the other end."""
        return self.b if body == self.a else self.a

    def point(self, body: str) -> NDArray[Any]:
        """Return the joint's point of a link, in its frame, shape (2,)."""
        return np.asarray(self.pa if body == self.a else self.pb)


@dataclass(frozen=True)
class PlanarSpring:
    """A spring and damper between the points ``pa`` of a and ``pb`` of b [m].

    Attributes:
        name: Its name.
        a: A link, or the frame.
        b: Another.
        pa: Point of a, in its frame [m].
        pb: Point of b, in its frame [m].
        stiffness: [N/m].
        damping: [N s/m].
        length: Relaxed length [m].
    """

    name: str
    a: str
    b: str
    pa: PlanarVector = (0.0, 0.0)
    pb: PlanarVector = (0.0, 0.0)
    stiffness: float = 0.0
    damping: float = 0.0
    length: float = 0.0


@dataclass(frozen=True)
class CoupledRotors:
    """What rotors of two joints have in common: the kinetic energy B ẋ_1 ẋ_2.

    Attributes:
        first: Name of the first joint.
        second: Name of the second one.
        inertia: B [kg m², kg m or kg].
    """

    first: str
    second: str
    inertia: PlanarAngle


def coupled_rotors(names: Sequence[str], B: NDArray[Any]) -> list[CoupledRotors]:
    """Return what the armature matrix of these joints holds beside its diagonal."""
    return [
        CoupledRotors(names[i], names[j], B[i, j])
        for i in range(len(names))
        for j in range(i)
        if nonzero(B[i, j])
    ]
