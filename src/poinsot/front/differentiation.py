"""Derivatives of every quantity, of any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, PoinsotError, ShapeError
from poinsot.evaluate.call_arrays import result_in
from poinsot.evaluate.call_options import CallOptions, LoadOptions, check_keywords
from poinsot.evaluate.derivative import symmetric_part
from poinsot.evaluate.inputs import PARAMETERS, input_size
from poinsot.evaluate.motion_in_time import motion_arguments
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import Derivative, Request
from poinsot.expr import TooManyNodesError
from poinsot.front.derivative_arguments import (
    arguments_of,
    base_rates_of,
    directions_of,
    flat_weights,
)
from poinsot.front.dynamics import Dynamics
from poinsot.front.named_quantity import Selection, hashable, request_by_name, whole_state
from poinsot.front.unit_directions import along_unit_vectors
from poinsot.model import parameter_hint
from poinsot.model.environment import BASE, DRIVES, WRENCHES
from poinsot.model.parameters import names_in
from poinsot.spatial import Array

__all__ = ["Differentiation"]

EXTERNAL = WRENCHES, BASE, DRIVES
"""External loads, by which quantities are differentiated where they are given."""


class Differentiation(Dynamics):
    """The methods of ``System`` that differentiate its quantities.

    Derivatives by q are along ``integrate(q, δ)``: entry k is d/ds f(integrate(q, s e_k)) at s = 0,
    so that free and spherical joints have one for each velocity.  Those by anything else are the
    usual partial derivatives.
    """

    def derivative(
        self, quantity: str, *state: ArrayLike, by: str | Sequence[str],
        along: ArrayLike | Sequence[ArrayLike | None] | None = None,
        weights: ArrayLike | None = None, body: str | None = None, axes: str | None = None,
        loop: str | None = None, joints: Sequence[str] | None = None,
        point: ArrayLike | None = None, t: ArrayLike = 0.0, **how: Unpack[LoadOptions],
    ) -> Array:  # fmt: skip
        """Return a derivative of a quantity, of any order, shape (..., those of f, one axis each).

            result[..., α, β] = D_α (D_β f)      for by=("q", "v"): D_α by q, D_β by v

        The last argument is differentiated first; by q twice, entries of one joint with a
        quaternion do not commute.  ``hessian`` is the symmetric second derivative.

        Args:
            quantity: Its name, e.g. "inverse_dynamics", "pose", "constraint_jacobian".
            state: Its inputs, in order: q, v, ...
            by: What to differentiate by: an input ("q", "v", "a", "tau", "point", "t", "wrenches",
                "base", "drives"), "parameters" (all free ones, then further states), or the name of
                one; several for higher orders.  The time and single parameters have no axis.
            along: A direction for each argument, shape (..., nv) for q, or None for all entries;
                derivatives along a direction have no axis.
            weights: Of the entries of f, in its shape: gives the derivative of their weighted sum,
                the product of the weights and the Jacobian from the left.
            body: Name of the body, for a quantity of one.
            axes: "body" (default) or "world", where there is a choice; of reactions also "joint".
            loop: Name of the loop or curve, for the coordinates of one ("closure_position").
            joints: Names of the joints that are driven, for inverse dynamics.
            point: In body coordinates [m], shape (..., 3), for a quantity of a point; by default
                the origin of the body.
            t: Time [s], shape (...).
            how: ``parameters``, ``states``, ``out``, ``backend`` and, where they are part of the
                quantity, external loads (``LoadOptions``).

        >>> import poinsot as ps
        >>> arm = ps.library.double_pendulum()
        >>> q, v, a = [0.3, 0.1], [1.0, 2.0], [0.0, 0.0]
        >>> arm.derivative("inverse_dynamics", q, v, a, by="q").shape
        (2, 2)
        >>> arm.derivative("potential_energy", q, by=("q", "q")).shape
        (2, 2)
        """
        arguments = arguments_of(by)
        if not arguments:
            raise ModelError(
                f"derivative: by names what to differentiate by, e.g. by='q', got {by!r}; order 0 "
                f"is the quantity itself: system.evaluate({quantity!r}, ...)"
            )
        state = whole_state("derivative", quantity, state, point)
        directions = directions_of(arguments, along)
        kinds, weighted = tuple([x is not None for x in directions]), weights is not None
        joints = hashable(joints)
        names = "derivative", quantity, arguments, kinds, weighted, body, axes, loop, joints
        native = self._evaluation.shortcuts.find(names)
        numbers = [*state, *(() if weights is None else (weights,))]
        numbers += [x for x in directions if x is not None]
        if native is not None:
            return native(*numbers, t=t, **how)
        chosen = Selection(body=body, axes=axes, loop=loop, joints=joints)
        request = request_by_name(self._mechanism, "derivative", quantity, chosen)

        def plain(*numbers: ArrayLike, t: ArrayLike = 0.0, **how: Any) -> Array:  # noqa: ANN401
            given = iter(numbers)
            state = tuple([next(given) for _ in quantity_of(quantity).inputs])
            weights = next(given) if weighted else None
            along = tuple([next(given) if kind else None for kind in kinds])
            return self._derivative(
                request, state, arguments, t, how,  # type: ignore[arg-type]
                along=along, weights=weights,
            )  # fmt: skip

        result = plain(*numbers, t=t, **how)
        asked = request.with_derivative(Derivative(arguments, kinds, weighted))
        if self._takes_numbers(asked, how):
            self._evaluation.shorten(names, asked, plain, numbers, how)
        return result

    def _derivative(
        self, request: Request, state: tuple[ArrayLike, ...], arguments: tuple[str, ...],
        t: ArrayLike, how: LoadOptions, *,
        along: tuple[ArrayLike | None, ...] | None = None, weights: ArrayLike | None = None,
    ) -> Array:  # fmt: skip
        """Return a derivative of the quantity of a request; ``derivative`` has the arguments."""
        directions = along or (None,) * len(arguments)
        for name in arguments:
            self._check_argument(request, name, how, t)
        kinds = tuple([x is not None for x in directions])
        turned = self._turns_gravity(request, arguments, how)
        asked = Derivative(arguments, kinds, weighted=weights is not None, turned=turned)
        given = [] if weights is None else [flat_weights(weights, self._shape_of(request))]
        given += [np.atleast_1d(np.asarray(x)) for x in directions if x is not None]
        if turned:
            reader, base = self._evaluation.loads, how["base"]
            given.append(reader.base_axes(request.asked_name, base, how.get("parameters")))  # type: ignore[arg-type]
        return self._derived(request.with_derivative(asked), state, given, t, how)

    def hessian(
        self, quantity: str, *state: ArrayLike, body: str | None = None, axes: str | None = None,
        loop: str | None = None, joints: Sequence[str] | None = None,
        point: ArrayLike | None = None, t: ArrayLike = 0.0, **how: Unpack[LoadOptions],
    ) -> Array:  # fmt: skip
        """Return the symmetric second derivative by q, shape (..., those of f, nv, nv).

            H_αβ = d²/dδ_α dδ_β f(integrate(q, δ)) at δ = 0 = (D_α D_β + D_β D_α) f / 2

        Args:
            quantity: Its name.
            state: Its inputs, in order: q, v, ...
            body: Name of the body, for a quantity of one.
            axes: "body" (default) or "world", where there is a choice; of reactions also "joint".
            loop: Name of the loop or curve, for the coordinates of one ("closure_position").
            joints: Names of the joints that are driven, for inverse dynamics.
            point: In body coordinates [m], shape (..., 3), for a quantity of a point; by default
                the origin of the body.
            t: Time [s], shape (...).
            how: ``parameters``, ``states``, ``out``, ``backend``, and external loads.

        >>> import poinsot as ps
        >>> swing = ps.library.pendulum()
        >>> stiffness = swing.hessian("potential_energy", [0.0])[0, 0]
        >>> frequency = np.sqrt(stiffness / swing.mass_matrix([0.0])[0, 0])
        """
        check_keywords("hessian", how, LoadOptions)
        out = how.get("out")
        second = self.derivative(
            quantity,
            *state,
            by=("q", "q"),
            body=body,
            axes=axes,
            loop=loop,
            joints=joints,
            point=point,
            t=t,
            **how,
        )
        return result_in("hessian", symmetric_part(second), out)

    def time_derivative(
        self, quantity: str, q: ArrayLike, v: ArrayLike, *higher: ArrayLike, order: int = 1,
        body: str | None = None, axes: str | None = None, loop: str | None = None,
        joints: Sequence[str] | None = None, t: ArrayLike = 0.0,
        base_rates: Sequence[ArrayLike] = (), **how: Unpack[LoadOptions],
    ) -> Array:  # fmt: skip
        """Return a total time derivative of a quantity along a motion, in its shape.

        The motion is given by its derivatives: v, then dv/dt, d²v/dt², ...: one more than the
        quantity depends on for every order.  Time passes, further states change at their rates, and
        a moving base goes on: gravity turns in its axes, dg/dt = -w × g, and its velocity changes
        by its acceleration.  Wrenches, drives and parameters stay as they are.

        Args:
            quantity: Its name, e.g. "pose", "inverse_dynamics"; not one of a point.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            higher: Its time derivatives in order, shapes (..., nv).
            order: Which derivative, from 1 on.
            body: Name of the body, for a quantity of one.
            axes: "body" (default) or "world", where there is a choice; of reactions also "joint".
            loop: Name of the loop or curve, for the coordinates of one ("closure_position").
            joints: Names of the joints that are driven, for inverse dynamics.
            t: Time [s], shape (...).
            base_rates: Beside ``base=``, rate of the six numbers of its acceleration, the rate of
                that, ..., shapes (..., 6), not more than ``order``; zero where they are left out.
            how: ``parameters``, ``states``, ``out``, ``backend``, and external loads.

        >>> import poinsot as ps
        >>> arm = ps.library.double_pendulum()
        >>> q, v, a = [0.3, 0.1], [1.0, 2.0], [0.5, -1.0]
        >>> rate = arm.time_derivative("pose", q, v, body="lower")[:3, 3]
        >>> bool(np.allclose(rate, arm.velocity("lower", q, v, axes="world")[:3]))
        True
        """
        if isinstance(order, bool) or not isinstance(order, int | np.integer) or order < 1:
            raise ModelError(
                f"time_derivative: order must be a whole number from 1 on, got {order!r}"
            )
        motion = (q, v, *higher)
        joints = hashable(joints)
        names = "time_derivative", quantity, order, len(motion), body, axes, loop, joints
        of_base = base_rates_of(base_rates, how.get("base"), order)
        native = self._evaluation.shortcuts.find(names)
        if native is not None and not of_base:
            return native(*motion, t=t, **how)
        depends = motion_arguments("time_derivative", quantity, quantity_of(quantity).inputs)
        needed = depends + order
        if len(motion) != needed:
            raise ModelError(
                f"time_derivative: order {order} of {quantity} takes q and {needed - 1} of v, its "
                f"rate, ..., got {len(motion) - 1}"
            )
        for k, rate in enumerate(motion[1:]):
            name = "v" if k == 0 else "dv/dt" if k == 1 else f"d{k}v/dt{k}"
            if np.shape(rate)[-1:] != (self.nv,):
                raise ShapeError(
                    f"time_derivative: {name} must have shape (..., {self.nv}), "
                    f"got {np.shape(rate)}"
                )
        chosen = Selection(body=body, axes=axes, loop=loop, joints=joints)
        request = request_by_name(self._mechanism, "time_derivative", quantity, chosen)
        asked = request.with_derivative(Derivative(rate=int(order)))

        def plain(*motion: ArrayLike, t: ArrayLike = 0.0, **how: Any) -> Array:  # noqa: ANN401
            further = [np.asarray(x) for x in motion[depends:]]
            if how.get("base") is not None and quantity_of(quantity).loaded:
                further += of_base or base_rates_of((), how["base"], order)
            return self._derived(asked, motion[:depends], further, t, how)  # type: ignore[arg-type]

        result = plain(*motion, t=t, **how)
        self._evaluation.shorten(names, asked, plain, motion, how)
        return result

    def _takes_numbers(self, request: Request, how: LoadOptions) -> bool:
        """Say whether the kernel of a derivative takes weights and directions as they are given."""
        asked = request.derivative
        if asked is None or how.keys() - {"out", "parameters"}:
            return False
        # weights of a matrix have its shape, and the kernel takes its entries in one row
        return not asked.weighted or len(self._shape_of(request.with_derivative(None))) == 1

    def _turns_gravity(
        self, request: Request, arguments: tuple[str, ...], how: LoadOptions
    ) -> bool:
        """Say whether gravity beside a motion of the base changes with one of the arguments."""
        if how.get("base") is None or not quantity_of(request.quantity).loaded:
            return False
        changing = set(names_in(self._mechanism.gravity))
        return bool(changing and (PARAMETERS in arguments or changing.intersection(arguments)))

    def _check_argument(self, request: Request, name: str, how: LoadOptions, t: ArrayLike) -> None:
        """Reject what a quantity cannot be differentiated by."""
        entry, mechanism = quantity_of(request.quantity), self._mechanism
        known = [*entry.inputs, *mechanism.parameter_inputs]
        if mechanism.parameter_inputs:
            known.append(PARAMETERS)
        if entry.loaded:
            known += [key for key in EXTERNAL if how.get(key)]
            known += ["t"] if mechanism.depends_on_time else []
        if name in known:
            return
        if name == "t":
            raise ModelError(
                f"derivative: {request.asked_name} of {mechanism.name!r} does not depend on time"
            )
        if name in EXTERNAL and not entry.loaded:
            what = "the motion of the base" if name == BASE else name
            raise ModelError(
                f"derivative: {request.asked_name} does not depend on {what}; leave {name}= out"
            )
        if name in EXTERNAL:
            raise ModelError(f"derivative: give {name}=, the values at which to differentiate")
        hint = parameter_hint(name, self.description, known)
        raise ModelError(f"derivative: {request.asked_name} has no argument {name!r}; {hint}")

    def _derived(
        self, request: Request, state: tuple[ArrayLike, ...], further: list[Array], t: ArrayLike,
        how: LoadOptions,
    ) -> Array:  # fmt: skip
        """Return a derivative; what it takes besides the state comes behind the loads."""
        name, loaded = request.asked_name, quantity_of(request.quantity).loaded
        allowed = LoadOptions if loaded else CallOptions
        check_keywords(name, how, allowed)
        options: Any = {key: x for key, x in how.items() if key in CallOptions.__annotations__}
        arguments: tuple[ArrayLike, ...] = state
        if loaded:
            reader = self._evaluation.loads
            given, numbers = reader.read(name, t, how)
            arguments = (reader.over_time(name, state[0], t), *state[1:], *numbers)
            request = request.with_loads(given)
        self._check_directions(request, further)
        try:
            return self._evaluate(request, (*arguments, *further), **options)
        except TooManyNodesError:
            pass
        sizes = [self._size_of(x, request) for x in request.derivative.by]  # type: ignore[union-attr]
        shape = self._shape_of(request.with_derivative(None))
        try:
            return along_unit_vectors(
                request, arguments, further, sizes=sizes, shape=shape, evaluate=self._evaluate,
                options=options,
            )  # fmt: skip
        except TooManyNodesError as error:
            message = (
                f"{name}: this derivative of {self.name!r} would take too many operations, along "
                "directions too; ask for a lower order, or where the quantity is itself a "
                "derivative, for more arguments in by= of what it is the derivative of"
            )
            raise PoinsotError(message) from error

    def _check_directions(self, request: Request, further: list[Array]) -> None:
        """Reject directions that have not as many entries as what they are directions of."""
        asked = request.derivative
        if asked is None:
            return
        names = [name for name, along in zip(asked.by, asked.along, strict=True) if along]
        for name, direction in zip(names, further[asked.weighted :], strict=False):
            entries = self._size_of(name, request)
            size = 1 if entries is None else entries
            if direction.shape[-1] != size:
                raise ShapeError(
                    f"derivative: along, the direction of {name}, must have shape (..., {size}), "
                    f"got {direction.shape}"
                )

    def _size_of(self, name: str, request: Request) -> int | None:
        """Return how many entries an argument has; None: it is a number, without axis."""
        if name == "q":
            return self.nv
        if name == "t":
            return None
        if name in quantity_of(request.quantity).inputs:
            return input_size(self._mechanism, name)
        if name == PARAMETERS:
            return len(self._mechanism.parameter_inputs)
        return request.loads.inputs(self._mechanism).get(name)

    def _shape_of(self, request: Request) -> tuple[int, ...]:
        """Return the shape of a quantity."""
        (port,) = self._evaluation.evaluators.find(request).signature.outputs
        return tuple(port.shape)
