"""What attends a long run: Ctrl-C, which asks it to stop, and a progress bar."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, final

from poinsot.simulation.running.notebook_bar import NotebookBar, in_notebook

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PACE = 0.05
"""Time between returns of compiled code to Python [s]: enough for Ctrl-C and a progress bar."""


@final
class Interruption:
    """Within it, Ctrl-C sets ``asked`` in place of raising; a second one raises as usual.

    Or, in place of a ``with`` statement, from ``begin`` to ``end``.

    A handler of the user's own stays in place, and so does everything outside the main thread,
    where Python delivers no signals.
    """

    def __init__(self) -> None:
        self.asked = False
        self._is_ours = False

    def begin(self) -> None:
        """Take over Ctrl-C, unless that is so already."""
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupt)
            self._is_ours = True

    def end(self) -> None:
        """Restore the default handler."""
        if self._is_ours:
            self._is_ours = False
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def __enter__(self) -> Interruption:
        self.begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


PATIENCE = 2.0
"""Time after which a run counts as long [s]."""


@final
class ProgressBar:
    """A bar on the standard error, or in a cell, that shows how much of the time is simulated.

    Args:
        title: What is simulated.
        duration: Time to simulate [s].
        wanted: True: from the start; False: never; None: on a terminal or in a notebook, once a run
            takes long.
    """

    def __init__(self, title: str, duration: float, wanted: bool | None) -> None:
        self._title, self._duration, self._wanted = title, duration, wanted
        self._begun = time.monotonic()
        self._bar: tuple[Progress, TaskID] | None = None
        self._cell: NotebookBar | None = None
        if wanted:
            self.show(0.0)

    def show(self, t: float) -> None:
        """Show that the time t [s] has been reached."""
        if self._wanted is False:
            return
        now = f"{t:.4g} s of {self._duration:g} s"
        if self._cell is not None:
            self._cell.show(t / self._duration, now)
            return
        if self._bar is None:
            if self._wanted is None and time.monotonic() - self._begun < PATIENCE:
                return
            if in_notebook():
                self._cell = NotebookBar(self._title)
                self._cell.show(t / self._duration, now)
                return
            self._bar = self._started()
            if self._bar is None:
                self._wanted = False
                return
        progress, task = self._bar
        progress.update(task, completed=t, now=now)

    def close(self) -> None:
        """Take the bar away, if there is one."""
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None
        if self._cell is not None:
            self._cell.close()
            self._cell = None

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
