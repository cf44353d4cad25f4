"""The methods of integration, each one data or one file; ``method`` holds what all of them say."""

from collections.abc import Mapping
from typing import Final

from poinsot.simulation.methods.dp5 import DP5
from poinsot.simulation.methods.dp8 import DP8
from poinsot.simulation.methods.method import AbstractMethod
from poinsot.simulation.methods.rk4 import RK4
from poinsot.simulation.methods.rodas5p import RODAS5P
from poinsot.simulation.methods.symplectic import SYMPLECTIC, SYMPLECTIC_4

METHODS: Final[Mapping[str, AbstractMethod]] = {
    method.name: method for method in (DP8, DP5, RODAS5P, RK4, SYMPLECTIC, SYMPLECTIC_4)
}
"""By the names that users give."""

__all__ = ["METHODS", "AbstractMethod"]
