"""The scene of a system: its shapes and meshes, or solids that look like a mechanism.

A body with shapes is shown by them.  Others are links between their joints, made from the stick
figure of ``plots/skeleton.py``; a joint is a pin, a ball or a block in its guide.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from poinsot.model import (
    WORLD,
    AbstractJoint,
    AbstractShape,
    Body,
    Box,
    Capsule,
    Cylinder,
    Loop,
    Mesh,
    Planar,
    Pose,
    Sphere,
)
from poinsot.model.model_warnings import warn
from poinsot.plots.all_poses import all_poses
from poinsot.plots.closures import slide_directions
from poinsot.plots.inertia_boxes import box_axes
from poinsot.plots.run_like import SystemLike
from poinsot.plots.skeleton import Skeleton, skeleton
from poinsot.plots.style import GREY, INK, line_colours
from poinsot.spatial import Array
from poinsot.viewer.mesh_files import MeshFileError, read_mesh
from poinsot.viewer.scene import JointAxis, SceneBody, Solid, SolidScene, Strut
from poinsot.viewer.toothed_solids import along, placed, toothed_solids

__all__ = ["scene_of"]

_THICK = 0.018
"""Radius of a made link, relative to the size of the system."""

_GUIDES = 6.0
"""Length of a guide beyond the travel of its slider, in radii of links."""

_BARREL = 0.7
"""Length of a cylinder, relative to its rod where it is furthest in."""

_BARE = "#b4b8bf"
"""Of meshes without a colour."""

_UP = "xyz"


def scene_of(system: SystemLike, q: Array) -> SolidScene:
    """Return what is shown of a system.

    Args:
        system: The system, with numbers in place of parameters.
        q: The configurations that will be shown, shape (n, nq): guides are as long as travels.
    """
    figure = skeleton(system, q[:1])
    size = _size(figure)
    maker = _Maker(system, q, figure, _THICK * size)
    bodies = tuple(maker.bodies())
    gravity = np.abs(system.gravity)
    axis = int(np.argmax(gravity)) if gravity.any() else 2
    up = ("-" if system.gravity[axis] > 0.0 else "") + _UP[axis]
    return SolidScene(
        system.name,
        bodies,
        tuple(maker.ground()),
        tuple(maker.struts()),
        tuple(_joint_axes(system)),
        tuple(maker.meshes),
        size,
        up,
        bool(gravity.any()),
    )


def _size(figure: Skeleton) -> float:
    """Return the diagonal of what is drawn, or 1 m of a point [m]."""
    points = figure.points()[0]
    diagonal = float(np.linalg.norm(np.ptp(points, axis=0)))
    return diagonal if diagonal > 0.0 else 1.0


class _Maker:
    """Makes the solids of one system."""

    def __init__(self, system: SystemLike, q: Array, figure: Skeleton, radius: float) -> None:
        self._system, self._q, self._figure, self._radius = system, q, figure, radius
        self._poses = all_poses(system, q[:1])[0]
        self._toothed = toothed_solids(system, q, radius)
        self._guided = slide_directions(system.mechanism)
        boxes = set(figure.box_bodies.tolist()) - set(self._toothed)
        self._boxed = {i for i in boxes if not _is_between(system.bodies[i])}
        has_mesh = any(map(_has_mesh, system.bodies))
        self._bare = _BARE if has_mesh else None
        shaped = sum(bool(body.shapes) for body in system.bodies)
        self._is_drawn = has_mesh and shaped > len(system.bodies) / 2
        self._files: dict[str, list[tuple[int, str | None]]] = {}
        self.meshes: list[tuple[Array, Array]] = []

    def bodies(self) -> Iterator[SceneBody]:
        """Yield the bodies."""
        bodies = self._system.bodies
        colours = _colours(len(bodies))
        for i, body in enumerate(bodies):
            solids = tuple(self._shapes(body))
            if solids or not self._is_drawn:  # else it is within the meshes of others
                solids = self._completed(i, body, solids)
            com = tuple(map(float, body.com))
            yield SceneBody(body.name, colours[i], solids, float(body.mass), com)

    def _completed(self, i: int, body: Body, shapes: tuple[Solid, ...]) -> tuple[Solid, ...]:
        """Return the shapes of a body, or made links, with what shows its joints."""
        solids = shapes or (*self._links(i, body), *self._toothed.get(i, ()))
        if _is_link(body):
            solids += tuple(self._pin(i, body, is_bare=not solids))
        if not _has_mesh(body):
            solids += tuple(self._closings(body))
        return solids

    def ground(self) -> Iterator[Solid]:
        """Yield what is fixed to the world: where roots and loops hold on to it, guides."""
        r = self._radius
        for i, body in enumerate(self._system.bodies):
            if body.parent == "world" and 0 < body.joint.nv < 6 and _is_link(body):
                yield from self._guide(i, body)
                if "m" not in body.joint.q_units:  # what slides leaves its anchor
                    yield Solid("sphere", (1.35 * r,), placed(self._figure.anchors[0, i]), GREY)
        for point in self._figure.grounds[0]:
            yield Solid("sphere", (1.35 * r,), placed(point), GREY)

    def struts(self) -> Iterator[Strut]:
        """Yield springs, dampers and massless rods."""
        figure = self._figure
        for ends, coiled, damped in zip(
            figure.springs[0], figure.coiled, figure.damped, strict=True
        ):
            kind = "spring" if coiled else "damper" if damped else "rod"
            yield self._strut(kind, ends)
        for ends in figure.ties[0]:
            yield self._strut("rod", ends)
        for i, body in enumerate(self._system.bodies):
            parent = self._system.mechanism.parents[i]
            if parent >= 0 and body.joint.q_units == ("m",) and not _has_mesh(body):
                base = tuple(map(float, body.pose.xyz))
                shortest = float(np.nanmin(np.abs(self._travel(i))))
                length = max(_BARREL * shortest, 4.0 * self._radius)
                yield Strut("piston", (parent, i), (base, (0.0, 0.0, 0.0)), length)

    def _strut(self, kind: str, ends: Array) -> Strut:
        """Return a strut between world points, fixed to whatever body carries them."""
        mechanism = self._system.mechanism
        pairs = [
            *(force.ends for force in mechanism.forces if hasattr(force, "ends")),
            *(
                tuple((body, pose.xyz) for body, pose in pair)
                for closure in mechanism.closures
                for pair in closure.pairs
            ),
        ]
        for pair in pairs:
            places = [self._place(body, np.array(xyz, dtype=float)) for body, xyz in pair]
            if np.allclose(places, ends, rtol=0.0, atol=1e-9):
                indices = tuple(
                    -1 if body == "world" else mechanism.index(body) for body, _ in pair
                )
                points = tuple(tuple(map(float, xyz)) for _, xyz in pair)
                return Strut(kind, (indices[0], indices[1]), (points[0], points[1]))
        fixed = tuple(tuple(map(float, end)) for end in ends)
        return Strut(kind, (-1, -1), (fixed[0], fixed[1]))

    def _place(self, body: str, xyz: Array) -> Array:
        if body == "world":
            return xyz
        pose = self._poses[self._system.mechanism.index(body)]
        place: Array = pose[:3, :3] @ xyz + pose[:3, 3]
        return place

    def _shapes(self, body: Body) -> Iterator[Solid]:
        for shape in body.shapes:
            if shape.role == "visual":
                yield from self._solids(body, shape)

    def _solids(self, body: Body, shape: AbstractShape) -> Iterator[Solid]:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = shape.pose.transform().R, shape.pose.transform().p
        colour = self._bare if shape.color is None else shape.color[:7]
        opacity = int(shape.color[7:], 16) / 255.0 if shape.color and len(shape.color) == 9 else 1.0
        look = colour, opacity
        if isinstance(shape, Box):
            yield Solid("box", _numbers(shape.size), pose, *look)
        elif isinstance(shape, Sphere):
            yield Solid("sphere", (float(shape.radius),), pose, *look)
        elif isinstance(shape, Cylinder | Capsule):
            kind = "capsule" if isinstance(shape, Capsule) else "cylinder"
            yield Solid(kind, (float(shape.radius), float(shape.length)), pose, *look)
        elif isinstance(shape, Mesh):
            for number, own in self._surfaces(body.name, shape):
                seen = own or _BARE if shape.color is None else colour
                yield Solid("mesh", _numbers(shape.scale), pose, seen, opacity, number)

    def _surfaces(self, body: str, shape: Mesh) -> list[tuple[int, str | None]]:
        """Return the numbers and colours of the surfaces of a mesh, read at its first use."""
        if shape.file is None:
            if shape.path not in self._files:
                self._files[shape.path] = []
                why = (
                    "it is not known where it is: its model was not loaded, or it is outside of it"
                )
                warn(f"body {body!r}: mesh {shape.path[:200]!r} is not shown, since {why}")
            return []
        if shape.file not in self._files:
            self._files[shape.file] = surfaces = []
            try:
                for vertices, triangles, colour in read_mesh(shape.file):
                    surfaces.append((len(self.meshes), colour))
                    self.meshes.append((vertices, triangles))
            except MeshFileError as error:
                warn(f"body {body!r}: mesh {shape.path!r} is not shown, since {error}")
        return self._files[shape.file]

    def _links(self, i: int, body: Body) -> Iterator[Solid]:
        """Yield the bars of a body, or its box."""
        figure, pose = self._figure, self._poses[i]
        for rod in figure.rods[0, figure.rod_bodies == i]:
            start, end = ((point - pose[:3, 3]) @ pose[:3, :3] for point in rod)
            yield from _bar(start, end, self._radius)
        if i in self._boxed:
            half = box_axes(body, 5.0 * self._radius, self._guided.get(i))
            lengths = np.linalg.norm(half, axis=0)
            axes, com = half / lengths, np.array(body.com, dtype=float)
            wheel = _wheel_axis(lengths) if "rad/s" in body.joint.v_units else None
            if wheel is not None:
                size = 2.0 / np.sqrt(3.0) * lengths[wheel - 1], 2.0 * lengths[wheel]
                yield Solid("cylinder", _numbers(size), along(com, axes[:, wheel]))
                return
            pose = placed(com)
            pose[:3, :3] = axes * np.where(np.linalg.det(axes) < 0.0, [1.0, 1.0, -1.0], 1.0)
            yield Solid("box", _numbers(2.0 * lengths), pose)

    def _pin(self, i: int, body: Body, *, is_bare: bool) -> Iterator[Solid]:
        """Yield what shows the joint of a body.

        Bare bodies have nothing else, like those between the axes of a hip: theirs are small.
        """
        r, kind = self._pin_radius(body) * (0.6 if is_bare else 1.0), body.joint
        axis = _turned_about(kind)
        if kind.nv and kind.nv < 6:
            if "m" in kind.q_units and axis is not None and self._is_block(i):
                yield Solid("box", (3.6 * r, 3.6 * r, 6.0 * r), along(np.zeros(3), axis), INK)
            elif axis is not None and "m" not in kind.q_units:
                yield Solid("cylinder", (1.45 * r, 4.2 * r), along(np.zeros(3), axis), INK)
            elif "m" not in kind.q_units:
                yield Solid("sphere", (1.7 * r,), np.eye(4), INK)

    def _is_block(self, i: int) -> bool:
        """Whether a body that slides shows it by a block: no box, rack or rod of a cylinder is."""
        is_other = i in self._boxed or i in self._toothed
        return not is_other and self._system.mechanism.parents[i] < 0

    def _closings(self, body: Body) -> Iterator[Solid]:
        """Yield the joints that close loops on a body."""
        for loop in self._system.mechanism.loops:
            if loop.second[0] == body.name:
                yield from self._closing(loop, self._pin_radius(body))

    def _pin_radius(self, body: Body) -> float:
        """Return the radius of the bars of a body [m]."""
        own = [float(shape.radius) for shape in body.shapes if isinstance(shape, Capsule)]
        return max(own, default=self._radius)

    def _closing(self, loop: Loop, r: float) -> Iterator[Solid]:
        transform = loop.second[1].transform()
        axis = _turned_about(loop.joint)
        if axis is None:
            yield Solid("sphere", (1.7 * r,), placed(transform.p), INK)
        else:
            pose = along(transform.p, transform.R @ axis)
            yield Solid("cylinder", (1.45 * r, 4.2 * r), pose, INK)

    def _travel(self, i: int) -> Array:
        """Return the first coordinate of the joint of a body, shape (n,)."""
        travel: Array = self._q[:, self._system.q_slice(self._system.joint_names[i])][:, 0]
        return travel

    def _guide(self, i: int, body: Body) -> Iterator[Solid]:
        """Yield the rail of a slider on the world, as long as its travel."""
        axis = getattr(body.joint, "axis", None)
        if axis is None or body.joint.q_units != ("m",):
            return
        travel = self._travel(i)
        low, high = float(np.nanmin(travel)), float(np.nanmax(travel))
        frame = body.pose.transform()
        direction = frame.R @ np.array(axis, dtype=float)
        middle = frame.p + direction * (low + high) / 2.0
        beyond = _GUIDES * (2.5 if i in self._boxed else 1.0)  # boxes are up to 16 radii wide
        length = high - low + 2.0 * beyond * self._radius
        yield Solid("cylinder", (0.6 * self._radius, length), along(middle, direction), GREY)


def _joint_axes(system: SystemLike) -> Iterator[JointAxis]:
    """Yield the axes of all joints that have some."""
    mechanism = system.mechanism
    for i, (name, body) in enumerate(zip(system.joint_names, system.bodies, strict=True)):
        frames = (i, Pose()), (mechanism.parents[i], body.pose)
        yield from _axes_of(name, body.joint, *frames)
    for loop in mechanism.loops:
        first, second = (
            (-1 if body == WORLD else mechanism.index(body), pose)
            for body, pose in (loop.first, loop.second)
        )
        yield from _axes_of(loop.name, loop.joint, second, first)


def _axes_of(
    name: str, joint: AbstractJoint, body: tuple[int, Pose], parent: tuple[int, Pose]
) -> Iterator[JointAxis]:
    """Yield the axes of a joint: the first of two that turn is fixed to the parent's side."""
    axes = [getattr(joint, key, None) for key in ("axis", "axis2")]
    if isinstance(joint, Planar):  # it turns about the normal of its two directions
        axes = [np.cross(joint.axis, joint.axis2), None]
    for axis, (number, pose) in zip(axes, (body if axes[1] is None else parent, body), strict=True):
        if axis is not None:
            frame = pose.transform()
            direction = frame.R @ np.array(axis, dtype=float)
            yield JointAxis(name, number, _numbers(frame.p), _numbers(direction))


def _turned_about(joint: AbstractJoint) -> Array | None:
    """Return the only axis of a joint, if it has no further one."""
    axis = None if hasattr(joint, "axis2") else getattr(joint, "axis", None)
    return None if axis is None else np.array(axis, dtype=float)


def _is_link(body: Body) -> bool:
    """Whether a body is drawn as bars, which pins join."""
    return all(isinstance(shape, Capsule) for shape in body.shapes if shape.role == "visual")


def _wheel_axis(lengths: Array) -> int | None:
    """Return the axis about which an inertia is that of a wheel or drum, if there is one.

    A cylinder of radius 2 a / √3 has the inertia of the box with half sides a, a, c, and its height
    2 c: both have m (a² + c²) / 3 across and 2 m a² / 3 about the axis.
    """
    for axis in range(3):
        a, b = (lengths[k] for k in range(3) if k != axis)
        if np.isclose(a, b, rtol=1e-6) and not np.isclose(a, lengths[axis], rtol=1e-3):
            return axis
    return None


def _is_between(body: Body) -> bool:
    """Whether a body is only there to give another one several freedoms: it is not seen."""
    return float(body.mass) == 0.0 and body.joint.nv > 0 and body.joint.q_units != ("m",)


def _has_mesh(body: Body) -> bool:
    return any(isinstance(shape, Mesh) for shape in body.shapes)


def _colours(n: int) -> list[str]:
    from matplotlib.colors import to_hex

    return [to_hex(colour) for colour in line_colours(n)]


def _bar(start: Array, end: Array, radius: float) -> Iterator[Solid]:
    length = float(np.linalg.norm(end - start))
    if length > 0.0:
        yield Solid("capsule", (radius, length), along((start + end) / 2.0, end - start))


def _numbers(values: Array | tuple[object, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)  # type: ignore[arg-type]
