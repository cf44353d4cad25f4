"""The verifier finds each way in which a program can be broken."""

from dataclasses import replace

import pytest

from poinsot.errors import ProgramError
from poinsot.expr import Op, Port, build, symbol_array, verify

x = symbol_array("x", 2)


@pytest.fixture
def program():
    return build({"x": x}, {"y": [x[0] * x[1] + 2.0, x[0].sin()]})


def test_well_formed_programs_pass(program):
    """Get the same program back."""
    assert verify(program) is program


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"inputs": (Port("x", (1,)), Port("x", (1,)))}, "distinct names"),
        ({"outputs": (Port("x", (2,)),)}, "distinct names"),
        ({"steps": ((Op.MUL, (0,)),)}, "step 0: MUL with 1 operands"),
        ({"steps": ((Op.SYMBOL, ()),)}, "step 0: SYMBOL"),
        ({"steps": ((Op.CONSTANT, ()),)}, "step 0: CONSTANT"),
        ({"steps": ((Op.SIN, (0,)), (Op.SIN, (4,)))}, "step 1: SIN.* before it is computed"),
        ({"steps": ((Op.SIN, (-1,)),)}, "step 0: SIN.* before it is computed"),
        ({"outputs": (Port("y", (3,)),)}, "number of results"),
        ({"results": (0, 99)}, "does not exist"),
        ({"results": (0, -1)}, "does not exist"),
    ],
)
def test_broken_programs_are_refused(program, changes, message):
    """Break one rule at a time and read the message."""
    with pytest.raises(ProgramError, match=message):
        verify(replace(program, **changes))
