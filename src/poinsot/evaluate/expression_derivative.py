"""The derivatives of an expression of the state by everything that it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.expression import Expression, compiled_program, expression_values
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Rolled, build, derivatives_along, fresh_symbols, jacobian, optimise
from poinsot.expr.rolled_tangent import with_tangents
from poinsot.expr.staged_program import needed_stages, recorded_stages, rolled_program_of
from poinsot.formulations.position_rate import tangent_basis
from poinsot.kernels.kernel import AbstractKernel
from poinsot.model import Mechanism
from poinsot.spatial import Array

BY: Final = ("q", "v", "a", "tau")
"""By what it is differentiated, besides the parameters."""
WRITTEN_OUT = 5_000
"""Operations of a quantity up to which it is written out, and differentiated as a whole; beyond,
its loops are differentiated along one direction after the other."""


def expression_derivative(
    mechanism: Mechanism, given: Expression, where: str, point: Mapping[str, ArrayLike]
) -> Array:
    """Return the derivatives of an expression of one number.

    Args:
        mechanism: The bodies.
        given: A formula, or a function of t, q and v.
        where: Opens the message of an error.
        point: Values of t, q, v, a, tau and of the free parameters, if there are some.

    Returns:
        Those by q (along ``integrate``), v, a and tau, nv each, then those by the parameters.
    """
    points = {name: np.array([values], float) for name, values in point.items()}
    row: Array = expression_derivatives(mechanism, given, where, points)[0]
    return row


def expression_derivatives(
    mechanism: Mechanism, given: Expression, where: str, points: Mapping[str, Array]
) -> Array:
    """Return the derivatives of an expression of one number at many points.

    Args:
        mechanism: The bodies.
        given: A formula, or a function of t, q and v.
        where: Opens the message of an error.
        points: Values as for ``expression_derivative``, shapes (N, size).

    Returns:
        Rows as of ``expression_derivative``, shape (N, 4 nv + number of parameters).
    """
    differentiated = _formula_kernel if isinstance(given, str) else _kernel
    kernel = differentiated(mechanism, given, where)
    names = ("t", "q", "v", "a", "tau", *parameter_symbols(mechanism))
    rows = [np.ascontiguousarray(points[name], float) for name in names]
    if isinstance(kernel.program, Rolled):
        return np.array([_along_units(mechanism, kernel, row) for row in zip(*rows, strict=True)])
    result: Array = np.empty((len(rows[0]), kernel.signature.outputs[0].size))
    kernel.run(rows, [result])
    return result


def _kernel(mechanism: Mechanism, given: Expression, where: str) -> AbstractKernel:
    """Return the kernel of the derivatives; one along directions where it is rolled."""
    sizes = {"t": 1, "q": mechanism.nq, **dict.fromkeys(("v", "a", "tau"), mechanism.nv)}
    symbols = {name: fresh_symbols(name, size) for name, size in sizes.items()}
    free = parameter_symbols(mechanism)
    with recorded_stages(WRITTEN_OUT) as stages:
        value = np.asarray(expression_values(mechanism, given, symbols, where)).reshape(-1)[:1]
    inputs, by = symbols | free, (*BY, *free)
    if needed_stages(value, stages):
        rolled = rolled_program_of(inputs, {where: value}, stages)
        return compiled_program(with_tangents(rolled, by))
    basis = tangent_basis(mechanism, symbols["q"])
    by_q = jacobian(value, symbols["q"])
    if basis is not None:
        by_q = derivatives_along(value, symbols["q"], basis)
    parts = [np.ravel(by_q), *(np.ravel(jacobian(value, inputs[name])) for name in by[1:])]
    return compiled_program(optimise(build(inputs, {where: np.concatenate(parts)})))


_formula_kernel = lru_cache(maxsize=64)(_kernel)
"""The same for formulas, which mean the same each time."""


def _along_units(mechanism: Mechanism, kernel: AbstractKernel, point: tuple[Array, ...]) -> Array:
    """Return the derivatives at one point, by a kernel of those along a direction."""
    names = (port.name for port in kernel.signature.inputs)
    values = dict(zip(names, point, strict=False))
    blocks = [np.eye(values[name].size) for name in (*BY, *parameter_symbols(mechanism))]
    basis = tangent_basis(mechanism, values["q"])
    blocks[0] = blocks[0] if basis is None else np.asarray(basis, float).T
    directions = _block_diagonal(blocks)
    ends = np.cumsum([block.shape[1] for block in blocks])[:-1]
    states = [np.repeat(values[None], len(directions), axis=0) for values in point]
    along = [np.ascontiguousarray(x) for x in np.split(directions, ends, axis=1)]
    row: Array = np.empty(len(directions))
    kernel.run([*states, *along], [row.reshape(-1, 1)])
    return row


def _block_diagonal(blocks: list[Array]) -> Array:
    rows, columns = np.cumsum([(0, 0), *(block.shape for block in blocks)], axis=0).T
    matrix = np.zeros((rows[-1], columns[-1]))
    for k, block in enumerate(blocks):
        matrix[rows[k] : rows[k + 1], columns[k] : columns[k + 1]] = block
    return matrix
