"""Rules about the repository itself: a rule without a check does not hold."""

import ast
import re
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAX_FILE_LINES = {"src": 400, "tests": 500, "benchmarks": 500}
MAX_FUNCTION_LINES = 80
MAX_MEDIAN_LINES = 200

# {"src/poinsot/x.py" or "src/poinsot/x.py::function": "why it may be longer"}; keep it short.
SIZE_ALLOWED: dict[str, str] = {
    "src/poinsot/front/simulate.py::simulate": "most of it documents its keywords",
}

# Where an address of a package index could creep in; pip's own settings say where packages are.
INSTALL_FILES = ("constraints.txt", "tests/lowest.txt", "Makefile", "pyproject.toml", ".ci/run")
ADDRESS = re.compile(r"https?://|index-url|find-links|trusted-host")
# Not preceded by a word: docs/home/x is a relative path, not one machine's folder.
MACHINE_PATH = re.compile(r"(?<![\w.\-}])/(?:work|root|home|Users)/\w")
DEFINITION = re.compile(r"\s*(?:async )?def (\w+)")
SKIPPED_FOLDERS = {".git", ".venv", ".venv-lowest", "__pycache__", "build", "dist"}


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the name and the length of every function, by its indentation: ten times a parser."""
    begun: list[tuple[int, str, int]] = []  # indentation, name, first line
    last = 0
    for number, line in enumerate([*text.splitlines(), "end"], start=1):
        inner = line.lstrip()
        if not inner:
            continue
        if inner.startswith(")"):  # the end of a signature, or of a call
            last = number
            continue
        depth = len(line) - len(inner)
        while begun and depth <= begun[-1][0]:
            _, name, first = begun.pop()
            yield name, last - first + 1
        if definition := DEFINITION.match(line):
            begun.append((depth, definition[1], number))
        last = number


def oversized() -> Iterator[tuple[str, int]]:
    """Yield the key and the length of every file and function over its limit."""
    for path in python_files("src", "tests", "benchmarks"):
        name = path.relative_to(ROOT).as_posix()
        if (lines := line_count(path)) > MAX_FILE_LINES[name.split("/")[0]]:
            yield name, lines
        if lines > MAX_FUNCTION_LINES:
            for function, length in functions(path.read_text(encoding="utf-8")):
                if length > MAX_FUNCTION_LINES:
                    yield f"{name}::{function}", length


def test_lengths_of_functions_are_those_of_the_parser():
    """Check the count by indentation on the files of a package."""
    for path in python_files("src/poinsot/impacts"):
        by_parser = sorted(
            (node.name, node.end_lineno - node.lineno + 1)
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        )
        assert sorted(functions(path.read_text(encoding="utf-8"))) == by_parser


def text_files() -> list[Path]:
    """List the files git tracks or would add; without git, all but environments and caches."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        paths = [
            path
            for path in ROOT.rglob("*")
            if not SKIPPED_FOLDERS.intersection(path.relative_to(ROOT).parts)
            and not any(part.endswith("_cache") for part in path.relative_to(ROOT).parts)
        ]
    else:
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    # A NUL byte marks a binary file, as it does for git.
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


def matches(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    """Return "file:line: text" for every line that the pattern matches."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1)
        if pattern.search(line)
    ]


def test_files_and_functions_are_small():
    """Check that nothing is over its limit, and that no allowance has become idle."""
    found = dict(oversized())
    too_long = [f"{key}: {lines} lines" for key, lines in found.items() if key not in SIZE_ALLOWED]
    assert not too_long, "split these, or allow them with a reason:\n" + "\n".join(too_long)
    assert set(SIZE_ALLOWED) <= set(found), "allowances no longer needed: remove them"


def test_median_source_file_is_small():
    """Check that most source files fit on a few screens."""
    assert statistics.median(map(line_count, python_files("src"))) < MAX_MEDIAN_LINES


def test_layers_hold():
    """Check every import contract of pyproject.toml."""
    lint = Path(sys.executable).with_name("lint-imports")
    command = [str(lint), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_installation_names_no_address():
    """Check that no package index is written down; pip's settings choose it."""
    found = matches(ADDRESS, [ROOT / name for name in INSTALL_FILES])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["constraints.txt", "tests/lowest.txt"])
def test_constraints_are_exact_versions(name):
    """Check that files of constraints hold name==version lines and comments only."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    wrong = [line for line in lines if not re.fullmatch(r"#.*|[\w.\-]+==[\w.!+]+", line)]
    assert not wrong, "\n".join(wrong)


def test_lowest_versions_are_the_lower_bounds():
    """Check that make test-lowest tests the bounds of the core and of dev, each as it stands."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    lowest = (ROOT / "tests" / "lowest.txt").read_text(encoding="utf-8").splitlines()
    tested = dict(line.split("==") for line in lowest if not line.startswith("#"))
    for name, bound in (text.split(">=") for text in bounds):
        version = tested.get(name, "absent")
        assert re.fullmatch(rf"{re.escape(bound)}(\.0)*", version), f"{name}: {bound}, {version}"


def test_no_path_of_one_machine():
    """Check that no file names a folder that exists on its author's machine only."""
    found = matches(MACHINE_PATH, text_files())
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE"])
def test_front_matter_exists(name):
    """Check that the pages a newcomer looks for are there and not empty."""
    assert (ROOT / name).is_file(), f"{name} is missing"
    assert (ROOT / name).stat().st_size > 0, f"{name} is empty"


def test_slow_tests_that_are_listed_exist() -> None:
    """Check the names by which tests are marked slow."""
    listed = (ROOT / "tests" / "slow_tests.txt").read_text(encoding="utf-8").splitlines()
    for name in (line for line in listed if not line.startswith("#")):
        path, _, function = name.partition("::")
        assert (ROOT / path).is_file(), name
        if path.startswith("tests/"):
            text = (ROOT / path).read_text(encoding="utf-8")
            assert f"def {function.partition('[')[0].rpartition('::')[2]}(" in text, name


def test_no_two_public_classes_have_the_same_name():
    """Check that a class is told by its name alone."""
    homes: dict[str, list[str]] = {}
    for path in python_files("src"):
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    assert not {name: paths for name, paths in homes.items() if len(paths) > 1}


VAGUE_NAMES = {"one", "of", "at", "found", "part"}
VAGUE_ALLOWED = {
    "src/poinsot/model/fields/kinds.py": "what a kind is of, a field of users",
}


def test_variables_are_nouns_of_the_field():
    """Check that no variable or argument has a name that says nothing (CONTRIBUTING.md)."""
    vague = []
    for path in python_files("src"):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(parsed(path)):
            stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            word = node.id if stored else getattr(node, "arg", None)
            if word in VAGUE_NAMES and not isinstance(node, ast.keyword):
                vague.append(f"{name}:{node.lineno}: {word}")
    assert not [place for place in vague if place.split(":")[0] not in VAGUE_ALLOWED]
