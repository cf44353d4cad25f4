"""Loads in sections of links of a system."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ModelWarning
from poinsot.evaluate.call_options import LoadOptions, SolveOptions, check_keywords
from poinsot.evaluate.request import Request, request_for
from poinsot.expr.rank_tolerances import DETERMINED
from poinsot.front.constraints import Constraints
from poinsot.front.description import Values
from poinsot.front.section_results import SectionLoad, SectionLoads, SectionMotion
from poinsot.model import Mechanism, suggestion
from poinsot.model.bar import Bar
from poinsot.model.checks import whole_number
from poinsot.model.scalar_values import is_symbolic
from poinsot.model.section import WRENCHES, Section
from poinsot.spatial import Array

MORE = 1.001
"""Mass beyond a section, in that of its body, from which on it is warned of."""


class Sections(Constraints):
    """The methods of ``System`` for loads in sections of links."""

    def section_load(
        self, section: Section, q: ArrayLike, v: ArrayLike, *, a: ArrayLike | None = None,
        tau: ArrayLike | None = None, joints: Sequence[str] | None = None, t: ArrayLike = 0.0,
        **how: Unpack[SolveOptions],
    ) -> SectionLoad:  # fmt: skip
        """Return force and moment in a cross-section of a link.

            S = Θ A + V × Θ V - Θ g - F + sum of the wrenches on children beyond

        Θ is the inertia of the part beyond the section, F what acts on it from outside
        [Zaremba1990, sec. 4].

        Args:
            section: Where, and the part beyond it.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv); that under ``tau`` by default.
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            joints: With ``a``: the joints that are driven, as in ``inverse_dynamics``.
            t: Time [s], shape (...).
            how: External loads, ``parameters`` and ``backend`` (``SolveOptions``).

        >>> import poinsot as ps
        >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=3.0, com=(1, 0, 0), inertia=(0, 1, 1))
        >>> boom = ps.System("boom", [rod], gravity=(0, 0, -10))
        >>> half = ps.Bar("rod", (0, 0, 0), (2, 0, 0), density=1.5).section(1.0)
        >>> boom.section_load(half, [0.0], [0.0], a=[0.0]).bending.round(12)
        array([7.5, 0. ])
        """
        if not isinstance(section, Section):
            raise ModelError(
                f"section_load: give one section, bar.section(s), got {section!r}; of a whole bar "
                "section_loads"
            )
        loads = self.section_loads([section], q, v, a=a, tau=tau, joints=joints, t=t, **how)
        return SectionLoad(loads.wrench[..., 0, :], loads.static[..., 0, :])

    def section_loads(
        self, sections: Bar | Sequence[Section], q: ArrayLike, v: ArrayLike, *,
        a: ArrayLike | None = None, tau: ArrayLike | None = None,
        joints: Sequence[str] | None = None, cuts: int = 51, t: ArrayLike = 0.0,
        **how: Unpack[SolveOptions],
    ) -> SectionLoads:  # fmt: skip
        """Return force and moment in several cross-sections of one link.

        Args:
            sections: A bar, which is cut evenly from its start to its end, or sections.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv); that under ``tau`` by default.
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            joints: With ``a``: the joints that are driven, as in ``inverse_dynamics``.
            cuts: Number of sections of a bar.
            t: Time [s], shape (...).
            how: External loads, ``parameters`` and ``backend`` (``SolveOptions``).
        """
        check_keywords("section_loads", how, SolveOptions)
        listed, s = cut_sections(sections, cuts)
        request, numbers = section_request(self._mechanism, listed)
        results, still = [], np.zeros(self.nv)
        for v_of, a_of, tau_of in ((v, a, tau), (still, still, None)):
            given: LoadOptions = dict(how)  # type: ignore[assignment]
            state = q, v_of, a_of, tau_of
            rates, lam = self._motion("section_load", state, joints, t, given)
            leading = max(np.ndim(rates), lam.ndim) - 1
            cut = numbers.reshape(len(numbers), *(1,) * leading, -1)
            loads = self._loaded(request, (q, v_of, rates, lam, cut), t, given)
            results.append(np.moveaxis(loads, 0, -2))
        wrench, static = results
        return SectionLoads(wrench, static, listed[0].body, s, np.asarray(t, np.float64))

    def section_motion(
        self, section: Section, q: ArrayLike, v: ArrayLike, a: ArrayLike, *,
        parameters: Values = None,
    ) -> SectionMotion:  # fmt: skip
        """Return pose, velocity and acceleration of a section's frame.

        Args:
            section: The section.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            parameters: Values of free parameters by name.
        """
        if not isinstance(section, Section):
            raise ModelError(f"section_motion: give one section, bar.section(s), got {section!r}")
        numbers = section.numbers()
        inner, body = np.eye(4), section.body
        inner[:3, :3], inner[:3, 3] = numbers[:9].reshape(3, 3), numbers[9:12]
        turn = np.kron(np.eye(2), inner[:3, :3])  # of row vectors
        point = inner[:3, 3]
        return SectionMotion(
            self.pose(body, q, parameters=parameters) @ inner,
            self.velocity(body, q, v, point, parameters=parameters) @ turn,
            self.acceleration(body, q, v, a, point, parameters=parameters) @ turn,
        )

    def determined_section_load(
        self, section: Section, q: ArrayLike, *, t: ArrayLike = 0.0, parameters: Values = None
    ) -> Array:
        """Return which components of a section load are determined at one configuration, (6,).

        Where constraints are redundant, multipliers with Jᵀ lam = 0 may be added without changing
        the motion; what they change is not determined by rigid bodies alone.

        Args:
            section: Where, and the part beyond it.
            q: Configuration [m or rad], shape (nq,).
            t: Time [s].
            parameters: Values of free parameters by name.
        """
        from poinsot.expr.rank import left_null_space

        asked = "determined_section_load"
        if not isinstance(section, Section):
            raise ModelError(f"{asked}: give one section, bar.section(s), got {section!r}")
        free = left_null_space(self._one_jacobian(asked, q, t, parameters))
        request, numbers = section_request(self._mechanism, [section])
        still, lam = np.zeros(self.nv), np.vstack([np.zeros(len(self.row_names)), free])
        given: LoadOptions = {"parameters": parameters}
        loads = self._loaded(request, (q, still, still, lam, numbers[0]), t, given, asked)
        return np.asarray(np.all(np.abs(loads[1:] - loads[0]) <= DETERMINED, axis=0))


def section_request(mechanism: Mechanism, sections: Sequence[Section]) -> tuple[Request, Array]:
    """Return the request for loads in sections of one link, and their numbers, shape (k, 22)."""
    first = sections[0]
    number = mechanism.index(first.body)
    known = [WRENCHES, *mechanism.body_names]
    known += [force.name for force in mechanism.forces if force.name is not None]
    known += [constraint.name for constraint in mechanism.closures]
    for section in sections:
        if (section.body, section.sides) != (first.body, first.sides):
            raise ModelError(
                "section_loads: sections must be of one body, with the same things beyond them, "
                f"got {first.body!r} and {section.body!r}"
            )
        for name in section.beyond:
            if name not in known:
                raise ModelError(
                    f"section of {section.body!r}: beyond: there is no child, force element or "
                    f"loop {name!r}; {suggestion(str(name), known)}"
                )
    own, beyond = mechanism.bodies[number].mass, max(section.mass for section in sections)
    if not is_symbolic(own, beyond) and beyond > MORE * own:
        warnings.warn(
            f"section of {first.body!r}: the part beyond it has {beyond:.4g} kg, the whole body "
            f"{own:.4g} kg; the density of a bar is its mass per length [kg/m]",
            ModelWarning,
            stacklevel=4,
        )
    request = request_for("section_load", body=number, sides=first.sides)
    return request, np.stack([section.numbers() for section in sections])


def cut_sections(sections: Bar | Sequence[Section], cuts: int) -> tuple[list[Section], Array]:
    """Return sections of a bar, or those that are given, and their places along the link [m]."""
    if isinstance(sections, Bar):
        cuts = whole_number(cuts, 2, "section_loads: cuts")
        s = np.linspace(0.0, sections.length, cuts)
        return [sections.section(place) for place in s.tolist()], s
    listed = list(sections) if isinstance(sections, Iterable) else []
    if not listed or not all(isinstance(section, Section) for section in listed):
        raise ModelError(
            f"section_loads: give a Bar or a list of sections, got {sections!r}; e.g. "
            'Bar("arm", (0, 0, 0), (1, 0, 0), density=2.0)'
        )
    origins = np.array([section.numbers()[9:12] for section in listed])
    return listed, np.linalg.norm(origins - origins[0], axis=1)
