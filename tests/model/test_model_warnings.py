"""One warning for a whole file, with a short list."""

import warnings

import pytest

from poinsot.errors import ModelWarning
from poinsot.model.model_warnings import Gathered, warn


def given_by(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    return caught


def test_a_warning_by_itself_shows_the_caller():
    (one,) = given_by(lambda: warn("a", stacklevel=1))
    assert (one.category, str(one.message), one.filename) == (ModelWarning, "a", __file__)


def test_gathered_warnings_are_one():
    def read(n):
        with Gathered("arm.urdf"), Gathered("URDF"):
            for k in range(n):
                warn(f"body {k}")

    assert not given_by(lambda: read(0))
    (one,) = given_by(lambda: read(1))
    assert str(one.message) == "arm.urdf: body 0"
    assert one.filename == __file__
    (one,) = given_by(lambda: read(7))
    lines = str(one.message).splitlines()
    assert lines[0] == "arm.urdf: 7 warnings:"
    assert lines[1:] == [*(f"  body {k}" for k in range(5)), "  ... (2 more)"]


def test_an_error_drops_them():
    def broken():
        warn("body")
        raise ValueError("broken")

    def read():
        with pytest.raises(ValueError, match="broken"), Gathered("arm.urdf"):
            broken()

    assert not given_by(read)
    (one,) = given_by(lambda: warn("after"))
    assert str(one.message) == "after"
