"""Runs in files: what comes back is the same to the last bit, and no file can do harm."""

import io
import json
import random
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import poinsot as ps
from poinsot.library import double_pendulum, four_bar
from tests.front.test_run_quantities import arm, turning

SUFFIXES = [".npz", ".parquet"]


@pytest.fixture(autouse=True)
def _packages(request):
    if ".parquet" in request.node.name:
        pytest.importorskip("pyarrow", reason="Parquet files need the extra 'data'")


def parametric():
    q, v = np.array([0.3, 1, 0, 0, 0]), [0.1, 0.3, -0.2, 0.5]
    law = lambda t, q, v: [ps.symbols("m") * np.cos(t), *(-0.1 * v[1:])]  # noqa: E731
    return ps.simulate(arm(), q, v, 1.0, tau=law, base=turning, parameters={"m": 3.0})


def closed():
    system = four_bar()
    q = system.assemble(system.neutral() + 0.1)
    v = system.consistent_velocity(q, np.ones(system.nv))
    return ps.simulate(system, q, v, 0.5, tau=0.1, save=[0.1, 0.2, 0.4], rtol=1e-6, max_step=0.1)


def stopped():
    with pytest.warns(ps.SimulationWarning):
        return ps.simulate(
            double_pendulum(), [1.0, 2.0], [0.0, 0.0], 3.0, max_steps=5, integrator="dp5"
        )


def fixed():
    return ps.simulate(double_pendulum(), [1.0, 2.0], [0.0, 0.0], 0.3, integrator="rk4", step=0.01)


def sampled():
    """A signal in a law, a wrench, a force of the model, and the stiff method."""
    samples = np.random.default_rng(0).normal(size=11)
    push = ps.Signal(np.linspace(0.0, 1.0, 11), samples)
    bodies = double_pendulum().bodies
    stop = ps.JointStop(bodies[0].name, upper=0.9, stiffness=1e3)
    system = ps.System("stopped", bodies, forces=[stop])
    return ps.simulate(
        system, [0.5, 0.2], [1.0, 0.0], 0.4, tau=lambda t, q, v: [push(t), -0.1 * v[1]],
        wrenches={bodies[1].name: lambda t, q, v: [np.sin(t), 0, 0, 0, 0, 0]}, integrator="stiff",
    )  # fmt: skip


RUNS = {
    "fixed": fixed,
    "sampled": sampled,
    "parametric": parametric,
    "closed": closed,
    "stopped": stopped,
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("kind", RUNS)
def test_a_run_comes_back_to_the_last_bit(kind, suffix, tmp_path):
    run = RUNS[kind]()
    again = ps.load_run(run.save(tmp_path / f"run{suffix}"))
    assert again.system == run.system
    assert again.system.description == run.system.description
    assert (again.status, again.statistics) == (run.status, run.statistics)
    assert again.parameters == run.parameters
    t = np.linspace(run.t[0], run.t[-1], 23)
    for one, other in (
        (again.t, run.t), (again.q, run.q), (again.v, run.v), (again.tau(), run.tau()),
        (again.acceleration(), run.acceleration()), (again.at(t)[0], run.at(t)[0]),
        (again.at(t)[1], run.at(t)[1]), (again.repeat().q, run.q), (again.repeat().v, run.v),
    ):  # fmt: skip
        assert_array_equal(one, other)
    assert again.repeat().status == run.status


def push(t, q, v):
    return [1.0 if t < 0.15 else -v[0], 0.0]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_of_a_python_function_the_forces_are_kept(suffix, tmp_path):
    """Check that forces are there, and that what needs the function itself says so."""
    law = ps.Callback(push)
    run = ps.simulate(double_pendulum(), [1.0, 2.0], [0.0, 0.0], 0.3, tau=law, max_step=0.02)
    again = ps.load_run(run.save(tmp_path / f"run{suffix}"))
    assert again.stored_only
    assert not run.stored_only
    assert_array_equal(again.tau(), run.tau())
    assert_array_equal(again.acceleration(), run.acceleration())
    assert_array_equal(again.at(again.t)[0], run.q)
    for ask in (lambda: again.at(0.1234), again.repeat):
        with pytest.raises(ps.PoinsotError, match="was a Python function, which files cannot hold"):
            ask()
    again.plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").exists()
    third = ps.load_run(again.save(tmp_path / f"again{suffix}"))
    assert_array_equal(third.tau(), run.tau())


def bounce():
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
    floor = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -0.8 * v,
                     tau=lambda t, q, v: -0.1 * v)  # fmt: skip
    return ps.simulate(ball, [1.0], [0.0], 2.0, events=[floor])


def test_events_come_back(tmp_path):
    run = bounce()
    again = ps.load_run(run.save(tmp_path / "run.npz"))
    assert [(one.name, one.t) for one in again.events] == [(one.name, one.t) for one in run.events]
    t = np.linspace(0.0, 2.0, 31)
    assert_array_equal(again.at(t)[0], run.at(t)[0])
    assert_array_equal(again.tau(), run.tau())
    assert_array_equal(again.repeat().q, run.q)


def test_numpy_alone_reads_the_columns(tmp_path):
    run = closed()
    with np.load(run.save(tmp_path / "run.npz")) as file:
        assert_array_equal(file["columns.t"], run.t)
        name = run.names["q"][0]
        assert_array_equal(file[f"columns.q.{name}"], run.q[:, 0])
        text = json.loads(file["description"].tobytes())
    assert text["format"] == "poinsot-run/1"
    assert text["model"]["name"] == run.system.name
    assert text["accuracy"]["rtol"] == 1e-6


def test_parquet_is_a_plain_table_with_the_rest_in_its_schema(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    run = closed()
    table = pq.read_table(run.save(tmp_path / "run.parquet"))
    assert table.column_names == ["t"] + [
        f"{key}.{name}" for key in ("q", "v") for name in run.names[key]
    ]
    assert json.loads(table.schema.metadata[b"description"])["plan"]["duration"] == 0.5


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_run_gives_the_same_file(suffix, tmp_path):
    run = closed()
    one, other = (run.save(tmp_path / f"{name}{suffix}").read_bytes() for name in ("a", "b"))
    assert one == other


def test_a_failed_write_leaves_what_was_there(tmp_path, monkeypatch):
    file = tmp_path / "run.npz"
    file.write_text("old")
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        closed().save(file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_models_that_no_file_holds_are_named(tmp_path):
    bodies = [
        ps.Body("a", joint=ps.Prismatic("x"), mass=1),
        ps.Body("b", joint=ps.Prismatic("y"), mass=1),
    ]
    law = ps.Holonomic("law", lambda q, t: [q[0] - q[1] ** 2])
    system = ps.System("two", bodies, constraints=[law])
    run = ps.simulate(system, [0.0, 0.0], [0.0, 0.0], 0.1)
    with pytest.raises(ps.ModelError, match=r"'law'.*cannot be written to a file"):
        run.save(tmp_path / "run.npz")
    assert not list(tmp_path.iterdir())


def rewritten(content: bytes, change) -> bytes:
    """Return a file of a run whose parts a stranger has changed."""
    parts = {}
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        for name in old.namelist():
            parts[name] = np.load(io.BytesIO(old.read(name)))
    text = json.loads(parts["description.npy"].tobytes())
    change(text, parts)
    parts["description.npy"] = np.frombuffer(json.dumps(text).encode(), np.uint8)
    new = io.BytesIO()
    np.savez(new, **{name.removesuffix(".npy"): array for name, array in parts.items()})
    return new.getvalue()


def test_files_that_call_the_integrator_method_still_load(tmp_path):
    """Read a run as the first files of the format hold it."""
    file = closed().save(tmp_path / "run.npz")

    def older(text, _):
        text["accuracy"]["method"] = text["accuracy"].pop("integrator")

    file.write_bytes(rewritten(file.read_bytes(), older))
    assert ps.load_run(file).accuracy.integrator == "dp8"


MISTAKES = {
    "no format": (lambda text, _: text.pop("format"), "must have the key 'format'"),
    "another format": (lambda text, _: text.update(format="x/2"), "format must be 'poinsot-run/1'"),
    "no model": (lambda text, _: text.pop("model"), "must have the key 'model'"),
    "another key": (lambda text, _: text.update(code="import os"), "unknown key 'code'"),
    "a wrong body": (
        lambda text, _: text["model"]["bodies"][0].update(mass=-1),
        r"model: bodies\[0\]: .*mass",
    ),
    "an unknown integrator": (
        lambda text, _: text["accuracy"].update(integrator="exec"),
        "unknown integrator",
    ),
    "a negative tolerance": (lambda text, _: text["accuracy"].update(rtol=-1), "rtol"),
    "an unknown outcome": (lambda text, _: text["status"].update(outcome="?"), "must be one of"),
    "no array": (lambda text, _: text.update(start={"array": "nothing"}), "no array 'nothing'"),
    "a missing column": (lambda text, _: text["columns"].pop("t"), "must have the key 't'"),
    "a short column": (
        lambda _, parts: parts.update({"columns.t.npy": parts["columns.t.npy"][:-1]}),
        "must have shape",
    ),
    "times that go back": (
        lambda _, parts: parts.update({"columns.t.npy": parts["columns.t.npy"][::-1]}),
        "must be increasing times",
    ),
    "whole numbers": (
        lambda _, parts: parts.update({"start.npy": np.zeros(4, int)}),
        "'start' in it is no array of float64",
    ),
    "NaN": (
        lambda _, parts: parts.update({"start.npy": np.full(parts["start.npy"].shape, np.nan)}),
        "start must be finite",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    return closed().save(tmp_path_factory.mktemp("runs") / "run.npz").read_bytes()


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_wrong_in_a_file_is_said(mistake, content, tmp_path):
    change, message = MISTAKES[mistake]
    file = tmp_path / "run.npz"
    file.write_bytes(rewritten(content, change))
    with pytest.raises(ps.ModelError, match=message) as caught:
        ps.load_run(file)
    assert str(file) in str(caught.value)


class Bomb:
    """Unpickled, it would leave a trace."""

    exploded = False

    def __reduce__(self):
        return setattr, (Bomb, "exploded", True)


def test_pickles_are_not_opened(tmp_path):
    file = tmp_path / "run.npz"
    with file.open("wb") as target:
        np.savez(target, description=np.array([Bomb()], dtype=object))
    with pytest.raises(ps.ModelError, match=r"run\.npz"):
        ps.load_run(file)
    assert not Bomb.exploded


def test_huge_arrays_are_refused_before_memory_is_taken(tmp_path, content):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,), }"
    body = b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header + b"\n"
    file = tmp_path / "run.npz"
    with zipfile.ZipFile(file, "w") as target:
        target.writestr("start.npy", body)
    with pytest.raises(ps.ModelError, match="'start' in it is no array of float64"):
        ps.load_run(file)


def test_compressed_files_are_refused(tmp_path):
    file = tmp_path / "run.npz"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("start.npy", b"0" * 100_000)
    with pytest.raises(ps.ModelError, match="is compressed"):
        ps.load_run(file)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_broken_files_are_refused_or_read_but_nothing_else(suffix, tmp_path):
    run = closed()
    whole = run.save(tmp_path / f"run{suffix}").read_bytes()
    file, dice = tmp_path / f"broken{suffix}", random.Random(0)
    for k in range(80):
        broken = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        if k % 3 == 0:
            broken = broken[: dice.randrange(len(broken))]
        file.write_bytes(broken)
        with suppress(ps.ModelError, ps.FormulaError, ps.ProgramError):
            found = ps.load_run(file)
            assert found.q.shape == (len(found), found.system.nq)


def test_mistakes_in_names_of_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        ps.load_run(tmp_path / "nothing.npz")
    with pytest.raises(ps.ModelError, match=r"'.csv' hold no runs; known are .npz, .parquet"):
        ps.load_run(tmp_path / "run.csv")
    with pytest.raises(ps.ModelError, match="hold no runs"):
        closed().save(tmp_path / "run")
    (tmp_path / "empty.npz").write_bytes(b"")
    with pytest.raises(ps.ModelError, match=r"empty\.npz: no run of poinsot"):
        ps.load_run(tmp_path / "empty.npz")


def test_without_the_package_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ps.MissingPackageError, match=r"pip install 'poinsot\[data\]'"):
        closed().save(tmp_path / "run.parquet")
