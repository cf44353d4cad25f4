"""Arrays as users give them: every mistake is named, and ``out`` receives the result."""

import inspect

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ArrayTypeError, PoinsotError, ShapeError

BACKENDS = ("auto", "llvm", "interpreter")


def arm():
    return ps.System(
        "arm",
        [
            ps.Body(
                "turret", joint=ps.Revolute("z"), mass=3.0, com=(0.1, 0, 0.2), inertia=(1, 2, 2)
            ),
            ps.Body(
                "boom",
                parent="turret",
                joint=ps.Revolute("y", stiffness=2.0),
                pose=ps.Pose((0, 0, 0.5)),
                mass=2.0,
                com=(0.4, 0, 0),
                inertia=(0.1, 0.3, 0.3),
            ),
            ps.Body(
                "slide",
                parent="boom",
                joint=ps.Prismatic("x", damping=0.5),
                mass=1.0,
                com=(0.7, 0.1, 0),
                inertia=(0.1, 0.1, 0.1),
            ),
        ],
    )


ARM = arm()
rng = np.random.default_rng(0)
Q, V, A = rng.uniform(-1, 1, (3, 5, 3))


@pytest.fixture(params=BACKENDS)
def bias(request):
    """The bias of the arm on one back end."""
    return lambda *args, **kwargs: ARM.bias(*args, backend=request.param, **kwargs)


# Mistakes


def test_shapes_that_do_not_fit_are_named(bias):
    """Give the wrong number of coordinates, and no axis at all."""
    for wrong, shape in ((np.zeros(2), r"\(2,\)"), (np.zeros((5, 4)), r"\(5, 4\)"), (1.0, r"\(\)")):
        with pytest.raises(
            ShapeError, match=rf"^bias: q must have shape \(\.\.\., 3\), got {shape}$"
        ):
            bias(wrong, V)
        with pytest.raises(
            ShapeError, match=rf"^bias: v must have shape \(\.\.\., 3\), got {shape}$"
        ):
            bias(Q, wrong)
    with pytest.raises(ShapeError, match=r"got \(3, 0\)"):
        bias(np.zeros((3, 0)), V)


def test_a_wrong_point_is_named():
    """Give a point of two coordinates."""
    with pytest.raises(
        ShapeError, match=r"^jacobian: point must have shape \(\.\.\., 3\), got \(2,\)"
    ):
        ARM.jacobian("slide", Q[0], [0.0, 1.0])


@pytest.mark.parametrize(
    ("wrong", "dtype"),
    [
        (np.zeros(3, complex), "complex128"),
        (np.zeros(3, object), "object"),
        ([None, 1.0, 2.0], "object"),
        (None, "object"),
        (["a", "b", "c"], "<U1"),
        (b"abc", r"\|S3"),
        (np.zeros(3, "datetime64[s]"), r"datetime64\[s\]"),
        (np.zeros(3, "timedelta64[s]"), r"timedelta64\[s\]"),
        (np.zeros(3, [("x", float)]), "x"),
    ],
)
def test_arrays_that_are_not_real_numbers_are_refused(bias, wrong, dtype):
    """Give complex numbers, objects, text, times and records."""
    with pytest.raises(
        ArrayTypeError, match=f"^bias: q must hold real numbers, got dtype .*{dtype}"
    ):
        bias(wrong, V[0])
    with pytest.raises(
        ArrayTypeError, match=f"^bias: v must hold real numbers, got dtype .*{dtype}"
    ):
        bias(Q[0], wrong)


def test_what_is_no_array_is_refused(bias):
    """Give a ragged list, and an object that refuses to become an array."""

    class Elsewhere:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("in another memory")

    with pytest.raises(ArrayTypeError, match=r"^bias: q must be an array of real numbers.*list"):
        bias([[1.0, 2.0, 3.0], [1.0]], V)
    with pytest.raises(
        ArrayTypeError, match=r"^bias: v must be .* got Elsewhere .in another memory"
    ):
        bias(Q, Elsewhere())


def test_batches_that_do_not_broadcast_are_named(bias):
    """Give five configurations and four velocities."""
    message = r"^bias: leading dimensions do not broadcast to one another: q \(5, 3\), v \(4, 3\)$"
    with pytest.raises(ShapeError, match=message):
        bias(Q, V[:4])


def test_unknown_backends_are_named():
    """Ask for a back end that does not exist."""
    with pytest.raises(PoinsotError, match=r"bias: unknown backend 'abacus'; choose one of 'auto'"):
        ARM.bias(Q, V, backend="abacus")


def test_arrays_for_the_result_that_do_not_fit_are_refused(bias):
    """Give an ``out`` of the wrong kind, type and shape, and one that cannot be written."""
    with pytest.raises(ArrayTypeError, match=r"^bias: out must be a NumPy array, got list$"):
        bias(Q, V, out=[0.0] * 3)
    for dtype in (np.float32, ">f8", int):
        with pytest.raises(ArrayTypeError, match=r"^bias: out must have dtype float64, got"):
            bias(Q, V, out=np.zeros((5, 3), dtype))
    for shape in ((3,), (5, 1, 3), (1, 3), (3, 5), (6, 3)):
        with pytest.raises(ShapeError, match=r"^bias: out must have shape \(5, 3\), got"):
            bias(Q, V, out=np.zeros(shape))
    fixed = np.zeros((5, 3))
    fixed.flags.writeable = False
    with pytest.raises(ArrayTypeError, match=r"^bias: out is read-only"):
        bias(Q, V, out=fixed)
    assert not fixed.any()


def test_mistakes_leave_the_result_alone(bias):
    """Make a mistake beside a good ``out``."""
    out = np.full((5, 3), 7.0)
    with pytest.raises(ShapeError):
        bias(Q, V[:, :2], out=out)
    assert (out == 7.0).all()


# Results in place


def test_out_is_returned_and_filled(bias):
    """Give an array for one state, for several, and for more axes."""
    expected = bias(Q, V)
    out = np.full((5, 3), np.nan)
    assert bias(Q, V, out=out) is out
    np.testing.assert_array_equal(out, expected)
    out = np.full(3, np.nan)
    assert bias(Q[0], V[0], out=out) is out
    np.testing.assert_allclose(out, expected[0], rtol=1e-13)
    out = np.full((2, 5, 3), np.nan)
    assert bias(Q, np.stack([V, V]), out=out) is out
    np.testing.assert_array_equal(out, [expected, expected])


def test_numbers_go_into_arrays_without_axes():
    """Give an array of no axes for an energy."""
    for backend in BACKENDS:
        out = np.array(np.nan)
        assert ARM.kinetic_energy(Q[0], V[0], out=out, backend=backend) is out
        np.testing.assert_allclose(out, ARM.kinetic_energy(Q[0], V[0]), rtol=1e-14)
        out = np.full(5, np.nan)
        assert ARM.kinetic_energy(Q, V, out=out, backend=backend) is out
        np.testing.assert_allclose(out, ARM.kinetic_energy(Q, V), rtol=1e-14)


def test_out_may_lie_in_pieces(bias):
    """Give arrays that are transposed, strided, backwards or in another order."""
    expected = bias(Q, V)
    for out in (
        np.full((3, 5), np.nan).T,
        np.full((5, 6), np.nan)[:, ::2],
        np.full((10, 3), np.nan)[::2],
        np.full((5, 3), np.nan)[::-1, ::-1],
        np.full((5, 4), np.nan)[:, 1:],
        np.asfortranarray(np.full((5, 3), np.nan)),
    ):
        whole = out if out.base is None else out.base
        assert bias(Q, V, out=out) is out
        np.testing.assert_array_equal(out, expected)
        assert np.isnan(whole).sum() == whole.size - out.size


def test_out_may_be_an_input(bias):
    """Write over the configuration, over the velocity, and over both at once."""
    expected = bias(Q, V)
    for n in (slice(None), 0):
        q, v = Q[n].copy(), V[n].copy()
        assert bias(q, v, out=q) is q
        np.testing.assert_allclose(q, expected[n], rtol=1e-13)
        q = Q[n].copy()
        assert bias(q, v, out=v) is v
        np.testing.assert_allclose(v, expected[n], rtol=1e-13)
        both = Q[n].copy()
        reference = bias(Q[n], Q[n])
        np.testing.assert_array_equal(bias(both, both, out=both), reference)


def test_out_may_overlap_an_input(bias):
    """Write one state behind and one number before where the input is read."""
    for shift in (1, 3, -1, -3):
        memory = np.zeros(5 * 3 + 6)
        q = memory[3:18].reshape(5, 3)
        q[...] = Q
        out = memory[3 + shift : 18 + shift].reshape(5, 3)
        expected = bias(Q, V)
        assert bias(q, V, out=out) is out
        np.testing.assert_array_equal(out, expected)


def test_out_may_overlap_an_input_that_is_repeated(bias):
    """Write a batch over the single state that is broadcast to it."""
    out = np.zeros((5, 3))
    out[2] = Q[0]
    expected = bias(Q[0], V)
    bias(out[2], V, out=out)
    np.testing.assert_array_equal(out, expected)


def test_inputs_are_never_written(bias):
    """Evaluate read-only arrays and compare their bytes."""
    q, v = Q.copy(), V.copy()
    q.flags.writeable = v.flags.writeable = False
    bias(q, v)
    bias(q[0], v[0])
    assert (q.tobytes(), v.tobytes()) == (Q.tobytes(), V.tobytes())


# Batches


def test_leading_dimensions_broadcast_as_in_numpy(bias):
    """Evaluate all pairs of shapes that NumPy would broadcast."""
    shapes = [(), (1,), (5,), (4, 1), (4, 5), (2, 1, 1), (2, 1, 5), (0,), (4, 0), (1, 0)]
    numbers = np.random.default_rng(1)
    for first in shapes:
        for second in shapes:
            q, v = numbers.uniform(-1, 1, (*first, 3)), numbers.uniform(-1, 1, (*second, 3))
            try:
                shape = np.broadcast_shapes(first, second)
            except ValueError:
                with pytest.raises(ShapeError, match="broadcast"):
                    bias(q, v)
                continue
            result = bias(q, v)
            assert result.shape == (*shape, 3)
            every = np.broadcast_arrays(q, v)
            plain = [bias(a, b) for a, b in zip(*[x.reshape(-1, 3) for x in every], strict=True)]
            expected = np.reshape(plain, (*shape, 3))
            np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("backend", BACKENDS)
def test_batches_of_no_states_have_the_right_shape(backend):
    """Evaluate nothing, of every kind of result."""
    for batch in ((0,), (0, 4), (3, 0)):
        q = np.zeros((*batch, 3))
        for _ in range(2):  # the second call goes to machine code
            assert ARM.bias(q, q, backend=backend).shape == (*batch, 3)
            assert ARM.mass_matrix(q, backend=backend).shape == (*batch, 3, 3)
            assert ARM.kinetic_energy(q, q, backend=backend).shape == batch
            assert ARM.pose("slide", q, backend=backend).shape == (*batch, 4, 4)
            out = np.zeros((*batch, 3))
            assert ARM.bias(q, q, out=out, backend=backend) is out


# Systems that cannot move

ROCK = ps.System(
    "rock",
    [
        ps.Body("rock", mass=2.0, com=(0, 0, 1.0), inertia=(1, 1, 1)),
        ps.Body("pebble", parent="rock", pose=ps.Pose((1.0, 0, 0)), mass=1.0),
    ],
)
RESULTS = {
    "inverse_dynamics": (3, (0,)),
    "forward_dynamics": (3, (0,)),
    "mass_matrix": (1, (0, 0)),
    "bias": (2, (0,)),
    "gravity_force": (1, (0,)),
    "position_rate": (2, (0,)),
    "kinetic_energy": (2, ()),
    "potential_energy": (1, ()),
    "centre_of_mass": (1, (3,)),
    "momentum": (2, (6,)),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", RESULTS)
def test_systems_without_freedom_have_empty_results(name, backend):
    """Ask everything of bodies that are fixed to the world."""
    n_inputs, shape = RESULTS[name]
    for batch in ((), (1,), (4,), (9,), (2, 3), (0,)):
        arrays = [np.zeros((*batch, 0))] * n_inputs
        for _ in range(2):  # the second call goes to machine code
            method = getattr(ROCK, name)
            result = method(*arrays) if backend == "auto" else method(*arrays, backend=backend)
            assert np.shape(result) == (*batch, *shape)
            assert np.isfinite(result).all()


def test_systems_without_freedom_still_have_energy_and_places():
    """Compare the numbers that remain with those by hand."""
    q = np.zeros((4, 0))
    np.testing.assert_allclose(ROCK.centre_of_mass(q), np.tile([1 / 3, 0, 2 / 3], (4, 1)))
    np.testing.assert_allclose(ROCK.potential_energy(q), np.full(4, 2 * 9.81))
    np.testing.assert_array_equal(ROCK.kinetic_energy(q, q), np.zeros(4))
    np.testing.assert_array_equal(ROCK.pose("pebble", [])[:3, 3], [1.0, 0, 0])
    assert ROCK.jacobian("pebble", q).shape == (4, 6, 0)
    with pytest.raises(
        ShapeError, match=r"mass_matrix: q must have shape \(\.\.\., 0\), got \(1,\)"
    ):
        ROCK.mass_matrix([0.0])


def test_every_method_takes_out_and_backend():
    """Check that no quantity lacks the keywords that all share."""
    for name in (*RESULTS, "pose", "velocity", "acceleration", "jacobian", "jacobian_rate"):
        how = inspect.signature(getattr(ps.System, name)).parameters["how"]
        assert how.annotation in ("Unpack[CallOptions]", "Unpack[LoadOptions]")
    for options in (ps.CallOptions, ps.LoadOptions):
        assert {"parameters", "out", "backend"} <= options.__annotations__.keys()
