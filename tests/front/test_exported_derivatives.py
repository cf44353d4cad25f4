"""Derivatives in other languages: products, time derivatives and loads, by every target."""

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


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_c_passes_its_own_test(tmp_path):
    """Compile products and time derivatives, of open and closed systems, with their tests."""
    for make, asked in ((pushed, TREE), (linkage, CLOSED)):
        system, _ = make()
        wanted = [text for text, _ in asked]
        wanted += ["d/dt inverse_dynamics"] if make is pushed else []
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


@pytest.mark.parametrize("target", ["casadi", "jax", "sympy", "octave"])
def test_other_targets(target):
    """Compare a weighted second derivative along a direction."""
    system = ps.library.double_pendulum()
    text = "weighted inverse_dynamics by q:along q"
    q, v, a, u, w = RNG.normal(size=(5, 2))
    wanted = system.derivative(
        "inverse_dynamics", q, v, a, by=("q", "q"), along=(u, None), weights=w
    )
    if target == "octave":
        (program,) = system.export("octave", text).files.values()
        (found,) = Octave(program)(*(x[:, None] for x in (q, v, a, w, u)))
    elif target == "sympy":
        found = system.to_sympy(text).lambdify()(q, v, a, w, u)
    else:
        pytest.importorskip(target)
        found = getattr(system, f"to_{target}")(text)(q, v, a, w, u)
    tolerance = 1e-4 if target == "jax" else 1e-10  # which computes in single precision
    assert_allclose(np.array(found).ravel(), wanted, atol=tolerance * (1 + np.abs(wanted).max()))


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
        ("weighted inverse_dynamics", "says nothing to differentiate by"),
        ("reactions:tool", "choose among body, joint, world"),
    ],
)
def test_mistakes_are_named(text, message):
    """Check what a wrong request is told."""
    with pytest.raises(ps.PoinsotError, match=message):
        ps.library.double_pendulum().export("c", text)
