"""Tracing: the cheapest way, the same program every time; and methods without the native entry."""

import gc
import inspect
import threading
from dataclasses import replace

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate.inputs import input_size
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace, trace_algorithm, trace_best, trace_rolled
from poinsot.expr import Op, Program, Rolled, TooManyNodesError, nodes_at_most, symbol
from poinsot.kernels.llvm import entry
from poinsot.library import n_four_bar as four_bars
from tests.kernels.machines import interpret

OF_TREES = {
    name: one
    for name, one in QUANTITIES.items()
    if (one.rolled and one.algorithms) or name in ("regressor", "energy_regressor")
}
"""Quantities that every mechanism has."""
REQUESTS = {
    name: Request(name, body=1, axes="world") if one.of_body else Request(name)
    for name, one in OF_TREES.items()
}


def chain(n, kind=ps.Revolute):
    """Return a chain of ``n`` bodies whose axes turn from joint to joint."""
    rod = {"mass": 1.5, "com": (0.2, 0.1, 0.3), "inertia": (0.3, 0.2, 0.25)}
    bodies = [
        ps.Body(
            f"b{k}",
            parent=f"b{k - 1}" if k else "world",
            joint=kind("xyz"[k % 3], damping=0.1, stiffness=0.2),
            pose=ps.Pose((0.1, 0.2, 0.3), rpy=(0.3, 0.2, 0.1)),
            **rod,
        )
        for k in range(n)
    ]
    return ps.System(f"chain of {n}", bodies)


SYSTEM = chain(3)


def random_states(system, name, n_states, seed=0):
    rng = np.random.default_rng(seed)
    sizes = [input_size(system.mechanism, key) for key in OF_TREES[name].inputs]
    return [rng.uniform(-1, 1, (n_states, size)) for size in sizes]


@pytest.mark.parametrize("name", OF_TREES)
def test_ports_are_named_and_sized_by_the_quantity(name):
    """Compare the ports of a program with the table of quantities."""
    program = trace(SYSTEM.mechanism, REQUESTS[name])
    assert tuple(port.name for port in program.inputs) == OF_TREES[name].inputs
    sizes = {"q": 3, "v": 3, "a": 3, "tau": 3, "point": 3, "gravity": 3, "lam": 0}
    assert [port.shape for port in program.inputs] == [
        (sizes[key],) for key in OF_TREES[name].inputs
    ]
    assert [port.name for port in program.outputs] == [name]


@pytest.mark.parametrize("name", OF_TREES)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_cheapest_way_is_taken(name, n):
    """Compare with the programs of all ways."""
    mechanism = chain(n).mechanism
    request = REQUESTS[name]
    request = replace(request, body=n - 1) if OF_TREES[name].of_body else request
    ways = [trace_algorithm(mechanism, request, one) for one in OF_TREES[name].algorithms]
    taken = trace(mechanism, request)
    assert taken.n_operations == min(program.n_operations for program in ways)
    assert taken in ways


@pytest.mark.parametrize("name", [name for name in OF_TREES if len(OF_TREES[name].algorithms) > 1])
def test_all_ways_give_the_same_numbers(name):
    """Evaluate every way to compute a quantity."""
    system = chain(4)
    inputs = random_states(system, name, 20)
    ways = [
        trace_algorithm(system.mechanism, REQUESTS[name], one) for one in OF_TREES[name].algorithms
    ]
    first, *others = [interpret(program, *inputs)[0] for program in ways]
    for other in others:
        np.testing.assert_allclose(other, first, rtol=1e-11, atol=1e-11 * np.abs(first).max())


@pytest.mark.parametrize("name", OF_TREES)
def test_tracing_twice_gives_the_same_program(name):
    """Trace again with other expressions alive: earlier programs, symbols, sines and garbage."""
    request = REQUESTS[name]
    first = trace(SYSTEM.mechanism, request)
    alive = [symbol(f"{key}[{k}]") for key in ("q", "v", "a", "tau") for k in range(3)]
    alive += [x.sin() for x in alive] + [x.cos() * 2.5 for x in alive] + [0.5 * x for x in alive]
    alive += [x * y for x in alive for y in alive]
    cycle = [*alive[:3]]
    cycle.append(cycle)
    del cycle
    assert trace(SYSTEM.mechanism, request) == first
    if name in ("inverse_dynamics", "forward_dynamics", "mass_matrix"):
        gc.collect()  # takes a while among the objects of all tests
    del alive
    assert trace(SYSTEM.mechanism, request) == first
    assert trace(chain(3).mechanism, request) == first


def test_tracing_in_threads_gives_the_same_program():
    """Trace the same and other quantities at the same time."""
    expected = {name: trace(SYSTEM.mechanism, REQUESTS[name]) for name in OF_TREES}
    found = []

    def work(names):
        found.extend((name, trace(SYSTEM.mechanism, REQUESTS[name])) for name in names)

    names = list(OF_TREES)
    threads = [threading.Thread(target=work, args=(names[k:] + names[:k],)) for k in (0, 0, 5, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 * len(names)
    assert all(program == expected[name] for name, program in found)


@pytest.mark.parametrize("name", OF_TREES)
def test_each_angle_has_one_sine_and_one_cosine(name):
    """Count trigonometric steps: no sines of sums or differences of joint angles."""
    counts = trace(SYSTEM.mechanism, REQUESTS[name]).counts
    assert counts.get(Op.SIN, 0) <= 3
    assert counts.get(Op.COS, 0) <= 3


# Without the native entry


def test_methods_work_where_the_native_entry_does_not(monkeypatch):
    """Say that this interpreter is not supported and compare results and errors."""
    native, plain = chain(3), chain(3)
    q, v = random_states(native, "bias", 6)
    expected = [native.bias(q, v), native.bias(q[0], v[0]), native.kinetic_energy(q[0], v[0])]
    monkeypatch.setattr(entry, "supported", lambda: False)
    for _ in range(2):
        results = [plain.bias(q, v), plain.bias(q[0], v[0]), plain.kinetic_energy(q[0], v[0])]
        assert not inspect.isbuiltin(plain.bias)
        assert "bias" not in vars(plain)
        for y, z in zip(results, expected, strict=True):
            assert type(y) is type(z)
            np.testing.assert_array_equal(y, z)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'v'"):
        plain.bias(q)


@pytest.mark.skipif(not entry.supported(), reason="no native entry here")
def test_the_native_entry_needs_arrays_that_lie_as_it_expects(monkeypatch):
    """Move a field of the array header and see the check fail."""
    # "dims" too is checked, but is followed: it must stay a pointer.
    for field, wrong in {"type": 16, "data": 8, "ndim": 8, "descr": 8, "flags": 24}.items():
        entry.supported.cache_clear()
        with monkeypatch.context() as patch:
            patch.setitem(entry.ARRAY, field, wrong)
            assert not entry.supported(), field
    for offset in ("ITEMS", "VALUE"):
        entry.supported.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(entry, offset, 8)
            assert not entry.supported(), offset
    entry.supported.cache_clear()
    assert entry.supported()


@pytest.mark.skipif(not entry.supported(), reason="no native entry here")
def test_methods_are_native_from_the_second_call_on():
    """Watch a method turn into machine code, and other methods stay as they are."""
    system = chain(2)
    q = np.zeros(2)
    assert not inspect.isbuiltin(system.bias)
    first = system.bias(q, q)
    assert inspect.isbuiltin(system.bias)
    assert not inspect.isbuiltin(system.mass_matrix)
    np.testing.assert_array_equal(system.bias(q, q), first)
    system.pose("b1", q)
    system.potential_energy(q, "gravity")
    system.mass_matrix(q, backend="interpreter")
    assert not any(inspect.isbuiltin(getattr(system, name)) for name in ("pose", "mass_matrix"))
    assert not inspect.isbuiltin(system.potential_energy)
    system.potential_energy(q)
    assert inspect.isbuiltin(system.potential_energy)
    assert system.potential_energy(q + 1, "gravity") < system.potential_energy(q + 1)


def test_a_trace_that_is_too_long_is_given_up():
    """Closed systems whose straight program is long are rolled; a thread's budget is its own."""
    mechanism = four_bars(12).mechanism
    request = Request("projected_state")
    assert isinstance(trace_best(mechanism, request), Rolled)
    with pytest.raises(TooManyNodesError), nodes_at_most(1000):
        trace(mechanism, request)
    with nodes_at_most(0):
        other = threading.Thread(target=trace, args=(SYSTEM.mechanism, REQUESTS["bias"]))
        other.start()
        other.join()
    assert trace(SYSTEM.mechanism, REQUESTS["bias"]).n_operations > 0


def test_planar_loops_are_straight_as_far_as_they_are_short():
    """Their rolled programs are long by operations on zeros, which straight ones do not have."""
    mechanism, request = four_bars(15).mechanism, Request("forward_dynamics")
    straight = trace_best(mechanism, request)
    assert isinstance(straight, Program)
    assert straight.n_operations < trace_rolled(mechanism, request).n_operations / 3
