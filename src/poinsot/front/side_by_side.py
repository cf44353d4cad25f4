"""Two systems on moving bases as one system: ``ps.side_by_side``."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.same_formula import same
from poinsot.front.collide import check_party
from poinsot.front.moving_system import MovingSystem
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.model import WORLD, Body, Free, Pose, PrescribedMotion, Prismatic, Revolute

__all__ = ["side_by_side"]

WHERE: Final = "side_by_side"
BASE: Final = "base"
"""Name of the body that stands for a base."""


def side_by_side(
    first: MovingSystem, second: MovingSystem, *, prefixes: tuple[str, str] = ("first/", "second/")
) -> MovingSystem:
    """Return two systems on moving bases as one, whose roots have a prescribed motion.

    Each base is a body ``"first/base"`` without mass, and ``"second/base"``, which the systems are
    attached to; one that moves is carried by slides and hinges along and about its axes, held by
    ``PrescribedMotion``s: coordinates that come before those of both systems.  The mass matrix of
    the whole has no entries between the two [Zhang1996, (3.14)], ``collide(whole, None, ...)`` is
    the impact of both, and runs of ``whole.system`` from ``whole.q`` and ``whole.v`` with
    ``contacts=`` let them move and hit each other.

    At t = 0 a base has the place, velocity and acceleration that were given.  Later its coordinates
    are those of constant second rates: of a base that only travels, or turns about one of its axes,
    this is motion at constant acceleration.

    Parameters of the same name are the same parameter, as in ``attach``; numbers that a
    ``MovingSystem`` was given become constants.

    Args:
        first: One system with its state, or a base alone.
        second: The other one.
        prefixes: Put in front of the names of bodies, joints and so on of each.

    Raises:
        ModelError: If there are many states, names clash, or the systems have different gravity.

    >>> import poinsot as ps
    >>> arm = ps.library.double_pendulum()
    >>> lift = ps.BaseMotion(ps.Pose((0.5, 0, 0)), velocity=(0, 0, 0.3, 0, 0, 0))
    >>> whole = ps.side_by_side(ps.MovingSystem(arm, [0.1, 0], [1, 0]),
    ...                         ps.MovingSystem(arm, [0.2, 0], [0, 0], lift))
    >>> whole.system.mass_matrix(whole.q)[1:3, 3:]                   # the lift, then two arms
    array([[0., 0.],
           [0., 0.]])
    """
    both = (first, second)
    for party in both:
        check_party(party, WHERE)
        if party.is_many:
            raise ModelError(f"{WHERE}: it takes one state, and got many; take party.state(k)")
    texts = prefixes if isinstance(prefixes, (tuple, list)) else ()
    if len(texts) != 2 or not all(isinstance(x, str) for x in texts) or texts[0] == texts[1]:
        raise ModelError(
            f"{WHERE}: prefixes must be two texts that tell the systems apart, such as "
            f"('first/', 'second/'), got {prefixes!r}"
        )
    systems = [_system(party) for party in both]
    given = [system for system in systems if system is not None]
    _check_gravity(given)
    bodies: list[Body] = []
    drives: list[PrescribedMotion] = []
    rates: list[float] = []
    for party, prefix in zip(both, prefixes, strict=True):
        own = _carriers(party, prefix)
        bodies += own[0]
        drives += own[1]
        rates += own[2]
    name = " and ".join(system.name for system in given)
    whole = System(name, bodies, constraints=drives, gravity=given[0].gravity)
    for system, prefix in zip(systems, prefixes, strict=True):
        if system is not None:
            whole = whole.attach(system, to=prefix + BASE, prefix=prefix, joint=_free_root(system))
    q = np.concatenate([np.zeros(len(rates)), first.q, second.q])
    v = np.concatenate([rates, first.v, second.v])
    return MovingSystem(whole, q, v)


def _system(party: MovingSystem) -> System | None:
    """Return a system with the numbers of its parameters that were given."""
    own = party.parameters
    if party.system is None or own is None:
        return party.system
    return with_numbers(party.system, WHERE, {name: float(x) for name, x in own.items()})


def _check_gravity(systems: list[System]) -> None:
    """Reject bases alone, and systems of different gravity, of which the whole has one."""
    if not systems:
        raise ModelError(f"{WHERE}: both are bases alone; give a system")
    first, last = systems[0], systems[-1]
    if not same(first.gravity, last.gravity):
        raise ModelError(
            f"{WHERE}: gravity of {first.name!r} is {first.gravity}, that of {last.name!r} "
            f"{last.gravity}; describe both with the same one"
        )


def _carriers(
    party: MovingSystem, prefix: str
) -> tuple[list[Body], list[PrescribedMotion], list[float]]:
    """Return the bodies that carry a system as its base does, their drives, and their rates.

    Along body axes by slides x, y, z, then about them by hinges in the order x, y, z.  Where all
    these coordinates are zero their rates are the base's velocity V, w, and second rates follow
    from its acceleration, the rate of V and w in axes that turn:

        s'' = V' + w × V,      φ'' = w' - (w_y w_z, -w_x w_z, w_x w_y)
    """
    base = party.base
    V, w = base.velocity[:3], base.velocity[3:]
    turned = np.array([w[1] * w[2], -w[0] * w[2], w[0] * w[1]])
    second = np.concatenate(
        [base.acceleration[:3] + np.cross(w, V), base.acceleration[3:] - turned]
    )
    parent, pose = WORLD, Pose(base.p, matrix=base.R)
    bodies, drives, rates = [], [], []
    for k, (rate, growth) in enumerate(zip(base.velocity, second, strict=True)):
        if not (rate or growth):
            continue
        name = f"{prefix}{BASE} {'turns' if k > 2 else 'slides'} {'xyz'[k % 3]}"
        axis = "xyz"[k % 3]
        bodies.append(Body(name, parent, Revolute(axis) if k > 2 else Prismatic(axis), pose))
        law = f"{float(rate)!r}*t" + (f" + {float(growth) / 2.0!r}*t**2" if growth else "")
        drives.append(PrescribedMotion(f"drive of {name}", name, law))
        rates.append(float(rate))
        parent, pose = name, Pose()
    bodies.append(Body(prefix + BASE, parent, pose=pose))
    return bodies, drives, rates


def _free_root(system: System) -> Free | None:
    """Return the joint of a root that floats, which goes on floating on its base."""
    roots = [body for body in system.bodies if body.parent == WORLD]
    joint = roots[0].joint if len(roots) == 1 else None
    return joint if isinstance(joint, Free) else None
