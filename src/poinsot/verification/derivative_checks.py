"""What ``verify`` checks of derivatives: those of the graph against Zaremba's closed forms.

Of mass matrix and coefficient vectors l and g, orders 1 to 3.  Up to ``MOST`` velocities the first
derivatives of the mass matrix are compared as a whole; all others, and those of larger systems, in
samples: the graph is differentiated along unit vectors, the closed form gives the same entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.derivative import trace_derivative
from poinsot.evaluate.request import Derivative, Request
from poinsot.evaluate.trace import trace
from poinsot.expr import build, fresh_symbols, garbage_collection_paused, tangent
from poinsot.expr.replay import replay
from poinsot.formulations.coefficient_vectors import CoefficientVectors
from poinsot.formulations.position_rate import tangent_basis
from poinsot.front.system import System
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import Mechanism
from poinsot.spatial import Array, Transform
from poinsot.verification.comparison import SMALLEST, Compare, largest, relative

__all__ = ["derivative_comparisons"]

MOST: Final = 6
"""Velocities up to which all first derivatives of the mass matrix are compared."""
AGREEMENT: Final = 1e-10
HIGHEST: Final = 3
"""Order up to which samples are compared."""
SAMPLES: Final = 8
"""Choices of velocities to differentiate by, and of entries of the mass matrix."""


class Sampled(NamedTuple):
    """Entries of a quantity that are compared.

    Attributes:
        graph: Their expressions, of the symbols of q.
        closed: Returns them, differentiated by velocities, from closed forms.
        velocities: By which they may depend on q.
    """

    graph: Callable[[Mechanism, Array], Array]
    closed: Callable[[CoefficientVectors, tuple[int, ...]], Array]
    velocities: tuple[int, ...]


def derivative_comparisons(system: System) -> Iterator[tuple[str, float, Compare]]:
    """Yield the checks: name, tolerance and comparison; none for joints without closed form."""
    mechanism = system.mechanism
    if not mechanism.nv:
        return
    try:
        CoefficientVectors(mechanism, system.random(np.random.default_rng(0)))
    except ModelError:
        return
    if mechanism.nv <= MOST:
        yield "derivatives of M: graph, closed form", AGREEMENT, _of_mass_matrix
    for letter in ("M", "l", "g"):
        name = f"derivatives of {letter}, orders 1 to {HIGHEST}: graph, closed form"
        yield name, AGREEMENT, _in_samples(letter)


def _of_mass_matrix(system: System, q: Array, v: Array, tau: Array) -> float:
    mechanism = system.mechanism
    kernel = _dense(mechanism)
    tensor = np.empty((1, mechanism.nv**3))
    kernel.run([q[None]], [tensor])
    vectors, n = CoefficientVectors(mechanism, q), range(mechanism.nv)
    products = np.array([[[vectors.a(i, j, [s]) for s in n] for j in n] for i in n], float)
    sizes = np.full_like(products, np.abs(vectors.mass_matrix()).max())
    return relative(products + sizes, tensor.reshape(products.shape) + sizes)


@lru_cache(maxsize=8)
def _dense(mechanism: Mechanism) -> InterpreterKernel:
    request = Request("mass_matrix", derivative=Derivative(("q",), (False,)))
    return InterpreterKernel(trace_derivative(mechanism, request))


def _in_samples(letter: str) -> Compare:
    """Return the comparison of sampled entries."""

    def compare(system: System, q: Array, v: Array, tau: Array) -> float:
        mechanism = system.mechanism
        vectors, sampled = CoefficientVectors(mechanism, q), _sampled(mechanism, letter)
        size, worst = largest(sampled.closed(vectors, ())), 0.0
        rng = np.random.default_rng(0)
        chosen = rng.choice(sampled.velocities, (SAMPLES, HIGHEST))
        along = [np.eye(mechanism.nv)[column] for column in chosen.T]
        kernel = _along(mechanism, letter)
        graph = np.empty((SAMPLES, kernel.signature.outputs[0].size))
        kernel.run([np.tile(q, (SAMPLES, 1)), *along], [graph])
        for number, by_graph in enumerate(np.split(graph, HIGHEST, axis=1), 1):
            by = [tuple(each[HIGHEST - number :].tolist()) for each in chosen]
            closed = np.array([sampled.closed(vectors, each) for each in by], float)
            difference = largest(closed - by_graph.reshape(closed.shape))
            worst = float(
                np.maximum(worst, difference / max(size, largest(closed), SMALLEST))
            )  # NaN stays
        return worst

    return compare


@lru_cache(maxsize=8)
@garbage_collection_paused()
def _along(mechanism: Mechanism, letter: str) -> InterpreterKernel:
    """Return derivatives of sampled entries by the graph: D_c f, D_b D_c f and D_a D_b D_c f."""
    q = fresh_symbols("q", mechanism.nq)
    basis = tangent_basis(mechanism, q)
    result = _sampled(mechanism, letter).graph(mechanism, q)
    directions = [fresh_symbols(f"along{k}", mechanism.nv) for k in range(HIGHEST)]
    orders = []
    for along in reversed(directions):
        result = np.asarray(tangent(result, q, along if basis is None else basis @ along))
        orders.append(result)
    inputs = {"q": q} | {f"along{k}": along for k, along in enumerate(directions)}
    return InterpreterKernel(build(inputs, {letter: np.stack(orders)}))


def _sampled(mechanism: Mechanism, letter: str) -> Sampled:
    """Return what is compared of M, l or g: along the longest way from the base."""
    ways = [_way(mechanism, k) for k in range(mechanism.n_bodies)]
    way = max(ways, key=lambda bodies: sum(mechanism.bodies[k].joint.nv for k in bodies))
    velocities = tuple(i for k in way for i in range(*_span(mechanism, k)))
    if letter == "M":
        rng, n = np.random.default_rng(0), mechanism.nv
        pairs = [(int(rng.choice(velocities)), int(rng.integers(n))) for _ in range(SAMPLES)]
        return Sampled(
            lambda mechanism, q: _entries(mechanism, q, pairs),
            lambda vectors, by: np.array([vectors.a(i, j, by) for i, j in pairs]),
            tuple(range(n)),
        )
    moving = [k for k in way if mechanism.bodies[k].joint.nv]
    last = moving[-1]
    if letter == "l":
        first = [i for k in moving[: max(len(moving) // 2, 1)] for i in range(*_span(mechanism, k))]
        columns = first[:SAMPLES]
        return Sampled(
            lambda mechanism, q: _jacobian(mechanism, q, way[-1])[:, columns],
            lambda vectors, by: np.stack([vectors.l(way[-1], i, by) for i in columns], axis=1),
            velocities,
        )
    seen = [-1, *moving[: len(moving) // 2][-1:]]
    axes = range(*_span(mechanism, last))
    return Sampled(
        lambda mechanism, q: np.stack([_axes_seen(mechanism, q, last, k) for k in seen]),
        lambda vectors, by: np.stack(
            [np.stack([vectors.g(k, i, by) for i in axes], axis=1) for k in seen]
        ),
        velocities,
    )


def _entries(mechanism: Mechanism, q: Array, pairs: list[tuple[int, int]]) -> Array:
    """Return entries of the mass matrix."""
    (M,) = replay(trace(mechanism, Request("mass_matrix")), q)
    return np.array([M[pair] for pair in pairs])


def _jacobian(mechanism: Mechanism, q: Array, body: int) -> Array:
    """Return the Jacobian of a body at its origin."""
    (J,) = replay(trace(mechanism, Request("jacobian", body=body, axes="body")), q, np.zeros(3))
    return J


def _axes_seen(mechanism: Mechanism, q: Array, body: int, k: int) -> Array:
    """Return the axes of a body's joint as seen from body k before it, or from the base."""
    pose = Transform(np.eye(3), np.zeros(3))
    way = _way(mechanism, body)
    for i in way[way.index(k) + 1 if k >= 0 else 0 :]:
        moved = mechanism.bodies[i]
        placed = Transform(np.array(moved.pose.matrix), np.array(moved.pose.xyz))
        pose = pose @ placed @ moved.joint.transform(q[mechanism.q_slices[i]])
    axes = mechanism.bodies[body].joint.motion_subspace(q[mechanism.q_slices[body]])
    return np.asarray(pose.motion_matrix() @ axes)


def _way(mechanism: Mechanism, k: int) -> list[int]:
    """Return the bodies from the base to body k."""
    way = [k]
    while mechanism.parents[way[0]] >= 0:
        way.insert(0, mechanism.parents[way[0]])
    return way


def _span(mechanism: Mechanism, k: int) -> tuple[int, int]:
    """Return the first velocity of a body's joint, and the one behind its last."""
    return mechanism.v_slices[k].start, mechanism.v_slices[k].stop
