"""The objects users hold, and how to make a run of one."""

from poinsot.analysis.base_parameters import BaseParameters
from poinsot.assemble.closing import AssemblyError
from poinsot.front.base_parameters import base_parameters
from poinsot.front.comparison import Report
from poinsot.front.derive import Equations, derive
from poinsot.front.drive import Study, drive
from poinsot.front.equilibrium import Equilibrium, EquilibriumError, equilibrium
from poinsot.front.files import load, save
from poinsot.front.graph_matrices import GraphMatrices
from poinsot.front.impact import Impact, impact
from poinsot.front.load_run import load_run
from poinsot.front.resume import resume
from poinsot.front.run import Run
from poinsot.front.runs import Runs
from poinsot.front.simulate import simulate
from poinsot.front.system import System
from poinsot.front.verify import verify
from poinsot.impacts.contact import Contact
from poinsot.simulation.callback import Callback
from poinsot.simulation.event import Event
from poinsot.simulation.status import SimulationWarning

__all__ = [
    "AssemblyError",
    "BaseParameters",
    "Callback",
    "Contact",
    "Equations",
    "Equilibrium",
    "EquilibriumError",
    "Event",
    "GraphMatrices",
    "Impact",
    "Report",
    "Run",
    "Runs",
    "SimulationWarning",
    "Study",
    "System",
    "base_parameters",
    "derive",
    "drive",
    "equilibrium",
    "impact",
    "load",
    "load_run",
    "resume",
    "save",
    "simulate",
    "verify",
]
