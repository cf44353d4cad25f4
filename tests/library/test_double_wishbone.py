"""The suspension against circles and spheres that meet."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from poinsot.library import double_wishbone
from poinsot.library.double_wishbone import POINTS

P = {name: np.array(place) for name, place in POINTS.items()}
SUSPENSION = double_wishbone()


def about(arm, angle, point):
    """Return a point turned with an arm about the line through its pins."""
    axis = P[f"{arm} front"] - P[f"{arm} rear"]
    turn = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis))
    return P[f"{arm} rear"] + turn.apply(point - P[f"{arm} rear"])


def upper_ball(lower_ball):
    """Return where the circle of the upper ball meets the sphere about the lower one."""
    rear, axis = P["upper rear"], P["upper front"] - P["upper rear"]
    axis = axis / np.linalg.norm(axis)
    arm = P["upper ball"] - rear
    middle = rear + axis * (arm @ axis)
    x = P["upper ball"] - middle
    y = np.cross(axis, x)
    # |middle + cos u x + sin u y - lower_ball|² = |upper - lower|²
    d = middle - lower_ball
    length = np.linalg.norm(P["upper ball"] - P["lower ball"])
    wanted = (length**2 - d @ d - x @ x) / 2
    a, b = d @ x, d @ y
    environment = np.arctan2(b, a)
    swing = np.arccos(wanted / np.hypot(a, b))
    u = min((environment + swing, environment - swing), key=lambda z: abs(np.angle(np.exp(1j * z))))
    return middle + np.cos(u) * x + np.sin(u) * y


def three_spheres(centres, radii, near):
    """Return the point at given distances of three, the one nearer to ``near``."""
    a, b, c = centres
    ex = (b - a) / np.linalg.norm(b - a)
    i = ex @ (c - a)
    ey = (c - a - i * ex) / np.linalg.norm(c - a - i * ex)
    d, j = np.linalg.norm(b - a), ey @ (c - a)
    x = (radii[0] ** 2 - radii[1] ** 2 + d**2) / (2 * d)
    y = (radii[0] ** 2 - radii[2] ** 2 + i**2 + j**2 - 2 * i * x) / (2 * j)
    z = np.sqrt(radii[0] ** 2 - x**2 - y**2) * np.cross(ex, ey)
    points = [a + x * ex + y * ey + sign * z for sign in (1, -1)]
    return min(points, key=lambda p: np.linalg.norm(p - near))


def frame(lower, upper, tie):
    """Return the axes that three points of the knuckle make."""
    x = (upper - lower) / np.linalg.norm(upper - lower)
    z = np.cross(x, tie - lower)
    z = z / np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])


def by_hand(rack, angle):
    """Return the rotation of the wheel and the place of its centre."""
    design = [P[name] for name in ("lower ball", "upper ball", "tie rod")]
    lower = about("lower", angle, P["lower ball"])
    upper = upper_ball(lower)
    inner = P["rack"] + [0, rack, 0]
    radii = [np.linalg.norm(P["tie rod"] - p) for p in (design[0], design[1], P["rack"])]
    tie = three_spheres([lower, upper, inner], radii, P["tie rod"])
    R = frame(lower, upper, tie) @ frame(*design).T
    return R, lower + R @ (P["wheel"] - P["lower ball"])


@pytest.mark.parametrize(("rack", "angle"), [(0, 0.0), (0.02, 0.12), (-0.03, -0.1), (0.01, 0.2)])
def test_camber_and_toe(rack, angle):
    """Check place and attitude of the wheel over travel and steering."""
    q = SUSPENSION.neutral()
    q[:2] = rack, angle
    q = SUSPENSION.assemble(q, joints=["rack", "lower arm"])
    R, centre = by_hand(rack, angle)
    pose = SUSPENSION.pose("wheel", q)
    assert_allclose(pose[:3, 3], centre, atol=1e-10)
    assert_allclose(pose[:3, :3], R, atol=1e-10)
    assert SUSPENSION.mobility(q).degrees == 2


def test_steering_turns_the_wheel_and_travel_cambers_it():
    """Check what is usual: a rack behind the axle that goes left steers right, travel leans in."""
    axis = np.array([0, 1, 0])
    steered, _ = by_hand(0.02, 0.0)
    up, centre = by_hand(0.0, 0.15)
    toe = np.degrees(np.arctan2(-(steered @ axis)[0], (steered @ axis)[1]))
    camber = np.degrees(np.arcsin((up @ axis)[2]))
    assert centre[2] > P["wheel"][2] + 0.04
    assert -15 < toe < -5
    assert 0.2 < camber < 6


def test_spring_is_relaxed_in_the_design_position():
    """Check that only weights act there."""
    q, still = SUSPENSION.neutral(), np.zeros(6)
    assert_allclose(SUSPENSION.bias(q, still), SUSPENSION.gravity_force(q), atol=1e-9)
