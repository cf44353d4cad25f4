"""Elements and quantities of another package, the one that docs/extending.md shows."""

import dataclasses
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.recipe_key import recipe_key
from poinsot.evaluate.request import Request
from poinsot.extending import AbstractForce, EndOnBody, declared, field
from poinsot.io.native.elements import ENTRY_POINTS
from tests.extending.package import PACKAGE, lines, sources
from tests.extending.systems import chain, link, mounted, without_forces
from tests.registries import restored_registries

LIMIT = 40
"""An example has fewer lines."""


@pytest.mark.parametrize("name", sources())
def test_examples_are_short(name):
    """Count the lines of each example, imports included."""
    assert lines(sources()[name]) < LIMIT


@pytest.mark.parametrize("ending", ["json", "toml"])
def test_files_hold_them(systems, tmp_path, ending):
    """Save and load systems with each class; the type in files follows from the kind."""
    for system, kind in zip(
        systems, ("pin_in_slot", "rubber_bushing", "homokinetic_coupling"), strict=True
    ):
        path = tmp_path / f"{kind}.{ending}"
        ps.save(system, path)
        assert kind in path.read_text(encoding="utf-8")
        assert ps.load(path) == system


@pytest.mark.slow
def test_a_file_says_that_a_package_must_be_imported(systems, theirs, tmp_path):
    """Load in a process that does not know the package, then in one that does."""
    modules = ("pin_in_slot", "bushing", "homokinetic")
    for system, module in zip(systems, modules, strict=True):
        ps.save(system, tmp_path / "model.json")
        load = "import poinsot as ps; ps.load('model.json')"
        done = python("-c", load, cwd=tmp_path, path=theirs.folder)
        assert "once the package that defines them is imported" in done.stderr
        done = python("-c", f"import {PACKAGE}.{module}; {load}", cwd=tmp_path, path=theirs.folder)
        assert done.returncode == 0, done.stderr


def test_an_installed_package_is_found(systems, theirs, tmp_path):
    """Name a module as an entry point: the command line reads a file with its type."""
    ps.save(systems[1], tmp_path / "model.json")
    about = tmp_path / f"{PACKAGE}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nbushing = {PACKAGE}.bushing\n")
    path = os.pathsep.join([str(theirs.folder), str(tmp_path)])
    done = python("-m", "poinsot", "info", "model.json", cwd=tmp_path, path=path)
    assert done.returncode == 0, done.stderr
    assert "car" in done.stdout


def python(*arguments, cwd, path):
    """Run Python in a process of its own that finds modules in a path, and poinsot."""
    known = os.pathsep.join([str(path), str(Path(ps.__file__).parents[1])])
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": known},
    )  # fmt: skip


@pytest.mark.slow
def test_verify_agrees(systems):
    """Check every formulation, back end and law of mechanics."""
    for system in systems:
        report = ps.verify(system)
        assert report.ok, str(report)


def test_verify_finds_a_wrong_joint(PinInSlot):
    """Forget that S turns: the check of its rate fails, which all formulations share."""
    with restored_registries():

        @declared
        class Forgetful(PinInSlot):
            kind = "forgetful pin in slot"

            def motion_subspace_rate(self, q, v):
                return np.zeros((6, 2))

        report = ps.verify(ps.System("one", [link(0, Forgetful())]))
    assert not report.ok
    assert "rate of S of forgetful pin in slot" in str(report)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_c_programs_give_the_same(systems, theirs, tmp_path):
    """Compile what is exported, and run its test against the interpreter's numbers."""
    quantities = ["forward_dynamics", "mass_matrix", "bias"]
    more = [["potential_energy"], ["potential_energy"], ["constraint_residual"]]
    cases = [(one, quantities + add) for one, add in zip(systems, more, strict=True)]
    cases.append((ps.library.satellite(), ["spin"]))
    for system, names in cases:
        sources = system.export("c", names, path=tmp_path, name="model")
        assert "model_test.c" in sources.files
        command = [
            "cc",
            "-O1",
            "-ffp-contract=off",
            "model.c",
            "model_test.c",
            "-o",
            "check",
            "-lm",
        ]
        subprocess.run(command, cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / "check"], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_python_programs_give_the_same(systems):
    """Run the exported module of each system."""
    rng = np.random.default_rng(2)
    for system in systems[:2]:
        q, v, tau = system.random(rng), rng.normal(size=system.nv), rng.normal(size=system.nv)
        names = {}
        (text,) = system.export("python", "forward_dynamics", name="m").files.values()
        exec(compile(text, "m.py", "exec"), names)
        a = names["forward_dynamics"](q, v, tau)
        assert_allclose(a, system.forward_dynamics(q, v, tau), rtol=1e-10)


@pytest.mark.parametrize("quantity", ["forward_dynamics", "inverse_dynamics", "mass_matrix"])
def test_large_systems_are_rolled(PinInSlot, quantity):
    """Compare sixty bodies rolled, and by what is chosen for them, with floats."""
    system = chain(PinInSlot, 60)
    rng = np.random.default_rng(4)
    q, v, tau = system.random(rng), rng.normal(size=120), rng.normal(size=120)
    given = (q,) if quantity == "mass_matrix" else (q, v, tau)
    plain = getattr(system, quantity)(*given, backend="floats")
    for backend in ("rolled", "auto", "interpreter"):
        found = getattr(system, quantity)(*given, backend=backend)
        assert_allclose(found, plain, rtol=1e-8, atol=1e-8 * np.abs(plain).max())


def test_many_bushings_are_one_loop(Bushing):
    """Compare a row of bodies on bushings of different numbers rolled and interpreted."""
    n = 30
    bodies = [
        ps.Body(f"b{k}", joint=ps.Free(), mass=1.0 + k, inertia=(1, 1.2, 1.1)) for k in range(n)
    ]
    forces = [
        Bushing(
            (f"b{k - 1}" if k else "world", (0.1 * k, 0, 0)), (f"b{k}", (0, 0.1, 0)),
            (100.0 + k, 50.0, 70.0), (k, 2.0, 3.0), (1.0, 2.0, k), (0.1, 0.2, 0.3),
        )
        for k in range(n)
    ]  # fmt: skip
    system = ps.System("row", bodies, forces=forces)
    rng = np.random.default_rng(6)
    q, v, tau = system.random(rng), rng.normal(size=6 * n), rng.normal(size=6 * n)
    found = system.forward_dynamics(q, v, tau, backend="rolled")
    assert_allclose(found, system.forward_dynamics(q, v, tau, backend="interpreter"), rtol=1e-9)
    energy = system.potential_energy(q, backend="rolled")
    assert np.isclose(energy, system.potential_energy(q, backend="interpreter"), rtol=1e-12)


def test_many_constraints_are_rolled(Homokinetic):
    """Compare a line of coupled shafts rolled with floats."""
    n = 40
    bodies = [
        ps.Body(
            f"shaft {k}", joint=ps.Revolute("z"),
            pose=ps.Pose((k, 0, 0), rpy=(0.1 * (k % 5), 0, 0)),
            mass=1.0, com=(0.01 * k, 0, 0), inertia=(0.03, 0.03, 0.02),
        )
        for k in range(n)
    ]  # fmt: skip
    couplings = [Homokinetic(f"coupling {k}", f"shaft {k}", f"shaft {k + 1}") for k in range(n - 1)]
    system = ps.System("line", bodies, constraints=couplings)
    q, v, tau = np.full(n, 0.3), np.ones(n), np.random.default_rng(0).normal(size=n)
    a = system.forward_dynamics(q, v, tau, backend="rolled")
    assert_allclose(a, system.forward_dynamics(q, v, tau, backend="floats"), rtol=1e-10)
    assert_allclose(a, a[0], rtol=1e-10)


def test_copies(systems, theirs):
    """Pickle, replace and ask for help, as of ours."""
    for system in systems:
        assert pickle.loads(pickle.dumps(system)) == system
    joint = theirs.pin_in_slot.PinInSlot("x", "y")
    assert dataclasses.replace(joint, slot="z").slot == (0.0, 0.0, 1.0)
    with pytest.raises(ps.ModelError, match="pin must be perpendicular to slot, got 'x'"):
        dataclasses.replace(joint, pin="x")
    mount = systems[1].forces[0]
    with pytest.raises(ps.ModelError, match="bushing 'mount': stiffness must not be negative"):
        dataclasses.replace(mount, stiffness=(-1, 0, 0))
    text = type(mount).__doc__
    assert "    stiffness: Stiffness along the axes [N/m], not negative.\n" in text


def test_the_disk_cache_leaves_them_alone(systems):
    """Check that no program is kept under a key that does not see the source of a class."""
    assert recipe_key(("model",), ps.library.pendulum().mechanism, Request("bias")) is not None
    for system in systems:
        assert recipe_key(("model",), system.mechanism, Request("bias")) is None


def test_bushings_travel_with_their_frames(Bushing):
    """Attach a system in another orientation: its forces turn with it; take it off again."""
    two = mounted(Bushing)
    guest = ps.System("guest", two.bodies[1:], forces=two.forces[1:])
    turned = ps.Pose((1, 2, 3), rpy=(0.4, -0.8, 1.0))
    deck = ps.Body("deck", joint=ps.Revolute("x"), mass=1e3, inertia=(1e3, 1e3, 1e3))
    whole = ps.System("ship", [deck]).attach(
        guest, to="deck", pose=turned, prefix="g/", joint=ps.Free()
    )
    rng = np.random.default_rng(9)
    q, v = guest.random(rng), rng.normal(size=6)
    alone = guest.bias(q, v) - without_forces(guest).bias(q, v)
    q, v = [0.5, *q], [0.0, *v]
    there = whole.bias(q, v) - without_forces(whole).bias(q, v)
    assert_allclose(there[1:], alone, rtol=1e-9, atol=1e-9)
    part = whole.subsystem("g/")
    assert part.forces[0].name == "foot"
    X = turned.transform() @ guest.forces[0].first[1].transform()
    assert_allclose(part.forces[0].first[1].matrix, X.R, atol=1e-15)
    assert_allclose(part.forces[0].first[1].xyz, X.p, atol=1e-15)


def test_parameters_reach_every_field(Bushing, PinInSlot):
    """Give formulas for numbers, axes and frames; values as inputs are values folded in."""
    a, c, k = ps.symbols("a c k")
    ball = ps.Body("ball", joint=PinInSlot((c, 1, 0)), mass=1.0, inertia=(1, 1, 1))
    frame = "world", ps.Pose((a, 0, 0), rpy=(0, a, 0))
    mount = Bushing(frame, ("ball", (0, k, 0)), (k, 2 * k, 3), (k, 1, 2))
    parameters = {"k": None, "a": None, "c": 0.5}
    system = ps.System("m", [ball], forces=[mount], parameters=parameters)
    values = {"k": 5.0, "a": 0.3}
    numbers = system.with_parameters(**values)
    given = dataclasses.replace(ball, joint=PinInSlot((0.5, 1, 0)))
    frame = "world", ps.Pose((0.3, 0, 0), rpy=(0, 0.3, 0))
    mount = Bushing(frame, ("ball", (0, 5, 0)), (5, 10, 3), (5, 1, 2))
    by_hand = ps.System("m", [given], forces=[mount])
    q, v = [0.1, 0.2], [0.3, 0.4]
    for found in (system.bias(q, v, parameters=values), numbers.bias(q, v)):
        assert_allclose(found, by_hand.bias(q, v), rtol=1e-12)
    with pytest.raises(ps.ModelError, match=r"the slot .* depends on a free parameter"):
        ps.System("m", [ball], parameters={"c": None})
    assert "pin in slot" in str(system)


def test_graphs_use_a_joint_backwards_where_it_says_how(PinInSlot):
    """Be refused without a mirror, and accepted with one."""
    body = ps.Body("plate", mass=1.0, inertia=(1, 1, 1))
    against = ps.Connection("pin", "plate", "world", PinInSlot())
    with pytest.raises(ps.ModelError, match="or give its class a method mirror"):
        ps.System.from_graph("g", [body], [against])
    with restored_registries():

        @declared
        class Slide(PinInSlot):
            kind = "slide of a test"

            def mirror(self):
                return ps.Revolute("-z", name=self.name)

        (made,) = ps.System.from_graph(
            "g", [body], [dataclasses.replace(against, joint=Slide())]
        ).bodies
    assert isinstance(made.joint, ps.Revolute)
    assert made.joint.backwards


def test_ends_follow_from_fields():
    """Check that an element needs no more than its fields to say where it acts."""
    with restored_registries():

        @declared
        class Push(AbstractForce):
            kind = "push of a test"
            at: object = field(EndOnBody(), "Where")

            def wrenches(self, ends, t):
                return (np.array([1.0, 0, 0, 0, 0, 0]),)

        push = Push(("ball", (1, 2, 3)))
        assert push.ends == (("ball", (1.0, 2.0, 3.0)),)
        assert push.with_ends([("other", (0.0, 0.0, 1.0))]).at == ("other", (0.0, 0.0, 1.0))
