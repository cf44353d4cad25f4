"""What ``print`` says of motions: how they ended, the states they have, and what they took."""

from __future__ import annotations

from typing import Final

from poinsot.simulation.running.status import Statistics
from poinsot.spatial import Array

__all__ = ["NAMED", "effort", "span"]

NAMED: Final = 3
"""How many motions that stopped early are named."""


def span(t: Array) -> str:
    """Return how many states are stored, and from when to when."""
    if not t.size:
        return "no states"
    count = f"{t.size} state{'s' if t.size > 1 else ''}"
    return f"{count} from {t[0]:g} s to {t[-1]:g} s"


def effort(used: Statistics, integrator: str) -> list[str]:
    """Return what simulations took, compilation apart.

    Args:
        used: Steps, evaluations and times.
        integrator: Its name.
    """
    lines = [
        f"  {integrator}: {used.steps} steps, {used.rejected} rejected, "
        f"{used.evaluations} evaluations in {_duration(used.wall_time)}, after "
        f"{_duration(used.preparation_time)} of preparation"
    ]
    if used.callback_calls:
        share = used.callback_time / max(used.wall_time, 1e-300)
        lines.append(f"  callback: {used.callback_calls} calls, {share:.0%} of that time")
    return lines


def _duration(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1.0 else f"{1e3 * seconds:.3g} ms"
