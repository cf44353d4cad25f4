"""What ``verify`` checks of derivatives: those of the graph against Zaremba's closed forms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.derivative import trace_derivative
from poinsot.evaluate.request import Derivative, Request
from poinsot.formulations.coefficient_vectors import CoefficientVectors
from poinsot.front.system import System
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import Mechanism
from poinsot.spatial import Array
from poinsot.verification.comparison import Compare, relative

__all__ = ["derivative_comparisons"]

MOST = 6
"""Velocities up to which all derivatives of the mass matrix are compared."""
AGREEMENT = 1e-10


def derivative_comparisons(system: System) -> Iterator[tuple[str, float, Compare]]:
    """Yield the checks: name, tolerance and comparison; none where the axes of a joint move."""
    mechanism = system.mechanism
    if not 0 < mechanism.nv <= MOST:
        return
    try:
        CoefficientVectors(mechanism, system.random(np.random.default_rng(0)))
    except ModelError:
        return
    yield "derivatives of M: graph, closed form", AGREEMENT, _of_mass_matrix


def _of_mass_matrix(system: System, q: Array, v: Array, tau: Array) -> float:
    mechanism = system.mechanism
    kernel = _derivative(mechanism)
    tensor = np.empty((1, mechanism.nv**3))
    kernel.run([q[None]], [tensor])
    vectors, n = CoefficientVectors(mechanism, q), range(mechanism.nv)
    products = np.array([[[vectors.a(i, j, [s]) for s in n] for j in n] for i in n], float)
    sizes = np.full_like(products, np.abs(vectors.mass_matrix()).max())
    return relative(products + sizes, tensor.reshape(products.shape) + sizes)


@lru_cache(maxsize=8)
def _derivative(mechanism: Mechanism) -> InterpreterKernel:
    request = Request("mass_matrix", derivative=Derivative(("q",), (False,)))
    return InterpreterKernel(trace_derivative(mechanism, request))
