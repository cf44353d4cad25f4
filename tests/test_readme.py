"""Every Python block of the documentation runs.

The blocks of one page share a namespace and run in order, as a reader would type them. A block
opened with ```python no-run is compiled only.
"""

import re
import textwrap
import traceback
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.registries import restored_registries

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted(ROOT.glob("docs/**/*.md")))
    if page.exists()
]
FENCE = re.compile(r"^\s*(?P<ticks>`{3,})(?P<info>[^`]*)$")


class Block(NamedTuple):
    """One fenced block; ``line`` is where its first line of code stands in the page."""

    line: int
    code: str
    runs: bool


def python_blocks(text: str) -> list[Block]:
    """Return the blocks of a Markdown text whose info string begins with python."""
    blocks: list[Block] = []
    ticks, info, first, body = "", [], 0, []
    for number, line in enumerate(text.splitlines(), start=1):
        fence = FENCE.match(line)
        if not ticks and fence:
            ticks, info = fence["ticks"], fence["info"].split()
            first, body = number + 1, []
        elif ticks and line.strip() == ticks:
            if info[:1] == ["python"]:
                code = textwrap.dedent("\n".join(body))
                blocks.append(Block(first, code, "no-run" not in info))
            ticks = ""
        elif ticks:
            body.append(line)
    assert not ticks, f"the block that begins before line {first} is never closed"
    return blocks


def run_page(name: str, text: str) -> None:
    """Run a page's blocks; fail with the page and the line that raised."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in python_blocks(text):
        # Blank lines in front make Python's line numbers those of the page.
        source = "\n" * (block.line - 1) + block.code
        try:
            code = compile(source, name, "exec")
            if block.runs:
                exec(code, namespace)
        except SyntaxError as error:
            pytest.fail(f"{name}:{error.lineno}: {error!r}", pytrace=False)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            line = next((f.lineno for f in reversed(frames) if f.filename == name), block.line)
            pytest.fail(f"{name}:{line}: {traceback.format_exc()}", pytrace=False)


def page_id(page: Path) -> str:
    """Return the name of a page; pages of a subfolder have its name too."""
    return page.relative_to(ROOT).as_posix().removeprefix("docs/")


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_documented_code_runs(page, tmp_path, monkeypatch):
    """Run what the page shows, where it can do no harm and needs no screen."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    with restored_registries():
        run_page(str(page.relative_to(ROOT)), page.read_text(encoding="utf-8"))


def test_blocks_share_a_namespace_and_no_run_only_compiles():
    """Check the runner itself: order, sharing, other languages and no-run."""
    parts = {"python": "x = 1", "bash": "false", "python no-run": "x.y", " python": "x + 1"}
    page = "".join(f"```{info}\n{body}\n```\n" for info, body in parts.items())
    assert [block.runs for block in python_blocks(page)] == [True, False, True]
    run_page("page.md", page)


@pytest.mark.parametrize(
    ("code", "where"), [("1 / 0", "page.md:4"), ("x = = 1", "page.md:4")], ids=["raises", "syntax"]
)
def test_failure_names_page_and_line(code, where):
    """Check that a broken block is reported where a reader finds it."""
    with pytest.raises(pytest.fail.Exception, match=where):
        run_page("page.md", f"text\n```python\nx = 0\n{code}\n```\n")
