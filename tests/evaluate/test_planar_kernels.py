"""Planar linkages as machine code against the same formulas on floats."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate import planar_kernels
from poinsot.formulations.composable.quantities import QUANTITIES, PlanarState, computed

PINS = [("A", "ground", (0, 0), "crank", (0, 0)), ("B", "crank", (1, 0), "rod", (0, 0))]
PINS += [("C", "rod", (3, 0), "rocker", (2, 0)), ("D", "ground", (3, 0), "rocker", (0, 0))]
BODIES = {name: {"m": 2.0, "J": 0.1, "c": (0.4, 0.1)} for name in ("crank", "rod", "rocker")}


def four_bar(ground=3.0, **masses):
    joints = [{"id": name, "a": a, "pa": pa, "b": b, "pb": pb} for name, a, pa, b, pb in PINS]
    joints[3]["pa"] = (ground, 0)
    bodies = {name: entry | masses for name, entry in BODIES.items()}
    return ps.planar(bodies, joints, ["A"], gravity=(0, -9.81))


@pytest.fixture(autouse=True)
def compiled_at_once(monkeypatch):
    """Let machine code compute from the second state on."""
    monkeypatch.setattr(planar_kernels, "FEW", 1)


@pytest.mark.parametrize("quantity", [x for x in QUANTITIES if x != "friction"])
def test_machine_code_gives_what_floats_give(quantity):
    """Check each quantity of a batch, of one state, and of variants in one call."""
    bar, other = four_bar(), four_bar(3.2, m=1.0)
    states = {name: np.linspace(0.3, 6.0, 5)[:, None] + k for k, name in enumerate("qva")}
    states["tau"] = states["a"]
    loads = {"rod": np.array([1.0, 2.0, 3.0])} if QUANTITIES[quantity].loaded else {}
    wanted = [states[name] for name in ("q", *QUANTITIES[quantity].needs)]
    given = {"loads": loads} if loads else {}
    expected = [
        computed(quantity, PlanarState(bar_.linkage, {}, states, loads)).results
        for bar_ in (bar, other)
    ]
    results = getattr(bar, quantity)(*wanted, **given)
    single = getattr(bar, quantity)(*(array[1] for array in wanted), **given)
    dimensions = {"D.pa": [[[3.0, 0]], [[3.2, 0]]]}
    dimensions |= {f"{name}.m": [[2.0], [1.0]] for name in BODIES}
    both = getattr(bar, quantity)(*wanted, **given, dimensions=dimensions)
    for name in expected[0].keys() - {bar.linkage.frame}:
        values = [x[name] if isinstance(x, dict) else x for x in (results, single, both)]
        assert np.allclose(values[0], expected[0][name], rtol=1e-11, atol=1e-11)
        assert np.allclose(values[1], expected[0][name][1], rtol=1e-11, atol=1e-11)
        assert np.allclose(values[2], [x[name] for x in expected], rtol=1e-11, atol=1e-11)


def test_states_that_fail_are_named_with_their_angle():
    """Check a linkage that does not close, a dead point among good states, and NaN of variants."""
    q = np.array([[1.0], [np.pi], [2.0]])
    with pytest.raises(ps.AssemblyError, match=r"'C'.*\(at A = 180°\)"):
        four_bar(4.5).positions(q)
    flat = four_bar(4.0)  # 4 + 1 = 3 + 2: stretched at 180°
    assert np.allclose(flat.positions(q)["rod"][1, 2], 0.0, atol=1e-7)
    with pytest.raises(ps.SingularUnitError, match=r"dead point.*\(at A = 180°\)"):
        flat.velocities(q, 0 * q + 1)
    poses = flat.positions(q, dimensions={"D.pa": [[[4.0, 0]], [[4.5, 0]]]})["rocker"]
    assert np.isnan(poses[1, 1]).all()
    assert not np.isnan(poses[1, 0]).any()
    assert not np.isnan(poses[0, ::2]).any()
    with pytest.raises(
        ps.ModelError, match=r"dimensions: there is no 'D\.pas'; did you mean 'D.pa'"
    ):
        flat.positions(q, dimensions={"D.pas": 1.0})
