"""The memory in which impacts at contacts are computed (``stepping/contact_jump.py``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from poinsot.expr.numeric_basis import PADDING
from poinsot.simulation.stepping.contact_arrays import array_sizes

LAWS: Final = ("unilateral", "poisson", "stronge", "printed")
"""Laws by their number in machine code (``stepping/contact_process.py``)."""
ORDERS: Final = ("simultaneous", "sequential")
"""Likewise, how contacts that touch at one instant act."""


@final
@dataclass(frozen=True)
class ContactNumbers:
    """What machine code knows of contacts.

    Attributes:
        nv: Velocities of the system.
        first: Number of the row of the first contact, behind those of loops and constraints.
        rows: Number of the row of each along its normal; two across it follow where it is rough.
        restitutions: Of each.
        frictions: Of each.
        reversals: Tangential restitution of each.
        laws: Of each, from ``LAWS``.
        orders: Of each, from ``ORDERS``.
    """

    nv: int
    first: int
    rows: Sequence[int]
    restitutions: Sequence[float]
    frictions: Sequence[float]
    reversals: Sequence[float]
    laws: Sequence[str]
    orders: Sequence[str]


@final
class ContactMemory:
    """Arrays of contacts, and the fields of the control block that tell where they are."""

    def __init__(self, contacts: ContactNumbers) -> None:
        n, nv, m = len(contacts.rows), contacts.nv, contacts.first
        reals = {
            "restitutions": contacts.restitutions, "frictions": contacts.frictions,
            "reversals": contacts.reversals,
        }  # fmt: skip
        wholes = {
            "contact_rows": contacts.rows,
            "contact_laws": [LAWS.index(law) for law in contacts.laws],
            "contact_orders": [ORDERS.index(order) for order in contacts.orders],
        }
        numbers = {key: np.array(given, np.float64) for key, given in reals.items()}
        numbers |= {key: np.array(given, np.int64) for key, given in wholes.items()}
        stride = ((nv + m - 1) // PADDING + 2) * PADDING  # a register more of zeros
        arrays = {
            "impact_arrays": [np.zeros(size) for size in array_sizes(n, nv)],
            "point_arrays": [np.zeros(size) for size in array_sizes(1, nv)],
            "held": [np.zeros(size + PADDING) for size in _held_sizes(m, stride)],
        }
        places = {
            key: np.array([array.ctypes.data for array in listed], np.uintp)
            for key, listed in arrays.items()
        }
        self._kept = numbers, arrays, places
        self.touch = arrays["impact_arrays"][0].view(np.int64)
        """Numbers of the contacts that touch, shape (n,)."""
        self.fields: dict[str, int] = {
            "first_gap": m, "n_contacts": n, "held_stride": stride,
            **{key: int(array.ctypes.data) for key, array in (numbers | places).items()},
        }  # fmt: skip


def _held_sizes(m: int, stride: int) -> tuple[int, ...]:
    """Return how long the arrays are in which m constraints are held (``HELD_ARRAYS``)."""
    return (m + 1) * stride, m * stride, m * stride, m, stride, 2 * m, m, m
