"""A progress bar on long runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["ProgressBar"]

PATIENCE = 2.0
"""Time after which a run counts as long [s]."""


@final
class ProgressBar:
    """A bar on the standard error that shows how much of the time has been simulated.

    Args:
        title: What is simulated.
        duration: Time to simulate [s].
        wanted: True: from the start; False: never; None: on a terminal, once a run takes long.
    """

    def __init__(self, title: str, duration: float, wanted: bool | None) -> None:
        self._title, self._duration, self._wanted = title, duration, wanted
        self._begun = time.monotonic()
        self._bar: tuple[Progress, TaskID] | None = None
        if wanted:
            self.show(0.0)

    def show(self, t: float) -> None:
        """Show that the time t [s] has been reached."""
        if self._wanted is False:
            return
        if self._bar is None:
            if self._wanted is None and time.monotonic() - self._begun < PATIENCE:
                return
            self._bar = self._started()
            if self._bar is None:
                self._wanted = False
                return
        progress, task = self._bar
        progress.update(task, completed=t, now=f"{t:.4g} s of {self._duration:g} s")

    def close(self) -> None:
        """Take the bar away, if there is one."""
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None

    def _started(self) -> tuple[Progress, TaskID] | None:
        """Return a bar; None if there is no terminal and none was requested."""
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        if self._wanted is None and not console.is_terminal:
            return None
        columns = (
            TextColumn(escape(self._title)),
            BarColumn(),
            TextColumn("{task.fields[now]}"),
            TimeRemainingColumn(),
        )
        progress = Progress(*columns, console=console, transient=console.is_terminal)
        progress.start()
        return progress, progress.add_task("", total=self._duration, now="")
