"""A motor that drives a joint through a gear."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, final

from poinsot.errors import ModelError
from poinsot.model.checks import scalar_number
from poinsot.model.forces.formula_on_joint import AbstractJointFormula
from poinsot.model.forces.joint_names import Formula
from poinsot.model.forces.on_joint import JointMotion
from poinsot.model.numbers import is_symbolic, nonzero
from poinsot.spatial import Scalar

__all__ = ["Motor"]

_POSITIVE: Final = ("constant", "resistance")


@final
@dataclass(frozen=True, init=False)
class Motor(AbstractJointFormula):
    """A motor whose rotor turns ``ratio`` times as fast as the joint it drives.

        f = ratio (torque - viscous ratio v),      armature = ratio² inertia

    with the torque given, or of a direct-current motor under a voltage U: constant i with the
    current i = (U - constant ratio v) / resistance (its inductance is neglected).  The inertia of
    the rotor adds to the mass matrix and the kinetic energy as the armature of the joint does: the
    rotor counts as turning about the axis of the joint alone, and what it does as a gyroscope on a
    turning carrier is neglected (its mass belongs to the body that carries it).

    Attributes:
        joint: Name of the joint it drives.
        ratio: Turns of the rotor for one of the joint [1], or rad/m for a slide; negative: reverse.
        inertia: Of the rotor about its axis [kg m²].
        torque: Of the motor [N m]: a number or a formula; 0 where a voltage is given.
        voltage: Voltage U [V]: a number or a formula; None: the torque is given.
        constant: Torque constant [N m/A], which is that of the back EMF too [V s/rad].
        resistance: Of the windings [ohm].
        viscous: Friction of the rotor [N m s/rad].
        names: Further names in formulas, and what each stands for.
        index: Along which of the joint's velocities, counted from 0.

    Examples:
        >>> motor = Motor("hip", ratio=50, inertia=2e-5, voltage="12*sin(t)", constant=0.03,
        ...               resistance=0.4)
        >>> motor.armature
        0.05
    """

    ratio: Scalar
    inertia: Scalar
    torque: Formula
    voltage: Formula | None
    constant: Scalar
    resistance: Scalar
    viscous: Scalar

    kind: ClassVar[str] = "motor"
    formula_fields: ClassVar[tuple[str, ...]] = ("torque", "voltage")

    def __init__(
        self,
        joint: str,
        ratio: Scalar = 1.0,
        inertia: Scalar = 0.0,
        torque: Formula = 0.0,
        *,
        voltage: Formula | None = None,
        constant: Scalar | None = None,
        resistance: Scalar | None = None,
        viscous: Scalar = 0.0,
        where: Mapping[str, Any] | tuple[Any, ...] = (),
        index: int = 0,
        name: str | None = None,
    ) -> None:
        """Check and store the motor.

        Args:
            joint: Name of the joint it drives.
            ratio: Turns of the rotor for one of the joint, not zero.
            inertia: Of the rotor about its axis [kg m²], not negative.
            torque: Of the motor [N m]: a number, or a formula as in :class:`JointForce`.
            voltage: In place of the torque: the voltage [V], alike.
            constant: Torque constant [N m/A], with a voltage.
            resistance: Of the windings [ohm], with a voltage.
            viscous: Friction of the rotor [N m s/rad], not negative.
            where: What further names in formulas stand for, as in :class:`JointForce`.
            index: Along which of the joint's velocities, counted from 0.
            name: Name of the motor, for messages.

        Raises:
            FormulaError: If a formula cannot be read.
            ModelError: If something else is wrong.
        """
        formulas = {"torque": torque} | ({} if voltage is None else {"voltage": voltage})
        object.__setattr__(self, "voltage", None)
        super().__init__(joint, index, where, formulas, name)
        opening = self.where(name)
        if (voltage is None) != (constant is None) or (voltage is None) != (resistance is None):
            raise ModelError(
                f"{opening}: voltage, constant and resistance belong together; give all three, or "
                "the torque"
            )
        if voltage is not None and self.torque != 0.0:
            raise ModelError(f"{opening}: give the torque or the voltage, not both")
        numbers = {"ratio": ratio, "inertia": inertia, "viscous": viscous}
        winding = {"constant": constant, "resistance": resistance}
        numbers |= {key: 0.0 if x is None else x for key, x in winding.items()}
        for key, value in numbers.items():
            number = scalar_number(value, f"{opening}: {key}")
            self._check(key, number, opening)
            object.__setattr__(self, key, number)

    def _check(self, key: str, number: Scalar, opening: str) -> None:
        if is_symbolic(number):
            return
        if key == "ratio" and number == 0.0:
            raise ModelError(f"{opening}: ratio must not be zero")
        if key != "ratio" and number < 0.0:
            raise ModelError(f"{opening}: {key} must not be negative, got {number!r}")
        if key in _POSITIVE and self.voltage is not None and number == 0.0:
            raise ModelError(f"{opening}: {key} must be positive, got {number!r}")

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
