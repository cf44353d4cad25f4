"""Settings of a session: where tests and doctests keep compiled code, and which tests run."""

import os
import shutil
import tempfile

import pytest

FOLDER = pytest.StashKey[str]()
CHOSEN = os.environ.get("POINSOT_CODE")
"""The kind of code that whoever started the tests asks for."""
AS_SHIPPED = (
    *("cases/test_runner.py", "closed/test_compiled.py", "closed/test_rolled.py"),
    *("evaluate/test_native", "evaluate/test_parameters.py", "examples/test_excavator.py", "expr"),
    *("formulations/test_pinocchio.py", "formulations/test_rolled.py", "kernels", "simulation"),
)
"""Tests whose subject is machine code, or numbers of others: they run the code that users run."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder; the workers of pytest-xdist inherit it from their controller."""
    if not hasattr(config, "workerinput"):
        config.stash[FOLDER] = tempfile.mkdtemp(prefix="poinsot-cache-")
        os.environ["POINSOT_CACHE_DIR"] = config.stash[FOLDER]
        os.environ.pop("POINSOT_CACHE", None)
        os.environ.pop("POINSOT_CACHE_MB", None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let tests whose subject is not the machine code run code that is made at once.

    LLVM's optimiser would take a fifth of the time of all tests.  ``make test-long`` runs the code
    that users run everywhere.
    """
    if CHOSEN is not None:
        return
    place = item.path.relative_to(item.config.rootpath).as_posix().removeprefix("tests/")
    as_shipped = os.environ.get("POINSOT_EXAMPLES", "1") != "1" or place.startswith(AS_SHIPPED)
    os.environ["POINSOT_CODE"] = "fast" if as_shipped else "quick"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder."""
    if FOLDER in config.stash:
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark slow tests; leave those out that take minutes, but for ``make test-long``."""
    slow = set((config.rootpath / "tests" / "slow_tests.txt").read_text("utf-8").splitlines())
    for item in items:
        if item.nodeid in slow:
            item.add_marker("slow")
    if os.environ.get("POINSOT_EXAMPLES", "1") != "1" or "long" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
