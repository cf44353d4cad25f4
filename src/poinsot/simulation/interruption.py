"""Ctrl-C while compiled code runs: requests a stop, and the run keeps its results."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import final

__all__ = ["Interruption"]


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
