"""Quantities of named symbols are worth what the system computes; C is what it should be."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.algebra.computation_listing import listing
from poinsot.algebra.expanded_form import expanded
from poinsot.algebra.traced_quantities import TracedQuantities
from poinsot.expr import as_expr, build, substitute, tangent
from poinsot.expr.ops import LEAVES
from poinsot.expr.same_formula import same
from poinsot.expr.serialization import operands_first
from poinsot.formulations.position_rate import position_rate
from poinsot.front.system import System
from tests.expr.graphs import run
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases, random_case

NAMES = ("mass_matrix", "bias", "inverse_dynamics", "forward_dynamics", "kinetic_energy")


def values(traced, case, entries):
    """Return expressions at the state of a case."""
    symbols = traced.symbols
    inputs = {"q": symbols.q, "v": symbols.v, "a": symbols.a, "tau": symbols.tau}
    program = build(inputs, {"y": entries})
    numbers = (case.q, case.v, case.a, case.tau)
    return run(program, *numbers).reshape(np.shape(entries))


@settings(max_examples=examples(5))
@given(cases(5))
def test_quantities(case):
    """Compare with the system on random trees with every joint."""
    system = System.from_mechanism(case.mechanism)
    traced = TracedQuantities(case.mechanism, "recursive")
    given_ = {"mass_matrix": (case.q,), "inverse_dynamics": (case.q, case.v, case.a)}
    given_["forward_dynamics"] = (case.q, case.v, case.tau)
    for name in NAMES:
        if name == "forward_dynamics" and case.mechanism.nv and not _is_regular(system, case.q):
            continue
        arguments = given_.get(name, (case.q, case.v))
        expected = getattr(system, name)(*arguments, backend="interpreter")
        assert_agree(values(traced, case, traced[name]), expected)


@settings(max_examples=examples(5))
@given(cases(4, passive=False))
def test_coriolis_matrix(case):
    """Check C v + gravity = bias, and that dM/dt - 2 C is skew, with every joint."""
    m = case.mechanism
    traced = TracedQuantities(m, "recursive")
    symbols, C = traced.symbols, traced["coriolis_matrix"]
    whole = C @ symbols.v + traced["gravity_force"]
    assert_agree(values(traced, case, whole), values(traced, case, traced["bias"]))
    rate = position_rate(m, symbols.q, symbols.v)
    dM = values(traced, case, tangent(traced["mass_matrix"], symbols.q, rate))
    skew = dM - 2.0 * values(traced, case, C)
    size = max(np.abs(dM).max(initial=0.0), 1.0)
    assert_allclose(skew + skew.T, np.zeros_like(skew), atol=1e-11 * size)


@pytest.mark.parametrize("method", ["kane", "lagrange", "screw_matrix"])
def test_methods(method):
    """Check that the formulation is the one asked for, and agrees."""
    case = random_case(4, 4)
    one, other = (
        TracedQuantities(case.mechanism, "recursive"),
        TracedQuantities(case.mechanism, method),
    )
    for name in ("mass_matrix", "bias"):
        assert not same(tuple(one[name].ravel()), tuple(other[name].ravel()))
        found = values(other, case, other[name])
        assert_agree(found, values(one, case, one[name]))


@settings(max_examples=examples(5))
@given(cases(4))
def test_listings(case):
    """Put the assignments into each other: what comes out is what went in; names are new."""
    traced = TracedQuantities(case.mechanism, "recursive")
    roots = [*np.ravel(traced["mass_matrix"]), *traced["bias"]]
    listed = listing(roots, traced.symbols.letters)
    known, names = {}, set(traced.symbols.letters)
    for name, expr in listed.assignments:
        assert name not in names
        names.add(name)
        known[name] = substitute(expr, known)
    found = [substitute(as_expr(expr), known) for expr in listed.results]
    expected = values(traced, case, np.array(roots, dtype=object))
    assert_agree(values(traced, case, np.array(found, dtype=object)), expected)
    numbered = [n for n, _ in listed.assignments if n[0] == "x" and n[1:].isdigit()]
    assert numbered == [f"x{k}" for k in range(1, len(numbered) + 1)]


def test_lines_are_short():
    """Check that no line of a compact view of a long chain is long, and that their number is."""
    chain = ps.System("chain", list(_links(12)))
    listed = ps.derive(chain).bias.compact
    sizes = [_operations(expr) for _, expr in listed.assignments]
    assert max(sizes) <= 30
    assert listed.n_operations < 12 * 60


@settings(max_examples=examples(5))
@given(cases(2, kinds=("revolute", "prismatic", "planar", "universal", "cylindrical")))
def test_expanded_forms(case):
    """Multiply out random small trees of numbers: worth the same."""
    traced = TracedQuantities(case.mechanism, "recursive")
    for name in ("mass_matrix", "bias", "kinetic_energy"):
        try:
            short = expanded(traced[name], traced.symbols, name)
        except ps.PoinsotError:
            continue
        with_pi = np.array([substitute(x, {"pi": np.pi}) for x in short.ravel()], dtype=object)
        expected = values(traced, case, traced[name])
        assert_agree(values(traced, case, with_pi.reshape(short.shape)), expected)


def _links(n):
    for k in range(n):
        yield ps.Body(
            f"link {k}",
            f"link {k - 1}" if k else "world",
            ps.Revolute("y"),
            ps.Pose((0, 0, -1) if k else (0, 0, 0)),
            mass=1.0,
            com=(0, 0, -0.5),
        )


def _operations(expr):
    return sum(node.op not in LEAVES for node in operands_first([expr]))


def _is_regular(system, q):
    M = system.mass_matrix(q, backend="interpreter")
    return np.linalg.cond(M) < 1e8
