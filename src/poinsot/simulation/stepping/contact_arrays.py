"""Memory of an impact at contacts, of all that touch or of one of them, by names."""

from __future__ import annotations

from typing import Final

from poinsot.kernels.llvm.ir_value import Value
from poinsot.simulation.stepping.control_writer import ControlWriter

ARRAYS: Final = (
    "touch", "Y", "K", "w", "after", "least", "P", "factors", "pushing", "solution", "first",
    "slip", "rubbing", "pivots",
)  # fmt: skip
"""Memory for n contacts: their numbers, rows (3 n, nv), K (3 n, 3 n), velocities before (3 n,),
least velocities along the normal after it (n,) and least impulses (n,), impulses (3 n,), factors of
a part of K (n + 2, n + 2), which points push, and a solution (3 n,); velocities and impulses of a
first phase (2, 3 n); states of a process (2, 7), and its friction by the normal impulse (2,);
factors of K, or the diagonal of a part of it (3 n, 3 n)."""
IN_USE, ALONE = "impact_arrays", "point_arrays"
"""Fields that tell where arrays are: those of the impact that is computed, and those of one point
in a sequence of impacts."""
WHOLE: Final = ("contact_laws", "contact_orders")
"""Fields of whole numbers."""


def array_sizes(n: int, nv: int) -> tuple[int, ...]:
    """Return how many doubles each array has, of n contacts of a system with nv velocities."""
    square = 9 * n * n
    numbers = n, 3 * n * nv, square, 3 * n, n, n, 3 * n
    return *numbers, (n + 2) ** 2, n, 3 * n, 6 * n, 14, 2, square


def array(w: ControlWriter, name: str, field: str = IN_USE) -> Value:
    """Return where an array is."""
    return w.read(w.get(field), ARRAYS.index(name), "ptr")


def of_contact(w: ControlWriter, field: str, point: Value) -> Value:
    """Return a number of a contact that touches, from a field that has one for each contact."""
    kind = "i64" if field in WHOLE else "double"
    return w.read(w.get(field), w.read(array(w, "touch"), point, "i64"), kind)


def friction_of(w: ControlWriter, point: Value) -> Value:
    """Return the friction of a contact that touches."""
    return of_contact(w, "frictions", point)
