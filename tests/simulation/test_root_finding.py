"""Zeros of functions, to rounding."""

import math
import sys

from hypothesis import given
from hypothesis import strategies as st

from poinsot.simulation.stepping.root_finding import root

FUNCTIONS = {
    "straight": lambda x, z: x - z,
    "cubic": lambda x, z: (x - z) ** 3,
    "flat then steep": lambda x, z: math.expm1(20.0 * (x - z)),
    "jump": lambda x, z: 1.0 if x > z else -1.0,
    "falling": lambda x, z: z - x,
}


@given(st.floats(0.01, 1.0), st.sampled_from(sorted(FUNCTIONS)), st.booleans())
def test_zeros_are_found_in_few_evaluations(z, name, swapped):
    """Rounding is all that is left, for functions that are bent or jump, too."""
    calls = []

    def value(x):
        calls.append(x)
        return FUNCTIONS[name](x, z)

    a, b = (1.5, -1.75) if swapped else (-1.75, 1.5)
    found = root(value, a, b)
    assert abs(found - z) <= 8 * sys.float_info.epsilon
    assert len(calls) <= (12 if name in ("straight", "falling") else 160)
