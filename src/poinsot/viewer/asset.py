"""Files that pages are made of: scripts and styles."""

from __future__ import annotations

from importlib import resources

__all__ = ["asset"]


def asset(name: str) -> str:
    """Return the text of a file of the folder ``assets``."""
    return resources.files("poinsot.viewer").joinpath("assets", name).read_text(encoding="utf-8")
