"""Nothing that is wrong with the disk cache does harm; it is said once."""

import errno
import os
import sys
import warnings
from pathlib import Path

import pytest

from poinsot.errors import CacheWarning
from poinsot.kernels import cache
from tests.kernels.cached import HEADER, IMAGE, KEY, is_right, pendulum


def damage(folder, change):
    for path in folder.glob("*.code"):
        path.write_bytes(change(path.read_bytes()))


# What may be wrong with it


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:7],
        lambda data: data[:30],
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: data[:8] + bytes([data[8] ^ 1]) + data[9:],
        lambda data: data[:26] + bytes([data[26] ^ 128]) + data[27:],
        lambda data: data[:-9] + bytes([data[-9] ^ 4]) + data[-8:],
        lambda data: b"something else entirely" * 50,
    ],
)
def test_damaged_code_is_made_again_and_said_once(cache_folder, change):
    """Check files cut short, lengthened, with a bit flipped, or of another kind."""
    assert is_right(pendulum())
    whole = {path.name: path.read_bytes() for path in cache_folder.iterdir()}
    damage(cache_folder, change)
    with pytest.warns(CacheWarning, match="damaged") as said:
        assert is_right(pendulum())
    assert len(said) == 1
    assert {path.name: path.read_bytes() for path in cache_folder.iterdir()} == whole
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert is_right(pendulum())


def test_a_folder_that_cannot_be_made_is_said_once(tmp_path, cache_folder, monkeypatch):
    """Check a folder below a file, which not even root can make."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.warns(CacheWarning, match="POINSOT_CACHE=0 to do without") as said:
        assert is_right(pendulum())
    assert len(said) == 1


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EACCES])
@pytest.mark.parametrize("call", ["open", "replace"])
def test_a_disk_that_takes_nothing_is_said_once(cache_folder, monkeypatch, code, call):
    """Check a full, a write-protected and a forbidden disk; no temporary file stays."""

    def refuse(*_):
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.warns(CacheWarning, match=r"cannot keep compiled code in .*cache") as said:
            assert is_right(pendulum())
    assert len(said) == 1
    assert list(cache_folder.iterdir()) == []


def test_a_disk_that_fills_while_writing_keeps_no_half_file(cache_folder, monkeypatch):
    """Check that a write cut short leaves nothing."""

    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    def fake(number, *_):
        os.close(number)
        return Full()

    monkeypatch.setattr(cache, "open", fake, raising=False)
    with pytest.warns(CacheWarning, match="No space left"):
        cache.write(KEY, HEADER, IMAGE)
    assert list(cache_folder.iterdir()) == []


def test_a_folder_that_goes_away_is_made_again(cache_folder):
    """Check that the folder may be removed at any time."""
    cache.write(KEY, HEADER, IMAGE)
    cache.clear()
    cache_folder.rmdir()
    assert cache.read(KEY) is None
    cache.write(KEY, HEADER, IMAGE)
    assert cache.read(KEY) is not None


@pytest.mark.skipif(os.name != "posix", reason="owners are a matter of POSIX")
@pytest.mark.parametrize("owner", ["folder", "file"])
def test_code_of_another_user_is_not_run(cache_folder, monkeypatch, owner):
    """Check a folder, and a file in a folder of ours, that belong to someone else."""
    cache.write(KEY, HEADER, IMAGE)
    real = {"folder": os.stat, "file": os.fstat}[owner]

    def foreign(*place):
        status = list(real(*place))
        status[4] += 1
        return os.stat_result(status)

    monkeypatch.setattr(os, {"folder": "stat", "file": "fstat"}[owner], foreign)
    with pytest.warns(CacheWarning, match="another user"):
        assert cache.read(KEY) is None
    assert cache.read(KEY) is None  # said once


@pytest.mark.skipif(os.name != "posix", reason="modes are a matter of POSIX")
def test_a_folder_open_to_all_is_not_used(cache_folder):
    cache_folder.mkdir()
    cache_folder.chmod(0o777)
    with pytest.warns(CacheWarning, match="anyone may write"):
        cache.write(KEY, HEADER, IMAGE)
    assert list(cache_folder.iterdir()) == []


def test_turned_off(cache_folder, monkeypatch):
    """Check that nothing is read or written."""
    for value in ("0", "off", "False"):
        monkeypatch.setenv("POINSOT_CACHE", value)
        assert is_right(pendulum())
        assert cache.folder() is None
        assert cache.usage() is None
        assert cache.clear() == 0
    assert not cache_folder.exists()
    monkeypatch.setenv("POINSOT_CACHE", "1")
    assert cache.folder() == cache_folder


def test_where_it_is(monkeypatch, tmp_path):
    """Check the folder that each platform has for this."""
    monkeypatch.delenv("POINSOT_CACHE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/void")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache.folder() == tmp_path / ".cache" / "poinsot"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder() == tmp_path / "xdg" / "poinsot"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache.folder() == tmp_path / "Library" / "Caches" / "poinsot"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache.folder() == tmp_path / "local" / "poinsot"
    monkeypatch.delenv("LOCALAPPDATA")
    assert cache.folder() == tmp_path / "AppData" / "Local" / "poinsot"


def test_no_home_is_no_error(cache_folder, monkeypatch):
    monkeypatch.delenv("POINSOT_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.warns(CacheWarning, match="no place to keep"):
        assert cache.folder() is None
