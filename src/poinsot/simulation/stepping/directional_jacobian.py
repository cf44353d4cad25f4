"""The Jacobian of the equations of motion from their derivatives along directions, in lanes.

    slopes = [df/dy, df/dt],      dy/dt = f(t, y)

Each lane has a unit vector of [y, t]; so many columns at once as a register has doubles.  The
program is as long as a few evaluations of f, however many columns there are: it compiles quickly,
rolled or straight, and ranks are those at y itself, also where redundant rows become independent
off the constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import final

import numpy as np

from poinsot.expr import Port, Rolled, garbage_collection_paused
from poinsot.expr.rolled_tangent import DIRECTION, with_tangents
from poinsot.kernels.kernel import AbstractCode, Signature
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.state_loops import DECLARATIONS, MEMORY_IR
from poinsot.kernels.llvm.target import Target
from poinsot.model import LoadInputs, Mechanism
from poinsot.simulation.laws.equations import STATES, MotionEquations, Use
from poinsot.simulation.stepping.motion_program import motion_program

BY = ("q", "v", STATES, "t")
"""Inputs by which it is differentiated, in the order of the columns."""


def directional_jacobian(equations: MotionEquations) -> DirectionalJacobian:
    """Return the kernel of ``slopes``, shape (n, n + 1), and ``mass``, 1, shape (nv, nv)."""
    return _kernel(equations.mechanism, equations.uses, equations.load_inputs)


@lru_cache(maxsize=16)
def _kernel(
    mechanism: Mechanism, uses: tuple[Use, ...], load_inputs: LoadInputs
) -> DirectionalJacobian:
    no_numbers = np.zeros(0)
    equations = MotionEquations(mechanism, uses, no_numbers, no_numbers, no_numbers, load_inputs)
    with garbage_collection_paused():
        return DirectionalJacobian(with_tangents(motion_program(equations), BY), mechanism.nv)


@final
class DirectionalJacobian(AbstractCode):
    """Calls a program of derivatives for all unit vectors.

    Args:
        tangents: The program, with directions of ``BY`` among its inputs.
        n_mass: Rows of the unit matrix that it writes besides.
    """

    def __init__(self, tangents: Rolled, n_mass: int) -> None:
        self._kernel = RolledKernel(tangents)
        self._values = [port for port in tangents.inputs if not port.name.startswith(DIRECTION)]
        self._n_mass, self._n = n_mass, tangents.outputs[0].size

    @property
    def signature(self) -> Signature:
        """Its ports."""
        slopes = Port("slopes", (self._n, self._n + 1))
        mass = Port("mass", (self._n_mass, self._n_mass))
        return Signature(tuple(self._values), (slopes, mass), self._kernel.program.n_operations)

    @property
    def single_address(self) -> int:
        """Where ``void single(double **inputs, double **outputs)`` starts."""
        return self._library.address("single")

    @cached_property
    def _library(self) -> Library:
        target = Target.current()
        lanes = {"tangents": self._kernel.lanes_address}
        return load_library(
            self._ir(Layout(target.width, in_lanes=True)), ("single",), lanes, target
        )

    def _ir(self, layout: Layout) -> str:
        """Return ``@single``: values in all lanes, then the columns of so many at a time."""
        w, n, columns = IrWriter(layout, ["single"]), self._n, self._n + 1
        total = sum(port.size for port in self._values) + columns + n
        register = 8 * layout.width
        memory = w.put(f"call fastcc ptr @poinsot.memory(i64 {register * (total + 1)})")
        past = w.put(f"ptrtoint ptr {memory} to i64") + (register - 1)
        aligned = w.put(f"and i64 {past}, {-register}")
        tables = [w.value(f"%{name}", "ptr") for name in ("inputs", "outputs")]
        pointers, free = list[Value](), w.put(f"inttoptr i64 {aligned} to ptr")
        for k, port in enumerate(self._values):
            source = w.read(tables[0], k, "ptr")
            with w.count_up(0, port.size) as i:
                w.write_each(w.splat(w.read(source, i)), free, i)
            pointers.append(free)
            free = w.address(free, port.size * layout.width)
        directions = free
        with w.count_up(0, columns) as i:
            w.write_each(w.constant(0.0), directions, i)
        sizes = {port.name: port.size for port in self._values}
        for name in (port.name.removeprefix(DIRECTION) for port in self._directions):
            start = sum(sizes[other] for other in BY[: BY.index(name)])
            pointers.append(w.address(directions, start * layout.width))
        results = w.address(directions, columns * layout.width)
        arguments = [self._table(w, pointers), self._table(w, [results])]
        slopes, mass = (w.read(tables[1], k, "ptr") for k in range(2))
        with w.count_up(0, columns, layout.width) as first:
            last = (first + layout.width).at_most(columns)
            with w.count_up(first, last) as j:
                w.write(1.0, directions, j * layout.width + (j - first))
            w.line(f"call void @tangents(ptr {arguments[0]}, ptr {arguments[1]})")
            with w.count_up(first, last) as j:
                w.write(0.0, directions, j * layout.width + (j - first))
                with w.count_up(0, n) as i:
                    entry = w.read(results, i * layout.width + (j - first))
                    w.write(entry, slopes, i * columns + j)
        with w.count_up(0, self._n_mass) as i:
            w.write(1.0, mass, i * (self._n_mass + 1))
        w.line(f"call void @free(ptr {memory})")
        head = "\n".join([*sorted(DECLARATIONS), "declare void @tangents(ptr, ptr)", MEMORY_IR])
        return f"{head}\n{w.define('single', 'ptr %inputs', 'ptr %outputs')}"

    @property
    def _directions(self) -> list[Port]:
        return [port for port in self._kernel.program.inputs if port.name.startswith(DIRECTION)]

    @staticmethod
    def _table(w: IrWriter, pointers: Sequence[Value]) -> Value:
        """Write a table of pointers; return where it is."""
        table = w.put(f"alloca ptr, i64 {len(pointers)}")
        for k, pointer in enumerate(pointers):
            w.write(pointer, table, k, "ptr")
        return table
