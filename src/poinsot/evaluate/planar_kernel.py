"""One quantity of a planar linkage as machine code, from coordinates to results.

Machine code does not look whether a group can be assembled or is near a dead point.  Its guards
tell afterwards (``guarded_modules.py``): NaN where a group cannot be assembled, the margin of its
matrix, which is negative near a dead point, where velocities and forces are asked for.

Results of several joints or links stand in columns: of each entry the values at all states side by
side, which is how machine code computes them, and how turns are drawn and searched.  Those of the
drivers are rows.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poinsot.evaluate.kernel import SOURCES
from poinsot.evaluate.recipe_key import recipe_key
from poinsot.expr import Program, Scalar, build, optimise, symbol_array
from poinsot.expr.garbage_collection import garbage_collection_paused
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.nearby_positions import (
    NearbyPositions,
    followed_links,
    linkage_size,
    nearby_positions,
)
from poinsot.formulations.composable.quantities import (
    BY_NAME,
    SAMPLES,
    PlanarState,
    computed,
    inputs_of,
    result_shapes,
)
from poinsot.kernels.columns import block_of, columns_between, empty_block
from poinsot.kernels.kernel import Recipe
from poinsot.kernels.llvm.guarded_modules import DOUBTFUL, guarded_codes
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.shared_batch import run_batch
from poinsot.model.planar.dimensions import dimension_size, with_dimensions
from poinsot.model.planar.given_numbers import long_samples, with_samples
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

STATES_AT_ONCE: Final = 8192
"""States whose broadcast inputs are written out together, so that they stay in the cache."""
PLACES: Final = ("positions", "joint_places")
"""Quantities that are right at dead points too."""


class PlanarKernel:
    """One quantity as machine code.

    Args:
        linkage: The linkage.
        modes: Its assembly.
        quantity: A name of ``QUANTITIES``.
        loaded: Links with loads.
        varied: Names of dimensions that are inputs.
        posed: Whether poses of links are the first input in place of coordinates.
        followed: Whether poses nearby of ``followed_links`` are the second input.
    """

    def __init__(
        self,
        linkage: PlanarLinkage,
        modes: Mapping[str, int],
        quantity: str,
        loaded: tuple[str, ...],
        varied: tuple[str, ...],
        *,
        posed: bool = False,
        followed: bool = False,
    ) -> None:
        self._linkage, self._modes, self.quantity = linkage, modes, quantity
        self._loaded, self.varied, self.posed = loaded, varied, posed
        self._followed = followed_links(linkage) if followed else ()
        self.shapes = result_shapes(linkage, quantity)
        self.in_columns = quantity in BY_NAME
        options = quantity, loaded, varied, posed, followed
        key = recipe_key(SOURCES, "guarded", linkage, dict(modes), *options)
        codes = guarded_codes(columns=self.in_columns)
        self.code = LlvmKernel(Recipe(self._program, key), codes=codes)
        # States computed so far; floats would raise where these two are to tell what is wrong.
        self.seen = 0
        self.is_tested = not varied and quantity != "transmission"

    def run(
        self, inputs: Sequence[Array], lead: tuple[int, ...]
    ) -> tuple[dict[str, Array], NDArray[np.bool_] | None]:
        """Return results by name, and which states are doubtful, None where none is.

        Args:
            inputs: Arrays (..., size) that broadcast.
            lead: Their common leading shape.
        """
        count = math.prod(lead)
        size = sum(map(math.prod, self.shapes.values()))
        if self.in_columns:
            memory = empty_block(size, count)
            block, step = block_of(memory, size, count), columns_between(count)
        else:
            block, step = np.empty((count, size)), 1
        doubtful = np.zeros(count, bool)
        status = 0
        for start, rows in _blocks(inputs, lead):
            first = block.ctypes.data + 8 * start * (1 if self.in_columns else size)
            places = first, step, doubtful.ctypes.data + start
            status |= self._run([np.ascontiguousarray(x) for x in rows], places)
        named, start = {}, 0
        for name, shape in self.shapes.items():
            stop = start + math.prod(shape)
            if self.in_columns:
                entries = block[start:stop, :count].reshape(*shape, *lead)
                named[name] = np.moveaxis(entries, range(len(shape)), range(-len(shape), 0))
            else:
                named[name] = block.reshape(*lead, *shape)
            start = stop
        return named, doubtful.reshape(lead) if status == DOUBTFUL else None

    def _run(self, inputs: Sequence[Array], places: tuple[int, int, int]) -> int:
        """Run states of contiguous inputs; ``places`` are those of results and flags, the step."""
        count = len(inputs[0])
        if not count:
            return 0
        results, step, flags = places
        between = ctypes.c_int64(step)
        sources = (ctypes.c_void_p * len(inputs))(*(x.ctypes.data for x in inputs))
        goals = (ctypes.c_void_p * 3)(results, ctypes.addressof(between), flags)
        pointers = ctypes.addressof(sources), ctypes.addressof(goals)
        return run_batch(self.code.batch_address, count, *pointers, self.code.signature.work)

    @cached_property
    def traced(self) -> Program:
        """The program, for other numbers than floats: results and guards."""
        return self._program()

    @property
    def operations(self) -> int:
        """How many operations it takes for one state."""
        return self.code.signature.n_operations

    def on_floats(self, rows: Sequence[Array]) -> dict[str, Array]:
        """Return the results by name, by NumPy; inputs as ``run`` takes them."""
        results = computed(self.quantity, self._state(rows)).results
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in rows))
        return {
            name: np.broadcast_to(results[name], (*lead, *shape)).copy()
            if name == self._linkage.frame
            else results[name]
            for name, shape in self.shapes.items()
        }

    def _state(self, rows: Sequence[Array]) -> PlanarState:
        """Return what a quantity is computed from, of floats or symbols."""
        names = [*self._sizes()]
        given = dict(zip(names, rows, strict=False))
        others = rows[len(names) :]
        loads = dict(zip(self._loaded, others, strict=False))
        values = {
            name: x if dimension_size(self._linkage, name) else x[..., 0]
            for name, x in zip(self.varied, others[len(loads) :], strict=True)
        }
        poses = None
        if self.posed:
            flat = given.pop("q")
            links = enumerate(self._linkage.links)
            poses = {name: flat[..., 3 * i : 3 * i + 3] for i, name in links}
            poses[self._linkage.frame] = np.zeros((*flat.shape[:-1], 3))
            poses |= clock_motion(self._linkage, given.get("t")).poses
        linkage = with_dimensions(self._linkage, values)
        if SAMPLES in given:
            linkage = with_samples(linkage, given.pop(SAMPLES))
        return PlanarState(linkage, self._modes, given, loads, poses)

    def _sizes(self) -> dict[str, int]:
        """Return the sizes of the first inputs by name."""
        nq = len(self._linkage.drivers)
        sizes = {"q": 3 * len(self._linkage.links) if self.posed else nq}
        if self._followed:
            sizes["near"] = 3 * len(self._followed)
        sizes |= dict.fromkeys(inputs_of(self._linkage, self.quantity), nq)
        if SAMPLES in sizes:
            sizes[SAMPLES] = len(long_samples(self._linkage))
        return sizes | ({"t": 1} if self._linkage.is_timed else {})

    def _nearby(self, state: PlanarState) -> NearbyPositions:
        """Return the positions of a state by those nearby, its further input."""
        near = np.split(state.given["near"], len(self._followed))
        named = dict(zip(self._followed, near, strict=True))
        size = linkage_size(self._linkage)
        clock = clock_motion(self._linkage, state.given.get("t"))
        q = state.given["q"]
        return nearby_positions(state.linkage, q, self._modes, named, size, clock.poses)

    def _program(self) -> Program:
        """Return the program, traced: results and guards."""
        sizes = self._sizes()
        sizes |= {f"load on {name}": 3 for name in self._loaded}
        sizes |= {name: dimension_size(self._linkage, name) or 1 for name in self.varied}
        with garbage_collection_paused():
            symbols = {name: symbol_array(name, (size,)) for name, size in sizes.items()}
            state, guards = self._state(list(symbols.values())), list[Scalar]()
            if self._followed:
                nearby = self._nearby(state)
                state, guards = state._replace(poses=nearby.poses), [nearby.margin]
            results, units = computed(self.quantity, state)
            flat = np.concatenate([np.ravel(results[name]) for name in self.shapes])
            for unit in units:
                if len(unit.unit.bodies) == 1 and unit.unit.drivers:
                    continue  # cranks are never singular
                if self.quantity in PLACES and (self._followed or unit.unit.form.count("P") < 2):
                    # They are right at dead points too; NaN where a group cannot be assembled.
                    name = str(unit.unit.bodies[0])
                    if self.quantity == "joint_places":
                        both = (*unit.unit.inner, *unit.unit.outer)
                        names = [pair.name for pair in both if pair.kind != "H"]
                        if not names:
                            continue  # a link on curves alone, placed by numbers
                        name = names[0]
                    total = results[name].sum()
                    guards.append(total * total)
                else:
                    guards.append(unit.margin)
            shape = flat.shape if self.in_columns else self.shapes[self.quantity]
            outputs = {"results": flat.reshape(shape), "guards": np.array(guards or [1.0], object)}
            return optimise(build(symbols, outputs))


def _blocks(inputs: Sequence[Array], lead: tuple[int, ...]) -> Iterator[tuple[int, list[Array]]]:
    """Yield inputs as rows of a state each, and the first state; broadcast ones in blocks."""
    count = math.prod(lead)
    if all(x.shape[:-1] == lead for x in inputs):
        yield 0, [x.reshape(count, x.shape[-1]) for x in inputs]
        return
    wide = [np.broadcast_to(x, (*lead, x.shape[-1])) for x in inputs]
    each = count // max(lead[0], 1)
    rows = max(1, STATES_AT_ONCE // max(each, 1))
    for start in range(0, lead[0], rows):
        yield start * each, [x[start : start + rows].reshape(-1, x.shape[-1]) for x in wide]
