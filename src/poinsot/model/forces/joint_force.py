"""The force in a joint that is given by a formula: a control law that travels with the model."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

from poinsot.errors import ModelError
from poinsot.expr import as_expr, fresh_symbol, gradient, substitute, symbol
from poinsot.expr.formula import parse, variables
from poinsot.model.fields import declared, field
from poinsot.model.forces.formula_fields import ForceFormula, Formula
from poinsot.model.forces.joint_element import JointMotion
from poinsot.model.forces.joint_formula import AbstractJointFormula
from poinsot.model.formula_names import parameters_in
from poinsot.spatial import Array, Scalar

__all__ = ["JointForce"]


@final
@declared
class JointForce(AbstractJointFormula):
    """A force in a joint as a formula: a drive, a control law, a spring of any kind.

    The formula may contain the time ``t`` [s], the coordinate ``q`` [m or rad] and the velocity
    ``v`` of the joint itself, names of ``where``, parameters of the system, and what formulas of
    :class:`FormulaForce` may.  It counts as an applied force: no energy is stored in it.  With a
    potential V(q) it is

        f = formula - dV/dq,

    and V is part of the potential energy.  V may contain ``q`` and parameters only.

    Examples:
        >>> law = JointForce("elbow", "kp*(sin(2*t) - q) - kd*v + 0.1*w",
        ...                  where={"w": ("shoulder", "v")})
        >>> law.joints, sorted(law.parameters), law.depends_on_time
        (('elbow', 'shoulder'), ['kd', 'kp'], True)
    """

    kind: ClassVar[str] = "joint force"

    formula: Formula = field(
        ForceFormula(), "The force [N] or moment [N m] along its velocity: a number or a formula",
        default=0.0,
    )  # fmt: skip
    potential: Formula = field(
        ForceFormula(), "Energy that is stored: a formula in q and parameters; 0: none", unit="J",
        default=0.0, kw_only=True, omit=True,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if isinstance(self.potential, str):
            for name in sorted(variables(self.potential).intersection(self.own_names) - {"q"}):
                raise ModelError(
                    f"{self.label}: potential contains {name!r}; energy may depend on q and "
                    "parameters only"
                )

    @property
    def stored_parameters(self) -> frozenset[str]:
        """Names of the parameters that the potential contains."""
        text = self.potential
        return parameters_in(text, self.own_names) if isinstance(text, str) else frozenset()

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the value of the formula, minus the derivative of the potential."""
        force = self._value(self.formula, joints, t)
        if isinstance(self.potential, str):
            x = fresh_symbol("q")
            slope = as_expr(gradient(as_expr(self._energy(x)), [x])[0])
            force = force - substitute(slope, {str(x.value): joints[0].q[self.index]})
        return force

    def stored(self, q: Sequence[Array]) -> Scalar:
        """Return the potential."""
        if not isinstance(self.potential, str):
            return self.potential
        return self._energy(q[0][self.index])

    def _energy(self, x: Scalar) -> Scalar:
        names = {name: symbol(name) for name in self.stored_parameters}
        return parse(str(self.potential), {"q": x, **names})
