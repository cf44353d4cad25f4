"""Systems made of systems, and what their bodies are: the part of ``System`` that arranges."""

from __future__ import annotations

from typing import Self

from poinsot.errors import ModelError
from poinsot.front.described import Described
from poinsot.model import AbstractJoint, Pose

_IDENTITY = Pose()


class Composed(Described):
    """Attaching, taking apart and drawing; every method returns something new."""

    def attach(
        self, other: Composed, *, to: str, pose: Pose = _IDENTITY, prefix: str = "",
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

        if not isinstance(other, Composed):
            raise ModelError(
                f"only systems can be attached, got {other!r}; make one with System or load"
            )
        return self.from_mechanism(
            attached(self.description, other.description, to, pose=pose, prefix=prefix, joint=joint)
        )

    def subsystem(self, prefix: str) -> Self:
        """Return the bodies whose names begin with a prefix as a system by itself.

        The names lose the prefix.  Its world is the body that carried it, with the gravity of this
        system; forces that also act on other bodies are left out, with a warning.  Attached there
        again with the same prefix it gives the same dynamics.

        Args:
            prefix: As given to ``attach``, e.g. ``"gripper/"``.

        Raises:
            ModelError: If there are no such bodies, or different others carry them.
        """
        from poinsot.model.composition import prefixed_part

        return self.from_mechanism(prefixed_part(self.description, prefix))

    def part(self, body: str) -> Self:
        """Return a body, its joint and everything that it carries as a system by itself.

        Names stay.  Its world is the body that carried it, as for ``subsystem``.

        Args:
            body: Name of the body.

        Raises:
            ModelError: If there is no such body.
        """
        from poinsot.model.composition import carried_part

        return self.from_mechanism(carried_part(self.description, body))

    def with_frame(self, name: str, *, on: str, pose: Pose = _IDENTITY) -> Self:
        """Return this system with a named frame, to be asked for as bodies are.

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
        from poinsot.front.drawing import drawing

        return drawing(self.mechanism)

    def __str__(self) -> str:
        return self.tree()
