"""Laws are traced and compiled once, as long as nothing that they read has changed."""

import time
import types
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import poinsot as ps
from poinsot.evaluate import expression
from poinsot.evaluate.expression import compiled_program
from poinsot.library import chain
from poinsot.simulation.laws import law_identity, load_laws, resets
from poinsot.simulation.laws.equations import equations
from poinsot.simulation.laws.law_identity import law_key
from poinsot.simulation.running import run_in_progress
from poinsot.simulation.running import workspace as workspace_pool
from poinsot.simulation.running.workspace import Workspace

CHAIN = chain(2)
GAIN = 1.0


class Gains:
    """Numbers of which nobody knows when they change."""

    damping = 1.0


@pytest.fixture
def traces(monkeypatch):
    """Return the list of what was traced."""
    made = []
    trace = load_laws.trace_function

    def counted(where, *arguments):
        made.append(where)
        return trace(where, *arguments)

    for module in (load_laws, resets, expression):
        monkeypatch.setattr(module, "trace_function", counted)
    rotation = load_laws._check_rotation
    monkeypatch.setattr(
        load_laws, "_check_rotation", lambda *a: made.append("base") or rotation(*a)
    )
    return made


def states(tau, **options):
    """Return the states of a run under a law."""
    run = ps.simulate(CHAIN, [0.3, 0.2], [0.0, 0.1], 0.2, tau=tau, rtol=1e-6, **options)
    return np.column_stack([run.t, run.q, run.v])


def damper(damping):
    return lambda t, q, v: -damping * v + np.sin(t)


def test_two_runs_trace_and_compile_a_law_once(traces, monkeypatch):
    """The function is made again for the second run, as in a loop of a user; the bits stay."""
    workspaces = []
    make = Workspace.__init__

    def counted(work, *arguments):
        workspaces.append(work)
        make(work, *arguments)

    monkeypatch.setattr(Workspace, "__init__", counted)
    workspace_pool._pool.cache_clear()
    first, compiled = states(damper(0.25)), compiled_program.cache_info().misses
    again = states(damper(0.25))
    assert traces == ["simulate: tau"]
    assert compiled_program.cache_info().misses == compiled
    assert len(workspaces) == 1
    assert_array_equal(again, first)
    other = states(damper(0.5))
    assert len(traces) == 2
    assert (other[-1] != first[-1]).any()


def test_every_kind_of_law_is_traced_once(traces):
    """Forces, wrenches, motion of the base, the functions of events and their resets."""
    level = 0.25

    def run():
        return ps.simulate(
            CHAIN, [0.3, 0.2], [0.0, 0.1], 0.2,
            tau=lambda t, q, v: -level * v,
            wrenches={CHAIN.bodies[1].name: lambda t, q, v: [np.sin(t), 0, 0, 0, 0, level]},
            base=lambda t: (np.eye(3), [level, 0, 0, 0, 0, 0], np.zeros(6)),
            events=[ps.Event("pass", lambda t, q, v: t - 0.4 * level,
                             reset=lambda t, q, v: level * v)],
        )  # fmt: skip

    first = run()
    calls = list(traces)
    again = run()
    assert len(calls) == len(set(calls)) == 5
    assert traces == calls
    assert_array_equal(again.q, first.q)
    assert len(again.events) == len(first.events) > 0


def test_memory_of_driven_runs_is_as_new():
    """Signals, wrenches and parameters leave nothing behind in a workspace that is used again."""
    drive = ps.Signal([0.0, 0.05, 0.3], [0.0, 2.0, -1.0])
    law = {"tau": lambda t, q, v: drive(t) - 0.1 * v}
    law["wrenches"] = {CHAIN.bodies[1].name: ps.Signal([0.0, 1.0], np.ones((2, 6)))}
    for integrator in ("dp8", "stiff"):
        workspace_pool._pool.cache_clear()
        first = states(**law, integrator=integrator)
        pool = workspace_pool._pool
        assert pool.cache_info().currsize == 1
        states(**law, integrator=integrator, save=0.1)
        again = states(**law, integrator=integrator)
        assert pool.cache_info().currsize == 1
        assert_array_equal(again, first)


def test_callbacks_have_memory_of_their_own(monkeypatch):
    """Another run may use another function, and errors of one are not those of the next."""
    made = []
    monkeypatch.setattr(
        run_in_progress, "put_back", lambda work: made.append(work.equations.callbacks)
    )
    workspace_pool._pool.cache_clear()
    for _ in range(2):
        states(ps.Callback(lambda t, q, v: -v))
    assert len(set(made)) == len(made) == 2
    assert all(made)
    assert workspace_pool._pool.cache_info().currsize == 0


def _closure_value():
    damping = 1.0

    def change():
        nonlocal damping
        damping = 2.0

    return lambda t, q, v: -damping * v, change


def _closure_list():
    dampings = [1.0, 1.0]
    return lambda t, q, v: [
        -d * w for d, w in zip(dampings, v, strict=True)
    ], lambda: dampings.__setitem__(slice(None), [2.0, 2.0])


def _closure_array():
    D = np.eye(2)
    return lambda t, q, v: -D @ v, lambda: D.fill(0.0) or np.fill_diagonal(D, 2.0)


def _closure_of_closure():
    numbers = {"joints": {"all": (1.0, [1.0])}}
    inner = partial(lambda gains, v: -gains["joints"]["all"][1][0] * v, numbers)
    return lambda t, q, v: inner(v), lambda: numbers["joints"]["all"][1].__setitem__(0, 2.0)


def _global():
    def change():
        globals()["GAIN"] = 2.0

    return lambda t, q, v: -GAIN * v, change


def _helper():
    return -GAIN


def _global_of_helper():
    return lambda t, q, v: _helper() * v, _global()[1]


def _attribute_of_module():
    module = types.ModuleType("settings")
    module.inner = types.ModuleType("settings.inner")
    module.inner.damping = 1.0
    return lambda t, q, v: -module.inner.damping * v, lambda: setattr(module.inner, "damping", 2.0)


def _default():
    def law(t, q, v, damping=1.0):
        return -damping * v

    return law, lambda: setattr(law, "__defaults__", (2.0,))


def _keyword_default():
    def law(t, q, v, *, damping=1.0):
        return -damping * v

    return law, lambda: law.__kwdefaults__.update(damping=2.0)


def _code():
    def law(t, q, v):
        return -1.0 * v

    def other(t, q, v):
        return -2.0 * v

    return law, lambda: setattr(law, "__code__", other.__code__)


def _attribute_of_object():
    gains = Gains()
    return lambda t, q, v: -gains.damping * v, lambda: setattr(gains, "damping", 2.0)


def _attribute_of_function():
    def law(t, q, v):
        return -law.damping * v

    law.damping = 1.0
    return law, lambda: setattr(law, "damping", 2.0)


def _method():
    class Controller:
        damping = 1.0

        def law(self, t, q, v):
            return -self.damping * v

    controller = Controller()
    return controller.law, lambda: setattr(controller, "damping", 2.0)


def _import():
    def law(t, q, v):
        import tests.simulation.test_law_identity as module

        return -module.Gains.damping * v

    return law, lambda: setattr(_module().Gains, "damping", 2.0)


def _module():
    import tests.simulation.test_law_identity as module

    return module


CHANGES = [
    _closure_value, _closure_list, _closure_array, _closure_of_closure, _global, _global_of_helper,
    _attribute_of_module, _default, _keyword_default, _code, _attribute_of_object,
    _attribute_of_function, _method, _import,
]  # fmt: skip


@pytest.fixture
def restored():
    """Restore what some of the laws change for all."""
    yield
    globals()["GAIN"] = 1.0
    Gains.damping = 1.0
    _module().Gains.damping = 1.0


@pytest.mark.parametrize("make", CHANGES)
def test_a_change_makes_another_law(make, restored):
    """Whatever a law reads may have changed since the last run, in place too."""
    law, change = make()
    before = states(law)
    change()
    assert_array_equal(before, states(lambda t, q, v: -1.0 * v))
    assert_array_equal(states(law), states(lambda t, q, v: -2.0 * v))


def test_what_cannot_be_known_is_traced_every_time(traces):
    gains = Gains()
    for number in range(1, 4):
        states(lambda t, q, v: -gains.damping * v)
        assert len(traces) == number


RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    "law",
    [
        lambda t, q, v: np.random.normal() * v,  # noqa: NPY002
        lambda t, q, v: RANDOM.normal() * v,
        lambda t, q, v: RANDOM.normal.__call__() * v,
        lambda t, q, v: np.load("gains.npy") * v,
        np.loadtxt,
        lambda t, q, v: time.time() * v,
        lambda t, q, v: getattr(Gains, "damping") * v,  # noqa: B009
        np.vectorize(lambda v: v),
        np.ma.array([1.0, 2.0], mask=[True, False]).dot,
        ps.Callback(lambda t, q, v: v),
        print,
    ],
)
def test_these_are_unknown(law):
    assert law_key(law) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1.0, 1),
        (True, 1),
        (0.0, -0.0),
        ([1.0], (1.0,)),
        (np.zeros(2), np.zeros((2, 1))),
        (np.zeros(2), np.zeros(2, np.float32)),
        (np.float64(1.0), np.float32(1.0)),
        (ps.Signal([0, 1], [0, 1]), ps.Signal([0, 1], [0, 2])),
        (np.sin, np.cos),
    ],
)
def test_values_that_python_calls_equal_may_differ(one, other):
    assert law_key(one) is not None
    assert law_key(one) != law_key(other)


def test_what_is_the_same():
    """Values that are equal, of the same type, and functions that share their code."""
    for make in (lambda: (1.0, "a", [np.eye(2)]), lambda: damper(2.0), lambda: partial(damper, 1)):
        assert law_key(make()) == law_key(make()) is not None
    assert law_key(np.full(law_identity.LARGEST, 1.0)) is not None
    assert law_key(np.full(law_identity.LARGEST + 1, 1.0)) is None


def test_what_is_too_large_to_compare_is_traced_every_time():
    """Long lists, lists in lists without end, and functions that call themselves."""
    assert law_key([1.0] * law_identity.LARGEST) is not None
    assert law_key([1.0] * (law_identity.LARGEST + 1)) is None
    nested: list = []
    for _ in range(2000):
        nested = [nested]
    assert law_key(nested) is None
    nested.append(nested)
    assert law_key(nested) is None
    assert law_key(calls_itself) is None


def calls_itself(t, q, v):
    return calls_itself(t, q, v)


def test_signals_of_a_law_that_is_not_traced_again_are_looked_up():
    """They are inputs of its program, found while it is traced."""
    drive = ps.Signal([0.0, 1.0], [1.0, 2.0])
    made = [equations(CHAIN.mechanism, lambda t, q, v: drive(t) * v) for _ in range(2)]
    assert made[0].uses == made[1].uses
    assert made[0].uses[0].writes == drive.port
