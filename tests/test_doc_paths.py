"""Every file that a page names exists: moving one means to mend the pages that name it."""

import re
import runpy
from pathlib import Path

import pytest

import poinsot as ps
from poinsot.model.joints.base import AbstractJoint

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "poinsot"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
# What changed once is history: names of old files stand there rightly.
PAGES = [page for page in PAGES if page.name not in ("CHANGELOG.md", "renamed.md")]
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.py)`")
FOLDER = re.compile(r"`([a-z_]+(?:/[a-z_]+)+)`")
HEADING = re.compile(r"^#+ (.*)$", re.M)


def anchors(page: Path) -> set[str]:
    """Return what links may point to in a page: its headings as GitHub names them."""
    headings = HEADING.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


def exists(name: str) -> bool:
    """Say whether a file or folder is there, named from the root, the package or a part of it."""
    places = (ROOT / name, PACKAGE / name, PACKAGE.parent / name)
    return any(place.exists() for place in places) or any(PACKAGE.glob(f"*/{name}"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_and_paths(page):
    """Check links, their anchors, and files in backticks."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    wrong = []
    for target, anchor in LINK.findall(text):
        other = (page.parent / target).resolve() if target else page
        if not other.exists():
            wrong.append(target)
        elif anchor and anchor not in anchors(other):
            wrong.append(f"{target}#{anchor}")
    wrong += [name for name in NAMED.findall(text) if not exists(name)]
    if page.name == "ARCHITECTURE.md":
        wrong += [name for name in FOLDER.findall(text) if not exists(name)]
    assert not wrong, wrong


def test_pictures_are_those_of_their_script(tmp_path):
    """Draw the joints again: every word of the pictures, and joints that there are."""
    script = runpy.run_path(str(ROOT / "docs/images/joints.py"))
    script["main"](tmp_path)
    for name in ("joints.svg", "joint_frames.svg"):
        kept, drawn = (
            re.findall("<!-- .* -->", (folder / name).read_text(encoding="utf-8"))
            for folder in (ROOT / "docs/images", tmp_path)
        )
        assert drawn == kept
    for name in script["JOINTS"]:
        assert issubclass(getattr(ps, name), AbstractJoint)
