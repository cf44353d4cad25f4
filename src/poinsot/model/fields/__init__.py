"""Fields declared once: what a description holds, in one line for each field.

    @declared
    class Spring(AbstractForceBetween):
        stiffness: Scalar = field(Number("not negative"), "Stiffness", unit="N/m")
        damping: Scalar = field(Number("not negative"), "Damping", unit="N s/m", default=0.0)

From such a line follow the keyword of the constructor, the attribute, the key in files (all three
have the same name), the check and its message, the text in ``help``, whether the field enters the
digest of a system, and whether it is a number of the rolled form.  ``dataclasses.replace`` works.
``io/native/values.py`` says how files hold each kind of value.
"""

from poinsot.model.fields.declared import Declared, declarations, declared
from poinsot.model.fields.field import Declaration, derived, field
from poinsot.model.fields.kind import AbstractKind
from poinsot.model.fields.kinds import (
    Choice,
    Instance,
    Name,
    Number,
    Truth,
    Vector,
    Vector3,
    Whole,
)
from poinsot.model.fields.registry import types_of
from poinsot.model.fields.stored import Stored

__all__ = [
    "AbstractKind",
    "Choice",
    "Declaration",
    "Declared",
    "Instance",
    "Name",
    "Number",
    "Stored",
    "Truth",
    "Vector",
    "Vector3",
    "Whole",
    "declarations",
    "declared",
    "derived",
    "field",
    "types_of",
]
