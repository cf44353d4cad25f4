"""Rough operation counts of the recursions, to skip algorithms that cannot be the cheapest.

For links in general position; the coefficients fit traced programs of chains of 7 and 30 links.
"""

from __future__ import annotations

from poinsot.model import Mechanism


def articulated_cost(mechanism: Mechanism) -> float:
    """Return the approximate operation count of articulated bodies."""
    return 430.0 * _n_links(mechanism)


def paths_cost(mechanism: Mechanism) -> float:
    """Return the approximate operation count of ``mass_matrix_along_paths``."""
    return 70.0 * _n_links(mechanism) + 32.0 * _pairs(mechanism)[0]


def base_cost(mechanism: Mechanism) -> float:
    """Return the approximate operation count of ``mass_matrix_in_base``."""
    return 140.0 * _n_links(mechanism) + 11.0 * _pairs(mechanism)[0]


def solve_cost(mechanism: Mechanism) -> float:
    """Return the approximate operation count of the bias and the factored solution."""
    pairs, triples = _pairs(mechanism)
    return 115.0 * _n_links(mechanism) + 5.0 * pairs + 2.0 * triples


def _n_links(mechanism: Mechanism) -> int:
    return sum(body.joint.nv > 0 for body in mechanism.bodies)


def _pairs(mechanism: Mechanism) -> tuple[int, int]:
    """Return how many pairs (velocity, ancestor) there are, and pairs of ancestors of one."""
    depth: list[int] = []
    for parent in mechanism.velocity_tree[1]:
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
    return sum(depth), sum(d * (d + 1) // 2 for d in depth)
