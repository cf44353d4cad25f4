"""The motion of a linkage with one degree of freedom by energies alone: an oracle for closed loops.

Links are thin rods between points p(s) that are known in closed form.  A rod of mass m has the
kinetic energy m (|v0|² + v0·v1 + |v1|²) / 6 from the velocities of its ends, so that

    T = M(s) s'² / 2,    M s'' + M' s'² / 2 + V' = 0.

Nothing of poinsot is used; derivatives by s are taken with 40 digits.
"""

import mpmath
import numpy as np

DIGITS = 40


def derivatives(function, s):
    """Return a list of numbers that depend on s, with first and second derivatives, each (n,)."""
    with mpmath.workdps(DIGITS):
        count = len(function(mpmath.mpf(s)))
        series = [
            mpmath.taylor(lambda x, k=k: function(x)[k], mpmath.mpf(s), 2) for k in range(count)
        ]
        return tuple(
            np.array([float(factor * one[order]) for one in series])
            for order, factor in enumerate((1, 1, 2))
        )


def acceleration(points, rods, s, rate, gravity, drive=0.0):
    """Return s''.

    Args:
        points: s -> places of all points, a list of triples of mpmath numbers.
        rods: (first point, second point, mass) of each rod; both the same for a mass in a point.
        s: The coordinate.
        rate: s'.
        gravity: Acceleration of free fall [m/s²], shape (3,).
        drive: Force along s.
    """
    _, p, pp = _moving(points, s)
    M = half_slope = slope_V = 0.0
    for i, j, m in rods:
        M += m / 3 * (p[i] @ p[i] + p[i] @ p[j] + p[j] @ p[j])
        half_slope += m / 6 * (2 * p[i] @ pp[i] + pp[i] @ p[j] + p[i] @ pp[j] + 2 * p[j] @ pp[j])
        slope_V -= m * np.dot(gravity, p[i] + p[j]) / 2
    return (drive - half_slope * rate**2 - slope_V) / M


def rate_at(points, rods, s, gravity, start, rate):
    """Return s' at s of a motion without drive that passes ``start`` with ``rate`` > 0."""

    def energies(at):
        place, p, _ = _moving(points, at)
        M = sum(m / 3 * (p[i] @ p[i] + p[i] @ p[j] + p[j] @ p[j]) for i, j, m in rods)
        V = -sum(m * np.dot(gravity, place[i] + place[j]) / 2 for i, j, m in rods)
        return M, V

    (M0, V0), (M, V) = energies(start), energies(s)
    return np.sqrt((M0 * rate**2 + 2 * (V0 - V)) / M)


def _moving(points, s):
    """Return places of points, first and second derivatives, each (n, 3)."""
    flat = derivatives(lambda x: [y for point in points(x) for y in point], s)
    return tuple(part.reshape(-1, 3) for part in flat)


def along(function, s, rate, second):
    """Return numbers that depend on s, their rates and second rates in time, each (n,)."""
    value, first, twice = derivatives(function, s)
    return value, first * rate, first * second + twice * rate**2
