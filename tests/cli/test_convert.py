"""The command ``poinsot convert``."""

import os
import re
import warnings
from itertools import pairwise

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as ps
from poinsot.cli.app import app
from poinsot.library import humanoid
from tests.cli.commands import poinsot, refusal
from tests.cli.test_info import CRANK, URDF


def run(*arguments):
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


@pytest.fixture
def files(tmp_path):
    ps.save(humanoid(), tmp_path / "in.json")
    return tmp_path / "in.json", tmp_path / "out.toml"


def test_it_converts_without_loss(files):
    """Check that the system in the new file is equal."""
    result = run(*files)
    assert result.exit_code == 0, result.output
    assert "out.toml: humanoid: 31 bodies, 36 degrees of freedom" in " ".join(result.output.split())
    assert ps.load(files[1]) == humanoid()


def test_it_says_what_was_not_taken(tmp_path):
    """Check that warnings of the reader are shown."""
    mimic = '<mimic joint="hinge2"/></joint>'
    (tmp_path / "in.urdf").write_text(URDF.format(izz=1).replace("</joint>", mimic))
    result = run(tmp_path / "in.urdf", tmp_path / "out.json", "--root", "free")
    assert result.exit_code == 0
    assert re.search(
        r"note: \S*in.urdf: .*<mimic> of unknown joints is left out",
        " ".join(result.output.split()),
    )
    with pytest.warns(ps.ModelWarning, match="'base' moves no mass"):
        assert ps.load(tmp_path / "out.json").nv == 7


def test_it_overwrites_only_when_told(files, monkeypatch, capsys):
    """Check that a file is replaced with --overwrite only."""
    files[1].write_text("precious")
    message = refusal(monkeypatch, capsys, "convert", *files)
    assert "is there already; give another name, or --overwrite" in message
    assert files[1].read_text() == "precious"
    assert poinsot("convert", *files, "--overwrite").returncode == 0
    assert ps.load(files[1]) == humanoid()


@pytest.mark.parametrize("target", ["out.xyz", "no/out.json", "folder.json"])
def test_a_failure_leaves_nothing_behind(tmp_path, files, target, monkeypatch, capsys):
    """Check targets that cannot be written."""
    (tmp_path / "folder.json").mkdir()
    before = sorted(os.listdir(tmp_path))
    message = refusal(monkeypatch, capsys, "convert", files[0], tmp_path / target, "--overwrite")
    assert "cannot be written" in message
    assert "Traceback" not in message
    assert sorted(os.listdir(tmp_path)) == before


def test_a_broken_input_writes_nothing(tmp_path, monkeypatch, capsys):
    """Check that no file is made of a broken one."""
    (tmp_path / "in.json").write_text("{")
    message = refusal(monkeypatch, capsys, "convert", tmp_path / "in.json", tmp_path / "out.toml")
    assert "not JSON" in message
    assert not (tmp_path / "out.toml").exists()


def test_a_file_may_be_converted_in_place(files):
    """Check that source and target may be the same file."""
    assert run(files[0], files[0]).exit_code != 0
    assert run(files[0], files[0], "--overwrite").exit_code == 0
    assert ps.load(files[0]) == humanoid()


def test_loops_are_converted(tmp_path):
    """Check a closed system through all formats: each closes the same configurations."""
    paths = [tmp_path / f"four-bar.{suffix}" for suffix in ("json", "toml", "urdf", "xml")]
    paths[0].write_text(CRANK % 2)
    for source, target in pairwise(paths):
        result = run(source, target)
        assert result.exit_code == 0, result.output
    with warnings.catch_warnings(action="ignore"):
        last = ps.load(paths[-1])
    q = ps.load(paths[0]).assemble([1.0, 0.2, -2.0])
    assert len(last.loops) == 2  # a hinge is two points for MuJoCo
    residual = last.constraint_residual(q, backend="interpreter")
    assert np.abs(residual).max() < 1e-9
    assert last.mobility(q).degrees == 1
