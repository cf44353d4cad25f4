"""Assembly: closing from rough guesses, modes, consistent rates, and what cannot close."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import poinsot as ps
from poinsot.assemble import assembly_modes
from poinsot.assemble.loop_closing import CLOSED, closed, settled
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.evaluate.evaluator import Evaluator
from poinsot.kernels.llvm import entry
from tests.assemble.four_bars import FOUR_BAR, by_trigonometry, four_bar


def same(q, other):
    """Say whether configurations are one but for whole turns."""
    return np.abs(np.exp(1j * np.asarray(q)) - np.exp(1j * np.asarray(other))).max() < 1e-9


@given(
    st.floats(-np.pi, np.pi), st.sampled_from([1, -1]),
    st.lists(st.floats(-0.3, 0.3), min_size=2, max_size=2),
)  # fmt: skip
def test_a_rough_guess_closes_with_the_crank_kept(angle, side, error):
    exact = by_trigonometry(angle, side)
    q = FOUR_BAR.assemble(exact + np.array([0, *error]), joints=["a"])
    assert q[0] == exact[0]
    assert np.abs(FOUR_BAR.constraint_residual(q)).max() < 1e-12
    assert same(q, by_trigonometry(angle, 1)) or same(q, by_trigonometry(angle, -1))


def test_all_modes_are_found_and_the_nearest_is_first():
    guess = by_trigonometry(0.8, 1) + np.array([0, 0.1, -0.1])
    modes = FOUR_BAR.assembly_modes(guess, joints=["a"], starts=30)
    assert len(modes) == 2
    assert same(modes[0], by_trigonometry(0.8, 1))
    assert same(modes[1], by_trigonometry(0.8, -1))


def test_ends_are_compared_side_by_side(monkeypatch):
    """Count how often ends are compared: once for each mode, and once to sort the modes."""
    calls = []
    plain = assembly_modes.distance
    monkeypatch.setattr(assembly_modes, "distance", lambda *args: calls.append(1) or plain(*args))
    guess = by_trigonometry(0.8, 1)
    assert len(FOUR_BAR.assembly_modes(guess, joints=["a"], starts=100)) == 2
    assert len(calls) == 3


@pytest.mark.skipif(not entry.supported(), reason="no native entry here")
def test_rows_are_machine_code(monkeypatch):
    """Look for modes once more, and see no row evaluated by way of Python."""
    guess, sizes = by_trigonometry(0.8, 1), []
    first = FOUR_BAR.assembly_modes(guess, joints=["a"], starts=30)
    plain = Evaluator.__call__

    def counted(self, arguments, out=None):
        sizes.append(len(arguments[0]))
        return plain(self, arguments, out)

    monkeypatch.setattr(Evaluator, "__call__", counted)
    again = FOUR_BAR.assembly_modes(guess, joints=["a"], starts=30)
    np.testing.assert_array_equal(again, first)
    assert not sizes


def test_no_modes_are_an_empty_list():
    """Hold the crank of a mechanism whose rods are too short to meet."""
    short = four_bar((0.3, 0.1, 0.1), 0.7)
    assert short.assembly_modes(np.zeros(3), joints=["a"], starts=5) == []


def test_starts_side_by_side_get_where_each_gets_alone():
    """Compare guesses in company with the same ones alone, some of which do not close."""
    far = four_bar((0.3, 0.35, 0.2), 0.7)
    rows, free = NumericRows(far.mechanism), np.array([1, 2])
    guesses = np.random.default_rng(4).uniform(-3.0, 3.0, (40, 3))
    ends, sizes = settled(rows, guesses, free, 0.0)
    assert 5 < np.sum(sizes <= CLOSED) < 35
    for guess, end, size in zip(guesses, ends, sizes, strict=True):
        if size <= CLOSED:
            assert same(end, closed(rows, guess, free))
        else:
            with pytest.raises(ps.AssemblyError):
                closed(rows, guess, free)


def test_modes_of_a_mechanism_that_still_moves_are_refused():
    with pytest.raises(ps.ModelError, match="can still move in 1 way"):
        FOUR_BAR.assembly_modes(by_trigonometry(0.8, 1), joints=[])


def test_what_cannot_close_says_which_loop_misses():
    short = four_bar((0.3, 0.1, 0.1), 0.7)
    with pytest.raises(ps.AssemblyError, match=r"loop 'pin' by 0\.\d+ \(translation"):
        short.assemble([0.1, 0.2, 0.3])
    with pytest.raises(ps.AssemblyError, match="keep fewer joints"):
        FOUR_BAR.assemble([0.8, 0.0, 0.0], joints=["a", "b"])
    with pytest.raises(ps.ShapeError, match=r"q must have shape \(3,\)"):
        FOUR_BAR.assemble([0.8])


def test_velocities_and_accelerations_follow_from_what_is_kept():
    q = by_trigonometry(0.8, 1)
    v = FOUR_BAR.consistent_velocity(q, [3.0, 0, 0], joints=["a"])
    a = FOUR_BAR.consistent_acceleration(q, v, [2.0, 0, 0], joints=["a"])
    h = 1e-4

    def at(t):
        return by_trigonometry(0.8 + 3 * t + t * t, 1)

    np.testing.assert_allclose(v, (at(h) - at(-h)) / (2 * h), atol=1e-5)
    np.testing.assert_allclose(a, (at(h) - 2 * at(0) + at(-h)) / h**2, atol=1e-4)
    with pytest.raises(ps.AssemblyError, match="velocities that are kept contradict 'pin"):
        FOUR_BAR.consistent_velocity(q, [3.0, 1.0, 0], joints=["a", "b"])


def test_free_bodies_with_quaternions_are_put_together():
    """A free box that two ball joints tie to the world at the distance of its corners."""
    box = ps.Body("box", joint=ps.Free(), mass=1.0, inertia=(0.1, 0.2, 0.3))
    loops = [
        ps.Loop("one", ("world", (0, 0, 0)), ("box", (0.5, 0, 0)), ps.Spherical()),
        ps.Loop("two", ("world", (0, 1, 0)), ("box", (-0.5, 0, 0)), ps.Spherical()),
    ]
    system = ps.System("tied", [box], loops=loops)
    q = system.assemble([0.3, 0.2, 0.1, 1.0, 0, 0, 0])
    assert np.abs(system.constraint_residual(q)).max() < 1e-12
    assert abs(np.linalg.norm(q[3:]) - 1) < 1e-12
    assert system.mobility(q).degrees == 1
