"""Notebooks: results show themselves, and what IPython asks of objects is there."""

import inspect

import pytest

import poinsot as ps
from poinsot.front.studies import Studies
from poinsot.front.study import Study
from poinsot.library import pendulum
from poinsot.verification.comparison import Check, Report


def test_everything_shows_itself():
    """Each of the six kinds of results has a form for notebooks: a page, formulas, a table."""
    system = pendulum()
    run = ps.simulate(system, [0.3], [0.0], 0.2)
    runs = ps.simulate(system, [[0.3], [0.4]], [0.0], 0.2, save=0.1)
    study = ps.drive(system, [0.3], {"bob": 0.5}, 0.2, positions=3)
    for shown in (system, run, runs, study):
        page = shown._repr_html_()
        assert "<iframe" in page
        assert page.startswith("<pre")
    assert r"\sin\left(q_{\mathrm{bob}}\right)" in ps.derive(system)._repr_latex_()
    report = Report("<script>alert(1)</script>", 1, (Check("<b>mass</b>", 0.0, 1.0),))
    assert "&lt;script&gt;alert(1)" in report._repr_html_()
    assert "<b>" not in report._repr_html_()


@pytest.mark.parametrize("kind", [ps.System, ps.Run, ps.Runs, Study, Studies])
def test_completion_finds_documented_methods(kind):
    """What completion lists of an object has a docstring with what it takes."""
    names = [name for name in dir(kind) if not name.startswith("_")]
    assert len(names) > 20
    for name in names:
        member = inspect.getattr_static(kind, name)
        assert inspect.getdoc(getattr(kind, name)) or not callable(member), f"{kind}.{name}"
