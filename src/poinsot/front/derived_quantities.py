"""Equations of motion by name: what ``Equations`` has as attributes."""

from __future__ import annotations

from abc import ABC, abstractmethod

from poinsot.algebra.formula import Formula


class DerivedQuantities(ABC):
    """Quantities of a system's equations; each is made when it is asked for."""

    @abstractmethod
    def __getitem__(self, name: str) -> Formula:
        """Return a quantity by name."""

    @property
    def mass_matrix(self) -> Formula:
        """M(q), armature included, shape (nv, nv)."""
        return self["mass_matrix"]

    @property
    def coriolis_matrix(self) -> Formula:
        """C(q, v) by Christoffel symbols, shape (nv, nv): dM/dt - 2 C is skew."""
        return self["coriolis_matrix"]

    @property
    def gravity_force(self) -> Formula:
        """The gravity part of the bias [N or N m], shape (nv,)."""
        return self["gravity_force"]

    @property
    def bias(self) -> Formula:
        """h(q, v): C v, gravity, springs, dampers and force elements, shape (nv,)."""
        return self["bias"]

    @property
    def kinetic_energy(self) -> Formula:
        """The kinetic energy [J]."""
        return self["kinetic_energy"]

    @property
    def potential_energy(self) -> Formula:
        """The energy of gravity and springs [J]."""
        return self["potential_energy"]

    @property
    def momenta(self) -> Formula:
        """The generalised momenta M v, shape (nv,)."""
        return self["momenta"]

    @property
    def inverse_dynamics(self) -> Formula:
        """The joint forces of a motion q, v, a, shape (nv,)."""
        return self["inverse_dynamics"]

    @property
    def forward_dynamics(self) -> Formula:
        """The accelerations under joint forces, shape (nv,)."""
        return self["forward_dynamics"]

    @property
    def state_rates(self) -> Formula:
        """Rates of the further states."""
        return self["state_rates"]

    @property
    def state_rate(self) -> Formula:
        """The rates of the state x = (q, v) under joint forces, shape (nq + nv,)."""
        return self["state_rate"]

    @property
    def constraint_residual(self) -> Formula:
        """phi(q), the residual of the constraints, shape (rows,)."""
        return self["constraint_residual"]

    @property
    def constraint_rate(self) -> Formula:
        """J(q) v - b(q), the residual of the velocities, shape (rows,)."""
        return self["constraint_rate"]

    @property
    def constraint_jacobian(self) -> Formula:
        """J(q), shape (rows, nv)."""
        return self["constraint_jacobian"]

    @property
    def constraint_bias(self) -> Formula:
        """gamma(q, v) of J a + gamma = 0, shape (rows,)."""
        return self["constraint_bias"]

    @property
    def gap(self) -> Formula:
        """The gaps of the contacts, delta(q) [m or rad], shape (contacts,)."""
        return self["gap"]

    @property
    def gap_jacobian(self) -> Formula:
        """A(q), rates of the gaps by v, shape (contacts, nv)."""
        return self["gap_jacobian"]

    @property
    def impulse_matrix(self) -> Formula:
        """W = A M⁻¹ Aᵀ, of trees, shape (contacts, contacts)."""
        return self["impulse_matrix"]

    @property
    def impact_velocity(self) -> Formula:
        """The velocities after an impact at all contacts, of trees without friction, (nv,)."""
        return self["impact_velocity"]

    @property
    def minimal_map(self) -> Formula:
        """T of v = T v_r + b(q, t), v_r the minimal velocities, shape (nv, n)."""
        return self["minimal_map"]

    @property
    def minimal_velocity(self) -> Formula:
        """T v_r + b, all velocities as the constraints have them, shape (nv,)."""
        return self["minimal_velocity"]

    @property
    def minimal_mass_matrix(self) -> Formula:
        """Tᵀ M T, without coordinates that are prescribed, shape (n, n)."""
        return self["minimal_mass_matrix"]

    @property
    def minimal_bias(self) -> Formula:
        """h_r of Tᵀ M T a_r + h_r = Tᵀ tau, with all that prescribed motions do, shape (n,)."""
        return self["minimal_bias"]

    @property
    def prescribed_forces(self) -> Formula:
        """The forces that prescribed coordinates take [N or N m], one for each, in their order.

        Joint forces elsewhere count as 0; loops carry them: what is left is this less their part.
        """
        return self["prescribed_forces"]
