"""Names of the laws of restitution and of the orders, the same for contacts and for points."""

from __future__ import annotations

from typing import Final

from poinsot.errors import ModelError
from poinsot.impacts.impact_process import PROCESSES

__all__ = ["BY_VELOCITIES", "LAWS", "ORDERS", "PRINTED", "UNILATERAL", "check_names"]

PRINTED: Final = "printed"
"""Every point obeys Newton's restitution, even by pulling [Zhang1996, (3.15)]."""
UNILATERAL: Final = "unilateral"
"""Newton's restitution of points that only push, by complementarity."""
BY_VELOCITIES: Final = (PRINTED, UNILATERAL)
LAWS: Final = (*BY_VELOCITIES, *PROCESSES)
ORDERS: Final = ("simultaneous", "sequential")
OTHER_NAMES: Final = {
    "newton": "Newton's restitution is 'printed' (every point obeys it, and pulls if it has to) or "
    "'unilateral' (points only push); of one point both are the same",
    "plastic": "plastic is restitution=0 of any of them",
    "energetic": "the energetic one is 'stronge'",
}
"""What to write in place of names that are not there."""


def check_names(where: str, law: object, order: object = ORDERS[0]) -> None:
    """Reject laws and orders that are not there.

    Args:
        where: Opens the message of an error.
        law: Name of a law.
        order: Name of an order.
    """
    for what, value, known in (("law", law, LAWS), ("order", order, ORDERS)):
        if value not in known:
            listed, hint = ", ".join(map(repr, known)), OTHER_NAMES.get(str(value), "")
            raise ModelError(
                f"{where}: {what} must be one of {listed}, got {value!r}{hint and '; '}{hint}"
            )
