"""Elements of a file that are ignored: collected while reading, reported in one warning."""

from __future__ import annotations

from collections.abc import Iterable

from poinsot.io.xml import Element

__all__ = ["LeftOut"]

_PRINTED = 8
"""How many names the warning lists of each kind of element."""


class LeftOut:
    """Elements and attributes that were not taken, in the order in which they were met."""

    def __init__(self) -> None:
        self._elements: dict[str, list[str]] = {}
        self._attributes: dict[str, dict[str, None]] = {}

    def element(self, what: str, element: Element) -> None:
        """Note an element.

        Args:
            what: What messages call elements of this kind, e.g. ``"actuator/motor"``.
            element: The element; its name is told if it has one.
        """
        self._elements.setdefault(what, []).append(element.attributes.get("name", ""))

    def attributes(self, element: Element, taken: Iterable[str]) -> None:
        """Note the attributes of an element but those that are taken."""
        for attribute in element.attributes.keys() - set(taken):
            self.attribute(element.tag, attribute)

    def attribute(self, tag: str, attribute: str) -> None:
        """Note an attribute of the elements with a tag."""
        self._attributes.setdefault(tag, {})[attribute] = None

    def told(self) -> str:
        """Return the list for people, empty if everything was taken."""
        elements = [_counted(what, names) for what, names in self._elements.items()]
        attributes = [
            f"{tag} {', '.join(sorted(names))}" for tag, names in self._attributes.items()
        ]
        phrases = ["; ".join(elements)] if elements else []
        if attributes:
            phrases.append(f"the attributes {'; '.join(attributes)}")
        return "; ".join(phrases)


def _counted(what: str, names: list[str]) -> str:
    named = [repr(name) for name in names if name]
    shown = named[:_PRINTED] + (["..."] if len(named) > _PRINTED else [])
    count = f"{len(names)} " if len(names) > 1 else ""
    return f"{count}<{what}>" + (f" ({', '.join(shown)})" if shown else "")
