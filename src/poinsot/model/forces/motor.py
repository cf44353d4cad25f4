"""A motor that drives a joint through a gear."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

from poinsot.errors import ModelError
from poinsot.model.fields import Number, Stored, declared, field
from poinsot.model.forces.joint_element import JointMotion
from poinsot.model.forces.joint_formula import AbstractJointFormula
from poinsot.model.forces.joint_formula_names import Formula, JointFormula
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Scalar

__all__ = ["Motor"]


@final
@declared
class Motor(AbstractJointFormula):
    """A motor whose rotor turns ``ratio`` times as fast as the joint it drives.

        f = ratio (torque - viscous ratio v),      armature = ratio² inertia

    with the torque given, or of a direct-current motor under a voltage U: constant i with the
    current i = (U - constant ratio v) / resistance (its inductance is neglected).  The inertia of
    the rotor adds to the mass matrix and the kinetic energy as the armature of the joint does: the
    rotor counts as turning about the axis of the joint alone, and what it does as a gyroscope on a
    turning carrier is neglected (its mass belongs to the body that carries it).

    Examples:
        >>> motor = Motor("hip", ratio=50, inertia=2e-5, voltage="12*sin(t)", constant=0.03,
        ...               resistance=0.4)
        >>> motor.armature
        0.05
    """

    kind: ClassVar[str] = "motor"

    ratio: Scalar = field(
        Number("not zero"),
        "Turns of the rotor for one of the joint; rad/m for a slide; negative: reverse",
        default=1.0,
    )  # fmt: skip
    inertia: Scalar = field(
        Number("not negative"), "Inertia of the rotor about its axis", unit="kg m²", default=0.0
    )
    torque: Formula = field(
        JointFormula(), "Torque of the motor: a number, or a formula as in JointForce",
        unit="N m", default=0.0, omit=True,
    )  # fmt: skip
    voltage: Formula | None = field(
        JointFormula(), "Voltage U in place of the torque, alike; None: the torque is given",
        unit="V", default=None, kw_only=True,
    )  # fmt: skip
    constant: Stored[Scalar, Scalar | None] = field(
        Number("positive"),
        "Torque constant, with a voltage; it is that of the back EMF too [V s/rad]",
        unit="N m/A", default=None, kw_only=True,
    )  # fmt: skip
    resistance: Stored[Scalar, Scalar | None] = field(
        Number("positive"), "Resistance of the windings, with a voltage", unit="ohm",
        default=None, kw_only=True,
    )  # fmt: skip
    viscous: Scalar = field(
        Number("not negative"), "Friction of the rotor", unit="N m s/rad", default=0.0, kw_only=True
    )

    def _check_together(self, given: Mapping[str, Any]) -> None:
        windings = [value is not None for value in (self.voltage, self.constant, self.resistance)]
        if any(windings) and not all(windings):
            raise ModelError(
                f"{self.label}: voltage, constant and resistance belong together; give all three, "
                "or the torque"
            )
        if self.voltage is not None and self.torque != 0.0:
            raise ModelError(f"{self.label}: give the torque or the voltage, not both")

    @property
    def armature(self) -> Scalar:
        """What the rotor adds to the mass matrix [kg m² or kg]: ratio² inertia."""
        return self.ratio * self.ratio * self.inertia if nonzero(self.inertia) else 0.0

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the force at the joint."""
        speed = self.ratio * joints[0].v[self.index]
        if self.voltage is None:
            torque = self._value(self.torque, joints, t)
        else:
            excess = self._value(self.voltage, joints, t) - self.constant * speed
            torque = self.constant * (excess / self.resistance)
        if nonzero(self.viscous):
            torque = torque - self.viscous * speed
        return self.ratio * torque
