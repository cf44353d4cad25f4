"""Values of IR with operators: the instructions that formulas write, and what they compute."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from poinsot.kernels.llvm.ir_value import Value, kind_of
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout, intrinsics
from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.target import Target

CASES = {
    "sum": (lambda a, b: a + 2.0 * b - 1.0, lambda a, b: a + 2.0 * b - 1.0),
    "quotient": (lambda a, b: 1.0 / a - b / a, lambda a, b: 1.0 / a - b / a),
    "power": (lambda a, b: a**1.5 / (b * b).sqrt(), lambda a, b: a**1.5 / abs(b)),
    "smaller": (lambda a, b: a.at_most(b), min),
    "larger": (lambda a, b: a.at_least(b).at_least(0.25), lambda a, b: max(a, b, 0.25)),
    "chosen": (
        lambda a, b: ((a > b) & (b >= 0.0)).choose(a, -1.0),
        lambda a, b: a if a > b >= 0 else -1.0,
    ),
    "size": (lambda a, b: abs(a - b), lambda a, b: abs(a - b)),
    "equal": (lambda a, b: a.equals(b).choose(a, 7.0), lambda a, b: a if a == b else 7.0),
}


@pytest.mark.parametrize("name", CASES)
def test_formulas_compute_what_they_say(name):
    """Compile a formula of two doubles and compare with Python's."""
    formula, expected = CASES[name]
    w = IrWriter(Layout(1), ["run"])
    result = formula(w.value("%a"), w.value("%b"))
    head = "declare double @pow(double, double)\n"
    text = head + w.returning(result, "run", "double %a", "double %b")
    library = load_library(text, ("run",), {}, Target.current())
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(
        library.address("run")
    )
    for a, b in ((0.5, 2.0), (3.0, 1.5), (2.0, 2.0), (4.0, -1.0)):
        assert function(a, b) == pytest.approx(expected(a, b), rel=1e-15)


@pytest.mark.parametrize("name", [name for name in CASES if name != "power"])
@pytest.mark.parametrize("width", [2, 4, 8])
def test_formulas_compute_the_same_in_every_lane(name, width):
    """Compile the same formula of two registers; a sum with a product may be fused."""
    formula, expected = CASES[name]
    layout = Layout(width)
    w = IrWriter(layout, ["run"])
    a, b = (w.load("%numbers", str(start)) for start in (0, width))
    w.store(formula(a, b), "%numbers", str(2 * width))
    text = intrinsics(layout) + "\n" + w.define("run", "ptr %numbers")
    library = load_library(text, ("run",), {}, replace(Target.current(), width=width))
    numbers = np.zeros((3, width))
    numbers[0] = np.resize([0.5, 3.0, 2.0, 4.0], width)
    numbers[1] = np.resize([2.0, 1.5, 2.0, -1.0], width)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.address("run"))(numbers.ctypes.data)
    assert_array_equal(numbers[2], [expected(*pair) for pair in numbers[:2].T])


def test_whole_numbers():
    """Check the instructions of whole numbers."""
    w = IrWriter(Layout(1), ["run"])
    i = w.value("%i", "i64")
    assert (i + 1).kind == "i64"
    assert (2 * i).differs(3).kind == "i1"
    assert i.to_double().kind == "double"
    assert w.lines == [
        "%t1 = add i64 %i, 1",
        "%t2 = mul i64 2, %i",
        "%t3 = icmp ne i64 %t2, 3",
        "%t4 = sitofp i64 %i to double",
    ]


def test_what_is_no_number_is_refused():
    """Compute with an address, and with a value whose type no instruction tells."""
    w = IrWriter(Layout(1), ["run"])
    with pytest.raises(TypeError, match="no number to compute with"):
        _ = w.value("%p", "ptr") + 1
    assert kind_of("something else") == ""


def test_values_are_names():
    """Put a value into text, and look it up by its name."""
    value = Value("%x", "double", lambda _: None)
    assert f"{value}" == "%x"
    assert {value: 1}["%x"] == 1
