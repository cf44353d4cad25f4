"""C sources: compiled, and compared with the interpreter."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

from poinsot.errors import PoinsotError
from poinsot.expr import Op, Port, Program
from poinsot.expr.passes import drop_unused
from poinsot.kernels.export import c_function
from poinsot.kernels.export.c import to_c
from tests.kernels.export.routines import (
    assert_right,
    every_operation,
    packed,
    random_routine,
    routine,
)
from tests.kernels.machines import SPECIAL, interpret, random_inputs, random_program

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off")


def cc(folder, *arguments):
    done = subprocess.run(["cc", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]


def compiled(package, folder, precision="double", options=STRICT):
    """Return the functions of a package: (inputs) -> outputs, state by state."""
    sources = to_c(package, precision)
    sources.write(folder)
    cc(folder, *options, "-fPIC", "-shared", f"{package.name}.c", "-o", "library.so", "-lm")
    library = ctypes.CDLL(str(folder / "library.so"))
    real = np.float64 if precision == "double" else np.float32
    return [_function(library, package, one, real) for one in package.routines]


def _function(library, package, one, real):
    function = getattr(library, f"{package.name}_{one.name}")

    def run(*inputs):
        inputs = [np.ascontiguousarray(x, dtype=real) for x in inputs]
        n = len(inputs[0])
        outputs = [np.full((n, port.size), 7.0, dtype=real) for port in one.program.outputs]
        for k in range(n):
            function(*[ctypes.c_void_p(x[k].ctypes.data) for x in (*inputs, *outputs)])
        return outputs

    return run


@needs_cc
def test_every_operation_is_the_interpreters(tmp_path):
    """Compare each operation on a grid of special and ordinary numbers."""
    one = every_operation()
    (run,) = compiled(packed(one), tmp_path)
    assert_right(run(*one.states), one, 1e-13)


@needs_cc
def test_random_programs_and_the_test_program(tmp_path):
    """Compare programs of all operations, together in one library, and run the test main."""
    routines = [random_routine(seed) for seed in range(6)]
    package = packed(*routines)
    for one, run in zip(routines, compiled(package, tmp_path), strict=True):
        assert_right(run(*one.states), one)
    cc(tmp_path, *STRICT, "model.c", "model_test.c", "-o", "test", "-lm")
    done = subprocess.run([tmp_path / "test"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("all right\n")


@needs_cc
def test_the_test_program_finds_what_is_wrong(tmp_path):
    """Change one sign in the source and see the test main fail."""
    x = routine(
        Program((Port("z", (2,)),), (Port("y", ()),), (), ((Op.ADD, (0, 1)),), (2,)),
        [np.array([[1.0, 2.0]])],
    )
    files = dict(to_c(packed(x), "double").files)
    files["model.c"] = files["model.c"].replace("z[0] + z[1]", "z[0] - z[1]")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    cc(tmp_path, *STRICT, "model.c", "model_test.c", "-o", "test", "-lm")
    done = subprocess.run([tmp_path / "test"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "f, state 0: largest difference 4.0e+00 of 3.0e+00: WRONG" in done.stdout


@needs_cc
def test_long_programs_are_cut(tmp_path, monkeypatch):
    """Compare programs cut after every few steps."""
    monkeypatch.setattr(c_function, "LONGEST_FUNCTION", 7)
    program = random_program(3, n_steps=80, everything=True)
    one = routine(program, random_inputs(program, 10, 3))
    (run,) = compiled(packed(one), tmp_path)
    assert "keep[" in (tmp_path / "model.c").read_text()
    assert_right(run(*one.states), one)


@needs_cc
def test_single_precision(tmp_path):
    """Compile without any double and compare loosely, special numbers exactly."""
    arithmetic = (Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.SIN, Op.COS, Op.LESS, Op.SELECT, Op.MAX)
    program = drop_unused(random_program(0, 40, arithmetic))
    states = random_inputs(program, 20, 0, SPECIAL[:5], 0.2)
    one = routine(program, states)
    (run,) = compiled(packed(one), tmp_path, "float", (*STRICT, "-Wdouble-promotion"))
    text = (tmp_path / "model.c").read_text()
    assert "double" not in text.replace("double_", "")
    for y, z in zip(run(*states), interpret(program, *states), strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-3, atol=1e-3)


@needs_cc
def test_constants_survive(tmp_path):
    """Store awkward numbers and read them back bit by bit."""
    numbers = (0.1, 1 / 3, -2.5e-308, 5e-324, 1.7976931348623157e308, -np.inf, np.inf, np.nan, 7.0)
    program = Program((Port("z", (1,)),), (Port("y", (9,)),), numbers, (), tuple(range(1, 10)))
    (run,) = compiled(packed(routine(program, [np.zeros((1, 1))])), tmp_path)
    np.testing.assert_array_equal(run(np.zeros((1, 1)))[0][0], numbers)


def test_unknown_precision_is_refused():
    """Ask for half precision."""
    with pytest.raises(PoinsotError, match="'double' or 'float', got 'half'"):
        to_c(packed(random_routine(0)), "half")
