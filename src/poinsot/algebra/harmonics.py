"""Products of sines and cosines as sums of sines and cosines of sums of angles, and back.

A product is a sum of exponentials exp(i (k·x)) with rational coefficients; those of k and -k are
conjugate, and together they are a cosine and a sine.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Multiples: TypeAlias = tuple[tuple[int, int], ...]
"""How often each angle is in a sum, as sorted (number of the angle, times); the first positive."""

_Complex: TypeAlias = tuple[Fraction, Fraction]
_HALF = Fraction(1, 2)


def harmonics(powers: list[tuple[int, bool, int]]) -> dict[tuple[Multiples, bool], Fraction]:
    """Return the sum that a product of powers of sines and cosines is.

    Args:
        powers: For each factor the number of its angle, whether it is a sine, and its power.

    Returns:
        Coefficients by multiples of the angles and whether it is a sine.

    >>> harmonics([(0, True, 1), (1, False, 1)])  # sin a cos b = (sin(a - b) + sin(a + b)) / 2
    {(((0, 1), (1, 1)), True): Fraction(1, 2), (((0, 1), (1, -1)), True): Fraction(1, 2)}
    """
    total: dict[Multiples, _Complex] = {(): (Fraction(1), Fraction(0))}
    for angle, is_sine, power in powers:
        for _ in range(power):
            total = _times(total, angle, is_sine=is_sine)
    coefficients: dict[tuple[Multiples, bool], Fraction] = {}
    for multiples, (real, imaginary) in total.items():
        if not multiples:
            coefficients[(), False] = real
        elif multiples[0][1] > 0:
            if real:
                coefficients[multiples, False] = 2 * real
            if imaginary:
                coefficients[multiples, True] = -2 * imaginary
    return {key: value for key, value in coefficients.items() if value}


def _times(
    total: dict[Multiples, _Complex], angle: int, *, is_sine: bool
) -> dict[Multiples, _Complex]:
    """Return the product with (z + 1/z)/2 or (z - 1/z)/2i, z the exponential of the angle."""
    product: dict[Multiples, _Complex] = {}
    for multiples, (real, imaginary) in total.items():
        for step in (1, -1):
            shifted = dict(multiples)
            shifted[angle] = shifted.get(angle, 0) + step
            key = tuple(sorted((a, n) for a, n in shifted.items() if n))
            x, y = (step * imaginary, -step * real) if is_sine else (real, imaginary)
            a, b = product.get(key, (Fraction(0), Fraction(0)))
            product[key] = (a + _HALF * x, b + _HALF * y)
    return {key: value for key, value in product.items() if any(value)}
