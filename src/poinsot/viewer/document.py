"""One HTML file of sections: tables, pictures, texts; all names are escaped."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence

from poinsot.viewer.asset import asset

__all__ = ["Document"]


class Document:
    """A page that grows from top to bottom."""

    def __init__(self, title: str, lead: str) -> None:
        self._title = html.escape(title)
        self._parts = [f"<h1>{self._title}</h1>", f'<p class="lead">{html.escape(lead)}</p>']

    def section(self, title: str) -> None:
        """Begin a section."""
        self._parts.append(f"<h2>{html.escape(title)}</h2>")

    def paragraph(self, text: str) -> None:
        """Add a paragraph."""
        self._parts.append(f"<p>{html.escape(text)}</p>")

    def verbatim(self, text: str) -> None:
        """Add text as it is, lines and all."""
        self._parts.append(f"<pre>{html.escape(text)}</pre>")

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table; cells "ok" and "PROBLEM" stand out."""
        marks = {"ok": ' class="ok"', "PROBLEM": ' class="bad"'}
        cells = "".join(f"<th>{html.escape(name)}</th>" for name in head)
        body = "".join(
            "<tr>"
            + "".join(f"<td{marks.get(cell, '')}>{html.escape(cell)}</td>" for cell in row)
            + "</tr>"
            for row in rows
        )
        self._parts.append(f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>")

    def picture(self, png: bytes, alt: str, media: str = "") -> None:
        """Add a picture; ``media`` may be "screen" or "paper", to show it there only."""
        data = base64.b64encode(png).decode("ascii")
        kind = f' class="{media}"' if media else ""
        self._parts.append(
            f'<img{kind} alt="{html.escape(alt)}" src="data:image/png;base64,{data}">'
        )

    def page(self, content: str, title: str) -> None:
        """Add a whole page in a frame of its own, on screens."""
        told = f'title="{html.escape(title)}" srcdoc="{html.escape(content)}"'
        self._parts.append(f'<iframe class="screen" {told}></iframe>')

    def html(self) -> str:
        """Return the file."""
        style = asset("report.css")
        head = f'<meta charset="utf-8"><title>{self._title}</title><style>{style}</style>'
        body = "\n".join(self._parts)
        top = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>'
        return f"{top}\n<body>\n{body}\n</body></html>\n"
