"""Products and inverses of poses."""

from poinsot.model.pose import Pose

__all__ = ["composed", "inverse"]

_IDENTITY = Pose()


def composed(outer: Pose, inner: Pose) -> Pose:
    """Return X_AC = X_AB X_BC, exactly the other where one is the identity.

    Args:
        outer: X_AB.
        inner: X_BC.

    Examples:
        >>> composed(Pose((0, 0, 1)), Pose((1, 0, 0)))
        Pose((1.0, 0.0, 1.0))
    """
    if outer == _IDENTITY:
        return inner
    if inner == _IDENTITY:
        return outer
    X = outer.transform() @ inner.transform()
    return Pose(X.p, matrix=X.R)


def inverse(pose: Pose) -> Pose:
    """Return X_BA of X_AB, exactly itself for the identity.

    Examples:
        >>> inverse(Pose((0, 0, 1)))
        Pose((0.0, 0.0, -1.0))
    """
    if pose == _IDENTITY:
        return pose
    X = pose.transform().inverse()
    return Pose(X.p + 0.0, matrix=X.R)  # no -0.0
