"""Systems in other languages: each quantity by the exported program and by the system itself."""

import inspect
import shutil
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate.registry import QUANTITIES
from poinsot.kernels.export import Package
from tests.formulations.loaded import machine
from tests.kernels.export.octave_subset import Octave
from tests.kernels.export.test_c import compiled
from tests.strategies import random_case

OF_BODIES = ("pose", "velocity", "acceleration", "jacobian", "jacobian_rate")
SHOWN = [name for name, one in QUANTITIES.items() if one.export is not None]
OF_CLOSURES = tuple(name for name in SHOWN if name.startswith("constraint"))
OTHERS = (*OF_BODIES, *OF_CLOSURES, "multipliers", "reactions", "section_load", "state_rates",
          "state_updates")  # fmt: skip
OF_TREES = tuple(name for name in SHOWN if name not in OTHERS)


def tree():
    """Return a tree with every kind of joint and with springs and dampers."""
    case = random_case(seed=5, n_bodies=4)
    return ps.System.from_mechanism(case.mechanism)


def with_parameters():
    """Return a pendulum on a spring, pushed over time, with free parameters."""
    m, l = ps.symbols("m l")
    bodies = [
        ps.Body("upper", joint=ps.Revolute("y", damping=0.1), mass=m, com=(0, 0, -l)),
        ps.Body(
            "lower", "upper", ps.Prismatic("z"), ps.Pose((0, 0, -1)), mass=2.0, com=(0.1, 0, 0)
        ),
    ]
    push = ps.FormulaForce("lower", ("sin(3*t)", 0, 0))
    return ps.System("pendulum", bodies, forces=[push], parameters={"m": 1.5, "l": None})


def module(system, quantities, **options):
    """Return the functions of the Python module."""
    names = {}
    (text,) = system.export("python", quantities, **options).files.values()
    exec(compile(text, "module.py", "exec"), names)
    return names


def arguments(system, function, rng):
    """Return random arrays for the parameters of an exported function, by name."""
    sizes = {"q": system.nq, "point": 3, "t": 1, "parameters": len(system.free)}
    return {
        name: system.random(rng)
        if name == "q"
        else rng.uniform(0.5, 1.5, sizes.get(name, system.nv))
        for name in inspect.signature(function).parameters
    }


def asked(system, quantity, given):
    """Return what the system says itself."""
    name, *options = quantity.split(":")
    arrays = dict(given)
    keywords = {"backend": "interpreter"}
    if "t" in arrays:
        keywords["t"] = arrays.pop("t")[0]
    if "parameters" in arrays:
        keywords["parameters"] = dict(zip(system.free, arrays.pop("parameters"), strict=True))
    if options[1:]:
        keywords["axes"] = options[1]
    method = getattr(system, name, partial(system.evaluate, name))
    return method(*options[:1], *arrays.values(), **keywords)


def close(x, y):
    np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-9 * (1 + np.max(np.abs(y))))


@pytest.mark.parametrize("make", [tree, with_parameters, ps.library.satellite])
def test_every_quantity_of_trees(make):
    """Compare all of them, of bodies too, through Python."""
    system = make()
    last = system.body_names[-1]
    quantities = [*OF_TREES, *(f"{name}:{last}" for name in OF_BODIES), f"jacobian:{last}:world"]
    functions = module(system, quantities)
    rng = np.random.default_rng(0)
    for quantity in quantities:
        function = functions[quantity.replace(":", "_").replace(" ", "_")]
        given = arguments(system, function, rng)
        close(function(*given.values()), asked(system, quantity, given))


def test_every_quantity_of_closed_systems():
    """Compare those of a four-bar linkage, off its constraints too."""
    system = ps.library.four_bar()
    functions = module(system, [*OF_TREES, *OF_CLOSURES, "multipliers"])
    rng = np.random.default_rng(0)
    for name in (*OF_TREES, *OF_CLOSURES):
        given = arguments(system, functions[name], rng)
        close(functions[name](*given.values()), asked(system, name, given))
    kane = module(system, "inverse_dynamics", method="kane")["inverse_dynamics"]
    given = arguments(system, kane, rng)
    close(kane(*given.values()), asked(system, "inverse_dynamics", given))
    given = arguments(system, functions["multipliers"], rng)
    lam = system.multipliers(*given.values(), backend="interpreter")
    found = functions["multipliers"](*given.values())
    close(found[0], lam.values)
    np.testing.assert_array_equal(found[1] > 0.5, lam.determined)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("make", [tree, ps.library.four_bar, machine])
def test_c_and_octave_agree(make, tmp_path):
    """Run the dynamics in C and in (the subset of) Octave."""
    system = make()
    rng = np.random.default_rng(1)
    q = np.array([system.random(rng) for _ in range(4)])
    v, tau = rng.uniform(-1, 1, (2, 4, system.nv))
    routines = [system._routine(name) for name in ("forward_dynamics", "inverse_dynamics")]
    package = Package("model", (), tuple(routines))
    forward, inverse = compiled(package, tmp_path)
    t = np.array([0.0, 0.3, 0.7, 1.9])
    given = [q, v, tau, t[:, None]] if make is machine else [q, v, tau]  # the throttle moves
    right = system.forward_dynamics(q, v, tau, t=t, backend="interpreter")
    close(forward(*given)[0], right)
    close(inverse(*given)[0], system.inverse_dynamics(q, v, tau, t=t, backend="interpreter"))
    (text,) = system.export("octave", "forward_dynamics").files.values()
    close(Octave(text)(*(x.T for x in given))[0].T, right)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_long_derivatives_are_exported(tmp_path):
    """Compile the derivatives of a humanoid's accelerations: the rolled form counts zeros too."""
    system = ps.library.humanoid()
    rng = np.random.default_rng(3)
    q, v, tau = system.random(rng), *rng.uniform(-1, 1, (2, system.nv))
    routine = system._routine("forward_dynamics_derivatives")
    options = "-std=c99", "-ffp-contract=off"
    (function,) = compiled(Package("model", (), (routine,)), tmp_path, options=options)
    (found,) = function(q[None], v[None], tau[None])
    right = np.array(system.forward_dynamics_derivatives(q, v, tau))
    np.testing.assert_allclose(found.reshape(right.shape), right, atol=1e-9 * abs(right).max())


def test_methods_wrenches_and_moving_bases():
    """Export another formulation, and dynamics with a wrench or the base's motion as an input."""
    system = tree()
    rng = np.random.default_rng(2)
    q, v, a, load = system.random(rng), *rng.uniform(-1, 1, (2, system.nv)), rng.uniform(-1, 1, 6)
    body = system.body_names[0]
    kane = module(system, "inverse_dynamics", method="kane")["inverse_dynamics"]
    close(kane(q, v, a), system.inverse_dynamics(q, v, a))
    loaded = module(system, "inverse_dynamics", wrenches=[body])["inverse_dynamics"]
    right = system.inverse_dynamics(q, v, a, wrenches={body: load}, backend="interpreter")
    close(loaded(q, v, a, load), right)
    moving = ps.BaseMotion(ps.Pose(rpy=(0.1, 0.2, 0.3)), *rng.uniform(-1, 1, (2, 6)))
    carried = module(system, "inverse_dynamics", base=True)["inverse_dynamics"]
    right = system.inverse_dynamics(q, v, a, base=moving, backend="interpreter")
    close(carried(q, v, a, moving.numbers(system.gravity)), right)


def test_sympy_has_the_names_of_parameters():
    """Compare the formula of a pendulum with the textbook's."""
    sympy = pytest.importorskip("sympy")
    m, l, g = ps.symbols("m l g")
    ball = ps.Body("ball", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l))
    pendulum = ps.System("pendulum", [ball], gravity=(0, 0, -g))
    (tau,) = pendulum.to_sympy("inverse_dynamics").expanded()["tau"]
    M, L, G, q, a = sympy.symbols("m l g q0 a0")
    assert sympy.simplify(tau - (M * L**2 * a + M * G * L * sympy.sin(q))) == 0


def test_libraries_take_closed_systems_and_differentiate_them():
    """Compare CasADi's Jacobian of a linkage's accelerations with differences."""
    casadi = pytest.importorskip("casadi")
    system = ps.library.four_bar()
    q = system.assemble([0.8, -0.5, 1.2])
    rng = np.random.default_rng(0)
    v, tau = rng.uniform(-1, 1, (2, 3))
    function = system.to_casadi("forward_dynamics")
    close(np.array(function(q, v, tau)).ravel(), system.forward_dynamics(q, v, tau))
    Q = casadi.SX.sym("q", 3)
    J = casadi.Function("J", [Q], [casadi.jacobian(function(Q, v, tau), Q)])(q)
    h = 1e-6
    numeric = [
        (system.forward_dynamics(q + h * e, v, tau) - system.forward_dynamics(q - h * e, v, tau))
        / (2 * h)
        for e in np.eye(3)
    ]
    np.testing.assert_allclose(np.array(J), np.array(numeric).T, rtol=1e-5, atol=1e-4)


def test_files_are_written_and_named_after_the_system(tmp_path):
    """Write into a folder that is not there yet."""
    sources = ps.library.double_pendulum().export("c", path=tmp_path / "out", name="my robot")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "my_robot.c",
        "my_robot.h",
        "my_robot_test.c",
    ]
    assert (tmp_path / "out" / "my_robot.h").read_text() == sources["my_robot.h"]
    assert "upper [rad], lower [rad]" in sources["my_robot.h"]
    assert "operations" in sources["my_robot.c"]


def test_units_stay_on_the_line_of_their_joint():
    """Look at the comments of a robot with long names."""
    system = ps.load(Path(__file__).parents[1] / "data" / "robots" / "kuka_iiwa.urdf")
    header = system.export("c", "gravity_force")["lbr_iiwa.h"]
    for line in header.splitlines():
        assert line.count("[N") == line.count("[N m]")
        assert len(line) < 100 or line.startswith("void")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "fortran"}, "no language 'fortran'; known are 'c', 'cuda', 'octave'"),
        ({"language": "pyton"}, "did you mean 'python'"),
        ({"language": "matlab"}, "'octave' is for MATLAB too"),
        ({"quantities": "forward_dynamic"}, "did you mean 'forward_dynamics'"),
        ({"quantities": "pose"}, "belongs to a body; write which, e.g. 'pose:lower'"),
        ({"quantities": "pose:loer"}, "loer"),
        ({"quantities": "bias:lower"}, "'bias' belongs to no body"),
        ({"quantities": "multipliers"}, "has no loops or constraints"),
        ({"quantities": ()}, "at least one quantity"),
        ({"quantities": None}, "at least one quantity"),
        ({"language": None}, "no language None"),
        ({"name": 4}, "name must be text, got 4"),
        ({"method": "magic"}, "unknown method 'magic'"),
        ({"method": "kane", "quantities": "momentum"}, "'kane' has no momentum of its own"),
        ({"method": "embedding", "quantities": "forward_dynamics"}, "on numbers only"),
        (
            {"quantities": "mass_matrix", "wrenches": ["lower"]},
            "'mass_matrix' depends on no wrenches",
        ),
        ({"precision": "half"}, "'double' or 'float', got 'half'"),
        ({"quantities": [3]}, "quantities are named by text, e.g. 'forward_dynamics', got 3"),
        ({"wrenches": "lower"}, r"wrenches must be a list of bodies, e.g. \['lower'\]"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_mistakes_are_explained(options, message):
    """Make each mistake that a new user makes."""
    options = {"language": "c", **options}
    with pytest.raises(ps.PoinsotError, match=message):
        ps.library.double_pendulum().export(**options)


def test_accelerations_of_what_has_no_mass_are_refused():
    """Export the dynamics of a joint that moves nothing."""
    system = ps.System("ghost", [ps.Body("ghost", joint=ps.Revolute("z"))])
    with pytest.raises(ps.ModelError, match="'ghost'"):
        system.export("c", "forward_dynamics")
    assert system.export("c", "inverse_dynamics").files


def test_functions_of_one_name_are_refused():
    """Ask for two bodies whose names differ in what identifiers cannot hold."""
    bodies = [
        ps.Body(name, joint=ps.Revolute("z"), mass=1.0, com=(1, 0, 0)) for name in ("a b", "a_b")
    ]
    with pytest.raises(ps.PoinsotError, match="two of the functions would be called 'pose_a_b'"):
        ps.System("two", bodies).export("c", ["pose:a b", "pose:a_b"])


def test_what_is_too_long_is_refused_at_once():
    """Ask for the program of a chain of thousands of bodies."""
    with pytest.raises(ps.PoinsotError, match=r"takes \d+ operations, too many to be written out"):
        ps.library.chain(1000).export("c", "forward_dynamics")
