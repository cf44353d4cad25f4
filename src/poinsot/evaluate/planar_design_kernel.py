"""What a design is to do, with exact derivatives: paths of points and angles of links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from poinsot.expr import build, jacobian, optimise, symbol_array
from poinsot.expr.garbage_collection import garbage_collection_paused
from poinsot.formulations.composable.plane import plain, point_at
from poinsot.formulations.composable.positions import positions
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model.planar.dimensions import dimension_size, with_dimensions
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

POINT = "point"
"""Name of the traced point among the free dimensions."""


class DesignKernel:
    """Place of a point of a link (2,), or its angle (1,), from dimensions and coordinates.

    Args:
        linkage: The linkage.
        modes: Its assembly.
        link: The link.
        free: Names of the dimensions that vary; "point" is the traced one.
        point: The point in the link's frame [m]; None for the link's angle.
    """

    def __init__(
        self,
        linkage: PlanarLinkage,
        modes: Mapping[str, int],
        link: str,
        free: Sequence[str],
        point: Array | None,
    ) -> None:
        nq = len(linkage.drivers)
        sizes = {name: 2 if name == POINT else dimension_size(linkage, name) for name in free}
        self.sizes = {name: size or 1 for name, size in sizes.items()}
        with garbage_collection_paused():
            symbols = {name: symbol_array(name, (size,)) for name, size in self.sizes.items()}
            q = symbol_array("q", (nq,))
            values = {
                name: x if sizes[name] else x[0] for name, x in symbols.items() if name != POINT
            }
            poses = positions(with_dimensions(linkage, values), q, modes)
            traced = symbols.get(POINT, point)
            result = plain(poses[link][2:]) if traced is None else point_at(poses[link], traced)
            every = np.concatenate([*symbols.values(), q])
            self.size = len(result)
            slopes = jacobian(list(result), list(every))
            program = build(
                {"x": every}, {"result": result, "slopes": np.array(slopes, object).ravel()}
            )
            self._code = LlvmKernel(optimise(program))

    def __call__(self, dimensions: Array, q: Array) -> tuple[Array, Array]:
        """Return results (n, size) and derivatives (n, size, dimensions and nq) at n positions."""
        count = len(q)
        x = np.concatenate([np.broadcast_to(dimensions, (count, dimensions.size)), q], axis=1)
        result = np.empty((count, self.size))
        slopes = np.empty((count, self.size * x.shape[1]))
        self._code.run([np.ascontiguousarray(x)], [result, slopes])
        return result, slopes.reshape(count, self.size, x.shape[1])
