"""The commands ``poinsot view`` and ``poinsot report``: models, runs, and what cannot be shown."""

from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

import poinsot as ps
from poinsot.cli.app import app
from poinsot.library import pendulum
from poinsot.verification import verify
from poinsot.viewer.server import Viewer
from tests.cli.commands import refusal


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return files of a model, a run and several runs."""
    folder = tmp_path_factory.mktemp("files")
    ps.save(pendulum(), folder / "model.json")
    ps.simulate(pendulum(), [0.3], [0.0], 0.2).save(folder / "run.npz")
    ps.simulate(pendulum(), [[0.3], [0.4]], [0.0], 0.2, save=0.1).save(folder / "runs.npz")
    return folder


@pytest.fixture
def pages(monkeypatch):
    """Return the pages that viewers have served when the user would press Ctrl-C."""
    seen = []

    def wait(viewer):
        with urlopen(viewer.url.replace("0.0.0.0", "127.0.0.1"), timeout=30) as answer:
            seen.append(answer.read().decode("utf-8"))
        viewer.close()

    monkeypatch.setattr(Viewer, "wait", wait)
    return seen


@pytest.mark.parametrize("name", ["model.json", "run.npz", "runs.npz"])
def test_it_serves_until_it_is_ended(files, pages, name):
    """View a model, a run and several: the address is printed, the page is there."""
    done = CliRunner().invoke(app, ["view", str(files / name), "--no-show"])
    assert done.exit_code == 0, done.output
    assert "http://127.0.0.1:" in done.output
    assert "whoever reaches" not in done.output
    (page,) = pages
    assert "<title>pendulum</title>" in page


def test_other_hosts_are_warned_of(files, pages):
    """Listen for everybody: the command says what that means."""
    options = ["--no-show", "--host", "0.0.0.0"]
    done = CliRunner().invoke(app, ["view", str(files / "model.json"), *options])
    assert done.exit_code == 0, done.output
    assert "whoever reaches this machine" in " ".join(done.output.split())
    assert len(pages) == 1


def test_reports_of_runs_and_what_has_none(files, tmp_path, monkeypatch, capsys):
    """Report on a run; of several runs, and into a text file, there is none."""
    target = tmp_path / "report.html"
    done = CliRunner().invoke(app, ["report", str(files / "run.npz"), str(target)])
    assert done.exit_code == 0, done.output
    assert "How it was made" in target.read_text(encoding="utf-8")
    monkeypatch.setattr(verify, "verify", lambda system, q: f"verified {system.name}")
    options = [str(target), "--seconds", "0.2"]
    done = CliRunner().invoke(app, ["report", str(files / "model.json"), *options])
    assert done.exit_code == 0, done.output
    assert "verified pendulum" in target.read_text(encoding="utf-8")
    told = refusal(monkeypatch, capsys, "report", files / "runs.npz", target)
    assert "holds 2 runs" in " ".join(told.split())
    told = refusal(monkeypatch, capsys, "report", files / "run.npz", tmp_path / "a.txt")
    assert ".html or .pdf" in told
    told = refusal(monkeypatch, capsys, "view", files / "missing.json")
    assert "missing.json" in told
