"""Counterweights and counter-rotating wheels: complete balance of inline four-bars."""

import numpy as np
import pytest

import poinsot as ps


def four_bar(coupler_inertia=None):
    """Return an inline four-bar whose coupler is like two point masses at its pins, or not."""
    m_a, m_b, length = 0.7, 0.4, 0.3
    c = length * m_b / (m_a + m_b)
    inertia = m_a * c**2 + m_b * (length - c) ** 2
    coupler = {"m": m_a + m_b, "c": (c, 0.0)}
    coupler["J"] = inertia if coupler_inertia is None else coupler_inertia
    return ps.planar(
        {"crank": {"m": 1.0, "J": 0.002, "c": (0.04, 0.01)}, "coupler": coupler,
         "rocker": {"m": 0.9, "J": 0.004, "c": (0.1, 0.02)}},
        [{"id": "A", "a": "ground", "b": "crank"},
         {"id": "B", "a": "crank", "pa": (0.08, 0), "b": "coupler"},
         {"id": "C", "a": "coupler", "pa": (length, 0), "b": "rocker", "pb": (0.2, 0)},
         {"id": "D", "a": "ground", "pa": (0.3, 0), "b": "rocker"}],
        ["A"], gravity=(0, -9.81),
    )  # fmt: skip


def shaking(mechanism, v, a):
    """Return the shaking force without gravity at positions all round."""
    block = mechanism.description | {"gravity": (0.0, 0.0)}
    light = ps.PlanarMechanism.from_description(block)
    q = np.linspace(0, 2 * np.pi, 50)[:, None]
    return light.shaking_force(q, np.full_like(q, v), np.full_like(q, a))


def test_wheels_take_away_the_whole_shaking_moment():
    """Check that nothing shakes under any motion of the crank, and the inertias in closed form."""
    bar = four_bar()
    quiet, result = bar.balanced(
        {"crank": 0.05, "rocker": 0.1}, wheels={"crank": 0.1, "rocker": 0.1}
    )
    assert result.after < 1e-9 * result.before
    assert result.moment_after < 1e-9 * result.moment_before
    reference = np.abs(shaking(bar, 9.0, -30.0)).max()
    assert np.abs(shaking(quiet, 9.0, -30.0)).max() < 1e-9 * reference
    # About its pivot a link, its counterweight and the coupler's mass at its pin.
    links = quiet.linkage.links
    for name, m, r in (("crank", 0.7, 0.08), ("rocker", 0.4, 0.2)):
        link = links[name]
        own = link.inertia + link.mass * np.dot(link.com, link.com)
        assert np.isclose(result.counter_inertias[name], own + m * r**2, rtol=1e-9)
    assert np.isclose(quiet.velocities([0.3], [2.0])["counter crank"][2], -2.0)


def test_any_coupler_shakes_less(tmp_path):
    """Check that the moment falls where it cannot vanish, that files keep wheels, and mistakes."""
    bar = four_bar(coupler_inertia=0.03)
    quiet, result = bar.balanced({"crank": 0.05, "rocker": 0.1}, wheels={"rocker": 0.1})
    assert 1e-3 * result.moment_before < result.moment_after < result.moment_before
    _, without = bar.balanced({"crank": 0.05, "rocker": 0.1})
    assert without.moment_after == without.moment_before == pytest.approx(result.moment_before)
    assert without.counter_inertias == {}
    quiet.save(tmp_path / "quiet.json")
    again = ps.load_planar(tmp_path / "quiet.json")
    assert np.allclose(again.mass_matrix([0.4]), quiet.mass_matrix([0.4]))
    only_wheels, moments = bar.balanced({}, wheels={"rocker": 0.1})
    assert moments.before == moments.after
    assert "counter rocker" in only_wheels.linkage.links
    with pytest.raises(ps.ModelError, match="wheel of 'rocker' must stand apart"):
        bar.balanced({}, wheels={"rocker": 0.0})
    with pytest.raises(ps.ModelError, match="'coupler' has no pin on the ground"):
        bar.balanced({}, wheels={"coupler": 0.1})
