"""Native methods with times and parameters: the same numbers and the same errors as by Python."""

import inspect

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import poinsot as ps
from poinsot.evaluate.loads import LoadReader
from poinsot.front.evaluation import Evaluation
from poinsot.kernels.llvm import entry

pytestmark = pytest.mark.skipif(not entry.supported(), reason="no native entry here")

TIMES = np.linspace(0.0, 1.0, 9)
SIGNALS = {
    "linear": ps.Signal(TIMES, np.sin(7 * TIMES)),
    "hold": ps.Signal([-1.0, 0.3, 0.8], [2.0, -1.0, 4.0], "hold"),
    "cubic": ps.Signal(TIMES, np.cos(5 * TIMES), "cubic"),
}
FREE = {"stiffness": 3.0, "length": 0.7}


def pendulum(*, free=(), time=False, signal=None):
    """Return two rods with a spring, pushed by a force: of time, of samples, or constant."""
    stiffness, length = ps.symbols("stiffness length")
    rod = {"mass": 1.2, "com": (0, 0, -0.5 * length), "inertia": (0.08, 0.08, 0.002)}
    upper = ps.Body("upper", joint=ps.Revolute("y", stiffness=stiffness), **rod)
    joint, pose = ps.Revolute("x"), ps.Pose((0, 0, -length))
    lower = ps.Body("lower", parent="upper", joint=joint, pose=pose, **rod)
    push = "road + sin(t)" if signal and time else "road" if signal else "sin(t)" if time else 2.0
    samples = {"road": SIGNALS[signal]} if signal else {}
    return ps.System(
        "pushed",
        [upper, lower],
        forces=[ps.FormulaForce("lower", (push, 0, 0))],
        parameters=FREE | samples,
        free=free,
    )


KINDS = {
    "constant": {},
    "free": {"free": ["length", "stiffness"]},
    "timed": {"time": True},
    "timed and free": {"free": ["stiffness"], "time": True},
    "samples": {"signal": "linear"},
    "held samples and free": {"free": ["length"], "signal": "hold"},
    "all": {"free": ["length", "stiffness"], "time": True, "signal": "cubic"},
}
METHODS = {"forward_dynamics": 3, "bias": 2, "mass_matrix": 1}
_systems = {}


def native(kind):
    """Return a system whose methods are machine code, for one state and for many."""
    if kind not in _systems:
        system = _systems[kind] = pendulum(**KINDS[kind])
        for name, n in METHODS.items():
            getattr(system, name)(*np.zeros((n, 2)))
            getattr(system, name)(*np.zeros((n, 3, 2)))
            assert inspect.isbuiltin(getattr(system, name))
    return _systems[kind]


def by_python(system, name):
    """Return the method as it is written."""
    return getattr(type(system), name).__get__(system)


@pytest.fixture
def no_python(monkeypatch):
    """Let any call fail that machine code does not answer."""

    def refuse(*_, **__):
        raise AssertionError("a call of Python")

    def begin():
        monkeypatch.setattr(Evaluation, "evaluate", refuse)
        monkeypatch.setattr(LoadReader, "over_time", refuse)

    return begin


RNG = np.random.default_rng(8)
WIDE = RNG.uniform(0.5, 2.0, (40, 3))
ONCE = {
    "nothing": {},
    "a time": {"t": 0.4},
    "a whole time": {"t": 2},
    "a time of NumPy": {"t": np.float64(-0.4)},
    "a time without axes": {"t": np.array(0.4)},
    "own parameters": {"parameters": {}},
    "a parameter": {"parameters": {"length": 0.9}},
    "a whole parameter": {"parameters": {"length": 2}},
    "both": {"t": 0.4, "parameters": {"stiffness": 4.0, "length": 0.9}},
    "samples": {"t": 0.37, "parameters": {"road": 5.0}},
}
EACH = {
    "times": {"t": TIMES},
    "every third time": {"t": WIDE[:9, 1]},
    "times backwards": {"t": TIMES[::-1]},
    "one time": {"t": TIMES[3:4]},
    "a parameter for each": {"parameters": {"length": 0.5 + TIMES}},
    "columns": {"parameters": {"stiffness": WIDE[:9, 0], "length": WIDE[:9, 2]}, "t": WIDE[:9, 1]},
    "one and each": {"parameters": {"stiffness": np.array([2.0]), "length": 0.5 + TIMES}},
    "samples for each": {"t": TIMES, "parameters": {"road": WIDE[:9, 0]}},
}


def accepted(kind, name, keywords):
    """Return the keywords that a method of a kind of system understands."""
    system = native(kind)
    free = {*KINDS[kind].get("free", ()), *system.signals}
    found = {key: value for key, value in keywords.items() if key != "t" or name != "mass_matrix"}
    if "parameters" in found:
        values = {key: one for key, one in found["parameters"].items() if key in free}
        found = {key: value for key, value in found.items() if key != "parameters"}
        found |= {"parameters": values} if free else {}
    return found


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", [(), (9,), (1,)])
def test_keywords_are_answered_by_machine_code(no_python, kind, name, batch):
    """Give times and parameters once or for each state, and see no call of Python."""
    system = native(kind)
    state = RNG.normal(size=(METHODS[name], *batch, 2))
    cases = [*ONCE.values(), *(EACH.values() if batch == (9,) else ())]
    cases = [accepted(kind, name, case) for case in cases]
    expected = [by_python(system, name)(*state, **case) for case in cases]
    no_python()
    for case, wanted in zip(cases, expected, strict=True):
        np.testing.assert_allclose(getattr(system, name)(*state, **case), wanted, rtol=1e-12)
        out = np.full_like(wanted, np.nan)
        assert getattr(system, name)(*state, **case, out=out) is out
        np.testing.assert_allclose(out, wanted, rtol=1e-12)


def test_joint_forces_may_be_left_out_of_batches(no_python):
    """Leave out tau for many states, and see no call of Python."""
    q, v = RNG.normal(size=(2, 9, 2))
    expected = [by_python(native(kind), "forward_dynamics")(q, v) for kind in KINDS]
    no_python()
    for kind, wanted in zip(KINDS, expected, strict=True):
        found = native(kind).forward_dynamics(q, v)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("kind", SIGNALS)
def test_samples_are_those_of_the_signal(kind):
    """Look at, beside, between and beyond samples: the force is the signal's value, to the bit."""
    body = ps.Body("mass", joint=ps.Prismatic("x"), mass=1.0)
    push = ps.FormulaForce("mass", ("road", 0, 0))
    signal = SIGNALS[kind]
    system = ps.System("pushed", [body], forces=[push], parameters={"road": signal})
    edges = np.concatenate([signal.times, np.nextafter(signal.times, 9), signal.times - 1e-9])
    times = np.concatenate([edges, RNG.uniform(-2.0, 3.0, 60), [-np.inf, np.inf, np.nan]])
    still = np.zeros((times.size, 1))
    system.bias(still, still)
    system.bias(still[0], still[0])
    assert inspect.isbuiltin(system.bias)
    np.testing.assert_array_equal(system.bias(still, still, t=times)[:, 0], -signal.at(times))
    singles = [system.bias(still[0], still[0], t=t)[0] for t in times.tolist()]
    np.testing.assert_array_equal(singles, -signal.at(times))


SHAPES = st.sampled_from([(), (1,), (3,), (2,), (0,), (2, 3), (3, 1), (1, 3)])


def odd(shape, how, seed):
    """Return an array of a shape, in one of many forms."""
    x = np.random.default_rng(seed).integers(1, 9, shape) / 8.0
    forms = {
        "array": lambda: x,
        "list": x.tolist,
        "float32": lambda: x.astype(np.float32),
        "big-endian": lambda: x.astype(">f8"),
        "whole": lambda: (8 * x).astype(np.int64),
        "strided": lambda: np.repeat(x[..., None], 2, axis=-1)[..., 0],
        "read-only": lambda: np.broadcast_to(x, x.shape),
        "subclass": lambda: x.view(np.memmap) if x.ndim else x[()],
        "scalar": lambda: x[()],
        "masked": lambda: np.ma.masked_array(x),
        "complex": lambda: x + 0j,
        "text": lambda: "now",
        "none": lambda: None,
        "bool": lambda: True,
        "huge": lambda: 2**70,
        "large": lambda: 2**63,
        "most": lambda: -(2**63),
        "not a number": lambda: x * np.nan,
    }
    return forms[how]()


PLAIN = ("array", "scalar", "strided", "read-only", "whole")
OTHER = ("list", "float32", "big-endian", "subclass", "masked", "complex", "not a number")
SINGLE = ("text", "none", "bool", "huge", "large", "most")
FORMS = st.sampled_from(3 * PLAIN + OTHER + SINGLE)
ARRAYS = st.tuples(SHAPES, FORMS)


@given(
    st.sampled_from(list(KINDS)),
    st.sampled_from(list(METHODS)),
    st.one_of(SHAPES, st.sampled_from([(), (3,)])),
    st.dictionaries(
        st.sampled_from(["t", "t", "stiffness", "length", "road", "unknown", "out"]), ARRAYS
    ),
)
@example("all", "forward_dynamics", (3,), {"t": ((3,), "array"), "road": ((0,), "array")})
@example("all", "forward_dynamics", (1,), {"t": ((3,), "array")})
@example("all", "forward_dynamics", (0,), {"t": ((1,), "array"), "length": ((), "whole")})
def test_every_call_gives_what_python_gives(kind, name, batch, keywords):
    """Call with arrays of many shapes and types: equal results, or errors of equal words."""
    system = native(kind)
    state = np.random.default_rng(len(keywords)).normal(size=(METHODS[name], *batch, 2))
    made = {key: odd(*form, seed) for seed, (key, form) in enumerate(sorted(keywords.items()))}
    values = {key: made.pop(key) for key in list(made) if key not in ("t", "out")}
    if values:
        made["parameters"] = values
    if "out" in made:
        tail = (2, 2) if name == "mass_matrix" else (2,)
        made["out"] = np.zeros((*keywords["out"][0], *tail))
    answers = []
    for method in (getattr(system, name), by_python(system, name)):
        own = made | ({"out": made["out"].copy()} if "out" in made else {})
        try:
            answers.append(method(*state, **own))
        except Exception as error:
            answers.append((type(error), str(error)))
    ours, theirs = answers
    if isinstance(theirs, tuple):
        assert ours == theirs
    else:
        assert type(ours) is type(theirs)
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def test_results_may_lie_on_parameters_and_times():
    """Write the result over arrays that are read: they are read first."""
    system, n = native("all"), 9
    q, v, tau = RNG.normal(size=(3, n, 2))
    for k in range(4):
        memory = RNG.uniform(0.5, 1.0, 4 * n)
        shared, length = memory[k * n // 2 :][:n], memory[::4]
        expected = system.forward_dynamics(
            q, v, tau, t=shared.copy(), parameters={"length": length.copy()}
        )
        out = memory[: 2 * n].reshape(n, 2)
        found = system.forward_dynamics(q, v, tau, t=shared, parameters={"length": length}, out=out)
        assert found is out
        np.testing.assert_array_equal(found, expected)
