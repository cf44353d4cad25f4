"""Which files are opened, which code and which processes run, while something is read."""

import os
import sys
from contextlib import contextmanager

STARTS = ("os.exec", "os.fork", "os.posix_spawn", "os.system", "subprocess.Popen", "socket.connect",
          "ctypes.dlopen")  # fmt: skip

_lists = []


def _hook(event, arguments):
    if not _lists:
        return
    if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        _lists[-1].append(("open", os.path.realpath(os.fsdecode(arguments[0]))))
    elif event == "exec":  # modules that are imported late run as well, from their files
        _lists[-1].append((event, arguments[0].co_filename))  # "<string>" if from none
    elif event in STARTS:
        _lists[-1].append((event, repr(arguments[0])[:80]))


_installed = []


@contextmanager
def watched():
    """Yield a list of (event, what) that grows while the block runs; audit hooks stay for good."""
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(True)
    seen = []
    _lists.append(seen)
    try:
        yield seen
    finally:
        _lists.pop()


def outside(seen, folder):
    """Return what happened that reading a file in a folder does not need.

    That is all but opening files in the folder, and opening and running modules of Python's.
    """
    places = [folder, sys.prefix, sys.base_prefix, *filter(None, sys.path)]
    inside = tuple(os.path.realpath(place) + os.sep for place in places)
    return [
        (event, what)
        for event, what in seen
        if event not in ("open", "exec") or not what.startswith(inside)
    ]
