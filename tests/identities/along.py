"""Rates along a motion by finite differences, for laws that hold whatever the formulation is."""

import numpy as np

from poinsot.formulations.position_rate import position_rate

STEP = 1e-4
RATE_TOLERANCE = 2e-8
"""Of a rate by differences.  Rounding does 1e-12 and truncation (STEP times rates up to some 100
of the tips of long chains)⁴, both relative to the terms."""


def rate_along(function, mechanism, q, v, a=None):
    """Return d/dt function(q, v) while the mechanism moves with v and, if given, a.

    Five points on the straight line along (qdot, a).  The quaternions on it are not unit by terms
    that are even in the step, and so do not matter.
    """
    qdot = position_rate(mechanism, q, v)
    a = np.zeros(mechanism.nv) if a is None else a
    f = {k: np.asarray(function(q + k * STEP * qdot, v + k * STEP * a)) for k in (-2, -1, 1, 2)}
    return (8.0 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12.0 * STEP)


def assert_rate(rate, expected, size=0.0):
    """Check a rate by differences; ``size`` is that of the terms it is the sum of."""
    scale = max(1.0, np.max(np.abs(expected), initial=0.0), size)
    np.testing.assert_allclose(rate, expected, rtol=0.0, atol=RATE_TOLERANCE * scale)
