"""The errors and their families."""

import pytest

from poinsot.errors import ModelError, ModelWarning, PoinsotError, ShapeError


@pytest.mark.parametrize("error", [ModelError, ShapeError])
def test_errors_belong_to_both_families(error: type[Exception]) -> None:
    """Catch every error as one of poinsot and as a ValueError."""
    assert issubclass(error, PoinsotError)
    assert issubclass(error, ValueError)


def test_warning_is_a_user_warning() -> None:
    """Let users filter the warning as any other of theirs."""
    assert issubclass(ModelWarning, UserWarning)
