"""Methods of planar mechanisms as machine code: the same results, out=, doubtful states, copies."""

import copy
import pickle
from types import BuiltinFunctionType

import numpy as np
import pytest

import poinsot as ps
from poinsot.expr import symbol_array
from poinsot.formulations.composable.quantities import BY_NAME, QUANTITIES
from poinsot.kernels.llvm import entry
from poinsot.library import planar_linkage

pytestmark = pytest.mark.skipif(not entry.supported(), reason="no native entry here")

FOLDED = [("A", "ground", (0, 0), "crank", (0, 0)), ("B", "crank", (1, 0), "rod", (0, 0))]
FOLDED += [("C", "rod", (2, 0), "rocker", (2, 0)), ("D", "ground", (3, 0), "rocker", (0, 0))]


def folded():
    """Return a four-bar that is in line at 180°: 3 + 1 = 2 + 2."""
    joints = [{"id": name, "a": a, "pa": pa, "b": b, "pb": pb} for name, a, pa, b, pb in FOLDED]
    bodies = {name: {"m": 1.0, "J": 0.1} for name in ("crank", "rod", "rocker")}
    return ps.planar(bodies, joints, ["A"], gravity=(0, -9.81))


def states(mechanism, count=100):
    rng = np.random.default_rng(0)
    q = mechanism.drawn + 0.05 * rng.normal(size=(count, len(mechanism.linkage.drivers)))
    return {"q": q, "v": rng.normal(size=q.shape), "a": rng.normal(size=q.shape)}


def arrays(result):
    return result if isinstance(result, dict) else {"": result}


@pytest.mark.parametrize("name", ["five-bar", "slider-crank"])
@pytest.mark.parametrize("quantity", [x for x in QUANTITIES if x != "friction"])  # by numbers
def test_machine_code_answers_as_python_does(name, quantity):
    """Compare the second call with floats and the method of the class, batches and one state."""
    mechanism = planar_linkage(name)
    given = states(mechanism)
    given["tau"] = given["a"]
    inputs = [given[key] for key in ("q", *QUANTITIES[quantity].needs)]
    method = getattr(type(mechanism), quantity)
    for _ in range(2):
        getattr(mechanism, quantity)(*inputs)
    getattr(mechanism, quantity)(*(x[0] for x in inputs))
    native = getattr(mechanism, quantity)
    assert isinstance(native, BuiltinFunctionType)
    expected, result = method(mechanism, *inputs), native(*inputs)
    single = native(*(x[7] for x in inputs))
    assert isinstance(result, dict) is (quantity in BY_NAME)
    assert list(arrays(result)) == list(arrays(expected))
    floats = getattr(planar_linkage(name), quantity)(*(x[:3] for x in inputs))
    for key, array in arrays(result).items():
        np.testing.assert_array_equal(array, arrays(expected)[key])
        scale = 1.0 + np.abs(array).max()
        if quantity != "transmission":  # of which there are no floats: nothing can fail
            np.testing.assert_allclose(arrays(floats)[key], array[:3], rtol=0, atol=1e-10 * scale)
        np.testing.assert_allclose(arrays(single)[key], array[7], rtol=0, atol=1e-13 * scale)


@pytest.mark.parametrize("quantity", ["joint_motions", "mass_matrix"])
def test_results_are_written_into_those_of_an_earlier_call(quantity):
    """Give out= to the first call, to machine code, and where Python answers; then wrong ones."""
    mechanism = planar_linkage("five-bar")
    given, other = states(mechanism), states(mechanism)
    other["q"] = other["q"] + 0.01
    inputs, others = (
        [x[key] for key in ("q", *QUANTITIES[quantity].needs)] for x in (given, other)
    )
    method = getattr(mechanism, quantity)
    expected = copy.deepcopy(method(*inputs))
    out = method(*others)
    assert method(*inputs, out=out) is out
    native = getattr(mechanism, quantity)
    for answer in (
        lambda: native(*inputs, out=native(*others)),
        lambda: native(*(x[:, None] for x in inputs), out=native(*(x[:, None] for x in others))),
    ):
        for key, array in arrays(answer()).items():
            np.testing.assert_allclose(np.squeeze(array), np.squeeze(arrays(expected)[key]))
    with pytest.raises(ps.PoinsotError, match="out must be"):
        native(*inputs, out=3.0)
    with pytest.raises(ps.ShapeError, match=r"out must be a float64 array \(50"):
        native(*(x[:50] for x in inputs), out=native(*inputs))
    if quantity in BY_NAME:
        with pytest.raises(ps.ModelError, match="out must be the result of an earlier call, with"):
            native(*inputs, out={"A": out["A"]})
    else:
        with pytest.raises(ps.ModelError, match="no floats cannot be written into out"):
            native(symbol_array("q", 2), out=np.empty((2, 2)))


def test_states_near_dead_points_are_left_to_floats():
    """Call machine code at a dead point: places are right there, velocities are told apart."""
    mechanism = folded()
    q = np.linspace(0.1, 2 * np.pi - 0.1, 101)[:, None]
    far = q[np.abs(q[:, 0] - np.pi) > 0.01][:, None][:, 0]
    for _ in range(2):
        mechanism.joint_places(far)
        mechanism.velocities(far, far)
    assert isinstance(mechanism.velocities, BuiltinFunctionType)
    assert q[50, 0] == pytest.approx(np.pi, abs=1e-12)
    places = mechanism.joint_places(q)["C"]
    np.testing.assert_allclose(places[50], (1.0, 0.0), atol=1e-6)
    with pytest.raises(ps.SingularUnitError, match=r"dead point.*\(at A = 180°\)"):
        mechanism.velocities(q, q)
    near = np.array([[np.pi - 3e-6]])  # sine of the unit below 1e-5: floats compute it
    rate = mechanism.velocities(np.concatenate([far, near]), np.ones((len(far) + 1, 1)))
    alone = folded().velocities(near, np.ones((1, 1)))
    np.testing.assert_allclose(rate["rocker"][-1], alone["rocker"][0], rtol=1e-12)


def test_copies_make_their_own_machine_code():
    """Pickle and copy a mechanism that is machine code already."""
    mechanism = planar_linkage("four-bar")
    q = np.linspace(0, 6, 100)[:, None]
    expected = mechanism.joint_places(q)["C"]
    for made in (pickle.loads(pickle.dumps(mechanism)), copy.copy(mechanism)):
        assert not isinstance(made.joint_places, BuiltinFunctionType)
        assert made.modes == mechanism.modes
        np.testing.assert_array_equal(made.joint_places(q)["C"], expected)
