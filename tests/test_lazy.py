"""Packages that import their names when they are used."""

import ast
import gc
import importlib
import pkgutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import poinsot as ps
from poinsot.lazy import _Later, lazy_names, when_called

SOURCE = Path(ps.__file__).parent
LAZY = sorted(
    path for path in SOURCE.rglob("__init__.py") if "lazy_names(" in path.read_text("utf-8")
)
PUBLIC_MODULES = {"extending", "library"}
MOST_MODULES = 60


def package_of(path):
    return ".".join(("poinsot", *path.parent.relative_to(SOURCE).parts))


def in_a_process(code):
    """Run code in a new interpreter and return what it printed."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", LAZY, ids=package_of)
def test_both_lists_of_names_agree(path):
    """Check that type checkers see the names that the running package has, and no others."""
    package = package_of(path)
    (choice,) = [
        node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.If)
    ]
    assert ast.unparse(choice.test) == "TYPE_CHECKING"
    typed = {
        alias.name: node.module
        for node in choice.body
        for alias in node.names
        if not alias.asname and node.module != "poinsot"
    }
    (call,) = [node for node in ast.walk(choice.orelse[0]) if isinstance(node, ast.Call)]
    table = ast.literal_eval(call.args[1])
    running = {name: f"{package}.{home}" for home, names in table.items() for name in names.split()}
    assert typed == running


@pytest.mark.parametrize("path", LAZY, ids=package_of)
def test_names_are_found_listed_and_no_modules(path):
    """Check every name of a package: it can be had, dir() shows it, no module hides it."""
    package = importlib.import_module(package_of(path))
    modules = {found.name for found in pkgutil.iter_modules(package.__path__)}
    assert set(package.__all__) <= set(dir(package))
    assert modules & set(package.__all__) <= PUBLIC_MODULES
    for name in package.__all__:
        assert name in PUBLIC_MODULES or not isinstance(getattr(package, name), types.ModuleType)
    with pytest.raises(AttributeError, match="no attribute 'pendulums'"):
        package.pendulums  # noqa: B018


def test_import_loads_next_to_nothing():
    """Check how many of our modules `import poinsot` loads."""
    ours = "import sys, poinsot; print(sum(name.startswith('poinsot') for name in sys.modules))"
    assert int(in_a_process(ours)) <= MOST_MODULES


def test_help_loads_no_mechanics():
    """Check that the command's help waits neither for NumPy nor for the model."""
    code = (
        "import sys; from poinsot.cli.app import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, sep='\\n')"
    )
    loaded = set(in_a_process(code).split())
    assert "poinsot.cli.app" in loaded
    assert not loaded & {"numpy", "poinsot.model", "poinsot.expr", "llvmlite"}


def test_functions_stay_functions_once_every_module_is_imported():
    """Check that no module takes the place of a public function of the same name."""
    code = """if True:
        import importlib, pkgutil, types, warnings
        import poinsot as ps
        for found in pkgutil.walk_packages(ps.__path__, "poinsot."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
        hidden = [name for name in ps.__all__ if isinstance(getattr(ps, name), types.ModuleType)]
        assert set(hidden) == {"extending", "library"}, hidden
        assert callable(ps.simulate) and callable(ps.impact)
    """
    in_a_process(code)


def test_packages_inside_are_attributes():
    """Check that `ps.library` needs no import of its own."""
    in_a_process("import poinsot as ps; assert ps.library.pendulum().nv == 1")


def test_everything_can_be_imported_by_a_star():
    """Check `from poinsot import *`."""
    names = {}
    exec("from poinsot import *", names)
    assert set(ps.__all__) <= set(names)


def test_every_function_that_is_imported_when_called_exists():
    """Check the names of functions that tables give as text."""
    for module in ("evaluate.registry", "evaluate.formulation"):
        importlib.import_module(f"poinsot.{module}")
    importlib.import_module("poinsot.kernels.export")
    later = [thing for thing in gc.get_objects() if isinstance(thing, _Later)]
    for one in later:
        module, name = repr(one).split(":")
        if module.startswith("poinsot"):
            assert callable(getattr(importlib.import_module(module), name)), one
    assert len(later) > 60


def test_a_function_is_imported_when_called():
    """Check that the arguments and the result pass through."""
    assert when_called("math:hypot")(3.0, 4.0) == 5.0
    assert repr(when_called("math:hypot")) == "math:hypot"


def test_a_name_is_loaded_once(monkeypatch):
    """Check that a name becomes an attribute of its package."""
    package = types.ModuleType("json")
    monkeypatch.setitem(sys.modules, "json", package)
    load, names = lazy_names("json", {"decoder": "JSONDecoder"})
    assert "JSONDecoder" in names()
    assert load("JSONDecoder") is vars(package)["JSONDecoder"]
