"""The public names: exactly those listed, all documented, and cheap to import."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import poinsot

LIST = Path(__file__).parent / "data" / "public_names.txt"
UPDATE = """public names changed. If that is meant, write a line in CHANGELOG.md and run
    .venv/bin/python -c "import poinsot; print(*sorted(poinsot.__all__), sep='\\n')" \\
        > tests/data/public_names.txt"""
# Keep equal to ruff's banned-module-level-imports, which cannot see what our imports import.
HEAVY = ("matplotlib", "llvmlite", "cupy", "sympy", "scipy", "rich", "typer")


def test_public_names_are_the_listed_ones():
    """Check poinsot.__all__ against the checked-in list."""
    listed = LIST.read_text(encoding="utf-8").split() if LIST.exists() else []
    added = sorted(set(poinsot.__all__) - set(listed))
    removed = sorted(set(listed) - set(poinsot.__all__))
    assert sorted(poinsot.__all__) == listed, f"added {added}, removed {removed}: {UPDATE}"


@pytest.mark.parametrize("name", sorted(poinsot.__all__))
def test_public_name_is_documented(name):
    """Check that each public class, function and module has a docstring someone wrote."""
    thing = getattr(poinsot, name)
    if not (inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing)):
        return  # constants such as __version__ are documented where they are assigned
    doc = (thing.__doc__ or "").strip()
    assert doc, f"poinsot.{name} has no docstring"
    # A dataclass without a docstring gets its signature for one.
    assert not doc.startswith(f"{name}("), f"poinsot.{name} has only a generated docstring"


def test_import_loads_no_heavy_package():
    """Check that `import poinsot` leaves the packages that are slow to load alone."""
    code = f"import poinsot, sys; print(*[name for name in {HEAVY} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert not result.stdout.split(), f"loaded by `import poinsot`: {result.stdout}"
