"""Benchmarks of the IFToMM library, by what their description holds."""

from tests.cases.contract import Unsupported
from tests.cases.iftomm_ladder import ladder
from tests.cases.iftomm_pendulum import pendulum
from tests.cases.slidercrank3d import slidercrank3d

BY_KEY = {"point_mass": pendulum, "links": ladder, "conrod": slidercrank3d}


def iftomm(case):
    """Return what the benchmark with this description asks for."""
    for key, adapter in BY_KEY.items():
        if key in case["model"]:
            return adapter(case)
    raise Unsupported(f"iftomm: a model with {', '.join(case['model'])} is not understood")
