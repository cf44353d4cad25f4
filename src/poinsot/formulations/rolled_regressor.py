"""The regressor of large systems, rolled: an item for each body and each joint that carries it."""

from __future__ import annotations

from functools import partial

import numpy as np

from poinsot.expr import Rolled, RolledBuilder
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.regressor import N_INERTIAL, add_wrenches, felt_by_joint
from poinsot.formulations.rolled_bodies import RolledBodies
from poinsot.model import Mechanism
from poinsot.spatial import Array


def rolled_regressor(mechanism: Mechanism) -> Rolled:
    """Return Y as a rolled program of q, v and a."""
    nv, n = mechanism.nv, N_INERTIAL * mechanism.n_bodies
    builder = RolledBuilder({"q": mechanism.nq, "v": nv, "a": nv}, {})
    bodies = RolledBodies(mechanism, builder, ("q", "v", "a"))
    add_wrenches(bodies)
    origin, screws, wrench = (
        np.array([bodies.values(name)[i].start for i in range(mechanism.n_bodies)])
        for name in ("origin", "screws", "wrench")
    )
    zero = builder.state(1)
    builder.item("zero", lambda: {"zero": np.zeros(1)}, {}, {"zero": zero})
    shown = np.full((nv, n), zero, np.int32)
    sizes = np.array([v_slice.stop - v_slice.start for v_slice in mechanism.v_slices], int)
    first_rows = np.array([v_slice.start for v_slice in mechanism.v_slices], int)
    for i in range(mechanism.n_bodies):
        path = np.array(mechanism.path(i))
        columns = N_INERTIAL * i + np.arange(N_INERTIAL)
        for size in sorted(set(sizes[path].tolist()) - {0}):
            joints = path[sizes[path] == size]
            width = N_INERTIAL * size
            blocks = builder.state(width * len(joints)) + width * np.arange(len(joints))
            builder.item(
                ("felt", size), partial(_felt, size),
                {
                    "at_body": (STATE, int(origin[i]), 3), "at_joint": (STATE, origin[joints], 3),
                    "screws": (STATE, screws[joints], 6 * size),
                    "wrench": (STATE, int(wrench[i]), 6 * N_INERTIAL),
                },
                {"block": blocks},
            )  # fmt: skip
            for k in range(size):
                entries = blocks + N_INERTIAL * k
                rows = (first_rows[joints] + k)[:, None]
                shown[rows, columns] = entries[:, None] + np.arange(N_INERTIAL)
    builder.show("regressor", shown)
    return builder.finish()


def _felt(
    size: int, *, at_body: Array, at_joint: Array, screws: Array, wrench: Array
) -> dict[str, Array]:
    d = at_body - at_joint
    return {"block": felt_by_joint(screws.reshape(6, size), d, wrench.reshape(6, N_INERTIAL))}
