"""The package of docs/extending.md, and systems with its classes."""

import pytest

from tests.extending.package import imported
from tests.extending.systems import chain, coupled, mounted


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """The package, as its users import it."""
    with imported(tmp_path_factory.mktemp("theirs")) as package:
        yield package


@pytest.fixture
def PinInSlot(theirs):
    """Their class."""
    return theirs.pin_in_slot.PinInSlot


@pytest.fixture
def Bushing(theirs):
    """Their class."""
    return theirs.bushing.RubberBushing


@pytest.fixture
def Homokinetic(theirs):
    """Their class."""
    return theirs.homokinetic.Homokinetic


@pytest.fixture
def systems(PinInSlot, Bushing, Homokinetic):
    """One system with each of the classes."""
    return [chain(PinInSlot, 3), mounted(Bushing), coupled(Homokinetic)]
