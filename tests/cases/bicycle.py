"""The benchmark bicycle: canonical matrices of lean and steer, and eigenvalues over speed."""

import numpy as np

import poinsot as ps
from poinsot.library import bicycle, bicycle_state
from poinsot.library.bicycle import BENCHMARK_BICYCLE
from tests.cases.contract import Within
from tests.cases.numbers import number


def bicycle_linear(case):
    """Return M, C1, K0, K2 and the eigenvalues at each speed [m/s]."""
    model, tolerance, expected = case["model"], case["tolerance"], case["reference"]
    given = {name: number(value) for name, value in model.items() if name in BENCHMARK_BICYCLE}
    system, small = bicycle(**given), {"atol": tolerance["matrix_abs"]}

    def at(speed):
        return ps.linearize(system, *bicycle_state(system, speed)).second_order(["lean", "steer"])

    (M, _, still), (_, C, K) = at(0.0), at(1.0)
    found = {"M": M, "C1": C, "K0": still / given["g"], "K2": K - still}
    eigenvalues = {}
    for speed in expected["eigenvalues_re_im"]:
        M, C, K = at(float(speed))
        A = np.block([[0.0 * M, np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
        poles = sorted(np.linalg.eigvals(A), key=lambda pole: (round(pole.real, 6), pole.imag))
        value = [[pole.real, pole.imag] for pole in poles]
        eigenvalues[speed] = Within(value, atol=tolerance["eig_abs"])
    matrices = {name: Within(value, **small) for name, value in found.items()}
    words = {name: expected[name] for name in ("equation", "state_matrix") if name in expected}
    return {**matrices, **words, "eigenvalues_re_im": eigenvalues}
