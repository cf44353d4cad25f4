"""The package of docs/extending.md: its blocks that begin with a file's name, as files."""

import ast
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from tests.registries import restored_registries
from tests.test_readme import ROOT, python_blocks

PAGE = ROOT / "docs" / "extending.md"
PACKAGE = "their_package"


def sources() -> dict[str, str]:
    """Return the files of the package by module."""
    opening = f"# {PACKAGE}/"
    blocks = [block.code for block in python_blocks(PAGE.read_text(encoding="utf-8"))]
    named = [code.partition("\n") for code in blocks if code.startswith(opening)]
    return {first.removeprefix(opening).removesuffix(".py"): code for first, _, code in named}


def lines(code: str) -> int:
    """Return the number of lines of code: neither blank, nor comment, nor docstring."""
    tree = ast.parse(code)
    described = [
        node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)
    ]
    skipped = set()
    for node in described:
        if ast.get_docstring(node) is not None:
            skipped.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    numbered = enumerate(code.splitlines(), start=1)
    kept = [line.strip() for number, line in numbered if number not in skipped]
    return sum(bool(line) and not line.startswith("#") for line in kept)


@contextmanager
def imported(folder: Path) -> Iterator[SimpleNamespace]:
    """Write the package into a folder, import it, and forget it afterwards.

    Args:
        folder: Where it is to be.

    Yields:
        Its modules by name.
    """
    home = folder / PACKAGE
    home.mkdir()
    (home / "__init__.py").write_text("", encoding="utf-8")
    for name, code in sources().items():
        (home / f"{name}.py").write_text(code, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        with restored_registries():
            importlib.invalidate_caches()
            modules = {name: importlib.import_module(f"{PACKAGE}.{name}") for name in sources()}
            yield SimpleNamespace(folder=folder, **modules)
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
