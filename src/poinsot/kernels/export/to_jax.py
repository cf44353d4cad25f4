"""Routines as functions of JAX, for jit, vmap and grad."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from poinsot.errors import ShapeError
from poinsot.expr import Op, Program
from poinsot.expr.ops import ARITY
from poinsot.kernels.export.operation_rounds import FILLER, rounds_of
from poinsot.kernels.export.routine import Routine
from poinsot.kernels.export.run_on_values import follow, needed

MOST_UNROLLED: Final = 300
"""Operations up to which XLA sees each one; its time to compile grows with their square."""


def to_jax(routine: Routine) -> Callable[..., Any]:
    """Return the routine as a plain function of JAX arrays, one for each input.

    Arrays may have any leading dimensions, which broadcast.  Precision is that of JAX: single
    unless ``jax_enable_x64`` is set.  The function is not compiled; ``jax.jit`` does that.

    Raises:
        PoinsotError: JAX is not installed.
    """
    needed("jax")
    import jax.numpy as jnp

    program = routine.program
    results = _unrolled if program.n_operations <= MOST_UNROLLED else _in_rounds

    def function(*arrays: Any) -> Any:  # noqa: ANN401 (JAX arrays)
        if len(arrays) != len(program.inputs):
            names = ", ".join(port.name for port in program.inputs)
            raise ShapeError(f"{routine.name}: give {names}; got {len(arrays)} arrays")
        entries: list[Any] = []
        shapes = []
        for port, given in zip(program.inputs, arrays, strict=True):
            array = jnp.asarray(given, dtype=float)
            if array.ndim == 0 or array.shape[-1] != port.size:
                raise ShapeError(
                    f"{routine.name}: {port.name} must have shape (..., {port.size}), "
                    f"got {array.shape}"
                )
            shapes.append(array.shape[:-1])
            entries += [array[..., k] for k in range(port.size)]
        batch = jnp.broadcast_shapes(*shapes)
        values = results(program, entries, batch)
        outputs, start = [], 0
        for port in program.outputs:
            flat = jnp.moveaxis(values[start : start + port.size], 0, -1)
            outputs.append(flat.reshape((*batch, *port.shape)))
            start += port.size
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    function.__name__ = function.__qualname__ = routine.name
    function.__doc__ = "\n".join(routine.description())
    return function


def _unrolled(program: Program, entries: list[Any], batch: tuple[int, ...]) -> Any:  # noqa: ANN401
    """Return the results, shape (results, ...), by one operation of JAX per step."""
    return _stacked(follow(program, entries, _operations()), batch)


def _in_rounds(program: Program, entries: list[Any], batch: tuple[int, ...]) -> Any:  # noqa: ANN401
    """Return the results, shape (results, ...), by a loop over rounds of one operation."""
    import jax

    rounds, operations = rounds_of(program), _operations()
    leaves = _stacked([*entries, *program.constants, FILLER], batch)
    empty = _stacked([0.0] * (rounds.size - len(leaves)), batch)

    def doing(op: Op) -> Callable[[Any], Any]:
        return lambda operands: operations[op](*[operands[k] for k in range(ARITY[op])])

    branches = [doing(op) for op in rounds.operations]

    def one_round(values: Any, row: Any) -> tuple[Any, None]:  # noqa: ANN401
        code, operands, start = row
        result = jax.lax.switch(code, branches, values[operands])
        return jax.lax.dynamic_update_slice_in_dim(values, result, start, 0), None

    table = (rounds.codes, rounds.operands, rounds.starts)
    values, _ = jax.lax.scan(one_round, jax.numpy.concatenate([leaves, empty]), table)
    return values[rounds.results]


def _stacked(values: list[Any], batch: tuple[int, ...]) -> Any:  # noqa: ANN401
    """Return numbers and arrays of the shape of the batch as one array, shape (values, ...)."""
    import jax.numpy as jnp

    if not values:
        return jnp.zeros((0, *batch))
    return jnp.stack([jnp.broadcast_to(jnp.asarray(x, dtype=float), batch) for x in values])


@cache
def _operations() -> Mapping[Op, Callable[..., Any]]:
    import jax.numpy as jnp

    def compared(relation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda a, b: jnp.where(jnp.isnan(a) | jnp.isnan(b), jnp.nan, relation(a, b))

    def select(condition: Any, a: Any, b: Any) -> Any:  # noqa: ANN401
        chosen = jnp.where(jnp.asarray(condition) != 0, a, b)
        return jnp.where(jnp.isnan(condition), jnp.nan, chosen)

    return {
        Op.ADD: jnp.add,
        Op.SUB: jnp.subtract,
        Op.MUL: jnp.multiply,
        Op.DIV: jnp.divide,
        Op.NEG: jnp.negative,
        Op.SQRT: jnp.sqrt,
        Op.SIN: jnp.sin,
        Op.COS: jnp.cos,
        Op.TAN: jnp.tan,
        Op.ASIN: jnp.arcsin,
        Op.ACOS: jnp.arccos,
        Op.ATAN2: jnp.arctan2,
        Op.EXP: jnp.exp,
        Op.LOG: jnp.log,
        Op.POW: jnp.power,
        Op.MIN: jnp.minimum,
        Op.MAX: jnp.maximum,
        Op.ABS: jnp.abs,
        Op.SIGN: jnp.sign,
        Op.FLOOR: jnp.floor,
        Op.LESS: compared(jnp.less),
        Op.LESS_EQUAL: compared(jnp.less_equal),
        Op.EQUAL: compared(jnp.equal),
        Op.SELECT: select,
    }
