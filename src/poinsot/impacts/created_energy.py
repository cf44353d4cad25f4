"""Which laws create no energy, for the messages about impacts that do."""

from __future__ import annotations

__all__ = ["creates_none"]


def creates_none(points: int, order: str, *, is_rough: bool) -> str:
    """Return what creates no energy where the law that was taken does, in words.

    Stronge's law, in one point or one point after the other; at once, Poisson's law without
    friction: its restitution takes the least work of all impulses that keep gaps from closing, and
    one of them is compression once more, which would give back no more than compression took.

    Args:
        points: How many act.
        order: At once, or one after the other.
        is_rough: Whether one has friction.
    """
    if points == 1 or order == "sequential":
        return "law='stronge' does not"
    in_turn = "law='stronge' with order='sequential'"
    return f"{in_turn} does not" if is_rough else f"law='poisson' does not, nor {in_turn}"
