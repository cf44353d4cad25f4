"""The derivatives of an expression of the state by everything that it depends on."""

from __future__ import annotations

import numpy as np

from poinsot.evaluate.expression import Expression, compiled_program, expression_values
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import build, derivatives_along, fresh_symbols, jacobian, optimise
from poinsot.formulations.position_rate import tangent_basis
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.model import Mechanism

ARGUMENTS = ("q", "v", "a", "tau", "parameters")
"""What an expression is differentiated by, in the order of the columns."""


def expression_derivative(
    mechanism: Mechanism, given: Expression, where: str
) -> AbstractMachineKernel:
    """Return the derivatives of an expression of one number as a kernel.

    Its inputs are t, q, v, a, tau and the free parameters, if there are some; its result has the
    derivatives by q (along ``integrate``), v, a and tau, nv each, then those by the parameters.

    Args:
        mechanism: The bodies.
        given: A formula, or a function of t, q and v.
        where: Opens the message of an error.
    """
    sizes = {"t": 1, "q": mechanism.nq, **dict.fromkeys(("v", "a", "tau"), mechanism.nv)}
    symbols = {name: fresh_symbols(name, size) for name, size in sizes.items()}
    free = parameter_symbols(mechanism)
    value = np.asarray(expression_values(mechanism, given, symbols, where)).reshape(-1)[:1]
    basis = tangent_basis(mechanism, symbols["q"])
    by_q = jacobian(value, symbols["q"])
    if basis is not None:
        by_q = derivatives_along(value, symbols["q"], basis)
    others = [symbols[name] for name in ("v", "a", "tau")] + list(free.values())
    parts = [np.ravel(by_q), *(np.ravel(jacobian(value, x)) for x in others)]
    return compiled_program(optimise(build(symbols | free, {where: np.concatenate(parts)})))
