"""External loads as users give them, turned into inputs of kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.call_arrays import checked_time, checked_vectors
from poinsot.evaluate.call_options import SolveOptions
from poinsot.evaluate.parameters import ParameterValues
from poinsot.evaluate.request import NO_LOADS
from poinsot.model import AbstractClosure, BaseMotion, LoadInputs, Mechanism, suggestion
from poinsot.spatial import Array


class LoopEntry(NamedTuple):
    """A loop or curve: its index among the constraints, and its number of velocities."""

    number: int
    nv: int


class LoadReader:
    """Reads the external loads on one mechanism.

    Args:
        mechanism: The bodies.
        parameters: Its parameters, which gravity may depend on.
    """

    def __init__(self, mechanism: Mechanism, parameters: ParameterValues) -> None:
        self._mechanism, self._parameters = mechanism, parameters

    def read(self, name: str, t: ArrayLike, loads: SolveOptions) -> tuple[LoadInputs, list[Array]]:
        """Return which external loads are given, and their values in the order of the inputs."""
        wrenches, base, drives = loads.get("wrenches"), loads.get("base"), loads.get("drives")
        parameters = loads.get("parameters")
        timed = self._mechanism.depends_on_time
        time = [checked_time(f"{name}: t", t)] if timed else []
        if not wrenches and base is None and not drives:
            return NO_LOADS, time
        extra = [] if base is None else [self.base_numbers(name, base, parameters)]
        given = wrenches or {}
        bodies = sorted((self._mechanism.index(body), body) for body in given)
        if bodies:
            vectors = [(body, given[body], 6) for _, body in bodies]
            extra.append(checked_vectors(name, "wrench on body", vectors))
        forces = drives or {}
        driven = sorted((*driven_loop(self._mechanism, name, loop), loop) for loop in forces)
        if driven:
            vectors = [(loop, forces[loop], nv) for _, nv, loop in driven]
            extra.append(checked_vectors(name, "drive of", vectors))
        loaded = tuple(i for i, _ in bodies)
        sizes = tuple((k, nv) for k, nv, _ in driven)
        return LoadInputs(base is not None, loaded, sizes), extra + time

    def base_numbers(
        self, name: str, base: BaseMotion, parameters: Mapping[str, ArrayLike] | None
    ) -> Array:
        """Return gravity, velocity and acceleration in the axes of a base, shape (..., 15)."""
        if not isinstance(base, BaseMotion):
            raise ModelError(f"{name}: base must be a BaseMotion, got {type(base).__name__}")
        values = self._parameters.numbers(name, parameters)
        return base.numbers(self._parameters.gravity(values))

    def base_axes(
        self, name: str, base: BaseMotion, parameters: Mapping[str, ArrayLike] | None
    ) -> Array:
        """Return the rotation of a base by rows and gravity in inertial axes, shape (..., 12)."""
        gravity = self._parameters.gravity(self._parameters.numbers(name, parameters))
        R = base.R.reshape(*base.R.shape[:-2], 9)
        batch = np.broadcast_shapes(R.shape[:-1], gravity.shape[:-1])
        return np.concatenate(
            [np.broadcast_to(R, (*batch, 9)), np.broadcast_to(gravity, (*batch, 3))], axis=-1
        )

    def over_time(self, name: str, q: ArrayLike, t: ArrayLike) -> ArrayLike:
        """Return q for every time, also where no force depends on the time."""
        if isinstance(t, float | int) or self._mechanism.depends_on_time:
            return q
        times = checked_time(f"{name}: t", t)
        shape = np.shape(q)
        if times.ndim == 1 or not shape:
            return q
        try:
            return np.broadcast_to(
                q, (*np.broadcast_shapes(shape[:-1], times.shape[:-1]), shape[-1])
            )
        except ValueError:
            raise ShapeError(
                f"{name}: leading dimensions do not broadcast to one another: q {shape}, "
                f"t {times.shape[:-1]}"
            ) from None


def driven_loop(mechanism: Mechanism, name: str, loop: str) -> LoopEntry:
    """Return the index of a loop or curve among the constraints, and its velocities.

    Args:
        mechanism: The bodies and loops.
        name: What is asked for; opens the message of an error.
        loop: Name of the loop or curve.
    """
    loops = {
        constraint.name: LoopEntry(k, constraint.nv)
        for k, constraint in enumerate(mechanism.closures)
        if isinstance(constraint, AbstractClosure)
    }
    if loop not in loops:
        hint = suggestion(str(loop), loops) if loops else "it has none at all"
        if loop in mechanism.joints:
            hint = f"{loop!r} is a joint of the tree, whose entries are in q, v and tau"
        raise ModelError(
            f"{name}: mechanism {mechanism.name!r} has no loop or curve {loop!r} with "
            f"coordinates of its own; {hint}"
        )
    return loops[loop]
