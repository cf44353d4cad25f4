"""The nearest name."""

from poinsot.model.suggest import suggestion


def test_suggestion_is_the_nearest_name() -> None:
    """Name the near one only."""
    assert suggestion("uper_arm", ["lower_arm", "upper_arm"]) == "did you mean 'upper_arm'?"


def test_suggestion_lists_names_when_none_is_near() -> None:
    """List a few known names, and tell that there are more."""
    assert suggestion("q", ["aa", "bb"]) == "known are 'aa', 'bb'"
    assert suggestion("q", [f"body{i}" for i in range(100)]).endswith("'body7', ...")
