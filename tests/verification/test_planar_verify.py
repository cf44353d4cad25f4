"""ps.verify of planar mechanisms: the library over a turn; equations of loops; port inertias."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.algebra.planar_loops import planar_loops
from poinsot.formulations.composable.joint_rows import driver_rows
from poinsot.library.planar_linkages import PLANAR_LINKAGES

PAIRS = {
    "planetary gear": library.planetary_gear,
    "roller": library.cam_and_follower,
    "knife": lambda: library.cam_and_follower("knife", offset=0.01),
    "flat": lambda: library.cam_and_follower("flat"),
}


@pytest.mark.parametrize("name", [*PLANAR_LINKAGES, *PAIRS])
def test_the_library_agrees_with_itself_over_a_turn(name):
    """Check every mechanism of the library at positions all over a turn."""
    mechanism = PAIRS[name]() if name in PAIRS else library.planar_linkage(name)
    report = ps.verify(mechanism, n_states=24)
    assert report.ok, str(report)
    # A 3-RRR and a double A-arm do not reach all the way round.
    assert report.n_states >= {"3-RRR": 8, "double A-arm": 12}.get(name, 24)


def test_wrong_reactions_are_seen(monkeypatch):
    """Check that the closed system tells of forces that are turned round."""
    right = ps.PlanarMechanism.reactions

    def wrong(self, *args, **options):
        return {name: -force for name, force in right(self, *args, **options).items()}

    monkeypatch.setattr(ps.PlanarMechanism, "reactions", wrong)
    report = ps.verify(library.planar_linkage("Watt I"))
    assert not report.ok
    assert "reactions: units, closed system" in str(report)


def test_a_wrong_quantity_is_seen(monkeypatch):
    """Check that a report is not ok where masses are wrong, or nothing can be assembled."""
    right = ps.PlanarMechanism.mass_matrix

    def wrong(self, *given, **options):
        return 1.01 * right(self, *given, **options)

    monkeypatch.setattr(ps.PlanarMechanism, "mass_matrix", wrong)
    report = ps.verify(library.planar_linkage("four-bar"))
    assert not report.ok
    assert "vᵀ M v / 2 is the kinetic energy" in str(report)
    short = ps.planar(
        {"crank": {}, "rod": {}, "rocker": {}},
        [{"id": "A", "a": 0, "b": "crank"}, {"id": "B", "a": "crank", "pa": (0.1, 0), "b": "rod"},
         {"id": "C", "a": "rod", "pa": (0.1, 0), "b": "rocker", "pb": (0.1, 0)},
         {"id": "D", "a": 0, "pa": (1.0, 0), "b": "rocker"}], ["A"],
    )  # fmt: skip
    assert not ps.verify(short).ok


def test_friction_is_left_out_of_the_closed_system():
    """Check a slider-crank with friction."""
    bar = library.planar_linkage("slider-crank").description
    bar["joints"] = [
        joint | ({"mu": 0.1, "length": 0.1} if joint.get("type") == "P" else {})
        for joint in bar["joints"]
    ]
    assert ps.verify(ps.PlanarMechanism.from_description(bar)).ok


@pytest.mark.parametrize("name", ["Watt I", "crank and slotted lever", "toggle press", "3-RRR"])
def test_loops_close_with_the_vectors_that_are_written(name):
    """Check the sums round each loop at the drawing, and how many loops there are."""
    mechanism = library.planar_linkage(name)
    poses = mechanism.positions(mechanism.drawn)
    strokes = {
        f"s_{j.name}": float(driver_rows(j, poses[j.a], poses[j.b]).residual[0])
        for j in mechanism.linkage.joints
    }
    values = {"": 1.0} | strokes
    for link, pose in poses.items():
        values |= {f"cos(φ_{link})": np.cos(pose[2]), f"sin(φ_{link})": np.sin(pose[2])}
    loops = planar_loops(mechanism.linkage)
    assert len(loops) == len(mechanism.linkage.joints) - len(mechanism.linkage.links)
    for names, sums in loops:
        assert len(names) >= 3
        for terms in sums:
            total = sum(factor * values[stroke] * values[turn] for factor, stroke, turn in terms)
            assert abs(total) < 1e-12
    text = ps.derive(mechanism).loops
    assert text.count("loop ") == len(loops)
    assert text.count(" = 0") == 2 * len(loops)


def test_port_inertia_is_how_forces_grow_with_accelerations():
    """Check R_1 of a dyad by its reaction at two accelerations of the crank."""
    bar = library.planar_linkage("four-bar")
    q, v = bar.drawn, np.array([2.0])
    R1 = bar.port_inertia("coupler", "B", q)
    forces = [bar.reactions(q, v, np.array([a]))["B"] for a in (0.0, 5.0)]
    motions = [bar.joint_motions(q, v, np.array([a]))["B"][2] for a in (0.0, 5.0)]
    # The reaction acts on the coupler, the second link of B.
    assert np.allclose(forces[1] - forces[0], R1 @ (motions[1] - motions[0]), rtol=1e-9)
    assert np.allclose(R1, R1.T)
    assert np.linalg.eigvalsh(R1).min() > -1e-12
    with pytest.raises(ps.ModelError, match="'C' is no outer pin of the unit of 'coupler'"):
        bar.port_inertia("coupler", "C", q)
    with pytest.raises(ps.ModelError, match="no link 'rod'"):
        bar.port_inertia("rod", "B", q)
