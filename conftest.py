"""Tests and doctests keep compiled code in a folder of their own, shared by all of a session."""

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
