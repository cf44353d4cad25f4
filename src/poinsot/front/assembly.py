"""Mobility of a system, and states that obey its loops and constraints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ShapeError
from poinsot.front.constraints import Constraints
from poinsot.front.description import Values
from poinsot.front.held_joints import with_held
from poinsot.front.named_joints import actuated_velocities, split_joints
from poinsot.front.parameter_numbers import leading_shape, parameter_values
from poinsot.renamed import renamed
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked

if TYPE_CHECKING:
    from poinsot.analysis.contradictions import ConstraintReport
    from poinsot.analysis.mobility import Actuation, Mobility
    from poinsot.assemble.numeric_rows import NumericRows


class _Numeric(NamedTuple):
    """Constraints, and states of which they are asked.

    Attributes:
        rows: The constraints.
        shape: That of the batch; None for one state.
        state: q, v and a, shapes (nq,), (nv,), or (B, nq), (B, nv).
        free: Numbers of the velocities that may change.
    """

    rows: NumericRows
    shape: tuple[int, ...] | None
    state: list[Array]
    free: Array


class Assembly(Constraints):
    """The methods of ``System`` for mobility, and for states that satisfy the constraints."""

    def mobility(self, q: ArrayLike, *, t: ArrayLike = 0.0, parameters: Values = None) -> Mobility:
        """Return the degrees of freedom at a configuration, and which constraints are redundant.

        Args:
            q: Configuration [m or rad], shape (nq,), or (..., nq): then each field of the result
                is an array of shape (...).
            t: Time [s], shape (...).
            parameters: Values of free parameters by name, as in ``forward_dynamics``.

        >>> import poinsot as ps
        >>> ps.library.double_pendulum().mobility([0.1, 0.2]).degrees
        2
        """
        from poinsot.analysis.mobility import mobilities_of, mobility_of

        J = self.constraint_jacobian(q, t=t, parameters=parameters)
        at_positions = self._mechanism.position_rows
        return (mobility_of if J.ndim == 2 else mobilities_of)(J, self.row_names, at_positions)

    def constraint_report(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        *,
        t: ArrayLike = 0.0,
        parameters: Values = None,
    ) -> ConstraintReport:
        """Return the residuals of the constraints at one state, and which contradict each other.

        Where constraints contradict each other, dynamics follow those that are listed first and
        stay finite; this is where it shows.

        Args:
            q: Configuration [m or rad], shape (nq,).
            v: Velocity [m/s or rad/s], shape (nv,); at rest by default.
            t: Time [s].
            parameters: Values of free parameters.

        >>> import poinsot as ps
        >>> arm = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, com=(1, 0, 0))
        >>> fast, slow = (ps.PrescribedMotion(f, "arm", f) for f in ("2*t", "t"))
        >>> print(ps.System("arm", [arm], constraints=[fast, slow]).constraint_report([0], [2.0]))
        velocities miss: t: motion (1)
        no velocity obeys together: 2*t: motion (-0.5), t: motion (0.5)
        """
        from poinsot.analysis.contradictions import constraint_report_of

        v, still = np.zeros(self.nv) if v is None else v, np.zeros(self.nv)
        if np.shape(v) != (self.nv,):
            raise ShapeError(
                f"constraint_report: v must be one velocity of shape ({self.nv},), "
                f"got {np.shape(v)}"
            )
        return constraint_report_of(
            self.row_names,
            self._one_jacobian("constraint_report", q, t, parameters),
            self.constraint_residual(q, t=t, parameters=parameters),
            self.constraint_rate(q, v, t=t, parameters=parameters),
            self.constraint_rate(q, still, t=t, parameters=parameters),
            self.constraint_bias(q, v, t=t, parameters=parameters),
        )

    @renamed(actuated="joints")
    def actuation(
        self,
        q: ArrayLike,
        joints: Sequence[str] | None = None,
        *,
        t: ArrayLike = 0.0,
        parameters: Values = None,
    ) -> Actuation:
        """Return the rank of the actuation of some joints at a configuration.

        Args:
            q: Configuration [m or rad], shape (nq,).
            joints: Names of the joints that are driven; all by default.
            t: Time [s].
            parameters: Values of free parameters by name, as in ``forward_dynamics``.
        """
        from poinsot.analysis.mobility import actuation_of

        J, units = self._one_jacobian("actuation", q, t, parameters), np.eye(self.nv)
        if joints is None:
            return actuation_of(J, units, self.velocity_names)
        rows, names = np.zeros((0, self.nv)), list[str]()
        for joint, numbers in actuated_velocities(self._mechanism, "actuation", joints).items():
            unit = units[numbers[0] : numbers[-1] + 1] if numbers else units[:0]
            if joint in self._mechanism.cut_joints:
                still = np.broadcast_to(q, (self.nv, self.nq))
                unit = self.loop_velocity(joint, still, units, t=t, parameters=parameters).T
            rows = np.concatenate([rows, unit])
            names += [self.velocity_names[k] if k < self.nv else joint for k in numbers]
        return actuation_of(J, rows, names)

    @renamed(keep="joints")
    def assemble(
        self, q: ArrayLike, *, joints: Sequence[str] = (), t: float = 0.0, parameters: Values = None
    ) -> Array:
        """Return a configuration in which every loop closes, near a rough guess, shape (..., nq).

        Args:
            q: The guess [m or rad], shape (..., nq).
            joints: Names of joints whose coordinates stay as they are, or of single coordinates
                ("base.x"); joints that close loops may be among them.
            t: Time [s].
            parameters: Values of free parameters by name; shapes broadcast with that of q.

        Raises:
            AssemblyError: If none is found; the message names the loop and its residual.  Of a
                batch, configurations that do not close are NaN.

        >>> import poinsot as ps
        >>> bodies = [ps.Body(n, p, ps.Revolute("z"), ps.Pose((x, 0, 0)), mass=1, com=(1, 0, 0))
        ...           for n, p, x in (("a", "world", 0), ("b", "a", 1), ("c", "b", 2))]
        >>> pin = ps.Loop("pin", ("world", (2, 0, 0)), ("c", (2, 0, 0)), ps.Revolute("z"))
        >>> four_bar = ps.System("four-bar", bodies, loops=[pin])
        >>> q = four_bar.assemble([1.0, 0.1, -1.0], joints=["a"])
        >>> bool(abs(four_bar.constraint_residual(q)).max() < 1e-10), float(q[0])
        (True, 1.0)
        """
        from poinsot.assemble.loop_closing import CLOSED, closed, settled

        rows, shape, (guess,), free = self._numeric_rows("assemble", parameters, joints, t, q=q)
        if shape is None:
            return closed(rows, guess, free, t)
        ends, sizes = settled(rows, guess, free, t)
        return np.where((sizes <= CLOSED)[:, None], ends, np.nan).reshape(*shape, self.nq)

    @renamed(keep="joints")
    def consistent_velocity(
        self, q: ArrayLike, v: ArrayLike, *, joints: Sequence[str] = (), t: float = 0.0,
        parameters: Values = None,
    ) -> Array:  # fmt: skip
        """Return the velocity nearest to v that the constraints allow at q, shape (..., nv).

        Args:
            q: Configuration that closes [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            joints: Names of joints whose velocities are fixed.
            t: Time [s].
            parameters: Values of free parameters by name; shapes broadcast with that of q.

        Raises:
            AssemblyError: If the fixed velocities contradict the constraints; of a batch such
                states are NaN.
        """
        from poinsot.assemble.allowed_rates import allowed_velocity

        name = "consistent_velocity"
        rows, shape, (q, v), free = self._numeric_rows(name, parameters, joints, t, q=q, v=v)
        allowed = allowed_velocity(rows, q, v, free, t)
        return allowed.reshape(*(shape or ()), self.nv)

    @renamed(keep="joints")
    def consistent_acceleration(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, joints: Sequence[str] = (),
        t: float = 0.0, parameters: Values = None,
    ) -> Array:  # fmt: skip
        """Return the acceleration nearest to a that the constraints allow, shape (..., nv).

        Args:
            q: Configuration that closes [m or rad], shape (..., nq).
            v: Velocity that obeys the constraints [m/s or rad/s], shape (..., nv).
            a: Acceleration, shape (..., nv).
            joints: Names of joints whose accelerations are fixed.
            t: Time [s].
            parameters: Values of free parameters by name; shapes broadcast with that of q.

        Raises:
            AssemblyError: If the fixed accelerations contradict the constraints; of a batch such
                states are NaN.
        """
        from poinsot.assemble.allowed_rates import allowed_acceleration

        name = "consistent_acceleration"
        rows, shape, (q, v, a), free = self._numeric_rows(
            name, parameters, joints, t, q=q, v=v, a=a
        )
        allowed = allowed_acceleration(rows, q, v, a, free, t)
        return allowed.reshape(*(shape or ()), self.nv)

    @renamed(keep="joints")
    def assembly_modes(
        self, q: ArrayLike, *, joints: Sequence[str], t: float = 0.0, starts: int = 100,
        seed: int = 0, parameters: Values = None,
    ) -> list[Any]:  # fmt: skip
        """Return the assembly modes of the system with some joints fixed.

        Found from many random guesses, so some may be missing; more starts find more.

        Args:
            q: Coordinates of the fixed joints, and a guess of the others, shape (nq,); for many
                variants (B, nq).
            joints: Names of the fixed joints, which must leave no degree of freedom.
            t: Time [s].
            starts: Number of random guesses.
            seed: For the random guesses.
            parameters: Values of free parameters by name, numbers or of shape (B,).

        Returns:
            The one nearest to q first; each of shape (nq,).  Of many variants a list of these
            lists, an empty one where none was found.
        """
        from poinsot.assemble.assembly_modes import assembly_modes

        name = "assembly_modes"
        rows, shape, (guess,), free = self._numeric_rows(name, parameters, joints, t, q=q)
        if shape is not None and len(shape) != 1:
            raise ShapeError(f"assembly_modes: give variants one after the other, got {shape}")
        rng = np.random.default_rng(seed)
        modes = assembly_modes(rows, np.atleast_2d(guess), free, t, starts, rng)
        return modes[0] if shape is None else modes

    def finite_mobility(
        self, q: ArrayLike, *, t: float = 0.0, seed: int = 0, parameters: Values = None
    ) -> int:
        """Return the degrees of freedom of finite motions, by sampling.

        ``mobility`` counts the velocities that the constraints allow.  Not all of them extend to
        finite motions: a shaky structure is mobile to first order only, and at a bifurcation each
        branch has fewer degrees of freedom than there are velocities.  Here the system is moved
        along random allowed velocities and assembled again, twice in sequence; the result is the
        number of independent directions in which it moved.

        Args:
            q: Configuration that closes [m or rad], shape (nq,).
            t: Time [s].
            seed: For the random velocities.
            parameters: Values of free parameters by name.

        Raises:
            AssemblyError: If q does not close.

        >>> import poinsot as ps
        >>> turn, middle = ps.Revolute("z"), (0.5, 0, 0)
        >>> bodies = [ps.Body("a", joint=turn, mass=1, com=middle),
        ...           ps.Body("b", "a", turn, ps.Pose((1, 0, 0)), mass=1, com=middle)]
        >>> pin = ps.Loop("pin", ("world", (2, 0, 0)), ("b", (1, 0, 0)), ps.Revolute("z"))
        >>> stretched = ps.System("two bars in line", bodies, loops=[pin])
        >>> stretched.mobility([0, 0]).degrees, stretched.finite_mobility([0, 0])
        (1, 0)
        """
        from poinsot.analysis import finite_mobility as finite

        name = "finite_mobility"
        rows, shape, (configuration,), _ = self._numeric_rows(name, parameters, q=q)
        if shape is not None:
            raise ShapeError(f"finite_mobility: q must have shape ({self.nq},), got {np.shape(q)}")
        return finite.finite_mobility(rows, configuration, t, np.random.default_rng(seed))

    def reachable_dimension(
        self, q: ArrayLike, *, t: float = 0.0, seed: int = 0, parameters: Values = None
    ) -> int:
        """Return the dimension of the set of configurations that motions reach from q.

        Between ``mobility(q).degrees`` and ``configurations``: less than these where constraints on
        velocities can be integrated, as that of a wheel that runs straight on, or of two wheels on
        one axle, whose angles tell the heading.  By the orbit
        theorem: allowed velocities elsewhere, carried back along random motions.

        Args:
            q: Configuration that closes [m or rad], shape (nq,).
            t: Time [s], which stands still; prescribed speeds lock what they prescribe.
            seed: For the random motions.
            parameters: Values of free parameters by name.

        >>> import poinsot as ps
        >>> sleigh, q = ps.library.chaplygin_sleigh(), [0.0, 0.0, 0.3]
        >>> sleigh.mobility(q).degrees, sleigh.reachable_dimension(q)
        (2, 3)
        """
        from poinsot.analysis.reachability import reachable_dimension

        name = "reachable_dimension"
        rows, shape, (configuration,), _ = self._numeric_rows(name, parameters, q=q)
        if shape is not None:
            raise ShapeError(f"{name}: q must have shape ({self.nq},), got {np.shape(q)}")
        return reachable_dimension(rows, configuration, t, np.random.default_rng(seed))

    # How it works

    def _numeric_rows(
        self, name: str, parameters: Values, joints: Sequence[str] = (), t: float = 0.0,
        **state: ArrayLike,
    ) -> _Numeric:  # fmt: skip
        """Return the constraints and the states of a batch one after the other.

        Args:
            name: What is asked for; opens the message of an error.
            parameters: Values of free parameters.
            joints: Names of joints that stay as they are.
            t: Time [s].
            state: q, v and a.
        """
        from poinsot.assemble.numeric_rows import NumericRows

        held, coordinates = split_joints(self._mechanism, name, joints)
        arrays = [self._state(name, what, value) for what, value in state.items()]
        values, mechanism = parameter_values(self, name, parameters), self._mechanism
        shape = leading_shape(
            name, dict(zip((*state, "parameters"), [*arrays, values], strict=True))
        )
        if coordinates:
            mechanism, more = with_held(self, coordinates, t, parameters, arrays)
            lead = np.broadcast_shapes(shape, more.shape[:-1])
            values = np.concatenate(
                [np.broadcast_to(x, (*lead, x.shape[-1])) for x in (values, more)], axis=-1
            )
        arrays.append(values)
        if shape:
            n = math.prod(shape)  # without parameters, reshape cannot tell it
            arrays = [
                np.broadcast_to(x, (*shape, x.shape[-1])).reshape(n, x.shape[-1]) for x in arrays
            ]
        rows = NumericRows(mechanism, parameters=arrays.pop())
        free = np.array([k for k in range(self.nv) if k not in held], dtype=int)
        return _Numeric(rows, shape or None, arrays, free)

    def _state(self, name: str, what: str, value: ArrayLike) -> Array:
        refuse_masked(value, f"{name}: {what}")
        array, size = np.array(value, dtype=np.float64), self.nq if what == "q" else self.nv
        if array.shape[-1:] != (size,):
            raise ShapeError(
                f"{name}: {what} must have shape ({size},) or (..., {size}), got {array.shape}"
            )
        return array
