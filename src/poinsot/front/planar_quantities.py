"""What planar mechanisms are asked for, state by state or in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.coulomb import rubbing_joints
from poinsot.formulations.composable.drawing import (
    drawn_coordinates,
    drawn_modes,
    with_drawn_gears,
)
from poinsot.formulations.composable.drawn_contacts import with_drawn_contacts
from poinsot.formulations.composable.sweep import Loads, equations_of
from poinsot.formulations.composable.transmission import transmitting_joints
from poinsot.front.planar_evaluation import (
    Dimensions,
    Near,
    Places,
    PlanarEvaluation,
    checked_time,
)
from poinsot.front.planar_given import held_values, with_held
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.description_checks import check_mode
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.planar.parts import flattened
from poinsot.model.planar.system_content import OF_SYSTEM
from poinsot.model.planar.written_block import content_of, written_block
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.system import System


class PlanarQuantities(PlanarEvaluation):
    """Motions and forces of a planar mechanism; see ``PlanarMechanism``."""

    def __init__(
        self,
        linkage: PlanarLinkage,
        modes: Mapping[str, int] | None = None,
        block: Mapping[str, Any] | None = None,
    ) -> None:
        self.linkage = linkage = with_drawn_gears(with_drawn_contacts(linkage))
        self.modes = {} if linkage.drawn is None else drawn_modes(linkage)
        self.modes |= modes or {}
        self._block = block
        inner = [
            pair.name for unit in linkage.units for pair in unit.inner
            if pair.name not in unit.drivers
        ]  # fmt: skip
        for name, mode in self.modes.items():
            check_mode(name, mode)
            if name not in inner:
                raise ModelError(
                    f"modes: {name!r} is no undriven joint inside a unit; {suggestion(name, inner)}"
                )

    @property
    def units(self) -> tuple[Unit, ...]:
        """Its units, in the order of assembly."""
        return self.linkage.units

    def with_modes(self, **modes: int) -> Self:
        """Return the mechanism in another assembly."""
        return type(self)(self.linkage, {**self.modes, **modes}, self._block)

    @property
    def states(self) -> dict[str, float]:
        """States of the system that it was made of, and the numbers at which they are held."""
        return held_values(self.linkage)

    def with_states(self, **states: float) -> Self:
        """Return the mechanism with states held at other numbers; runs begin with them."""
        linkage, block = with_held(self.linkage, states), self._block
        if block is not None:  # parts hold states, too
            block = flattened(block) | {OF_SYSTEM: content_of(linkage)}
        return type(self)(linkage, self.modes, block)

    @property
    def description(self) -> dict[str, Any]:
        """The short description, as files hold it: bodies, joints, drivers, gravity, modes.

        Raises:
            ModelError: It has equations or force elements of a system, which files cannot hold.
        """
        if self.linkage.of_systems:
            raise ModelError(
                f"{self.linkage.of_systems} come from a System, which descriptions and files of"
                " planar mechanisms do not have; save the System and take from_system again"
            )
        return self.carried_description

    @property
    def carried_description(self) -> dict[str, Any]:
        """The description with what it carries of a system: for parts and other drivers."""
        block = written_block(self.linkage) if self._block is None else dict(self._block)
        return block | {"modes": self.modes}

    @property
    def drawn(self) -> Array:
        """Coordinates of the drivers in the drawing, shape (nq,), of mechanisms that have one."""
        return drawn_coordinates(self.linkage)

    def positions(
        self, q: ArrayLike, *, t: ArrayLike = 0.0, dimensions: Dimensions | None = None,
        near: Near = None, out: Places | None = None,
    ) -> Places:  # fmt: skip
        """Return the pose of every link, (..., 3) each.

        Args:
            q: Coordinates of the drivers, shape (..., nq): floats, expressions, complex, mpmath's.
            t: Time [s], shape (...); only matters if a constraint or a force element of a system
                depends on it.  All other methods take it too.
            dimensions: Values of dimensions by name, of many variants in one call: "B.pa" and
                "B.pb" (places of joint B), "D.ua", "D.beta", "rod.m", "rod.J", "rod.c".  Shapes
                (..., 2) or (...) broadcast with states; (1000, 1, 2) with q of shape (360, 1) are
                1000 variants at 360 positions.  What cannot be assembled is NaN.  All other
                methods take them too.
            near: Poses of links nearby, (..., 3) each, from which groups without closed form
                are found; they are followed from the drawing by default.  A result of this method,
                at states a little away, will do.  All other methods take them too.
            out: The result of an earlier call for as many states, which is written again and
                returned; of methods that return an array, an array.
        """
        return self._by_name("positions", {"q": q, "t": t}, None, dimensions, near, out)

    def joint_places(
        self, q: ArrayLike, *, t: ArrayLike = 0.0, dimensions: Dimensions | None = None,
        near: Near = None, out: Places | None = None,
    ) -> Places:  # fmt: skip
        """Return where each joint is, the point p_b of its second link [m], (..., 2) each."""
        return self._by_name("joint_places", {"q": q, "t": t}, None, dimensions, near, out)

    def nearness(
        self, q: ArrayLike, *, t: ArrayLike = 0.0, near: Near = None
    ) -> dict[tuple[str, ...], Array]:
        """Return how near each unit, named by its links, is to a singular position: 0 there."""
        poses = self.positions(self.checked_floats("nearness: q", q), t=t, near=near)
        clock = clock_motion(self.linkage, checked_time(t))
        units = equations_of(self.linkage, poses | clock.poses)
        return {tuple(map(str, unit.unit.bodies)): unit.nearness for unit in units}

    def velocities(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return (ẋ, ẏ, φ̇) of every link, (..., 3) each."""
        return self._by_name("velocities", {"q": q, "v": v, "t": t}, None, dimensions, near, out)

    def accelerations(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return (ẍ, ÿ, φ̈) of every link, (..., 3) each."""
        return self._by_name(
            "accelerations", {"q": q, "v": v, "a": a, "t": t}, None, dimensions, near, out
        )

    def joint_motions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return place, velocity and acceleration of each joint, (..., 3, 2) each: p_b in rows."""
        return self._by_name(
            "joint_motions", {"q": q, "v": v, "a": a, "t": t}, None, dimensions, near, out
        )

    def mass_matrix(
        self, q: ArrayLike, *, t: ArrayLike = 0.0, dimensions: Dimensions | None = None,
        near: Near = None, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """Return M_red of τ = M_red q̈ + h, shape (..., nq, nq)."""
        return self._of_drivers("mass_matrix", {"q": q, "t": t}, None, dimensions, near, out)

    def bias(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return h of τ = M_red q̈ + h: velocity terms, gravity and loads, shape (..., nq).

        Coulomb friction is no part of it: it is not linear in q̈.
        """
        return self._of_drivers("bias", {"q": q, "v": v, "t": t}, loads, dimensions, near, out)

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return the forces and torques of the drivers [N, N m], shape (..., nq)."""
        given = {"q": q, "v": v, "a": a, "t": t}
        return self._of_drivers("inverse_dynamics", given, loads, dimensions, near, out)

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return the accelerations of the drivers under their forces ``tau``, shape (..., nq)."""
        given = {"q": q, "v": v, "tau": tau, "t": t}
        return self._of_drivers("forward_dynamics", given, loads, dimensions, near, out)

    def reactions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        tau: ArrayLike | None = None,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return what each joint exerts on its second link, (..., 2) each, without the driver.

        Pins: force [Fx, Fy] [N] in the axes of the ground.  Slides: [N, T]: force N [N] along the
        normal of the guide through p_b, and couple [N m]; [N] alone, (..., 1), where a slide closes
        a loop of slides, whose couples are not determined.  Gears, cams, curves and constraints of
        systems: their force or couple, the multiplier, (..., 1).

        Args:
            q: Coordinates of the drivers, shape (..., nq).
            v: Their rates.
            a: Their accelerations.
            t: Time [s], shape (...).
            tau: Forces of the drivers, shape (..., nq), of mechanisms with constraints on
                velocities: what they lack for this motion, the constraints do.  Those of least norm
                by default, which ``inverse_dynamics`` returns; no other mechanism needs them.
            loads: External loads [Fx, Fy, M] by link.
            dimensions: Values of dimensions by name, as of ``positions``.
            near: Poses of links nearby.
            out: The result of an earlier call.
        """
        given = {"q": q, "v": v, "a": a, "t": t, "tau": tau}
        return self._by_name("reactions", given, loads, dimensions, near, out)

    def shaking_force(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        tau: ArrayLike | None = None,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return force and moment about the origin [Fx, Fy, M] on the ground, shape (..., 3)."""
        given = {"q": q, "v": v, "a": a, "t": t, "tau": tau}
        return self._of_drivers("shaking_force", given, loads, dimensions, near, out)

    def friction(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, t: ArrayLike = 0.0,
        loads: Loads | None = None, dimensions: Dimensions | None = None, near: Near = None,
        out: Places | None = None,
    ) -> Places:  # fmt: skip
        """Return Coulomb friction on the second link of each joint that has some, (..., 1) each.

        Pins: a couple [N m]; slides: a force along the guide [N].  It depends on the reactions and
        changes them: all are solved together.  Variants in which a joint locks itself are NaN.
        """
        if not rubbing_joints(self.linkage):
            return {}
        given = {"q": q, "v": v, "a": a, "t": t}
        return self._by_name("friction", given, loads, dimensions, near, out)

    def transmission(
        self, q: ArrayLike, *, t: ArrayLike = 0.0, dimensions: Dimensions | None = None,
        near: Near = None, out: Places | None = None,
    ) -> Places:  # fmt: skip
        """Return sin² μ of the transmission angle of each dyad by its inner joint, (..., 1) each.

        0 at dead points, negative where the dyad cannot be assembled, NaN after that.
        """
        if not transmitting_joints(self.linkage):
            return {}
        return self._by_name("transmission", {"q": q, "t": t}, None, dimensions, near, out)

    def system(self, name: str = "planar mechanism", *, friction: bool = True) -> System:
        """Return the same mechanism as a ``System`` in the plane z = 0, loops closed by joints.

        Its joints have the names and coordinates of those here.

        Args:
            name: Its name.
            friction: Whether Coulomb friction must not be left out: a System has none that depends
                on reactions.
        """
        from poinsot.front.planar_system import planar_system

        rubbing = [joint.name for joint in rubbing_joints(self.linkage)]
        if rubbing and friction:
            raise ModelError(
                f"system: Coulomb friction in {', '.join(rubbing)} depends on reactions, which a"
                " System has not; system(friction=False) leaves it out"
            )
        return planar_system(self.linkage, name)

    def system_state(
        self, q: ArrayLike, v: ArrayLike, *, t: ArrayLike = 0.0
    ) -> tuple[Array, Array]:
        """Return q and v of ``system()`` at the drivers' coordinates and rates."""
        from poinsot.front.planar_system import coordinates_of

        q, v = self.checked_floats("q", q), self.checked_floats("v", v)
        system = self.system(friction=False)
        return coordinates_of(
            self.linkage, system, self.positions(q, t=t), self.velocities(q, v, t=t)
        )

    def operations(self, quantity: str) -> int:
        """Return how many operations the program of a quantity takes for one state.

        Args:
            quantity: Name of a method: "forward_dynamics", "reactions", ...
        """
        return self._evaluator.operations(quantity)
