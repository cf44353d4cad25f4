"""Data of a mechanism that URDF cannot hold: reported in one warning, never dropped silently."""

from __future__ import annotations

from poinsot.expr.same_formula import same
from poinsot.model import Mechanism
from poinsot.model.model_warnings import listed

__all__ = ["Lost"]

_GRAVITY = (0.0, 0.0, -9.81)
"""The gravity that readers of URDF assume, since files do not say."""


class Lost:
    """A list of what is lost, by what it is and whose."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._owners: dict[str, list[str]] = {}

    def add(self, what: str, owner: str) -> None:
        """Note that ``what`` is lost of ``owner``, e.g. the stiffness of a joint."""
        owners = self._owners.setdefault(what, [])
        if owner not in owners:
            owners.append(owner)

    def add_whole(self, mechanism: Mechanism) -> None:
        """Note what belongs to the mechanism as a whole."""
        if not same(mechanism.gravity, _GRAVITY):
            self.add("gravity", f"{mechanism.gravity}")
        for i, force in enumerate(mechanism.forces):
            self.add("force", force.name or f"forces[{i}]")

    def text(self) -> str:
        """Return the list, e.g. ``stiffness of 'elbow'; force of 'spring'``; empty: nothing."""
        return "; ".join(f"{what} of {listed(owners)}" for what, owners in self._owners.items())
