"""A system at an instant, on a base that moves: ``ps.MovingSystem``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.description import Values
from poinsot.front.impact_numbers import impact_numbers
from poinsot.front.parameter_numbers import parameter_values, with_numbers
from poinsot.front.system import System
from poinsot.model import WORLD, BaseMotion, suggestion
from poinsot.spatial import Array

__all__ = ["MovingSystem", "Push"]

Push = tuple[str, Array, Array]
"""A body, a point of inertial space [m] and an impulse in inertial axes [N s]."""
WHERE: Final = "a moving system"
"""Opens messages of errors."""


@final
@dataclass(frozen=True, eq=False)
class MovingSystem:
    """A system at an instant, on a base with a prescribed motion.

    Attributes:
        system: The system; None: nothing but the base, such as the ground or a moving table.
        q: Its configuration [m or rad], shape (nq,); of k states (k, nq), for ``collide_many``.
        v: Its velocity relative to the base [m/s or rad/s], shape (nv,) or (k, nv).
        base: How the base moves in inertial space.
        numbers: Values of all free parameters of the system, shape (p,) or (k, p); shape (0,):
            they have their own.  Given by name, ``parameters={"m": 3.0}``.

    >>> lift = MovingSystem(base=BaseMotion(velocity=(0, 0, 1, 0, 0, 0)))
    >>> lift.point_velocity("world", (1, 0, 0))
    array([0., 0., 1.])
    """

    system: System | None
    q: Array
    v: Array
    base: BaseMotion
    numbers: Array

    def __init__(
        self, system: System | None = None, q: ArrayLike = (), v: ArrayLike = (),
        base: BaseMotion | None = None, *, parameters: Values = None,
    ) -> None:  # fmt: skip
        """Check and store it."""
        if system is not None and not isinstance(system, System):
            raise ModelError(
                f"a moving system is a ps.System with its state, or None for a base alone, got "
                f"{type(system).__name__}"
            )
        sizes = (0, 0) if system is None else (system.nq, system.nv)
        for key, value, n in zip("qv", (q, v), sizes, strict=True):
            numbers = impact_numbers(key, value)
            if numbers.ndim in (1, 2) and not np.isfinite(numbers).all():
                k = int(np.argmin(np.isfinite(np.atleast_2d(numbers)).all(axis=1)))
                state = f" (state {k})" if numbers.ndim == 2 else ""
                row = np.atleast_2d(numbers)[k].tolist()
                raise ModelError(
                    f"{key} of a moving system must be finite, got {row!r:.200}{state}"
                )
            if numbers.ndim not in (1, 2) or numbers.shape[-1] != n:
                owner = "a base alone" if system is None else f"system {system.name!r}"
                raise ShapeError(
                    f"{key} of {owner}: expected shape ({n},), got {numbers.shape}; many states "
                    f"have shape (k, {n})"
                )
            object.__setattr__(self, key, numbers)
        if base is not None and not isinstance(base, BaseMotion):
            raise ModelError(
                f"base of a moving system must be a ps.BaseMotion(pose, velocity=...), got {base!r}"
            )
        object.__setattr__(self, "system", system)
        object.__setattr__(self, "base", BaseMotion() if base is None else base)
        object.__setattr__(self, "numbers", _checked_numbers(system, parameters))

    @property
    def is_many(self) -> bool:
        """Whether it holds many states."""
        return max(self.q.ndim, self.v.ndim, self.numbers.ndim) == 2

    @property
    def parameters(self) -> dict[str, Array] | None:
        """Values of the free parameters that were given, by name; None: they have their own."""
        if self.system is None or not self.numbers.size:
            return None
        columns = (self.numbers[..., k] for k in range(len(self.system.free)))
        return dict(zip(self.system.free, columns, strict=True))

    def state(self, k: int | Array) -> MovingSystem:
        """Return one of many states, or those of several numbers."""
        q, v = (x[k] if x.ndim == 2 else x for x in (self.q, self.v))
        own = self.parameters
        if own is not None and self.numbers.ndim == 2:
            own = {name: values[k] for name, values in own.items()}
        return MovingSystem(self.system, q, v, self.base, parameters=own)

    def place(self, body: str, point: ArrayLike) -> Array:
        """Return a point of inertial space [m] in coordinates of a body, shape (3,)."""
        if body == WORLD:
            return np.asarray(self.base.R.T @ (np.asarray(point) - self.base.p))
        pose = self._with(body).pose(body, self.q, base=self.base, parameters=self.parameters)
        return np.asarray(pose[:3, :3].T @ (np.asarray(point) - pose[:3, 3]))

    def point_velocity(self, body: str, point: ArrayLike) -> Array:
        """Return the velocity of the point of a body that is at a point of inertial space.

            V = R₀ (V_rel + ω₀ × ρ + V₀)      [Zhang1996, (3.16), (3.17)], corrected

        In inertial axes [m/s], shape (3,).
        """
        place = self.place(body, point)
        if body == WORLD:
            linear, angular = self.base.velocity[:3], self.base.velocity[3:]
            return np.asarray(self.base.R @ (linear + np.cross(angular, place)))
        system = self._with(body)
        return system.velocity(
            body, self.q, self.v, place, axes="world", base=self.base, parameters=self.parameters
        )[:3]

    def point_jacobian(self, body: str, point: ArrayLike) -> Array:
        """Return its derivative by v, shape (3, nv): β of [Zhang1996, (3.20)-(3.24)]."""
        if body == WORLD:
            return np.zeros((3, self.v.size))
        system, place = self._with(body), self.place(body, point)
        return system.jacobian(
            body, self.q, place, axes="world", base=self.base, parameters=self.parameters
        )[:3]

    def mass_matrix(self) -> Array:
        """Return M, shape (nv, nv) [Zhang1996, (3.2)]."""
        if self.system is None:
            return np.zeros((0, 0))
        return self.system.mass_matrix(self.q, parameters=self.parameters)

    def constraint_rows(self) -> Array:
        """Return the rows of loops and constraints, shape (m, nv)."""
        if self.system is None or not self.system.row_names:
            return np.zeros((0, self.v.size))
        return self.system.constraint_jacobian(self.q, parameters=self.parameters)

    def kinetic_energy(self, v: Array) -> Array | float:
        """Return the kinetic energy in inertial space with other velocities [J]; of many states."""
        if self.system is None:
            return 0.0
        energy: Array | float = self.system.kinetic_energy(
            self.q, v, base=self.base, parameters=self.parameters
        )
        return energy

    def joint_impulses(self, pushes: Sequence[Push]) -> dict[str, Array]:
        """Return the impulsive wrenches [f; n] in joints and loops under impulses on bodies.

        Forces of reaction are linear in the forces on the bodies: the wrenches are those under
        forces as large as the impulses, at rest, less those without [Zhang1996, (3.2)].

        Args:
            pushes: The impulses.

        Returns:
            By name of the joint or loop, in body axes [N s, N m s], shape (6,) each.
        """
        if self.system is None:
            return {}
        wrenches: dict[str, Array] = {}
        for body, point, impulse in pushes:
            if body == WORLD:
                continue
            pose = self.system.pose(body, self.q, base=self.base, parameters=self.parameters)
            force, place = pose[:3, :3].T @ impulse, self.place(body, point)
            push = np.concatenate([force, np.cross(place, force)])
            wrenches[body] = wrenches.get(body, np.zeros(6)) + push
        rest = np.zeros(self.v.size)
        own = self.parameters
        loaded = self.system.reactions(self.q, rest, wrenches=wrenches, parameters=own)
        plain = self.system.reactions(self.q, rest, parameters=own)
        return {name: loaded[name] - plain[name] for name in plain}

    def lines(self) -> Array:
        """Return its stick figure in inertial space, from and to, shape (lines, 2, 3) [m]."""
        from poinsot.plots.inertia_boxes import FACES
        from poinsot.plots.skeleton import skeleton

        if self.system is None:
            return np.zeros((0, 2, 3))
        own = self.parameters
        numeric = self.system if own is None else with_numbers(self.system, WHERE, _floats(own))
        figure = skeleton(numeric, self.q[None])
        edges = figure.boxes[0][:, np.stack([FACES, np.roll(FACES, 1, axis=1)], axis=-1)]
        lines = np.concatenate([figure.rods[0], figure.ties[0], edges.reshape(-1, 2, 3)])
        return np.asarray(lines @ self.base.R.T + self.base.p)

    def check_body(self, body: str) -> None:
        """Raise :class:`ModelError` unless it has this body."""
        if body != WORLD:
            self._with(body)

    def _with(self, body: str) -> System:
        """Return the system, which has this body."""
        names = () if self.system is None else self.system.body_names
        if self.system is None or body not in names:
            owner = "a base alone" if self.system is None else f"system {self.system.name!r}"
            raise ModelError(f"{owner} has no body {body!r}; {suggestion(body, [*names, WORLD])}")
        return self.system


def _checked_numbers(system: System | None, parameters: Values) -> Array:
    """Return values of the free parameters, shape (p,) or (k, p), or (0,) if none is given."""
    if not parameters and (parameters is None or isinstance(parameters, Mapping)):
        return np.zeros(0)
    if system is None:
        raise ModelError(f"{WHERE}: a base alone has no parameters, got {parameters!r:.200}")
    values = parameter_values(system, WHERE, parameters)
    if values.ndim > 2:
        raise ShapeError(
            f"{WHERE}: each parameter must be a number, or k of them for k states, got shape "
            f"{values.shape[:-1]}"
        )
    return np.asarray(values[..., : len(system.free)], np.float64)


def _floats(values: Mapping[str, Array]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items()}
