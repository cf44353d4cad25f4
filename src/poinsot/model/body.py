"""One rigid body: its place in the tree, its joint, its mass."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import Vec3, checked_name, scalar_number, vec3
from poinsot.model.inertia import Inertia6, inertia_matrix, inertia_numbers, inertia_problem
from poinsot.model.joints import AbstractJoint, Fixed
from poinsot.model.numbers import is_symbolic
from poinsot.model.pose import Pose
from poinsot.model.shapes import AbstractShape, checked_shapes
from poinsot.model.warn import warn
from poinsot.spatial import Array, Inertia, Scalar

__all__ = ["WORLD", "Body"]

WORLD = "world"
"""The name of the frame at the root of every mechanism; no body may have it."""

_FIXED = Fixed()
_IDENTITY = Pose()


@dataclass(frozen=True, init=False)
class Body(ByStructure):
    """A rigid body and the joint that carries it; immutable, hashable, equal by value.

    Every number, its joint's and its pose's too, may be a formula of symbols (``ps.symbols``).

    The body frame B coincides with the joint frame J (``pose`` in the parent's frame) when the
    joint is at its neutral configuration.

    Attributes:
        name: Name, unique in the mechanism.
        parent: Name of the body that carries this one, or ``"world"``.
        joint: How it moves against its parent.
        pose: Where the joint frame J sits in the parent's body frame.
        mass: Mass [kg].
        com: Centre of mass [m], in B.
        inertia: (ixx, iyy, izz, ixy, ixz, iyz) [kg·m²] about the centre of mass, in B's axes;
            the last three are the entries of the tensor, with its signs (ixy = -∫ x y dm).
        shapes: What it looks like and what it is for contact; the dynamics do not use them.

    Examples:
        >>> rod = Body("rod", mass=1.0, com=(0, 0, -0.5), inertia=(0.08, 0.08, 0.002))
        >>> rod.parent, rod.inertia
        ('world', (0.08, 0.08, 0.002, 0.0, 0.0, 0.0))
    """

    name: str
    parent: str
    joint: AbstractJoint
    pose: Pose
    mass: Scalar
    com: Vec3
    inertia: Inertia6
    shapes: tuple[AbstractShape, ...] = field(metadata={"in_digest": False})

    def __init__(
        self,
        name: str,
        parent: str = WORLD,
        joint: AbstractJoint = _FIXED,
        pose: Pose = _IDENTITY,
        mass: Scalar = 0.0,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike = (0.0, 0.0, 0.0),
        shapes: Sequence[AbstractShape] = (),
    ) -> None:
        """Check and store the body.

        Args:
            name: Name, unique in the mechanism.
            parent: Name of the body that carries this one, or ``"world"``.
            joint: How it moves against its parent.
            pose: Where the joint frame sits in the parent's body frame.
            mass: Mass [kg], not negative.
            com: Centre of mass [m] in body axes, shape (3,).
            inertia: About the centre of mass in body axes [kg·m²]: 3 numbers (diagonal),
                6 (ixx, iyy, izz, ixy, ixz, iyz; signs of the tensor) or a symmetric 3x3 matrix.
            shapes: ``Box``, ``Sphere``, ``Cylinder``, ``Capsule`` and ``Mesh``, in its frame.

        Raises:
            ModelError: If one of them is wrong.

        Warns:
            ModelWarning: If no real body could have the inertia.
        """
        name = checked_name(name, "body: name")
        where = f"body {name!r}"
        if name == WORLD:
            raise ModelError(f"{where}: this is the name of the fixed root; choose another")
        mass = scalar_number(mass, f"{where}: mass")
        if not is_symbolic(mass) and mass < 0:
            raise ModelError(f"{where}: mass must not be negative, got {mass}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parent", checked_name(parent, f"{where}: parent"))
        object.__setattr__(self, "joint", _checked_joint(joint, where))
        object.__setattr__(self, "pose", _checked_pose(pose, where))
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "com", vec3(com, f"{where}: com"))
        object.__setattr__(self, "inertia", inertia_numbers(inertia, f"{where}: inertia"))
        object.__setattr__(self, "shapes", checked_shapes(shapes, where))
        problem = inertia_problem(self.inertia, mass)
        if problem is not None:
            warn(f"{where}: implausible inertia, {problem}")

    def inertia_matrix(self) -> Array:
        """Return the inertia about the centre of mass in body axes, shape (3, 3) [kg·m²]."""
        return inertia_matrix(self.inertia)

    def spatial_inertia(self) -> Inertia:
        """Return the spatial inertia about the body's origin, in body axes."""
        return Inertia.from_com(self.mass, np.array(self.com), self.inertia_matrix())


def _checked_joint(joint: object, where: str) -> AbstractJoint:
    if isinstance(joint, type) and issubclass(joint, AbstractJoint):
        name = joint.__name__
        raise ModelError(
            f"{where}: joint must be a joint, not its class; write {name}() for {name}"
        )
    if not isinstance(joint, AbstractJoint):
        raise ModelError(f"{where}: joint must be a joint, e.g. Revolute('z'), got {joint!r}")
    return joint


def _checked_pose(pose: object, where: str) -> Pose:
    if not isinstance(pose, Pose):
        raise ModelError(f"{where}: pose must be a Pose, e.g. Pose((0, 0, 1)), got {pose!r}")
    return pose
