"""The command ``poinsot derive``."""

import pytest
from typer.testing import CliRunner

import poinsot as ps
from poinsot.cli.app import app
from tests.cli.commands import refusal


def run(*arguments):
    return CliRunner().invoke(app, ["derive", *map(str, arguments)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "arm.json"
    ps.save(ps.library.double_pendulum(), path)
    return path


def test_it_writes_what_export_writes(file, tmp_path):
    """Compare the files with those of the method."""
    result = run(file, "--to", "c", "--out", tmp_path / "c", "--quantity", "bias", "--name", "arm")
    assert result.exit_code == 0, result.output
    sources = ps.load(file).export("c", "bias", name="arm")
    assert {path.name: path.read_text() for path in (tmp_path / "c").iterdir()} == sources.files
    assert "arm.h" in result.output


def test_one_file_is_shown_as_it_is(file):
    """Pipe a Python module and run it."""
    result = run(file, "--to", "python", "--quantity", "gravity_force")
    names = {}
    exec(result.stdout, names)
    gravity = ps.load(file).gravity_force([0.1, 0.2], backend="interpreter")
    assert names["gravity_force"]([0.1, 0.2]) == pytest.approx(gravity, rel=1e-12)


@pytest.mark.parametrize("language", ["c", "cuda", "octave", "python"])
def test_every_language_has_the_usual_quantities(file, language):
    """Ask for nothing in particular."""
    result = run(file, "--to", language, "--method", "kane", "--precision", "float")
    assert result.exit_code == 0, result.output
    for name in ("forward_dynamics", "inverse_dynamics", "mass_matrix"):
        assert name in result.output


@pytest.mark.parametrize(("to", "ending"), [("latex", "tex"), ("markdown", "md"), ("text", "txt")])
def test_equations_for_people(file, tmp_path, to, ending):
    """Compare files and what is shown with what derive gives."""
    equations = ps.derive(ps.load(file), "kane")
    made = equations.document if to == "latex" else getattr(equations, to)
    expected = made("mass_matrix")
    arguments = (file, "--to", to, "--quantity", "mass_matrix", "--method", "kane")
    assert run(*arguments).output.rstrip() == expected.rstrip()
    assert run(*arguments, "--out", tmp_path, "--name", "arm").exit_code == 0
    assert (tmp_path / f"arm.{ending}").read_text(encoding="utf-8") == expected


def test_files_are_not_replaced_unasked(file, tmp_path, monkeypatch, capsys):
    """Write twice, then with --overwrite."""
    arguments = (file, "--to", "python", "--out", tmp_path)
    assert run(*arguments).exit_code == 0
    assert "is there already" in refusal(monkeypatch, capsys, "derive", *arguments)
    assert run(*arguments, "--overwrite").exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--to", "c", "--quantity", "forward"), "there is no quantity 'forward'"),
        (("--to", "latex", "--quantity", "forward"), "there is no quantity 'forward'"),
        (("--to", "latex", "--precision", "float"), "latex has no precision"),
        (("--to", "c", "--quantity", "pose:lowr"), "lowr"),
        (("--to", "fortran"), "'c', 'cuda', 'octave', 'python', 'latex', 'markdown', 'text'"),
        (("--to", "latx"), "cannot write 'latx'; did you mean 'latex'?"),
        (("--to", "c", "--method", "newton"), "unknown method 'newton'"),
        (("--to", "c", "--precision", "half"), "'double' or 'float', got 'half'"),
        (("--to", "c", "--quantity", "multipliers"), "has no loops or constraints"),
    ],
)
def test_mistakes_are_explained(file, monkeypatch, capsys, options, message):
    """Make mistakes on the command line."""
    assert message in refusal(monkeypatch, capsys, "derive", file, *options)


def test_a_folder_that_cannot_be_made_is_an_error(file, monkeypatch, capsys):
    """Give a file for a folder."""
    message = refusal(monkeypatch, capsys, "derive", file, "--to", "python", "--out", file)
    assert "cannot be written" in message
