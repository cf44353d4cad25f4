"""Driver equations by virtual power, and dyads by their bars, against the sweep of floats."""

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from poinsot.expr import build, symbol_array
from poinsot.formulations.composable.quantities import QUANTITIES, PlanarState, computed
from poinsot.kernels.interpreter import InterpreterKernel
from tests.formulations.test_composable import (
    CLEAR,
    FORMS,
    assembled_as,
    grown,
    mechanism_nearness,
)
from tests.random_examples import examples

INPUTS = ("q", "v", "a", "tau")


@given(st.integers(0, 10**6), st.lists(st.sampled_from(FORMS), min_size=1, max_size=3))
@example(0, ["RRR", "RRR", "RRP"])
@example(3, ["RPR", "RRR", "PRP"])
@settings(max_examples=examples(5), deadline=None)
def test_expressions_give_what_the_sweep_of_floats_gives(seed, forms):
    """Check every quantity of random linkages, under a load on each link."""
    mechanism, q, poses = grown(seed, forms)
    assume(min(mechanism_nearness(mechanism, poses)) > CLEAR)
    mechanism = assembled_as(mechanism, q, poses)
    rng = np.random.default_rng(seed)
    numbers = {"q": q} | {name: rng.normal(size=1) for name in INPUTS[1:]}
    loads = {name: rng.normal(size=3) for name in mechanism.linkage.links}
    symbols = {name: symbol_array(name, 1) for name in INPUTS}
    for quantity, (_, loaded, _) in QUANTITIES.items():
        if quantity == "friction":  # there is none
            continue
        given_loads = loads if loaded else {}
        traced = computed(
            quantity, PlanarState(mechanism.linkage, mechanism.modes, symbols, given_loads)
        ).results
        expected = computed(
            quantity, PlanarState(mechanism.linkage, mechanism.modes, numbers, given_loads)
        ).results
        program = build(symbols, {name: np.asarray(array) for name, array in traced.items()})
        results = [np.empty((1, port.size)) for port in program.outputs]
        InterpreterKernel(program).run([numbers[name][None] for name in INPUTS], results)
        size = 1.0 + max(np.abs(expected[name]).max() for name in traced)
        for result, name in zip(results, traced, strict=True):
            wanted = np.ravel(expected[name])
            assert np.allclose(result[0], wanted, rtol=0, atol=1e-9 * size), (quantity, name)
