"""Wrenches of joints and loops at any point, in any axes, on either body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.evaluate.parameters import ParameterValues
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import as_expr, build
from poinsot.front.kinematics import Kinematics
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import WORLD, Mechanism, Pose, is_symbolic, suggestion
from poinsot.model.frame import Frame
from poinsot.spatial import Array

AXES: Final = ("body", "joint", "world")
"""Axes that reactions have without the name of a body."""
SIDES: Final = ("second", "first")


Point = str | tuple[str, ArrayLike]
"""About which point moments are: "second", "first" or (body, point)."""


def shown_wrenches(
    system: Kinematics, wrenches: Callable[[str], dict[str, Array]], q: ArrayLike, axes: str,
    point: Point, on: str, parameters: Mapping[str, ArrayLike] | None,
) -> dict[str, Array]:  # fmt: skip
    """Return wrenches at any point, in any axes, on either body.

        n_P = n_O + (O - P) × f

    Args:
        system: The system.
        wrenches: Those of the first on the second frame, at its origin O, (..., 6) each, as a
            function of one of ``AXES``.
        q: Configuration [m or rad], shape (..., nq).
        axes: "body", "joint", "world", or the name of a body whose axes they are.
        point: "second" or "first", the origins of the two frames, or ``(body, point)`` [m].
        on: Which of the two feels them, "second" or "first".
        parameters: Values of free parameters by name.
    """
    if axes in AXES and isinstance(point, str) and (point, on) == ("second", "second"):
        return wrenches(axes)
    frames = _Frames(system, q, parameters)
    if on not in SIDES:
        raise ModelError(f"reactions: on must be 'second' or 'first', got {on!r}")
    names = (*AXES, WORLD, *system.mechanism.body_names)
    if axes not in names:
        raise ModelError(
            f"reactions: axes must be 'body', 'joint' or 'world', got {axes!r}; or the name of a "
            f"body: {suggestion(str(axes), names)}"
        )
    sign, result = (1.0 if on == "second" else -1.0), {}
    pairs = _pairs(system.mechanism)
    for name, wrench in wrenches("world").items():
        first, second = pairs[name]
        f, n = sign * wrench[..., :3], sign * wrench[..., 3:]
        apart = frames.pose(second)[..., :3, 3] - frames.point(point, first, second)
        n = n + np.cross(apart, f)
        turned = {"body": second, "joint": first, "world": (WORLD, Pose())}.get(
            axes, (axes, Pose())
        )
        R = frames.pose(turned)[..., :3, :3]
        result[name] = np.concatenate(
            [np.einsum("...ji,...j->...i", R, vector) for vector in (f, n)], axis=-1
        )
    return result


class _Frames:
    """Poses of frames on bodies at a state."""

    def __init__(
        self, system: Kinematics, q: ArrayLike, parameters: Mapping[str, ArrayLike] | None
    ) -> None:
        self._system, self._q, self._parameters = system, q, parameters
        self._known: dict[Frame, Array] = {}

    def pose(self, frame: Frame) -> Array:
        """Return the pose of a frame in the world, shape (..., 4, 4)."""
        if frame not in self._known:
            body, pose = frame
            if body != WORLD and body not in self._system.mechanism.body_names:
                names = (WORLD, *self._system.mechanism.body_names)
                hint = suggestion(str(body), names)
                raise ModelError(f"reactions: there is no body {body!r}; {hint}")
            X = self._numeric(pose)
            if body != WORLD:
                X = self._system.pose(body, self._q, parameters=self._parameters) @ X
            self._known[frame] = X
        return self._known[frame]

    def point(self, given: Point, first: Frame, second: Frame) -> Array:
        """Return a point in the world, shape (..., 3)."""
        if isinstance(given, str):
            if given not in SIDES:
                raise ModelError(
                    "reactions: point must be 'second', 'first' or (body, point), as in "
                    f"('world', (0, 0, 1)), got {given!r}"
                )
            return self.pose(second if given == "second" else first)[..., :3, 3]
        body, point = given
        place: Array = self.pose((body, Pose())) @ np.append(np.asarray(point, np.float64), 1.0)
        return place[..., :3]

    def _numeric(self, pose: Pose) -> Array:
        """Return the matrix of a pose that may be a formula of parameters, shape (..., 4, 4)."""
        X = np.array(pose.transform().homogeneous())
        if not is_symbolic(*X.ravel().tolist()):
            return X.astype(np.float64)
        values = ParameterValues(self._system.description).numbers("reactions", self._parameters)
        assert values is not None
        entries = np.array([as_expr(x) for x in X.ravel()], dtype=object)
        kernel = InterpreterKernel(
            build(parameter_symbols(self._system.mechanism), {"pose": entries})
        )
        result = np.empty((values[..., 0].size, 16))
        kernel.run([np.ascontiguousarray(values.reshape(-1, values.shape[-1]))], [result])
        return result.reshape(*values.shape[:-1], 4, 4)


def _pairs(mechanism: Mechanism) -> dict[str, tuple[Frame, Frame]]:
    """Return the first and the second frame of each joint, loop and constraint, by name."""
    pairs: dict[str, tuple[Frame, Frame]] = {}
    for name, body in zip(mechanism.joint_names, mechanism.bodies, strict=True):
        ends = (body.parent, body.pose), (body.name, Pose())
        pairs[name] = (ends[1], ends[0]) if body.joint.backwards else ends
    for constraint in mechanism.closures:
        if len(constraint.pairs) == 1:
            pairs[constraint.name] = constraint.pairs[0]
    return pairs
