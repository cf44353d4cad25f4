"""Stresses from loads in sections, against formulas for beams."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import planar_linkage

LENGTH, MASS, SIDE = 0.8, 3.0, 0.02


def cantilever(axis="y", **body):
    """Return a beam that is held at one end and bears its weight, and its bar."""
    beam = ps.Body("beam", joint=ps.Revolute(axis), mass=MASS, com=(LENGTH / 2, 0, 0),
                   inertia=(0.01, 0.2, 0.2), **body)  # fmt: skip
    return ps.System("cantilever", [beam]), ps.Bar("beam", (0, 0, 0), (LENGTH, 0, 0), MASS / LENGTH)


def held(system, bar):
    """Return the loads at rest; the hinge holds the beam."""
    return system.section_loads(bar, [0.0], [0.0], a=[0.0])


def test_a_cantilever_bears_its_weight():
    """Check bending about y and mean shear at the wall of a rectangle against hand calculation."""
    loads = held(*cantilever())
    section = ps.CrossSection.rectangle(height=SIDE, width=2 * SIDE)
    stress = loads.stress(section)
    moment = MASS * 9.81 * LENGTH / 2
    wanted = moment * 6 / (SIDE * (2 * SIDE) ** 2)
    assert np.allclose([stress.highest[0], -stress.lowest[0]], wanted)
    assert np.allclose(stress.heaviest(), (0.0, 0.0, wanted))
    assert np.isclose(stress.shear[0], 1.5 * MASS * 9.81 / (2 * SIDE**2))
    assert np.isclose(stress.safety(235e6), 235e6 / wanted)
    assert np.isclose(loads.stress(ps.CrossSection.tube(SIDE)).highest[0],
                      32 * moment / (np.pi * SIDE**3))  # fmt: skip
    given = ps.CrossSection(area=8e-4, moment_z=1e-8, height=0.02, moment_y=2e-8, width=0.04)
    assert np.isclose(loads.stress(given).highest[0], moment * 0.02 / 2e-8)
    with pytest.raises(ps.ModelError, match=r"'beam' bends about y.* must have moment_y and width"):
        loads.stress(ps.CrossSection(area=8e-4, moment_z=1e-8, height=0.02))


def test_torsion_and_tapered_bars():
    """Check the shaft whose end bears a couple, of a tube, a square, and one that tapers."""
    system, bar = cantilever("x")
    couple = 40.0
    bar = [ps.Section("beam", ps.Pose((LENGTH / 2, 0, 0)), MASS / 2, (LENGTH / 4, 0, 0),
                      (0.005, 0.1, 0.1))]  # fmt: skip
    loads = system.section_loads(bar, [0.0], [0.0], tau=[couple])
    square = loads.stress(ps.CrossSection.rectangle(SIDE, SIDE))
    tube = loads.stress(ps.CrossSection.tube(SIDE, SIDE / 2))
    twist = np.abs(loads.torsion[0])
    assert np.isclose(twist, couple / 2)
    bent = MASS / 2 * 9.81 * LENGTH / 4 / (np.pi * SIDE**3 * (1 - 1 / 16) / 32)
    tau = twist / (np.pi * SIDE**3 * (1 - 1 / 16) / 16)
    assert np.isclose(tube.equivalent[0], np.hypot(bent, np.sqrt(3) * tau))
    shear = 1.5 * MASS / 2 * 9.81 / SIDE**2
    assert np.isclose(square.shear[0], shear + twist / (0.208 * SIDE**3), rtol=2e-3)
    along = held(*cantilever())
    taper = along.stress(ps.CrossSection.tube(np.linspace(2 * SIDE, SIDE, along.s.size)))
    assert np.isclose(taper.highest[0], along.stress(ps.CrossSection.tube(2 * SIDE)).highest[0])
    with pytest.raises(ps.ModelError, match=r"'beam' twists.* must have torsion_modulus"):
        loads.stress(ps.CrossSection(1e-4, 1e-8, SIDE, moment_y=1e-8, width=SIDE))


def test_links_of_planar_mechanisms_bend_along_their_height(tmp_path):
    """Check the rod of an engine over a turn, by three numbers, and the picture."""
    engine = planar_linkage("slider-crank")
    turn = engine.turn(50.0, positions=24)
    rod = engine.linkage.links["rod"]
    length = 2 * rod.com[0]
    bar = ps.Bar("rod", (0, 0, 0), (length, 0, 0), density=rod.mass / length)
    loads = turn.section_loads(bar)
    stress = loads.stress(ps.CrossSection(area=3e-4, moment_z=2e-8, height=0.03))
    assert stress.highest.shape == (25, loads.s.size)
    wanted = loads.normal / 3e-4 + np.abs(loads.bending[..., 1]) * 0.015 / 2e-8
    assert np.allclose(stress.highest, wanted)
    assert stress.heaviest().value >= np.abs(wanted).max()
    stress.plot(tmp_path / "stress.svg")
    assert (tmp_path / "stress.svg").exists()


def test_cross_sections_that_cannot_be():
    """Check messages of numbers that are none, negative ones, holes too large, other things."""
    with pytest.raises(ps.ModelError, match="area must be positive and finite, got -1"):
        ps.CrossSection(-1, 1, 1)
    with pytest.raises(ps.ModelError, match="height must be positive and finite, got nan"):
        ps.CrossSection.rectangle(np.nan, 1)
    with pytest.raises(ps.ModelError, match=r"inner must .* less than the diameter 0.1, got 0.2"):
        ps.CrossSection.tube(0.1, 0.2)
    with pytest.raises(ps.ModelError, match=r"diameter.* number"):
        ps.CrossSection.tube("thick")
    with pytest.raises(ps.ModelError, match="stress: give a cross-section"):
        held(*cantilever()).stress(0.01)
