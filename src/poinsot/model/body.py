"""A rigid body: its parent in the tree, its joint, its mass."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.checks import checked_name
from poinsot.model.fields import (
    Declared,
    Name,
    Number,
    Stored,
    Vector,
    Vector3,
    declared,
    field,
)
from poinsot.model.inertia import Inertia6, InertiaNumbers, inertia_matrix, inertia_problem
from poinsot.model.joints import AbstractJoint, Fixed
from poinsot.model.joints.base import JOINT
from poinsot.model.model_warnings import warn
from poinsot.model.pose import POSE, Pose
from poinsot.model.shapes import AbstractShape, Shapes
from poinsot.spatial import Array, Inertia, Scalar

__all__ = ["WORLD", "Body", "BodyName"]

WORLD = "world"
"""The name of the frame at the root of every mechanism; no body may have it."""


class BodyName(Name):
    """The name of a body, which is not that of the fixed root."""

    def stored(self, given: Any, where: str, owner: Any) -> str:  # noqa: ANN401
        """Return the name."""
        if checked_name(given, where) == WORLD:
            raise ModelError(f"body {given!r}: this is the name of the fixed root; choose another")
        return str(given)


@declared
class Body(Declared):
    """A rigid body and the joint that carries it; immutable, hashable, equal by value.

    Every number, its joint's and its pose's too, may be a formula of symbols (``ps.symbols``).

    The body frame B coincides with the joint frame J (``pose`` in the parent's frame) when the
    joint is at its neutral configuration.

    Examples:
        >>> rod = Body("rod", mass=1.0, com=(0, 0, -0.5), inertia=(0.08, 0.08, 0.002))
        >>> rod.parent, rod.inertia
        ('world', (0.08, 0.08, 0.002, 0.0, 0.0, 0.0))
    """

    kind: ClassVar[str] = "body"

    name: str = field(BodyName(), "Name, unique in the mechanism")
    parent: str = field(
        Name(), 'Name of the body that carries this one, or "world"', default=WORLD, omit=False
    )
    joint: AbstractJoint = field(JOINT, "How it moves against its parent", default=Fixed())
    pose: Pose = field(POSE, "Where the joint frame J sits in the parent's frame", default=Pose())
    mass: Scalar = field(Number("not negative"), "Mass", unit="kg", default=0.0, omit=False)
    com: Vector3 = field(
        Vector(), "Centre of mass, in body axes", unit="m", default=(0.0, 0.0, 0.0)
    )
    inertia: Stored[Inertia6, ArrayLike] = field(
        InertiaNumbers(),
        "About the centre of mass in body axes: 3 numbers (diagonal), a symmetric 3x3 matrix, or "
        "(ixx, iyy, izz, ixy, ixz, iyz), as it is stored; the last three are the entries of the "
        "tensor, with its signs (ixy = -∫ x y dm)",
        unit="kg·m²", default=(0.0, 0.0, 0.0),
    )  # fmt: skip
    shapes: Stored[tuple[AbstractShape, ...], Sequence[AbstractShape]] = field(
        Shapes(),
        "Box, Sphere, Cylinder, Capsule and Mesh in its frame: what it looks like and what it is "
        "for contact; the dynamics do not use them",
        default=(), in_digest=False,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        problem = inertia_problem(self.inertia, self.mass)
        if problem is not None:
            warn(f"{self.label}: implausible inertia, {problem}", stacklevel=4)

    def inertia_matrix(self) -> Array:
        """Return the inertia about the centre of mass in body axes, shape (3, 3) [kg·m²]."""
        return inertia_matrix(self.inertia)

    def spatial_inertia(self) -> Inertia:
        """Return the spatial inertia about the body's origin, in body axes."""
        return Inertia.from_com(self.mass, np.array(self.com), self.inertia_matrix())
