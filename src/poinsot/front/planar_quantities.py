"""What planar mechanisms are asked for, state by state or in batches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.native import NativeMethod
from poinsot.evaluate.planar_following import checked_near
from poinsot.evaluate.planar_kernels import PlanarEvaluator
from poinsot.evaluate.planar_results import copied, copied_by_name
from poinsot.formulations.composable.coulomb import rubbing_joints
from poinsot.formulations.composable.drawing import (
    drawn_coordinates,
    drawn_modes,
    with_drawn_gears,
)
from poinsot.formulations.composable.drawn_contacts import with_drawn_contacts
from poinsot.formulations.composable.sweep import Loads, equations_of
from poinsot.formulations.composable.transmission import transmitting_dyads
from poinsot.model.checks import finite_array, real_array
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.description_checks import check_mode
from poinsot.model.planar.link_names import checked_link
from poinsot.model.planar.linkage import PlanarLinkage, written_block
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.system import System

Dimensions: TypeAlias = Mapping[str, ArrayLike]
Places: TypeAlias = dict[str, Array]
"""One array for each link or joint."""
Near: TypeAlias = Mapping[str, ArrayLike] | None
"""Poses of links nearby."""


class PlanarQuantities:
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
    def description(self) -> dict[str, Any]:
        """The short description, as files hold it: bodies, joints, drivers, gravity, modes."""
        block = written_block(self.linkage) if self._block is None else dict(self._block)
        return block | {"modes": self.modes}

    @property
    def drawn(self) -> Array:
        """Coordinates of the drivers in the drawing, shape (nq,), of mechanisms that have one."""
        return drawn_coordinates(self.linkage)

    def positions(
        self, q: ArrayLike, *, dimensions: Dimensions | None = None,
        near: Near = None, out: Places | None = None,
    ) -> Places:  # fmt: skip
        """Return the pose of every link, (..., 3) each.

        Args:
            q: Coordinates of the drivers, shape (..., nq).
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
        return self._by_name("positions", {"q": q}, None, dimensions, near, out)

    def joint_places(
        self, q: ArrayLike, *, dimensions: Dimensions | None = None,
        near: Near = None, out: Places | None = None,
    ) -> Places:  # fmt: skip
        """Return where each joint is, the point p_b of its second link [m], (..., 2) each."""
        return self._by_name("joint_places", {"q": q}, None, dimensions, near, out)

    def nearness(self, q: ArrayLike, *, near: Near = None) -> dict[tuple[str, ...], Array]:
        """Return how near each unit, named by its links, is to a singular position: 0 there."""
        finite_array(q, "nearness: q")
        units = equations_of(self.linkage, self.positions(q, near=near))
        return {tuple(map(str, unit.unit.bodies)): unit.nearness for unit in units}

    def velocities(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return (ẋ, ẏ, φ̇) of every link, (..., 3) each."""
        return self._by_name("velocities", {"q": q, "v": v}, None, dimensions, near, out)

    def accelerations(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return (ẍ, ÿ, φ̈) of every link, (..., 3) each."""
        return self._by_name("accelerations", {"q": q, "v": v, "a": a}, None, dimensions, near, out)

    def joint_motions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return place, velocity and acceleration of each joint, (..., 3, 2) each: p_b in rows."""
        return self._by_name("joint_motions", {"q": q, "v": v, "a": a}, None, dimensions, near, out)

    def mass_matrix(
        self, q: ArrayLike, *, dimensions: Dimensions | None = None,
        near: Near = None, out: Array | None = None,
    ) -> Array:  # fmt: skip
        """Return M_red of τ = M_red q̈ + h, shape (..., nq, nq)."""
        return self._of_drivers("mass_matrix", {"q": q}, None, dimensions, near, out)

    def bias(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return h of τ = M_red q̈ + h: velocity terms, gravity and loads, shape (..., nq).

        Coulomb friction is no part of it: it is not linear in q̈.
        """
        return self._of_drivers("bias", {"q": q, "v": v}, loads, dimensions, near, out)

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return the forces and torques of the drivers [N, N m], shape (..., nq)."""
        given = {"q": q, "v": v, "a": a}
        return self._of_drivers("inverse_dynamics", given, loads, dimensions, near, out)

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return the accelerations of the drivers under their forces ``tau``, shape (..., nq)."""
        given = {"q": q, "v": v, "tau": tau}
        return self._of_drivers("forward_dynamics", given, loads, dimensions, near, out)

    def reactions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Places | None = None,
    ) -> Places:
        """Return what each joint exerts on its second link, (..., 2) each, without the driver.

        Pins: force [Fx, Fy] [N] in the axes of the ground.  Slides: [N, T]: force N [N] along the
        normal of the guide through p_b, and couple [N m]; [N] alone, (..., 1), where a slide closes
        a loop of slides, whose couples are not determined.
        """
        return self._by_name("reactions", {"q": q, "v": v, "a": a}, loads, dimensions, near, out)

    def shaking_force(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        loads: Loads | None = None,
        dimensions: Dimensions | None = None,
        near: Near = None,
        out: Array | None = None,
    ) -> Array:
        """Return force and moment about the origin [Fx, Fy, M] on the ground, shape (..., 3)."""
        given = {"q": q, "v": v, "a": a}
        return self._of_drivers("shaking_force", given, loads, dimensions, near, out)

    def friction(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, loads: Loads | None = None,
        near: Near = None,
    ) -> dict[str, Array]:  # fmt: skip
        """Return Coulomb friction on the second link of each joint that has some, (..., 1) each.

        Pins: a couple [N m]; slides: a force along the guide [N].  It depends on the reactions and
        changes them: all are solved together.
        """
        if not rubbing_joints(self.linkage):
            return {}
        return dict(self._by_name("friction", {"q": q, "v": v, "a": a}, loads, None, near, None))

    def transmission(
        self, q: ArrayLike, *, dimensions: Dimensions | None = None, out: Places | None = None
    ) -> Places:
        """Return sin² μ of the transmission angle of each dyad by its inner joint, (..., 1) each.

        0 at dead points, negative where the dyad cannot be assembled, NaN after that.
        """
        if not transmitting_dyads(self.linkage):
            return {}
        return self._by_name("transmission", {"q": q}, None, dimensions, None, out)

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

    def system_state(self, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
        """Return q and v of ``system()`` at the drivers' coordinates and rates."""
        from poinsot.front.planar_system import coordinates_of

        q, v = self.checked("q", q), self.checked("v", v)
        system = self.system(friction=False)
        return coordinates_of(self.linkage, system, self.positions(q), self.velocities(q, v))

    def operations(self, quantity: str) -> int:
        """Return how many operations the program of a quantity takes for one state.

        Args:
            quantity: Name of a method: "forward_dynamics", "reactions", ...
        """
        return self._evaluator.operations(quantity)

    def _by_name(
        self,
        quantity: str,
        given: Mapping[str, ArrayLike],
        loads: Loads | None,
        dimensions: Dimensions | None,
        near: Near,
        out: Places | None,
    ) -> Places:
        """Return a quantity of links or joints; plain calls are machine code from then on."""
        if loads:
            self.check_loads(loads)
        checked = {name: self.checked(name, values) for name, values in given.items()}
        nearby = None if near is None else checked_near(self.linkage, near)
        results = self._evaluator(quantity, checked, loads, dimensions, nearby)
        if not loads and not dimensions and near is None:
            self._go_native(quantity, single=checked["q"].ndim == 1)
        return results if out is None else copied_by_name(quantity, results, out)

    def _of_drivers(
        self,
        quantity: str,
        given: Mapping[str, ArrayLike],
        loads: Loads | None,
        dimensions: Dimensions | None,
        near: Near,
        out: Array | None,
    ) -> Array:
        """Return a quantity of the drivers."""
        result = self._by_name(quantity, given, loads, dimensions, near, None)[quantity]
        return result if out is None else copied(quantity, result, out)

    def _go_native(self, quantity: str, *, single: bool) -> None:
        """Put machine code in the place of a method, where it can answer; see ``Evaluation``."""
        if quantity not in self._natives:
            method = getattr(type(self), quantity).__get__(self)
            native = self._evaluator.native(quantity, method)
            if native is None:
                return
            self._natives[quantity] = native
            self.__dict__[quantity] = native.function
        if single:
            self._natives[quantity].add_single()
        else:
            self._natives[quantity].add_batch()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs; it makes its own machine code."""
        return {name: self.__dict__[name] for name in ("linkage", "modes", "_block")}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Take over the state of another."""
        self.__dict__.update(state)

    @cached_property
    def _natives(self) -> dict[str, NativeMethod]:
        """Methods that are machine code."""
        return {}

    def check_loads(self, loads: Mapping[str, Any] | None) -> None:
        """Reject loads on links that do not exist, and such that are no [Fx, Fy, M]."""
        if not isinstance(loads or {}, Mapping):
            raise ModelError(f'loads must be by link, {{"rod": (Fx, Fy, M)}}, got {loads!r}')
        for name in loads or {}:
            checked_link(name, self.linkage.links, "loads")
        for name, load in (loads or {}).items():
            if not callable(load) and np.shape(load)[-1:] != (3,):
                raise ModelError(
                    f"loads: the load on {name!r} must be [Fx, Fy, M], shape (..., 3), got {load!r}"
                )

    @cached_property
    def _evaluator(self) -> PlanarEvaluator:
        return PlanarEvaluator(self.linkage, self.modes)

    def checked(self, what: str, values: ArrayLike) -> Array:
        """Return coordinates, rates or forces of the drivers as an array (..., nq)."""
        array = np.asarray(values)
        if array.dtype not in (np.float64, object):
            array = real_array(values, what)
        nq = len(self.linkage.drivers)
        if array.ndim == 0 or array.shape[-1] != nq:
            names = ", ".join(self.linkage.drivers)
            raise ShapeError(
                f"{what} must have the shape (..., {nq}), one entry for each driver ({names}),"
                f" not {array.shape}"
            )
        return array
