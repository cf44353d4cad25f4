"""A progress bar in the cell of a notebook."""

from __future__ import annotations

import html
import sys
from typing import Any, final

__all__ = ["NotebookBar", "in_notebook"]


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook: IPython runs in it, without a terminal."""
    module = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


@final
class NotebookBar:
    """A bar below a cell, gone when it is closed.

    Args:
        title: What it is about.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._handle: Any = None

    def show(self, share: float, text: str) -> None:
        """Show a share of the whole, from 0 to 1, and a text beside it."""
        words = f"{html.escape(self._title)} <progress max=1 value={share:.4f}></progress> "
        self._display(f"<div>{words}{html.escape(text)}</div>")

    def close(self) -> None:
        """Take it away."""
        if self._handle is not None:
            self._display("")

    def _display(self, content: str) -> None:
        from IPython import display

        shown: Any = display  # it has no types
        if self._handle is None:
            self._handle = shown.display(shown.HTML(content), display_id=True)
        else:
            self._handle.update(shown.HTML(content))
