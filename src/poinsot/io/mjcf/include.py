"""``<include>``: the elements of another file in its place."""

from __future__ import annotations

import posixpath
from pathlib import Path

from poinsot.io.mjcf.folder import Folder
from poinsot.io.xml import MAX_DEPTH, Element, parse_xml

__all__ = ["expand"]

_MOST_FILES = 1000
"""How many files a model may include."""


def expand(root: Element, folder: Folder) -> None:
    """Replace every ``<include>`` in a tree, in place.

    A name is relative to the folder of the model, or else to that of the file in which it stands.
    No file is included twice, as in MuJoCo, so none can include itself.

    Args:
        root: The ``<mujoco>`` element.
        folder: Where the model lies.
    """
    included: set[Path] = set()
    stack = [(root, "", 1)]
    while stack:
        element, subfolder, depth = stack.pop()
        if depth > MAX_DEPTH:
            element.refuse(f"with what it includes, the model is nested more than {MAX_DEPTH} deep")
        children = []
        waiting = [(child, subfolder) for child in reversed(element.children)]
        while waiting:
            child, child_folder = waiting.pop()
            if child.tag != "include":
                children.append(child)
                stack.append((child, child_folder, depth + 1))
                continue
            contents, child_folder = _included(child, child_folder, folder, included)
            waiting += [(child, child_folder) for child in reversed(contents)]
        element.children = children


def _included(
    element: Element, subfolder: str, folder: Folder, included: set[Path]
) -> tuple[list[Element], str]:
    """Return the elements of an included file, and the folder in which it lies."""
    name = element.text("file", "include")
    if element.children:
        element.refuse("an <include> must be empty")
    names = [name, f"{subfolder}/{name}"] if subfolder else [name]
    match, path = folder.find(names, element)
    if path in included:
        element.refuse(f"the file {name[:200]!r} is included twice")
    included.add(path)
    if len(included) > _MOST_FILES:
        element.refuse(f"the model includes more than {_MOST_FILES} files")
    parsed = parse_xml(folder.read(path, element), f"MJCF {match[:200]!r}")
    return parsed.children, posixpath.dirname(match.replace("\\", "/"))
