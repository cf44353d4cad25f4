"""What a system is: names, sizes and configurations, without any dynamics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.call_options import CallOptions, FormulaOptions, LoadOptions, check_keywords
from poinsot.evaluate.named_quantities import is_formula
from poinsot.evaluate.registry import QUANTITIES, quantity_of
from poinsot.evaluate.request import Request, request_for
from poinsot.front.evaluation import Evaluation
from poinsot.front.named_joints import tree_velocities
from poinsot.front.named_quantity import (
    Selection,
    hashable,
    request_by_name,
    whole_state,
)
from poinsot.model import AbstractForce, BaseMotion, Body, Mechanism, Signal
from poinsot.model.checks import finite_vector
from poinsot.model.coordinate_names import coordinate_entries, velocity_entries
from poinsot.model.limit_arrays import LimitArrays, limit_arrays
from poinsot.model.named_states import state_from_names
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.graph_matrices import GraphMatrices
    from poinsot.model.states.base import AbstractState

Values: TypeAlias = Mapping[str, ArrayLike] | None
"""Values of free parameters by name."""


class Description:
    """What a system is: its mechanism, names, sizes and configurations."""

    _description: Mechanism
    _mechanism: Mechanism
    _evaluation: Evaluation

    @classmethod
    def from_mechanism(cls, description: Mechanism) -> Self:
        """Return the system of a description that is there already."""
        system = cls.__new__(cls)
        cls._hold(system, description)
        return system

    def _hold(self, description: Mechanism) -> None:
        evaluation = Evaluation(description)
        self.__dict__.update(
            _description=description, _mechanism=description.bound, _evaluation=evaluation
        )
        if description.states:
            from poinsot.evaluate.state_rates import check_laws

            check_laws(description.bound)

    @property
    def mechanism(self) -> Mechanism:
        """What moves, as the functions below ``front`` take it: constants are folded in.

        Only free parameters are left in its formulas; without any, it is purely numeric.
        """
        return self._mechanism

    @property
    def description(self) -> Mechanism:
        """The system as it was described, with all its formulas and parameters."""
        return self._description

    @property
    def parameters(self) -> dict[str, float | None]:
        """The parameters and their values, None where there is none."""
        return dict(self._description.parameters)

    @property
    def signals(self) -> dict[str, Signal]:
        """The parameters that are samples over time."""
        return dict(self._description.signals)

    @property
    def free(self) -> tuple[str, ...]:
        """Names of the parameters that are inputs: those chosen, and those without a number."""
        return self._mechanism.free_parameters

    @property
    def states(self) -> dict[str, AbstractState]:
        """The further states by name (docs/states.md)."""
        return {state.name: state for state in self._description.states}

    @property
    def name(self) -> str:
        """Name of the system."""
        return self._mechanism.name

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies as listed."""
        return self._mechanism.bodies

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of free fall in the world [m/s²]."""
        return self._mechanism.gravity

    @property
    def forces(self) -> tuple[AbstractForce, ...]:
        """The force elements as listed."""
        return self._mechanism.forces

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self._mechanism.nq

    @property
    def nv(self) -> int:
        """Number of velocities: the degrees of freedom."""
        return self._mechanism.nv

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies as listed."""
        return self._mechanism.body_names

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, by body; a joint is called after its body unless it has a name."""
        return self._mechanism.joint_names

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """A name for each entry of q: its joint's, with the component where there are several.

        >>> import poinsot as ps
        >>> ps.System("cart", [ps.Body("cart", joint=ps.Planar("x", "y"), mass=1)]).coordinate_names
        ('cart.x', 'cart.y', 'cart.angle')
        """
        return tuple(entry.name for entry in coordinate_entries(self._mechanism))

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """A name for each entry of v, of accelerations and of joint forces."""
        return tuple(entry.name for entry in velocity_entries(self._mechanism))

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        """The unit of each entry of q; "1" for components of quaternions."""
        return tuple(entry.unit for entry in coordinate_entries(self._mechanism))

    @property
    def velocity_units(self) -> tuple[str, ...]:
        """The unit of each entry of v."""
        return tuple(entry.unit for entry in velocity_entries(self._mechanism))

    @property
    def limits(self) -> LimitArrays:
        """The limits of all joints as arrays ``lower``, ``upper``, ``velocity`` and ``effort``.

        They are data, which the dynamics do not enforce; infinite where a joint has none.

        >>> import poinsot as ps
        >>> hinge = ps.Revolute("y", limits=ps.Limits(position=(-1, 2), effort=50))
        >>> arm = ps.System("arm", [ps.Body("arm", joint=hinge, mass=1.0, com=(1, 0, 0))])
        >>> arm.limits.upper, arm.limits.velocity
        (array([2.]), array([inf]))
        """
        return limit_arrays(self._mechanism)

    def _velocities(self, name: str, joints: Sequence[str] | None) -> tuple[int, ...]:
        """Return the indices of the velocities of some joints; of all by default."""
        if joints is None:
            return tuple(range(self.nv))
        return tree_velocities(self._mechanism, name, joints)

    def q_slice(self, joint: str) -> slice:
        """Return the slice of a joint's coordinates in q."""
        return self._mechanism.q_slice(joint)

    def v_slice(self, joint: str) -> slice:
        """Return the slice of a joint's velocities in v."""
        return self._mechanism.v_slice(joint)

    def neutral(self) -> Array:
        """Return the configuration in which every joint is at zero, shape (nq,)."""
        return self._mechanism.neutral()

    def random(self, rng: np.random.Generator) -> Array:
        """Return a random configuration, shape (nq,); quaternions are unit."""
        return self._mechanism.random(rng)

    def q(self, given: Mapping[str, ArrayLike] | None = None, /, **values: ArrayLike) -> Array:
        """Return a configuration by the names of joints or coordinates, shape (nq,).

        All others are at zero, as in ``neutral``.

        Args:
            given: Values by name, for names that are no words: ``{"base.x": 0.3}`` [m or rad].
            values: Values by name; of a joint with several coordinates a vector.

        >>> import poinsot as ps
        >>> ps.library.double_pendulum().q(lower=0.3)
        array([0. , 0.3])
        """
        joints = dict(zip(self.joint_names, self._mechanism.q_slices, strict=True))
        named = {**(given or {}), **values}
        return state_from_names(self.neutral(), self.coordinate_names, joints, named)

    def v(self, given: Mapping[str, ArrayLike] | None = None, /, **values: ArrayLike) -> Array:
        """Return velocities by the names of joints or of their components, shape (nv,).

        All others are zero; accelerations and joint forces are made alike.

        Args:
            given: Values by name, for names that are no words: ``{"base.wx": 0.3}`` [m/s or rad/s].
            values: Values by name; of a joint with several velocities a vector.

        >>> import poinsot as ps
        >>> ps.library.double_pendulum().v({"upper": 2.0})
        array([2., 0.])
        """
        joints = dict(zip(self.joint_names, self._mechanism.v_slices, strict=True))
        named = {**(given or {}), **values}
        return state_from_names(np.zeros(self.nv), self.velocity_names, joints, named)

    def named(self, q: ArrayLike) -> dict[str, float]:
        """Return the entries of a configuration by their names; ``system.q`` is the way back.

        Args:
            q: Configuration [m or rad], shape (nq,).

        >>> import poinsot as ps
        >>> ps.library.double_pendulum().named([0.1, 0.2])
        {'upper': 0.1, 'lower': 0.2}
        """
        entries = finite_vector(q, self.nq, "named: q")
        return dict(zip(self.coordinate_names, entries.tolist(), strict=True))

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return q after moving with constant v for one unit of time, shape (..., nq).

        The exact solution of qdot = N(q) v; quaternions stay unit.

        Args:
            q: Configuration to start from [m or rad], shape (..., nq).
            v: Velocity times time [m or rad], shape (..., nv).
        """
        return self._mechanism.integrate(q, v)

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the shortest v with ``integrate(q0, v)`` = q1 [m or rad], shape (..., nv)."""
        return self._mechanism.difference(q0, q1)

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike) -> Array:
        """Return the geodesic interpolation from q0 (s = 0) to q1 (s = 1), shape (..., nq)."""
        return self._mechanism.interpolate(q0, q1, s)

    def distance(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the length of ``difference(q0, q1)``, metres and radians alike, shape (...)."""
        return self._mechanism.distance(q0, q1)

    def tree(self) -> str:
        """Return a drawing of the tree of bodies; ``print(system)`` shows it.

        A body stands below the one that carries it, and where one carries several, each begins a
        branch.  Shown are joint, axis, coordinates and mass; long rows of equal bodies are cut.

        >>> import poinsot as ps
        >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
        >>> print(ps.System("rod", [rod]).tree())
        rod: 1 body, 1 degree of freedom, 2 kg, gravity (0, 0, -9.81)
        world
        └─ rod  revolute y  q[0]  2 kg
        """
        from poinsot.front.tree_drawing import drawing

        return drawing(self.mechanism)

    def __str__(self) -> str:
        return self.tree()

    def graph_matrices(self, *, base: BaseMotion | None = None) -> GraphMatrices:
        """Return incidence, path and loop matrix of the bodies and joints, and their screw forms.

        Args:
            base: Motion of the world body: then that is a body, too, the first, on a joint with six
                velocities, those of the base, and velocities of bodies are those in inertial space.

        >>> import poinsot as ps
        >>> arm = ps.System("arm", [ps.Body("upper"), ps.Body("lower", "upper")])
        >>> print(arm.graph_matrices().S)
        S      upper  lower
        upper      1     -1
        lower      ·      1
        """
        from poinsot.front.graph_matrices import GraphMatrices

        if base is None:
            return GraphMatrices(self._mechanism)
        return GraphMatrices.on_base(self.description, base)

    def evaluate(
        self, quantity: str, *state: ArrayLike, body: str | None = None, axes: str | None = None,
        loop: str | None = None, joints: Sequence[str] | None = None,
        point: ArrayLike | None = None, t: ArrayLike = 0.0, **how: Unpack[LoadOptions],
    ) -> Array:  # fmt: skip
        """Return a quantity by its name, one that was added (``add_quantity``) as one of ours.

        Args:
            quantity: Its name, e.g. "momentum"; or a formula, e.g. "force.strut",
                "pose.tool.z - 0.1*cos(elbow)" (docs/formulas.md).
            state: Its inputs, in order: q, v, ...
            body: Name of the body, for a quantity of one.
            axes: "body" (default) or "world", where there is a choice; of reactions also "joint".
            loop: Name of the loop or curve, for the coordinates of one ("closure_position").
            joints: Names of the joints that are driven, for inverse dynamics.
            point: In body coordinates [m], shape (..., 3), for a quantity of a point; by default
                the origin of the body.
            t: Time [s], shape (...).
            how: ``parameters``, ``out``, ``backend``, and external loads for a quantity that they
                are part of (``LoadOptions``).

        >>> import poinsot as ps
        >>> ps.library.double_pendulum().evaluate("kinetic_energy", [0.0, 0.0], [0.0, 0.0])
        np.float64(0.0)
        """
        is_other = isinstance(quantity, str) and quantity not in QUANTITIES
        if is_other and is_formula(self._mechanism, quantity):
            check_keywords("evaluate", how, FormulaOptions)
            values = self._evaluation.parameters.of_call("evaluate", how)
            return self._evaluation.formula(quantity, state, t, values)
        loaded = quantity_of(quantity).loaded
        state = whole_state("evaluate", quantity, state, point)
        joints = hashable(joints)
        names = "evaluate", quantity, body, axes, loop, joints
        native = self._evaluation.shortcuts.find(names)
        if native is not None:
            return native(*state, t=t, **how) if loaded else native(*state, **how)
        chosen = Selection(body=body, axes=axes, loop=loop, joints=joints)
        request = request_by_name(self._mechanism, "evaluate", quantity, chosen)

        def plain(*state: ArrayLike, t: ArrayLike = 0.0, **how: Any) -> Array:  # noqa: ANN401
            if loaded:
                return self._loaded(request, state, t, how)  # type: ignore[arg-type]
            check_keywords(quantity, how, CallOptions)
            return self._evaluate(request, state, **how)

        result = plain(*state, t=t, **how)
        self._evaluation.shorten(names, request, plain, state, how)
        return result

    # How it works

    def _inertial(
        self, asked: str, base: BaseMotion, *state: ArrayLike
    ) -> tuple[Self, list[Array]]:
        """Return the system on a free base, and its state with that of the base."""
        from poinsot.front.inertial_space import in_inertial_space, with_base

        return in_inertial_space(self), with_base(asked, base, *state)

    def _loaded(
        self, request: Request, state: tuple[ArrayLike, ...], t: ArrayLike, how: LoadOptions,
        asked: str = "",
    ) -> Array:  # fmt: skip
        """Return a quantity that depends on external loads.

        Args:
            request: The quantity; loads are added.
            state: Its inputs.
            t: Time [s], shape (...).
            how: External loads, and how to compute it.
            asked: The method that asks, if not of the same name; opens the message of an error.
        """
        reader, name = self._evaluation.loads, asked or request.asked_name
        options: Any = {}
        if how:
            check_keywords(name, how, LoadOptions)
            options = {key: x for key, x in how.items() if key in CallOptions.__annotations__}
        q = reader.over_time(name, state[0], t)
        given, numbers = reader.read(name, t, how)
        return self._evaluate(request.with_loads(given), (q, *state[1:], *numbers), **options)

    def _evaluate(
        self, request: Request | str, arguments: tuple[ArrayLike, ...],
        **how: Unpack[CallOptions],
    ) -> Array:  # fmt: skip
        request = request_for(request) if isinstance(request, str) else request
        if not how:
            return self._evaluation.evaluate(self, request, arguments, None, "auto", None)
        check_keywords(request.asked_name, how, CallOptions)
        out, backend = how.get("out"), how.get("backend", "auto")
        parameters = self._evaluation.parameters.of_call(request.asked_name, how)
        return self._evaluation.evaluate(self, request, arguments, out, backend, parameters)
