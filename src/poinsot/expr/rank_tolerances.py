"""Every tolerance by which a rank is decided, with its reason.

Programs decide at run time, by comparisons that are part of them; analyses decide in NumPy.

| decided by | measure | tolerance |
|---|---|---|
| programs, orthogonal rows (``least_squares``, ``gram``) | sine of an angle | ``DEPENDENT`` |
| programs, length of a row | m or rad | ``ZERO_ROW`` |
| singular values and pivots of numbers (``rank``) | fraction of the largest | ``RANK`` |
| eigenvalues of mass matrices (``singularity``) | of a diagonal of ones | ``SINGULAR_MASS`` |
| conditioning: certainly full rank, nearly singular | fraction of the largest | below |
"""

from __future__ import annotations

from typing import Final

# Programs.  Their machine code holds these numbers: to change one changes every result.

DEPENDENT: Final = 3e-6
"""Sine of the angle to the space of other rows up to which a row depends on them.

Products of rows have eight digits to tell a remainder from rounding errors (``gram``), so about
1e-8 of its square; and a row that is kept for less turns its rounding into a direction along which
other rows are measured."""

NEGLIGIBLE: Final = 3e-6
"""Fraction of the longest row that every row counts as at least: a row of rounding errors would
otherwise be a direction of its own."""

ZERO_ROW: Final = 1e-11
"""Length of a row up to which it is zero: entries are sums of numbers of about 1, whose rounding
is some 1e-16 per term, and grows along chains of bodies."""

DETERMINED: Final = 1e-6
"""Entry of a unit vector of the null space up to which it is zero, so that the unknown it belongs
to is determined: a row that is dependent up to ``DEPENDENT`` leaves entries of about that size.
The same of a wrench [N or N m] that a unit vector of multipliers changes."""

PRODUCT_ROUNDING: Final = 1e-14
"""Fraction of a product of two rows that may be rounding error: some hundred terms of 1e-16."""

WELL_CONDITIONED: Final = 1e-2
"""Remainder, relative to the longest row, of a row that is well conditioned.

Such rows are taken first.  Otherwise nearly parallel rows would be kept for the small difference
between them, although a later row determines the same direction to more digits."""

ROW_ERROR: Final = 20.0
"""Relative error of a row per distance of the state from the constraints [1/m or 1/rad]: redundant
rows depend on each other only where all constraints hold."""

LARGEST_ROW_ERROR: Final = 1e-3
"""Relative error of a row that is assumed at most, however far from the constraints a state is."""

SHORT_ROW: Final = 0.1
"""Fraction of the longest row that rows with an error count as at least: the
error of a short row is as large as that of a long one."""

UNMISTAKABLE: Final = 0.1
"""Sine of the angle to the space of other rows from which a row is kept whatever its error."""

# Analyses of numbers.

RANK: Final = 1e-9
"""Fraction of the largest singular value, or pivot of rows of unit length, up to which one is zero.

States obey the constraints to 1e-10 (``assemble.loop_closing.CLOSED``), and rows that depend on
each other where constraints hold do so to about as much; rounding is far below."""

SINGULAR_MASS: Final = 1e-12
"""Smallest eigenvalue, below which a mass matrix with a diagonal of ones is singular.

With ones on the diagonal metres and radians, heavy and light bodies count alike.  Rounding leaves
some 1e-16 per body in place of zero, up to 1e-13 in systems of a thousand; and a motion that keeps
more than this fraction of its inertia still has accelerations of a few digits."""

NEARLY_SINGULAR: Final = 1e-4
"""Fraction of the largest singular value, or of the usual smallest one along a motion, below which
a configuration is nearly singular: forces there grow by more than 1e4, and so does their
rounding."""

RISING: Final = 1e-6
"""Rate, relative to the rows' own, up to which a redundant row stays redundant: of rounding."""

FULL_RANK: Final = 1e-3
"""Fraction of the largest singular value, or of a column of unit length, above which it is
certainly not zero: a thousand times the largest tolerance of a rank."""

STOPPED_SINGULAR: Final = 1e-2
"""Fraction of its usual size below which the smallest singular value shows that a motion stopped at
a singular configuration.  It stops a little before: the value falls with the square root of the
time that is left."""
