"""Points that pull: Newton's law as printed asks for it where another point lets them open faster.

Of two points the first pulls where G₂₂ H₁ < G₁₂ H₂: the second alone lifts it fast enough.
"""

from __future__ import annotations

from collections.abc import Mapping

from poinsot.impacts.collision_law import ROUNDING

__all__ = ["pulled", "pulled_text"]


def pulled(impulses: Mapping[str, float]) -> tuple[str, ...]:
    """Return the names of points whose impulse [N s] is negative by more than rounding.

    >>> pulled({"heel": 2.0, "toe": -0.5, "ball": -1e-15})
    ('toe',)
    """
    least = -ROUNDING * max(map(abs, impulses.values()), default=0.0)
    return tuple(name for name, impulse in impulses.items() if impulse < least)


def pulled_text(names: tuple[str, ...]) -> list[str]:
    """Return what a table of an impact says about them: a line, or none."""
    if not names:
        return []
    listed = ", ".join(map(repr, names))
    return [f"{listed}: the printed law pulls here; by law='unilateral' impulses only push"]
