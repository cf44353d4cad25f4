"""Fields of force elements that are formulas, and what every element with such fields answers."""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, formula_text, symbol
from poinsot.expr.formula import parse, variables
from poinsot.model.checks import finite_number
from poinsot.model.fields import AbstractKind, declarations
from poinsot.model.forces.base import AbstractForce
from poinsot.model.formula_names import check_formula, parameters_in, with_numbers
from poinsot.spatial import Scalar

__all__ = ["ForceFormula", "Formula", "FormulaFields"]

Formula = float | str
"""A number or the text of a formula."""


class ForceFormula(AbstractKind):
    """A number, or a formula in the element's own names and parameters."""

    file_form: ClassVar[str] = "formula"

    def stored(self, given: Any, where: str, owner: Any) -> Formula:  # noqa: ANN401
        """Return a number or a formula that can be read."""
        if isinstance(given, Expr):
            return formula_text(given)
        if callable(given):
            raise ModelError(
                f"{where} must be a number or a formula, as text, got {given!r}; a function of "
                "Python goes to a run: ps.simulate(..., tau=...)"
            )
        if not isinstance(given, str):
            return finite_number(given, where)
        names = owner.own_names
        try:
            symbols = (*names, *parameters_in(given, names))
            parse(given, {name: symbol(name) for name in symbols})
        except FormulaError as error:
            raise FormulaError(f"{where}: {error}") from None
        return given

    def with_values(self, value: Formula, values: Mapping[str, float]) -> Formula:
        """Return the formula with numbers in place of some names."""
        return with_numbers(value, values)


class FormulaFields(AbstractForce):
    """What an element with fields of kind ``ForceFormula`` answers about its formulas."""

    meaning_of_names: ClassVar[str]
    """What its own names are, for messages."""

    @property
    @abstractmethod
    def own_names(self) -> tuple[str, ...]:
        """Names that mean something in its formulas besides parameters."""

    @property
    def formula_fields(self) -> tuple[str, ...]:
        """Names of the fields that hold formulas."""
        stated = declarations(type(self)).items()
        return tuple(
            name for name, declaration in stated if isinstance(declaration.kind, ForceFormula)
        )

    @property
    def depends_on_time(self) -> bool:
        """Whether ``t`` is in one of the formulas."""
        return any("t" in variables(text) for text in self._texts().values())

    @property
    def parameters(self) -> frozenset[str]:
        """Names in the formulas that must be parameters of the system."""
        names = (parameters_in(text, self.own_names) for text in self._texts().values())
        return frozenset().union(*names)

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names that are not parameters, and parameters that mean something else here.

        Args:
            known: Names of the parameters.

        Raises:
            FormulaError: It points at the character.
        """
        for key, text in self._texts().items():
            check_formula(
                text, self.own_names, known, f"{self.label}: {key}", self.meaning_of_names
            )

    def _texts(self) -> dict[str, str]:
        formulas = {key: getattr(self, key) for key in self.formula_fields}
        return {key: text for key, text in formulas.items() if isinstance(text, str)}

    def _formula_value(self, formula: Formula, names: Mapping[str, Scalar]) -> Scalar:
        """Return the value of a formula, given what its own names are."""
        if not isinstance(formula, str):
            return formula
        return parse(formula, {name: symbol(name) for name in self.parameters} | dict(names))
