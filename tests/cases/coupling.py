"""Coupling of units."""

from poinsot.formulations.composable.coupling import forward_coupling, inverse_coupling
from poinsot.model.planar.graph import graph_of


def coupling(case):
    """Return nonzeros, global inputs and outputs, if rows and columns are those of the case."""
    given = case["given"]
    graph = given["graph"]
    linkage = graph_of(graph["bodies"], graph["joints"], graph["drivers"])
    found = {}
    for name, make in (("forward", forward_coupling), ("inverse", inverse_coupling)):
        coupled = make(linkage)
        assert list(map(str, coupled.inputs)) == given[name]["U"], list(map(str, coupled.inputs))
        assert list(map(str, coupled.outputs)) == given[name]["Y"], list(map(str, coupled.outputs))
        rows, columns = coupled.L.nonzero()
        found[name] = {
            "nonzeros_row_col_value": [
                [i, j, coupled.L[i, j]] for i, j in zip(rows, columns, strict=True)
            ],
            "global_inputs": list(map(str, coupled.global_inputs)),
            "global_outputs": list(map(str, coupled.global_outputs)),
        }
    return found
