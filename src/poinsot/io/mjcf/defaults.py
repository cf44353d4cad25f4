"""``<default>``: classes of attributes that elements inherit."""

from __future__ import annotations

from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.mjcf.placement import ORIENTATIONS
from poinsot.io.xml import Element
from poinsot.model import suggestion

__all__ = ["MAIN", "Defaults"]

MAIN = "main"
"""The class at the top, of all elements that have no other."""

_OF_INTEREST = ("equality", "geom", "joint", "mesh", "site")

_MOST_CLASSES = 10_000

_Class = dict[str, dict[str, str]]
"""Attributes by tag."""


class Defaults:
    """The classes of a file."""

    def __init__(self, root: Element, left_out: LeftOut) -> None:
        """Read all ``<default>`` sections.

        A class starts as a copy of the one around it, as that is when its own elements are read;
        later sections may add to ``main``, which the copies do not follow.
        """
        self._classes: dict[str, _Class] = {MAIN: {}}
        for section in root.all("default"):
            if section.attributes.get("class", MAIN) != MAIN:
                section.refuse(f"default: the class at the top must be called {MAIN!r}")
            stack = [(section, MAIN)]
            while stack:
                element, name = stack.pop()
                self._read(element, self._classes[name], left_out)
                nested = []
                for child in element.all("default"):
                    inner = child.text("class", "default")
                    if inner in self._classes:
                        child.refuse(f"default: two classes are called {inner!r}; rename one")
                    if len(self._classes) >= _MOST_CLASSES:
                        child.refuse(f"default: there are more than {_MOST_CLASSES} classes")
                    self._classes[inner] = {tag: dict(x) for tag, x in self._classes[name].items()}
                    nested.append((child, inner))
                stack += reversed(nested)

    def resolved(self, element: Element, childclass: str, tag: str | None = None) -> Element:
        """Return an element with what it inherits.

        Args:
            element: The element.
            childclass: The class of the elements around it, if it names none itself.
            tag: What it is called in ``<default>``; as it is itself by default.
        """
        name = self.check(element.attributes.get("class", childclass), element)
        inherited = self._classes[name].get(tag or element.tag, {})
        attributes = _over(inherited, element.attributes)
        attributes.pop("class", None)
        return Element(element.tag, attributes, element.line, element.source, element.children)

    def check(self, name: str, element: Element) -> str:
        """Return the name of a class, rejecting an unknown one that an element names."""
        if name not in self._classes:
            element.refuse(
                f"unknown default class {name[:60]!r}; {suggestion(name[:60], self._classes)}"
            )
        return name

    @staticmethod
    def _read(element: Element, into: _Class, left_out: LeftOut) -> None:
        for child in element.children:
            if child.tag in _OF_INTEREST:
                into[child.tag] = _over(into.get(child.tag, {}), child.attributes)
            elif child.tag != "default":
                left_out.element(f"default/{child.tag}", child)


def _over(inherited: dict[str, str], given: dict[str, str]) -> dict[str, str]:
    """Return attributes with own ones over inherited ones; one orientation hides all others."""
    if not ORIENTATIONS.isdisjoint(given):
        inherited = {key: value for key, value in inherited.items() if key not in ORIENTATIONS}
    return inherited | given
