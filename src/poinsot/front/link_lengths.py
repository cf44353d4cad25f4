"""Links of an arm as lengths between its joints, which tolerances, heat and load change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.model import Pose
from poinsot.model.checks import finite_number
from poinsot.spatial import Array

__all__ = ["LinkAxis", "LinkLengths", "link_axes"]


class LinkAxis(NamedTuple):
    """A link between two joints.

    Attributes:
        number: Number of the body.
        direction: From its own joint to the next one, or to the tool, in its axes, shape (3,).
        length: Between them [m].
    """

    number: int
    direction: Array
    length: float


class LinkLengths(NamedTuple):
    """Numbers for some of the links of an arm, with their axes.

    Attributes:
        axes: Of the links, by name; None where a link is not between base and tool.
        values: Of each.
    """

    axes: dict[str, LinkAxis | None]
    values: Array


def link_axes(
    system: System, path: list[int], frame: Pose, given: Mapping[str, ArrayLike] | None, what: str
) -> LinkLengths:
    """Return the axes of links that have a number by name.

    Args:
        system: A tree.
        path: Numbers of the bodies from the base to that of the tool.
        frame: The tool's frame in the last of them.
        given: A number for each link, by name.
        what: What the numbers are, for messages.
    """
    if given is not None and not isinstance(given, Mapping):
        raise ModelError(
            f'accuracy: {what} must name links, e.g. {{"forearm": 1e-4}}, got {given!r}'
        )
    axes, values = dict[str, LinkAxis | None](), []
    for name, value in (given or {}).items():
        number = system.mechanism.index(name)
        values.append(finite_number(value, f"accuracy: {what} of {name!r}"))
        axes[name] = _axis(system, path, frame, number, what) if number in path else None
    return LinkLengths(axes, np.array(values))


def _axis(system: System, path: list[int], frame: Pose, number: int, what: str) -> LinkAxis:
    place = path.index(number)
    bodies = system.mechanism.bodies
    last = place == len(path) - 1
    end = frame.transform().p if last else bodies[path[place + 1]].pose.transform().p
    length = float(np.linalg.norm(np.asarray(end, np.float64)))
    if not length > 0.0:
        name, end_name = bodies[number].name, "the tool" if last else bodies[path[place + 1]].name
        raise ModelError(
            f"accuracy: {what} of {name!r}: its joint and {end_name!r} are at one point, so that "
            "it has no length; give pose_errors instead"
        )
    return LinkAxis(number, np.asarray(end, np.float64) / length, length)
