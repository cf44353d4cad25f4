"""Files written as a whole or not at all."""

import os

import pytest

from poinsot.io.atomic_write import write_whole


def test_it_makes_and_replaces(tmp_path):
    """Check new and old files, and that nothing else is left."""
    file = tmp_path / "model.json"
    for text in ("one\ntwo\n", "größer\n"):
        write_whole(file, text)
        assert file.read_bytes() == text.encode()
    assert os.listdir(tmp_path) == ["model.json"]


def test_what_was_there_survives_a_failure(tmp_path):
    """Check that a text that cannot be written changes nothing."""
    file = tmp_path / "model.json"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "half a pair: \ud800")
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["model.json"]


def test_links_are_followed(tmp_path):
    """Check that a link stays a link."""
    file, link = tmp_path / "model.json", tmp_path / "link.json"
    file.write_text("old")
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_a_missing_folder_is_the_systems_error(tmp_path):
    """Check that no folder is made."""
    with pytest.raises(FileNotFoundError, match=r"no such folder.*model\.json"):
        write_whole(tmp_path / "no" / "model.json", "text")


def test_the_usual_permissions_are_given(tmp_path):
    """Check that others may read it as any new file."""
    (tmp_path / "usual").write_text("")
    write_whole(tmp_path / "whole", "")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "usual").stat().st_mode
