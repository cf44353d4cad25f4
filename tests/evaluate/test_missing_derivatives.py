"""Derivatives that do not exist: said, not left to a NaN; methods stay what they are elsewhere."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.errors import ModelWarning, PoinsotError

ZERO = np.zeros(1)


def door(formula):
    """Return a hinge with a force by formula."""
    body = ps.Body("door", joint=ps.Revolute("z"), mass=1.0, com=(0.5, 0, 0))
    return ps.System("door", [body], forces=[ps.JointForce("door", formula)])


@pytest.mark.parametrize(
    "ask",
    [
        lambda s, q: s.inverse_dynamics_derivatives(q, ZERO, ZERO),
        lambda s, q: s.forward_dynamics_derivatives(q, ZERO, ZERO),
        lambda s, q: s.inverse_dynamics_second_derivatives(q, ZERO, ZERO),
        lambda s, q: s.derivative("bias", q, ZERO, by="q"),
        lambda s, q: s.derivative("forward_dynamics", q, ZERO, ZERO, by="q", along=[1.0]),
    ],
)
def test_one_state_names_the_element(ask):
    """Ask at a kink without derivative, also by machine code, with good calls between."""
    system = door("-sqrt(q*q)")
    for _ in range(2):
        with pytest.raises(PoinsotError, match=r"for joint force of 'door', at q = \[0.0\]: a for"):
            ask(system, ZERO)
        for _ in range(2):
            assert np.isfinite(ask(system, np.array([0.3]))).all()


def test_batches_warn_once():
    """Mix states with and without: the others have theirs, also by machine code."""
    system, q = door("-sqrt(q*q)"), np.array([[0.3], [0.0], [-0.2]])
    for _ in range(2):
        with pytest.warns(ModelWarning, match="in 1 of 3 states, the first at q") as caught:
            found = system.inverse_dynamics_derivatives(q, np.zeros((3, 1)), np.zeros((3, 1)))
        assert len(caught) == 1
        assert_allclose(found[:, 0, 0, 0], [1.0, np.nan, -1.0])


def test_springs_without_length():
    """Name the bodies of the spring, of two, whose ends meet."""
    body = ps.Body("ball", joint=ps.Translation(), mass=1.0)
    springs = [
        ps.Spring(("world", (0, 0, height)), ("ball", (0, 0, 0)), 10.0, length=0.5)
        for height in (1.0, 0.0)
    ]
    system = ps.System("ball", [body], forces=springs)
    with pytest.raises(PoinsotError, match="derivative, for spring on 'world' and 'ball', at q"):
        system.inverse_dynamics_derivatives(np.zeros(3), np.zeros(3), np.zeros(3))


def test_what_the_caller_gave_is_silent():
    """NaN in, NaN out; infinite derivatives and those at kinks are values."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        system = door("-sqrt(q)")
        assert system.derivative("bias", ZERO, ZERO, by="q") == np.inf
        assert np.isnan(system.derivative("bias", [np.nan], ZERO, by="q"))
        kinks = door("-abs(q) - max(v, 0)")
        assert kinks.derivative("bias", ZERO, ZERO, by="q") == 0.0
        assert kinks.derivative("bias", ZERO, ZERO, by="v") == 1.0


def test_no_linear_model():
    """Linearise where forces grow infinitely fast, or have no derivative."""
    with pytest.raises(ps.ModelError, match="grows infinitely fast over the q of 'door'"):
        ps.linearize(door("-sqrt(q)"), ZERO)
    with pytest.raises(PoinsotError, match="has no derivative"):
        ps.linearize(door("-sqrt(q*q)"), ZERO)
