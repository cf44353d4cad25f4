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


def check_follows(turn, link):
    """Check that each step at 1 rad/s is nearly the mean velocity; at limits velocities grow."""
    rates = turn.velocities[link]
    predicted = 0.5 * (rates[1:] + rates[:-1]) * np.diff(turn.x)[:, None]
    moved = np.diff(turn.positions[link], axis=0)
    assert np.max(np.abs(moved - predicted)) < 0.1 * np.max(np.abs(moved))


def test_full_turns_stay_in_one_assembly_whatever_their_numbers():
    """Check that turns follow velocities or end at a limit that is told, of triads by number."""
    mechanism, start = undrawn()
    begin = start + np.radians(48.0)
    whole = 0
    for modes in mechanism.assemblies([begin]):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            turn = mechanism.with_modes(**modes).turn(start=begin, positions=720)
        is_whole = np.isclose(turn.x[-1] - begin, 2 * np.pi)
        assert is_whole == (not told)
        assert is_whole or "limit" in str(told[0].message)
        if not is_whole:
            continue
        whole += 1
        check_follows(turn, "plate")
        first = mechanism.with_modes(**modes).positions([begin])["plate"]
        back = turn.positions["plate"][-1] - turn.positions["plate"][0]
        assert np.allclose(turn.positions["plate"][0], first)
        # Where it comes back to is an assembly of the start, here the same.
        assert np.allclose(back[:2], 0.0, atol=1e-9)
        numbers = set()
        for k in range(0, 720, 40):
            listed = mechanism.assembly_poses([turn.x[k]])
            apart = [np.abs(np.exp(1j * p["plate"]) - np.exp(1j * turn.positions["plate"][k])).max()
                     for p in listed]  # fmt: skip
            assert min(apart) < 1e-9
            numbers.add(int(np.argmin(apart)) + 1)
        assert len(numbers) > 1  # the number is not that of a branch
    assert whole == 2


def test_turns_of_class_four_groups_start_in_the_assembly_that_is_named():
    """Check both assemblies of an undrawn group up to the limit at which they meet."""
    points = {"O": (0, 0), "A": (0.1, 0.05), "B": (0.4, 0.1), "C": (0.35, 0.45), "E": (0.8, 0.15),
              "F": (0.85, 0.5), "H": (1.2, 0.3)}  # fmt: skip
    links = {"ground": "OH", "crank": "OA", "t1": "ABC", "b1": "BE", "b2": "CF", "t2": "EFH"}
    drawn = ps.sketch(points, links, drivers=["O"])
    bodies = {name: {key: x for key, x in body.items() if key != "pose"}
              for name, body in drawn.description["bodies"].items()}  # fmt: skip
    blank = ps.PlanarMechanism.from_description(drawn.description | {"bodies": bodies})
    begin = float(drawn.drawn[0])
    ends = []
    for modes in blank.assemblies([begin]):
        with pytest.warns(ps.SimulationWarning, match="limit"):
            turn = blank.with_modes(**modes).turn(start=begin, stop=begin + 1.0, positions=400)
        check_follows(turn, "t1")
        ends.append((turn.x[-1], turn.positions["t1"][-1]))
    assert np.isclose(ends[0][0], ends[1][0], atol=1e-3)
