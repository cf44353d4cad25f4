"""Dense derivatives that are too long for one program: along unit vectors, in a batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.call_arrays import result_in
from poinsot.evaluate.derivative import PER_COORDINATE
from poinsot.evaluate.request import Request
from poinsot.expr import TooManyNodesError
from poinsot.front.derivative_arguments import spread
from poinsot.spatial import Array

__all__ = ["along_unit_vectors"]


def along_unit_vectors(
    request: Request, arguments: Sequence[ArrayLike], further: list[Array], *,
    sizes: Sequence[int | None], shape: tuple[int, ...], evaluate: Callable[..., Array],
    options: dict[str, Any],
) -> Array:  # fmt: skip
    """Return a derivative by a batch of those along directions.

    Of quantities with few results the product with weights comes last: derivatives without have
    rolled forms.

    Args:
        request: The quantity with its derivative.
        arguments: Of the quantity, loads among them.
        further: Weights, directions and the axes of the base, as far as the derivative has them.
        sizes: For each argument of the derivative its entries; None: it is a number without axis.
        shape: Of the quantity.
        evaluate: (request, arguments, options...) -> array.
        options: ``out``, values of parameters and states, ``backend``.

    Raises:
        TooManyNodesError: If the derivative is one along directions already, or even these are
            too long.
    """
    asked = request.derivative
    weighs = bool(asked and asked.weighted and request.quantity in PER_COORDINATE)
    if asked is None or asked.rate or (all(asked.along) and not weighs):
        raise TooManyNodesError("there is nothing left to take along directions")
    dense = [k for k, size in enumerate(sizes) if size is not None and not asked.along[k]]
    ones = (1,) * len(dense)
    weights, directions = further[: asked.weighted], iter(further[asked.weighted :])
    beside = [spread(x, ones) for x in further[len(further) - asked.turned :]]
    along = []
    for k, size in enumerate(sizes):
        if asked.along[k]:
            along.append(spread(next(directions), ones))
        elif size is None:
            along.append(np.ones(1))
        else:
            axes = [1] * len(dense)
            axes[dense.index(k)] = size
            along.append(np.eye(size).reshape(*axes, size))
    arrays = [spread(np.asarray(x), ones) for x in arguments]
    weights = [spread(x, ones) for x in weights]
    for key in ("parameters", "states"):
        if options.get(key):
            values = options[key].items()
            options[key] = {n: np.asarray(x)[(..., *(None,) * len(dense))] for n, x in values}
    name, out = request.quantity, options.pop("out", None)
    changed = replace(asked, along=(True,) * len(asked.by), weighted=asked.weighted and not weighs)
    numbers = (*arrays, *([] if weighs else weights), *along, *beside)
    tensor = evaluate(request.with_derivative(changed), numbers, **options)
    if weighs:
        lead = tensor.shape[: tensor.ndim - len(shape)]
        tensor = np.einsum("...i,...i->...", tensor.reshape(*lead, math.prod(shape)), weights[0])
    first = tensor.ndim - len(dense) - (0 if asked.weighted else len(shape))
    axes_of = range(first, first + len(dense))
    moved: Array = np.moveaxis(tensor, axes_of, range(tensor.ndim - len(dense), tensor.ndim))
    return np.ascontiguousarray(moved) if out is None else result_in(name, moved, out)
