"""Garbage collection, paused while graphs and programs are made.

A trace makes hundreds of thousands of objects that stay alive, none of them in a reference cycle,
and every full collection would visit all of them: a quarter of the time of a first call.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_running = 0
_resume = False


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Run a block, or as a decorator a function, without cyclic garbage collection.

    Of several blocks at once, in whichever threads, the last one to end resumes it, if it was on
    before the first.
    """
    global _running, _resume  # noqa: PLW0603
    with _lock:
        if _running == 0:
            _resume = gc.isenabled()
            gc.disable()
        _running += 1
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if _running == 0 and _resume:
                gc.enable()


def _start_anew() -> None:
    """Forget blocks of other threads, which a child process does not have."""
    global _lock, _running
    if _running and _resume:
        gc.enable()
    _lock, _running = threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
