"""Methods of systems as machine code: the same results, the same errors, and no longer life."""

import copy
import gc
import inspect
import pickle
import subprocess
import sys
import textwrap
import threading
import weakref

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ShapeError
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.request import Request
from poinsot.kernels.llvm import entry
from tests.kernels.leaks import leak

pytestmark = pytest.mark.skipif(not entry.supported(), reason="no native entry here")


def pendulum(mass=1.0):
    rod = {"mass": mass, "com": (0, 0, -0.5), "inertia": (0.08, 0.08, 0.002)}
    upper = ps.Body("upper", joint=ps.Revolute("y"), **rod)
    lower = ps.Body(
        "lower", parent="upper", joint=ps.Revolute("y"), pose=ps.Pose((0, 0, -1.0)), **rod
    )
    return ps.System("double pendulum", [upper, lower])


Q, V = (
    np.array([[0.3, 0.1], [-0.4, 2.0], [1.0, -0.5]]),
    np.array([[1.0, -2.0], [0.5, 3.0], [0, 1.0]]),
)
REFERENCE = pendulum().bias(Q, V, backend="interpreter")


def is_native(method):
    return inspect.isbuiltin(method)


@pytest.fixture(scope="module")
def system():
    system = pendulum()
    system.bias(Q, V)
    system.bias(Q[0], V[0])
    assert is_native(system.bias)
    return system


class Sub(np.ndarray):
    """An array of another type."""


SAME_CALLS = {
    "plain": lambda bias: bias(Q, V),
    "keywords": lambda bias: bias(v=V, q=Q),
    "one keyword": lambda bias: bias(Q, v=V),
    "backend": lambda bias: bias(Q, V, backend="llvm"),
    "lists": lambda bias: bias(Q.tolist(), V.tolist()),
    "big-endian": lambda bias: bias(Q.astype(">f8"), V.astype(">f8")),
    "long double": lambda bias: bias(Q.astype(np.longdouble), V),
    "strided": lambda bias: bias(np.repeat(Q, 3, axis=1)[:, ::3], np.repeat(V, 2, axis=0)[::2]),
    "Fortran": lambda bias: bias(np.asfortranarray(Q), np.asfortranarray(V)),
    "backwards": lambda bias: bias(Q[::-1], V[::-1])[::-1],
    "subclass": lambda bias: bias(Q.view(Sub), V),
    "out": lambda bias: bias(Q, V, out=np.empty((3, 2))),
    "singles": lambda bias: np.stack([bias(q, v) for q, v in zip(Q, V, strict=True)]),
    "single lists": lambda bias: np.stack([bias(list(q), v) for q, v in zip(Q, V, strict=True)]),
    "3-d": lambda bias: bias(Q.reshape(3, 1, 2), V.reshape(3, 1, 2))[:, 0],
    "broadcast": lambda bias: bias(Q[:, None], V[None])[range(3), range(3)],
    "one v": lambda bias: np.stack([bias(Q, v)[k] for k, v in enumerate(V)]),
    "misaligned": lambda bias: bias(_misaligned(Q), V),
}


def _misaligned(x):
    raw = np.zeros(x.nbytes + 1, np.uint8)[1:].view(float).reshape(x.shape)
    raw[...] = x
    return raw


@pytest.mark.parametrize("name", SAME_CALLS)
def test_every_way_to_call_a_method_gives_the_same(system, name):
    """Call a system's native method in many ways."""
    np.testing.assert_allclose(SAME_CALLS[name](system.bias), REFERENCE, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint64, bool])
def test_numbers_of_other_types_are_converted_first(system, dtype):
    """Give small whole numbers in other types."""
    q, v = np.array([[1, 0], [0, 1]]), np.array([[1, 1], [0, 1]])
    expected = system.bias(q.astype(float), v.astype(float))
    np.testing.assert_array_equal(system.bias(q.astype(dtype), v.astype(dtype)), expected)
    np.testing.assert_array_equal(system.bias(q.astype(float), v.astype(dtype)), expected)


def test_results_of_subclasses_are_plain_arrays(system):
    """Give arrays of another type and get an ordinary one."""
    assert type(system.bias(Q.view(Sub), V.view(Sub))) is np.ndarray


def test_wrong_calls_say_what_is_wrong(system):
    """Make every kind of mistake through the native method."""
    q, v = Q[0], V[0]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'v'"):
        system.bias(q)
    with pytest.raises(TypeError, match="takes 3 positional arguments but 4 were given"):
        system.bias(q, v, v)
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        system.bias(q, v, speed=1)
    with pytest.raises(TypeError, match="multiple values for argument 'q'"):
        system.bias(q, v, q=q)
    with pytest.raises(ShapeError, match=r"bias: q must have shape \(\.\.\., 2\), got \(3,\)"):
        system.bias(np.zeros(3), v)
    with pytest.raises(ShapeError, match=r"bias: v must have shape \(\.\.\., 2\), got \(1, 3\)"):
        system.bias(q, np.zeros((1, 3)))
    with pytest.raises(ShapeError, match=r"got \(\)"):
        system.bias(np.array(1.0), v)
    with pytest.raises(ShapeError, match="do not broadcast"):
        system.bias(Q, V[:2])


def test_native_methods_look_like_the_methods_they_replace(system):
    """Compare name, documentation and signature."""
    method = ps.System.bias
    assert system.bias.__name__ == method.__name__
    assert system.bias.__doc__ == inspect.getdoc(method)
    names = list(inspect.signature(method).parameters)
    assert ["self", *inspect.signature(system.bias).parameters] == names
    assert inspect.signature(system.bias).parameters["method"].default == "recursive"


def test_copies_and_pickles_are_equal_systems(system):
    """Copy and pickle a system whose methods are native."""
    assert copy.copy(system) is system
    assert copy.deepcopy(system) is system
    twin = pickle.loads(pickle.dumps(system))
    assert twin == system
    assert hash(twin) == hash(system)
    assert not is_native(twin.bias)
    np.testing.assert_array_equal(twin.bias(Q, V), system.bias(Q, V))


def test_equal_systems_give_equal_bits(system):
    """Make the system once more; it has code of its own."""
    twin = pendulum()
    assert twin == system
    np.testing.assert_array_equal(twin.bias(Q, V), system.bias(Q, V))
    np.testing.assert_array_equal(twin.bias(Q[0], V[0]), system.bias(Q[0], V[0]))
    assert twin.bias is not system.bias
    heavy = pendulum(mass=2.0)
    assert heavy != system
    assert not np.array_equal(heavy.bias(Q, V), system.bias(Q, V))


def test_systems_go_away():
    """Drop a system that holds native methods, which hold it."""
    system = pendulum()
    system.bias(Q, V)
    system.mass_matrix(Q[0])
    gone = weakref.ref(system)
    del system
    gc.collect()
    assert gone() is None


def test_methods_outlive_their_system():
    """Keep a native method alone and call it, also in ways that need Python."""
    system = pendulum()
    system.bias(Q, V)
    bias = system.bias
    assert is_native(bias)
    del system
    gc.collect()
    np.testing.assert_allclose(bias(Q, V), REFERENCE, rtol=1e-13)
    np.testing.assert_allclose(bias(q=Q.tolist(), v=V), REFERENCE, rtol=1e-13)
    with pytest.raises(ShapeError):
        bias(Q[:, :1], V)


def test_methods_kept_in_other_cycles_go_away_too():
    """Free, in one sweep, systems and objects that hold their methods and themselves."""

    class Holder:
        pass

    for _ in range(5):
        first, last = Holder(), Holder()
        system = pendulum()
        system.gravity_force(Q)
        first.me, first.call = first, system.gravity_force
        last.me, last.call, last.other = last, system.gravity_force, first
        gone = weakref.ref(last)
        del first, last, system
        gc.collect()
        assert gone() is None


def test_threads_share_a_system():
    """Make the first call in many threads at once, and call on."""
    system = pendulum()
    start = threading.Barrier(8)
    results = [[] for _ in range(8)]

    def work(mine):
        start.wait()
        for _ in range(200):
            mine.append(system.bias(Q, V))
            mine.append(np.stack([system.bias(q, v) for q, v in zip(Q, V, strict=True)]))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for mine in results:
        assert len(mine) == 400
        np.testing.assert_allclose(mine, np.tile(REFERENCE, (400, 1, 1)), rtol=1e-13)


def test_handed_on_calls_and_errors_leak_nothing():
    """Count references and memory over calls that Python answers or refuses."""
    system = pendulum()
    q, v, wrong = np.zeros(2), np.ones(2), np.zeros(3)
    system.bias(q, v)
    before = [sys.getrefcount(a) for a in (q, v, wrong, system)]
    for call, error in (
        (lambda: system.bias(q, wrong), ShapeError),
        (lambda: system.bias(q), TypeError),
        (lambda: system.bias(q, v, nonsense=1), TypeError),
        (lambda: system.bias(q, v=v), ()),
        (lambda: system.bias([0.0, 0.0], v), ()),
    ):
        grown, objects = leak(call, 1_000, error)
        assert grown < 10_000
        assert objects < 100
    assert [sys.getrefcount(a) for a in (q, v, wrong, system)] == before


FIRST_CALLS = """
    import sys, threading
    import numpy as np
    import poinsot as ps

    sys.setswitchinterval(1e-6)
    body = lambda k: ps.Body("a", joint=ps.Revolute("y"), mass=1.0 + k, com=(0, 0, -1.0))
    systems = [ps.System(f"s{k}", [body(k)]) for k in range(8)]
    start = threading.Barrier(8)
    q = np.array([0.3])
    masses = [None] * 8

    def work(k):
        start.wait()
        masses[k] = [systems[k].mass_matrix(q) for _ in range(50)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    for k, mine in enumerate(masses):
        np.testing.assert_allclose(mine, np.full((50, 1, 1), 1.0 + k), rtol=1e-14)
    print("done")
"""


def test_first_calls_in_a_process_may_come_from_many_threads():
    """Start a process whose threads all make the entry's code at the same time."""
    for _ in range(2):
        command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(FIRST_CALLS)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert (result.returncode, result.stdout.strip()) == (0, "done"), result.stderr


def test_native_methods_can_be_pickled(system):
    """Pools of processes send methods, before and after they became machine code."""
    again = pickle.loads(pickle.dumps(system.bias))
    np.testing.assert_array_equal(again(Q, V), system.bias(Q, V))
    assert pickle.loads(pickle.dumps(pendulum().bias)).__self__ == system


def test_joint_forces_may_be_left_out():
    """Call with and without tau: the same function, the same numbers, for one state and many."""
    system = ps.library.chain(4)
    rng = np.random.default_rng(5)
    q, v = rng.normal(size=(2, 6, 4))
    zeros = np.zeros(4)
    expected = system.forward_dynamics(q, v, np.zeros((6, 4)), backend="interpreter")
    system.forward_dynamics(q[0], v[0], zeros)  # from now on it is machine code
    assert type(system.forward_dynamics).__name__ == "builtin_function_or_method"
    for k in range(6):
        one = system.forward_dynamics(q[k], v[k])
        assert one.tobytes() == system.forward_dynamics(q[k], v[k], zeros).tobytes()
        assert np.allclose(one, expected[k], rtol=1e-12, atol=1e-12)
    assert np.allclose(system.forward_dynamics(q, v), expected, rtol=1e-12, atol=1e-12)
    assert np.array_equal(zeros, np.zeros(4))


def test_only_joint_forces_may_be_left_out():
    """Check that other inputs are asked for by name, before and after the first call."""
    system = ps.library.chain(3)
    q = np.full(3, 0.2)
    for _ in range(2):
        with pytest.raises(TypeError, match="'a'"):
            system.inverse_dynamics(q, q)
        with pytest.raises(TypeError, match="'v'"):
            system.forward_dynamics(q)
        system.inverse_dynamics(q, q, q)
        system.forward_dynamics(q, q, q)


def driven():
    """Return a mass on a spring whose stiffness is free, pushed by a force of time."""
    k = ps.symbols("k")
    body = ps.Body("mass", joint=ps.Prismatic("x", stiffness=k), mass=2.0)
    push = ps.FormulaForce("mass", ("sin(t)", 0, 0))
    return ps.System("driven", [body], forces=[push], parameters={"k": 3.0}, free=["k"])


def test_time_and_parameters_are_native(monkeypatch):
    """Call with every keyword once the method is machine code, without any Python."""
    system, (q, v, tau) = driven(), np.array([[0.5], [0.1], [0.3]])
    system.forward_dynamics(q, v, tau)

    def refuse(*_, **__):
        raise AssertionError("a call of Python")

    monkeypatch.setattr(type(system._evaluation), "evaluate", refuse)
    out = np.zeros(1)
    for t in (0.0, 1.5):
        for k in (3.0, 8.0):
            expected = (tau - k * q + np.sin(t)) / 2.0
            found = system.forward_dynamics(q, v, tau, t=t, parameters={"k": k}, out=out)
            assert found is out
            np.testing.assert_allclose(found, expected, rtol=1e-14)
    np.testing.assert_allclose(system.forward_dynamics(q, v, t=1.5), (-3.0 * q + np.sin(1.5)) / 2)


def test_errors_with_keywords_are_those_of_python():
    """Make mistakes in keywords before and after the method is machine code."""
    mistakes = [
        {"parameters": {"m": 1.0}},
        {"parameters": {"k": "stiff"}},
        {"parameters": 3.0},
        {"t": "now"},
        {"out": np.zeros(2)},
        {"out": [0.0]},
        {"time": 1.0},
    ]
    system, state = driven(), np.zeros((3, 1))
    said = []
    for _ in range(2):
        for mistake in mistakes:
            with pytest.raises((ps.PoinsotError, TypeError)) as error:
                system.forward_dynamics(*state, **mistake)
            said.append(str(error.value))
        system.forward_dynamics(*state)
        assert is_native(system.forward_dynamics)
    assert said[: len(mistakes)] == said[len(mistakes) :]


def test_an_array_for_the_result_costs_no_more_than_a_new_one(system):
    """Count what a call does besides machine code: no Python function runs, with ``out`` or not."""
    called = []
    single, many = np.zeros(2), np.zeros((3, 2))
    sys.setprofile(lambda _, event, what: called.append((event, what)))
    try:
        system.bias(Q[0], V[0], out=single)
        system.bias(Q, V, out=many)
    finally:
        sys.setprofile(None)
    assert not [event for event, _ in called if event == "call"]
    np.testing.assert_allclose(many, REFERENCE, rtol=1e-13, atol=1e-15)


def test_functions_of_quantities_are_machine_code_from_the_second_call_on(monkeypatch):
    """Call for one state, for many and for a batch of one, which compiles no code for batches."""
    evaluator = Evaluator(pendulum().mechanism, Request("bias"))
    function = evaluator.function
    np.testing.assert_allclose(function(Q[:1], V[:1]), REFERENCE[:1], rtol=1e-13)
    assert "batch" not in evaluator.kernel._libraries
    calls = [(Q, V), (Q[0], V[0])]
    expected = [function(*call) for call in calls]

    def refuse(*_):
        raise AssertionError("a call of Python")

    monkeypatch.setattr(Evaluator, "__call__", refuse)
    for call, wanted in zip(calls, expected, strict=True):
        np.testing.assert_allclose(function(*call), wanted, rtol=1e-13)
