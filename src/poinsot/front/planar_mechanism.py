"""Planar mechanisms that are computed unit by unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.algebra.planar_equations import PlanarEquations
from poinsot.analysis.grashof import grashof_types
from poinsot.errors import ModelError
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.coupling import Coupling, forward_coupling, inverse_coupling
from poinsot.formulations.composable.positions import (
    assemblies,
    has_closed_forms,
    placed_assemblies,
)
from poinsot.formulations.composable.substitute_link import SubstituteLink, substitute_link
from poinsot.front.cam_profile import CamProfile, cam_of
from poinsot.front.crank_turn import CrankTurn
from poinsot.front.description import Values
from poinsot.front.planar_balance import Counterweights, balance
from poinsot.front.planar_branches import DriverPath
from poinsot.front.planar_design import Synthesis, synthesis
from poinsot.front.planar_evaluation import checked_time
from poinsot.front.planar_figure import draw_mechanism
from poinsot.front.planar_from_system import planar_linkage_of
from poinsot.front.planar_parts import PlanarParts
from poinsot.front.planar_run import PlanarLaw, PlanarRun, simulate_planar
from poinsot.front.system import System
from poinsot.front.turn_states import TurnLoad
from poinsot.model.checks import finite_array, finite_vector, whole_number
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.decomposition import PlanarMobility, planar_mobility
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@final
class PlanarMechanism(PlanarParts):
    """A planar mechanism taken apart into driver units and Assur groups.

    Coordinates q, rates v and accelerations a are those of the drivers, shape (..., nq): angles
    φ_b - φ_a of pins [rad], strokes of slides [m].  Poses are (x, y, φ) of the links' frames.
    Loads by link are [Fx, Fy, M]: force at the mass centre in the axes of the ground, couple.

    Attributes:
        linkage: The description.
        modes: Assembly modes by inner joints.
    """

    @staticmethod
    def from_system(
        system: System, drivers: Sequence[str], q: ArrayLike, *, parameters: Values = None,
        t: float = 0.0, states: Values = None,
    ) -> PlanarMechanism:  # fmt: skip
        """Return a system that moves in a plane as a planar mechanism.

        Joints of its tree keep their names and coordinates; hinges must be parallel, slides across
        them.  The plane has the first hinge's axis as its normal.  Welded bodies are one link,
        called like the first of them that has mass.

        Args:
            system: Bodies, hinges, slides, planar joints, what they have of springs, dampers and
                rotors, welds, loops, equations of positions, force elements, gravity; what changes
                with time makes methods look at their ``t``.  Prescribed motions of drivers are
                what methods are given instead.
            drivers: Names of the driven joints, as many as there are degrees of freedom; a planar
                joint stands for its three coordinates, "table.x", "table.y" and "table.angle".
            q: A configuration in which it is closed, shape (nq,): it tells the assembly.
            parameters: Numbers of free parameters, of those whose own number is not to be taken.
            t: Time at which it is closed [s], where constraints change with time.
            states: Numbers at which states are held, as of ``with_states``; initial ones by
                default.  Runs begin with them and integrate them.

        Raises:
            ModelError: A joint does not move in the plane, the law of a state contains joint
                forces, or a parameter has no number; it names them.
        """
        configuration = np.asarray(q, float)
        return PlanarMechanism(
            planar_linkage_of(system, drivers, configuration, parameters, t, states)
        )

    @property
    def mobility(self) -> PlanarMobility:
        """Its degrees of freedom, from the graph."""
        return planar_mobility(self.linkage.graph)

    @property
    def coupling(self) -> Coupling:
        """U = L Y of forward dynamics."""
        return forward_coupling(self.linkage.graph)

    @property
    def equations(self) -> PlanarEquations:
        """The position equations of its units, to read: text, ``.markdown()``, ``.latex()``."""
        return PlanarEquations(self.linkage)

    @property
    def inverse_coupling(self) -> Coupling:
        """U = L Y of inverse dynamics."""
        return inverse_coupling(self.linkage.graph)

    def assemblies(self, q: ArrayLike, *, t: float = 0.0) -> list[dict[str, int]]:
        """Return the modes of all assemblies at q, one state, for ``with_modes``.

        Of units whose drivers move links against each other: by the joints inside the groups that
        remain when the drivers are locked.  Of triads and groups of class IV and higher modes are
        numbers 1, 2, ..., by increasing angle of the ternary link, or of the first link; those
        of class IV and higher are found as ``assembly_poses`` finds them.

        Args:
            q: Coordinates of the drivers, shape (nq,).
            t: Time [s], where constraints change with it.

        Raises:
            ModelError: Assemblies of a group cannot be listed: it has gears, cams or curves.
        """
        state = finite_vector(q, len(self.linkage.drivers), "assemblies: q, one state,")
        return list(assemblies(self.linkage, state, self._clock(t)))

    def _clock(self, t: float) -> dict[str, Array]:
        return clock_motion(self.linkage, checked_time(t)).poses

    def assembly_poses(self, q: ArrayLike, *, t: float = 0.0) -> list[dict[str, Array]]:
        """Return the poses of all links in all assemblies at q, one state, for ``near``.

        Groups of class IV and higher are solved as polynomials, whose complex roots are followed
        from known ones: all assemblies, with probability one.  Where that fails, or groups have
        more than 14 links, a warning says that the list may be incomplete.

        Args:
            q: Coordinates of the drivers, shape (nq,).
            t: Time [s], where constraints change with it.

        Returns:
            By link (x, y, φ), shape (3,), the frame's among them, for each assembly.

        Raises:
            ModelError: As of ``assemblies``.
        """
        state = finite_vector(q, len(self.linkage.drivers), "assembly_poses: q, one state,")
        placed = placed_assemblies(self.linkage, state, self._clock(t))
        return [{k: x for k, x in poses.items() if k != CLOCK} for _, poses in placed]

    def grashof(self) -> dict[str, str]:
        """Return the type of each four-bar with a driven crank, by its inner pin.

        "crank-rocker", "double-crank", "double-rocker", "rocker-crank" (the driver swings),
        "triple-rocker" (nobody turns) or "change-point" (it can be folded flat).
        """
        return grashof_types(self.linkage)

    def turn(
        self,
        speed: float = 1.0,
        *,
        start: float = 0.0,
        stop: float | None = None,
        positions: int = 360,
        driver: str | None = None,
        q: ArrayLike | None = None,
        t: float = 0.0,
        loads: Mapping[str, TurnLoad] | None = None,
    ) -> CrankTurn:
        """Return one turn of the crank at constant speed: motion, forces, special positions.

        Args:
            speed: Of the driver [rad/s or m/s], positive; where ``stop`` is below ``start`` it
                goes backwards.
            start: Coordinate at which it begins [rad or m].
            stop: Coordinate at which it ends; one turn later by default, which slides have not.
            positions: Number of steps; positions are one more, both ends included.
            driver: Name of the driver that moves; the first by default.
            q: Coordinates of all drivers, of which the others rest; zero by default.
            t: Time at which it begins [s], where constraints or force elements change with it.
            loads: By link: [Fx, Fy, M], rows of them for all positions, or a function of the turn,
                which may look at its ``t``, ``x``, ``positions`` and ``velocities``.

        Warns:
            SimulationWarning: If the driver cannot go on; the turn ends there.
        """
        drivers = self.linkage.drivers
        name = drivers[0] if driver is None and drivers else driver
        if name not in drivers:
            raise ModelError(f"turn: {name!r} is not driven; {suggestion(str(name), drivers)}")
        index = drivers.index(name)
        if stop is None and self.linkage.by_name[name].kind == "P":
            raise ModelError(f"turn: {name!r} is a slide; say from where to where: start=, stop=")
        end = start + 2.0 * np.pi if stop is None else stop
        finite_vector((speed, start, end), 3, "turn: speed, start and stop")
        finite_vector((t,), 1, "turn: t")
        positions = whole_number(positions, 2, "turn: positions")
        if not speed > 0.0 or end == start:
            raise ModelError(
                f"turn: speed must be positive, stop not start, got {speed}, {start} to {end}"
            )
        apart = abs(end - start) / positions
        if self.linkage.by_name[name].kind == "R" and apart > np.pi:
            raise ModelError(
                f"turn: positions of {name!r} would be {apart:.3g} rad apart, more than half a"
                " turn; angles are in radians, np.radians(...) makes them; or give more positions"
            )
        self.check_loads(loads)
        rest = np.zeros(len(drivers)) if q is None else self.checked_floats("q", q).copy()
        samples = np.linspace(start, end, positions + 1)
        signed = speed if end > start else -speed
        path = DriverPath(rest, index, start, signed, t, self.linkage.is_timed)
        mechanism = self._followed_from(path.q(samples[:1])[0], t)
        return CrankTurn(mechanism, path, samples, loads or {})

    def _followed_from(self, q: Array, t: float = 0.0) -> PlanarMechanism:
        """Return the mechanism with its positions at q as its drawing if it needs one.

        Modes of triads are numbered anew at each state; from a drawing on they are followed.
        """
        if has_closed_forms(self.linkage) or self.linkage.drawn is not None:
            return self
        poses = {name: tuple(pose.tolist()) for name, pose in self.positions(q, t=t).items()}
        links = {k: replace(link, pose=poses[k]) for k, link in self.linkage.links.items()}
        drawn = replace(self.linkage, links=links, drawn_at=t)
        return PlanarMechanism(drawn, self.modes)

    def synthesise(
        self,
        link: str,
        targets: ArrayLike,
        free: Sequence[str],
        *,
        q: ArrayLike,
        point: ArrayLike | None = None,
        timed: bool = True,
    ) -> tuple[PlanarMechanism, Synthesis]:
        """Return a mechanism whose link follows a path, or a function, as well as it can.

        Least squares from these dimensions on, with exact derivatives; a local minimum.  Triads
        and other groups without closed form are followed, from their drawing or the first q.

        Args:
            link: The link.
            targets: Places of its point [m], shape (n, 2), or its angles [rad], shape (n,).
            free: Names of the dimensions that may change: "B.pa", "D.ua", ...; "point" too.
            q: Coordinates of the drivers at the targets, shape (n, nq).
            point: Point of the link in its frame [m], path generation; None: its angle, function
                generation.
            timed: Whether the targets belong to these q; if not, q is found too.
        """
        self.linkage.check_constraints_of_time("synthesise")
        coordinates = self.checked_floats("q", q)
        wanted = finite_array(targets, "synthesise: targets")
        start = self._followed_from(coordinates[0]) if len(coordinates) else self
        result = synthesis(start, link, wanted, free, coordinates, point, timed=timed)
        modes = self.modes if result.linkage.drawn is None else None
        return PlanarMechanism(result.linkage, modes), result

    def balanced(
        self,
        counterweights: Mapping[str, float],
        *,
        wheels: Mapping[str, float] | None = None,
        positions: int = 180,
    ) -> tuple[PlanarMechanism, Counterweights]:
        """Return the mechanism with counterweights that make the shaking force least.

        The force of inertia over a turn of the first driver at constant speed, by least squares;
        a four-bar with both its crank and its rocker balanced does not shake at all [Berkof1969].
        Wheels that gears of ratio -1 turn against links then make the shaking moment least: none
        is left where the coupler is like two point masses at its pins [Berkof1973].

        Args:
            counterweights: Distance of the counterweight from the pivot [m], for each link with a
                pin on the ground that is to have one.
            wheels: Distance of the centre of a counter-rotating wheel from the pivot [m], for each
                such link that is to have one; their inertias are found.
            positions: How many positions of the turn count.
        """
        self.linkage.check_constraints_of_time("balanced")
        if not isinstance(counterweights, Mapping):
            raise ModelError(
                'balanced: give the distance [m] of each counterweight, {"crank": 0.05}, got '
                f"{counterweights!r}"
            )
        q = np.zeros((positions, len(self.linkage.drivers)))
        q[:, 0] = np.linspace(0.0, 2.0 * np.pi, positions, endpoint=False)
        result = balance(self, list(counterweights), q, counterweights, wheels or {})
        return PlanarMechanism(result.linkage, self.modes), result

    def cam_profile(self, name: str, *, angles: int = 720) -> CamProfile:
        """Return what a cam is cut to, its pressure angles, radii of curvature and undercuts.

        Args:
            name: Name of the cam.
            angles: Number of steps of the turn.
        """
        count = whole_number(angles, 2, "cam_profile: angles")
        return CamProfile.of_pair(cam_of(self.linkage, name), count)

    def substitute_link(self, name: str, q: ArrayLike, *, t: float = 0.0) -> SubstituteLink:
        """Return the bar that has the velocities, accelerations and forces of a pair at q.

        Between the centres of curvature; at other positions it is another bar.

        Args:
            name: Name of a curve, or of a cam with a knife edge or a roller.
            q: One state.
            t: Time [s], where constraints change with it.
        """
        state = finite_vector(q, len(self.linkage.drivers), "substitute_link: q, one state,")
        pairs = self.linkage.pair_by_name
        if name not in pairs:
            raise ModelError(f"there is no curve or cam {name!r}; {suggestion(str(name), pairs)}")
        return substitute_link(pairs[name], self.positions(state, t=t))

    def diagram(self, path: str | Path | None = None) -> Figure:
        """Draw U = L Y as a block diagram of units: motions solid, forces dashed.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it.
        """
        from poinsot.plots.unit_diagram import draw_units

        return draw_units(self.coupling, self.units, path)

    def simulate(
        self,
        q: ArrayLike,
        v: ArrayLike,
        duration: float,
        *,
        tau: PlanarLaw = 0.0,
        loads: Mapping[str, PlanarLaw] | None = None,
        near: Mapping[str, ArrayLike] | None = None,
        **options: Any,  # noqa: ANN401 (those of ps.simulate)
    ) -> PlanarRun:
        """Return the motion from a start, by units: states are the drivers' coordinates alone.

        Args:
            q: Coordinates of the drivers at the start, shape (nq,).
            v: Their rates.
            duration: Time [s].
            tau: Forces of the drivers [N, N m]: numbers, or a function of t, q and v over any
                scalar, as for ``ps.simulate``.
            loads: [Fx, Fy, M] by link: numbers, or such functions.
            near: Poses nearby at the start, as for ``positions``, of groups without closed form.
            options: ``rtol``, ``atol``, ``save``, ``integrator``, ... of ``ps.simulate``.
        """
        self.check_loads(loads)
        start = self.checked_floats("q", q), self.checked_floats("v", v)
        return simulate_planar(self, start, duration, tau, loads or {}, options, near)

    def draw(self, q: ArrayLike, path: str | Path | None = None, *, t: float = 0.0) -> Figure:
        """Draw the mechanism at one state with its units in colours; return the figure.

        Args:
            q: Coordinates of the drivers, shape (nq,).
            path: File to write: .png, .svg or .pdf.  None: show it.
            t: Time [s], where constraints of a system change with it.
        """
        state = finite_vector(q, len(self.linkage.drivers), "draw: q, one state,")
        return draw_mechanism(self, self.positions(state, t=t), path)

    def __repr__(self) -> str:
        links, drivers = len(self.linkage.links), list(self.linkage.drivers)
        return f"{type(self).__name__}({links} links, drivers {drivers})"

    def __str__(self) -> str:
        lines = [f"planar mechanism, {self.mobility}"]
        for i, unit in enumerate(self.units, start=1):
            kind = f"driver unit {unit.form}" if unit.drivers else f"{unit.form}, class"
            rank = f" {unit.assur_class}" if unit.assur_class else ""
            lines.append(f"  {i}. {kind}{rank}: {', '.join(map(str, unit.bodies))}")
        return "\n".join(lines)
