"""What a body looks like, and what it is for contact: data that travels with it.

The dynamics do not use shapes; files hold them and viewers draw them.
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypedDict, Unpack, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import Vec3, checked_name, finite_array, scalar_number, vec3
from poinsot.model.numbers import is_symbolic
from poinsot.model.pose import Pose
from poinsot.model.suggest import suggestion
from poinsot.spatial import Scalar

__all__ = [
    "ROLES",
    "AbstractShape",
    "Box",
    "Capsule",
    "Cylinder",
    "Mesh",
    "ShapeOptions",
    "Sphere",
    "checked_shapes",
]

ROLES: Final = ("visual", "collision")
"""What a shape may be for: to be looked at, or to be touched."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_IDENTITY = Pose()


class ShapeOptions(TypedDict, total=False):
    """Keywords that every shape takes; see :class:`AbstractShape`."""

    pose: Pose
    color: str | Sequence[float] | None
    role: str


@dataclass(frozen=True, init=False)
class AbstractShape(ByStructure, ABC):
    """What every shape has; immutable, hashable, equal by value.

    Attributes:
        kind: Its type in files, e.g. ``"box"``.
        pose: Where the middle of the shape sits in the body's frame.
        color: ``"#rrggbb"``, or ``"#rrggbbaa"`` with opacity; None: as the viewer likes.
        role: ``"visual"`` or ``"collision"``.
    """

    kind: ClassVar[str]

    pose: Pose
    color: str | None
    role: str

    def __init__(
        self,
        *,
        pose: Pose = _IDENTITY,
        color: str | Sequence[float] | None = None,
        role: str = "visual",
    ) -> None:
        """Check and store what all shapes have.

        Args:
            pose: Where the middle of the shape sits in the body's frame.
            color: ``"#rrggbb"``, ``"#rrggbbaa"``, or 3 or 4 numbers from 0 to 1 (red, green, blue,
                opacity).
            role: ``"visual"`` or ``"collision"``.
        """
        if not isinstance(pose, Pose):
            raise ModelError(
                f"{self.kind}: pose must be a Pose, e.g. Pose((0, 0, 1)), got {pose!r}"
            )
        if role not in ROLES:
            raise ModelError(
                f"{self.kind}: role must be 'visual' or 'collision', got {role!r}; "
                + suggestion(str(role), ROLES)
            )
        object.__setattr__(self, "pose", pose)
        object.__setattr__(self, "color", _checked_color(color, f"{self.kind}: color"))
        object.__setattr__(self, "role", role)


@final
@dataclass(frozen=True, init=False)
class Box(AbstractShape):
    """A box with edges along the axes of its pose.

    Attributes:
        size: Lengths of the edges along x, y and z [m].

    Examples:
        >>> Box((0.1, 0.2, 1), color="#4477AA").color
        '#4477aa'
    """

    size: Vec3

    kind: ClassVar[str] = "box"

    def __init__(self, size: ArrayLike, **options: Unpack[ShapeOptions]) -> None:
        """Check and store the box; ``options`` are pose, color and role."""
        super().__init__(**options)
        sizes = vec3(size, "box: size")
        if not is_symbolic(sizes) and min(sizes) < 0:
            raise ModelError(f"box: size must not be negative, got {size!r}")
        object.__setattr__(self, "size", sizes)


@final
@dataclass(frozen=True, init=False)
class Sphere(AbstractShape):
    """A ball about the origin of its pose.

    Attributes:
        radius: Radius [m].
    """

    radius: Scalar

    kind: ClassVar[str] = "sphere"

    def __init__(self, radius: Scalar, **options: Unpack[ShapeOptions]) -> None:
        """Check and store the sphere; ``options`` are pose, color and role."""
        super().__init__(**options)
        object.__setattr__(self, "radius", _length(radius, "sphere: radius"))


@final
@dataclass(frozen=True, init=False)
class Cylinder(AbstractShape):
    """A cylinder along z of its pose, half of it on either side of the origin.

    Attributes:
        radius: Radius [m].
        length: Length [m].
    """

    radius: Scalar
    length: Scalar

    kind: ClassVar[str] = "cylinder"

    def __init__(self, radius: Scalar, length: Scalar, **options: Unpack[ShapeOptions]) -> None:
        """Check and store the cylinder; ``options`` are pose, color and role."""
        super().__init__(**options)
        object.__setattr__(self, "radius", _length(radius, "cylinder: radius"))
        object.__setattr__(self, "length", _length(length, "cylinder: length"))


@final
@dataclass(frozen=True, init=False)
class Capsule(AbstractShape):
    """A cylinder along z of its pose with a half ball on either end.

    Attributes:
        radius: Radius [m].
        length: Length without the half balls [m].
    """

    radius: Scalar
    length: Scalar

    kind: ClassVar[str] = "capsule"

    def __init__(self, radius: Scalar, length: Scalar, **options: Unpack[ShapeOptions]) -> None:
        """Check and store the capsule; ``options`` are pose, color and role."""
        super().__init__(**options)
        object.__setattr__(self, "radius", _length(radius, "capsule: radius"))
        object.__setattr__(self, "length", _length(length, "capsule: length"))


@final
@dataclass(frozen=True, init=False)
class Mesh(AbstractShape):
    """A surface in a file of its own, which no reader of models opens.

    Attributes:
        path: The file as a model calls it: relative to the model's file, or ``package://...``.
        scale: Factors along x, y and z.
        file: Where the file is on this machine, as found inside the folder of the model that was
            loaded; None: not known.  Not part of the description: it is neither compared nor saved.
    """

    path: str
    scale: Vec3
    file: str | None = field(compare=False)

    kind: ClassVar[str] = "mesh"

    def __init__(
        self,
        path: str,
        scale: ArrayLike = (1.0, 1.0, 1.0),
        *,
        file: str | None = None,
        **options: Unpack[ShapeOptions],
    ) -> None:
        """Check and store the mesh; ``options`` are pose, color and role."""
        super().__init__(**options)
        object.__setattr__(self, "path", checked_name(path, "mesh: path"))
        object.__setattr__(self, "scale", vec3(scale, "mesh: scale"))
        object.__setattr__(self, "file", None if file is None else checked_name(file, "mesh: file"))


def checked_shapes(shapes: object, where: str) -> tuple[AbstractShape, ...]:
    """Return the shapes as a tuple, refusing what is none.

    Args:
        shapes: What the user gave.
        where: Opens the message of an error, e.g. ``"body 'arm'"``.
    """
    if isinstance(shapes, str) or not isinstance(shapes, Sequence):
        raise ModelError(f"{where}: shapes must be a list of shapes, e.g. [Sphere(0.1)]")
    for shape in shapes:
        if not isinstance(shape, AbstractShape):
            raise ModelError(f"{where}: shapes must be Box, Sphere, ..., got {shape!r}")
    return tuple(shapes)


def _length(value: Scalar, where: str) -> Scalar:
    length = scalar_number(value, where)
    if not is_symbolic(length) and length < 0:
        raise ModelError(f"{where} must not be negative, got {value!r}")
    return length


def _checked_color(color: str | Sequence[float] | None, where: str) -> str | None:
    if color is None:
        return None
    if isinstance(color, str):
        if not _HEX.fullmatch(color):
            raise ModelError(f"{where} must be '#rrggbb' or '#rrggbbaa', got {color[:60]!r}")
        return color.lower()
    parts = finite_array(color, where)
    if parts.shape not in ((3,), (4,)) or (parts < 0).any() or (parts > 1).any():
        raise ModelError(f"{where} must be 3 or 4 numbers from 0 to 1, got {color!r}")
    return "#" + "".join(f"{round(part * 255):02x}" for part in np.asarray(parts).tolist())
