"""The compiled iteration against the same one in NumPy, and what it calls."""

import ctypes

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.assemble.assembly_modes import distance
from poinsot.assemble.configuration_steps import step_table
from poinsot.assemble.least_squares_solver import machine_code
from poinsot.assemble.loop_closing import CLOSED, settled
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.kernels import threads
from tests.assemble import reference_settled
from tests.assemble.four_bars import FOUR_BAR, by_trigonometry, four_bar
from tests.random_joints import KINDS, random_joint


def tied_box():
    """Return a free box that two ball joints tie to the world."""
    box = ps.Body("box", joint=ps.Free(), mass=1.0, inertia=(0.1, 0.2, 0.3))
    loops = [
        ps.Loop("one", ("world", (0, 0, 0)), ("box", (0.5, 0, 0)), ps.Spherical()),
        ps.Loop("two", ("world", (0, 1, 0)), ("box", (-0.5, 0, 0)), ps.Spherical()),
    ]
    return ps.System("tied", [box], loops=loops)


def random_guesses(system, n, seed=0):
    """Return random configurations, shape (n, nq)."""
    rng = np.random.default_rng(seed)
    return np.array([system.mechanism.random(rng) for _ in range(n)])


@pytest.mark.parametrize(
    ("system", "free"),
    [
        (four_bar((0.3, 0.35, 0.2), 0.7), [1, 2]),  # some do not close
        (FOUR_BAR, [0, 1, 2]),  # more velocities than the rows determine
        (FOUR_BAR, []),
        (tied_box(), range(6)),
        (library.delta_robot(), range(3, 9)),
        (library.stewart_platform(), range(24)),  # columns longer than a register
    ],
    ids=["locked crank", "free crank", "all locked", "tied box", "delta robot", "Stewart platform"],
)
def test_guesses_end_where_the_iteration_in_numpy_ends(system, free):
    rows, free = NumericRows(system.mechanism), np.array([*free], dtype=int)
    guesses = random_guesses(system, 40)
    ends, sizes = settled(rows, guesses, free, 0.0)
    expected, residuals = reference_settled.settled(rows, guesses, free, 0.0)
    closes = sizes <= CLOSED
    np.testing.assert_array_equal(closes, residuals <= CLOSED)
    np.testing.assert_allclose(sizes, residuals, rtol=1e-3, atol=CLOSED)
    assert distance(system.mechanism, ends, expected)[closes].max(initial=0.0) < 1e-6
    held = np.setdiff1d(np.arange(system.nv), free)
    assert not system.mechanism.difference(guesses, ends)[:, held].any()


def test_each_guess_has_its_own_parameters():
    """Let the distance of the pins be a parameter, and give every guess one of its own."""
    d = ps.symbols("d")
    bodies, pin = FOUR_BAR.mechanism.bodies, ("c", (0.6, 0, 0))
    loop = ps.Loop("pin", ("world", (d, 0, 0)), pin, ps.Revolute("z"))
    system = ps.System("four-bar", bodies, loops=[loop], parameters={"d": 0.7}, free=["d"])
    numbers, guesses = np.linspace(0.6, 0.9, 20), random_guesses(FOUR_BAR, 20)
    rows = NumericRows(system.mechanism, parameters=numbers[:, None])
    ends, sizes = settled(rows, guesses, np.array([1, 2]), 0.0)
    assert (sizes <= CLOSED).all()
    for number, guess, end in zip(numbers, guesses, ends, strict=True):
        sides = [by_trigonometry(guess[0], side, ground=number) for side in (1, -1)]
        assert min(distance(FOUR_BAR.mechanism, end, exact) for exact in sides) < 1e-9


def test_rows_on_floats_and_steps_in_python_give_the_same_ends(monkeypatch):
    """Call Python back for the rows, and for joints with steps of their own."""
    free, guesses = np.array([1, 2]), random_guesses(FOUR_BAR, 5)
    expected, _ = settled(NumericRows(FOUR_BAR.mechanism), guesses, free, 0.0)
    ends, _ = settled(NumericRows(FOUR_BAR.mechanism, "floats"), guesses, free, 0.0)
    np.testing.assert_allclose(ends, expected, rtol=0, atol=1e-12)
    monkeypatch.setattr(ps.Revolute, "integrate", staticmethod(lambda q, v: q + v))
    other = four_bar(ground=0.7 + 1e-16).mechanism
    assert step_table(other) is None
    ends, _ = settled(NumericRows(other), guesses, free, 0.0)
    np.testing.assert_allclose(ends, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_an_error_of_python_is_raised(monkeypatch, error):
    """Let steps fail."""

    def fail(q, v):
        raise error

    monkeypatch.setattr(ps.Revolute, "integrate", staticmethod(fail))
    rows = NumericRows(four_bar((0.3, 0.8, 0.61)).mechanism)
    with pytest.raises(error):
        settled(rows, random_guesses(FOUR_BAR, 3), np.array([1, 2]), 0.0)
    monkeypatch.undo()
    settled(rows, random_guesses(FOUR_BAR, 3), np.array([1, 2]), 0.0)


def test_threads_give_the_same_bits(monkeypatch):
    rows, free, guesses = NumericRows(FOUR_BAR.mechanism), np.array([1, 2]), np.zeros((0, 3))
    assert settled(rows, guesses, free, 0.0)[0].shape == (0, 3)
    guesses = random_guesses(FOUR_BAR, 203)
    monkeypatch.setenv("POINSOT_NUM_THREADS", "1")
    expected = settled(rows, guesses, free, 0.0)
    monkeypatch.setattr(threads, "WORTH_A_THREAD", 1)
    monkeypatch.setenv("POINSOT_NUM_THREADS", "3")
    for value, other in zip(settled(rows, guesses, free, 0.0), expected, strict=True):
        np.testing.assert_array_equal(value, other)


def test_a_quaternion_of_zero_is_rejected():
    with pytest.raises(ps.ModelError, match=r"quaternion q\[3:7\] must not be zero"):
        tied_box().assemble(np.zeros(7))


def test_steps_in_machine_code_are_those_of_the_joints():
    """Move a chain with joints of all kinds by steps long, short and zero."""
    rng, parent, bodies = np.random.default_rng(2), "world", []
    for kind in (*KINDS, *KINDS[::-1]):
        joint = random_joint(rng, kind, np.array([0.6, 0.0, 0.8]), passive=False)
        bodies.append(ps.Body(f"{kind}{len(bodies)}", parent, joint, mass=1.0))
        parent = bodies[-1].name
    mechanism = ps.System("chain", bodies).mechanism
    table, result = step_table(mechanism), np.empty(mechanism.nq)
    move = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(machine_code().address("move"))
    for scale in (3.0, 1.0, 0.1, 1e-9, 0.0):
        q, v = mechanism.random(rng), scale * rng.normal(size=mechanism.nv)
        inputs = (ctypes.c_void_p * 3)(q.ctypes.data, v.ctypes.data, table.ctypes.data)
        outputs = (ctypes.c_void_p * 1)(result.ctypes.data)
        move(ctypes.addressof(inputs), ctypes.addressof(outputs))
        np.testing.assert_allclose(result, mechanism.integrate(q, v), rtol=0, atol=4e-15)
