"""Which laws of restitution go together in one impact."""

from __future__ import annotations

from collections.abc import Sequence

from poinsot.errors import ModelError
from poinsot.impacts.impact_process import PROCESSES

__all__ = ["check_laws", "check_reversed_slip", "check_same_law"]


def check_laws(where: str, order: str, points: Sequence[tuple[str, str, float]]) -> None:
    """Reject laws of points that do not go together, or not with what points have.

    Args:
        where: Opens the message of an error.
        order: At once, or one after the other.
        points: Name, law and tangential restitution of each.
    """
    names, laws = [name for name, *_ in points], [law for _, law, _ in points]
    if len(points) > 1 and order == "simultaneous":
        check_same_law(f"{where}: points", names, laws)
        if laws[0] == "stronge":
            raise ModelError(
                f"{where}: Stronge's restitution is not defined for several points at once: the "
                "work of one depends on the others; set order='sequential', or law='poisson'"
            )
    for name, law, reversed_slip in points:
        check_reversed_slip(f"{where}: {name!r}", law, reversed_slip)


def check_reversed_slip(where: str, law: str, tangential_restitution: float) -> None:
    """Reject a restitution of slip where restitution is not one of velocities.

    Args:
        where: Opens the message of an error.
        law: Of a point or contact.
        tangential_restitution: Its part of the slip that comes back.
    """
    if law in PROCESSES and tangential_restitution:
        raise ModelError(
            f"{where}: tangential_restitution is one of velocities; set law='printed' or "
            f"'unilateral' in place of {law!r}, or leave it out"
        )


def check_same_law(which: str, names: Sequence[str], laws: Sequence[str]) -> None:
    """Reject different laws of what acts at once.

    Args:
        which: Opens the message of an error.
        names: Of the points or contacts.
        laws: Of each.
    """
    if len(set(laws)) > 1:
        listed = ", ".join(f"{name!r} ({law})" for name, law in zip(names, laws, strict=True))
        raise ModelError(
            f"{which} that act at once must have the same law, got {listed}; give them one, or "
            "set order='sequential'"
        )
