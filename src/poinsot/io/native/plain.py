"""Plain values of trees."""

from typing import Any

__all__ = ["plain"]


def plain(value: Any) -> Any:  # noqa: ANN401 (numbers and formulas, in tuples in tuples)
    """Return lists in place of tuples."""
    return [plain(item) for item in value] if isinstance(value, tuple) else value
