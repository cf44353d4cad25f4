"""A page in a frame of a notebook, with a text above it."""

from __future__ import annotations

import html

__all__ = ["framed"]


def framed(page: str | None, text: str) -> str:
    """Return the HTML of a text and, below it, a page in a frame of its own.

    Args:
        page: The page; None: there is only the text.
        text: The text; its lines stay.
    """
    shown = f'<pre style="margin: 0 0 6px">{html.escape(text)}</pre>'
    if page is None:
        return shown
    style = "width: 100%; height: 460px; border: 1px solid #e1e4e8; border-radius: 8px"
    return f'{shown}<iframe style="{style}" srcdoc="{html.escape(page)}"></iframe>'
