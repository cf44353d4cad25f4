"""The demo: it runs, agrees with itself, and writes pictures that can be opened."""

import pytest
from PIL import Image
from typer.testing import CliRunner

import poinsot.cli.demo as demo_module
import poinsot.cli.demo_checks as checks_module
from poinsot.cli.app import app


def test_demo_writes_what_it_says(tmp_path, monkeypatch):
    """Run a shortened demo and open its pictures."""
    monkeypatch.setattr(demo_module, "DURATION", 1.0)
    result = CliRunner().invoke(app, ["demo", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "all checks agree" in result.output
    assert "energy over the run" in result.output
    with Image.open(tmp_path / "double_pendulum.png") as figure:
        assert min(figure.size) > 400
    with Image.open(tmp_path / "double_pendulum.gif") as animation:
        assert animation.n_frames == pytest.approx(26, abs=2)
    for name in ("walking_leg.html", "walking_leg_report.html"):
        assert "Jansen" in (tmp_path / name).read_text(encoding="utf-8")


def test_demo_fails_when_something_disagrees(tmp_path, monkeypatch):
    """Ask for an agreement that rounding does not allow."""
    monkeypatch.setattr(demo_module, "DURATION", 0.5)
    monkeypatch.setattr(checks_module, "DRIFT", 0.0)
    result = CliRunner().invoke(app, ["demo", str(tmp_path)])
    assert result.exit_code == 1
    assert "does not agree" in result.output
