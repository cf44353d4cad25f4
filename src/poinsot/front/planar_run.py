"""Runs of planar mechanisms by units: the drivers' coordinates are the only states.

    q̈ = M_red(q)⁻¹ (τ(t, q, q̇) - h(q, q̇, loads))

is traced unit by unit and integrated by the compiled loop as further states of a system without
motion of its own; no loop can drift open, since positions follow from q.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import point_at
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.front.simulate import simulate
from poinsot.front.system import System
from poinsot.model import Body, Prismatic
from poinsot.model.parameters import symbols
from poinsot.model.states.state import State
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.run import Run

PlanarLaw = ArrayLike | Callable[[Any, Any, Any], Any]
"""Numbers, or a function of t, q and v over any scalar."""
COORDINATE: Final = "q{}"
RATE: Final = "v{}"


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
        return self._states(COORDINATE)

    @property
    def v(self) -> Array:
        """Their rates, shape (n, nq)."""
        return self._states(RATE)

    @cached_property
    def positions(self) -> dict[str, Array]:
        """Poses of the links, (n, 3) each."""
        return self.mechanism.positions(self.q)

    @cached_property
    def velocities(self) -> dict[str, Array]:
        """(ẋ, ẏ, φ̇) of the links, (n, 3) each."""
        return self.mechanism.velocities(self.q, self.v)

    def energy(self) -> Array:
        """Return kinetic energy and that of gravity together [J], shape (n,)."""
        M = self.mechanism.mass_matrix(self.q)
        energy: Array = np.einsum("ni,nij,nj->n", self.v, M, self.v) / 2
        linkage = self.mechanism.linkage
        for name, link in linkage.links.items():
            place = point_at(self.positions[name], link.com)
            energy = energy - link.mass * place @ np.asarray(linkage.gravity, float)
        return energy

    def _states(self, name: str) -> Array:
        count = len(self.mechanism.linkage.drivers)
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
) -> PlanarRun:
    """Integrate the equations of motion of the drivers; see ``PlanarMechanism.simulate``."""
    count = len(mechanism.linkage.drivers)
    q, v = start
    if q.shape != (count,) or v.shape != (count,):
        raise ModelError(f"simulate: q and v must have the shape ({count},), one for each driver")

    def accelerations(t: Any, *_: Any) -> Array:  # noqa: ANN401 (symbols)
        x, rates = (
            np.array([symbols(name.format(k)) for k in range(count)], object)
            for name in (COORDINATE, RATE)
        )
        forces = {link: _value(law, t, x, rates) for link, law in loads.items()}
        drive = np.broadcast_to(_value(tau, t, x, rates), (count,))
        return mechanism.forward_dynamics(x, rates, drive, loads=forces)

    states = []
    for k in range(count):
        rate = RATE.format(k)
        states.append(State(COORDINATE.format(k), rate=rate, initial=float(q[k])))
        law = _entry(accelerations, k)
        states.append(State(rate, rate=law, initial=float(v[k])))
    clock = Body("clock", joint=Prismatic("x"), mass=1.0)
    system = System("planar mechanism", [clock], states=states)
    run = simulate(system, [0.0], [0.0], duration, **options)
    return PlanarRun(mechanism, run)


def _value(law: PlanarLaw, t: Any, q: Array, v: Array) -> Array:  # noqa: ANN401
    return np.asarray(law(t, q, v) if callable(law) else law)


def _entry(function: Callable[..., Array], k: int) -> Callable[..., Any]:
    return lambda t, q, v: function(t)[k]
