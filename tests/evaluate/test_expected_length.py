"""The length of a derivative that is known before its trace, against that of its program."""

import pytest

import poinsot as ps
from poinsot.evaluate.derivative import MISJUDGED, trace_derivative
from poinsot.evaluate.expected_length import expected_length
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
