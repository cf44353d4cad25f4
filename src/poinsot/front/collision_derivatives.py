"""Derivatives of impacts of two systems: ``Collision.derivatives``.

While the same points push, velocities and impulses solve

    r₁ = M Δv - Aᵀ P - Jᵀ R = 0,      r₂ = A Δv + c u = 0,      r₃ = J Δv = 0,

with u the rates before and c = 1 + e where a point closes, else 1 [Zhang1996, (3.13), (3.27)].  The
residual is differentiated at fixed Δv, P and R, and

    [[M, -Aᵀ, -Jᵀ], [A, 0, 0], [J, 0, 0]] d(Δv, P, R) = -dr.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.expression import compiled_program
from poinsot.expr import fresh_symbols, traced
from poinsot.expr.derivative import jacobian
from poinsot.expr.rank_tolerances import RANK
from poinsot.expr.staged_program import needed_stages, program_of, recorded_stages
from poinsot.formulations.position_rate import tangent_basis
from poinsot.front.moving_system import MovingSystem, Push
from poinsot.front.opening_rows import opening_rows
from poinsot.front.system import System
from poinsot.impacts.block_diagonal import block_diagonal
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.spatial import Array

__all__ = ["CollisionDerivatives", "collision_derivatives"]

Party = tuple[MovingSystem, Sequence[Push]]

NEAR: Final = 1e-9
"""Part of the largest impulse, or rate, below which it is not certain that a point pushes."""


@final
@dataclass(frozen=True, eq=False)
class CollisionDerivatives:
    """How velocities after an impact, and impulses, depend on what was before; n = n₁ + n₂.

    Configurations change along ``integrate(q, δ)``, as in all derivatives.

    Attributes:
        v_q: Of the velocities after it by both configurations, shape (n, n).
        v_v: By the velocities before it, shape (n, n).
        v_restitution: By the restitutions of the points, shape (n, s).
        impulses_q: Of the impulses at the points, shape (s, n).
        impulses_v: Likewise by the velocities before it, shape (s, n).
        impulses_restitution: By the restitutions, shape (s, s).
    """

    v_q: Array
    v_v: Array
    v_restitution: Array
    impulses_q: Array
    impulses_v: Array
    impulses_restitution: Array


class Hit(Protocol):
    """What an impact did (``collide.py``)."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the points."""

    @property
    def law(self) -> str:
        """The law of restitution."""

    @property
    def order(self) -> str:
        """At once, or one after the other."""

    @property
    def A(self) -> Array:
        """Rates of opening by all velocities, shape (s, n)."""

    @property
    def rates_before(self) -> Array:
        """How fast points open before it, shape (s,)."""

    @property
    def rates(self) -> Array:
        """How fast they open after it, shape (s,)."""

    @property
    def impulses(self) -> Array:
        """At the points, shape (s,)."""

    @property
    def friction_impulses(self) -> Array:
        """Across the normals, shape (s, 3)."""

    @property
    def restitutions(self) -> Array:
        """Of the points, shape (s,)."""

    @property
    def normals(self) -> Array:
        """Shape (s, 3)."""

    @property
    def changes(self) -> tuple[Array, Array]:
        """Of the velocities of the two systems."""

    @property
    def constraint_impulses(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Of the rows of both systems."""

    @property
    def sticks(self) -> bool | None:
        """None: no point has friction."""

    @property
    def unique(self) -> bool:
        """Whether impulses are."""

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Names of points whose impulses are not."""

    @property
    def pushes(self) -> tuple[Party, Party]:
        """Both systems, with bodies, points and impulses on them."""


def collision_derivatives(hit: Hit) -> CollisionDerivatives:
    """Return the derivatives of an impact."""
    _check(hit)
    (first, pushes), (second, others) = hit.pushes
    s, is_alone = len(hit.names), not others
    change, P = np.concatenate(hit.changes), hit.impulses
    parties = [(first, hit.changes[0], (pushes[:s], pushes[s:]) if is_alone else (pushes, ()))]
    if not is_alone:
        parties.append((second, hit.changes[1], (others, ())))
    M, J = (
        block_diagonal([party.mass_matrix() for party, *_ in parties]),
        block_diagonal([party.constraint_rows() for party, *_ in parties]),
    )
    acts = np.flatnonzero(P != 0.0) if hit.law == "unilateral" else np.arange(s)
    A, u, e = hit.A[acts], hit.rates_before[acts], hit.restitutions[acts]
    closes = u < 0.0
    c = np.where(closes, 1.0 + e, 1.0)
    n, m = change.size, len(J)
    momenta, openings, held = np.zeros((n, n)), np.zeros((len(acts), n)), np.zeros((m, n))
    column, row = 0, 0
    for number, (party, own_change, sides) in enumerate(parties):
        if party.system is None:
            continue
        names = party.system.row_names
        R = np.array([hit.constraint_impulses[number][name] for name in names])
        moved = _changes(party, own_change, sides, hit.normals, (P, R, number, is_alone))
        own, rows = slice(column, column + party.v.size), slice(row, row + len(names))
        momenta[own, own], held[rows, own] = moved["momenta"], moved["held"]
        openings[:, own] = moved["changes"][acts] + c[:, None] * moved["rates"][acts]
        column, row = own.stop, rows.stop
    k = len(acts)
    K = np.block(
        [
            [M, -A.T, -J.T],
            [A, np.zeros((k, k + m))],
            [J, np.zeros((m, k + m))],
        ]
    )
    by_q = np.vstack([momenta, openings, held])
    by_v = np.vstack([np.zeros((n, n)), c[:, None] * A, np.zeros((m, n))])
    by_e = np.zeros((n + k + m, s))
    by_e[n + np.arange(k), acts] = np.where(closes, u, 0.0)
    solution = np.linalg.lstsq(K, -np.hstack([by_q, by_v, by_e]), rcond=RANK)[0]
    velocities, impulses = solution[:n], np.zeros((s, 2 * n + s))
    impulses[acts] = solution[n : n + k]
    v_q, v_v, v_e = np.split(velocities, [n, 2 * n], axis=1)
    return CollisionDerivatives(v_q, np.eye(n) + v_v, v_e, *np.split(impulses, [n, 2 * n], axis=1))


def _check(hit: Hit) -> None:
    """Reject what has no derivatives."""
    if hit.law not in ("newton", "unilateral") or hit.order != "simultaneous":
        raise ModelError(
            f"derivatives of a collision: those of law={hit.law!r}, order={hit.order!r} are not "
            "known; take law='newton' or 'unilateral' with order='simultaneous'"
        )
    if hit.friction_impulses.any() or hit.sticks is not None:
        raise ModelError("derivatives of a collision: those of friction are not known; set it to 0")
    if not hit.unique:
        listed = ", ".join(map(repr, hit.undetermined))
        raise ModelError(
            f"derivatives of a collision: impulses of {listed} are not unique, and a change of "
            "the state may contradict them; leave points out until the rank is that of the points"
        )
    if hit.law == "unilateral":
        bounds = np.maximum(0.0, -hit.restitutions * hit.rates_before)
        sizes = np.abs(hit.impulses).max(), np.abs(hit.rates_before).max()
        edge = (np.abs(hit.impulses) <= NEAR * sizes[0]) & (
            np.abs(hit.rates - bounds) <= NEAR * sizes[1]
        )
        if edge.any():
            name = hit.names[int(np.argmax(edge))]
            raise ModelError(
                f"derivatives of a collision: point {name!r} neither pushes nor is let go; there "
                "are one-sided derivatives only: leave it out, or keep it with law='newton'"
            )


def _changes(
    party: MovingSystem, change: Array, sides: tuple[Sequence[Push], Sequence[Push]],
    normals: Array, given: tuple[Array, Array, int, bool],
) -> dict[str, Array]:  # fmt: skip
    """Return how M Δv - Aᵀ P - Jᵀ R, A Δv, A v and J Δv of one system change with its q.

    Args:
        party: The system at its state.
        change: Δv, shape (nv,).
        sides: Bodies and points on the first side of the contacts, and on the second if both are
            of this system.
        normals: Shape (s, 3).
        given: P, R, which system it is, and whether it is alone.
    """
    P, R, number, is_alone = given
    assert party.system is not None
    base = party.base
    bodies = tuple(tuple(body for body, *_ in side) for side in sides if side)
    signs = (-1.0, 1.0) if is_alone else ((-1.0, 1.0)[number],)
    places = np.array([point for _, point, _ in sides[0]])
    own = (places - base.p) @ base.R
    kernel = _kernel(party.system, bodies, signs)
    inputs = [party.q, party.v, change, own.ravel(), (normals @ base.R).ravel(), P]
    inputs += [R] if R.size else []
    nv, sizes = party.v.size, {"momenta": party.v.size, "changes": P.size, "rates": P.size}
    sizes |= {"held": R.size} if R.size else {}
    outputs = {name: np.empty((1, size * nv)) for name, size in sizes.items()}
    kernel.run([np.ascontiguousarray(x, np.float64)[None] for x in inputs], [*outputs.values()])
    results = {name: outputs[name].reshape(size, nv) for name, size in sizes.items()}
    return {"held": np.zeros((0, nv))} | results


@lru_cache(maxsize=16)
def _kernel(
    system: System, bodies: tuple[tuple[str, ...], ...], signs: tuple[float, ...]
) -> AbstractMachineKernel:
    """Return the kernel of these changes."""
    s, nv, m = len(bodies[0]), system.nv, len(system.row_names)
    sizes = {"q": system.nq, "v": nv, "change": nv, "places": 3 * s, "normals": 3 * s, "P": s}
    inputs = {
        key: fresh_symbols(key, size) for key, size in (sizes | ({"R": m} if m else {})).items()
    }
    symbols = {key: traced(array) for key, array in inputs.items()}
    q, change = symbols["q"], symbols["change"]
    places, normals = (symbols[key].reshape(s, 3) for key in ("places", "normals"))
    with recorded_stages() as stages:
        seen = [opening_rows(system, q, side, places, normals) for side in bodies]
        A = np.asarray(signs[0] * seen[0] + (seen[1] if len(seen) > 1 else 0.0))
        momenta = system.mass_matrix(q) @ change - A.T @ symbols["P"]
        values = {"changes": A @ change, "rates": A @ symbols["v"]}
        if m:
            J = system.constraint_jacobian(q)
            momenta = momenta - J.T @ symbols["R"]
            values["held"] = J @ change
        values = {"momenta": momenta} | values
        N = tangent_basis(system.mechanism, q)
    if any(needed_stages(np.asarray(value), stages) for value in values.values()):
        raise ModelError(
            f"derivatives of a collision: {system.name!r} is too large, its quantities are "
            "computed by loops"
        )
    outputs = {}
    for name, value in values.items():
        by_q = jacobian(np.asarray(value), inputs["q"])
        outputs[name] = np.ravel(by_q if N is None else by_q @ N)
    return compiled_program(program_of(inputs, outputs, stages))
