"""Systems and the graphs of their bodies: made from one, and its matrices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from numpy.typing import ArrayLike

from poinsot.front.described import Described
from poinsot.model import AbstractConstraint, AbstractForce, Body, Connection

if TYPE_CHECKING:
    from poinsot.front.graph_matrices import GraphMatrices


class Graphs(Described):
    """The methods of ``System`` about what is joined to what."""

    @classmethod
    def from_graph(
        cls, name: str, bodies: Iterable[Body], joints: Iterable[Connection], *,
        gravity: ArrayLike = (0.0, 0.0, -9.81), forces: Iterable[AbstractForce] = (),
        constraints: Iterable[AbstractConstraint] = (),
    ) -> Self:  # fmt: skip
        """Return the system of bodies and joints that are given as a plain graph.

        The joints that carry the bodies are chosen, a spanning tree from the world, and the others
        become ``loops``: so that the loops have as few bodies as possible in sum; then that there
        are as few equations as possible, velocities of the tree and rows of the loops; then that
        the bodies are as near to the world as possible; then by the names of the joints, of which
        the first in the alphabet are kept.  Joints that are free, have armature or are named by a
        constraint are never cut.  The choice is the best one for graphs of a few loops that share
        joints, and a good one for larger ones.  It does not depend on the order in which joints
        and bodies are listed.

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

        return cls.from_mechanism(
            mechanism_from_graph(name, bodies, joints, gravity, forces, constraints)
        )

    def graph_matrices(self) -> GraphMatrices:
        """Return incidence, path and loop matrix of the bodies and joints, and their screw forms.

        >>> import poinsot as ps
        >>> arm = ps.System("arm", [ps.Body("upper"), ps.Body("lower", "upper")])
        >>> print(arm.graph_matrices().S)
        S      upper  lower
        upper      1     -1
        lower      ·      1
        """
        from poinsot.front.graph_matrices import GraphMatrices

        return GraphMatrices(self._mechanism)
