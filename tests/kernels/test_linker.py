"""Compiled code can be loaded wherever there is memory, and leaves none behind when it goes."""

import gc
import math
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from poinsot.kernels.llvm import linker
from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.target import Target
from tests.kernels.fragmented import CODE, called

ROOT = Path(__file__).resolve().parents[2]
FLAT = 5e6
"""Growth [bytes] that says nothing: memory goes up and down by 1 MB, 2 000 libraries take 20."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux about memory")


def output(*arguments):
    """Return what a module of the tests prints."""
    command = [sys.executable, "-m", *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, f"died ({result.returncode}):\n{result.stderr}"
    return result.stdout.strip()


@linux
def test_code_is_loaded_where_free_pages_are_far_apart():
    """Load code where two pages in a row are nowhere free, but gigabytes further."""
    assert output("tests.kernels.fragmented") == "done"


@linux
@pytest.mark.slow
def test_systems_that_are_dropped_leave_nothing_behind():
    """Make and drop 2 000 systems."""
    assert float(output("tests.kernels.dropped", "kept", "2000")) < FLAT


@linux
@pytest.mark.long
@pytest.mark.parametrize(("use", "count"), [("kept", 20_000), ("compiled", 2_000)])
def test_many_systems_that_are_dropped_leave_nothing_behind(use, count):
    """Make and drop 20 000 systems, and 2 000 that must be compiled, with laws."""
    assert float(output("tests.kernels.dropped", use, str(count))) < FLAT


def test_code_outlives_the_linker_and_its_neighbours():
    """Drop all libraries but a few, go through several linkers, and call those that are left."""
    n = 3 * linker.LIBRARIES
    loaded = {k: _library(k) for k in range(n)}
    kept = {k: loaded.pop(k) for k in range(0, n, 7)}
    loaded.clear()
    gc.collect()
    for _ in range(linker.LIBRARIES):
        _library(1)
    for k, library in kept.items():
        assert called(library, 1.0) == math.sin(1.0) * k


def test_threads_may_link_at_once():
    """Link in several threads, across the changes of linkers, and find everybody's code right."""
    answers = {}

    def work(thread):
        for k in range(thread, 120, 4):
            answers[k] = called(_library(k), 1.0)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {k: math.sin(1.0) * k for k in range(120)}


def _library(k):
    return load_library(CODE.format(factor=f"{float(k)!r}"), ("scaled",), {}, Target.current())
