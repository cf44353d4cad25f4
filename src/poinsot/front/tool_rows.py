"""What is missing from wanted poses of tools, as machine code of the least-squares solver calls it.

Of a tool with pose (R, p) and the wanted (R_d, p_d)

    φ = [p - p_d; 2 ε],      ε = vector part of the quaternion of R R_dᵀ, scalar part η positive
    J = [J_p; (η - ε×) J_ω]

with the Jacobian [J_p; J_ω] of the tool in world axes.  |2 ε| grows with the angle of the error up
to half a turn, so that no wrong attitude looks right.  The rows of loops and constraints follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from poinsot.assemble.configuration_steps import step_table
from poinsot.assemble.least_squares_solver import Bounds, Problem
from poinsot.evaluate.expression import compiled_program, laid_out_in_stages, trace_function
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import fresh_symbols, symbol, traced
from poinsot.expr.staged_program import recorded_stages
from poinsot.front.system import System
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.kernels.python_function import PythonFunction
from poinsot.model import Pose
from poinsot.spatial import Array

POSE_NUMBERS = 12
"""Numbers of a wanted pose: the rotation by rows, then the position."""


@dataclass(frozen=True)
class Tool:
    """A frame fixed in a body that is to be led.

    Attributes:
        body: Name of the body.
        frame: Pose of the frame in the body.
        turns: Whether its attitude is wanted too, or only the position of its origin.
    """

    body: str
    frame: Pose
    turns: bool

    @property
    def size(self) -> int:
        """How many numbers tell where it is wanted."""
        return POSE_NUMBERS if self.turns else 3


@dataclass(frozen=True)
class ToolRows:
    """Residuals of tools, loops and constraints of a system, and their Jacobian.

    Attributes:
        system: The system.
        tools: What is led.
    """

    system: System
    tools: tuple[Tool, ...]

    @cached_property
    def problem(self) -> Problem:
        """Residuals φ(q, wanted, t, parameters), Jacobian and steps."""
        mechanism = self.system.mechanism
        nq, nv = mechanism.nq, mechanism.nv
        table = step_table(mechanism)
        move = PythonFunction(mechanism.integrate, (nq, nv), nq) if table is None else None
        m = self.residual.signature.outputs[0].size
        return Problem(self.residual, self.jacobian, move, table, (m, nv))

    @cached_property
    def residual(self) -> AbstractMachineKernel:
        """Kernel of φ, shape (m,)."""
        return self._kernel("residual", self._residual)

    @cached_property
    def jacobian(self) -> AbstractMachineKernel:
        """Kernel of J by velocities, shape (m, nv)."""
        return self._kernel("jacobian", self._jacobian)

    @cached_property
    def bounds(self) -> Bounds:
        """Limits of the joints."""
        mechanism, limits = self.system.mechanism, self.system.limits
        numbers = np.full(mechanism.nv, -1, np.int64)
        slices = zip(mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True)
        for body, q_slice, v_slice in slices:
            if body.joint.nq == body.joint.nv:
                numbers[v_slice] = range(q_slice.start, q_slice.stop)
        limited = np.isin(np.arange(mechanism.nq), numbers)
        lower = np.where(limited, limits.lower, -np.inf)
        return Bounds(lower, np.where(limited, limits.upper, np.inf), numbers)

    def value(self, kernel: AbstractMachineKernel, q: Array, further: list[Array]) -> Array:
        """Return residuals or Jacobians at n configurations, shape (n, m) or (n, m, nv)."""
        inputs = [np.ascontiguousarray(np.broadcast_to(x, (len(q), x.shape[-1]))) for x in further]
        result = np.empty((len(q), kernel.signature.outputs[0].size))
        kernel.run([q, *inputs], [result])
        return result if kernel is self.residual else result.reshape(len(q), -1, self.system.nv)

    # How it works

    def _kernel(self, name: str, rows: Callable[[Any, Any, Any], Array]) -> AbstractMachineKernel:
        mechanism = self.system.mechanism.at_positions
        wanted = fresh_symbols("wanted", sum(tool.size for tool in self.tools))
        inputs = {"q": fresh_symbols("q", mechanism.nq), "wanted": wanted}
        if mechanism.depends_on_time:
            inputs["t"] = fresh_symbols("t", 1)
        where = "inverse kinematics"
        with recorded_stages() as stages:
            symbols = {"t": fresh_symbols("t", 1), "v": fresh_symbols("v", mechanism.nv)} | inputs
            values = trace_function(where, lambda t, q, v: rows(t, q, traced(wanted)), symbols)
        inputs |= parameter_symbols(mechanism)
        program = laid_out_in_stages(mechanism, inputs, {name: values}, where, stages)
        return compiled_program(program)

    def _residual(self, t: Any, q: Array, wanted: Array) -> Array:  # noqa: ANN401 (an expression)
        rows = [
            row
            for tool, numbers in self._wanted(wanted)
            for row in _errors(self._pose(tool, q), tool, numbers)
        ]
        positions = self._closed
        if positions is not None:
            rows += list(positions.constraint_residual(q, t=t, parameters=self._given))
        return np.array(rows)

    def _jacobian(self, t: Any, q: Array, wanted: Array) -> Array:  # noqa: ANN401 (an expression)
        blocks = []
        for tool, numbers in self._wanted(wanted):
            J = self.system.jacobian(
                tool.body, q, tool.frame.xyz, axes="world", parameters=self._given
            )
            blocks.append(J[:3])
            if tool.turns:
                eta, eps = _quaternion(self._pose(tool, q)[:3, :3], numbers)
                x, y, z = eps
                H = np.array([[eta, z, -y], [-z, eta, x], [y, -x, eta]])
                blocks.append(H @ J[3:])
        positions = self._closed
        if positions is not None:
            blocks.append(positions.constraint_jacobian(q, t=t, parameters=self._given))
        return np.concatenate(blocks)

    @cached_property
    def _closed(self) -> System | None:
        """The system without constraints on velocities, if it has others."""
        mechanism = self.system.mechanism
        if not mechanism.at_positions.closures:
            return None
        whole = mechanism.at_positions is mechanism
        return self.system if whole else System.from_mechanism(mechanism.at_positions)

    @property
    def _given(self) -> dict[str, Any] | None:
        """Symbols of the free parameters by name."""
        return {name: symbol(name) for name in self.system.free} or None

    def _wanted(self, wanted: Array) -> list[tuple[Tool, Array]]:
        starts = np.cumsum([0, *(tool.size for tool in self.tools)])
        return [
            (tool, wanted[start : start + tool.size])
            for tool, start in zip(self.tools, starts, strict=False)
        ]

    def _pose(self, tool: Tool, q: Array) -> Array:
        X, frame = self.system.pose(tool.body, q, parameters=self._given), tool.frame
        inner = frame.transform()
        p = X[:3, :3] @ inner.p + X[:3, 3]
        return np.concatenate([X[:3, :3] @ inner.R, p[:, None]], axis=1)


def frame_matrix(frame: Pose) -> Array:
    """Return the pose of a frame as a matrix, shape (4, 4)."""
    X, inner = np.eye(4), frame.transform()
    X[:3, :3], X[:3, 3] = inner.R, inner.p
    return X


@lru_cache(maxsize=32)
def tool_rows(system: System, tools: tuple[Tool, ...]) -> ToolRows:
    """Return the rows of tools; the same for the same tools, so that they are compiled once."""
    return ToolRows(system, tools)


def _errors(X: Array, tool: Tool, numbers: Array) -> list[Any]:
    position = X[:, 3] - numbers[-3:]
    if not tool.turns:
        return list(position)
    _, eps = _quaternion(X[:, :3], numbers)
    return [*position, *(2.0 * x for x in eps)]


def _quaternion(R: Array, numbers: Array) -> tuple[Any, list[Any]]:
    """Return η and ε of R R_dᵀ."""
    E = R @ numbers[:9].reshape(3, 3).T
    eta = 0.5 * np.sqrt(np.maximum(1.0 + E[0, 0] + E[1, 1] + E[2, 2], LEAST_COSINE))
    off = (E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1])
    factor = 0.25 / eta
    return eta, [x * factor for x in off]


LEAST_COSINE = 1e-12
"""Of (2 η)², where the attitude is wrong by half a turn."""
