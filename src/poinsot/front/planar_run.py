"""Runs of planar mechanisms by units: the drivers' coordinates are the only states.

    q̈ = M_red(q)⁻¹ (τ(t, q, q̇) - h(q, q̇, loads))

is traced unit by unit and integrated by the compiled loop as further states of a system without
motion of its own; no loop can drift open, since positions follow from q.
Groups without closed form remember their poses as further states (``planar_states.py``), behind
which are those of a system; its samples over time are looked up by the compiled loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.expr.rank import rank, unit_rows
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.coulomb import rubbing_joints
from poinsot.formulations.composable.counted_angles import read_poses
from poinsot.formulations.composable.element_forces import element_energy
from poinsot.formulations.composable.plane import point_at
from poinsot.formulations.composable.quantities import without_inertia
from poinsot.formulations.composable.velocity_rows import velocity_residuals
from poinsot.front.planar_dead_points import dead_point, tell_dead_point
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.front.planar_states import (
    COORDINATE,
    POSE,
    RATE,
    SAMPLES,
    by_link,
    carried_states,
    further_rates,
    pose_rates,
    remembering,
    running,
    start_states,
    state_symbols,
)
from poinsot.front.state_runs import run_of_states
from poinsot.front.system import System
from poinsot.front.working_load import WorkingLoad
from poinsot.model import Body, Prismatic
from poinsot.model.checks import finite_array
from poinsot.model.parameters import symbols
from poinsot.model.planar.given_numbers import samples_of
from poinsot.model.states.state import State
from poinsot.simulation.running.status import Outcome
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.run import Run

ALLOWED: Final = 1e-6
"""What rates at a start may violate constraints on velocities by, relative to the largest."""
PlanarLaw = ArrayLike | Callable[[Any, Any, Any], Any]
"""Numbers, or a function of t, q and v over any scalar."""


@final
class PlanarRun:
    """Motion of a planar mechanism under forces of its drivers and loads.

    Attributes:
        mechanism: What moved.
        run: The run of the drivers' coordinates as states: ``status``, ``statistics``, ...
    """

    def __init__(self, mechanism: PlanarQuantities, run: Run) -> None:
        self.mechanism, self.run = mechanism, run

    @property
    def t(self) -> Array:
        """Times of the stored states [s], shape (n,)."""
        return self.run.t

    @property
    def q(self) -> Array:
        """Coordinates of the drivers, shape (n, nq)."""
        return self.run.further[:, : 2 * self._count : 2]

    @property
    def v(self) -> Array:
        """Their rates, shape (n, nq)."""
        return self.run.further[:, 1 : 2 * self._count : 2]

    @cached_property
    def near(self) -> dict[str, Array] | None:
        """Poses (n, 3) that groups without closed form remember; None where there are none.

        For the ``near`` of methods of the mechanism.
        """
        links = remembering(self.mechanism)
        start = 2 * self._count
        g = self.run.further[:, start : start + 3 * len(links)]
        return by_link(links, g) if links else None

    @property
    def states(self) -> dict[str, Array]:
        """States of the system that the mechanism was made of, (n,) each."""
        start = 2 * self._count + 3 * len(remembering(self.mechanism))
        return dict(zip(self.mechanism.states, self.run.further[:, start:].T, strict=True))

    @cached_property
    def positions(self) -> dict[str, Array]:
        """Poses of the links, (n, 3) each."""
        return self.mechanism.positions(self.q, t=self.t, near=self.near)

    @cached_property
    def velocities(self) -> dict[str, Array]:
        """(ẋ, ẏ, φ̇) of the links, (n, 3) each."""
        return self.mechanism.velocities(self.q, self.v, t=self.t, near=self.near)

    def energy(self) -> Array:
        """Return kinetic energy and that of gravity and springs together [J], shape (n,)."""
        M = self.mechanism.mass_matrix(self.q, t=self.t, near=self.near)
        energy: Array = np.einsum("ni,nij,nj->n", self.v, M, self.v) / 2
        linkage = self.mechanism.linkage
        clock = clock_motion(linkage, self.t[:, None])
        for name, link in linkage.links.items():
            place = point_at(self.positions[name], link.com)
            energy = energy - link.mass * place @ np.asarray(linkage.gravity, float)
        return np.asarray(energy + element_energy(linkage, self.positions | clock.poses))

    @property
    def _count(self) -> int:
        return len(self.mechanism.linkage.drivers)

    def __repr__(self) -> str:
        return f"PlanarRun({len(self.t)} states to {self.t[-1]:g} s)"


def simulate_planar(
    mechanism: PlanarQuantities,
    start: tuple[Array, Array],
    duration: float,
    tau: PlanarLaw,
    loads: Mapping[str, PlanarLaw],
    options: Mapping[str, Any],
    near: Mapping[str, ArrayLike] | None = None,
) -> PlanarRun:
    """Integrate the equations of motion of the drivers; see ``PlanarMechanism.simulate``."""
    count = len(mechanism.linkage.drivers)
    q, v = start
    if options.get("checkpoint") is not None:
        raise ModelError(
            "simulate: runs of planar mechanisms have no checkpoints: what they integrate cannot be"
            " kept in a file; simulate mechanism.system() with one, or go on from run.q[-1] and"
            " run.v[-1]"
        )
    for joint in rubbing_joints(mechanism.linkage):
        if not joint.slip:
            raise ModelError(
                f"simulate: friction of joint {joint.name!r} changes its sign at once; give the"
                ' velocity over which it does: "slip": 0.01 [rad/s or m/s]'
            )
    if q.shape != (count,) or v.shape != (count,):
        raise ModelError(f"simulate: q and v must have the shape ({count},), one for each driver")
    laws = [("tau", tau, count), *((f"load{k}", x, 3) for k, x in enumerate(loads.values()))]
    functions = [law if callable(law) else None for _, law, _ in laws]
    numbers: list[float] = []
    for name, law, size in laws:
        numbers += () if callable(law) else _entries(law, size, name)
    links = remembering(mechanism)
    _check_start(mechanism, q, near)
    poses = mechanism.positions(q, near=near) if links else {}
    memory = {link: poses[link] for link in links}
    if mechanism.linkage.velocity_rows:
        _check_rates(mechanism, q, v, poses or mechanism.positions(q))
    system = _system_of(mechanism, tuple(loads), tuple(functions))
    states = start_states(q, v, memory, mechanism.states.values())
    event = dead_point(mechanism, q, memory)
    run = run_of_states(system, duration, states, numbers, event, options)
    made = PlanarRun(mechanism, run)
    if run.status.outcome is not Outcome.FINISHED:
        last = None if made.near is None else {link: g[-1] for link, g in made.near.items()}
        tell_dead_point(mechanism, float(run.t[-1]), made.q[-1], last)
    return made


def _check_rates(
    mechanism: PlanarQuantities, q: Array, v: Array, poses: Mapping[str, Array]
) -> None:
    """Reject rates that constraints on velocities do not allow."""
    linkage = mechanism.linkage
    clock = clock_motion(linkage, np.zeros(1))
    near = {link: poses[link] for link in remembering(mechanism)} or None
    moved = mechanism.velocities(q, v, near=near) | {k: m[0] for k, m in clock.rates.items()}
    seen = read_poses(linkage, {**poses, **clock.poses})
    residuals = velocity_residuals(linkage, seen, moved)
    worst = int(np.argmax(np.abs(residuals)))
    if np.abs(residuals[worst]) > ALLOWED * (1.0 + float(np.max(np.abs(v)))):
        raise ModelError(
            f"simulate: the rates v = {v.tolist()} violate the constraint"
            f" {linkage.velocity_rows[worst].name!r} by {residuals[worst]:.3g}; take some that obey"
            " it: system.consistent_velocity"
        )


def _check_start(
    mechanism: PlanarQuantities, q: Array, near: Mapping[str, ArrayLike] | None
) -> None:
    """Reject starts that cannot be assembled, and drivers that move no mass."""
    if not all(map(isfinite, q.tolist())):
        finite_array(q, "simulate: the start")
    if near is None:  # without it calls are machine code at once
        mechanism.positions(q)
        M = mechanism.mass_matrix(q)
    else:
        mechanism.positions(q, near=near)
        M = mechanism.mass_matrix(q, near=near)
    # coordinates may differ in unit; a single one has a rank without decision
    if (np.count_nonzero(M) if len(q) == 1 else rank(unit_rows(M)[0])) < len(q):
        raise without_inertia("simulate", mechanism.linkage)


def _entries(law: ArrayLike, size: int, name: str) -> list[float]:
    """Return a law of numbers as so many; one number stands for all."""
    if law.__class__ is float and isfinite(law):
        return [law] * size
    array = finite_array(law, f"simulate: {name}")
    entries = array.ravel().tolist()
    if array.ndim > 1 or len(entries) not in (1, size):
        raise ShapeError(f"simulate: {name} must have the shape ({size},), got {array.shape}")
    return entries * size if len(entries) == 1 else entries


@lru_cache(maxsize=32)
def _system_of(
    mechanism: PlanarQuantities,
    loaded: tuple[str, ...],
    functions: tuple[Callable[..., Any] | None, ...],
) -> System:
    """Return the system whose states are the drivers' coordinates and rates.

    Args:
        mechanism: What moves.
        loaded: Links with loads.
        functions: Of the drivers' forces, then of the loads; None where they are numbers, which
            are parameters: other ones need no other code.
    """
    samples = samples_of(mechanism.linkage)
    mechanism = running(mechanism)
    count = len(mechanism.linkage.drivers)
    laws = [("tau", count), *((f"load{k}", 3) for k in range(len(loaded)))]
    numbers = [
        f"{name}_{k}"
        for (name, size), function in zip(laws, functions, strict=True)
        if function is None
        for k in range(size)
    ]

    def law(name: str, function: Callable[..., Any] | None, size: int, *state: Any) -> Any:  # noqa: ANN401
        if isinstance(function, WorkingLoad):
            return function  # the mechanism looks its table up where it is
        if function is not None:
            return np.broadcast_to(np.asarray(function(*state)), (size,))
        return np.array([symbols(f"{name}_{k}") for k in range(size)], object)

    traced: list[tuple[Any, Array, Array, Array]] = []

    def rates(t: Any) -> tuple[Array, Array, Array]:  # noqa: ANN401 (a symbol)
        """Return q̈, ġ of groups that remember their poses, and others; traced once for all."""
        if traced and traced[0][0] is t:
            return traced[0][1:]
        state = state_symbols(mechanism)
        x, v, near = state
        drive = law("tau", functions[0], count, t, x, v)
        forces = {
            link: law(f"load{k}", function, 3, t, x, v)
            for k, (link, function) in enumerate(zip(loaded, functions[1:], strict=True))
        }
        a = mechanism.forward_dynamics(x, v, drive, t=t, loads=forces, near=near)
        further = further_rates(mechanism, state, t, drive)
        traced[:] = [(t, a, pose_rates(mechanism, state, t), further)]
        return traced[0][1:]

    states = []
    for k in range(count):
        rate = RATE.format(k)
        states.append(State(COORDINATE.format(k), rate=rate))
        states.append(State(rate, rate=_entry(rates, 0, k)))
    for k in range(3 * len(remembering(mechanism))):
        states.append(State(POSE.format(k), rate=_entry(rates, 1, k)))
    further = carried_states(mechanism.linkage, lambda k: _entry(rates, 2, k))
    every = [*states, *(carried for _, carried in further)]
    clock = Body("clock", joint=Prismatic("x"), mass=1.0)
    looked_up = {SAMPLES.format(k): signal for k, signal in enumerate(samples.values())}
    parameters = dict.fromkeys(numbers, 0.0) | looked_up
    return System("planar mechanism", [clock], states=every, parameters=parameters, free=numbers)


def _entry(
    rates: Callable[..., tuple[Array, Array, Array]], group: int, k: int
) -> Callable[..., Any]:
    return lambda t, q, v: rates(t)[group][k]
