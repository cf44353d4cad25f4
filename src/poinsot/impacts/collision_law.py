"""How two systems leave each other: Newton, unilateral, Poisson, Stronge; at once or in turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.impacts.friction_law import friction_impulse
from poinsot.impacts.impact_law import Contacts, HeldError, Jump, jump, printed_jump, pushed
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.impacts.impact_process import PROCESSES, impact_process
from poinsot.impacts.sequential_impact import sequential_jump
from poinsot.spatial import Array

__all__ = ["LAWS", "ORDERS", "ROUNDING", "CollisionLaw"]

LAWS: Final = ("newton", "unilateral", *PROCESSES)
ORDERS: Final = ("simultaneous", "sequential")
ROUNDING: Final = 1e-9
"""Rate of opening that counts as none, relative to the velocities it is made of."""


@final
@dataclass(frozen=True, eq=False)
class CollisionLaw:
    """Two systems that touch, and the law by which they leave each other.

    Attributes:
        law: One of ``LAWS``.
        order: One of ``ORDERS``.
        points: Where they touch, s of them.
        M: Mass matrix of both, shape (n, n).
        J: Rows of loops and constraints of both, shape (m, n).
        v: Velocities of both before it, shape (n,).
        D: Velocities of second points relative to first ones by v, shape (s, 3, n).
        w: These velocities before it, in inertial axes [m/s], shape (s, 3).
    """

    law: str
    order: str
    points: tuple[ImpactPoint, ...]
    M: Array
    J: Array
    v: Array
    D: Array
    w: Array

    @cached_property
    def normals(self) -> Array:
        """Unit normals, shape (s, 3)."""
        return np.array([point.normal for point in self.points])

    @cached_property
    def A(self) -> Array:
        """Rates of opening by the velocities, shape (s, n)."""
        return np.asarray(np.einsum("si,sin->sn", self.normals, self.D))

    @cached_property
    def u(self) -> Array:
        """Rates of opening before it, shape (s,)."""
        return np.asarray(np.einsum("si,si->s", self.normals, self.w))

    @cached_property
    def e(self) -> Array:
        """Restitution, shape (s,)."""
        return np.array([point.restitution for point in self.points])

    @property
    def names(self) -> tuple[str, ...]:
        """Of the points."""
        return tuple(point.name for point in self.points)

    def jump(self) -> tuple[Jump, Array, bool | None]:
        """Return the jump, impulses across the normals (s, 3), and if a single point sticks."""
        rough = any(point.friction for point in self.points)
        closes = bool((self.u < 0.0).any())
        if len(self.points) > 1 and self.order == "simultaneous":
            if rough and closes:
                raise ModelError(
                    "collide: friction is there for one point, or for several one after the "
                    f"other, not for {len(self.points)} at once; set order='sequential' or "
                    "friction=0"
                )
            if self.law == "stronge":
                raise ModelError(
                    "collide: Stronge's restitution is not defined for several points at once: the "
                    "work of one depends on the others; set order='sequential', or law='poisson'"
                )
        smooth = np.zeros((len(self.points), 3))
        try:
            if closes and (rough or self.order == "sequential" or self.law == "stronge"):
                return self._one_by_one()
            if self.law == "poisson":
                return self._poisson(), smooth, None
            return self._by_velocities(), smooth, None
        except HeldError as error:
            listed = ", ".join(repr(self.names[k]) for k in error.contacts) or "the systems"
            remedies = {"newton": "; law='unilateral' may let some of them open faster"}
            friction = "; lower its friction" if rough else ""
            remedy = friction or remedies.get(self.law, "")
            raise ModelError(f"collide: {listed}: {error}{remedy}") from None

    def _by_velocities(self) -> Jump:
        """Return the jump by Newton's restitution, of all points at once."""
        contacts = Contacts(self.A, self.u, self.e)
        if self.law == "unilateral":
            return jump(self.M, self.v, self.J, np.zeros(len(self.J)), contacts)
        least = ROUNDING * (np.abs(self.A) @ np.abs(self.v) + np.abs(self.u))
        opening = np.flatnonzero(self.u > least)
        if opening.size:
            listed = ", ".join(repr(self.names[k]) for k in opening)
            raise ModelError(
                f"collide: {listed} open before the impact, and Newton's law would turn that "
                "round: leave them out, or set law='unilateral'"
            )
        return printed_jump(self.M, self.v, self.J, contacts)

    def _poisson(self) -> Jump:
        """Return the jump of all points at once: compression, then e times its impulses.

        Compression ends where no gap closes any more, 0 <= P_c ⟂ w_c >= 0.  Restitution adds e P_c;
        where a gap would close by that, as much more as keeps it from closing.
        """
        none, still = np.zeros(len(self.J)), np.zeros(len(self.u))
        pressed = jump(self.M, self.v, self.J, none, Contacts(self.A, self.u, still))
        given = pushed(self.M, self.J, self.A, self.e * pressed.impulses)
        change = pressed.change + given.change
        rates = self.u + self.A @ change
        rest = jump(self.M, self.v + change, self.J, none, Contacts(self.A, rates, still))
        return Jump(
            change + rest.change,
            (1.0 + self.e) * pressed.impulses + rest.impulses,
            pressed.held + given.held + rest.held,
            pressed.unique and rest.unique,
        )

    def _one_by_one(self) -> tuple[Jump, Array, bool | None]:
        """Return the same of points one after the other, or of a single one."""
        frames = np.array([_frame(normal) for normal in self.normals])
        D, w = np.einsum("sij,sjn->sin", frames, self.D), np.einsum("sij,sj->si", frames, self.w)
        sticks: list[bool] = []

        def law(k: int, K: Array, u: Array) -> Array:
            point = self.points[k]
            if self.law in PROCESSES:
                P, held = impact_process(K, u, point.restitution, point.friction, self.law)
            elif point.friction:
                P, held = friction_impulse(K, u, point.restitution, point.friction)
            else:
                if not K[0, 0] > 0.0:
                    raise HeldError("the constraints do not let it move", [k])
                P, held = np.array([-(1.0 + point.restitution) * u[0] / K[0, 0], 0, 0]), False
            sticks.append(held)
            return P

        change, P = sequential_jump(self.M, self.J, D, w, law)
        forces = np.einsum("sij,si->sj", frames, P)
        whole = pushed(self.M, self.J, self.D.reshape(-1, self.D.shape[2]), forces.ravel())
        across = forces - P[:, :1] * self.normals
        rough = len(self.points) == 1 and self.points[0].friction > 0.0
        done = Jump(change, P[:, 0], whole.held, unique=True)
        return done, across, sticks[-1] if rough else None


def _frame(normal: Array) -> Array:
    """Return a normal and two tangents, by rows, shape (3, 3)."""
    return np.array([normal, *np.linalg.svd(normal[None, :])[2][1:]])
