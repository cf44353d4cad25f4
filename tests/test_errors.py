"""Errors as users read them."""

import pytest

import poinsot as ps
from poinsot.errors import LONGEST


def test_messages_of_any_length_stay_readable():
    """The beginning says where, the end says what to do; what is between may be a whole file."""
    with pytest.raises(ps.ModelError) as caught:
        ps.Body("a", mass="x" * 100_000)
    assert len(str(caught.value)) <= LONGEST + 10
    assert str(caught.value).startswith("body 'a': mass must be real numbers")


def test_short_messages_are_whole():
    """Check that the bound leaves usual messages alone."""
    assert str(ps.ModelError("x" * LONGEST)) == "x" * LONGEST
