"""Modes of triads by number along batches: where the number passes to another assembly is told."""

import warnings

import numpy as np
import pytest

import poinsot as ps

POINTS = {"O": (0, 0), "A": (0.15, 0.05), "B": (0.207, 0.493), "C": (0.198, -0.782),
          "D": (0.543, 0.268), "P": (-0.43, 0.465), "Q": (0.291, 0.235)}  # fmt: skip
LINKS = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD", "right": "PC"}


def undrawn():
    """Return a plate on three rods by numbers alone, and the angle at which it was sketched."""
    drawn = ps.sketch(POINTS, LINKS, drivers=["O"])
    block = drawn.description
    bodies = {name: {key: x for key, x in body.items() if key != "pose"}
              for name, body in block["bodies"].items()}  # fmt: skip
    return ps.PlanarMechanism.from_description(block | {"bodies": bodies}), float(drawn.drawn[0])


def jump(mechanism, low, high):
    """Return how far apart the plate's poses are where they jump, by bisection to 1e-7 rad."""

    def pose(x):
        return mechanism.positions([x])["plate"]

    while high - low > 1e-7:
        middle = (low + high) / 2.0
        nearer = np.linalg.norm(pose(middle) - pose(low)) < np.linalg.norm(
            pose(middle) - pose(high)
        )
        low, high = (middle, high) if nearer else (low, middle)
    return np.linalg.norm(pose(high) - pose(low))


def test_number_that_passes_to_another_assembly_is_told():
    """Check the warning where poses jump however small the steps are; no order changes results."""
    mechanism, start = undrawn()
    q = start + np.radians(2.0) * np.arange(24, 34)[:, None]
    (mode,) = mechanism.assemblies(q[0])[:1]
    with pytest.warns(ps.ModelWarning, match=r"'plate'.*are in another assembly at O = .* than"):
        poses = mechanism.with_modes(**mode).positions(q)["plate"]
    k = int(np.argmax(np.linalg.norm(np.diff(poses, axis=0), axis=-1)))
    assert jump(mechanism.with_modes(**mode), *q[k : k + 2, 0]) > 0.5
    order = np.random.default_rng(0).permutation(len(q))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mixed = mechanism.with_modes(**mode).positions(q[order])["plate"]
    assert np.array_equal(mixed, poses[order])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = mechanism.with_modes(**mode)
        again.positions(q[: k + 1])
        ahead = again.positions(q[k + 1 :])
        again.positions(q[[0, -1]])  # far from each other: states of their own
        assert np.allclose(again.positions(q[k + 1 :], near=ahead)["plate"], poses[k + 1 :])
