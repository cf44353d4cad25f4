"""Bodies and their checks."""

import pickle
from typing import Any

import numpy as np
import pytest

from poinsot.errors import ModelError, ModelWarning
from poinsot.model import Body, Fixed, Pose, Revolute


def test_defaults_are_a_massless_frame_on_the_world() -> None:
    """Describe a frame by its name alone."""
    body = Body("frame")
    assert (body.parent, body.joint, body.pose, body.mass) == ("world", Fixed(), Pose(), 0.0)
    assert body.com == (0.0, 0.0, 0.0)
    assert body.inertia == (0.0,) * 6


def test_spatial_inertia_is_about_the_origin() -> None:
    """Shift a rod's inertia from its centre to its end: m l²/12 to m l²/3."""
    rod = Body("rod", mass=3.0, com=(0, 0, -0.5), inertia=(0.25, 0.25, 0))
    I = rod.spatial_inertia()
    np.testing.assert_allclose(I.I, np.diag([1.0, 1.0, 0.0]), atol=1e-15)
    np.testing.assert_allclose(I.h, [0, 0, -1.5])
    assert I.mass == 3.0
    assert np.array_equal(rod.inertia_matrix(), np.diag([0.25, 0.25, 0]))


def test_body_is_equal_by_value_and_immutable() -> None:
    """Compare and hash bodies however their numbers were written."""
    a = Body("a", joint=Revolute("y"), mass=1, com=[0, 0, 1], inertia=np.eye(3))
    b = Body("a", "world", Revolute((0, 1, 0)), Pose(), 1.0, (0, 0, 1), (1, 1, 1))
    assert a == b == pickle.loads(pickle.dumps(a))
    assert hash(a) == hash(b)
    assert a != Body("a")
    with pytest.raises(AttributeError):
        a.mass = 2.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": ""}, "body: name must not be empty"),
        ({"name": 3}, "body: name must be text, got 3"),
        ({"name": "world"}, "body 'world': this is the name of the fixed root; choose another"),
        ({"parent": ""}, "body 'arm': parent must not be empty"),
        ({"parent": None}, "body 'arm': parent must be text, got None"),
        (
            {"joint": Revolute},
            r"body 'arm': joint .* not its class; write Revolute\(\) for Revolute",
        ),
        ({"joint": "revolute"}, r"body 'arm': joint must be a joint, .* got 'revolute'"),
        ({"pose": (0, 0, 1)}, r"body 'arm': pose must be a Pose, .* got \(0, 0, 1\)"),
        ({"mass": -1}, "body 'arm': mass must not be negative, got -1"),
        ({"mass": np.nan}, "body 'arm': mass must be finite, got nan"),
        ({"mass": (1, 2)}, "body 'arm': mass must be one number"),
        ({"com": (0, 0)}, "body 'arm': com must have 3 numbers"),
        ({"com": (0, 0, np.inf)}, "body 'arm': com must be finite"),
        ({"inertia": (1, 1)}, r"body 'arm': inertia must be 3 numbers \(diagonal\), 6 \(ixx, iyy"),
        ({"inertia": np.eye(4)}, "body 'arm': inertia must be 3 numbers"),
        ({"inertia": (1, 1, np.nan)}, "body 'arm': inertia must be finite"),
        (
            {"inertia": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]},
            "body 'arm': inertia must be symmetric, .* differs from its transpose by 0.1",
        ),
    ],
)
def test_body_refuses(arguments: dict[str, Any], message: str) -> None:
    """Name the body, the value and what was expected."""
    with pytest.raises(ModelError, match=message):
        Body(**{"name": "arm", **arguments})


@pytest.mark.parametrize("inertia", [(1, 1, 3), (1, 1, -1)])
def test_implausible_inertia_warns(inertia: tuple[float, ...]) -> None:
    """Warn at the user's line, with body and numbers, and go on."""
    with pytest.warns(ModelWarning, match="body 'arm': implausible inertia, principal") as caught:
        assert Body("arm", mass=1, inertia=inertia).inertia[:3] == inertia
    assert caught[0].filename == __file__
