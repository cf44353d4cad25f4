"""Derivatives of closed systems next to a change of rank: they say so, in one state and in many."""

import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.front import rank_changes

REST = np.zeros(3)


def folding():
    """Return a four-bar that can fold flat: there its rows depend on each other."""
    return ps.library.four_bar(lengths=(1.0, 2.0, 1.0), ground=2.0)


def nearby(angle):
    """Return the configuration of the parallelogram at a crank angle."""
    return np.array([angle, -angle, angle + np.pi])


def warned(call):
    """Return the messages of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(warning.message) for warning in caught]


def exact_margin(system, q):
    """Return the distance of the nearest row from the others, by least squares, relative."""
    J = system.constraint_jacobian(q)
    J = J[np.linalg.norm(J, axis=1) > 1e-12]
    away = [
        np.linalg.norm(J[k] - np.delete(J, k, 0).T @ np.linalg.lstsq(np.delete(J, k, 0).T, J[k])[0])
        for k in range(len(J))
    ]
    return min(away) / np.linalg.norm(J, axis=1).max()


CALLS = {
    "together": lambda s, q: s.forward_dynamics_derivatives(q, REST, REST),
    "accelerations by q": lambda s, q: s.derivative("forward_dynamics", q, REST, REST, by="q"),
    "along": lambda s, q: s.derivative("forward_dynamics", q, REST, REST, by="q", along=np.ones(3)),
    "second": lambda s, q: s.derivative("forward_dynamics", q, REST, REST, by=("q", "v")),
    "multipliers by tau": lambda s, q: s.derivative("multipliers", q, REST, REST, by="tau"),
}


@pytest.mark.parametrize("few", [10, 0])
@pytest.mark.parametrize("call", CALLS)
def test_nearness_is_said(call, few, monkeypatch):
    """Fold a four-bar almost flat: row, margin and count, once in every call; elsewhere nothing."""
    monkeypatch.setattr(rank_changes, "FEW", few)
    system, near = folding(), nearby(2e-5)
    margin = f"{exact_margin(system, near):.1e} of the longest"
    for _ in range(3):  # the later ones are machine code
        (message,) = warned(lambda: CALLS[call](system, near))
        assert "'pin: translation" in message
        assert margin in message
        assert "states" not in message
        assert not warned(lambda: CALLS[call](system, nearby(0.7)))
    batch = np.stack([nearby(angle) for angle in (0.7, 2e-5, 1e-5, -1.1)])
    for _ in range(3):
        (message,) = warned(lambda: CALLS[call](system, batch))
        assert "in 2 of 4 states" in message
        assert f"{exact_margin(system, nearby(1e-5)):.1e}" in message
        assert not warned(lambda: CALLS[call](system, batch[[0, 3]]))


def test_warned_results_are_the_same():
    """Compare what comes with the warning and what comes in a batch with others."""
    system, batch = folding(), np.stack([nearby(0.7), nearby(2e-5)])
    with pytest.warns(ps.ModelWarning, match="next to a change of rank in 1 of 2"):
        both = system.forward_dynamics_derivatives(batch, REST, REST)
    with pytest.warns(ps.ModelWarning, match="next to a change of rank"):
        near = system.forward_dynamics_derivatives(batch[1], REST, REST)
    np.testing.assert_allclose(both[1], near, rtol=1e-6)
    regular = system.forward_dynamics_derivatives(batch[0], REST, REST)
    np.testing.assert_allclose(both[0], regular, atol=1e-12)


def test_rows_that_depend_on_the_time_and_on_parameters():
    """Drive the length of a link to where the loop is flat, by the time and by a parameter."""
    l, rate = ps.symbols("l rate")
    crank = ps.Body("crank", joint=ps.Revolute("y"), mass=1.0, com=(0.5, 0, 0), inertia=(1, 1, 1))
    slide = ps.Body("slide", "crank", ps.Prismatic("x"), mass=1.0, inertia=(1, 1, 1))
    closed = ps.Holonomic("ring", lambda q, t: [(q[0] - rate * t) ** 2 / 2 + l * q[1]])
    fixed = ps.Holonomic("line", lambda q, t: [q[0] - q[1]])
    system = ps.System(
        "ring", [crank, slide], constraints=[closed, fixed], free=["l", "rate"],
        parameters={"l": 1.0, "rate": 1.0},
    )  # fmt: skip
    ask = lambda **how: warned(  # noqa: E731
        lambda: system.forward_dynamics_derivatives([0.2, 0.2], [0, 0], [0, 0], **how)
    )
    for _ in range(3):  # rows are (q0 - rate t, l) and (1, -1): they meet where rate t = q0 + l
        assert not ask()
        assert not ask(t=1.0)
        assert len(ask(t=1.2 + 1e-5)) == 1
        assert len(ask(t=0.7 - 1e-5, parameters={"l": 0.5})) == 1
        assert len(ask(t=0.6, parameters={"rate": 2.0 + 1e-4})) == 1
        assert not ask(t=0.7, parameters={"rate": 2.0})


def test_linearize_says_it_once():
    """Linearise next to the fold, which has its own words."""
    system = folding()
    q = nearby(2e-5)
    tau = system.inverse_dynamics(q, REST, REST)
    messages = warned(lambda: ps.linearize(system, q, tau=tau))
    assert len(messages) == 1
    assert "near a singular configuration" in messages[0]


def test_open_systems_stay_machine_code():
    """Check that a tree's method is the builtin function, without a look at constraints."""
    system = ps.library.double_pendulum()
    for _ in range(3):
        system.forward_dynamics_derivatives([0.1, 0.2], [0.0, 0.0])
    assert type(system.forward_dynamics_derivatives).__name__ == "builtin_function_or_method"


@pytest.mark.parametrize("few", [10, 0])
@pytest.mark.parametrize("call", CALLS)
def test_the_singular_state_itself_is_said(call, few, monkeypatch):
    """Fold the four-bar flat, before and after regular states: the rows left out are named."""
    monkeypatch.setattr(rank_changes, "FEW", few)
    system, flat = folding(), nearby(0.0)
    for angle in (0.0, 0.7, 0.0, 0.0, -1.1):
        messages = warned(lambda x=angle: CALLS[call](system, nearby(x)))
        assert len(messages) == (angle == 0.0)
        assert all("at a change of rank: some of" in message for message in messages)
        assert all("'pin: translation x'" in message for message in messages)
    batch = np.stack([flat, nearby(0.7), nearby(1e-5), flat, nearby(2.0)])
    for _ in range(2):
        near, there = warned(lambda: CALLS[call](system, batch))
        assert "next to a change of rank in 1 of 5 states" in near
        assert "at a change of rank in 2 of 5 states" in there


def test_warnings_show_the_line_of_the_caller():
    """Look at whose line a warning shows, in Python and in machine code."""
    system = folding()
    for call in CALLS.values():
        for _ in range(3):
            with pytest.warns(ps.ModelWarning, match="change of rank") as caught:
                call(system, nearby(0.0))
            assert caught[0].filename == __file__


LIBRARY = ps.library
REDUNDANT = {
    "four bars": lambda x: (LIBRARY.four_bar(), LIBRARY.four_bar_configuration(x)),
    "Bennett": lambda x: (LIBRARY.bennett(), LIBRARY.bennett_configuration(x)),
    "scissor lift": lambda x: (LIBRARY.scissor_lift(), LIBRARY.scissor_lift_configuration(x)),
    "Peaucellier": lambda x: (LIBRARY.peaucellier(), LIBRARY.peaucellier_configuration(x)),
}


@pytest.mark.parametrize("name", REDUNDANT)
def test_rows_that_are_redundant_for_good_are_no_change_of_rank(name):
    """Move loops whose redundant rows stay so, planar and spatial ones: nothing is said."""
    for angle in (0.5, 0.6, 0.7):
        system, q = REDUNDANT[name](angle)
        mobility, still = system.mobility(q), np.zeros(system.nv)
        assert mobility.redundant
        assert mobility.margin > 1e-2
        for _ in range(2):
            assert not warned(
                lambda s=system, q=q, v=still: s.forward_dynamics_derivatives(q, v, v)
            )


def test_numbers_that_are_no_numbers_pass():
    """Give NaN: the result is NaN, and nothing is said of ranks."""
    system = folding()
    for _ in range(3):
        with np.errstate(invalid="ignore"):
            assert not warned(
                lambda: system.forward_dynamics_derivatives(np.full(3, np.nan), REST, REST)
            )
