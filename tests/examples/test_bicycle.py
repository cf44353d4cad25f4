"""The bicycle over speed: where it is stable, and what its ride does."""

import numpy as np


def test_the_bicycle_is_stable_between_weave_and_capsize(example, tmp_path):
    """The figure's poles agree with the published speeds, and it is drawn."""
    system = example.bicycle()
    speeds = np.linspace(0.0, 10.0, 101)
    poles = example.eigenvalues(system, speeds)
    low, high = example.stable_speeds(speeds, poles)
    assert (round(low, 1), round(high, 1)) == (4.3, 6.0)
    example.draw(str(tmp_path / "bicycle.svg"), speeds, poles)
    assert (tmp_path / "bicycle.svg").stat().st_size > 10_000
    assert np.abs(example.ride(system, 4.6, 1.0).q[-1, 4]) < 0.15
