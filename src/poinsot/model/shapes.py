"""What a body looks like, and what it is for contact: data that travels with it.

The dynamics do not use shapes; files hold them and viewers draw them.
"""

import re
from abc import ABC
from collections.abc import Sequence
from typing import Any, ClassVar, Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import finite_array
from poinsot.model.fields import (
    AbstractKind,
    Choice,
    Declared,
    Name,
    Number,
    Stored,
    Vector,
    Vector3,
    declared,
    field,
)
from poinsot.model.pose import POSE, Pose
from poinsot.spatial import Scalar

__all__ = [
    "ROLES",
    "AbstractShape",
    "Box",
    "Capsule",
    "Color",
    "Cylinder",
    "Mesh",
    "Shapes",
    "Sphere",
]

ROLES: Final = ("visual", "collision")
"""What a shape may be for: display or contact."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


class Color(AbstractKind):
    """A color: ``"#rrggbb"``, ``"#rrggbbaa"``, or 3 or 4 numbers from 0 to 1."""

    file_form: ClassVar[str] = "text"

    def stored(self, given: Any, where: str, owner: Any) -> str:  # noqa: ANN401
        """Return it as text, in lower case."""
        if isinstance(given, str):
            if not _HEX.fullmatch(given):
                raise ModelError(f"{where} must be '#rrggbb' or '#rrggbbaa', got {given[:60]!r}")
            return given.lower()
        channels = finite_array(given, where)
        if channels.shape not in ((3,), (4,)) or (channels < 0).any() or (channels > 1).any():
            raise ModelError(f"{where} must be 3 or 4 numbers from 0 to 1, got {given!r}")
        return "#" + "".join(
            f"{round(channel * 255):02x}" for channel in np.asarray(channels).tolist()
        )


@declared
class AbstractShape(Declared, ABC):
    """What every shape has; immutable, hashable, equal by value."""

    family: ClassVar[str] = "shape"

    pose: Pose = field(
        POSE, "Where the middle of the shape sits in the body's frame",
        default=Pose(), kw_only=True,
    )  # fmt: skip
    color: Stored[str | None, str | Sequence[float] | None] = field(
        Color(),
        '"#rrggbb", "#rrggbbaa" with opacity, or 3 or 4 numbers from 0 to 1 (red, green, blue, '
        "opacity); None: as the viewer likes",
        default=None, kw_only=True,
    )  # fmt: skip
    role: str = field(Choice(*ROLES), "What it is for", default="visual", kw_only=True)


@final
@declared
class Box(AbstractShape):
    """A box with edges along the axes of its pose.

    Examples:
        >>> Box((0.1, 0.2, 1), color="#4477AA").color
        '#4477aa'
    """

    kind: ClassVar[str] = "box"

    size: Vector3 = field(
        Vector("not negative"), "Lengths of the edges: along x, y and z", unit="m"
    )


@final
@declared
class Sphere(AbstractShape):
    """A ball about the origin of its pose."""

    kind: ClassVar[str] = "sphere"

    radius: Scalar = field(Number("not negative"), "Radius", unit="m")


@final
@declared
class Cylinder(AbstractShape):
    """A cylinder along z of its pose, half of it on either side of the origin."""

    kind: ClassVar[str] = "cylinder"

    radius: Scalar = field(Number("not negative"), "Radius", unit="m")
    length: Scalar = field(Number("not negative"), "Length", unit="m")


@final
@declared
class Capsule(AbstractShape):
    """A cylinder along z of its pose with a half ball on either end."""

    kind: ClassVar[str] = "capsule"

    radius: Scalar = field(Number("not negative"), "Radius", unit="m")
    length: Scalar = field(Number("not negative"), "Length without the half balls", unit="m")


@final
@declared
class Mesh(AbstractShape):
    """A surface in a file of its own, which no reader of models opens."""

    kind: ClassVar[str] = "mesh"

    path: str = field(
        Name(), 'The file as a model calls it: relative to the model\'s file, or "package://..."'
    )
    scale: Vector3 = field(Vector(), "Factors along x, y and z", default=(1.0, 1.0, 1.0))
    file: str | None = field(
        Name(),
        "Where the file is on this machine, as found inside the folder of the model that was "
        "loaded; None: not known.  It is neither compared nor saved",
        default=None, kw_only=True, compare=False, in_files=False,
    )  # fmt: skip


class Shapes(AbstractKind):
    """Several shapes."""

    def stored(self, given: Any, where: str, owner: Any) -> tuple[AbstractShape, ...]:  # noqa: ANN401
        """Return the shapes as a tuple."""
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise ModelError(f"{where} must be a list of shapes, e.g. [Sphere(0.1)]")
        for shape in given:
            if not isinstance(shape, AbstractShape):
                raise ModelError(f"{where} must be Box, Sphere, ..., got {shape!r}")
        return tuple(given)
