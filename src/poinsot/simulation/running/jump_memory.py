"""The memory in which the compiled loop handles events (``stepping/event_jumps.py``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, final

import numpy as np

from poinsot.evaluate.expression import compiled_program
from poinsot.expr import Program, Rolled
from poinsot.simulation.laws.bounces import Bounces, bounces_of
from poinsot.simulation.laws.equations import RATES, MotionEquations, Use
from poinsot.simulation.laws.traced_events import Action, Events
from poinsot.simulation.running.contact_memory import ContactMemory, ContactNumbers
from poinsot.simulation.running.kernel_table import KernelTable
from poinsot.simulation.stepping.control import Control
from poinsot.simulation.stepping.event_jumps import Does
from poinsot.spatial import Array

RECORDS: Final = 256
"""Events that the loop may handle before Python collects them."""
NO_KERNEL: Final = (0, (), ())


class Record(NamedTuple):
    """An event that the loop has handled: its number, when, and the states before and after."""

    number: int
    t: float
    before: Array
    after: Array


@final
class Jumps:
    """Kernels of resets, of contacts and of rates of events, and records of what happened.

    Args:
        events: What is looked for.
        equations: What moves.
        control: The control block.
        addresses: Addresses of the vectors that kernels read.

    Attributes:
        fields: Fields of the control block.
    """

    def __init__(
        self,
        events: Events,
        equations: MotionEquations,
        control: Control,
        addresses: Mapping[str, int],
    ) -> None:
        actions, nv, n = events.actions, equations.nv, equations.n
        self._control, self._size = control, 2 + 2 * n
        most = max(RECORDS, 2 * len(actions))
        self._records = np.zeros((most, self._size))
        self._after, self._rates, self._seconds = (np.zeros(k) for k in (nv, *[len(actions)] * 2))
        bounces = next(filter(None, (bounces_of(action.reset) for action in actions)), None)
        if bounces is not None and not _fits(bounces, equations):
            bounces = None
        is_tree = not equations.mechanism.closures
        does = np.array([_does(action, bounces, is_tree) for action in actions], np.int64)
        barriers = np.array([action.barrier for action in actions], np.int64)
        resets = [
            _use(action.reset) if what == Does.JUMP else None
            for action, what in zip(actions, does.tolist(), strict=True)
        ]
        jumps = KernelTable(
            NO_KERNEL if use is None else _entry(use, addresses, self._after) for use in resets
        )
        roots, fired = np.zeros(len(actions)), np.zeros(len(actions), np.int64)
        # Kernels too: this may outlive the caches that hold their code.
        self._kept: list[object] = [does, barriers, resets, jumps, roots, fired]
        has_jumps = bool((does != Does.MORE).any()) and not control.n_clocks
        self.fields: dict[str, int] = {
            "has_jumps": int(has_jumps), "n_records": 0, "most_records": most,
            "rests": 0, "crowded": 0, "does": does.ctypes.data, "barrier": barriers.ctypes.data,
            "jumps": jumps.address, "roots": roots.ctypes.data, "fired": fired.ctypes.data,
            "after": self._after.ctypes.data, "records": self._records.ctypes.data,
        }  # fmt: skip
        if not has_jumps or not ((does == Does.JUMP) | (does == Does.BOUNCE)).any():
            return
        k = control.k
        moving = {
            **addresses, "qdot": k, "a": k + 8 * equations.nq, RATES: k + 8 * equations.ends[1],
        }  # fmt: skip
        self.fields |= {
            "event_rates": self._rates.ctypes.data, "event_seconds": self._seconds.ctypes.data,
            "rate_table": self._table(events.rate_program, moving, self._rates),
        }  # fmt: skip
        if events.second is not None:
            second = self._table(events.second, moving, self._seconds)
            self.fields["second_table"] = second
        if bounces is not None:
            self._set_contacts(bounces, addresses)

    def collected(self) -> Iterator[Record]:
        """Yield what happened since the last time, in its order."""
        control, half = self._control, (self._size - 2) // 2
        rows = self._records[: control.n_records].copy()
        control.n_records = 0
        for row in rows:
            number, t = int(row[0]), float(row[1])
            yield Record(number, t, row[2 : 2 + half], row[2 + half :])

    def _table(
        self, program: Program | Rolled, addresses: Mapping[str, int], written: Array
    ) -> int:
        use = _use(program)
        table = KernelTable([_entry(use, addresses, written)])
        self._kept += [use, table]
        return table.address

    def _set_contacts(self, bounces: Bounces, addresses: Mapping[str, int]) -> None:
        """Set the kernels of contacts, with memory for what they write."""
        values = [np.zeros(use.kernel.signature.outputs[0].size) for use in bounces.uses]
        pairs = zip(bounces.uses, values, strict=True)
        table = KernelTable(_entry(use, addresses, value) for use, value in pairs)
        pointers = np.array([value.ctypes.data for value in values], np.uintp)
        memory = ContactMemory(_numbers(bounces))
        self._kept += [bounces.uses, values, table, pointers, memory]
        self.fields |= memory.fields
        self.fields |= {
            "contact_kernels": table.address, "contact_values": pointers.ctypes.data,
        }  # fmt: skip


def _numbers(bounces: Bounces) -> ContactNumbers:
    """Return what the loop knows of contacts."""
    return ContactNumbers(
        bounces.mechanism.nv, bounces.first, bounces.rows, bounces.restitutions,
        bounces.frictions, bounces.reversals, bounces.laws, bounces.orders,
    )  # fmt: skip


def jump_key(action: Action) -> object:
    """Return what tells apart resets that the loop may compute; None for others."""
    reset = action.reset
    return reset if isinstance(reset, Program | Rolled) else bounces_of(reset)


def _does(action: Action, bounces: Bounces | None, is_tree: bool) -> Does:
    """Return what the loop does at an event; velocities of closed systems are checked in Python."""
    if action.stop or action.law >= 0 or action.resets_q or action.reset_states is not None:
        return Does.MORE
    if action.reset is None:
        return Does.RECORD
    if isinstance(action.reset, Program | Rolled):
        return Does.JUMP if is_tree else Does.MORE
    is_contact = bounces is not None and bounces_of(action.reset) == bounces
    return Does.BOUNCE if is_contact else Does.MORE


def _fits(bounces: Bounces, equations: MotionEquations) -> bool:
    """Say whether the kernels of contacts read what a run gives."""
    mechanism, moving = bounces.mechanism, equations.mechanism
    same = mechanism.parameter_inputs == moving.parameter_inputs
    return same and (mechanism.nq, mechanism.nv) == (moving.nq, moving.nv)


def _use(program: object) -> Use:
    assert isinstance(program, Program | Rolled)
    return Use(compiled_program(program), tuple(port.name for port in program.inputs), "after")


def _entry(
    use: Use, addresses: Mapping[str, int], written: Array
) -> tuple[int, list[int], list[int]]:
    return use.address, [addresses[name] for name in use.reads], [written.ctypes.data]
