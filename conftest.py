"""Settings of a session: where tests and doctests keep compiled code, and which tests run."""

import os
import shutil
import tempfile

import pytest

FOLDER = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder; the workers of pytest-xdist inherit it from their controller."""
    if not hasattr(config, "workerinput"):
        config.stash[FOLDER] = tempfile.mkdtemp(prefix="poinsot-cache-")
        os.environ["POINSOT_CACHE_DIR"] = config.stash[FOLDER]
        os.environ.pop("POINSOT_CACHE", None)
        os.environ.pop("POINSOT_CACHE_MB", None)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder."""
    if FOLDER in config.stash:
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests out that take minutes, unless they are asked for: ``make test-long``."""
    if os.environ.get("POINSOT_EXAMPLES", "1") != "1" or "long" in config.option.markexpr:
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
