"""Settings of runs of planar mechanisms, which are checked once for runs that are alike."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import planar_linkage


def test_settings_are_checked_however_often_they_were_right():
    """Check wrong settings between equal right ones."""
    bar = planar_linkage("four-bar")
    first = bar.simulate([0.3], [2.0], 1, save=0.5)
    again = bar.simulate([0.3], [2.0], 1, save=0.5)
    assert np.array_equal(again.t, [0.0, 0.5, 1.0])
    assert np.array_equal(again.q, first.q)
    same = bar.simulate([0.3], [2.0], 1.0, save=np.array([0.0, 0.5, 1.0]), rtol=1e-8)
    assert np.array_equal(same.q, again.q)
    fixed = bar.simulate([0.3], [2.0], 1.0, integrator="rk4", step=1e-3, save=0.5)
    assert np.allclose(fixed.q, again.q, atol=1e-6)
    for wrong, match in (
        ({"rtol": -1.0}, "rtol"), ({"save": "often"}, "save"), ({"integrator": "euler"}, "euler"),
        ({"save": True}, "save"), ({"max_steps": 1.5}, "max_steps"), ({"step": 0.1}, "step"),
    ):  # fmt: skip
        with pytest.raises(ps.PoinsotError, match=match):
            bar.simulate([0.3], [2.0], 1.0, **wrong)
    with pytest.raises(ps.PoinsotError, match="duration"):
        bar.simulate([0.3], [2.0], True, save=0.5)
    with pytest.raises(ps.ModelError, match="the start must be finite"):
        bar.simulate([np.nan], [2.0], 1.0)
    with pytest.raises(TypeError, match="rtol"):
        bar.simulate([0.3], [2.0], 1.0, rtoll=1e-6)
