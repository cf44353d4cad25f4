"""Fixtures of the tests of kernels."""

import pytest

from poinsot.evaluate import kernel as kernel_module
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.kernels import cache
from poinsot.kernels.llvm import entry
from poinsot.kernels.llvm import target as target_module


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    """Return the folder of an empty cache that has not said anything yet."""
    evaluators_of.cache_clear()
    entry._entry_library()  # is loaded once in a process, so leave it to the cache of the session
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_process", cache._Process())
    return tmp_path / "cache"


@pytest.fixture
def no_compiler(monkeypatch):
    """Forbid tracing and compiling: all code must come from the disk."""

    def fail(*_):
        raise AssertionError("this should have come from the cache")

    def forbid():
        evaluators_of.cache_clear()
        monkeypatch.setattr(kernel_module, "trace", fail)
        monkeypatch.setattr(target_module, "compile_object", fail)

    return forbid
