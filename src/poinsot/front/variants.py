"""Variants of systems: with other parameters, bodies, frames, friction and stops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.description import Description
from poinsot.model import (
    AbstractConstraint,
    AbstractForce,
    AbstractJoint,
    Body,
    Connection,
    JointStop,
    Pose,
    Signal,
)
from poinsot.spatial import Scalar

if TYPE_CHECKING:
    from poinsot.model import SampledState, State

_IDENTITY = Pose()


class Variants(Description):
    """The methods of ``System`` that return another system."""

    @classmethod
    def from_graph(
        cls, name: str, bodies: Iterable[Body], joints: Iterable[Connection], *,
        gravity: ArrayLike = (0.0, 0.0, -9.81), forces: Iterable[AbstractForce] = (),
        constraints: Iterable[AbstractConstraint] = (),
        parameters: Mapping[str, float | Signal | None] | None = None, free: Iterable[str] = (),
        driven: Iterable[str] = (), states: Iterable[State | SampledState] = (),
    ) -> Self:  # fmt: skip
        """Return the system of bodies and joints that are given as a plain graph.

        The joints that carry the bodies are chosen, a spanning tree from the world, and the others
        become ``loops``: so that the loops have as few bodies as possible in sum; then that there
        are as few equations as possible, velocities of the tree and rows of the loops; then that
        the bodies are as near to the world as possible; then by the names of the joints, of which
        the first in the alphabet are kept.  Joints that are free, have armature or are ``driven``
        are never cut, and those that constraints or forces name only where it must be.  The choice
        is the best one for graphs of a few loops that share joints, and a good one for larger ones.
        It does not depend on the order in which joints and bodies are listed.

        Bodies keep their frames: where the joint that carries a body has its frame at another
        place, a body without mass, called after the joint, stands between.  The tree's joints have
        the connections' names; their q is that of the second frame against the first, also where
        the first body is carried by the second, but

        - of a universal joint that is used so, q comes in the order (second axis, first axis);
        - of a translation and of an Euler joint it has the opposite sign, and of the latter the
          opposite order;
        - of planar, spherical and free joints it is that of the first frame against the second.

        Reactions are those of ``first`` on ``second``, at the origin of the second frame, either
        way.

        Args:
            name: Name of the system.
            bodies: Its bodies, without ``parent``, ``joint`` and ``pose``.
            joints: The joints between them and the world.
            gravity: Acceleration of free fall in the world [m/s²], shape (3,).
            forces: Force elements: ``Spring``, ``JointForce``, ``Motor``, ... (docs/forces.md).
            constraints: Other equations that the motion obeys, e.g. ``Gear``.
            parameters: Numbers of the parameters in formulas, as in ``System``.
            free: Names of parameters that stay inputs of every method, as in ``System``.
            driven: Names of joints that stay in the tree, so that q, v and tau have their entries.
            states: Further states, as in ``System``.

        Raises:
            ModelError: If a body is not connected to the world, a name is unknown or repeats, or a
                joint cannot be used as the tree needs it.

        >>> import poinsot as ps
        >>> crank, rod = ps.Body("crank", mass=1.0), ps.Body("rod", mass=2.0)
        >>> system = ps.System.from_graph("slider-crank", [crank, rod], [
        ...     ps.Connection("shaft", "world", "crank", ps.Revolute("y")),
        ...     ps.Connection("pin", ("crank", ps.Pose((0.1, 0, 0))), "rod", ps.Revolute("y")),
        ...     ps.Connection("slide", "world", ("rod", ps.Pose((0.4, 0, 0))), ps.Planar("x", "z")),
        ... ])
        >>> system.joint_names, [loop.name for loop in system.loops]
        (('shaft', 'pin'), ['slide'])
        """
        from poinsot.model.from_graph import mechanism_from_graph

        graph = mechanism_from_graph(
            name, bodies, joints, gravity, forces, constraints, parameters or {}, free, driven,
            states,
        )  # fmt: skip
        return cls.from_mechanism(graph)

    def with_parameters(self, **values: float | Signal | None) -> Self:
        """Return the system with other values of some of its parameters; None removes a value.

        >>> import poinsot as ps
        >>> m = ps.symbols("m")
        >>> ball = ps.System("ball", [ps.Body("ball", joint=ps.Translation(), mass=m)])
        >>> ball.with_parameters(m=2.0).mass_matrix([0, 0, 0])[0, 0]
        np.float64(2.0)
        """
        return self.from_mechanism(self._description.with_parameters(values))

    def with_free(self, *names: str) -> Self:
        """Return the system with these parameters as inputs, besides those that are already."""
        return self.from_mechanism(self._description.with_free(names))

    def with_friction(
        self, ratio: Scalar = 1.0, *, stribeck: Scalar = 0.1, smoothing: Scalar = 1e-3
    ) -> Self:
        """Return the system with the friction of its joints acting: a ``JointFriction`` for each.

        The Coulomb friction that joints carry (``friction=``, or from URDF and MJCF) is the level
        at which they slide.  Without this it is data, and ``ps.simulate`` warns of it.

        Args:
            ratio: Static level over kinetic level, at least 1.
            stribeck: Velocity over which friction falls from one to the other [m/s or rad/s].
            smoothing: Velocity that counts as rest [m/s or rad/s].

        Raises:
            ModelError: If there is no such friction, or a loop's joint has some.
        """
        from poinsot.model.friction_and_stops import with_friction

        return self.from_mechanism(with_friction(self.description, ratio, stribeck, smoothing))

    def without_passive(self) -> Self:
        """Return the system without damping, springs and friction of its joints.

        As Pinocchio computes, whose algorithms leave out what a URDF says of damping and friction.
        Armature stays, and so do springs between points and other force elements.

        >>> import poinsot as ps
        >>> hinge = ps.Revolute("y", damping=0.5)
        >>> door = ps.System("door", [ps.Body("door", joint=hinge, mass=2.0, inertia=(1, 1, 1))])
        >>> v = [1.5]
        >>> float(door.bias([0.0], v)[0]), float(door.without_passive().bias([0.0], v)[0])
        (0.75, 0.0)
        """
        from poinsot.model.friction_and_stops import without_passive

        return self.from_mechanism(without_passive(self.description))

    def with_stops(
        self,
        stiffness: Scalar,
        dissipation: Scalar = 0.0,
        *,
        exponent: float = 1.0,
        joints: Sequence[str] | None = None,
    ) -> Self:
        """Return the system with a ``JointStop`` at each end of its joints' ranges.

        Args:
            stiffness: Stiffness [N/mᵖ or N m/radᵖ], p being the exponent.
            dissipation: Dissipation [s/m or s/rad].
            exponent: p, at least 1.
            joints: Names of joints; all that have limits of position by default.

        Raises:
            ModelError: If there are none.
        """
        from poinsot.model.friction_and_stops import with_stops

        made = partial(JointStop, stiffness=stiffness, dissipation=dissipation, exponent=exponent)
        return self.from_mechanism(with_stops(self.description, joints, made))

    def attach(
        self, other: Description, *, to: str, pose: Pose = _IDENTITY, prefix: str = "",
        joint: AbstractJoint | None = None,
    ) -> Self:  # fmt: skip
        """Return this system with another one that a body of it carries.

        The other's bodies come after those listed here: q = [q_here, q_other], v alike.  Its roots
        keep their joints, through which ``to`` now carries them.  Its world becomes the frame at
        ``pose`` in ``to``: a spring that it fixed to its world now ends there.  Gravity is that of
        this system, and components and formulas of forces in world axes refer to its world.
        Parameters of the same name are the same parameter.

        Args:
            other: The system to attach.
            to: Name of the body or frame that carries it, or ``"world"``.
            pose: Where the other's world frame sits in that body.
            prefix: Put in front of the names of its bodies, joints and forces, e.g. ``"left/"``.
            joint: In place of the joint of its only root, e.g. ``Fixed()`` to weld a free one.

        Raises:
            ModelError: If ``to`` is unknown, names clash, a free root would float (give ``joint``),
                ``joint`` is given for several roots, or a parameter has two numbers.

        Warns:
            ModelWarning: If the other was described with another gravity.

        >>> import poinsot as ps
        >>> arm = ps.System("arm", [ps.Body("arm", joint=ps.Prismatic("y"), mass=2.0)])
        >>> hand = ps.System("hand", [ps.Body("palm", mass=0.5)])
        >>> whole = arm.attach(hand, to="arm", pose=ps.Pose((0, 0, 1)), prefix="hand/")
        >>> whole.body_names
        ('arm', 'hand/palm')
        >>> whole.subsystem("hand/").body_names
        ('palm',)
        """
        from poinsot.model.composition import attached

        if not isinstance(other, Description):
            raise ModelError(
                f"only systems can be attached, got {other!r}; make one with System or load"
            )
        return self.from_mechanism(
            attached(self.description, other.description, to, pose=pose, prefix=prefix, joint=joint)
        )

    def subsystem(self, prefix: str) -> Self:
        """Return the bodies whose names begin with a prefix as a separate system.

        The names lose the prefix.  Its world is the body that carried it, with the gravity of this
        system; forces that also act on other bodies are left out, with a warning.  Attached there
        again with the same prefix it gives the same dynamics.

        Args:
            prefix: As given to ``attach``, e.g. ``"gripper/"``.

        Raises:
            ModelError: If there are no such bodies, or different others carry them.
        """
        from poinsot.model.subsystem import prefixed_part

        return self.from_mechanism(prefixed_part(self.description, prefix))

    def part(self, body: str) -> Self:
        """Return a body, its joint and everything that it carries as a separate system.

        Names stay.  Its world is the body that carried it, as for ``subsystem``.

        Args:
            body: Name of the body.

        Raises:
            ModelError: If there is no such body.
        """
        from poinsot.model.subsystem import carried_part

        return self.from_mechanism(carried_part(self.description, body))

    def with_frame(self, name: str, *, on: str, pose: Pose = _IDENTITY) -> Self:
        """Return this system with a named frame, to be used like a body.

        A frame is a body without mass on a fixed joint.

        Args:
            name: Name of the frame.
            on: Name of the body that carries it, or ``"world"``.
            pose: Where it sits in that body.

        Raises:
            ModelError: If the name is taken, or there is no such body.
        """
        from poinsot.model.composition import with_frame

        return self.from_mechanism(with_frame(self.description, name, on, pose))
