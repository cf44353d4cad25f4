"""The derivatives of steps by their start and by parameters, through compiled loops.

``sweeps.py`` has the equations.  The starts of all steps are known from the run, so that their
stages are computed side by side; only tangents, or weights, go through time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr.rolled_tangent import DIRECTION
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.kernels.llvm.target import Target
from poinsot.simulation.laws.equations import STATES, MotionEquations
from poinsot.simulation.laws.signals import RATE
from poinsot.simulation.running.memory import aligned_zeros
from poinsot.simulation.sensitivities.program_jacobian import along_states, rates
from poinsot.simulation.sensitivities.projected import Pair, newton_states, weighted_projection
from poinsot.simulation.sensitivities.rate_products import WEIGHTS, along, weighted
from poinsot.simulation.sensitivities.some_steps import AbstractSteps, along_axis, combined
from poinsot.simulation.sensitivities.stage_inputs import StageInputs, in_lanes, out_of_lanes
from poinsot.simulation.sensitivities.sweeps import sweep
from poinsot.simulation.stepping.control_writer import Row
from poinsot.simulation.stepping.integrators.explicit import Tableau
from poinsot.spatial import Array


class StepTangents(AbstractSteps):
    """Some steps of an explicit method, side by side; further arguments as of ``AbstractSteps``.

    Args:
        tableau: Of the integrator.
        dense: Whether states between the ends are asked for.
    """

    def __init__(
        self, equations: MotionEquations, tableau: Tableau, names: tuple[str, ...], *,
        t: Array, h: Array, y: Array, updates: Array | None = None, dense: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(equations, names, t=t, h=h, y=y, updates=updates)
        self._tableau = tableau
        count = len(tableau.stages) + (1 + len(tableau.more_stages) if dense else 0)
        self._values = np.zeros((count, *y.shape))
        self._stages: list[Pair] = []
        for node, row in zip(tableau.nodes, tableau.stages, strict=True):
            self._evaluate(node, y + self._combined(row, self._values))
        if dense:
            self._evaluate(1.0, self.end[0])
            for node, row in zip(tableau.more_nodes, tableau.more_stages, strict=True):
                self._evaluate(node, y + self._combined(row, self._values))

    def forward(self, start: Array, varied: Array, needed: Array) -> Pair:
        """Return the tangents before and after all steps, and those of stages of some steps."""
        (n, m), rows, steps = start.shape, len(self._stages), len(self._h)
        width = Target.current().width
        groups = -(-m // width)
        size = groups * n * width
        vectors = aligned_zeros(steps + 1, size)
        vectors[0] = in_lanes(start, width).ravel()
        moves = np.ascontiguousarray(self.end[1][:, :, :n]) if self._moves else np.zeros(0)
        if self._moves:
            shift = in_lanes(self.end[1][:, :, n:] @ varied, width)
            vectors[1:] = shift.reshape(steps, size)
        updates, shifts = np.zeros(0), np.zeros(0)
        if self._updates is not None:
            updates = np.ascontiguousarray(self._updates[:, :, :n])
            shifts = in_lanes(self._updates[:, :, n:] @ varied, width)
        kernel = along(self._equations, self._names)
        x, k = aligned_zeros(1, size), aligned_zeros(rows, size)
        kept = aligned_zeros(len(needed), rows * size)
        is_needed = np.zeros(steps, np.int64)
        is_needed[needed] = 1
        parameters = self._equations.mechanism.parameter_inputs
        blocks = np.zeros((len(parameters), m))
        blocks[[parameters.index(name) for name in self._names]] = varied
        every = aligned_zeros(groups, len(parameters) * width)
        every[:] = in_lanes(blocks, width).reshape(every.shape)
        nq, end = self._equations.ends
        ends = {"q": 0, "v": nq, STATES: end}
        given = StageInputs(self._inputs(kernel), width)
        inputs = np.zeros((groups, len(given.names)), np.uintp)
        for column, name in enumerate(given.names):
            for group in range(groups):
                address = given.addresses.get(name, 0)
                entry = name.removeprefix(DIRECTION)
                if name.startswith(DIRECTION) and entry == PARAMETERS:
                    address = every[group].ctypes.data
                elif name.startswith(DIRECTION):
                    address = x.ctypes.data + 8 * width * (group * n + ends[entry])
                inputs[group, column] = address
        output, coefficients = np.zeros(1, np.uintp), self._coefficients()
        words = given.words | {
            "n_steps": steps, "n_stages": len(self._tableau.stages), "n_rows": rows, "n": n,
            "size": size, "n_groups": groups, "n_inputs": len(given.names), "row": n,
            "kernel": kernel.lanes_address, "inputs": inputs.ctypes.data,
            "outputs": output.ctypes.data, "coefficients": coefficients.ctypes.data,
            "h": self._h.ctypes.data, "moves": _address(moves), "updates": _address(updates),
            "dense": is_needed.ctypes.data if len(needed) else 0, "kept": kept.ctypes.data,
            "shifts": _address(shifts), "k": k.ctypes.data, "x": x.ctypes.data,
            "vectors": vectors.ctypes.data,
        }  # fmt: skip
        sweep("forward", words)
        shape = (groups, n, width)
        return (
            out_of_lanes(vectors.reshape(steps + 1, *shape), m),
            out_of_lanes(kept.reshape(len(needed), rows, *shape), m),
        )

    def backward(self, weights: Array) -> Pair | None:
        """Return the gradient of a weighted sum of the last end; None without a program for it."""
        kernel = weighted(self._equations, self._names)
        if kernel is None:
            return None
        n, p, steps, width = weights.size, len(self._names), len(self._h), Target.current().width
        size, more = (-(-count // width) * width for count in (n, max(p, 1)))
        stages = len(self._tableau.stages)
        pull = self._pull()
        moves_by_matrices = self._moves and pull is None
        moves, updates = (
            np.zeros(0)
            if matrices is None
            else np.pad(matrices[:, :, :n], ((0, 0), (0, 0), (0, size - n)))
            for matrices in (self.end[1] if moves_by_matrices else None, self._updates)
        )
        given = StageInputs(self._inputs(kernel))
        pointers = given.pointers()
        k, vectors = aligned_zeros(stages, size), aligned_zeros(steps, size)
        x, by_state, state = aligned_zeros(3, size)
        by_parameters, gradient = aligned_zeros(2, more)
        state[:n] = weights
        outputs = np.array([by_state.ctypes.data, by_parameters.ctypes.data], np.uintp)
        coefficients = self._coefficients()
        words = given.words | ({} if pull is None else pull[0]) | {
            "n_steps": steps, "n_stages": stages, "n_rows": len(self._stages), "n": n,
            "size": size, "n_parameters": more, "n_inputs": len(pointers), "row": size,
            "kernel": kernel.single_address, "inputs": pointers.ctypes.data,
            "outputs": outputs.ctypes.data, "coefficients": coefficients.ctypes.data,
            "h": self._h.ctypes.data, "moves": _address(moves), "updates": _address(updates),
            "k": k.ctypes.data, "x": x.ctypes.data, "vectors": vectors.ctypes.data,
            "by_state": by_state.ctypes.data, "by_parameters": by_parameters.ctypes.data,
            "weights": state.ctypes.data, "gradient": gradient.ctypes.data,
        }  # fmt: skip
        sweep("backward", words)
        total = gradient[:p].copy()
        ends = vectors[:, :n]
        if self._updates is not None:
            total += np.einsum("ni,nip->p", ends, self._updates[:, :, n:])
            ends = np.einsum("ni,nij->nj", ends, self._updates[:, :, :n])
        if moves_by_matrices:
            total += np.einsum("ni,nip->p", ends, self.end[1][:, :, n:])
        return state[:n].copy(), total

    def _pull(self) -> tuple[dict[str, int], tuple[object, ...]] | None:
        """Return what ``sweeps.py`` needs of Newton steps at the ends, and what to keep alive."""
        equations, use = self._equations, self._equations.projection
        if use is None:
            return None
        program = use.kernel.program
        kernel = weighted_projection(equations.mechanism, program, self._names)
        if kernel is None:
            return None
        t = self._t + self._h
        x = self._y + self._combined(self._tableau.solution, self._values)
        states = newton_states(equations, t, x)
        count = equations.nq + equations.nv
        along_all = along_states(equations, np.tile(t, len(states) // len(t)), states)
        given = StageInputs(along_all.inputs(kernel, {WEIGHTS: np.zeros(count)}))
        pointers = given.pointers()
        words = {f"pull:{name}": value for name, value in given.words.items()} | {
            "n_pulls": len(states) // len(t), "n_pulled": count,
            "pull:kernel": kernel.single_address, "pull:n_inputs": len(pointers),
            "pull:inputs": pointers.ctypes.data,
        }  # fmt: skip
        return words, (given, pointers, kernel)

    @property
    def stage_values(self) -> Array:
        """The derivatives k at the stages."""
        return self._values

    @cached_property
    def end(self) -> Pair:
        """The ends of the steps, and the derivatives of what moves them there."""
        return self._ended(self._y + self._combined(self._tableau.solution, self._values))

    def increment(self, h: Array, k: Array) -> Array:
        """Return h sum of b[j] k[j]."""
        total = combined(self._tableau.solution, k)
        return np.asarray(along_axis(h, total) * total)

    def polynomial(self, h: Array, ends: Pair, k: Array) -> Sequence[Array]:
        """Return the coefficients of the dense output: a cubic, and the rows of the integrator."""
        scale, difference = along_axis(h, ends[0]), ends[1] - ends[0]
        f1 = scale * k[0] - difference
        cubic = [difference, f1, difference - scale * k[len(self._tableau.stages)] - f1]
        return [*cubic, *(scale * combined(row, k) for row in self._tableau.dense)]

    def _coefficients(self) -> Array:
        """Return the rows of the tableau as ``sweeps.py`` reads them."""
        tableau, count = self._tableau, len(self._stages)
        rows = [
            *tableau.stages,
            *([{}, *tableau.more_stages] if count > len(tableau.stages) else []),
        ]
        matrix = np.zeros((count + 1, count))
        for number, row in enumerate([*rows, tableau.solution]):
            matrix[number, list(row)] = list(row.values())
        return matrix

    def _inputs(self, kernel: AbstractMachineKernel) -> dict[str, Array]:
        """Return what a kernel reads at all stages, shapes (stages N, size); no directions."""
        nq, end = self._equations.ends
        t, x = (np.concatenate(column) for column in zip(*self._stages, strict=True))
        f = self._values.reshape(-1, self._values.shape[2])
        ports = {port.name: port.size for port in kernel.signature.inputs}
        more = {name: np.zeros(size) for name, size in ports.items() if name.startswith(RATE)}
        more |= {"t0": t[:, None]}
        more |= {
            name: np.zeros(size)
            for name, size in ports.items()
            if name == WEIGHTS or name.startswith(DIRECTION)
        }
        return along_states(self._equations, t, x, a=f[:, nq:end]).inputs(kernel, more)

    def _evaluate(self, node: float, x: Array) -> None:
        """Append the derivative at a stage."""
        t = self._time(node)
        self._values[len(self._stages)] = rates(self._equations, t, x)
        self._stages.append((t, x))

    def _combined(self, row: Row, k: Array) -> Array:
        """Return h times a combination of stages."""
        return self._h[:, None] * combined(row, k)


def _address(array: Array) -> int:
    """Return where an array is; 0 if it is empty."""
    return array.ctypes.data if array.size else 0
