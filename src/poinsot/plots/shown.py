"""Pictures on the screen: below the cell of a notebook, else in a window."""

from __future__ import annotations

import sys
import tempfile
import warnings
import webbrowser
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["show_figure", "show_film"]

_WITHOUT_WINDOWS = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")
"""Back ends of matplotlib that only write files."""


def show_figure(figure: Figure) -> None:
    """Show a figure; without a screen, warn and say what to do.

    Args:
        figure: The figure.
    """
    if _notebook() is not None:
        data = BytesIO()
        figure.savefig(data, format="png", dpi=120)
        _show_in_notebook(figure, data.getvalue(), "png")
        return
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    if mpl.get_backend().lower() in _WITHOUT_WINDOWS:
        _no_screen("plot", "swing.png")
        return
    manager: Any = plt.figure().canvas.manager
    manager.canvas.figure = figure
    figure.set_canvas(manager.canvas)
    plt.show()


def show_film(film: object, data: bytes, suffix: str) -> None:
    """Show an animation: in a notebook, or by the browser; without either, warn.

    Args:
        film: The object that the notebook would show by itself at the end of a cell.
        data: The file.
        suffix: Its suffix, with the dot.
    """
    if _notebook() is not None:
        _show_in_notebook(film, data, suffix[1:])
        return
    with tempfile.NamedTemporaryFile(prefix="poinsot-", suffix=suffix, delete=False) as file:
        file.write(data)
    if not webbrowser.open(Path(file.name).as_uri()):
        Path(file.name).unlink()
        _no_screen("animate", "swing.gif")


def _notebook() -> Any:  # noqa: ANN401 (of a package that may not be installed)
    """Return the shell of the notebook that runs this; None elsewhere."""
    package = sys.modules.get("IPython")
    shell = None if package is None else package.get_ipython()
    return shell if hasattr(shell, "kernel") else None


def _show_in_notebook(returned: object, data: bytes, kind: str) -> None:
    """Show a picture now, and not again if the cell ends with the object that holds it."""
    ipython: Any = import_module("IPython.display")
    ipython.display(ipython.Image(data=data, format=kind))
    events = _notebook().events
    returned.__dict__["_ipython_display_"] = lambda: None

    def restore(*_: object) -> None:
        del returned.__dict__["_ipython_display_"]
        events.unregister("post_run_cell", restore)

    events.register("post_run_cell", restore)


def _no_screen(method: str, example: str) -> None:
    warnings.warn(
        f"{method}: there is no screen to show it on; give a file, {method}({example!r})",
        stacklevel=5,
    )
