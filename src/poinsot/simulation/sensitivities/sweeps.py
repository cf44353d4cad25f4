"""The derivatives of a run taken through its steps, as compiled loops.

A step of an explicit Runge-Kutta method from y with given h (``integrators/explicit.py``),

    k[s] = f(t + c[s] h, y + h sum of a[s][j] k[j]),      x = P(y + h sum of b[j] k[j]),

P being the normalisation of quaternions and the Newton steps towards the constraints, is
differentiated as it stands [HNW, section I.14]: with D = dy along some directions

    D k[s] = f_y (D + h sum of a[s][j] D k[j]) + f_p dp
    D x = P_y (D + h sum of b[j] D k[j]) + P_p dp

forwards, one direction in each lane, and with weights w of the end

    u[s] = h (b[s] P_yᵀ w + sum of a[j][s] f_y[j]ᵀ u[j])

backwards: the weights of the start are P_yᵀ w + sum of f_y[s]ᵀ u[s], and the gradient by p is the
sum of f_p[s]ᵀ u[s].  The loops call the kernels of ``rate_products.py`` at stages that are known;
what P adds by p is added by who calls them.  P_y is a matrix of each step; backwards, without
quaternions, P is a kernel of its own (``projected.py``).

Vectors are padded to whole registers.  Forwards, of G groups of W directions each, a vector is
(G, n, W); tangents after each step stand one behind the other.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, Final

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout, intrinsics
from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.target import Target

FIELDS: Final = {
    "n_steps": "i64",
    "n_stages": "i64",  # of a step, without those for dense output
    "n_rows": "i64",  # of the coefficients: all stages; the last one is b
    "n": "i64",  # numbers in a state
    "size": "i64",  # of a vector in memory
    "n_parameters": "i64",  # padded
    "n_groups": "i64",
    "n_varying": "i64",  # inputs of the kernel that differ from stage to stage
    "n_inputs": "i64",
    "kernel": "ptr",
    "sources": "ptr",  # of the varying inputs: where they are at the first stage of the first step,
    "strides": "ptr",  # bytes from one step to the next,
    "sizes": "ptr",  # their sizes,
    "goals": "ptr",  # and where they go: the pointer of the input, or its memory in lanes
    "inputs": "ptr",  # pointers to all inputs, of each group
    "outputs": "ptr",  # pointers to all outputs
    "coefficients": "ptr",  # shape (n_rows + 1, n_rows)
    "h": "ptr",  # lengths of steps
    "moves": "ptr",  # P_y of every step; or null
    "row": "i64",  # its rows in memory
    "updates": "ptr",  # likewise what sampled states do after a step; or null
    "shifts": "ptr",  # what that adds along the directions of the parameters
    "dense": "ptr",  # whether a step needs all stages; or null
    "kept": "ptr",  # where their tangents go
    "k": "ptr",  # tangents of the stages; backwards u
    "x": "ptr",  # argument of a stage
    "vectors": "ptr",  # tangents before and after all steps; backwards weights of the ends
    "by_state": "ptr",  # outputs of the kernel, backwards
    "by_parameters": "ptr",
    "weights": "ptr",  # of the end, then of the start
    "n_pulls": "i64",  # backwards, in place of moves: Newton steps, by a kernel of their own
    "n_pulled": "i64",  # entries of a state that they move
    "pull:kernel": "ptr",
    "pull:n_inputs": "i64",
    "pull:n_varying": "i64",
    "pull:sources": "ptr",
    "pull:strides": "ptr",
    "pull:goals": "ptr",
    "pull:inputs": "ptr",
    "gradient": "ptr",
}
"""Words of the block that the loops work on, and their types."""
EXPORTED: Final = ("forward", "backward")
_SWEEP = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def sweep(name: str, words: dict[str, int]) -> None:
    """Run one of the loops; the GIL is released meanwhile.

    Args:
        name: One of ``EXPORTED``.
        words: Numbers and addresses by the names of ``FIELDS``; 0 where none is given.
    """
    block = (ctypes.c_int64 * len(FIELDS))(*(words.get(field, 0) for field in FIELDS))
    _function(name)(ctypes.addressof(block))


@lru_cache(maxsize=2)
def _function(name: str) -> Any:  # noqa: ANN401 (a function of ctypes)
    return _SWEEP(_library().address(name))


@lru_cache(maxsize=1)
def _library() -> Library:
    target = Target.of_loops()
    layout = Layout(target.width)
    functions = [
        intrinsics(layout), _add(layout), _argument(layout), _spread(layout), _evaluate(layout),
        _moved(layout), _forward(layout), _product(layout), _product(layout, "pull:"),
        _moved_back(layout), _backward(layout),
    ]  # fmt: skip
    return load_library("\n".join(functions), EXPORTED, {}, target)


class _SweepWriter(IrWriter):
    """Collects the lines of one function of the block ``%c``."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, EXPORTED, ("ptr %c",))

    def get(self, name: str) -> Value:
        """Return a word of the block."""
        return self.read("%c", list(FIELDS).index(name), FIELDS[name])

    def vector(self, base: Value, number: Value | int) -> Value:
        """Return where a vector starts, in memory that holds vector after vector."""
        return self.address(base, self.get("size") * number)

    def coefficient(self, row: Value, column: Value) -> Value:
        """Return one of the coefficients of the integrator."""
        return self.read(self.get("coefficients"), row * self.get("n_rows") + column)

    def is_there(self, base: Value) -> Value:
        """Return whether an address is given."""
        return self.put(f"icmp ne ptr {base}, null")


def _add(layout: Layout) -> str:
    """Return ``@add(c, goal, source, factor, count)``: goal += factor source."""
    w = _SweepWriter(layout)
    factor = w.splat(w.value("%factor"))
    with w.loop("i", 0, "%count", layout.width):
        w.store(w.load("%goal") + factor * w.load("%source"), "%goal")
    return w.define("add", "ptr %goal", "ptr %source", "double %factor", "i64 %count")


def _argument(layout: Layout) -> str:
    """Return ``@argument(c, row, stop, start, h)``: x = start + h sum of coefficients k."""
    w = _SweepWriter(layout)
    x, k, size, row = w.get("x"), w.get("k"), w.get("size"), w.number("%row")
    w.copy(x, w.value("%start", "ptr"), size)
    with w.count_up(0, w.number("%stop")) as j:
        factor = w.coefficient(row, j)
        with w.when(factor.differs(0.0)):
            w.do("add", x, w.vector(k, j), factor * w.value("%h"), size)
    return w.define("argument", "i64 %row", "i64 %stop", "ptr %start", "double %h")


def _source(w: _SweepWriter, number: Value, row: Value, kind: str = "") -> Value:
    """Return where a varying input is at a row of the stages of all steps."""
    shift = w.read(w.get(f"{kind}strides"), number, "i64") * row
    first = w.read(w.get(f"{kind}sources"), number, "ptr")
    return w.put(f"getelementptr i8, ptr {first}, i64 {shift}")


def _spread(layout: Layout) -> str:
    """Return ``@spread(c, row)``: the varying inputs, in all lanes."""
    w = _SweepWriter(layout)
    with w.count_up(0, w.get("n_varying")) as number:
        source = _source(w, number, w.number("%row"))
        goal = w.read(w.get("goals"), number, "ptr")
        with w.count_up(0, w.read(w.get("sizes"), number, "i64")) as i:
            w.store(w.splat(w.read(source, i)), goal, i * layout.width)
    return w.define("spread", "i64 %row")


def _evaluate(layout: Layout) -> str:
    """Return ``@evaluate(c, stage, step)``: k[stage], the derivatives along x."""
    w = _SweepWriter(layout)
    stage, groups = w.number("%stage"), w.get("n_groups")
    w.do("spread", stage * w.get("n_steps") + w.number("%step"))
    outputs, k = w.get("outputs"), w.vector(w.get("k"), stage)
    kernel, inputs, count = w.get("kernel"), w.get("inputs"), w.get("n_inputs")
    length = w.get("n") * layout.width
    with w.count_up(0, groups) as group:
        w.write(w.address(k, group * length), outputs, 0, "ptr")
        pointers = w.address(inputs, group * count, "ptr")
        w.line(f"call void {kernel}(ptr {pointers}, ptr {outputs})")
    return w.define("evaluate", "i64 %stage", "i64 %step")


def _moved(layout: Layout) -> str:
    """Return ``@moved(c, matrices, step, goal)``: goal += the matrix of a step times x."""
    w = _SweepWriter(layout)
    n, x, goal = w.get("n"), w.get("x"), w.value("%goal", "ptr")
    matrix = w.address("%matrices", w.number("%step") * n * w.get("row"))
    with w.count_up(0, w.get("n_groups")) as group:
        first = group * n
        with w.count_up(0, n) as i:
            row = w.address(matrix, i * w.get("row"))
            entry = w.address(goal, (first + i) * layout.width)
            carry = {"sum": (layout.real, w.load(entry, "0"))}
            with w.loop("j", 0, n, carry=carry) as after:
                times = w.splat(w.read(row, "%j"))
                column = w.load(x, (first + w.number("%j")) * layout.width)
                after["sum"] = w.value("%sum", layout.real) + times * column
            w.store("%sum", entry, "0")
    return w.define("moved", "ptr %matrices", "i64 %step", "ptr %goal")


def _forward(layout: Layout) -> str:
    """Return ``@forward(c)``: tangents after every step, and of the stages of some steps."""
    w = _SweepWriter(layout)
    vectors, rows, stages, size = (w.get(x) for x in ("vectors", "n_rows", "n_stages", "size"))
    moves, dense, x, updates = (w.get(name) for name in ("moves", "dense", "x", "updates"))
    kept = w.variable(w.get("kept"))
    with w.count_up(0, w.get("n_steps")) as step:
        h, start = w.read(w.get("h"), step), w.vector(vectors, step)
        end = w.vector(vectors, step + 1)
        with w.count_up(0, stages) as s:
            w.do("argument", s, s, start, h)
            w.do("evaluate", s, step)
        w.do("argument", rows, stages, start, h)
        with w.when(w.is_there(moves)):
            w.do("moved", moves, step, end)
        with w.when(~w.is_there(moves)):
            w.copy(end, x, size)
        with w.when(w.is_there(dense)), w.when(w.read(dense, step, "i64").differs(0)):
            w.copy(x, end, size)
            w.do("evaluate", stages, step)
            with w.count_up(stages + 1, rows) as s:
                w.do("argument", s, s, start, h)
                w.do("evaluate", s, step)
            w.copy(kept.value, w.get("k"), rows * size)
            kept.value = w.address(kept.value, rows * size)
        with w.when(w.is_there(updates)):
            w.copy(x, end, size)
            w.copy(end, w.vector(w.get("shifts"), step), size)
            w.do("moved", updates, step, end)
    return w.define("forward")


def _product(layout: Layout, kind: str = "") -> str:
    """Return ``@product(c, row, weights)``: a kernel at a row, its outputs in their places.

    ``@pull:product`` is that of Newton steps.
    """
    w = _SweepWriter(layout)
    with w.count_up(0, w.get(f"{kind}n_varying")) as number:
        goal = w.read(w.get(f"{kind}goals"), number, "ptr")
        w.write(_source(w, number, w.number("%row"), kind), goal, 0, "ptr")
    inputs = w.get(f"{kind}inputs")
    w.write("%weights", inputs, w.get(f"{kind}n_inputs") - 1, "ptr")
    w.line(f"call void {w.get(f'{kind}kernel')}(ptr {inputs}, ptr {w.get('outputs')})")
    by_parameters, count = w.get("by_parameters"), w.get("n_parameters")
    w.do("add", w.get("gradient"), by_parameters, w.value("1.0"), count)
    return w.define(f"{kind.replace(':', '_')}product", "i64 %row", "ptr %weights")


def _moved_back(layout: Layout) -> str:
    """Return ``@moved_back(c, matrices, step)``: weights = weights times the matrix of a step."""
    w = _SweepWriter(layout)
    n, size, x, weights = w.get("n"), w.get("size"), w.get("x"), w.get("weights")
    matrix = w.address("%matrices", w.number("%step") * n * w.get("row"))
    with w.count_up(0, size, layout.width) as i:
        w.store(w.constant(0.0), x, i)
    with w.count_up(0, n) as i:
        w.do("add", x, w.address(matrix, i * w.get("row")), w.read(weights, i), size)
    w.copy(weights, x, size)
    return w.define("moved_back", "ptr %matrices", "i64 %step")


def _backward(layout: Layout) -> str:
    """Return ``@backward(c)``: weights of the start, and the gradient by parameters."""
    w = _SweepWriter(layout)
    steps, stages, size, rows = (w.get(x) for x in ("n_steps", "n_stages", "size", "n_rows"))
    weights, k, vectors, by_state = (w.get(x) for x in ("weights", "k", "vectors", "by_state"))
    pulls = w.get("n_pulls")
    with w.count_up(0, steps) as number:
        step = steps - 1 - number
        h = w.read(w.get("h"), step)
        w.copy(w.vector(vectors, step), weights, size)
        for name in ("updates", "moves"):
            with w.when(w.is_there(w.get(name))):
                w.do("moved_back", w.get(name), step)
        with w.count_up(0, pulls) as turn:
            w.do("pull_product", (pulls - 1 - turn) * steps + step, weights)
            w.copy(weights, by_state, w.get("n_pulled"))
        with w.count_up(0, stages) as s:
            factor, u = w.splat(w.coefficient(rows, s) * h), w.vector(k, s)
            with w.count_up(0, size, layout.width) as i:
                w.store(factor * w.load(weights, i), u, i)
        with w.count_up(0, stages) as turn:
            s = stages - 1 - turn
            w.do("product", s * steps + step, w.vector(k, s))
            w.do("add", weights, by_state, w.value("1.0"), size)
            with w.count_up(0, s) as j:
                factor = w.coefficient(s, j)
                with w.when(factor.differs(0.0)):
                    w.do("add", w.vector(k, j), by_state, factor * h, size)
    return w.define("backward")
