"""The four methods of table 2 against each other."""


def test_methods_agree_and_units_need_the_fewest_operations(example, monkeypatch):
    """Check accelerations of all methods, and that closed forms of units take fewer operations."""
    monkeypatch.setattr(example, "STATES", 3)
    monkeypatch.setattr(example, "REPEATS", 1)
    rows = example.table()
    assert len(rows) == 12
    assert max(row[-1] for row in rows) < 1e-9
    counts = {row[:2]: row[4] for row in rows}
    for name in ("four-bar", "six-bar"):
        others = [counts[name, "Roberson-Wittenburg"], counts[name, "Huston (Kane)"]]
        assert counts[name, "composable"] < min(others)
