"""How bodies leave each other: by Newton as printed, unilateral, Poisson, Stronge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.impacts.agreeing_laws import check_laws
from poinsot.impacts.friction_law import friction_impulse
from poinsot.impacts.frictional_impulses import FrictionalContacts, frictional_impulses
from poinsot.impacts.impact_law import (
    Contacts,
    HeldError,
    Jump,
    can_move,
    impulse_matrix,
    jump,
    printed_jump,
    pushed,
    stuck_error,
)
from poinsot.impacts.impact_process import PROCESSES, impact_process
from poinsot.impacts.law_names import LAWS, PRINTED
from poinsot.impacts.sequential_impact import impacts_in_turn, pushed_by
from poinsot.impacts.sticking import sticking
from poinsot.spatial import Array

__all__ = ["ROUNDING", "CollisionLaw"]

ROUNDING: Final = 1e-9
"""Rate of opening that counts as none, relative to the velocities it is made of."""


@final
@dataclass(frozen=True, eq=False)
class CollisionLaw:
    """Bodies that touch in s points, and the law by which they leave each other.

    Attributes:
        where: Opens the message of an error.
        laws: Of the points, each one of ``LAWS``; different ones only in turn.
        order: One of ``ORDERS``.
        names: Of the points.
        e: Restitution, shape (s,).
        friction: Coulomb's μ, shape (s,).
        reversed_slip: Tangential restitution, shape (s,).
        M: Mass matrix of all that moves, shape (n, n).
        J: Rows of loops and constraints, which v obeys, shape (m, n).
        v: Velocities before it, shape (n,).
        D: Velocities with which the points part, along the normal and two tangents, by v, shape
            (s, 3, n).
        w: These velocities before it [m/s], shape (s, 3).
    """

    where: str
    laws: tuple[str, ...]
    order: str
    names: tuple[str, ...]
    e: Array
    friction: Array
    reversed_slip: Array
    M: Array
    J: Array
    v: Array
    D: Array
    w: Array

    @property
    def law(self) -> str:
        """That of all points, or of the first one."""
        return self.laws[0] if self.laws else LAWS[0]

    @property
    def A(self) -> Array:
        """Rates of opening by the velocities, shape (s, n)."""
        return self.D[:, 0]

    @property
    def u(self) -> Array:
        """Rates of opening before it, shape (s,)."""
        return self.w[:, 0]

    @property
    def rounding(self) -> Array:
        """Rates of opening that count as none, shape (s,)."""
        return np.asarray(ROUNDING * (np.abs(self.A) @ np.abs(self.v) + np.abs(self.u)))

    def jump(self) -> tuple[Jump, Array, Array]:
        """Return the jump, all impulses (s, 3), and which rough points stick afterwards (s,)."""
        points = zip(self.names, self.laws, self.reversed_slip.tolist(), strict=True)
        check_laws(self.where, self.order, list(points))
        done, P = self._solved()
        after = self.w + self.D @ done.change
        return done, P, sticking(P, self.w, after, self.friction, self.reversed_slip)

    def _solved(self) -> tuple[Jump, Array]:
        """Return the jump and all impulses (s, 3)."""
        rough, closes = bool(self.friction.any()), bool((self.u < 0.0).any())
        try:
            self._check_all_can_open()
            if closes and (self.order == "sequential" or self.law == "stronge"):
                return self._one_by_one()
            if closes and rough:
                alone = len(self.names) == 1
                return self._one_by_one() if alone else self._rough_at_once()
            done = self._poisson() if self.law == "poisson" else self._by_velocities()
        except HeldError as error:
            listed = ", ".join(repr(self.names[k]) for k in error.contacts) or "the systems"
            raise ModelError(f"{self.where}: {listed}: {error}") from None
        smooth = np.zeros((len(self.names), 3))
        smooth[:, 0] = done.impulses
        return done, smooth

    def _by_velocities(self) -> Jump:
        """Return the jump by Newton's restitution, of all points at once."""
        contacts = Contacts(self.A, self.u, self.e)
        if set(self.laws) != {PRINTED}:  # of the others, points that open are left alone
            return jump(self.M, self.v, self.J, np.zeros(len(self.J)), contacts)
        self._check_none_opens()
        return printed_jump(self.M, self.v, self.J, contacts)

    def _check_all_can_open(self) -> None:
        """Reject points that close and that no impulse opens, as of two walls."""
        closing = np.flatnonzero(self.u < -self.rounding)
        if closing.size:
            stuck = closing[~can_move(self.M, self.J, self.A[closing])].tolist()
            if stuck:
                raise stuck_error(stuck)
            self._check_none_are_pressed()

    def _check_none_are_pressed(self) -> None:
        """Reject points that cannot all stop closing, as the bases press a system between them."""
        resting = self.u - self.A @ self.v
        if PRINTED in self.laws or len(resting) < 2 or not (resting < -self.rounding).any():
            return
        none, still = np.zeros(len(self.J)), np.zeros(len(self.u))
        try:
            jump(self.M, self.v, self.J, none, Contacts(self.A, self.u, still))
        except HeldError as error:
            raise HeldError(
                "whatever the impulses, one of them goes on closing, as the motion of the bases "
                "presses a system between them; let the bases move otherwise, or leave one out",
                error.contacts,
            ) from None

    def _check_none_opens(self) -> None:
        """Reject points that open where every point is to obey Newton's law."""
        opening = np.flatnonzero(self.u > self.rounding)
        if opening.size:
            listed = ", ".join(repr(self.names[k]) for k in opening)
            opens, them = ("opens", "it") if opening.size == 1 else ("open", "them")
            raise ModelError(
                f"{self.where}: {listed} {opens} before the impact, and Newton's law would turn "
                f"that round: leave {them} out, or set law='unilateral'"
            )

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

    def _rough_at_once(self) -> tuple[Jump, Array]:
        """Return the same of several points with friction, all at once.

        By velocities, friction opposes the slip after the impact.  Poisson's restitution takes two
        phases, friction opposing the slip at the end of each, and the impulses of restitution are
        at least e times those of compression (Ch. Glocker, F. Pfeiffer, Nonlinear Dyn. 7, 1995).
        """
        s = len(self.names)
        rows = self.D.reshape(3 * s, -1)
        K = rows @ pushed_by(self.M, self.J, rows)
        none = np.zeros(s)
        if self.law == "poisson":
            first = FrictionalContacts(K, self.w, none, none, self.friction)
            pressed, _ = frictional_impulses(first)
            given = self.e * pressed[:, 0]
            last = FrictionalContacts(
                K, first.velocities(pressed), none, given, self.friction, first.speed
            )
            P = frictional_impulses(last)[0] + pressed
        else:
            if self.law == PRINTED:
                self._check_none_opens()
            after = np.maximum(0.0, -self.e * self.u)
            contacts = FrictionalContacts(K, self._held_slip(self.w), after, none, self.friction)
            P, _ = frictional_impulses(contacts)
            opened = np.flatnonzero(contacts.velocities(P)[:, 0] > after + 1e-9 * abs(after).max())
            if self.law == PRINTED and opened.size:
                them = "it" if opened.size == 1 else "they"
                raise HeldError(
                    f"with friction {them} would have to pull; lower the friction, or take "
                    "law='unilateral'",
                    opened.tolist(),
                )
        done = pushed(self.M, self.J, rows, P.ravel())
        moving = rows[np.any(rows, axis=1)]
        unique = impulse_matrix(self.M, self.J, moving)[1] == len(moving)
        return Jump(done.change, P[:, 0], done.held, unique), P

    def _held_slip(self, w: Array, point: int | None = None) -> Array:
        """Return velocities with the slip that friction would have to hold, w_t + e_t w_t.

        Friction opposes the slip after the impact less its reversed part (Ch. Glocker, Set-Valued
        Force Laws, 2001, section 8): the law without it, for more slip before.
        """
        factor = self.reversed_slip if point is None else self.reversed_slip[[point]]
        return np.column_stack([w[:, 0], w[:, 1:] * (1.0 + factor)[:, None]])

    def in_turn(self) -> Iterator[tuple[int, Array, Array]]:
        """Yield the point, impulses (3,) and change of velocities of impacts one by one."""

        def law(k: int, K: Array, u: Array) -> Array:
            e, friction = float(self.e[k]), float(self.friction[k])
            if self.laws[k] in PROCESSES:
                return impact_process(K, u, e, friction, self.laws[k])[0]
            if friction:
                return friction_impulse(K, self._held_slip(u[None], k)[0], e, friction)[0]
            return np.array([-(1.0 + e) * u[0] / K[0, 0], 0, 0])

        return impacts_in_turn(self.M, self.J, self.D, self.w, law)

    def _one_by_one(self) -> tuple[Jump, Array]:
        """Return the jump and impulses of points one after the other, or of a single one."""
        change, P = np.zeros(self.v.size), np.zeros(self.w.shape)
        for k, impulse, own in self.in_turn():
            change, P[k] = change + own, P[k] + impulse
        rows = self.D.reshape(-1, self.D.shape[2])
        whole = pushed(self.M, self.J, rows, P.ravel())
        return Jump(change, P[:, 0], whole.held, unique=True), P
