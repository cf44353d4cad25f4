"""Rosenbrock methods: implicit, but one matrix per step and no iteration.

    (E / (h gamma) - S) u_i = E (f(t + c_i h, y + sum_j a_ij u_j) + sum_j (c_ij / h) u_j) + d_i h s,
    y(t + h) = y + sum of b_j u_j,

with S and s the derivatives by y and t, both times E: exact ones (``motion_jacobian.py``, of large
trees ``tree_jacobian.py``, of other large systems ``directional_jacobian.py``), or by differences
where Python is called (``differences.py``); and f taken with unit quaternions, as they are [HNW2,
section IV.7].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poinsot.errors import PoinsotError
from poinsot.kernels.kernel import AbstractCode
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.stepping import differences, lu
from poinsot.simulation.stepping.control_writer import Row, VectorWriter
from poinsot.simulation.stepping.directional_jacobian import directional_jacobian
from poinsot.simulation.stepping.error_estimate import error_norm
from poinsot.simulation.stepping.integrators.integrator import AbstractIntegrator, BufferSizes
from poinsot.simulation.stepping.motion_graph import Graph
from poinsot.simulation.stepping.motion_jacobian import jacobian_kernel
from poinsot.simulation.stepping.tree_jacobian import tree_jacobian

MOST_EQUATIONS = 2000
"""With this many a step takes seconds, and its matrices 100 MB."""
BUFFERS = ("slopes", "mass", "matrix", "lower", "order", "right", "forward")


@dataclass(frozen=True)
class Rosenbrock(AbstractIntegrator):
    """A Rosenbrock method whose last u is the error.

    Attributes:
        gamma: Of the matrix.
        nodes: c_i.
        times: d_i, coefficients of the derivative by time.
        stages: Rows of a_ij.
        mixed: Rows of c_ij.
        solution: b_j.
        dense: Rows of the polynomial beyond y1 - y0, in the form of RODAS:
            y0 + s (y1 - y0 + (1 - s) (r0 + s (r1 + s r2))).
    """

    gamma: float
    nodes: tuple[float, ...]
    times: tuple[float, ...]
    stages: tuple[Row, ...]
    mixed: tuple[Row, ...]
    solution: Row
    dense: tuple[Row, Row, Row]

    # The k: derivatives at the stages, the first at the start; then the u; then that at the end.

    @property
    def end(self) -> int:
        """The derivative at the end comes last."""
        return 2 * len(self.stages)

    @property
    def n_dense(self) -> int:
        """The polynomial is of degree 4."""
        return 4

    @property
    def error_row(self) -> Row:
        """The last u."""
        return {self.end - 1: 1.0}

    def buffers(self, sizes: BufferSizes) -> Mapping[str, int]:
        """Return the derivatives, the matrix and its factors."""
        n, width = sizes.n, sizes.padded(sizes.n)
        lengths = (n * (n + 1), sizes.nv**2, n * width, n * width, n, width, width)
        return dict(zip(BUFFERS, lengths, strict=True))

    def kernels(self, equations: MotionEquations) -> tuple[AbstractCode, ...]:
        """Return the kernel of the exact derivatives; none: they are found by differences.

        Off the constraints of a closed system redundant rows become independent, and differences
        would be meaningless: there must be formulas.
        """
        if equations.n > MOST_EQUATIONS:
            mechanism = equations.mechanism
            raise PoinsotError(
                f"simulate: integrator {self.name!r} solves equations of all {mechanism.nq} "
                f"coordinates and {mechanism.nv} velocities of {mechanism.name!r} in every step, "
                f"and takes {MOST_EQUATIONS} of them at most; choose integrator 'dp8'"
            )
        if equations.callbacks:
            if equations.mechanism.closures:
                Graph.of(equations, self.name)  # says why there are no formulas
            return ()
        kernel = tree_jacobian(equations) or jacobian_kernel(equations)
        return (kernel or directional_jacobian(equations),)

    def functions(self, layout: Layout) -> list[str]:
        """Return ``@step``, ``@error``, ``@dense`` and what they call."""
        n_stages = len(self.stages)
        sums = {f"stage{s}": row for s, row in enumerate(self.stages) if s > 0}
        sums["solution"] = self.solution
        return [
            lu.factor(layout),
            lu.solve(layout),
            *differences.functions(0, 1, n_stages, layout),
            self._matrix(layout),
            self._right(layout),
            *[_sum_of_u(name, self._of_u(row), layout) for name, row in sums.items()],
            *[self._mixed(s, layout) for s in range(n_stages)],
            self._step(layout),
            error_norm(self.end - 1, layout),
            self._dense(layout),
        ]

    def _of_u(self, row: Row) -> Row:
        return {len(self.stages) + j: a for j, a in row.items()}

    def _step(self, layout: Layout) -> str:
        """Return ``@step(c)``: the derivatives, the matrix and its factors, then the stages."""
        w = VectorWriter(layout)
        t, h, n, k = w.get("t"), w.get("h"), w.get("n"), w.get("k")
        w.do("start")
        w.set_time(t)
        w.enter_if(w.get("n_parts") > 0, "exact", otherwise="by_differences")
        w.enter_if(
            w.get("n_signals") > 0, "look_up", otherwise="differentiate"
        )  # signals may be where a rejected step has left them
        w.do("derivative", 0)
        w.label("differentiate")
        w.call_kernel(0)
        w.go("known")
        w.block("by_differences")
        w.do("differences")
        w.label("known")
        w.do("fill_matrix")
        buffer = {name: w.buffer(number) for number, name in enumerate(BUFFERS)}
        factors = "ptr {matrix}, ptr {lower}, ptr {order}".format(**buffer)
        size = f"i64 {n}, i64 {w.width}"
        w.line(f"call fastcc void @factor({factors}, {size})")
        for s, node in enumerate(self.nodes):
            if s > 0:
                w.do(f"stage{s}")
                w.do("normalise", w.get("x"))
                w.set_time(t + h * node)
                w.do("derivative", s)
            w.do(f"mixed{s}")
            w.do("right", h * self.times[s])
            memory = "ptr {right}, ptr {forward}".format(**buffer)
            u = w.vector(k, len(self.stages) + s)
            w.line(f"call fastcc void @solve({factors}, {memory}, ptr {u}, {size})")
        w.do("solution")
        return w.define("step")

    def _matrix(self, layout: Layout) -> str:
        """Return ``@fill_matrix(c)``: E / (h gamma) - S."""
        w = VectorWriter(layout)
        n, nq, nv = w.get("n"), w.get("nq"), w.get("nv")
        columns = n + 1
        slopes, mass, matrix = (w.buffer(number) for number in range(3))
        scale = (1.0 / self.gamma) / w.get("h")
        i, r = w.number("%i"), w.number("%r")
        with w.loop("i", 0, n):
            row, source = w.address(matrix, i * w.width), w.address(slopes, i * columns)
            with w.loop("j", 0, n):
                w.write(-w.read(source, "%j"), row, "%j")
        for name, first, past in (("d", 0, nq), ("s0", nq + nv, n)):
            with w.loop(name, first, past):
                index = w.number(f"%{name}") * (w.width + 1)
                w.write(w.read(matrix, index) + scale, matrix, index)
        with w.loop("r", 0, nv):
            row, source = w.address(matrix, (nq + r) * w.width + nq), w.address(mass, r * nv)
            with w.loop("s", 0, nv):
                term = scale * w.read(source, "%s")
                w.write(w.read(row, "%s") + term, row, "%s")
        return w.define("fill_matrix")

    def _right(self, layout: Layout) -> str:
        """Return ``@right(c, slope)``: right = E forward + slope s."""
        w = VectorWriter(layout)
        n, nq, nv = w.get("n"), w.get("nq"), w.get("nv")
        columns = n + 1
        slopes, mass = w.buffer(0), w.buffer(1)
        right, forward = w.buffer(BUFFERS.index("right")), w.buffer(BUFFERS.index("forward"))
        lower = w.address(forward, nq)
        i, r, total = w.number("%i"), w.number("%r"), w.value("%sum")
        with w.loop("i", 0, n):
            by_time = w.value("%slope") * w.read(slopes, i * columns + n)
            moves = (i >= nq) & (i < nq + nv)
            rate = moves.choose(0.0, w.read(forward, i))
            w.write(by_time + rate, right, i)
        with w.loop("r", 0, nv):
            row, goal = w.address(mass, r * nv), nq + r
            carry = {"sum": ("double", w.read(right, goal))}
            with w.loop("s", 0, nv, carry=carry) as after:
                term = w.read(row, "%s") * w.read(lower, "%s")
                after["sum"] = total + term
            w.write(total, right, goal)
        return w.define("right", "double %slope")

    def _mixed(self, s: int, layout: Layout) -> str:
        """Return ``@mixed{s}(c)``: forward = k[s] + sum of c_sj u_j / h."""
        w = VectorWriter(layout)
        row = self._of_u(self.mixed[s])
        forward = w.buffer(BUFFERS.index("forward"))
        k = w.stages(row, {s: 0.0})
        inverse = w.splat(1.0 / w.get("h"))
        with w.over():
            total = w.load(k[s])
            if row:
                total = total + inverse * w.combination(row, k)
            w.store(total, forward)
        return w.define(f"mixed{s}")

    def _dense(self, layout: Layout) -> str:
        """Return ``@dense(c)``: f0 = z - y, f1 = r0, f2 = r1 + r2, f3 = -r2."""
        w = VectorWriter(layout)
        y, z, base = w.get("y"), w.get("z"), w.get("dense")
        rows = tuple(self._of_u(row) for row in self.dense)
        k = w.stages(*rows)
        goals = w.vectors(base, self.n_dense)
        with w.over():
            r0, r1, r2 = (w.combination(row, k) for row in rows)
            f = w.load(z) - w.load(y), r0, r1 + r2, 0.0 - r2
            for value, goal in zip(f, goals, strict=True):
                w.store(value, goal)
        return w.define("dense")


def _sum_of_u(name: str, row: Row, layout: Layout) -> str:
    """Return ``@name(c)``: x = y + sum of row[j] k[j]."""
    w = VectorWriter(layout)
    y, x, k = w.get("y"), w.get("x"), w.stages(row)
    with w.over():
        w.store(w.load(y) + w.combination(row, k), x)
    return w.define(name)
