"""What it means that two results agree."""

import numpy as np

TOLERANCE = 1e-11
"""The promise: max|x - y| <= 1e-11 max|y|."""
NOTHING = 1e-13
"""Results below this are rounding of zero; the quantities of the random trees are of size 1."""


def assert_agree(x, y, tolerance=TOLERANCE):
    """Check max|x - y| <= tolerance max|y|, and that the shapes are equal."""
    x, y = np.asarray(x), np.asarray(y)
    assert x.shape == y.shape
    difference, size = np.max(np.abs(x - y), initial=0.0), np.max(np.abs(y), initial=0.0)
    assert difference <= tolerance * size + NOTHING, (
        f"differ by {difference:.3g}, {difference / max(size, NOTHING):.3g} of {size:.3g}"
    )


def assert_accelerations_agree(a, b, M, force):
    """Check that a and b solve M a = force equally well.

    Backward: the residual of a is within the tolerance of the sizes of the terms.  Forward: a
    differs from b by no more than the tolerance plus what rounding of M alone can do, which is
    about nv eps cond(M) (Higham, Accuracy and Stability of Numerical Algorithms, section 9.3);
    random trees of 40 bodies have condition numbers up to 1e10 and more.  Where the recursion that
    gave b has itself lost digits (Pinocchio's does where three massless links stand for Euler
    angles near their singularity), the solution of M a = force stands for it.
    """
    a = np.asarray(a)
    assert a.shape == b.shape
    size = np.max(np.abs(M) @ np.abs(a) + np.abs(force), initial=0.0)
    assert np.max(np.abs(M @ a - force), initial=0.0) <= TOLERANCE * size + NOTHING
    if a.size:
        if np.max(np.abs(M @ b - force)) > TOLERANCE * size:
            b = np.linalg.solve(M, force)
        assert_agree(
            a, b, TOLERANCE + max(50, 10 * a.size) * np.finfo(float).eps * np.linalg.cond(M)
        )
