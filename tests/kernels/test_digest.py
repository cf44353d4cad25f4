"""Digests: equal for equal things in every process, different for everything else."""

import subprocess
import sys
from dataclasses import dataclass, fields, is_dataclass

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate.kernel import SOURCES
from poinsot.evaluate.recipe_key import recipe_key
from poinsot.evaluate.request import Request
from poinsot.kernels import digest as module
from poinsot.kernels.digest import DIGITS, digest, source_digest

RICH = """
import poinsot as ps
def rich():
    turn = ps.Revolute((1, 2, 3), name="hip", damping=0.1, stiffness=2.0, rest=0.3, armature=0.01)
    ball = ps.Spherical(damping=((2, 1, 0), (1, 3, 0), (0, 0, 4)), armature=0.5)
    return ps.System("rich", [
        ps.Body("a", joint=turn, pose=ps.Pose((1, 2, 3), rpy=(0.1, 0.2, 0.3)), mass=2.0,
                com=(0.1, 0.2, 0.3), inertia=(0.1, 0.2, 0.25, 0.01, 0.02, 0.03)),
        ps.Body("b", parent="a", joint=ball, mass=1.0, inertia=(1, 1, 1)),
        ps.Body("c", parent="b", joint=ps.Free(), mass=1.0, inertia=(1, 1, 1)),
        ps.Body("d", parent="c", joint=ps.Prismatic("y"), mass=1.0),
    ], gravity=(0, 1, -9.81)).mechanism
"""
exec(RICH)
MECHANISM = rich()  # noqa: F821


def variants(thing):
    """Yield copies of a description, each with one leaf changed as little as possible."""
    if is_dataclass(thing):
        for field in fields(thing):
            if not field.metadata.get("in_digest", True):
                continue
            for other in variants(getattr(thing, field.name)):
                copy = object.__new__(type(thing))
                for kept in fields(thing):
                    object.__setattr__(copy, kept.name, getattr(thing, kept.name))
                object.__setattr__(copy, field.name, other)
                yield copy
    elif isinstance(thing, tuple):
        yield (*thing, 0.0)
        for k, entry in enumerate(thing):
            for other in variants(entry):
                yield (*thing[:k], other, *thing[k + 1 :])
    elif isinstance(thing, bool):
        yield not thing
    elif isinstance(thing, float):
        yield np.nextafter(thing, 1e300).item()
        yield -thing
    elif isinstance(thing, str):
        yield thing + "x"
    elif thing is None:
        yield ""
    else:
        raise AssertionError(f"no variant of {thing!r}")


def test_every_field_of_a_mechanism_counts():
    """Check that no two of the mechanisms that differ in one leaf have the same digest."""
    found = [digest(other) for other in variants(MECHANISM)]
    assert len(found) > 150
    assert len({digest(MECHANISM), *found}) == len(found) + 1


def test_what_no_kernel_depends_on_does_not_count():
    """Check that a body that looks otherwise, or whose joint has limits, shares its kernels."""
    joint = ps.Revolute("z", limits=ps.Limits((0, 1)), mimic=ps.Mimic("other"))
    plain, shown = ps.Body("a", joint=ps.Revolute("z")), ps.Body("a", joint=joint)
    assert digest(shown) == digest(plain)
    assert digest(ps.Body("a", shapes=[ps.Sphere(0.1)])) == digest(ps.Body("a"))
    assert ps.Body("a", shapes=[ps.Sphere(0.1)]) != ps.Body("a")


def test_the_kind_of_joint_counts():
    """Check that joints with the same fields but of another class differ."""
    assert digest(ps.Revolute("z")) != digest(ps.Prismatic("z"))


def test_equal_mechanisms_have_equal_digests_in_every_process():
    """Check against a process with another seed of hashes."""
    code = f"{RICH}\nfrom poinsot.kernels.digest import digest\nprint(digest(rich()))"
    for seed in ("1", "2"):
        command = [sys.executable, "-c", code]
        result = subprocess.run(
            command, capture_output=True, text=True, env={"PYTHONHASHSEED": seed}
        )
        assert result.stdout.strip() == digest(MECHANISM), result.stderr


def test_quantity_and_options_count():
    """Check the keys of programs."""
    asked = [Request("pose", body=0), Request("pose", body=1), Request("pose", "kane", body=0)]
    asked += [Request("velocity", body=0, axes=axes) for axes in ("body", "world")]
    keys = {recipe_key(SOURCES, MECHANISM, request) for request in asked}
    assert len(keys) == len(asked)
    assert all(len(key) == DIGITS for key in keys)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (0.0, -0.0),
        (1, 1.0),
        (True, 1),
        ("1", b"1"),
        ((1, 2), [1, 2]),
        ((1, (2, 3)), (1, 2, 3)),
        (((),), ()),
        ({"a": 1}, [("a", 1)]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (np.zeros(4), np.zeros((2, 2))),
        (np.zeros(2), np.zeros(2, np.float32)),
        (np.float64(1), 1.0),
        (["list", 1], ["dict", 1]),
    ],
)
def test_things_that_may_be_equal_or_look_alike_differ(a, b):
    assert digest(a) != digest(b)
    assert digest(a) == digest(a)


def test_what_is_not_ours_has_no_digest():
    """Check that a class of the user, whose meaning may change unseen, is refused."""

    @dataclass(frozen=True)
    class Mine:
        x: float = 1.0

    for thing in (Mine(), object(), len, {1, 2}, np.array([None]), lambda: 0):
        with pytest.raises(TypeError, match="no digest"):
            digest(1.0, (thing,))


def test_source_is_part_of_every_key(monkeypatch):
    """Check that other source gives another key."""
    before = recipe_key(SOURCES, MECHANISM, Request("bias"))
    assert recipe_key(SOURCES, MECHANISM, Request("bias")) == before
    monkeypatch.setattr("poinsot.evaluate.recipe_key.source_digest", lambda names: "other")
    assert recipe_key(SOURCES, MECHANISM, Request("bias")) != before


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a folder that stands for the package, of source older than this process."""
    monkeypatch.setattr(module, "__file__", str(tmp_path / "kernels" / "digest.py"))
    monkeypatch.setattr(module, "STARTED", 4e9)
    for name, text in (("errors.py", "x = 1"), ("expr/node.py", "y = 1"), ("cli/app.py", "z = 1")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    yield tmp_path
    source_digest.cache_clear()


def sources():
    source_digest.cache_clear()
    return source_digest(("errors", "expr"))


def test_source_digest_follows_contents_names_and_new_files(package):
    """Check what changes the digest of the source, and what does not."""
    found = [sources()]
    assert found[0] is not None
    (package / "cli" / "app.py").write_text("z = 2")
    assert sources() == found[0]
    for name, text in (("errors.py", "x = 2"), ("expr/node.py", "y = 2"), ("expr/new.py", "")):
        (package / name).write_text(text)
        found.append(sources())
    (package / "expr" / "new.py").rename(package / "expr" / "renamed.py")
    found.append(sources())
    assert len(set(found)) == 5


def test_source_that_is_newer_than_the_process_is_not_trusted(package, monkeypatch):
    """Check that code made by old source never gets the digest of new source."""
    monkeypatch.setattr(module, "STARTED", 1e9)
    assert sources() is None


def test_source_that_cannot_be_read_has_no_digest(package):
    (package / "errors.py").unlink()
    assert sources() is None


def test_sources_are_all_that_kernels_are_made_by():
    """Check that evaluation imports no part of the package that is not in SOURCES.

    What is imported when it is called is imported here by its name; how that is done (lazy) and
    since when (started) are no part of any program.
    """
    code = (
        "import sys, types\n"
        "package = types.ModuleType('poinsot'); package.__path__ = [sys.argv[1]]\n"
        "sys.modules['poinsot'] = package\n"
        "import importlib, pkgutil, poinsot.evaluate.evaluator, poinsot.formulations as all\n"
        "for found in pkgutil.walk_packages(all.__path__, 'poinsot.formulations.'):\n"
        "    importlib.import_module(found.name)\n"
        "print(*{n.split('.')[1] for n in sys.modules if n.startswith('poinsot.')})"
    )
    command = [sys.executable, "-c", code, ps.__path__[0]]
    result = subprocess.run(command, capture_output=True, text=True)
    assert sorted(result.stdout.split()) == sorted((*SOURCES, "lazy", "started")), result.stderr
