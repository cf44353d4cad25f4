"""Progress in notebooks: one bar below the cell, updated and taken away."""

import sys
import types

import pytest

from poinsot.simulation.running import monitoring
from poinsot.simulation.running.monitoring import ProgressBar
from poinsot.simulation.running.notebook_bar import in_notebook


@pytest.fixture
def shown(monkeypatch):
    """Return the contents that a notebook was given, one after the other."""
    contents = []

    class Handle:
        def update(self, content):
            contents.append(content)

    def display(content, display_id):
        assert display_id
        contents.append(content)
        return Handle()

    module = types.ModuleType("IPython")
    module.display = types.SimpleNamespace(display=display, HTML=str)
    module.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", module)
    return contents


def test_a_long_run_shows_a_bar(shown, monkeypatch):
    """Show half of a run: the bar is half full, names are text, and it goes away."""
    monkeypatch.setattr(monitoring, "PATIENCE", 0.0)
    assert in_notebook()
    bar = ProgressBar("<script>x</script>", 10.0, None)
    bar.show(5.0)
    bar.show(7.5)
    bar.close()
    assert len(shown) == 3
    assert "value=0.5" in shown[0]
    assert "7.5 s of 10 s" in shown[1]
    assert "&lt;script&gt;" in shown[1]
    assert shown[2] == ""


def test_no_bar_without_a_notebook(monkeypatch):
    """Without IPython, and in its terminal, there is no cell."""
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not in_notebook()
    terminal = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=None))
    monkeypatch.setitem(sys.modules, "IPython", terminal)
    assert not in_notebook()
