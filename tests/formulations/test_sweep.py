"""A sweep that is described once: on values and rolled it gives the same."""

import numpy as np
import pytest

from poinsot.errors import ProgramError
from poinsot.expr import RolledBuilder
from poinsot.formulations.body_tree import StraightBodies
from poinsot.formulations.rolled_bodies import RolledBodies, rolled_quantity
from poinsot.formulations.sweep import WHOLE, step
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.library import chain, humanoid


def below(parent, q):
    """Return the sum of coordinates on the path to a body."""
    return parent + sum(q)


def with_child(subtree, parent):
    """Add what a subtree holds to its parent's."""
    return parent + subtree


def squared(reach, twice, total):
    """Return one more term of a sum."""
    return total + reach * twice


def moment(bodies):
    """Return the sum over bodies of (sum of q on the path) x (twice the q of the subtree)."""
    bodies.start("reach", 0.0)
    bodies.start("total", 0.0, WHOLE)
    bodies.outward([step(below, "parent.reach q", "reach")], [step(sum, "q", "subtree")])
    bodies.inward([step(with_child, "subtree parent.subtree", "parent.subtree")])
    bodies.each(step(lambda subtree: 2.0 * subtree, "subtree", "_twice"))
    bodies.outward([step(squared, "reach _twice all.total", "all.total")])
    return bodies.gathered((1,), [(0, bodies.values("total")[WHOLE])])


@pytest.mark.parametrize("system", [chain(5), humanoid()], ids=["chain", "humanoid"])
def test_values_and_items_agree(system):
    """Run one text on numbers, and its items one by one."""
    mechanism = system.mechanism
    q = system.random(np.random.default_rng(3))
    rolled = rolled_quantity(moment, "moment", "q", mechanism)
    y = np.empty((1, 1))
    RolledInterpreterKernel(rolled).run([q[None]], [y])
    np.testing.assert_allclose(y[0], moment(StraightBodies(mechanism, q=q)), rtol=1e-13)


def test_more_bodies_need_no_more_codes():
    """Count the codes of a short and of a long chain."""
    short, long = (rolled_quantity(moment, "moment", "q", chain(n).mechanism) for n in (5, 50))
    assert len(short.codes) == len(long.codes)
    assert len(long.items) > len(short.items)


def three(q):
    """Return three entries."""
    return np.zeros(3) + q[0]


def four(q):
    """Return four entries."""
    return np.zeros(4) + q[0]


def rolled_bodies():
    """Return the bodies of a short chain and the builder for their items."""
    mechanism = chain(2).mechanism
    return RolledBodies(mechanism, RolledBuilder({"q": mechanism.nq}, {}))


def test_what_is_updated_keeps_its_layout():
    """Reject a step that would write more entries than there is room for."""
    bodies = rolled_bodies()
    bodies.outward([step(three, "q", "entries")])
    with pytest.raises(ProgramError, match="'entries' of node 0 changes its layout"):
        bodies.outward([step(four, "q", "entries")])


def test_functions_of_one_name_do_not_share_a_code():
    """Reject two formulas that cannot be told apart by their names."""
    bodies = rolled_bodies()
    bodies.outward([step(lambda q: q[0] + 1.0, "q", "more")])
    with pytest.raises(ProgramError, match="name their functions differently"):
        bodies.outward([step(lambda q: q[0] - 1.0, "q", "less")])
