"""Random states of closed systems obey the constraints."""

import numpy as np
import pytest

from poinsot.assemble.closed_states import closed_states
from poinsot.assemble.loop_closing import CLOSED
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.expr.rank import is_nearly_singular
from poinsot.library import delta_robot, four_bar, two_loops


@pytest.mark.parametrize("make", [four_bar, two_loops, delta_robot])
def test_states_obey_the_constraints(make):
    """Check residuals of positions and velocities, and that singular places are left."""
    mechanism = make().mechanism
    rows = NumericRows(mechanism)
    states = list(closed_states(mechanism, 3, np.random.default_rng(0), None))
    assert len(states) == 3
    for q, v, tau in states:
        assert np.abs(rows.residual(q, 0.0)).max() <= CLOSED
        assert np.abs(rows.rate(q, v, 0.0)).max() <= 1e-10 * (1.0 + np.abs(v).max())
        assert tau.shape == v.shape
        assert not is_nearly_singular(rows.jacobian(q, 0.0))


def test_a_place_to_look_at_comes_first():
    """Give a configuration that closes: it is the first one."""
    mechanism = four_bar().mechanism
    q = next(closed_states(mechanism, 1, np.random.default_rng(1), None))[0]
    again = next(closed_states(mechanism, 1, np.random.default_rng(2), q))[0]
    np.testing.assert_allclose(again, q, atol=1e-9)
