"""What it means to agree, entry by entry."""

import numpy as np
import pytest

from tests.cases.compare import Tolerance, compare, short, tolerance_of
from tests.cases.contract import Missing, Within


def outcome(expected, found, tolerance=None):
    report = compare(expected, found, tolerance or {})
    return "fail" if report.failures else "missing" if report.missing else "pass"


@pytest.mark.parametrize(
    ("expected", "found", "tolerance", "result"),
    [
        ({"a": 1.0}, {"a": 1.0 + 1e-10}, {}, "pass"),
        ({"a": 1.0}, {"a": 1.0 + 2e-9}, {}, "fail"),
        ({"a": [1e6, 0.0]}, {"a": [1e6, 1e-4]}, {}, "pass"),  # by the largest of the entry
        ({"a": 0.0}, {"a": 1e-12}, {}, "pass"),
        ({"a": 100.0}, {"a": 100.0 + 2e-8}, {"abs": 1e-8}, "fail"),
        ({"a": 1.0}, {"a": float("nan")}, {"abs": 1.0}, "fail"),
        ({"a": [1.0, 2.0]}, {"a": [1.0]}, {}, "fail"),
        ({"a": [1, -1]}, {"a": np.array([1, -1])}, {"exact": True}, "pass"),
        ({"a": 1.0}, {"a": 1.0 + 1e-15}, {"exact": True}, "fail"),
        ({"a": [9.581, 100.0]}, {"a": [9.5815, 100.04]}, {"digits": 4}, "pass"),
        ({"a": [9.581, 100.0]}, {"a": [9.5816, 100.04]}, {"digits": 4}, "fail"),
        ({"a": []}, {"a": np.zeros((0, 0))}, {}, "pass"),
        ({"a": "slip"}, {"a": "slip"}, {}, "pass"),
        ({"a": "slip"}, {"a": "stick"}, {}, "fail"),
        ({"a": True}, {"a": np.True_}, {}, "pass"),
        ({"a": True}, {"a": 1}, {}, "fail"),
        ({"a": {"b": 1.0}}, {"a": {"b": 2.0}}, {}, "fail"),
        ({"a": {"b": 1.0}}, {"a": {}}, {}, "missing"),
        ({"a": [{"b": 1.0}, {"b": 2.0}]}, {"a": [{"b": 1.0}, {"b": 2.0}]}, {}, "pass"),
        ([{"b": 1.0}], [{"b": 1.0}, {"b": 2.0}], {}, "fail"),
        ({"a": 1.0}, {"a": Missing()}, {}, "missing"),
        ({"a": 1.0, "note": "how"}, {"a": 1.0}, {}, "pass"),
        ({"published_a": 1.0}, {"published_a": 3.0}, {}, "pass"),
        ({"published_a": 1.0}, {"published_a": 3.0}, {"abs_vs_published": 1.0}, "fail"),
        ({"adams_x": 1.0}, {"adams_x": 3.0}, {"adams_abs": 1.0}, "fail"),
        ({"a": 1.0}, {"a": Within(1.5, atol=0.6)}, {}, "pass"),
        ({"a": 1.0, "trap_a": 2.0}, {"a": 1.0, "b": 2.0}, {}, "pass"),
        ({"a": 1.0, "trap_c": 2.0}, {"a": 1.0, "b": 2.0}, {}, "fail"),
        ({"a": 1.0, "trap_a_old": 1.0}, {"a": 1.0}, {}, "fail"),
    ],
)
def test_outcomes(expected, found, tolerance, result):
    """Check each rule by an example."""
    assert outcome(expected, found, tolerance) == result


def test_names_in_the_tolerance_apply_to_their_entries():
    """Check names of entries, alone and with a word behind."""
    tolerance = {"rtol": 1e-5, "qdd_abs": 1e-3, "q": {"rtol": 1e-2}, "lam": 1e-4}
    assert tolerance_of(("qdd",), tolerance) == Tolerance(0.0, 1e-3)
    assert tolerance_of(("trajectory", "q"), tolerance).rtol == 1e-2
    assert tolerance_of(("lam",), tolerance) == Tolerance(1e-4, 1e-4)
    assert tolerance_of(("other",), tolerance) == Tolerance(1e-5)


def test_worst_is_relative_to_what_is_allowed():
    """Check that the line names the entry nearest to its limit."""
    found = {"large": 1e6 + 2e-4, "small": 1e-10}
    report = compare({"large": 1e6, "small": 0.0}, found, {"atol": 1e-9, "rtol": 1e-9})
    assert short(report.worst.error) == "2e-4"


@pytest.mark.parametrize(
    ("number", "text"), [(0.0, "0"), (1e-9, "1e-9"), (1.26e-10, "1.3e-10"), (20.0, "2e1")]
)
def test_short(number, text):
    """Check numbers as the lines show them."""
    assert short(number) == text
