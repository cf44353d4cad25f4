"""The index of equations and the source cite the same numbers in the same files."""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "poinsot"
INDEX = ROOT / "docs" / "equations_index.md"
PAPERS = ("Liu1988", "Huang1997", "Zhang1996", "Zaremba1990", "Wang2007")

NUMBER = r"\((\d+(?:\.\d+)?)\)"
PLACE = re.compile(rf"(?<!\w){NUMBER}(?:\s*(?:-|to)\s*{NUMBER})?|sec\. (\d+(?:\.\d+)?)")
CITATION = re.compile(rf"\[({'|'.join(PAPERS)})(?:, ([^\]]*))?\]")


class Row(NamedTuple):
    """A line of the index."""

    paper: str
    places: frozenset[str]
    file: str
    name: str


def places(text: str) -> frozenset[str]:
    """Return the numbers of equations, and the sections, in a text; ranges are filled in."""
    found: set[str] = set()
    for first, last, section in PLACE.findall(text):
        if section:
            found.add(f"sec. {section}")
        elif last and "." not in first:
            found.update(str(k) for k in range(int(first), int(last) + 1))
        else:
            found.update({first, last} - {""})
    return frozenset(found)


@cache
def rows() -> tuple[Row, ...]:
    """Return the lines of the index that name a file."""
    listed = []
    for line in INDEX.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        if len(cells) == 5 and cells[0] in PAPERS:
            listed.append(Row(cells[0], places(cells[1]), cells[3], cells[4]))
    return tuple(listed)


def remarks(source: str) -> str:
    """Return the comments and docstrings of a module, one behind the other."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    texts = [token.string for token in tokens if token.type == tokenize.COMMENT]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, documented)]
    return "\n".join(texts + [ast.get_docstring(node) or "" for node in nodes])


@cache
def cited(path: Path) -> frozenset[tuple[str, str]]:
    """Return what a file cites: pairs of a paper and a number.

    Numbers without a key belong to the only paper that the file names.
    """
    source = path.read_text(encoding="utf-8")
    if not CITATION.search(source):
        return frozenset()
    text = " ".join(remarks(source).split())
    pairs = {
        (paper, place) for paper, rest in CITATION.findall(text) for place in places(rest or "")
    }
    papers = {paper for paper, _ in CITATION.findall(text)}
    if len(papers) == 1:
        bare = {place for place in places(text) if not place.startswith("sec.")}
        pairs |= {(paper, place) for paper in papers for place in bare}
    return frozenset(pairs)


def defined(path: Path) -> set[str]:
    """Return the names of the functions, classes and methods of a file."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = (one for one in node.body if isinstance(one, ast.FunctionDef))
            names |= {f"{node.name}.{one.name}" for one in inner}
    return names


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.paper} {row.file}:{row.name}")
def test_a_line_of_the_index_is_true(row):
    """Check that the file and the name exist and that the file cites the numbers."""
    path = PACKAGE / row.file
    assert path.is_file()
    assert not row.name or row.name in defined(path)
    missing = {place for place in row.places if (row.paper, place) not in cited(path)}
    assert row.places
    assert not missing, f"{row.file} does not cite {sorted(missing)}"


def test_what_the_source_cites_is_in_the_index():
    """Check every citation of an equation of the papers in the source."""
    known = {(row.file, row.paper, place) for row in rows() for place in row.places}
    missing = [
        f"{path.relative_to(PACKAGE)}: [{paper}, {place}]"
        for path in sorted(PACKAGE.rglob("*.py"))
        for paper, place in sorted(cited(path))
        if (path.relative_to(PACKAGE).as_posix(), paper, place) not in known
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize(
    ("paper", "last"), [("Liu1988", 46), ("Huang1997", None)], ids=["Liu", "Huang"]
)
def test_papers_that_are_there_in_full(paper, last):
    """Check that no equation of Liu's, and no section of Huang's method, is left out."""
    wanted = [f"sec. {k}" for k in ("1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.1")]
    if last is not None:
        wanted = [str(k) for k in range(1, last + 1)]
    there = {place for row in rows() if row.paper == paper for place in row.places}
    assert there.issuperset(wanted), sorted(set(wanted) - there)


def test_places():
    """Check how citations are read."""
    assert places("eq. (3) and (4)") == {"3", "4"}
    assert places("(25) to (27), (33)") == {"25", "26", "27", "33"}
    assert places("(3.15), (3.30)") == {"3.15", "3.30"}
    assert places("sec. 1.3, sec. 2") == {"sec. 1.3", "sec. 2"}
    assert places("shape (6,), f(3), A(ij)") == frozenset()
