"""The command as users start it: a process of its own, or ``main`` in this one."""

import os
import subprocess
import sys

import pytest

from poinsot.cli import main

START = "from poinsot.cli import main; main()"


def poinsot(*arguments, **environment):
    """Run the command where output is no terminal; return the finished process."""
    return subprocess.run(
        [sys.executable, "-c", START, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"} | environment,
        timeout=60,
    )


def refusal(monkeypatch, capsys, *arguments):
    """Run ``main`` with arguments that it refuses; return what it wrote on standard error."""
    monkeypatch.setattr(sys, "argv", ["poinsot", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    output = capsys.readouterr()
    assert stopped.value.code == 2
    assert not output.out
    return output.err
