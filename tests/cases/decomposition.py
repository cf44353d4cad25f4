"""Planar graphs taken apart into units."""

from poinsot.errors import DriverCountError, OverconstrainedError
from poinsot.model.planar.decomposition import decompose
from poinsot.model.planar.graph import graph_of


def decomposition(case):
    """Return the units of each graph, or its error in the case's words."""
    return {
        name: units_of(graph_of(graph["bodies"], graph["joints"], graph["drivers"]))
        for name, graph in case["given"].items()
    }


def units_of(graph):
    """Return the units as the cases write them."""
    try:
        units = decompose(graph)
    except OverconstrainedError as error:
        return {"error": f"over-constrained subset: {list(error.bodies)}"}
    except DriverCountError as error:
        counts = f"{error.equations} does not equal 3*bodies={error.coordinates}"
        return {"error": f"equation count {counts}"}
    return [
        {
            "bodies": list(unit.bodies),
            "kind": unit.kind,
            "class": unit.assur_class,
            "order": unit.order,
            "outer_joints": sorted(pair.name for pair in unit.outer),
            "inner_joints": sorted(pair.name for pair in unit.inner),
            "drivers": list(unit.drivers),
        }
        for unit in units
    ]
