"""A motor that drives a joint through a gear."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.fields import Number, Stored, declared, field
from poinsot.model.forces.formula_fields import ForceFormula, Formula
from poinsot.model.forces.joint_element import JointMotion
from poinsot.model.forces.joint_formula import AbstractJointFormula
from poinsot.model.forces.spring_tables import TABLE
from poinsot.model.scalar_values import is_symbolic, nonzero
from poinsot.model.tabulated_function import Table
from poinsot.spatial import Scalar

__all__ = ["Motor"]


@final
@declared
class Motor(AbstractJointFormula):
    """A motor whose rotor turns ``ratio`` times as fast as the joint it drives.

        f = ratio T - loss |ratio T| tanh(v / smoothing),     armature = ratio² inertia,
        T = torque - viscous w - friction tanh(w / (|ratio| smoothing)),     w = ratio v

    The torque is one of

    - ``torque``, given, at most ±``peak(|w|)`` where that table is;
    - constant i with the current i = (U - constant w) / resistance, of a direct-current motor under
      a voltage U (its inductance is neglected);
    - throttle ``curve(w)``, from a table over the speed of the rotor.

    The gear loses the share ``loss`` of the torque that it transmits: its efficiency is 1 - loss
    where the motor drives.  Losses change sign smoothly, within velocities of about ``smoothing``
    of the joint.  The inertia of the rotor adds to the mass matrix and the kinetic energy as the
    armature of the joint does: the rotor counts as turning about the axis of the joint alone, and
    what it does as a gyroscope on a turning carrier is neglected (its mass belongs to the body that
    carries it).

    Examples:
        >>> motor = Motor("hip", ratio=50, inertia=2e-5, voltage="12*sin(t)", constant=0.03,
        ...               resistance=0.4)
        >>> motor.armature
        0.05
        >>> servo = Motor("hip", 100, torque="8*(0.3 - q) - v", loss=0.15,
        ...               peak=Table([0, 300, 500], [0.9, 0.9, 0], kind="linear"))
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
        ForceFormula(), "Torque of the motor: a number, or a formula as in JointForce",
        unit="N m", default=0.0, omit=True,
    )  # fmt: skip
    voltage: Formula | None = field(
        ForceFormula(), "Voltage U in place of the torque, alike; None: the torque is given",
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
        Number("not negative"), "Friction of the rotor that grows with its speed",
        unit="N m s/rad", default=0.0, kw_only=True,
    )  # fmt: skip
    curve: Table | None = field(
        TABLE, "Torque [N m] over the speed of the rotor [rad/s], in place of the torque",
        default=None, kw_only=True, omit=True,
    )  # fmt: skip
    throttle: Formula = field(
        ForceFormula(), "Factor of the curve: a number, or a formula as in JointForce",
        default=1.0, kw_only=True, omit=True,
    )  # fmt: skip
    peak: Table | None = field(
        TABLE, "Most torque [N m] over the speed of the rotor without its sign [rad/s]",
        default=None, kw_only=True, omit=True,
    )  # fmt: skip
    friction: Scalar = field(
        Number("not negative"), "Dry friction of the rotor", unit="N m", default=0.0, kw_only=True,
        omit=True,
    )  # fmt: skip
    loss: Scalar = field(
        Number("not negative"), "Share of the transmitted torque that the gear loses, less than 1",
        default=0.0, kw_only=True, omit=True,
    )  # fmt: skip
    smoothing: Scalar = field(
        Number("positive"), "Velocity of the joint that counts as rest, for friction and loss",
        unit="m/s or rad/s", default=1e-3, kw_only=True, omit=True,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        windings = [value is not None for value in (self.voltage, self.constant, self.resistance)]
        if any(windings) and not all(windings):
            raise ModelError(
                f"{self.label}: voltage, constant and resistance belong together; give all three, "
                "or the torque"
            )
        ways = (self.voltage is not None, self.torque != 0.0, self.curve is not None)
        if sum(ways) > 1:
            raise ModelError(
                f"{self.label}: give the torque or the voltage or the curve, one of them"
            )
        if self.throttle != 1.0 and self.curve is None:
            raise ModelError(
                f"{self.label}: throttle is a factor of the curve; give the curve, a ps.Table of "
                "the torque over the speed of the rotor"
            )
        if self.peak is not None and min(self.peak.y) < 0.0:
            raise ModelError(
                f"{self.label}: peak must not be negative, got {min(self.peak.y):g} N m"
            )
        if not is_symbolic(self.loss) and self.loss >= 1.0:
            raise ModelError(
                f"{self.label}: loss must be less than 1, the whole torque, got {self.loss:g}; an "
                "efficiency of 0.9 is a loss of 0.1"
            )

    @property
    def armature(self) -> Scalar:
        """What the rotor adds to the mass matrix [kg m² or kg]: ratio² inertia."""
        return self.ratio * self.ratio * self.inertia if nonzero(self.inertia) else 0.0

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the force at the joint."""
        v = joints[0].v[self.index]
        torque = self._motor_torque(joints, t)
        direction: Scalar = 0.0
        if nonzero(self.friction) or nonzero(self.loss):
            direction = np.tanh(v / self.smoothing)
        if nonzero(self.viscous):
            torque = torque - self.viscous * (self.ratio * v)
        if nonzero(self.friction):
            torque = torque - self.friction * (np.sign(self.ratio) * direction)
        force = self.ratio * torque
        return force - self.loss * abs(force) * direction if nonzero(self.loss) else force

    def _motor_torque(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the torque on the rotor, without friction."""
        speed = self.ratio * joints[0].v[self.index]
        if self.voltage is not None:
            excess = self._value(self.voltage, joints, t) - self.constant * speed
            torque = self.constant * (excess / self.resistance)
        elif self.curve is not None:
            torque = self._value(self.throttle, joints, t) * self.curve(speed)
        else:
            torque = self._value(self.torque, joints, t)
        if self.peak is None:
            return torque
        most = np.maximum(self.peak(abs(speed)), 0.0)
        return np.minimum(np.maximum(torque, -most), most)
