"""The quick return of docs/planar.md, as a reader copies it: under thirty lines for everything."""

import re
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps

PAGE = Path(__file__).parents[2] / "docs" / "planar.md"


@pytest.mark.slow
def test_the_quick_return_takes_less_than_thirty_lines(tmp_path, monkeypatch):
    """Run the block alone: a torque curve, bearing forces, a figure, a film and a workbook."""
    openpyxl = pytest.importorskip("openpyxl")
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    (block,) = [text for text in blocks if "shaper = ps.planar(" in text]
    lines = ["import numpy as np", "import poinsot as ps", *block.splitlines()]
    lines = [line for line in lines if line.strip()]
    assert len(lines) < 30
    monkeypatch.chdir(tmp_path)
    known = {}
    exec("\n".join(lines), known)
    turn, torque, force = known["turn"], known["torque"], known["force"]
    assert isinstance(known["shaper"], ps.PlanarMechanism)
    assert torque.shape == force.shape == (361,)
    speed = 2 * np.pi  # work of a turn: kinetic and potential energy come back, the tool's remains
    ram = turn.velocities["ram"][:, 0]
    work = np.trapezoid(torque * speed, turn.t)
    cut = np.trapezoid(np.where(ram < 0, 800.0 * -ram, 0.0), turn.t)
    assert work == pytest.approx(cut, rel=1e-3)
    assert (tmp_path / "shaper.gif").read_bytes()[:4] == b"GIF8"
    assert (tmp_path / "shaper.png").stat().st_size > 50_000
    heads = [cell.value for cell in next(openpyxl.load_workbook("shaper.xlsx").active.iter_rows())]
    for wanted in ("torque", "A", "ram"):
        assert any(wanted in head for head in heads), heads
