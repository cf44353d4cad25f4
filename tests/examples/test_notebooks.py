"""The notebooks among the examples: run from top to bottom, kept without outputs."""

import warnings
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("**/*.ipynb"))


def read(path):
    """Return a notebook, or skip where the packages that run it are not installed."""
    for name in ("nbclient", "ipykernel"):
        pytest.importorskip(name)
    nbformat = pytest.importorskip("nbformat")
    return nbformat.read(path, as_version=4)


def test_there_are_some():
    """Check that the folder is where this file looks."""
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_they_hold_no_outputs(path):
    """Check that nothing that a run left is kept."""
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_they_run(path, tmp_path):
    """Run every cell in a kernel of its own; the cells check their own results."""
    notebook = read(path)
    from nbclient import NotebookClient

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the packages that start the kernel
        client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}})
        client.execute()
    last = [cell for cell in notebook.cells if cell.cell_type == "code"][-1]
    assert last.outputs
