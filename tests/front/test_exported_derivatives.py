"""Derivatives in other languages: products, time derivatives and loads, by every target."""

import ctypes
import inspect
import shutil
import subprocess

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.registry import QUANTITIES
from tests.front.test_every_derivative import carried
from tests.kernels.export.octave_subset import Octave

RNG = np.random.default_rng(8)


def pushed():
    """Return a cart with a ball joint and a hinge on it, pushed over time, with a state."""
    system, state = carried()
    push = ps.JointForce("cart", "k*sin(3*t) - pressure*q")
    further = ps.State("pressure", rate="v.cart - pressure", initial=2.0)
    again = ps.System(
        "carried", system.bodies, forces=[push], states=[further],
        parameters=system.parameters, free=system.free,
    )  # fmt: skip
    return again, state


def linkage():
    """Return a slider-crank, in a state that its loop allows."""
    system = ps.library.slider_crank()
    q = ps.library.slider_crank_configuration(0.7)
    v = system.consistent_velocity(q, [1.0, 0, 0])
    return system, {"q": q, "v": v, "a": RNG.normal(size=3), "tau": RNG.normal(size=3)}


TREE = (
    ("inverse_dynamics by q:along", {"by": "q", "along": "along0"}),
    ("inverse_dynamics by q v:along", {"by": ("q", "v"), "along": (None, "along1")}),
    ("weighted inverse_dynamics by q", {"by": "q", "weights": "weights"}),
    (
        "weighted inverse_dynamics by q:along q",
        {"by": ("q", "q"), "along": ("along0", None), "weights": "weights"},
    ),
    ("forward_dynamics by tau", {"by": "tau"}),
    ("bias by t", {"by": "t"}),
    ("bias by l:along", {"by": "l", "along": "along0"}),
    ("inverse_dynamics by parameters", {"by": "parameters"}),
    ("mass_matrix by q q:along", {"by": ("q", "q"), "along": (None, "along1")}),
    ("state_rates by v", {"by": "v"}),
    ("reactions by a", {"by": "a"}),
)
CLOSED = (
    ("inverse_dynamics by q", {"by": "q"}),
    ("forward_dynamics by v:along", {"by": "v", "along": "along0"}),
    ("constraint_jacobian by q:along", {"by": "q", "along": "along0"}),
    ("constraint_bias by v", {"by": "v"}),
    ("reactions by lam", {"by": "lam"}),
)


def module(system, quantities, **options):
    """Return the functions of the Python module."""
    names = {}
    (text,) = system.export("python", quantities, **options).files.values()
    exec(compile(text, "module.py", "exec"), names)
    return names


def name_of(text):
    """Return the name of the function of a request."""
    if text.startswith("hessian "):
        return f"{text.removeprefix('hessian ').replace(':', '_')}_hessian"
    weighted = text.startswith("weighted ")
    words = text.removeprefix("weighted ").replace(":along", "_along").replace(":", "_").split()
    return "_".join([*words, *(["weighted"] if weighted else [])])


def filled(system, state, text, inputs):
    """Return a number for every entry of every input."""
    sizes = {"t": 1, "lam": len(system.row_names), "weights": system.nv}
    sizes |= {"along0": 1} if "by l:" in text else {}
    numbers = [*system.parameters.values(), *(x.initial for x in system.states.values())]
    known = state | {"parameters": np.array(numbers, float)}
    return {
        name: known[name] if name in known else RNG.normal(size=sizes.get(name, system.nv))
        for name in inputs
    }


def expected(system, text, asked, values):
    """Return what ``derivative`` gives for a request."""
    quantity = text.removeprefix("weighted ").partition(" by ")[0]
    state = [values[name] for name in QUANTITIES[quantity].inputs]
    how = {"by": asked["by"], **({"t": values["t"][0]} if "t" in values else {})}
    if "along" in asked:
        along = asked["along"]
        named = along if isinstance(along, tuple) else (along,)
        found = tuple(None if name is None else values[name] for name in named)
        how["along"] = found if isinstance(along, tuple) else found[0]
    if "weights" in asked:
        how["weights"] = values["weights"]
    return system.derivative(quantity, *state, **how)


@pytest.mark.parametrize(("make", "asked"), [(pushed, TREE), (linkage, CLOSED)])
def test_python_gives_the_numbers_of_derivative(make, asked):
    """Compare products, and derivatives by time, parameters and multipliers."""
    system, state = make()
    functions = module(system, [text for text, _ in asked])
    for text, how in asked:
        function = functions[name_of(text)]
        values = filled(system, state, text, inspect.signature(function).parameters)
        found = function(*values.values())
        wanted = expected(system, text, how, values)
        assert_allclose(found, wanted, atol=1e-10 * (1 + np.abs(wanted).max()), err_msg=text)


def test_time_derivatives():
    """Compare exported time derivatives of a pose and of joint forces with the system's."""
    system = ps.library.puma560()
    functions = module(system, ["d/dt inverse_dynamics", "d2/dt2 inverse_dynamics",
                                "d3/dt3 pose:link 6"])  # fmt: skip
    q, *rates = RNG.normal(size=(5, 6))
    for order in (1, 2):
        name = f"inverse_dynamics_dt{order if order > 1 else ''}"
        found = functions[name](q, *rates[: 2 + order])
        wanted = system.time_derivative("inverse_dynamics", q, *rates[: 2 + order], order=order)
        assert_allclose(found, wanted, rtol=1e-9)
    found = functions["pose_link_6_dt3"](q, *rates[:3])
    wanted = system.time_derivative("pose", q, *rates[:3], order=3, body="link 6")
    assert_allclose(found, wanted, atol=1e-9)


def test_wrenches_and_base():
    """Differentiate by loads that are inputs."""
    system = ps.library.double_pendulum()
    functions = module(system, ["inverse_dynamics by wrenches", "inverse_dynamics by base"],
                       wrenches=["lower"], base=True)  # fmt: skip
    q, v, a = RNG.normal(size=(3, 2))
    base = ps.BaseMotion(velocity=RNG.normal(size=6), acceleration=RNG.normal(size=6))
    how = {"wrenches": {"lower": RNG.normal(size=6)}, "base": base}
    numbers = base.numbers(system.gravity)
    for by in ("wrenches", "base"):
        found = functions[f"inverse_dynamics_by_{by}"](q, v, a, numbers, how["wrenches"]["lower"])
        wanted = system.derivative("inverse_dynamics", q, v, a, by=by, **how)
        assert_allclose(found, wanted, atol=1e-11)


HESSIANS = (
    ("hessian potential_energy", {}),
    ("hessian kinetic_energy", {}),
    ("hessian inverse_dynamics", {}),
    ("hessian pose:ball", {"body": "ball"}),
)


@pytest.mark.parametrize("make", [pushed, linkage])
def test_hessians_are_those_of_the_system(make):
    """Compare symmetric second derivatives, which those by q twice are not with a ball joint."""
    system, state = make()
    asked = [(text, how) for text, how in HESSIANS if make is pushed or not how]
    functions = module(system, [text for text, _ in asked])
    for text, how in asked:
        name = text.removeprefix("hessian ").partition(":")[0]
        function = functions[name_of(text)]
        values = filled(system, state, text, inspect.signature(function).parameters)
        wanted = system.hessian(name, *(values[key] for key in QUANTITIES[name].inputs),
                                t=values.get("t", [0.0])[0], **how)  # fmt: skip
        found = np.reshape(function(*values.values()), wanted.shape)
        assert_allclose(found, wanted, atol=1e-10 * (1 + np.abs(wanted).max()), err_msg=text)
        assert np.array_equal(found, np.swapaxes(found, -1, -2))


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_hessian_in_c(tmp_path):
    """Call the compiled hessian of a heavy body in a ball joint, whose derivatives do not commute.

    The oracle: second central differences of the energy along ``integrate``.
    """
    system, state = carried()
    system = ps.System("ball", system.bodies, parameters=system.parameters)
    system.export("c", ["hessian potential_energy"], path=tmp_path, name="curved")
    build = [
        "cc",
        "-O1",
        "-Wall",
        "-Werror",
        "-shared",
        "-fPIC",
        "curved.c",
        "-lm",
        "-o",
        "curved.so",
    ]
    subprocess.run(build, cwd=tmp_path, check=True)
    q, n = state["q"], system.nv

    def energy(move):
        return float(system.potential_energy(system.integrate(q, move)))

    units = 1e-4 * np.eye(n)
    wanted = np.array([
        [energy(x + y) - energy(x - y) - energy(y - x) + energy(-x - y) for y in units]
        for x in units
    ]) / 4e-8  # fmt: skip
    found = np.zeros((n, n))
    function = ctypes.CDLL(tmp_path / "curved.so").curved_potential_energy_hessian
    function.argtypes = [np.ctypeslib.ndpointer(float)] * 2
    function(np.ascontiguousarray(q, float), found)
    assert_allclose(found, wanted, atol=1e-6 * (1 + np.abs(wanted).max()))
    assert_allclose(found, system.hessian("potential_energy", q), atol=1e-12)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_c_passes_its_own_test(tmp_path):
    """Compile products and time derivatives, of open and closed systems, with their tests."""
    for make, asked in ((pushed, TREE), (linkage, CLOSED)):
        system, _ = make()
        wanted = [text for text, _ in asked]
        wanted += ["d/dt inverse_dynamics", "hessian bias"] if make is pushed else []
        system.export("c", wanted, path=tmp_path, name="slopes")
        build = ["cc", "-O1", "-Wall", "-Werror", "slopes.c", "slopes_test.c", "-lm", "-o", "check"]
        done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:2000]
        assert subprocess.run([tmp_path / "check"]).returncode == 0


def test_reactions():
    """Compare the wrenches in joints and loops, in world axes."""
    system, state = linkage()
    state["lam"] = RNG.normal(size=len(system.row_names))
    given = [state[name] for name in ("q", "v", "a", "lam")]
    function = module(system, "reactions:world")["reactions_world"]
    wanted = system.evaluate("reactions", *given, axes="world")
    assert_allclose(function(*given), wanted, atol=1e-12)


ON_HOST = """\
#define __device__
#define __global__
struct Place { long x; };
static Place blockIdx, blockDim, threadIdx;
#include "double_pendulum.cuh"
extern "C" void run(long n, const double **x, double *tensor, double *rate)
{
    blockDim.x = n, blockIdx.x = 0;
    for (threadIdx.x = 0; threadIdx.x < n; threadIdx.x++) {
        double_pendulum_inverse_dynamics_by_q_q_batch(n, x[0], x[1], x[2], x[3], tensor);
        double_pendulum_inverse_dynamics_dt_batch(
            n, x[0], x[1], x[2], x[3], x[4], x[5], rate);
    }
}
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
def test_cuda_kernels_of_derivatives(tmp_path):
    """Run second and time derivatives of many states, CUDA's words defined away."""
    system, n = ps.library.double_pendulum(), 5
    texts = ["inverse_dynamics by q q", "d/dt inverse_dynamics"]
    system.export("cuda", texts, base=True).write(tmp_path)
    (tmp_path / "host.cpp").write_text(ON_HOST)
    command = ["c++", "-std=c++11", "-O1", "-fPIC", "-shared", "host.cpp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
    rng = np.random.default_rng(6)
    q, v, a, jerk = rng.normal(size=(4, n, 2))
    velocity, acceleration, further = rng.normal(size=(3, n, 6))
    base = ps.BaseMotion(velocity=velocity, acceleration=acceleration)
    given = [
        np.ascontiguousarray(x) for x in (q, v, a, base.numbers(system.gravity), jerk, further)
    ]
    pointers = (ctypes.c_void_p * len(given))(*(x.ctypes.data for x in given))
    tensor, rate = np.empty((n, 2, 2, 2)), np.empty((n, 2))
    library = ctypes.CDLL(str(tmp_path / "a.out"))
    library.run(
        ctypes.c_long(n), pointers, *(ctypes.c_void_p(x.ctypes.data) for x in (tensor, rate))
    )
    wanted = system.derivative("inverse_dynamics", q, v, a, by=("q", "q"), base=base)
    assert_allclose(tensor, wanted, atol=1e-10)
    wanted = system.time_derivative(
        "inverse_dynamics", q, v, a, jerk, base=base, base_rates=[further]
    )
    assert_allclose(rate, wanted, atol=1e-10)


Q, V, A, ALONG, WEIGHTS = RNG.normal(size=(5, 2))
WEIGHTED = {"by": ("q", "q"), "along": (ALONG, None), "weights": WEIGHTS}


@pytest.mark.parametrize("target", ["casadi", "jax", "sympy", "octave"])
@pytest.mark.parametrize(
    ("text", "wanted", "inputs"),
    [
        (
            "weighted inverse_dynamics by q:along q",
            lambda system: system.derivative("inverse_dynamics", Q, V, A, **WEIGHTED),
            (Q, V, A, WEIGHTS, ALONG),
        ),
        ("hessian potential_energy", lambda system: system.hessian("potential_energy", Q), (Q,)),
    ],
    ids=["weighted", "hessian"],
)
def test_other_targets(target, text, wanted, inputs):
    """Compare a weighted second derivative along a direction, and a hessian."""
    system = ps.library.double_pendulum()
    if target == "octave":
        (program,) = system.export("octave", text).files.values()
        (found,) = Octave(program)(*(x[:, None] for x in inputs))
    elif target == "sympy":
        found = system.to_sympy(text).lambdify()(*inputs)
    else:
        pytest.importorskip(target)
        found = getattr(system, f"to_{target}")(text)(*inputs)
    tolerance = 1e-4 if target == "jax" else 1e-10  # which computes in single precision
    numbers = wanted(system)
    limit = tolerance * (1 + np.abs(numbers).max())
    assert_allclose(np.reshape(np.array(found), numbers.shape), numbers, atol=limit)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inverse_dynamics by w", "by 'w'; known are 'q', 'v'"),
        ("inverse_dynamics by wrenches", r"name the bodies on which they act, wrenches=\[...\]"),
        ("inverse_dynamics by base", "make its motion an input, base=True"),
        ("inverse_dynamics by t", "nothing in it depends on the time"),
        ("d2/dt3 pose:lower", "has two orders; write e.g. 'd/dt pose:lower'"),
        ("d/dt forward_dynamics", "must be one of q, of q and v, or of q, v and a"),
        ("d/dt pose", "belongs to a body"),
        ("hessian centre_of_gravity", "no quantity 'centre_of_gravity'"),
        ("hessian inverse_dynamics by q", "no quantity 'inverse_dynamics by q'"),
        ("weighted inverse_dynamics", "says nothing to differentiate by"),
        ("reactions:tool", "choose among body, joint, world"),
    ],
)
def test_mistakes_are_named(text, message):
    """Check what a wrong request is told."""
    with pytest.raises(ps.PoinsotError, match=message):
        ps.library.double_pendulum().export("c", text)
