"""Links that users name in questions: those that move, and the ground by any of its names."""

from __future__ import annotations

from collections.abc import Collection

from poinsot.errors import ModelError
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import FRAME, FRAME_NAMES


def checked_link(
    link: object, links: Collection[str], where: str, *, or_ground: bool = False
) -> str:
    """Return the name of a link as linkages have it.

    Args:
        link: What the user calls it.
        links: The links that move.
        where: What is asked, which opens the messages.
        or_ground: Whether it may be the ground.

    Raises:
        ModelError: There is no such link, or it is the ground and must not be.
    """
    if isinstance(link, str) and link in links:
        return link
    if isinstance(link, str | int) and link in FRAME_NAMES:
        if or_ground:
            return FRAME
        raise ModelError(
            f"{where}: {link!r} is the link that rests; name a moving link, {suggestion('', links)}"
        )
    raise ModelError(f"{where}: there is no link {link!r}; {suggestion(link, links)}")
