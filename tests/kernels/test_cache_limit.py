"""How large the disk cache grows, and what it gives up first."""

import os
import time

import pytest

from poinsot.errors import PoinsotError
from poinsot.kernels import cache
from poinsot.kernels.digest import digest
from tests.kernels.cached import HEADER, IMAGE, KEY, OTHER


def test_what_was_used_last_stays(cache_folder, monkeypatch):
    """Check that the folder stays within its limit and keeps what was read or written last."""
    monkeypatch.setenv("POINSOT_CACHE_MB", "0.1")
    keys = [digest(k) for k in range(40)]
    cache_folder.mkdir()
    (cache_folder / "notes.code").write_text("not ours")
    for k, key in enumerate(keys):
        cache.write(key, {}, bytes(10_000))
        os.utime(cache_folder / f"{key}.code", (1000 + k, 1000 + k))
        assert cache.read(keys[0]) is not None
        held = cache.usage()
        assert held.n_bytes <= held.limit == 100_000
    kept = [key for key in keys if (cache_folder / f"{key}.code").exists()]
    assert keys[0] in kept
    assert kept[1:] == keys[-len(kept) + 1 :]
    assert len(kept) >= 6
    assert (cache_folder / "notes.code").exists()


def test_temporary_files_without_a_writer_are_removed(cache_folder):
    """Check that a young one, which may be being written, stays."""
    cache_folder.mkdir()
    old, young = (cache_folder / f"{KEY}.{name}.tmp" for name in ("old", "young"))
    for path in (old, young):
        path.write_text("")
    os.utime(old, (time.time() - 1e4,) * 2)
    cache.write(KEY, HEADER, IMAGE)
    assert not old.exists()
    assert young.exists()


def test_files_may_vanish_while_they_are_counted(cache_folder, monkeypatch):
    """Check that another process may clear the folder at the same time."""
    cache.write(KEY, HEADER, IMAGE)
    monkeypatch.setattr(os, "listdir", lambda place: [f"{OTHER}.code", f"{KEY}.code"])
    assert cache.usage().n_files == 1
    assert cache.clear() == 1


@pytest.mark.parametrize("text", ["-1", "0", "much", "inf", "nan"])
def test_a_limit_that_is_none_is_an_error(cache_folder, monkeypatch, text):
    monkeypatch.setenv("POINSOT_CACHE_MB", text)
    with pytest.raises(PoinsotError, match=f"POINSOT_CACHE_MB .* got '{text}'"):
        cache.write(KEY, HEADER, IMAGE)
