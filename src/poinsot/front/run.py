"""The object that a simulation returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, final

from numpy.typing import ArrayLike

from poinsot.evaluate.expression import Expression
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.run_quantities import RunQuantities
from poinsot.front.simulation_options import Changes
from poinsot.renamed import renamed
from poinsot.simulation.integrate import integrate
from poinsot.simulation.laws.event import Occurrence

if TYPE_CHECKING:
    from poinsot.front.contact_impact import Impact
    from poinsot.front.run_sensitivity import RunSensitivity


@final
class Run(RunQuantities):
    """The motion of a system: states at increasing times, and everything between them.

    Args:
        system: What moved.
        trajectory: How.
    """

    def to_pandas(self, more: Mapping[str, Expression] | None = None) -> Any:  # noqa: ANN401
        """Return the states as a ``pandas.DataFrame``, one row for each stored time.

        The index is ``t`` [s], columns are ``q.elbow``, ``v.elbow``, ...; ``attrs`` holds the units
        of the columns and the settings of the run.

        Args:
            more: Further columns: expressions by name, as ``evaluate`` takes them.

        Raises:
            MissingPackageError: If pandas is not installed: extra ``data``.
        """
        from poinsot.front.run_tables import pandas_table

        return pandas_table(self, more or {})

    def to_xarray(self, more: Mapping[str, Expression] | None = None) -> Any:  # noqa: ANN401
        """Return states and energies as an ``xarray.Dataset``.

        ``q`` has the dimensions ``t`` and ``coordinate``, ``v`` has ``t`` and ``velocity``; their
        entries are chosen by name, ``data.q.sel(coordinate="elbow")``.  Units are attributes, or
        coordinates of their own where they differ; ``attrs`` holds the settings of the run.

        Args:
            more: Further variables over time: expressions by name, as ``evaluate`` takes them.

        Raises:
            MissingPackageError: If xarray is not installed: extra ``data``.
        """
        from poinsot.front.run_tables import xarray_data

        return xarray_data(self, more or {})

    def save(self, path: str | Path) -> Path:
        """Write the run to a file that holds all it takes to reproduce it; return the file.

        States, model, drive, parameters, method, tolerances, status and statistics; ``load_run``
        reads it.  No number is rounded.  A drive that Python itself had to call cannot be kept: of
        it the file has the joint forces at the stored times.

        Args:
            path: The file, replaced as a whole if it exists: ``.npz`` for NumPy (``np.load`` gives
                the columns), or ``.parquet``, a table with the rest in the metadata of its schema.

        Raises:
            ModelError: If the suffix is another, or the model cannot be written, e.g. because a
                joint or a constraint is a Python class or function of yours.
            OSError: If the file cannot be written.
            MissingPackageError: If Parquet needs a package that is not installed.
        """
        from poinsot.front.run_files import save_run

        return save_run(self._system, self._trajectory, path)

    def repeat(self, *, parameters: Mapping[str, float] | None = None) -> Run:
        """Return the run simulated again from its start: the same bits on the same machine.

        Args:
            parameters: Other values of some of its free parameters, by name; loops are closed with
                them by the shortest way from the start of this run.  None: the same ones.

        >>> import poinsot as ps
        >>> run = ps.simulate(ps.library.pendulum(), [0.3], [0.0], 1.0)
        >>> bool((run.repeat().q == run.q).all())
        True
        """
        done = self._trajectory
        if parameters is not None:
            from poinsot.front.continued import repeated

            return Run(self._system, repeated(self._system, done, parameters))
        again = integrate(done.equations, done.start, done.accuracy, done.plan, done.events)
        return Run(self._system, again)

    def continued(self, duration: float, **changes: Unpack[Changes]) -> Run:
        """Return the continuation of this run from its end, under the same laws.

        Joint forces, wrenches, the motion of the base, signals, events, contacts, parameters,
        method and tolerances stay as they are, and so does the time between stored states; where
        times were listed, every step is stored.  A law that an event has switched to goes on.  How
        often events have happened is counted on; one that has stopped the run is counted anew.

        Args:
            duration: Time to simulate [s]; times of the new run begin with the end of this one.
            changes: Arguments of ``simulate`` to be others from here on: ``tau``, ``save``,
                ``method``, ...  ``events`` and ``contacts`` take the place of all that there were.

        Raises:
            ModelError: If a change does not fit, or a file could not store a law of the run.

        >>> import poinsot as ps
        >>> cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)])
        >>> run = ps.simulate(cart, [0.0], [0.0], 1.0, tau=lambda t, q, v: [6.0 * t])
        >>> more = run.continued(1.0)
        >>> more.t[0], more.t[-1], bool(abs(more.q[-1, 0] - 2.0**3) < 1e-8)
        (np.float64(1.0), np.float64(2.0), True)
        """
        from poinsot.front.continued import continued

        return Run(self._system, continued(self._system, self._trajectory, duration, changes))

    def impact(self, event: Occurrence) -> Impact:
        """Return what an impact of the run did, as ``ps.impact`` of the state before it.

        Contacts that close at one instant are one impact, whichever of their events is given.

        Args:
            event: One of ``events`` at which a contact closed.

        Raises:
            ModelError: If it is no event of a contact of this run.

        >>> import poinsot as ps
        >>> ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=2.0)])
        >>> floor = ps.Contact(ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z"), 0.5)
        >>> run = ps.simulate(ball, [1.0], [0.0], 0.6, contacts=[floor])
        >>> hit = run.impact(run.events[0])
        >>> round(hit.energy_lost / (0.75 * 2.0 * 9.81), 9), list(hit.joint_impulses)
        (1.0, ['ball'])
        """
        from poinsot.front.impact import impact_of_event

        return impact_of_event(self._trajectory.events, self.events, event)

    @renamed()
    def sensitivity(
        self,
        by: Sequence[str] | str | None = None,
        t: ArrayLike | None = None,
        *,
        rtol: float | None = None,
    ) -> RunSensitivity:
        """Return the derivatives of the states by the start and by free parameters.

        Forward sensitivities: exact for what the integrator has computed with its step sizes held
        fixed, through the stages of every step, the normalisation of quaternions and the
        projection onto constraints (onto which variations of the start are projected as well); over
        events and impacts to the tolerance.  docs/sensitivities.md.

        Args:
            by: What to vary: "q" and "v", the state at the start, "states", further states at the
                start, "parameters", all that are free, or single ones of these by name
                ("q.elbow", "mass"); all by default.
            t: Times [s], shape (n,), in place of the stored ones.
            rtol: Relative error of the derivatives that is wanted, 1e-11 or more: the run is
                repeated with tighter tolerances until it is reached, and the derivatives are those
                of the last one; ``error`` of the result estimates theirs.  None: the derivatives
                of this run, whose steps only hold the error of the states.

        Raises:
            ModelError: If a name is unknown, or the run cannot be differentiated: laws that are
                Callbacks, symplectic integrators; or if ``rtol`` is not reached.

        Warns:
            ModelWarning: Where a small change of something adds or removes an event, or changes the
                order of simultaneous ones, so that derivatives are one-sided.

        >>> import poinsot as ps
        >>> run = ps.simulate(ps.library.pendulum(), [0.3], [0.0], 1.0)
        >>> run.sensitivity(by="v").q.shape == (len(run), 1, 1)
        True
        """
        from poinsot.front.run_sensitivity import sensitivity

        return sensitivity(self._system, self._trajectory, by, t, rtol)

    @renamed()
    def gradient(
        self,
        expression: Expression,
        by: Sequence[str] | str | None = None,
        *,
        rtol: float | None = None,
    ) -> dict[str, float]:
        """Return the gradient of a number at the end of the run, by name of what is varied.

        The discrete adjoint of the run: its cost hardly depends on how many parameters there are.
        It takes about 32 MB besides the states of all steps, n numbers each: another 32 MB at most
        where the run has not stored them, which are simulated again else.

        Args:
            expression: A formula, or a function of t, q and v, as ``evaluate`` takes it.
            by: What to vary, as for ``sensitivity``; all by default.
            rtol: Relative error of the derivatives that is wanted, as for ``sensitivity``.

        Raises:
            ModelError: As ``sensitivity``.

        >>> import poinsot as ps
        >>> run = ps.simulate(ps.library.pendulum(), [0.3], [0.0], 1.0)
        >>> sorted(run.gradient("-cos(bob)"))
        ['q.bob', 'v.bob']
        """
        from poinsot.front.run_sensitivity import gradient

        return gradient(self._system, self._trajectory, expression, by, rtol)

    def numeric(self) -> Run:
        """Return the same run of the system with the values of the parameters folded in."""
        return Run(with_numbers(self._system, "plot", self._given()), self._trajectory)
