"""Frames on bodies, as fields of constraints and force elements hold them."""

from typing import Any

from poinsot.errors import ModelError
from poinsot.model.checks import checked_name
from poinsot.model.fields import AbstractKind, Stored
from poinsot.model.pose import Pose

__all__ = ["Frame", "FrameField", "FrameOnBody"]

Frame = tuple[str, Pose]
"""The name of a body (or ``"world"``), and a pose in its frame."""

FrameField = Stored[Frame, str | tuple[str, Any]]
"""The type of a field that holds a frame."""


class FrameOnBody(AbstractKind):
    """A frame on a body: its name, and a pose or a point in its frame."""

    def stored(self, given: Any, where: str, owner: Any) -> Frame:  # noqa: ANN401
        """Return a body's name and a pose; a point stands for a frame with parallel axes."""
        if isinstance(given, str):
            return checked_name(given, f"{where}: body"), Pose()
        pair = given if isinstance(given, tuple | list) else ()
        if len(pair) != 2 or not isinstance(pair[0], str):
            raise ModelError(
                f"{where} must be a body's name and a pose in its frame, e.g. "
                f"('arm', Pose((0, 0, 1))) or ('world', Pose()), got {given!r}"
            )
        pose = pair[1] if isinstance(pair[1], Pose) else Pose(pair[1])
        return checked_name(pair[0], f"{where}: body"), pose
