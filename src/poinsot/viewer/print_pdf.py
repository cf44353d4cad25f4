"""PDF files from HTML files, by a browser of the Chromium family where there is one."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from poinsot.errors import PoinsotError

__all__ = ["print_pdf"]

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
LONGEST: Final = 120.0
"""Time that a browser may take [s]."""


def print_pdf(page: str, target: Path) -> None:
    """Write a page as PDF.

    Args:
        page: The HTML text.
        target: The file.

    Raises:
        PoinsotError: If there is no such browser, or it fails.
    """
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        raise PoinsotError(
            "a PDF is printed by Chromium, which is not on the path (Debian: apt install chromium)"
            "; write .html instead, and print it from any browser"
        )
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile", f"--print-to-pdf={made}", source.as_uri(),
        ]  # fmt: skip
        try:
            subprocess.run(command, capture_output=True, timeout=LONGEST, check=True)
        except (subprocess.SubprocessError, OSError) as error:
            raise PoinsotError(f"{browser} could not print the page: {error}") from None
        if not made.exists():
            raise PoinsotError(f"{browser} wrote no PDF")
        target.write_bytes(made.read_bytes())
