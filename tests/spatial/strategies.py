"""Random vectors, rotations, poses and bodies for the laws tested in this folder."""

from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from poinsot.spatial import Inertia, Transform
from tests.random_examples import examples

N_EXAMPLES = examples(10)
"""The laws are polynomial identities: a few random points tell them from falsehoods."""


def for_all(*strategies, **named):
    """Run a test on random examples; without a deadline, which a busy machine would miss."""

    def decorate(test):
        return settings(max_examples=N_EXAMPLES, deadline=None)(given(*strategies, **named)(test))

    return decorate


angles = st.floats(-7.0, 7.0)  # a little over one turn either way


def vectors(size):
    """Vectors with entries up to 10."""
    return arrays(np.float64, size, elements=st.floats(-10.0, 10.0), fill=st.nothing())


def units(size):
    """Vectors of length 1."""
    directions = vectors(size).filter(lambda v: np.linalg.norm(v) > 0.1)
    return directions.map(lambda v: v / np.linalg.norm(v))


# SciPy stores the scalar part last; the rotation is uniform enough whichever it is.
rotations = units(4).map(lambda quat: Rotation.from_quat(quat).as_matrix())
transforms = st.builds(Transform, rotations, vectors(3))


class Cloud(NamedTuple):
    """Point masses fixed to each other: the body known in full detail."""

    masses: np.ndarray
    points: np.ndarray

    def inertia(self):
        """Add up the definitions of mass, first moment and rotational inertia."""
        m, r = self.masses, self.points
        second = np.einsum("k,ki,kj->ij", m, r, r)
        return Inertia(m.sum(), m @ r, np.trace(second) * np.eye(3) - second)


clouds = st.integers(1, 5).flatmap(
    lambda n: st.builds(
        Cloud,
        arrays(np.float64, n, elements=st.floats(0.1, 10.0), fill=st.nothing()),
        vectors((n, 3)),
    )
)


def assert_equal_to_rounding(actual, desired):
    """Compare results of sums of a few products of entries up to 10 (at most some 1e5)."""
    assert_allclose(actual, desired, rtol=1e-10, atol=1e-9)


def complex_step(function):
    """Return the derivative of ``function`` at 0, exact to rounding."""
    step = 1e-30
    return np.imag(function(1j * step)) / step
