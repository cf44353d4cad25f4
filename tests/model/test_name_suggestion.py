"""The nearest name."""

from poinsot.model.name_suggestion import suggestion


def test_suggestion_is_the_nearest_name() -> None:
    """Name the near one only."""
    assert suggestion("uper_arm", ["lower_arm", "upper_arm"]) == "did you mean 'upper_arm'?"


def test_suggestion_lists_names_when_none_is_near() -> None:
    """List a few known names, and tell that there are more."""
    assert suggestion("q", ["aa", "bb"]) == "known are 'aa', 'bb'"
    assert suggestion("q", [f"body{i}" for i in range(100)]).endswith("'body7', ...")


def test_long_names_and_lists():
    """Names come from files: a million letters, or a million names, must not stop us."""
    assert suggestion("a" * 1_000_000, ["a" * 1_000_000 + "b"]).startswith("known are")
    assert suggestion("a" * 90, ["a" * 5_000 + str(k) for k in range(5_000)])
    assert suggestion("near 5", (f"near {k}0" for k in range(1_000_000)))
