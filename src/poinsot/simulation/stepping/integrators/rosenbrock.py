"""Rosenbrock methods: implicit, but one matrix per step and no iteration.

    (E / (h gamma) - S) u_i = E (f(t + c_i h, y + sum_j a_ij u_j) + sum_j (c_ij / h) u_j) + d_i h s,
    y(t + h) = y + sum of b_j u_j,

with S and s the derivatives by y and t, both times E: exact ones (``motion_jacobian.py``), or by
differences where there are no formulas (``differences.py``); and f taken with unit
quaternions, as they are [HNW2, section IV.7].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poinsot.errors import PoinsotError
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.stepping import differences, lu, vectors
from poinsot.simulation.stepping.integrators.integrator import AbstractIntegrator, BufferSizes
from poinsot.simulation.stepping.ir_writer import Row
from poinsot.simulation.stepping.motion_graph import Graph
from poinsot.simulation.stepping.motion_jacobian import jacobian_kernel

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
    def n_derivatives(self) -> int:
        """Derivatives, u and the derivative at the end."""
        return self.end + 1

    @property
    def end(self) -> int:
        """The derivative at the end comes last."""
        return 2 * len(self.stages)

    @property
    def end_is_known(self) -> bool:
        """The last stage is near the end, not at it."""
        return False

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

    def kernels(self, equations: MotionEquations) -> tuple[LlvmKernel, ...]:
        """Return the kernel of the exact derivatives; none: they are found by differences.

        Off the constraints of a closed system redundant rows become independent, and differences
        would be meaningless: there must be formulas.
        """
        mechanism = equations.mechanism
        if mechanism.closures or Graph.exists(equations):
            kernel = jacobian_kernel(Graph.of(equations, self.name, sampled=True), self.name)
            if kernel is not None:
                return (kernel,)
        if mechanism.nq + mechanism.nv > MOST_EQUATIONS:
            raise PoinsotError(
                f"simulate: integrator {self.name!r} solves equations of all {mechanism.nq} "
                f"coordinates and {mechanism.nv} velocities of {mechanism.name!r} in every step, "
                f"and takes {MOST_EQUATIONS} of them at most; choose integrator 'dp8'"
            )
        return ()

    def functions(self, lanes: int) -> list[str]:
        """Return ``@step``, ``@error``, ``@dense`` and what they call."""
        n_stages = len(self.stages)
        return [
            lu.factor(lanes),
            lu.solve(lanes),
            *differences.functions(0, 1, n_stages, lanes),
            self._matrix(lanes),
            self._right(lanes),
            *[
                _sum_of_u(f"stage{s}", self._of_u(row), lanes)
                for s, row in enumerate(self.stages)
                if s > 0
            ],
            *[self._mixed(s, lanes) for s in range(n_stages)],
            _sum_of_u("solution", self._of_u(self.solution), lanes),
            self._step(lanes),
            vectors.error_norm(self.end - 1, lanes),
            self._dense(lanes),
        ]

    def _of_u(self, row: Row) -> Row:
        return {len(self.stages) + j: a for j, a in row.items()}

    def _step(self, lanes: int) -> str:
        """Return ``@step(c)``: the derivatives, the matrix and its factors, then the stages."""
        w = vectors.vector_writer(lanes)
        t, h, n, k = w.get("t"), w.get("h"), w.get("n"), w.get("k")
        w.line("call fastcc void @start(ptr %c)")
        w.set("t_stage", t)
        w.branch(w.get("n_parts") > 0, "exact", "by_differences")
        w.block("exact")
        w.branch(w.get("n_signals") > 0, "look_up", "differentiate")
        w.block("look_up")  # signals may be where a rejected step has left them
        w.line("call void @derivative(ptr %c, i64 0)")
        w.label("differentiate")
        w.call_kernel(0)
        w.line("br label %known")
        w.block("by_differences")
        w.line("call fastcc void @differences(ptr %c)")
        w.label("known")
        w.line("call fastcc void @fill_matrix(ptr %c)")
        buffer = {name: w.buffer(number) for number, name in enumerate(BUFFERS)}
        factors = "ptr {matrix}, ptr {lower}, ptr {order}".format(**buffer)
        w.line(f"call fastcc void @factor({factors}, i64 {n}, i64 %width)")
        for s, node in enumerate(self.nodes):
            if s > 0:
                w.line(f"call fastcc void @stage{s}(ptr %c)")
                w.line(f"call fastcc void @normalise(ptr %c, ptr {w.get('x')})")
                w.set("t_stage", t + (h * node))
                w.line(f"call void @derivative(ptr %c, i64 {s})")
            w.line(f"call fastcc void @mixed{s}(ptr %c)")
            slope = h * (self.times[s])
            w.line(f"call fastcc void @right(ptr %c, double {slope})")
            memory = "ptr {right}, ptr {forward}".format(**buffer)
            u = w.vector(k, len(self.stages) + s)
            w.line(f"call fastcc void @solve({factors}, {memory}, ptr {u}, i64 {n}, i64 %width)")
        w.line("call fastcc void @solution(ptr %c)")
        w.line("ret void")
        return w.function("internal fastcc void @step(ptr %c)")

    def _matrix(self, lanes: int) -> str:
        """Return ``@fill_matrix(c)``: E / (h gamma) - S."""
        w = vectors.vector_writer(lanes)
        n, nv = w.get("n"), w.get("nv")
        nq, columns = (n - nv), (n + 1)
        slopes, mass, matrix = (w.buffer(number) for number in range(3))
        scale = (1.0 / self.gamma) / w.get("h")
        with w.loop("i", "0", n):
            row = w.address(matrix, w.put("mul i64 %i, %width"))
            source = w.address(slopes, w.put(f"mul i64 %i, {columns}"))
            with w.loop("j", "0", n):
                w.write(w.put(f"fneg double {w.read(source, '%j')}"), row, "%j")
        with w.loop("d", "0", nq):
            index = w.put(f"add i64 {w.put('mul i64 %d, %width')}, %d")
            w.write(w.read(matrix, index) + scale, matrix, index)
        with w.loop("r", "0", nv):
            number = w.put(f"add i64 {nq}, %r")
            row = w.address(matrix, (w.put(f"mul i64 {number}, %width") + nq))
            source = w.address(mass, w.put(f"mul i64 %r, {nv}"))
            with w.loop("s", "0", nv):
                term = scale * w.read(source, "%s")
                w.write(w.read(row, "%s") + term, row, "%s")
        w.line("ret void")
        return w.function("internal fastcc void @fill_matrix(ptr %c)")

    def _right(self, lanes: int) -> str:
        """Return ``@right(c, slope)``: right = E forward + slope s."""
        w = vectors.vector_writer(lanes)
        n, nv = w.get("n"), w.get("nv")
        nq, columns = (n - nv), (n + 1)
        slopes, mass = w.buffer(0), w.buffer(1)
        right, forward = w.buffer(BUFFERS.index("right")), w.buffer(BUFFERS.index("forward"))
        lower = w.address(forward, nq)
        with w.loop("i", "0", n):
            index = w.put(f"mul i64 %i, {columns}") + n
            by_time = w.value("%slope") * w.read(slopes, index)
            is_rate = w.put(f"icmp slt i64 %i, {nq}")
            rate = w.put(f"select i1 {is_rate}, double {w.read(forward, '%i')}, double 0.0")
            w.write(by_time + rate, right, "%i")
        with w.loop("r", "0", nv):
            row, goal = w.address(mass, w.put(f"mul i64 %r, {nv}")), w.put(f"add i64 {nq}, %r")
            carry = {"sum": ("double", w.read(right, goal))}
            with w.loop("s", "0", nv, carry=carry) as after:
                term = w.read(row, "%s") * w.read(lower, "%s")
                after["sum"] = ("%sum") + term
            w.write("%sum", right, goal)
        w.line("ret void")
        return w.function("internal fastcc void @right(ptr %c, double %slope)")

    def _mixed(self, s: int, lanes: int) -> str:
        """Return ``@mixed{s}(c)``: forward = k[s] + sum of c_sj u_j / h."""
        w = vectors.vector_writer(lanes)
        row = self._of_u(self.mixed[s])
        forward = w.buffer(BUFFERS.index("forward"))
        stage_vectors = vectors.stages(w, {**row, s: 0.0})
        inverse = w.splat(1.0 / w.get("h"))
        with w.over():
            total = w.load(stage_vectors[s])
            if row:
                mixed = w.arithmetic("fmul", inverse, w.combination(row, stage_vectors))
                total = w.arithmetic("fadd", total, mixed)
            w.store(total, forward)
        w.line("ret void")
        return w.function(f"internal fastcc void @mixed{s}(ptr %c)")

    def _dense(self, lanes: int) -> str:
        """Return ``@dense(c)``: f0 = z - y, f1 = r0, f2 = r1 + r2, f3 = -r2."""
        w = vectors.vector_writer(lanes)
        y, z, base = w.get("y"), w.get("z"), w.get("dense")
        rows = tuple(self._of_u(row) for row in self.dense)
        stage_vectors = vectors.stages(w, {s: 0.0 for row in rows for s in row})
        f = [w.vector(base, number) for number in range(self.n_dense)]
        with w.over():
            r0, r1, r2 = (w.combination(row, stage_vectors) for row in rows)
            w.store(w.arithmetic("fsub", w.load(z), w.load(y)), f[0])
            w.store(r0, f[1])
            w.store(w.arithmetic("fadd", r1, r2), f[2])
            w.store(w.arithmetic("fsub", w.lanes.number(0.0), r2), f[3])
        w.line("ret void")
        return w.function("internal fastcc void @dense(ptr %c)")


def _sum_of_u(name: str, row: Row, lanes: int) -> str:
    """Return ``@name(c)``: x = y + sum of row[j] k[j]."""
    w = vectors.vector_writer(lanes)
    y, x, stage_vectors = w.get("y"), w.get("x"), vectors.stages(w, row)
    with w.over():
        w.store(w.arithmetic("fadd", w.load(y), w.combination(row, stage_vectors)), x)
    w.line("ret void")
    return w.function(f"internal fastcc void @{name}(ptr %c)")
