"""The memory in which the compiled stepper watches for events."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from typing import final

import numpy as np

from poinsot.expr.bounds import RADIUS
from poinsot.simulation.laws.equations import RATES, STATES, MotionEquations, Use
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running.jump_memory import Jumps, jump_key
from poinsot.simulation.running.kernel_table import KernelTable
from poinsot.simulation.stepping.control import Control, field_offset
from poinsot.simulation.stepping.event_detection import DEPTH, LOOKS
from poinsot.simulation.stepping.event_jumps import CROSSINGS
from poinsot.spatial import Array

_SINGLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@final
class Watched:
    """Functions of events, the sides of zero on which they are, and subintervals of a step.

    Args:
        events: What to look for.
        equations: What moves.
        control: The control block.
        addresses: Addresses of the vectors that kernels read.
        vectors: Memory for four vectors: the balls of the polynomial of a step and of its rate.

    Attributes:
        g: The functions at the state ``x``, shape (n,).
        side: On which side of zero each was last: 1, -1, or 0 where that is not known.
        new_side: Further on in the step, at ``t_clear``.
        jumps: What the loop needs to handle events itself.
        key: What tells it apart.
    """

    def __init__(
        self, events: Events, equations: MotionEquations, control: Control,
        addresses: Mapping[str, int], vectors: Array,
    ) -> None:  # fmt: skip
        n = len(events.actions)
        self.key, self._control, self._vectors = watch_key(events), control, vectors
        self._signs = signs = np.zeros((6, n))
        self.g, self.side, self.new_side, self._left, directions, resolution = signs
        directions[:], resolution[:] = events.directions, events.resolutions
        self._bound = np.full((4, n), np.nan)
        self._ends, self._end_g = np.zeros(DEPTH), np.zeros((DEPTH, n))
        self._end_known = np.zeros(DEPTH, np.int64)
        value, bounds = events.use, events.bounds
        self._table = KernelTable([_entry(value, addresses, [self.g])])
        # Kernels too: this may outlive the caches that hold their code.
        self._kept: list[object] = [value, bounds]
        bounds_address = 0
        if bounds is not None:
            balls = {**addresses, **self._balls(events)}
            written = (self._bound[:2], self._bound[2:])
            table = KernelTable(
                _entry(use, balls, rows) for use, rows in zip(bounds, written, strict=True)
            )
            self._kept.append(table)
            bounds_address = table.address
        else:
            resolution[:] = np.inf
        arrays = {
            "g": self.g, "side": self.side, "new_side": self.new_side, "g_left": self._left,
            "direction": directions, "resolution": resolution, "bound": self._bound,
            "ends": self._ends, "end_g": self._end_g, "end_known": self._end_known,
        }  # fmt: skip
        self.jumps = Jumps(events, equations, control, addresses)
        self._fields = {name: int(array.ctypes.data) for name, array in arrays.items()}
        self._fields |= {"n_events": n, "watch": self._table.address, "bounds": bounds_address}
        self._fields |= {"box": int(vectors.ctypes.data)} | self.jumps.fields

    def begin(self) -> None:
        """Set the control block for a run; no sides are known."""
        self._signs[:4] = 0.0
        self._control.t_left = np.nan
        for name, value in self._fields.items():
            setattr(self._control, name, value)

    @property
    def piece(self) -> tuple[float, float]:
        """Start and end of the subinterval in which an event was found [s]."""
        return self._control.t_clear, float(self._ends[self._control.depth - 1])

    def pass_piece(self, sides: Array) -> None:
        """Continue behind that subinterval, with functions on these sides."""
        control = self._control
        self.new_side[:] = sides
        control.crossings += 1
        control.t_clear = self.piece[1]
        control.looks = 0 if control.crossings < CROSSINGS else LOOKS
        control.depth -= 1

    def evaluate(self) -> Array:
        """Return the functions at the state ``x`` and the time ``t_stage``, a copy."""
        function, inputs, outputs = self._table.row(0)
        _SINGLE(function)(inputs, outputs)
        return self.g.copy()

    def _balls(self, events: Events) -> dict[str, int]:
        """Return the addresses of midpoints and radii for the kernels of bounds."""
        address = ctypes.addressof(self._control)
        mechanism = events.laws[0].mechanism
        rows = [int(row.ctypes.data) for row in self._vectors]
        skips = 0, 8 * mechanism.nq, 8 * (mechanism.nq + mechanism.nv)
        time = {"t": "t_mid", f"{RADIUS}t": "t_rad"}
        addresses = {name: address + field_offset(field) for name, field in time.items()}
        for first, names in ((0, ("q", "v", STATES)), (2, ("qdot", "a", RATES))):
            for opening, row in (("", rows[first]), (RADIUS, rows[first + 1])):
                for name, skip in zip(names, skips, strict=True):
                    addresses[f"{opening}{name}"] = row + skip
        return addresses


def watch_key(events: Events) -> tuple[object, ...]:
    """Return what tells apart the memory of events: other events of this key may use it too."""
    actions = (
        (
            action.name, action.direction, bool(action.stop), action.law >= 0, action.barrier,
            action.resolution, action.resets_q, action.reset_states is None, jump_key(action),
        )
        for action in events.actions
    )  # fmt: skip
    programs = events.value, events.rate, events.second, events.staged
    return *programs, events.bounds is None, *actions


def _entry(
    use: Use, addresses: Mapping[str, int], written: Iterable[Array]
) -> tuple[int, list[int], list[int]]:
    reads = [addresses[name] for name in use.reads]
    return use.address, reads, [array.ctypes.data for array in written]
