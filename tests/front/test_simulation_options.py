"""The typed signatures of ``simulate`` know all its keywords."""

import inspect

import poinsot as ps
from poinsot.front.simulation_options import Options


def test_options_are_the_keywords_of_simulate():
    told_apart = {"system", "q", "v", "duration", "tau", "parameters"}
    keywords = set(inspect.signature(ps.simulate).parameters)
    assert set(Options.__annotations__) == keywords - told_apart
