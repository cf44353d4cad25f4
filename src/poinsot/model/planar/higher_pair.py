"""Pairs of one equation: gears, racks and cams, and any coordinate as a function of another's.

    y_b = f(y_a)

y_a and y_b are the coordinates of two links in their pins or slides on one carrier.  In this form
the equation holds at all positions; what touches what, and along which normal, is the geometry that
turns its multiplier into the force between teeth or on the cam.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from poinsot.model.planar.cam_law import CamLaw
from poinsot.model.planar.cam_shape import FollowerPath
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.joint import PlanarJoint
from poinsot.model.planar.relation_pair import RelationPair
from poinsot.model.planar.row_pair import RowPair


@dataclass(frozen=True)
class GearMesh:
    """Teeth of two wheels, or of a pinion and a rack.

    Attributes:
        radius_a: Pitch radius of a [m]; negative for the wheel that runs inside the other.
        radius_b: The same of b; 0 for a rack.
        centre_a: Centre of a in the frame of the carrier [m].
        direction: Of the rack's pitch line in the carrier [rad], of racks; 0 for wheels.
        side: On which side of that line the pinion is, 1: to its left.
        centre_b: Centre of b in the frame of the carrier [m].
        pressure_angle: Of the teeth [rad].
    """

    radius_a: float
    radius_b: float
    centre_a: tuple[float, float]
    centre_b: tuple[float, float]
    pressure_angle: float = 0.0
    direction: float = 0.0
    side: int = 1


@dataclass(frozen=True, eq=False)
class CamFollower:
    """A cam and its follower.

    Attributes:
        path: Geometry of the follower in the carrier.
        start: Coordinate of the follower at lift zero.
        lift_sense: Sign of its change that lifts.
        turn_sense: Sign of the cam's angle that the law counts.
        law: Lift over the angle.
        base: Radius of the base circle [m].
    """

    path: FollowerPath
    start: float
    lift_sense: float
    turn_sense: float
    law: CamLaw
    base: float


PairShape: TypeAlias = GearMesh | CamFollower | None


@dataclass(frozen=True)
class HigherPair:
    """One equation between the coordinates of two joints.

    Attributes:
        name: Its name.
        kind: "gear", "rack", "cam", or "coupling" without teeth.
        a: The wheel, pinion or cam.
        b: The other wheel, the rack or the follower.
        carrier: The link on which both turn or slide.
        joint_a: The joint whose coordinate is that of a on the carrier; of no name where another
            link carries both in one place, as the ground carries sun and arm.
        joint_b: The same of b.
        path_a: Names of the joints that lead from a to the carrier, each with the link before it.
        path_b: The same from b.
        sign_a: Sign of the joint's coordinate in y_a.
        sign_b: The same of y_b.
        ratio: dy_b/dy_a, of all but cams.
        offset: y_b where y_a = 0, of all but cams; None: as it is drawn, or 0.
        shape: What touches.
    """

    name: str
    kind: str
    a: str
    b: str
    carrier: str
    joint_a: PlanarJoint
    joint_b: PlanarJoint
    path_a: tuple[tuple[str, str], ...] = ()
    path_b: tuple[tuple[str, str], ...] = ()
    sign_a: float = 1.0
    sign_b: float = 1.0
    ratio: float = 0.0
    offset: float | None = None
    shape: PairShape = None

    def law(self, y: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 (arrays of any scalar)
        """Return f, f' and f'' at coordinates of a, arrays."""
        if isinstance(self.shape, CamFollower):
            cam = self.shape
            lift, rate, bend = cam.law(cam.turn_sense * np.asarray(y))
            sense = cam.lift_sense
            return cam.start + sense * lift, sense * cam.turn_sense * rate, sense * bend
        zero = 0.0 * np.asarray(y)
        return self.ratio * np.asarray(y) + (self.offset or 0.0), zero + self.ratio, zero

    @property
    def joints(self) -> tuple[PlanarJoint, PlanarJoint]:
        """The joints of a and b."""
        return self.joint_a, self.joint_b

    @property
    def bodies(self) -> tuple[str, ...]:
        """The links that its equation touches, a and b first."""
        ends = (body for joint in self.joints for body in (joint.a, joint.b))
        return tuple(dict.fromkeys((self.a, self.b, *ends)))

    @property
    def is_length(self) -> bool:
        """Whether its equation is one of lengths [m], not of angles."""
        return self.joint_b.kind == "P"

    @property
    def is_linear(self) -> bool:
        """Whether f is."""
        return not isinstance(self.shape, CamFollower)

    @property
    def is_periodic(self) -> bool:
        """Whether whole turns of a are whole turns of b, so that they need not be counted."""
        return not self.is_linear or (self.kind == "gear" and float(self.ratio).is_integer())


PlanarPair: TypeAlias = HigherPair | CurvePair | RelationPair | RowPair
"""Any pair of one equation."""
