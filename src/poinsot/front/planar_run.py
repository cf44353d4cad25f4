"""Runs of planar mechanisms by units: the drivers' coordinates are the only states.

    q̈ = M_red(q)⁻¹ (τ(t, q, q̇) - h(q, q̇, loads))

is traced unit by unit and integrated by the compiled loop as further states of a system without
motion of its own; no loop can drift open, since positions follow from q.

Groups without closed form remember where they are: their poses g are further states,

    ġ = J(q) q̇ + κ (p(q, g) - g),    κ = Σ |q̇_i| / (1 rad, or the size of the mechanism),

J q̇ the velocities of their links, p their poses by Newton's method from g on, which everything is
computed with (``nearby_positions.py``).  What g has drifted away is forgotten within a radian.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.expression import compiled_program
from poinsot.expr import Op, as_expr, build, minimum, optimise
from poinsot.formulations.composable.coulomb import rubbing_joints
from poinsot.formulations.composable.element_forces import element_energy
from poinsot.formulations.composable.nearby_positions import (
    followed_links,
    linkage_size,
    nearby_positions,
)
from poinsot.formulations.composable.plane import point_at
from poinsot.formulations.composable.positions import has_closed_forms, is_closed, positions
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.front.planar_branches import shown_coordinate
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.front.simulate import simulate
from poinsot.front.system import System
from poinsot.model import Body, Prismatic
from poinsot.model.checks import finite_array
from poinsot.model.parameters import symbols
from poinsot.model.states.state import State
from poinsot.simulation.laws.event import Event
from poinsot.simulation.running.status import Outcome, SimulationWarning
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.run import Run

PlanarLaw = ArrayLike | Callable[[Any, Any, Any], Any]
"""Numbers, or a function of t, q and v over any scalar."""
DEAD_POINT: Final = "dead point"
DEAD: Final = 1e-6
"""Clearance of a unit, a squared sine, below which a run stops."""
FAR: Final = 2e-3
"""Clearance at ``TURN`` positions above which there is no dead point between two of them."""
TURN: Final = 1440
NEAR: Final = 1e-2
"""Nearness to a dead point that explains why a run stopped."""
COORDINATE: Final = "q{}"
RATE: Final = "v{}"
POSE: Final = "g{}"


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
        return self._states(COORDINATE, len(self.mechanism.linkage.drivers))

    @property
    def v(self) -> Array:
        """Their rates, shape (n, nq)."""
        return self._states(RATE, len(self.mechanism.linkage.drivers))

    @cached_property
    def near(self) -> dict[str, Array] | None:
        """Poses (n, 3) that groups without closed form remember; None where there are none.

        For the ``near`` of methods of the mechanism.
        """
        links = _remembering(self.mechanism)
        if not links:
            return None
        poses = self._states(POSE, 3 * len(links))
        return {link: poses[:, 3 * k : 3 * k + 3] for k, link in enumerate(links)}

    @cached_property
    def positions(self) -> dict[str, Array]:
        """Poses of the links, (n, 3) each."""
        return self.mechanism.positions(self.q, near=self.near)

    @cached_property
    def velocities(self) -> dict[str, Array]:
        """(ẋ, ẏ, φ̇) of the links, (n, 3) each."""
        return self.mechanism.velocities(self.q, self.v, near=self.near)

    def energy(self) -> Array:
        """Return kinetic energy and that of gravity and springs together [J], shape (n,)."""
        M = self.mechanism.mass_matrix(self.q, near=self.near)
        energy: Array = np.einsum("ni,nij,nj->n", self.v, M, self.v) / 2
        linkage = self.mechanism.linkage
        for name, link in linkage.links.items():
            place = point_at(self.positions[name], link.com)
            energy = energy - link.mass * place @ np.asarray(linkage.gravity, float)
        return np.asarray(energy + element_energy(linkage, self.positions))

    def _states(self, name: str, count: int) -> Array:
        return np.stack([self.run.states[name.format(k)] for k in range(count)], axis=-1)

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
    for joint in rubbing_joints(mechanism.linkage):
        if not joint.slip:
            raise ModelError(
                f"simulate: friction of joint {joint.name!r} changes its sign at once; give the"
                ' velocity over which it does: "slip": 0.01 [rad/s or m/s]'
            )
    if q.shape != (count,) or v.shape != (count,):
        raise ModelError(f"simulate: q and v must have the shape ({count},), one for each driver")
    laws = {"tau": (tau, count), **{f"load{k}": (x, 3) for k, x in enumerate(loads.values())}}
    functions = [None if not callable(law) else law for law, _ in laws.values()]
    numbers = {
        f"{name}_{k}": value
        for name, (law, size) in laws.items()
        if not callable(law)
        for k, value in enumerate(_entries(law, size, name))
    }
    remembering = _remembering(mechanism)
    poses = mechanism.positions(q, near=near) if remembering or near is not None else {}
    system = _system_of(mechanism, tuple(loads), tuple(functions), tuple(numbers))
    states = {COORDINATE.format(k): x for k, x in enumerate(q.tolist())}
    states |= {RATE.format(k): x for k, x in enumerate(v.tolist())}
    if remembering:
        entries = np.concatenate([poses[link] for link in remembering]).tolist()
        states |= {POSE.format(k): x for k, x in enumerate(entries)}
    event = _dead_point(mechanism, _decade(mechanism, poses) if remembering else 1.0)
    if event is not None:
        options = {**options, "events": [*options.get("events", ()), event]}
    run = simulate(system, [0.0], [0.0], duration, states=states, parameters=numbers, **options)
    _tell_dead_point(mechanism, run)
    return PlanarRun(mechanism, run)


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
    numbers: tuple[str, ...],
) -> System:
    """Return the system whose states are the drivers' coordinates and rates.

    Args:
        mechanism: What moves.
        loaded: Links with loads.
        functions: Of the drivers' forces, then of the loads; None where they are numbers.
        numbers: Names of the parameters that are these numbers: other ones need no other code.
    """
    count = len(mechanism.linkage.drivers)

    def law(name: str, function: Callable[..., Any] | None, size: int, *state: Any) -> Array:  # noqa: ANN401
        if function is not None:
            return np.broadcast_to(np.asarray(function(*state)), (size,))
        return np.array([symbols(f"{name}_{k}") for k in range(size)], object)

    traced: list[tuple[Any, Array, Array]] = []

    def rates(t: Any) -> tuple[Array, Array]:  # noqa: ANN401 (a symbol)
        """Return q̈, and ġ of the groups that remember their poses; traced once for all."""
        if traced and traced[0][0] is t:
            return traced[0][1:]
        x, v, near = _symbols(mechanism)
        drive = law("tau", functions[0], count, t, x, v)
        forces = {
            link: law(f"load{k}", function, 3, t, x, v)
            for k, (link, function) in enumerate(zip(loaded, functions[1:], strict=True))
        }
        a = mechanism.forward_dynamics(x, v, drive, loads=forces, near=near)
        g = np.zeros(0) if near is None else _pose_rates(mechanism, x, v, near)
        traced[:] = [(t, a, g)]
        return a, g

    states = []
    for k in range(count):
        rate = RATE.format(k)
        states.append(State(COORDINATE.format(k), rate=rate))
        states.append(State(rate, rate=_entry(rates, 0, k)))
    for k in range(3 * len(_remembering(mechanism))):
        states.append(State(POSE.format(k), rate=_entry(rates, 1, k)))
    clock = Body("clock", joint=Prismatic("x"), mass=1.0)
    parameters = dict.fromkeys(numbers, 0.0)
    return System(
        "planar mechanism", [clock], states=states, parameters=parameters, free=list(numbers)
    )


def _remembering(mechanism: PlanarQuantities) -> tuple[str, ...]:
    """Return the links whose poses are states: those of groups without closed form."""
    linkage = mechanism.linkage
    return () if has_closed_forms(linkage) else followed_links(linkage)


def _symbols(mechanism: PlanarQuantities) -> tuple[Array, Array, dict[str, Array] | None]:
    """Return the states by name: q, q̇, and the poses g, None without such."""
    count, links = len(mechanism.linkage.drivers), _remembering(mechanism)
    sizes = ((COORDINATE, count), (RATE, count), (POSE, 3 * len(links)))
    q, v, g = (
        np.array([symbols(name.format(k)) for k in range(size)], object) for name, size in sizes
    )
    near = {link: g[3 * k : 3 * k + 3] for k, link in enumerate(links)}
    return q, v, near or None


def _pose_rates(
    mechanism: PlanarQuantities, q: Array, v: Array, near: Mapping[str, Array]
) -> Array:
    """Return ġ."""
    linkage = mechanism.linkage
    poses, rates = (mechanism.positions(q, near=near), mechanism.velocities(q, v, near=near))
    size = linkage_size(linkage)
    forgetting = sum(
        abs(rate) / (1.0 if linkage.by_name[name].kind == "R" else size)
        for name, rate in zip(linkage.drivers, v, strict=True)
    )
    return np.concatenate(
        [rates[link] + forgetting * (poses[link] - pose) for link, pose in near.items()]
    )


@final
@dataclass(frozen=True)
class Clearance:
    """Whether units of a mechanism are off their dead points, to be traced; equal by value.

    Attributes:
        mechanism: The mechanism.
        least: Squared sine that all of them are to exceed.
        share: The same for groups without closed form, of which it is a product of several, as a
            part of ``least``.
    """

    mechanism: PlanarQuantities
    least: float
    share: float = 1.0

    def __call__(self, t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (symbols)
        """Return what is positive where they do; times and velocities do not matter."""
        linkage, modes = self.mechanism.linkage, self.mechanism.modes
        x, _, near = _symbols(self.mechanism)
        poses = positions(linkage, x, modes) if near is None else (
            nearby_positions(linkage, x, modes, near, linkage_size(linkage)).poses
        )  # fmt: skip
        least: Any = 1.0
        for unit in linkage.units:
            if len(unit.bodies) > 1 or not unit.drivers:
                equations = UnitEquations(unit, linkage, poses)
                share = 1.0 if is_closed(unit, linkage) else self.share
                least = minimum(least, equations.margin_above(self.least * share))
        return least


def _turns_all_round(clearance: Clearance) -> bool:
    """Say whether the only driver is a crank that comes nowhere near a dead point in a turn."""
    linkage = clearance.mechanism.linkage
    if len(linkage.drivers) != 1 or _remembering(clearance.mechanism):
        return False
    if linkage.by_name[linkage.drivers[0]].kind != "R":
        return False
    angle = np.array([symbols(COORDINATE.format(0))], object)
    outputs = {"clearance": np.array([clearance(0.0, None, None)], object)}
    kernel = compiled_program(optimise(build({"q": angle}, outputs)))
    least = np.empty((TURN, 1))
    kernel.run([np.linspace(0.0, 2.0 * np.pi, TURN)[:, None]], [least])
    return bool((least > 0.0).all())  # not for NaN


def _decade(mechanism: PlanarQuantities, poses: Mapping[str, Array]) -> float:
    """Return the clearness of groups without closed form at the start, as a power of ten."""
    linkage = mechanism.linkage
    entries = {name: pose.astype(object) for name, pose in poses.items()}
    clear = [
        float(UnitEquations(unit, linkage, entries).clearness)
        for unit in linkage.units
        if not is_closed(unit, linkage)
    ]
    least = max(min(clear), float(np.finfo(float).tiny))
    return float(10.0 ** np.floor(np.log10(least)))


@lru_cache(maxsize=32)
def _dead_point(mechanism: PlanarQuantities, share: float) -> Event | None:
    """Return the event that ends a run where a unit comes to a dead point; None without such."""
    clearance = Clearance(mechanism, DEAD, share)
    if as_expr(clearance(0.0, None, None)).op is Op.CONSTANT:
        return None  # cranks, gears and cams alone have none
    if _turns_all_round(Clearance(mechanism, FAR)):
        return None
    return Event(DEAD_POINT, clearance, direction="down", stop=True)


def _tell_dead_point(mechanism: PlanarQuantities, run: Run) -> None:
    """Warn with links and coordinates where a run ended next to a dead point."""
    if run.status.outcome is Outcome.FINISHED:
        return
    count = len(mechanism.linkage.drivers)
    q = np.array([run.states[COORDINATE.format(k)][-1] for k in range(count)])
    links = _remembering(mechanism)
    poses = np.array([run.states[POSE.format(k)][-1] for k in range(3 * len(links))])
    memory = {link: poses[3 * k : 3 * k + 3] for k, link in enumerate(links)}
    near = min(
        mechanism.nearness(q, near=memory or None).items(),
        key=lambda item: float(item[1]),
        default=None,
    )
    if near is None or not float(near[1]) < NEAR:
        return
    shown = ", ".join(shown_coordinate(mechanism, k, float(x)) for k, x in enumerate(q))
    warnings.warn(
        f"planar mechanism: {', '.join(near[0])} came to a dead point at {shown}, t = "
        f"{run.t[-1]:.4g} s: the drivers' coordinates do not tell the motion beyond; drive another"
        " joint, or simulate its system()",
        SimulationWarning,
        stacklevel=4,
    )


def _entry(rates: Callable[..., tuple[Array, Array]], part: int, k: int) -> Callable[..., Any]:
    return lambda t, q, v: rates(t)[part][k]
