"""``ps.base_parameters``: the identifiable combinations of a system's inertial parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from poinsot.analysis.base_parameters import BaseParameters, grouped
from poinsot.assemble.closed_states import closed_states
from poinsot.errors import ModelError, PoinsotError
from poinsot.expr.rank import left_null_space
from poinsot.formulations.regressor import N_INERTIAL, regressor
from poinsot.front.description import Values
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.spatial import Array

ROWS: Final = 3
"""Rows of sampled regressors for each parameter."""

FEWEST: Final = 12
"""States that are sampled at least."""

_ORDER: Final = (4, 5, 6, 7, 8, 9, 1, 2, 3, 0)
"""Inertias, first moments, mass: of a hinge along z, m, mcz and iyy are then those handed on."""


def base_parameters(system: System, *, parameters: Values = None, seed: int = 0) -> BaseParameters:
    """Return the combinations of inertial parameters that joint forces depend on.

    By the regressor at random states, at closed ones with loops: there the forces that constraints
    take up are projected away.  Parameters of outer bodies are grouped with those of inner ones, as
    in [Gautier1991] and [KhalilDombre2002].  Joint forces without armature, springs, dampers and
    force elements are Y[:, columns] times the base parameters.

    Args:
        system: The system.
        parameters: Values of free parameters by name.
        seed: Of the random states.

    >>> import poinsot as ps
    >>> base = ps.base_parameters(ps.library.double_pendulum())
    >>> base.count
    6
    >>> base.combinations[2]
    'iyy[upper] + m[lower]'
    """
    if not isinstance(system, System):
        raise ModelError(f"base_parameters: give a System, got {type(system).__name__}")
    numeric = with_numbers(system, "base_parameters", parameters)
    size = N_INERTIAL * len(numeric.bodies)
    n_states = max(FEWEST, -(-ROWS * size // max(numeric.nv, 1)))
    rng = np.random.default_rng(seed)
    if (
        numeric.mechanism.closures
        and next(closed_states(numeric.mechanism, 1, rng, None), None) is None
    ):
        raise PoinsotError(
            f"base_parameters: {system.name!r} was not closed from random configurations; "
            "does it close at all? (system.assemble)"
        )
    inward_first = [N_INERTIAL * i + k for i in numeric.mechanism.order for k in _ORDER]
    return grouped(
        np.concatenate(list(_samples(numeric, n_states, rng))),
        numeric.inertial_names,
        numeric.inertial_parameters(),
        inward_first,
    )


def _samples(system: System, n_states: int, rng: np.random.Generator) -> Iterator[Array]:
    """Yield regressors of random states; of closed systems, projected onto allowed motions."""
    mechanism, nv = system.mechanism, system.nv
    if not mechanism.closures:
        for _ in range(n_states):
            q, v, a = mechanism.random(rng), *rng.normal(size=(2, nv))
            yield np.array(regressor(mechanism, q, v, a), dtype=float)
        return
    for q, v, _ in closed_states(mechanism, n_states, rng, None):
        a = system.consistent_acceleration(q, v, rng.normal(size=nv))
        free = left_null_space(system.constraint_jacobian(q).T)
        yield free @ np.array(regressor(mechanism, q, v, a), dtype=float)
