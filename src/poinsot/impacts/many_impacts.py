"""Impacts at many states by every law: machine code that runs use too, state after state."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import final

import numpy as np

from poinsot.simulation.running.contact_memory import ContactMemory, ContactNumbers
from poinsot.simulation.stepping.contact_loop import GIVEN, MADE, compiled
from poinsot.simulation.stepping.control import Control
from poinsot.spatial import Array

__all__ = ["ManyJumps", "many_jumps"]


@final
@dataclass(frozen=True, eq=False)
class ManyJumps:
    """What impacts at k states did, in s points.

    Attributes:
        impulses: Along normals and tangents, shape (k, s, 3).
        changes: Of the velocities, shape (k, n).
        pivots: Least pivots of the impulse matrices by their diagonals, shape (k,): where they are
            small, impulses are not unique.
        solved: Whether machine code found them, shape (k,).
    """

    impulses: Array
    changes: Array
    pivots: Array
    solved: Array


def many_jumps(
    contacts: ContactNumbers, rows: Array, rates: Array, masses: Array, velocities: Array
) -> ManyJumps:
    """Return the impacts at k states; n velocities.

    Args:
        contacts: The points that touch, and their laws.
        rows: Of loops and constraints, then of the points, shape (k, r, n).
        rates: Their values before the impact, shape (k, r).
        masses: Mass matrices, shape (k, n, n); their memory is used.
        velocities: Before it, shape (k, n).
    """
    count, n = velocities.shape
    s = len(contacts.rows)
    memory = ContactMemory(contacts)
    memory.touch[:s] = np.arange(s)
    at_once = s > 1 and contacts.orders[0] == "simultaneous"
    control, values = Control(), np.zeros(4, np.uintp)
    fields = memory.fields | {"contact_values": values.ctypes.data, "nv": n, "nq": 0}
    fields["compresses"] = int(at_once and contacts.laws[0] == "poisson")
    for name, value in fields.items():
        setattr(control, name, value)
    made = {
        "impulses": np.zeros((count, s, 3)), "changes": np.zeros((count, n)),
        "pivots": np.zeros(count), "solved": np.zeros(count, np.int64),
    }  # fmt: skip
    given = {"rows": rows, "rates": rates, "masses": masses, "velocities": velocities}
    pointers = [given[key].ctypes.data for key in GIVEN] + [made[key].ctypes.data for key in MADE]
    code = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * len(pointers)
    )(compiled().address("impacts"))
    code(ctypes.addressof(control), count, rates.shape[1], *pointers)
    return ManyJumps(made["impulses"], made["changes"], made["pivots"], made["solved"].astype(bool))
