import math

import numpy as np

from poinsot.expr import symbol
from poinsot.spatial.scalar import cosine, sine
from tests.spatial.strategies import angles, complex_step, for_all


@for_all(angles)
def test_numbers_go_to_numpy(angle):
    """Compare with the standard library."""
    assert abs(sine(angle) - math.sin(angle)) < 1e-15
    assert abs(cosine(angle) - math.cos(angle)) < 1e-15


@for_all(angles)
def test_complex_step_differentiates(angle):
    """Check sin' = cos and cos' = -sin."""
    np.testing.assert_allclose(complex_step(lambda t: sine(angle + t)), cosine(angle), atol=1e-15)
    np.testing.assert_allclose(complex_step(lambda t: cosine(angle + t)), -sine(angle), atol=1e-15)


def test_symbols_answer_themselves():
    """Check that the graph node is the symbol's own."""
    x = symbol("x")
    assert sine(x) is x.sin()
    assert cosine(x) is x.cos()
