"""The link that rests, and how files and users may call it; names that are taken."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from poinsot.errors import ModelError

FRAME: Final = "0"
FRAME_NAMES: Final = (0, "0", "ground", "frame", "world")


def shown_link(link: object) -> object:
    """Return how messages call a link, the one that rests "ground"."""
    return "ground" if link == FRAME else link


def shown_links(links: Iterable[str]) -> list[str]:
    """Return the names of links as messages list them, the one that rests "ground"."""
    return ["ground" if link == FRAME else link for link in links]


def shown_ends(a: str, b: str) -> str:
    """Return how messages call the two links of a joint or a spring: "'ground' and 'rod'"."""
    return f"{shown_link(a)!r} and {shown_link(b)!r}"


def check_new_link(owner: str, link: str, block: Mapping[str, Any]) -> None:
    """Reject a link that a part or a pair brings along if there is one of its name already."""
    if link in map(str, (*block.get("bodies", {}), *block.get("ports", ()))):
        raise ModelError(
            f"{owner} has a link {link!r}, and there is one already; give that another name"
        )
