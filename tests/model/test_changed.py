"""A copy of a description with other fields."""

import warnings

import pytest

import poinsot as ps
from poinsot.model.changed import changed


def test_only_the_named_fields_differ():
    """Check against descriptions made anew."""
    joint = ps.Revolute("y", name="elbow", damping=0.2, limits=ps.Limits(velocity=3))
    body = ps.Body("arm", joint=joint, mass=2.0, com=(1, 2, 3))
    other = changed(body, name="left arm", joint=changed(joint, name="left elbow"))
    same = ps.Revolute("y", name="left elbow", damping=0.2, limits=ps.Limits(velocity=3))
    assert other == ps.Body("left arm", joint=same, mass=2.0, com=(1, 2, 3))
    assert hash(other) != hash(body)
    assert body.name == "arm"


def test_warnings_are_not_given_twice():
    """Check that copies are silent."""
    with pytest.warns(ps.ModelWarning):
        body = ps.Body("thing", mass=1.0, inertia=(1, 1, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert changed(body, name="other").inertia == body.inertia


def test_unknown_fields_are_a_mistake_of_ours():
    """Check that a misspelt field is not ignored."""
    with pytest.raises(AssertionError, match="Body has no"):
        changed(ps.Body("arm"), weight=3.0)
