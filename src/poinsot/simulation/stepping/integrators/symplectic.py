"""The variational midpoint rule, for long runs that keep their energy, with a fixed step.

The equations of a step are those of ``variational.py``; Newton's method solves them with exact
derivatives.  Between steps a cubic takes the states and derivatives at both ends.  The rule is of
order 2 and symmetric; five steps of it, the third one back, are of order 4 [Suzuki1990].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.types import double
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.stepping import lu
from poinsot.simulation.stepping.control_writer import ControlWriter
from poinsot.simulation.stepping.dense_output import polynomial
from poinsot.simulation.stepping.integrators.integrator import AbstractIntegrator, BufferSizes
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
NO_STATE = 1e-12
"""Size of a further state that counts as zero, in its unit."""
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
    def end(self) -> int:
        """The second."""
        return 1

    def buffers(self, sizes: BufferSizes) -> Mapping[str, int]:
        """Return what the kernels write, and the memory of the linear equations."""
        count = sizes.n - sizes.nq + sizes.rows
        width = sizes.padded(count)
        small = (1, 1, 1, sizes.nv, count, width, count * count, sizes.n)
        lengths = (*small, count * width, count * width, count, width, width)
        return dict(zip(BUFFERS, lengths, strict=True))

    def kernels(self, equations: MotionEquations) -> tuple[LlvmKernel, ...]:
        """Return start, iteration and end of a step."""
        return step_kernels(Graph.of(equations, self.name), self.name)

    def functions(self, layout: Layout) -> list[str]:
        """Return ``@step``, ``@error``, ``@dense`` and what they call."""
        return [
            lu.factor(layout),
            lu.solve(layout),
            _linear_equations(layout),
            _change(layout),
            _substep(layout),
            self._step(layout),
            _error(layout),
            polynomial("dense", self.end, (), layout),
        ]

    def _step(self, layout: Layout) -> str:
        """Return ``@step(c)``: the substeps in order; the stepper projects the last one."""
        w = ControlWriter(layout)
        w.do("start")
        w.write(0.0, w.buffer(BUFFERS.index("error")), 0)
        time, h = w.get("t"), w.get("h")
        for number, share in enumerate(self.substeps):
            if number > 0:
                w.set_time(time)
                w.do("project")
            substep = h * share
            w.do("substep", substep, time)
            time = time + substep
        return w.define("step")


SYMPLECTIC = Symplectic(name="symplectic", order=2, step_control=None, substeps=(1.0,))

_SHARE = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
SYMPLECTIC_4 = Symplectic(
    name="symplectic4",
    order=4,
    step_control=None,
    substeps=(_SHARE, _SHARE, 1.0 - 4.0 * _SHARE, _SHARE, _SHARE),
)


def _substep(layout: Layout) -> str:
    """Return ``@substep(c, share, time)``: Newton's method from a guess; x to its end."""
    w = ControlWriter(layout)
    buffer = {name: w.buffer(number) for number, name in enumerate(BUFFERS)}
    w.set_time(w.value("%time"))
    w.write("%share", buffer["step"], 0)
    before = w.read(buffer["error"], 0)
    w.write(UNSOLVED, buffer["error"], 0)
    w.call_kernel(START)
    count = w.get("n") - w.get("nq") + w.get("n_rows")
    near = w.read(buffer["scale"], 0) * NEAR + NOTHING_MORE
    with w.loop("turn", 0, MOST_ITERATIONS):
        w.call_kernel(ITERATION)
        w.do("linear_equations", count)
        size = w.ask("double", "change", count)
        w.enter_if(size <= near, "solved", otherwise="again")
        w.write(before, buffer["error"], 0)
        w.go("turn.end")
        w.block("again")
    w.call_kernel(END)
    w.copy(w.get("x"), buffer["state"], w.get("n"))
    return w.define("substep", "double %share", "double %time")


def _linear_equations(layout: Layout) -> str:
    """Return ``@linear_equations(c, count)``: change = system⁻¹ residual."""
    w = ControlWriter(layout)
    buffer = {name: w.buffer(number) for number, name in enumerate(BUFFERS)}
    count, i = w.number("%count"), w.number("%i")
    width = w.put(f"and i64 {count + (layout.width - 1)}, {-layout.width}")
    with w.loop("i", 0, count):
        source, goal = (
            w.address(buffer["system"], i * count),
            w.address(buffer["matrix"], i * width),
        )
        with w.loop("j", 0, count):
            w.write(w.read(source, "%j"), goal, "%j")
    factors = "ptr {matrix}, ptr {lower}, ptr {order}".format(**buffer)
    memory = "ptr {residual}, ptr {forward}, ptr {change}".format(**buffer)
    w.line(f"call fastcc void @factor({factors}, i64 {count}, i64 {width})")
    w.line(f"call fastcc void @solve({factors}, {memory}, i64 {count}, i64 {width})")
    return w.define("linear_equations", "i64 %count")


def _change(layout: Layout) -> str:
    """Return ``double @change(c, count)``: unknown -= change; the length of that of d.

    Changes of further states are added, relative to these and to the increments.
    """
    w = ControlWriter(layout)
    names = ("unknown", "change", "scale")
    unknown, change, scale = (w.buffer(BUFFERS.index(name)) for name in names)
    with w.loop("i", 0, "%count"):
        w.write(w.read(unknown, "%i") - w.read(change, "%i"), unknown, "%i")
    total = w.value("%sum")
    with w.loop("j", 0, w.get("nv"), carry={"sum": ("double", double(0.0))}) as after:
        entry = w.read(change, "%j")
        after["sum"] = total + entry * entry
    first = w.get("nv") + w.get("n_rows")
    behind = w.address(w.get("x"), w.get("nq") + w.get("nv"))
    further, k = w.value("%further"), w.number("%k")
    carry = {"further": ("double", double(0.0))}
    with w.loop("k", 0, w.number("%count") - first, carry=carry) as after:
        size = abs(w.read(behind, k)) + abs(w.read(unknown, first + k)) + NO_STATE
        after["further"] = further + abs(w.read(change, first + k)) / size
    length = total.sqrt() + further * (w.read(scale, 0) + NOTHING_MORE / NEAR)
    return w.returning(length, "change", "i64 %count")


def _error(layout: Layout) -> str:
    """Return ``double @error(c)``: 0, or ``UNSOLVED``, or NaN if x is not finite."""
    w = ControlWriter(layout)
    unsolved = w.read(w.buffer(BUFFERS.index("error")), 0)
    x, total = w.get("x"), w.value("%sum")
    with w.loop("i", 0, w.get("n"), carry={"sum": ("double", unsolved)}) as after:
        after["sum"] = total + w.read(x, "%i") * 0.0
    return w.returning(total, "error")
