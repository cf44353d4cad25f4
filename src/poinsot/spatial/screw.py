"""Screws: six-component motions and forces, and their cross products.

A motion ``V = [v; w]`` holds the velocity of the point at the origin and the angular velocity; a
force ``F = [f; n]`` the force and its moment about the origin. The linear part comes first in
both, shape (6,) [Liu1988, eq. (11)]. Power is ``F @ V``. In Liu's words, forces and momenta are
screws and motions are inverted screws.
"""

import numpy as np
from numpy.typing import ArrayLike

from poinsot.spatial.array import Array, components, halves, vector
from poinsot.spatial.rotation import skew


def cross(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the vector product a × b, shape (3,).

    Args:
        a: Vector, shape (3,).
        b: Vector in the same frame, shape (3,).

    >>> cross([1, 0, 0], [0, 1, 0])
    array([0., 0., 1.])
    """
    a1, a2, a3 = components(a)
    b1, b2, b3 = components(b)
    return vector(a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1)


def cross_columns(a: ArrayLike, B: Array) -> Array:
    """Return a × each column of B, shape (3, k).

    >>> cross_columns([0, 0, 1], np.eye(3)[:, :2])
    array([[ 0., -1.],
           [ 1.,  0.],
           [ 0.,  0.]])
    """
    a1, a2, a3 = components(a)
    product: Array = np.stack([a2 * B[2] - a3 * B[1], a3 * B[0] - a1 * B[2], a1 * B[1] - a2 * B[0]])
    return product


def cross_motion(V: ArrayLike, W: ArrayLike) -> Array:
    """Return V × W, the rate of a motion ``W`` fixed in a frame moving with ``V``, shape (6,).

        [v; w] × [v'; w'] = [w × v' + v × w'; w × w']

    [RBDA, sec. 2.9], there with the angular part first.

    Args:
        V: Motion [m/s, rad/s], shape (6,).
        W: Motion in the same frame, shape (6,).

    >>> cross_motion([0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0])
    array([0., 1., 0., 0., 0., 0.])
    """
    v, w = halves(V)
    v_W, w_W = halves(W)
    return np.concatenate([cross(w, v_W) + cross(v, w_W), cross(w, w_W)])


def cross_force(V: ArrayLike, F: ArrayLike) -> Array:
    """Return V ×* F, the rate of a force ``F`` fixed in a frame moving with ``V``, shape (6,).

        [v; w] ×* [f; n] = [w × f; v × f + w × n]

    The second term of the Newton-Euler equation [Liu1988, eq. (15)]; [RBDA, sec. 2.9], there with
    the angular part first. Dual to the motion product: (V ×* F)·W = -F·(V × W).

    Args:
        V: Motion [m/s, rad/s], shape (6,).
        F: Force [N, N·m] or momentum [N·s, N·m·s] in the same frame, shape (6,).

    >>> cross_force([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
    array([0., 0., 0., 0., 0., 1.])
    """
    v, w = halves(V)
    f, n = halves(F)
    return np.concatenate([cross(w, f), cross(v, f) + cross(w, n)])


def cross_motion_matrix(V: ArrayLike) -> Array:
    """Return the matrix of :func:`cross_motion`, shape (6, 6).

        [[skew(w), skew(v)], [0, skew(w)]]

    Args:
        V: Motion [m/s, rad/s], shape (6,).

    >>> V = [1, 2, 3, 4, 5, 6]
    >>> bool(np.all(cross_motion_matrix(V) @ V == 0.0))
    True
    """
    v, w = halves(V)
    return np.block([[skew(w), skew(v)], [np.zeros((3, 3)), skew(w)]])


def cross_force_matrix(V: ArrayLike) -> Array:
    """Return the matrix of :func:`cross_force`, shape (6, 6).

        [[skew(w), 0], [skew(v), skew(w)]]

    The velocity screw matrix, a hat and a tilde over v, of [Liu1988, eq. (12)].

    Args:
        V: Motion [m/s, rad/s], shape (6,).

    >>> V = [1, 2, 3, 4, 5, 6]
    >>> bool(np.all(cross_force_matrix(V) == -cross_motion_matrix(V).T))
    True
    """
    v, w = halves(V)
    return np.block([[skew(w), np.zeros((3, 3))], [skew(v), skew(w)]])


def swap_parts(screw: ArrayLike) -> Array:
    """Return the screw with its two halves exchanged, shape (6,).

    The inverted screw of [Liu1988, eq. (2)]; also the way to and from data that put the angular
    part first.

    Args:
        screw: Motion or force, shape (6,).

    >>> swap_parts([1, 2, 3, 4, 5, 6])
    array([4., 5., 6., 1., 2., 3.])
    """
    first, second = halves(screw)
    return np.concatenate([second, first])
