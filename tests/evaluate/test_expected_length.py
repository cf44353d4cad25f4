"""The length of a derivative that is known before its trace, against that of its program."""

import pytest

import poinsot as ps
from poinsot.evaluate import derivative
from poinsot.evaluate.derivative import trace_derivative
from poinsot.evaluate.expected_length import MISJUDGED, expected_length, is_too_long
from poinsot.evaluate.request import Derivative, Request
from poinsot.evaluate.trace import trace
from poinsot.expr import TooManyNodesError

DENSE, ALONG, TWICE = (
    Derivative(("q",), (False,)), Derivative(("q",), (True,)), Derivative(("q", "q"), (True, True)),
)  # fmt: skip
QUANTITIES = ("mass_matrix", "forward_dynamics", "bias")
CALLS = [(name, asked) for name in QUANTITIES for asked in (DENSE, ALONG, TWICE)]
CALLS += [(name, Derivative(rate=1)) for name in ("mass_matrix", "bias")]
MAKERS = (lambda: ps.library.chain(7), ps.library.bicycle, ps.library.slider_crank)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("quantity", "asked"), CALLS)
def test_length(quantity, asked, make):
    """Check that it is never much too high, nor so low that it would be of no use."""
    mechanism = make()._mechanism
    program = trace(mechanism, Request(quantity))
    expected = expected_length(mechanism, asked, program)
    length = trace_derivative(mechanism, Request(quantity, derivative=asked)).n_operations
    assert 0.4 * length < expected < MISJUDGED * length


def test_derivatives_of_few_results_go_backwards():
    """Check that nothing is refused that is short."""
    mechanism = ps.library.chain(9)._mechanism
    program = trace(mechanism, Request("potential_energy"))
    assert expected_length(mechanism, DENSE, program) == 0
    sum_of_entries = Derivative(("q",), (False,), weighted=True)
    assert expected_length(mechanism, sum_of_entries, trace(mechanism, Request("bias"))) == 0


def test_what_is_too_long_is_not_begun():
    """Check that a derivative above the limit is refused before it is differentiated."""
    mechanism = ps.library.chain(7)._mechanism
    request = Request("mass_matrix", derivative=DENSE)
    length = trace_derivative(mechanism, request).n_operations
    assert trace_derivative(mechanism, request, length).n_operations == length
    with pytest.raises(TooManyNodesError):
        trace_derivative(mechanism, request, length / 3)


BACKWARDS = [
    (ps.library.four_bar, "constraint_margin", DENSE),
    (lambda: ps.library.n_four_bar(3), "constraint_margin", DENSE),
    (lambda: ps.library.chain(9), "momentum", DENSE),
    (lambda: ps.library.chain(9), "potential_energy", DENSE),
    (lambda: ps.library.chain(9), "bias", Derivative(("q",), (False,), weighted=True)),
    (
        lambda: ps.library.n_four_bar(3),
        "forward_dynamics",
        Derivative(("q",), (False,), weighted=True),
    ),
]


@pytest.mark.parametrize(("make", "quantity", "asked"), BACKWARDS)
def test_length_backwards(make, quantity, asked):
    """Check that derivatives of few results are known to be too long, and only where they are."""
    mechanism = make()._mechanism
    program = trace(mechanism, Request(quantity))
    length = trace_derivative(mechanism, Request(quantity, derivative=asked)).n_operations
    assert not is_too_long(mechanism, asked, program, length)
    assert is_too_long(mechanism, asked, program, 0.2 * length)


def test_what_is_taken_along_directions_instead_is_traced_once(monkeypatch):
    """Ask for a derivative that is too long as a whole, then along a direction."""
    traced, original = [], derivative.trace
    monkeypatch.setattr(
        derivative, "trace", lambda *given: traced.append(given) or original(*given)
    )
    mechanism = ps.library.n_four_bar(3)._mechanism
    with pytest.raises(TooManyNodesError):
        trace_derivative(mechanism, Request("constraint_margin", derivative=DENSE), 1000)
    trace_derivative(mechanism, Request("constraint_margin", derivative=ALONG), 100_000)
    assert len(traced) == 1
