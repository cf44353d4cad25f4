"""The integrators, each one table or one file; ``integrator`` holds what they have in common."""

from typing import Final

from poinsot.simulation.stepping.integrators.dp5 import DP5
from poinsot.simulation.stepping.integrators.dp8 import DP8
from poinsot.simulation.stepping.integrators.integrator import AbstractIntegrator
from poinsot.simulation.stepping.integrators.rk4 import RK4
from poinsot.simulation.stepping.integrators.rodas5p import RODAS5P
from poinsot.simulation.stepping.integrators.symplectic import SYMPLECTIC, SYMPLECTIC_4

INTEGRATORS: Final[dict[str, AbstractIntegrator]] = {
    integrator.name: integrator for integrator in (DP8, DP5, RODAS5P, RK4, SYMPLECTIC, SYMPLECTIC_4)
}
"""By the names that users give."""

__all__ = ["INTEGRATORS", "AbstractIntegrator"]
