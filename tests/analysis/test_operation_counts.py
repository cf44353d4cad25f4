"""Counts of operations: what each stage saves, and how they grow."""

import numpy as np
import pytest

import poinsot as ps


def test_each_stage_takes_less():
    """Order the stages of a robot's inverse dynamics."""
    counts = ps.library.puma560().operations("inverse_dynamics")
    assert counts.written_out > counts.general > counts.folded > counts.final
    assert sum(counts.by_kind.values()) == counts.final
    assert "inertias regrouped" in str(counts)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_chains_cost_as_much_a_body_however_long(name):
    """Fit a line through the operations of chains of many bodies."""
    lengths = np.array([12, 16, 20])
    counts = np.array([ps.library.chain(n).operations(name).final for n in lengths])
    slopes = np.diff(counts) / np.diff(lengths)
    assert slopes[1] <= 1.05 * slopes[0]


def test_counts_are_those_of_the_exported_program():
    """Read the number in the header of the C program."""
    arm = ps.library.double_pendulum()
    counts = arm.operations("mass_matrix")
    assert f"{counts.final} operations" in arm.export("c", "mass_matrix")["double_pendulum.c"]


def test_quantities_of_bodies_loops_and_methods():
    """Ask where there is no general form."""
    arm = ps.library.double_pendulum()
    assert arm.operations("pose:lower").general is None
    assert arm.operations("inverse_dynamics", method="kane").general is None
    assert ps.library.four_bar().operations("inverse_dynamics").final > 0
