"""Types, quantities and integrators that a test adds, taken away again."""

from collections.abc import Iterator
from contextlib import contextmanager

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.registry import QUANTITIES
from poinsot.model.fields import registry
from poinsot.simulation.stepping.integrators import INTEGRATORS


@contextmanager
def restored_registries() -> Iterator[None]:
    """Forget types of elements, quantities and integrators that are added inside."""
    types = {family: dict(named) for family, named in registry._TYPES.items()}
    quantities, integrators = dict(QUANTITIES), set(INTEGRATORS)
    try:
        yield
    finally:
        for name in set(INTEGRATORS) - integrators:
            del INTEGRATORS[name]
        # types of ours that were imported meanwhile stay: nothing imports them a second time
        for family, named in registry._TYPES.items():
            for name, kind in list(named.items()):
                if kind.__module__.partition(".")[0] != "poinsot":
                    named.pop(name)
            named.update(types.get(family, {}))
        if QUANTITIES.keys() != quantities.keys():
            QUANTITIES.clear()
            QUANTITIES.update(quantities)
            evaluators_of.cache_clear()
