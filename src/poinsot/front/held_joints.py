"""Joints that stay as they are while a system is assembled, those that close loops among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from poinsot.front.constraints import Constraints
from poinsot.front.description import Values
from poinsot.model import Mechanism, PrescribedMotion
from poinsot.spatial import Array


def with_held(
    system: Constraints, names: Sequence[str], t: float, parameters: Values, state: Sequence[Array]
) -> tuple[Mechanism, Array]:
    """Return the mechanism in which coordinates of cut joints move on as they do in a state.

        q(t') = q + v (t' - t) + a (t' - t)² / 2

    with q, v, a and t as parameters, so that its code serves all states.

    Args:
        system: The system.
        names: Of the coordinates.
        t: Time [s].
        parameters: Values of the system's free parameters.
        state: q, and v and a if they matter, shapes (..., nq) and (..., nv).

    Returns:
        The mechanism, and the values of its further parameters, shape (..., number of them).
    """
    description, columns = system.description, []
    laws, further = [], []
    for k, name in enumerate(names):
        joint, entry = description.joint_and_entry(name)
        symbols = [f"held_{k}_{letter}" for letter in "qvat"]
        x, v, a, start = symbols
        law = f"{x} + {v}*(t - {start}) + {a}*(t - {start})**2/2"
        laws.append(PrescribedMotion(f"held {name}", name, law))
        further += symbols
        how: dict[str, Any] = {"t": t, "parameters": parameters}
        asked = (system.loop_position, system.loop_velocity, system.loop_acceleration)
        values = [
            f(joint, *state[: j + 1], **how)[..., entry or 0]
            for j, f in enumerate(asked[: len(state)])
        ]
        values += [np.zeros(())] * (3 - len(values)) + [np.array(t)]
        columns += values
    given: dict[str, Any] = {x.name: getattr(description, x.name) for x in fields(description)}
    given["parameters"] = dict(description.parameters) | dict.fromkeys(further)
    held = Mechanism(**given | {"constraints": (*description.constraints, *laws)})
    return held.bound, np.stack(np.broadcast_arrays(*columns), axis=-1)
