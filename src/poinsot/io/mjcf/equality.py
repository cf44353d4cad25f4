"""``<equality>``: constraints that a tree of bodies does not have, kept as they are written."""

from __future__ import annotations

from dataclasses import dataclass

from poinsot.io.xml import Element

__all__ = ["Equality", "equalities_of"]


@dataclass(frozen=True)
class Equality:
    """One constraint of a file.

    Attributes:
        kind: ``"connect"``, ``"weld"``, ``"joint"``, ``"tendon"``, ...
        name: Its name, or an empty text.
        attributes: The other attributes as they are written, by name.
    """

    kind: str
    name: str
    attributes: tuple[tuple[str, str], ...]


def equalities_of(root: Element) -> tuple[Equality, ...]:
    """Return all constraints of a ``<mujoco>``, as listed."""
    return tuple(
        Equality(
            element.tag,
            element.attributes.get("name", ""),
            tuple((key, value) for key, value in element.attributes.items() if key != "name"),
        )
        for section in root.all("equality")
        for element in section.children
    )
