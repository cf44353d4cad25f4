"""Gears, racks, cams and points on curves as files describe them: entries among the joints.

{"id", "type": "gear", "a", "b", "carrier", "radii" | "teeth" | "ratio", "internal", "alpha"}
{"id", "type": "rack", "a": pinion, "b": rack, "carrier", "radius", "side", "alpha"}
{"id", "type": "cam", "a": cam, "b": follower, "carrier", "follower", "radius", "base",
 "law" | "profile", "point", "face", "side", "sense"}
{"id", "type": "curve", "a": link with the curve, "pa", "ua", "b", "pb", "curve" | "profile"}
{"id", "type": "tangent", ...}, the same of the x axis of b along the curve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.formula import parse
from poinsot.model.checks import finite_array, finite_number, finite_vector
from poinsot.model.planar.cam_law import SAMPLES, TURN, CamLaw
from poinsot.model.planar.cam_profile import law_of_profile
from poinsot.model.planar.cam_shape import FOLLOWERS, FollowerPath
from poinsot.model.planar.curve_pair import (
    CURVE,
    CURVE_KEYS,
    TANGENT,
    CurvePair,
    PlaneCurve,
    checked_formula,
)
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.higher_pair import CamFollower, GearMesh, HigherPair, PairShape
from poinsot.model.planar.joint import PlanarJoint
from poinsot.model.planar.profile_contacts import profile_formula
from poinsot.spatial import Array

ENDS: Final = ("id", "type", "a", "b", "carrier")
PAIR_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "gear": (*ENDS, "radii", "teeth", "ratio", "internal", "alpha", "offset"),
    "rack": (*ENDS, "radius", "side", "alpha", "offset"),
    "cam": (
        *ENDS,
        "follower",
        "radius",
        "base",
        "law",
        "profile",
        "point",
        "face",
        "side",
        "sense",
    ),
    CURVE: (*CURVE_KEYS, "at", "partner", "helper"),
    TANGENT: (*CURVE_KEYS, "helper"),
}
"""Keys of entries by type."""
PairReader: TypeAlias = Callable[
    [Mapping[str, Any], tuple[PlanarJoint, PlanarJoint], str, str], tuple[float, PairShape]
]
FITS: Final = 1e-6
"""Relative error of a centre distance that counts as rounding."""


def read_pair(
    entry: Mapping[str, Any], names: tuple[str, str, str], joints: Sequence[PlanarJoint]
) -> HigherPair:
    """Return a pair of one equation.

    Args:
        entry: Its description.
        names: Its two links and their carrier.
        joints: The pins and slides of the linkage.
    """
    kind, where = str(entry["type"]), f"{entry['type']} {entry.get('id')!r}"
    a, b, carrier = names
    paths = [path_to_carrier(link, carrier, joints, where) for link in (a, b)]
    ends = [_coordinate(link, carrier, path) for link, path in zip((a, b), paths, strict=True)]
    readers: dict[str, PairReader] = {"gear": _gear, "rack": _rack, "cam": _cam}
    ratio, shape = readers[kind](entry, (ends[0], ends[1]), carrier, where)
    given = entry.get("offset")
    offset = None if given is None else finite_number(given, f"{where}: offset")
    sign_a, sign_b = (1.0 if joint.a == carrier else -1.0 for joint in ends)
    return HigherPair(
        str(entry.get("id")), kind, a, b, carrier, ends[0], ends[1], _names(paths[0]),
        _names(paths[1]),
        sign_a=sign_a, sign_b=sign_b, ratio=ratio, offset=offset, shape=shape,
    )  # fmt: skip


def read_curve(entry: Mapping[str, Any], a: str, b: str) -> CurvePair:
    """Return a point of link b on a curve of link a, or the axis of b along it."""
    where = f"{entry['type']} {entry.get('id')!r}"
    given = [key for key in ("curve", "profile") if key in entry]
    if len(given) != 1:
        raise ModelError(
            f"{where}: give its curve, a formula of x and y, or its profile, the radius over phi,"
            f" one of them, got {given or 'none'}"
        )
    if a == b:
        raise ModelError(f"{where}: curve and point are both on {a!r}; name another link")
    if given == ["curve"]:
        curve = PlaneCurve(checked_formula(entry["curve"], f"{where}: curve"))
    else:
        radius = _angle_function(entry["profile"], f"{where}: profile")
        _check_positive(radius, where)
        is_formula = isinstance(entry["profile"], str)
        text = profile_formula(entry["profile"]) if is_formula else ""
        curve = PlaneCurve(text, None if text else radius, outline=radius)
    ends = [finite_vector(entry.get(key, (0.0, 0.0)), 2, f"{where}: {key}") for key in ("pa", "pb")]
    (x, y), (u, w) = (end.tolist() for end in ends)
    turn = finite_number(entry.get("ua", 0.0), f"{where}: ua")
    start = finite_vector(entry["at"], 2, f"{where}: at").tolist() if "at" in entry else None
    return CurvePair(
        str(entry.get("id")), a, b, (u, w), curve, (x, y), turn,
        is_tangent=entry["type"] == TANGENT, start=None if start is None else (start[0], start[1]),
        partner=str(entry.get("partner", "")), is_helper=bool(entry.get("helper", False)),
    )  # fmt: skip


def _check_positive(profile: CamLaw, where: str) -> Array:
    radii: Array = profile(np.linspace(0.0, TURN, 8 * SAMPLES))[0]
    if np.min(radii) <= 0.0:
        raise ModelError(f"{where}: the profile's radius must be positive all round")
    return radii


def _names(path: Sequence[tuple[PlanarJoint, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((joint.name, link) for joint, link in path)


def storable_pair(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry as files can hold it: functions become tables."""
    stored = dict(entry)
    for key in ("law", "profile"):
        given = stored.get(key)
        if callable(given):
            angles = np.linspace(0.0, TURN, SAMPLES, endpoint=False)
            values = [float(given(x)) for x in angles.tolist()]
            stored[key] = {"angles": angles.tolist(), "values": values}
    return stored


def path_to_carrier(
    link: str, carrier: str, joints: Sequence[PlanarJoint], where: str
) -> list[tuple[PlanarJoint, str]]:
    """Return the joints from a link to its carrier, each with the link before it.

    One pin or slide between them, or pins in one place: of a sun and an arm on the ground.
    """
    direct = [joint for joint in joints if {joint.a, joint.b} == {link, carrier}]
    if direct:
        if len(direct) == 1:
            return [(direct[0], link)]
        raise ModelError(
            f"{where}: {link!r} has {len(direct)} joints on its carrier; it must have one"
        )
    paths = [
        [(joint, link)] for joint in joints if joint.kind == "R" and link in (joint.a, joint.b)
    ]
    for path in paths:
        joint, before = path[-1]
        reached = joint.other(before)
        place = joint.point(reached)
        for other in joints:
            is_new = all(other is not used for used, _ in path)
            if is_new and other.kind == "R" and reached in (other.a, other.b):
                if np.max(np.abs(other.point(reached) - place)) > FITS:
                    continue
                longer = [*path, (other, reached)]
                if other.other(reached) == carrier:
                    return longer
                paths.append(longer)
    on = "the ground" if carrier == FRAME else repr(carrier)
    raise ModelError(
        f"{where}: {link!r} must have a pin or slide on {on}, its carrier, or pins of both on"
        ' another link in one place; add a joint, or name the carrier: "carrier": "arm"'
    )


def _coordinate(link: str, carrier: str, path: Sequence[tuple[PlanarJoint, str]]) -> PlanarJoint:
    """Return the joint whose coordinate says where a link is on its carrier."""
    joint, _ = path[-1]
    if len(path) == 1:
        return joint
    return PlanarJoint("", "R", carrier, link, joint.point(carrier), path[0][0].point(link))


def _pinned(joint: PlanarJoint, carrier: str, where: str) -> tuple[float, float]:
    """Return the centre of a wheel in its carrier."""
    if joint.kind != "R":
        raise ModelError(f"{where}: joint {joint.name!r} must be a pin, in which the wheel turns")
    x, y = joint.point(carrier).tolist()
    return float(x), float(y)


def _gear(
    entry: Mapping[str, Any], ends: tuple[PlanarJoint, PlanarJoint], carrier: str, where: str
) -> tuple[float, GearMesh]:
    """Return the ratio and the mesh; distances of centres decide what is not given."""
    centres = [_pinned(joint, carrier, where) for joint in ends]
    distance = float(np.hypot(*np.subtract(centres[0], centres[1])))
    given = [key for key in ("radii", "teeth", "ratio") if key in entry]
    if len(given) != 1:
        raise ModelError(
            f"{where}: give its radii (a, b), teeth (a, b) or ratio dφ_b/dφ_a, one of them, got "
            f"{given or 'none'}"
        )
    is_internal = bool(entry.get("internal", False))
    key = given[0]
    if key == "ratio":
        ratio = finite_number(entry[key], f"{where}: ratio")
        is_internal = ratio > 0.0
        sizes = np.array([abs(ratio), 1.0])
    else:
        sizes = finite_vector(entry[key], 2, f"{where}: {key}")
    if np.any(sizes <= 0.0):
        raise ModelError(f"{where}: {key} must be positive, got {entry[key]!r}")
    if is_internal and sizes[0] == sizes[1]:
        raise ModelError(f"{where}: a wheel inside another must be smaller, got {entry[key]!r}")
    if distance == 0.0:
        raise ModelError(
            f"{where}: both wheels turn about the same point of {carrier!r}, and no gear connects"
            " such; move a pin, or put a countershaft between them"
        )
    inner = int(np.argmin(sizes))
    signs = np.array([-1.0 if is_internal and k == inner else 1.0 for k in range(2)])
    apart = float(signs @ sizes)
    scale = 1.0 if key == "radii" else distance / apart
    if abs(scale * apart - distance) > FITS * max(distance, apart):
        raise ModelError(
            f"{where}: centres are {distance:.6g} m apart, and pitch circles of {sizes[0]:.6g} and"
            f" {sizes[1]:.6g} m touch at {apart:.6g} m; change the radii or a centre"
        )
    radii = (scale * signs * sizes).tolist()
    alpha = _pressure(entry, where)
    return -radii[0] / radii[1], GearMesh(radii[0], radii[1], centres[0], centres[1], alpha)


def _rack(
    entry: Mapping[str, Any], ends: tuple[PlanarJoint, PlanarJoint], carrier: str, where: str
) -> tuple[float, GearMesh]:
    centre = _pinned(ends[0], carrier, where)
    if ends[1].kind != "P":
        raise ModelError(f"{where}: joint {ends[1].name!r} must be a slide, on which the rack goes")
    radius = finite_number(entry.get("radius", 0.0), f"{where}: radius")
    if radius <= 0.0:
        raise ModelError(f"{where}: radius of the pinion [m] must be positive, got {radius:g}")
    through, angle = _guide(ends[1], carrier)
    across = float(
        np.cos(angle) * (centre[1] - through[1]) - np.sin(angle) * (centre[0] - through[0])
    )
    if "side" not in entry and abs(across) < FITS * radius:
        raise ModelError(
            f"{where}: the pinion's centre is on the line of the slide; say on which side of the"
            ' rack it is: "side": 1 (left of its direction) or -1'
        )
    side = _side(entry, where) if "side" in entry else int(np.sign(across))
    mesh = GearMesh(radius, 0.0, centre, (0.0, 0.0), _pressure(entry, where), angle, side)
    return side * radius, mesh


def _guide(joint: PlanarJoint, carrier: str) -> tuple[Array, float]:
    """Return a point and the direction of a slide's positive coordinate in the carrier."""
    if joint.a == carrier:
        return joint.point(carrier), float(joint.ua)
    return joint.point(carrier), float(joint.ua - joint.beta)


def _cam(
    entry: Mapping[str, Any], ends: tuple[PlanarJoint, PlanarJoint], carrier: str, where: str
) -> tuple[float, CamFollower]:
    kind = entry.get("follower", "knife")
    if kind not in FOLLOWERS:
        raise ModelError(f"{where}: follower must be one of {', '.join(FOLLOWERS)}, got {kind!r}")
    roller = finite_number(entry.get("radius", 0.0), f"{where}: radius")
    if (roller > 0.0) != (kind == "roller"):
        raise ModelError(
            f"{where}: radius [m] is that of the roller, positive of a roller alone, got {roller:g}"
        )
    given = [key for key in ("law", "profile") if key in entry]
    if len(given) != 1:
        raise ModelError(
            f"{where}: give its law of motion or its profile, one of them, got {given or 'none'}"
        )
    path = _path(entry, ends, carrier, kind, roller, where)
    side = _side(entry, where)
    sense = finite_number(entry.get("sense", 1.0), f"{where}: sense")
    if sense not in (1.0, -1.0):
        raise ModelError(f"{where}: sense of the cam's angle must be 1 or -1, got {sense:g}")
    if given == ["law"]:
        law = _angle_function(entry["law"], f"{where}: law")
        base = finite_number(entry.get("base", 0.0), f"{where}: base")
        if base <= 0.0:
            raise ModelError(f"{where}: base, the radius of the base circle [m], must be positive")
        start, lifts = path.start(base, side, where)
        return 0.0, CamFollower(path, start, lifts, sense, law, base)
    if sense != 1.0:
        raise ModelError(f"{where}: sense is of laws; a profile turns with its cam")
    profile = _angle_function(entry["profile"], f"{where}: profile")
    radii = _check_positive(profile, where)
    base = finite_number(entry.get("base", float(np.min(radii))), f"{where}: base")
    start, lifts = path.start(base, side, where)
    law = law_of_profile(profile, path, start, lifts, where)
    return 0.0, CamFollower(path, start, lifts, 1.0, law, base)


def _path(
    entry: Mapping[str, Any], ends: tuple[PlanarJoint, PlanarJoint], carrier: str, kind: str,
    roller: float, where: str,
) -> FollowerPath:  # fmt: skip
    """Return where the follower's point goes in the carrier."""
    joint = ends[1]
    follower = joint.other(carrier)
    centre = np.array(_pinned(ends[0], carrier, where))
    turns = joint.kind == "R"
    if turns and "point" not in entry:
        raise ModelError(
            f'{where}: give the "point" of the lever {follower!r} that touches the cam'
        )
    own = joint.point(follower)
    point = finite_vector(entry.get("point", own), 2, f"{where}: point")
    if turns:
        if kind == "flat" and "face" not in entry:
            raise ModelError(
                f'{where}: give the "face" of {follower!r}: the angle of its normal, away from the'
                " cam, in the lever [rad]"
            )
        face = finite_number(entry.get("face", 0.0), f"{where}: face")
        return FollowerPath(
            centre, joint.point(carrier), point - own, 1.0, face if kind == "flat" else None, roller
        )
    through, angle = _guide(joint, carrier)
    turn = float(joint.beta if joint.a == carrier else -joint.beta)
    shift = _rotated(turn, point - own)
    u = np.array([np.cos(angle), np.sin(angle)])
    face = turn + finite_number(entry.get("face", angle - turn), f"{where}: face")
    return FollowerPath(centre, through + shift, u, 0.0, face if kind == "flat" else None, roller)


def _angle_function(given: Any, where: str) -> CamLaw:  # noqa: ANN401 (from a file)
    """Return a function of the angle from segments, a table, a formula or a function."""
    if callable(given):
        return CamLaw.from_function(given, where)
    if isinstance(given, str):
        return CamLaw.from_function(lambda phi: float(parse(given, {"phi": phi})), where)
    if isinstance(given, Mapping):
        if set(given) != {"angles", "values"}:
            raise ModelError(
                f'{where}: a table has the keys "angles" and "values", got {list(given)}'
            )
        arrays = [finite_array(given[key], f"{where}: {key}") for key in ("angles", "values")]
        return CamLaw.from_table(arrays[0], arrays[1], where)
    if isinstance(given, list | tuple) and given:
        return CamLaw.from_segments(given, where)
    example = '[("cycloidal", 1.57, 0.02), ...], a table {"angles": ..., "values": ...}'
    raise ModelError(
        f"{where} must be segments {example}, a formula of phi or a function, got {given!r}"
    )


def _pressure(entry: Mapping[str, Any], where: str) -> float:
    alpha = finite_number(entry.get("alpha", 0.0), f"{where}: alpha")
    if not 0.0 <= alpha < np.pi / 4:
        raise ModelError(
            f"{where}: alpha, the pressure angle [rad], must be 0 to 0.78, got {alpha:g}"
        )
    return alpha


def _side(entry: Mapping[str, Any], where: str) -> int:
    side = entry.get("side", 1)
    if side not in (1, -1):
        raise ModelError(f"{where}: side must be 1 (left) or -1 (right), got {side!r}")
    return int(side)


def _rotated(angle: float, vector: Array) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])
