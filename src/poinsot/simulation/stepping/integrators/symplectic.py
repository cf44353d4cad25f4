"""The variational midpoint rule, for long runs that keep their energy, with a fixed step.

The equations of a step are those of ``variational.py``; Newton's method solves them with exact
derivatives.  Between steps a cubic takes the states and derivatives at both ends.  The rule is of
order 2 and symmetric; five steps of it, the third one back, are of order 4 [Suzuki1990].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.types import double
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.stepping import lu, vectors
from poinsot.simulation.stepping.integrators.integrator import AbstractIntegrator, BufferSizes
from poinsot.simulation.stepping.ir_writer import IrWriter, Row
from poinsot.simulation.stepping.motion_graph import Graph
from poinsot.simulation.stepping.variational import step_kernels

BUFFERS = (
    *("step", "scale", "error", "momentum", "unknown", "residual", "system", "state"),
    *("matrix", "lower", "order", "forward", "change"),
)
START, ITERATION, END = range(3)
MOST_ITERATIONS = 30
NEAR = 1e-8
"""Part of the increment below which a change by Newton's method is the last: the next is its
square."""
NOTHING_MORE = 1e-15
"""Change [m or rad] that is rounding error."""
UNSOLVED = 2.0
"""The error of a step whose equations have no solution."""


@dataclass(frozen=True)
class Symplectic(AbstractIntegrator):
    """The variational midpoint rule, or a composition of several steps of it.

    Attributes:
        substeps: Their lengths, as parts of the step.
    """

    substeps: tuple[float, ...]

    @property
    def n_derivatives(self) -> int:
        """One at each end."""
        return 2

    @property
    def end(self) -> int:
        """The second."""
        return 1

    @property
    def end_is_known(self) -> bool:
        """A step needs none."""
        return False

    @property
    def n_dense(self) -> int:
        """A cubic."""
        return 3

    @property
    def error_row(self) -> Row:
        """The derivative at the start: there is no error."""
        return {0: 1.0}

    def buffers(self, sizes: BufferSizes) -> Mapping[str, int]:
        """Return what the kernels write, and the memory of the linear equations."""
        count = sizes.nv + sizes.rows
        width = sizes.padded(count)
        small = (1, 1, 1, sizes.nv, count, width, count * count, sizes.n)
        lengths = (*small, count * width, count * width, count, width, width)
        return dict(zip(BUFFERS, lengths, strict=True))

    def kernels(self, equations: MotionEquations) -> tuple[LlvmKernel, ...]:
        """Return start, iteration and end of a step."""
        return step_kernels(Graph.of(equations, self.name), self.name)

    def functions(self, lanes: int) -> list[str]:
        """Return ``@step``, ``@error``, ``@dense`` and what they call."""
        return [
            lu.factor(lanes),
            lu.solve(lanes),
            _linear_equations(lanes),
            _change(lanes),
            _substep(lanes),
            self._step(lanes),
            _error(lanes),
            vectors.polynomial(self.end, (), lanes),
            _dense(lanes),
        ]

    def _step(self, lanes: int) -> str:
        """Return ``@step(c)``: the substeps in order; the stepper projects the last one."""
        w = IrWriter(lanes)
        w.line("call fastcc void @start(ptr %c)")
        w.write(double(0.0), w.buffer(BUFFERS.index("error")), "0")
        time, h = w.get("t"), w.get("h")
        for number, share in enumerate(self.substeps):
            if number > 0:
                w.set("t_stage", time)
                w.line("call fastcc void @project(ptr %c)")
            substep = h * share
            w.line(f"call fastcc void @substep(ptr %c, double {substep}, double {time})")
            time = time + substep
        w.line("ret void")
        return w.function("internal fastcc void @step(ptr %c)")


SYMPLECTIC = Symplectic(name="symplectic", order=2, step_control=None, substeps=(1.0,))

_SHARE = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
SYMPLECTIC_4 = Symplectic(
    name="symplectic4",
    order=4,
    step_control=None,
    substeps=(_SHARE, _SHARE, 1.0 - 4.0 * _SHARE, _SHARE, _SHARE),
)


def _substep(lanes: int) -> str:
    """Return ``@substep(c, part, time)``: Newton's method from a guess; x to its end."""
    w = IrWriter(lanes)
    buffer = {name: w.buffer(number) for number, name in enumerate(BUFFERS)}
    w.set("t_stage", "%time")
    w.write("%part", buffer["step"], "0")
    before = w.read(buffer["error"], "0")
    w.write(double(UNSOLVED), buffer["error"], "0")
    w.call_kernel(START)
    w.line(f"%count = add i64 {w.get('nv')}, {w.get('n_rows')}")
    near = w.read(buffer["scale"], "0") * NEAR
    near = near + NOTHING_MORE
    with w.loop("turn", "0", str(MOST_ITERATIONS)):
        w.call_kernel(ITERATION)
        w.line("call fastcc void @linear_equations(ptr %c, i64 %count)")
        size = w.put("call fastcc double @change(ptr %c, i64 %count)")
        w.branch(size <= near, "solved", "again")
        w.block("solved")
        w.write(before, buffer["error"], "0")
        w.line("br label %turn.end")
        w.block("again")
    w.call_kernel(END)
    size = w.put(f"shl i64 {w.get('n')}, 3")
    pointers = f"ptr {w.get('x')}, ptr {buffer['state']}"
    w.line(f"call void @llvm.memcpy.p0.p0.i64({pointers}, i64 {size}, i1 0)")
    w.line("ret void")
    return w.function("internal fastcc void @substep(ptr %c, double %part, double %time)")


def _linear_equations(lanes: int) -> str:
    """Return ``@linear_equations(c, count)``: change = system⁻¹ residual."""
    w = IrWriter(lanes)
    buffer = {name: w.buffer(number) for number, name in enumerate(BUFFERS)}
    padded = w.put(f"add i64 %count, {lanes - 1}")
    w.line(f"%width = and i64 {padded}, {-lanes}")
    with w.loop("i", "0", "%count"):
        source = w.address(buffer["system"], w.put("mul i64 %i, %count"))
        goal = w.address(buffer["matrix"], w.put("mul i64 %i, %width"))
        with w.loop("j", "0", "%count"):
            w.write(w.read(source, "%j"), goal, "%j")
    factors = "ptr {matrix}, ptr {lower}, ptr {order}".format(**buffer)
    memory = "ptr {residual}, ptr {forward}, ptr {change}".format(**buffer)
    w.line(f"call fastcc void @factor({factors}, i64 %count, i64 %width)")
    w.line(f"call fastcc void @solve({factors}, {memory}, i64 %count, i64 %width)")
    w.line("ret void")
    return w.function("internal fastcc void @linear_equations(ptr %c, i64 %count)")


def _change(lanes: int) -> str:
    """Return ``double @change(c, count)``: unknown -= change; the length of that of d."""
    w = IrWriter(lanes)
    unknown, change = (w.buffer(BUFFERS.index(name)) for name in ("unknown", "change"))
    with w.loop("i", "0", "%count"):
        w.write(w.read(unknown, "%i") - w.read(change, "%i"), unknown, "%i")
    with w.loop("j", "0", w.get("nv"), carry={"sum": ("double", double(0.0))}) as after:
        entry = w.read(change, "%j")
        after["sum"] = ("%sum") + (entry * entry)
    w.line(f"ret double {w.put('call double @llvm.sqrt.f64(double %sum)')}")
    return w.function("internal fastcc double @change(ptr %c, i64 %count)")


def _error(lanes: int) -> str:
    """Return ``double @error(c)``: 0, or ``UNSOLVED``, or NaN if x is not finite."""
    w = IrWriter(lanes)
    unsolved = w.read(w.buffer(BUFFERS.index("error")), "0")
    x = w.get("x")
    with w.loop("i", "0", w.get("n"), carry={"sum": ("double", unsolved)}) as after:
        watch = w.read(x, "%i") * 0.0
        after["sum"] = ("%sum") + watch
    w.line("ret double %sum")
    return w.function("internal fastcc double @error(ptr %c)")


def _dense(lanes: int) -> str:
    """Return ``@dense(c)``."""
    w = IrWriter(lanes)
    w.line("call fastcc void @polynomial(ptr %c)")
    w.line("ret void")
    return w.function("internal fastcc void @dense(ptr %c)")
