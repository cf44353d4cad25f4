"""The Levenberg-Marquardt method of ``least_squares_solver.py`` as LLVM IR."""

from __future__ import annotations

from typing import Final

from poinsot.assemble.configuration_steps import move_ir
from poinsot.assemble.damped_step_ir import DAMPED_STEP, damped_step_functions
from poinsot.expr.rank_tolerances import RANK
from poinsot.kernels.llvm.householder import SHORTEST, householder_functions
from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout, intrinsics
from poinsot.kernels.llvm.ranged_vectors import PRODUCT, padded
from poinsot.kernels.llvm.types import double

FIRST_DAMPING: Final = 1e-3
LEAST_DAMPING: Final = 1e-15
MOST_DAMPING: Final = 1e12
"""Damping beyond which steps are nothing."""
SQUARED: Final = 1e-11
"""Damping from which on the normal equations are exact enough: their rounding is 1e-16."""
EASED: Final = 5.0
"""By how much the damping falls after a step that is taken."""
BRAKED: Final = 8.0
"""By how much it grows after one that is not."""
GOOD_GAIN: Final = 1e-2
"""Part of the sum of squares that Gauss and Newton's step may leave, if no other is to be tried."""
LEAST_SCALE: Final = 1e-12
"""Largest entry of a Jacobian that is assumed at least."""
NUMBERS: Final = ("exact", "good", "near", "reach", "little")
FIELDS: Final = (
    "residual", "jacobian", "move", "table", "further", "strides", "free", "n_further",
    "lower", "upper", "coordinates",
    "m", "n", "nv", "nq", "stride", "rounds", "bytes", *NUMBERS,
    "inputs", "outputs", "motion", "phi", "trial_phi", "best_phi", "trial_q", "best_q", "step",
    "change", "rows", "columns", "gathered", "A", "B", "y", "order", "diagonal", "factors",
)  # fmt: skip
"""The control block: functions, where data are, sizes, tolerances, and where in the memory of a
thread each array begins [doubles]."""


def solver_ir(layout: Layout) -> str:
    """Return the module, which exports ``@batch`` and ``@move``."""
    return "\n".join(
        [
            intrinsics(layout),
            *(f"declare double @{name}(double)" for name in ("sin", "cos")),
            "declare ptr @malloc(i64)",
            "declare void @free(ptr)",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            householder_functions(layout),
            damped_step_functions(layout),
            move_ir(layout),
            f"declare double @llvm.vector.reduce.fmax.{layout.suffix}({layout.real})",
            _largest(layout),
            _spread(layout),
            _gather(layout),
            _solve(layout),
            _damped(layout),
            _advance(layout),
            _settle(layout),
            _batch(layout),
        ]
    )


class _Writer(IrWriter):
    """Collects the lines of a function of a control block and of the memory of a thread."""

    ARGUMENTS: Final = ("ptr %control", "ptr %memory")

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, ("batch",))
        self.both = self.value("%control", "ptr"), self.value("%memory", "ptr")

    def get(self, name: str, kind: str = "i64") -> Value:
        """Return a field of the control block."""
        return self.read("%control", FIELDS.index(name), kind)

    def real(self, number: float) -> Value:
        """Return a number of Python."""
        return self.value(double(number))

    def array(self, name: str) -> Value:
        """Return where an array begins."""
        return self.address("%memory", self.get(name))

    def call(self, function: str, inputs: Value, result: Value) -> None:
        """Write the call of one of the functions of the problem."""
        outputs = self.array("outputs")
        self.write(result, outputs, 0, "ptr")
        self.line(f"call void {self.get(function, 'ptr')}(ptr {inputs}, ptr {outputs})")

    def call_rows(self, function: str, q: Value, result: Value) -> None:
        """Write the call of residuals or Jacobian."""
        inputs = self.array("inputs")
        self.write(q, inputs, 0, "ptr")
        self.call(function, inputs, result)

    def squares(self, phi: Value) -> Value:
        """Return the sum of squares of residuals."""
        return self.ask("double", PRODUCT, phi, phi, 0, self.get("m"))


def _largest(layout: Layout) -> str:
    """Return ``double @largest(x, n)``: the largest magnitude."""
    w = _Writer(layout)
    carry = {"most": ("double", "0.0")}
    with w.loop("i", 0, "%n", carry=carry) as after:
        after["most"] = abs(w.read("%x", "%i")).at_least(w.value("%most"))
    return w.returning(w.value("%most"), "largest", "ptr %x", "i64 %n")


def _gather(layout: Layout) -> str:
    """Return ``double @gather(c, memory, q)``: the free columns of J; their largest entry, or NaN.

    They are laid down as columns and, each filled up to whole registers, as rows.  Columns of
    coordinates at a limit beyond which the residuals would fall are zero, so that no step leaves
    it.
    """
    w = _Writer(layout)
    rows, columns, free = w.array("rows"), w.array("columns"), w.get("free", "ptr")
    m, n, nv, stride = (w.get(name) for name in ("m", "n", "nv", "stride"))
    gathered, size = w.array("gathered"), padded(w, n)
    with w.count_up(0, n) as j:
        source = w.address(rows, w.read(free, j, "i64"))
        goal = w.address(columns, j * stride)
        with w.count_up(0, m) as i:
            entry = w.read(source, i * nv)
            w.write(entry, goal, i)
            w.write(entry, gathered, i * size + j)
    with w.when(w.get("lower").differs(0)), w.count_up(0, n) as j:
        number = w.read(w.get("coordinates", "ptr"), j, "i64")
        with w.when(number >= 0):
            place = w.read("%q", number)
            is_low = place <= w.read(w.get("lower", "ptr"), number)
            is_high = place >= w.read(w.get("upper", "ptr"), number)
            with w.when(is_low | is_high):
                column = w.address(columns, j * stride)
                slope = w.ask("double", PRODUCT, column, w.array("phi"), 0, m)
                stays = (is_low & (slope > 0.0)) | (is_high & (slope < 0.0))
                with w.when(stays), w.count_up(0, m) as i:
                    w.write(0.0, column, i)
                    w.write(0.0, gathered, i * size + j)
    scale = w.ask("double", "spread", gathered, m * size)
    result = scale.at_least(LEAST_SCALE) + (scale - scale)
    return w.returning(result, "gather", *w.ARGUMENTS, "ptr %q")


def _spread(layout: Layout) -> str:
    """Return ``double @spread(x, n)``: the largest magnitude in whole registers, NaN if one is."""
    w = _Writer(layout)
    zero = (layout.real, "zeroinitializer")
    with w.loop("i", 0, "%n", layout.width, carry={"most": zero, "poison": zero}) as after:
        entries = abs(w.load("%x"))
        after["most"] = entries.at_least(w.value("%most", layout.real))
        after["poison"] = w.value("%poison", layout.real) + (entries - entries)
    most = w.value("%most", layout.real)
    largest = w.put(f"call double @llvm.vector.reduce.fmax.{layout.suffix}({most.kind} {most})")
    result = largest + w.reduced(w.value("%poison", layout.real))
    return w.returning(result, "spread", "ptr %x", "i64 %n")


def _damped(layout: Layout) -> str:
    """Return ``@damped(c, memory, damping, scale)``: the step of least |J x + φ|² + λ s² |x|²."""
    w = _Writer(layout)
    damping, scale = w.value("%damping"), w.value("%scale")
    with w.when(damping < SQUARED):
        w.do("solve", *w.both, damping.sqrt() * scale)
        w.line("ret void")
        w.block("unreachable")
    sizes, squared = (w.get("m"), w.get("n")), damping * scale * scale
    memory = (w.array(name) for name in ("A", "diagonal", "step"))
    w.do(DAMPED_STEP, w.array("gathered"), w.array("phi"), *sizes, squared, *memory)
    return w.define("damped", *w.ARGUMENTS, "double %damping", "double %scale")


def _solve(layout: Layout) -> str:
    """Return ``@solve(c, memory, weight)``: the step of least |J x + φ|² + weight² |x|²."""
    w = _Writer(layout)
    m, n, stride = w.get("m"), w.get("n"), w.get("stride")
    A, phi = w.array("A"), w.array("phi")
    w.copy(A, w.array("columns"), n * stride)
    right, weight = w.address(A, n * stride), w.value("%weight")
    with w.count_up(0, stride) as i:
        w.write(0.0, right, i)
    with w.count_up(0, m) as i:
        w.write(-w.read(phi, i), right, i)
    is_damped = weight > 0.0
    with w.when(is_damped), w.count_up(0, n) as j:
        w.write(weight, w.address(A, j * stride), m + j)
    shape = stride, n, is_damped.choose(m + n, m), is_damped.choose(m + 1, m)
    vectors = (w.array(name) for name in ("step", "y", "order", "diagonal", "factors"))
    w.do(SHORTEST, A, w.array("B"), *shape, is_damped.choose(0.0, w.real(RANK)), *vectors)
    return w.define("solve", *w.ARGUMENTS, "double %weight")


def _advance(layout: Layout) -> str:
    """Return ``double @advance(c, memory, q, best)``: tries the step from q.

    Where the sum of squares is less than the best one, it is returned, and the step is kept.
    """
    w = _Writer(layout)
    q, best = w.value("%q", "ptr"), w.value("%best")
    step, n = w.array("step"), w.get("n")
    longest = w.ask("double", "largest", step, n)
    factor = (w.get("reach", "double") / longest.at_least(1e-300)).at_most(1.0)
    change, free = w.array("change"), w.get("free", "ptr")
    with w.count_up(0, n) as k:
        w.write(w.read(step, k) * factor, change, w.read(free, k, "i64"))
    motion, trial, phi = w.array("motion"), w.array("trial_q"), w.array("trial_phi")
    for number, pointer in enumerate((q, change, w.get("table", "ptr"))):
        w.write(pointer, motion, number, "ptr")
    w.call("move", motion, trial)
    with w.when(w.get("lower").differs(0)), w.count_up(0, w.get("nq")) as i:
        low, high = (w.read(w.get(name, "ptr"), i) for name in ("lower", "upper"))
        w.write(w.read(trial, i).at_least(low).at_most(high), trial, i)
    w.call_rows("residual", trial, phi)
    squares = w.squares(phi)
    is_better = squares < best  # not for NaN
    with w.when(is_better):
        w.copy(w.array("best_q"), trial, w.get("nq"))
        w.copy(w.array("best_phi"), phi, w.get("m"))
    result = is_better.choose(squares, best)
    return w.returning(result, "advance", *w.ARGUMENTS, "ptr %q", "double %best")


def _settle(layout: Layout) -> str:
    """Return ``double @settle(c, memory, q)``: moves a start; its largest residual, or NaN."""
    w = _Writer(layout)
    q, phi, m, near = w.value("%q", "ptr"), w.array("phi"), w.get("m"), w.get("near", "double")
    w.call_rows("residual", q, phi)
    squares, scale, best = (w.variable(value) for value in [w.squares(phi), *[w.real(0.0)] * 2])
    damping, is_new = w.variable(w.real(FIRST_DAMPING)), w.variable(1)
    with w.when((squares.value - squares.value).is_nan()):
        w.give(squares.value - squares.value)
        w.block("unreachable")
    with w.loop("round", 0, w.get("rounds")):
        size = w.ask("double", "largest", phi, m)
        w.leave_if(~(size > w.get("exact", "double")), "settled", otherwise="goes.on")
        with w.when(is_new.value.differs(0)):
            w.call_rows("jacobian", q, w.array("rows"))
            scale.value = w.ask("double", "gather", *w.both, q)
        w.leave_if(scale.value.is_nan(), "settled", otherwise="is.sound")
        before = squares.value
        best.value = before
        with w.when((size < near) & is_new.value.differs(0)):
            w.do("solve", *w.both, w.real(0.0))
            best.value = w.ask("double", "advance", *w.both, q, before)
        with w.when(~(best.value < GOOD_GAIN * before)):
            w.do("damped", *w.both, damping.value, scale.value)
            best.value = w.ask("double", "advance", *w.both, q, best.value)
        after, weight = best.value, damping.value
        moved = after < before
        with w.when(moved):
            w.copy(q, w.array("best_q"), w.get("nq"))
            w.copy(phi, w.array("best_phi"), m)
        squares.value, is_new.value = after, moved.to_whole()
        damping.value = moved.choose((weight / EASED).at_least(LEAST_DAMPING), weight * BRAKED)
        failed = ~moved & ((weight > MOST_DAMPING) | (size <= w.get("good", "double")))
        crawls = moved & (1.0 - after / before < w.get("little", "double")) & (size > near)
        w.leave_if(failed | crawls, "settled", otherwise="next.round")
    w.label("settled")
    largest = w.ask("double", "largest", phi, m)
    return w.returning(largest, "settle", *w.ARGUMENTS, "ptr %q")


def _batch(layout: Layout) -> str:
    """Return ``i32 @batch(start, stop, control, outputs)``: moves some of the starts.

    The outputs are q, shape (n, nq), and the largest residuals, shape (n,).  Returns 1 where memory
    is short.
    """
    w = _Writer(layout)
    size = w.get("bytes")
    memory = w.put(f"call ptr @malloc(i64 {size})")
    w.leave_if(w.put(f"icmp eq ptr {memory}, null"), "short", otherwise="enough")
    w.line(f"call void @llvm.memset.p0.i64(ptr {memory}, i8 0, i64 {size}, i1 0)")
    inputs = w.address(memory, w.get("inputs"))
    further, strides = w.get("further", "ptr"), w.get("strides", "ptr")
    starts, sizes = (w.read("%outputs", number, "ptr") for number in range(2))
    with w.count_up(w.number("%start"), w.number("%stop")) as i:
        with w.count_up(0, w.get("n_further")) as k:
            shift = i * w.read(strides, k, "i64")
            w.write(w.address(w.read(further, k, "ptr"), shift), inputs, k + 1, "ptr")
        q = w.address(starts, i * w.get("nq"))
        w.write(w.ask("double", "settle", w.both[0], memory, q), sizes, i)
    w.line(f"call void @free(ptr {memory})")
    w.line("ret i32 0")
    w.block("short")
    arguments = "i64 %start", "i64 %stop", "ptr %control", "ptr %outputs"
    return w.returning(w.value("1", "i32"), "batch", *arguments)
