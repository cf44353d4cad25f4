"""The command ``poinsot cache``."""

import pytest
from typer.testing import CliRunner

from poinsot.cli.app import app
from poinsot.kernels import cache
from poinsot.kernels.digest import digest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("POINSOT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("POINSOT_CACHE_MB", "12.5")
    return tmp_path / "cache"


def run(*arguments):
    result = CliRunner().invoke(app, ["cache", *arguments])
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def test_it_shows_place_size_and_limit(folder):
    """Check the table of a cache that holds something."""
    for k in range(3):
        cache.write(digest(k), {}, bytes(200_000))
    output = run()
    assert str(folder) in output
    assert "files │ 3 │" in output
    assert "0.6 MB" in output
    assert "12.5 MB" in output
    assert "not made yet" not in output


def test_it_says_so_when_there_is_none(folder):
    """Check a folder that does not exist; showing and clearing do not make it."""
    assert "not made yet" in run()
    assert "removed 0 files" in run("--clear")
    assert not folder.exists()


def test_it_clears_what_is_ours_only(folder):
    """Check that files of others in the folder stay."""
    cache.write(digest(1), {}, bytes(10))
    for name in ("notes.txt", "mine.code", f"{digest(1)}.txt", f"{digest(1)}.0.tmp"):
        (folder / name).write_text("")
    assert "removed 1 file from" in run("--clear")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [f"{digest(1)}.txt", "mine.code", "notes.txt"]
    )
    assert "files │ 0 │" in run()


def test_it_says_so_when_turned_off(folder, monkeypatch):
    monkeypatch.setenv("POINSOT_CACHE", "0")
    for arguments in ((), ("--clear",)):
        assert "turned off by POINSOT_CACHE" in run(*arguments)
