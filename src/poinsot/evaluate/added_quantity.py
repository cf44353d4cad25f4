"""``ps.add_quantity``: quantities of other packages, in the registry."""

from __future__ import annotations

from poinsot.errors import PoinsotError
from poinsot.evaluate.inputs import INPUTS
from poinsot.evaluate.quantity import Algorithm, Export, Function, Quantity
from poinsot.evaluate.registry import QUANTITIES

__all__ = ["add_quantity"]


def add_quantity(
    name: str, compute: Function, inputs: str, *, of_body: bool = False, about: str = ""
) -> None:
    """Add a quantity, which every system then computes as machine code (``System.evaluate``).

    Args:
        name: Its name.
        compute: (mechanism, one array per input) -> array, over any scalar; of a quantity of one
            body (mechanism, number of the body, axes, one array per input) -> array.
        inputs: What it is a function of, separated by blanks, e.g. "q v".
        of_body: Whether it belongs to one body.
        about: What it is, with its unit; then it can be exported to other languages too.

    Raises:
        PoinsotError: If the name is taken, or an input is unknown.

    >>> from poinsot.evaluate.registry import QUANTITIES
    >>> from poinsot.library import pendulum
    >>> add_quantity("speed squared", lambda mechanism, q, v: v @ v, "q v")
    >>> pendulum().evaluate("speed squared", [0.1], [3.0])
    np.float64(9.0)
    >>> del QUANTITIES["speed squared"]
    """
    if name in QUANTITIES:
        raise PoinsotError(f"there is a quantity {name!r} already; choose another name")
    for key in inputs.split():
        if key not in INPUTS or INPUTS[key].size is None:
            choices = ", ".join(key for key, entry in INPUTS.items() if entry.size is not None)
            raise PoinsotError(f"quantity {name!r}: unknown input {key!r}; choose among {choices}")
    QUANTITIES[name] = Quantity(
        name, tuple(inputs.split()), (Algorithm(compute),),
        options=("body", "axes") if of_body else (),
        export=Export("y", about) if about else None, is_method=False,
    )  # fmt: skip
