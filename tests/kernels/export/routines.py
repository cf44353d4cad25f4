"""Routines to write out, and what they must give."""

import itertools

import numpy as np

from poinsot.expr import Port, Program
from poinsot.expr.ops import ARITY
from poinsot.expr.passes import drop_unused
from poinsot.kernels.export import Package, Routine
from tests.kernels.machines import (
    HUGE,
    INNER,
    NAN,
    SPECIAL,
    interpret,
    random_inputs,
    random_program,
    same_kind,
)

GRID = (*SPECIAL, *HUGE, 0.5, -2.0, 3.0)


def packed(*routines, name="model"):
    """Return routines as a package whose texts try to end comments."""
    hostile = 'a */ name """ with % ends \\ and\nlines ✓'
    return Package(name, (hostile, "second line"), routines)


def routine(program, states, name="f"):
    """Return a program as a routine."""
    notes = {port.name: ("what it is", ["entry */ [m]"]) for port in program.inputs}
    return Routine(name, program, 'about */ """ \\ it', notes, tuple(states))


def every_operation():
    """Return a routine that shows each operation of its inputs, and all pairs of a grid."""
    steps = tuple((op, tuple(range(ARITY[op]))) for op in INNER)
    results = tuple(range(3, 3 + len(steps)))
    program = Program((Port("z", (3,)),), (Port("y", (len(steps),)),), (), steps, results)
    return routine(program, [np.array(list(itertools.product(GRID, GRID, (NAN, 0.0, 2.0))))])


def random_routine(seed, n_steps=60, n_states=20):
    """Return a routine of a random program."""
    program = drop_unused(random_program(seed, n_steps))
    return routine(program, random_inputs(program, n_states, seed), f"f{seed}")


def assert_right(found, one, rtol=1e-9):
    """Compare results (one array a port) with the interpreter's."""
    for given, z in zip(found, interpret(one.program, *one.states), strict=True):
        y = np.asarray(given, float).reshape(z.shape)
        wrong = ~same_kind(y, z)
        assert not wrong.any(), np.argwhere(wrong)[:5]
        with np.errstate(invalid="ignore"):
            near = np.abs(y - z) <= rtol * np.abs(z) + 1e-300
        assert (near | ~np.isfinite(z)).all(), np.argwhere(~near & np.isfinite(z))[:5]
