"""Derivatives of impacts of two systems: ``Collision.derivatives``.

Their equations are differentiated in ``impacts/impact_changes.py``; here are the changes of masses
and rows of two systems, points staying where they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import final

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.expression import compiled_program
from poinsot.expr import fresh_symbols, traced
from poinsot.expr.derivative import jacobian
from poinsot.expr.staged_program import needed_stages, program_of, recorded_stages
from poinsot.formulations.position_rate import tangent_basis
from poinsot.front.moving_system import MovingSystem
from poinsot.front.opening_rows import opening_rows
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.system import System
from poinsot.front.touching_systems import TouchingSystems
from poinsot.impacts.impact_changes import Varied, impact_changes
from poinsot.impacts.impact_law import Jump
from poinsot.impacts.phase_edges import WHERE
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.spatial import Array

__all__ = ["CollisionDerivatives", "collision_derivatives"]


@final
@dataclass(frozen=True, eq=False)
class CollisionDerivatives:
    """How velocities after an impact, and impulses, depend on what was before; n = n₁ + n₂.

    Configurations change along ``integrate(q, δ)``, as in all derivatives.  The p parameters are
    ``system.free`` of the first system, then of the second one; q, v, and points and normals in
    inertial space, stay as they are when a parameter changes.

    Attributes:
        v_q: Of the velocities after it by both configurations, shape (n, n).
        v_v: By the velocities before it, shape (n, n).
        v_restitution: By the restitutions of the points, shape (n, s).
        v_friction: By their friction, shape (n, s); 0 of points without friction, which stay
            smooth.
        v_tangential_restitution: By their tangential restitutions, shape (n, s); 0 of points
            without friction, and of laws that have none.
        v_parameters: By the free parameters of both systems, shape (n, p).
        impulses_q: Of the impulses at the points, shape (s, n).
        impulses_v: Likewise by the velocities before it, shape (s, n).
        impulses_restitution: By the restitutions, shape (s, s).
        impulses_friction: By friction, shape (s, s).
        impulses_tangential_restitution: By tangential restitutions, shape (s, s).
        impulses_parameters: By the free parameters, shape (s, p).
        friction_impulses_q: Of the impulses across the normals, in inertial axes, shape (s, 3, n).
        friction_impulses_v: By the velocities before it, shape (s, 3, n).
        friction_impulses_restitution: By the restitutions, shape (s, 3, s).
        friction_impulses_friction: By friction, shape (s, 3, s).
        friction_impulses_tangential_restitution: By tangential restitutions, shape (s, 3, s).
        friction_impulses_parameters: By the free parameters, shape (s, 3, p).
    """

    v_q: Array
    v_v: Array
    v_restitution: Array
    v_friction: Array
    v_tangential_restitution: Array
    v_parameters: Array
    impulses_q: Array
    impulses_v: Array
    impulses_restitution: Array
    impulses_friction: Array
    impulses_tangential_restitution: Array
    impulses_parameters: Array
    friction_impulses_q: Array
    friction_impulses_v: Array
    friction_impulses_restitution: Array
    friction_impulses_friction: Array
    friction_impulses_tangential_restitution: Array
    friction_impulses_parameters: Array


def collision_derivatives(
    touching: TouchingSystems, laws: tuple[str, ...], order: str, P: Array
) -> CollisionDerivatives:
    """Return the derivatives of an impact.

    Args:
        touching: The systems before it.
        laws: Of the points.
        order: At once, or one after the other.
        P: Impulses along normals and tangents, shape (s, 3).

    Raises:
        ModelError: If the law has none, or one-sided ones only, or impulses are not unique.
    """
    law = touching.law(laws, order)
    s, _, n = law.D.shape
    ends = np.cumsum([n, n, s, s, s])
    k = int(ends[-1]) + sum(_numbers(party).size for party in touching.both)
    v, e, friction, reversed_slip = (
        np.eye(rows, k, start) for rows, start in zip((n, s, s, s), ends, strict=False)
    )
    varied = Varied(v, e, friction, reversed_slip, np.r_[:n, ends[-1] : k])  # q and parameters
    after, impulses = impact_changes(law, P, varied, partial(_changes, touching))
    across = np.einsum("sij,sik->sjk", touching.frames[:, 1:], impulses[:, 1:])
    parts = [np.split(x, ends, axis=-1) for x in (after, impulses[:, 0], across)]
    return CollisionDerivatives(*parts[0], *parts[1], *parts[2])


def _numbers(party: MovingSystem) -> Array:
    """Return values of all free parameters of a system, shape (p,)."""
    if party.system is None or party.numbers.size:
        return party.numbers
    return parameter_values(party.system, WHERE, None)[: len(party.system.free)]


def _changes(touching: TouchingSystems, done: Jump, v: Array) -> dict[str, Array]:
    """Return how quantities of a phase change with all q, then all parameters, at fixed v and P.

    Args:
        touching: The systems.
        done: What the phase did, with impulses of shape (3 s,).
        v: Velocities before it, shape (n,).

    Returns:
        "residual", M Δv - Dᵀ P - Jᵀ R and J Δv, shape (n + m, n + p); "changes", D Δv, and
        "rates", D v, shape (3 s, n + p).
    """
    n, m = touching.M.shape[0], len(touching.J)
    given = [_numbers(party) for party in touching.both]
    sizes = {"residual": n + m, "changes": done.impulses.size, "rates": done.impulses.size}
    k = n + sum(values.size for values in given)
    whole = {name: np.zeros((size, k)) for name, size in sizes.items()}
    points = [point for point in touching.points for _ in range(3)]
    places = np.array([point.point for point in points])
    sides = [tuple(point.first for point in points), tuple(point.second for point in points)]
    signs, column, row, parameter = (-1.0, 1.0), 0, 0, n
    for number, (party, numbers) in enumerate(zip(touching.both, given, strict=True)):
        if party.system is None:
            continue
        names, nv, R = party.system.row_names, party.v.size, party.base.R
        own, held = slice(column, column + nv), slice(row, row + len(names))
        columns = np.r_[own, parameter : parameter + numbers.size]
        which = slice(None) if touching.is_alone else slice(number, number + 1)
        kernel = _kernel(party.system, tuple(sides[which]), signs[which])
        inputs = [
            party.q, v[own], done.change[own], (places - party.base.p) @ R,
            touching.frames.reshape(-1, 3) @ R, done.impulses, done.held[held], numbers,
        ]  # fmt: skip
        arrays = [np.array(x, np.float64).reshape(1, -1) for x in inputs if x.size]
        made = {port.name: np.empty((1, port.size)) for port in kernel.signature.outputs}
        kernel.run(arrays, [*made.values()])
        results = {name: array.reshape(-1, columns.size) for name, array in made.items()}
        whole["residual"][own, columns] = results["momenta"]
        if names:
            whole["residual"][n + row : n + held.stop, columns] = results["held"]
        for name in ("changes", "rates"):
            whole[name][:, columns] = results[name]
        column, row, parameter = own.stop, held.stop, parameter + numbers.size
    return whole


@lru_cache(maxsize=16)
def _kernel(
    system: System, bodies: tuple[tuple[str, ...], ...], signs: tuple[float, ...]
) -> AbstractMachineKernel:
    """Return the kernel of these changes."""
    s, nv, m = len(bodies[0]), system.nv, len(system.row_names)
    sizes = {"q": system.nq, "v": nv, "change": nv, "places": 3 * s, "normals": 3 * s, "P": s}
    sizes |= {"R": m} if m else {}
    sizes |= {"numbers": len(system.free)} if system.free else {}
    inputs = {key: fresh_symbols(key, size) for key, size in sizes.items()}
    symbols = {key: traced(array) for key, array in inputs.items()}
    q, change = symbols["q"], symbols["change"]
    places, normals = (symbols[key].reshape(s, 3) for key in ("places", "normals"))
    own = dict(zip(system.free, symbols["numbers"], strict=True)) if system.free else None
    with recorded_stages() as stages:
        seen = [opening_rows(system, q, side, places, normals, own) for side in bodies]
        A = np.asarray(signs[0] * seen[0] + (seen[1] if len(seen) > 1 else 0.0))
        momenta = system.mass_matrix(q, parameters=own) @ change - A.T @ symbols["P"]
        values = {"changes": A @ change, "rates": A @ symbols["v"]}
        if m:
            J = system.constraint_jacobian(q, parameters=own)
            momenta = momenta - J.T @ symbols["R"]
            values["held"] = J @ change
        values = {"momenta": momenta} | values
        N = tangent_basis(system.mechanism, q)
    if any(needed_stages(np.asarray(value), stages) for value in values.values()):
        raise ModelError(
            f"{WHERE}: {system.name!r} is too large, its quantities are computed by loops"
        )
    outputs = {}
    for name, value in values.items():
        by_q = jacobian(np.asarray(value), inputs["q"])
        by = [by_q if N is None else by_q @ N]
        if system.free:
            by.append(jacobian(np.asarray(value), inputs["numbers"]))
        outputs[name] = np.ravel(np.concatenate(by, axis=1))
    return compiled_program(program_of(inputs, outputs, stages))
