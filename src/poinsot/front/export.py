"""A system in other languages and for other libraries."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from poinsot.errors import PoinsotError
from poinsot.front.description import Description
from poinsot.model import suggestion

if TYPE_CHECKING:
    from poinsot.analysis.operation_counts import OperationCounts
    from poinsot.kernels.export import Routine, Sources
    from poinsot.kernels.export.to_sympy import SympyRoutine

Exported: TypeAlias = "str | Callable[[Any, Any, Any], Any]"
"""What can be exported: a quantity by name, or a law tau(t, q, v)."""

DEFAULT_QUANTITIES = ("forward_dynamics", "inverse_dynamics", "mass_matrix")
"""The quantities that are exported by default."""


class Exports(Description):
    """The methods of ``System`` that write programs."""

    def export(
        self, language: str, quantities: Exported | Sequence[Exported] = DEFAULT_QUANTITIES, *,
        path: str | os.PathLike[str] | None = None, name: str | None = None,
        precision: str = "double", method: str = "recursive", wrenches: Sequence[str] = (),
        base: bool = False,
    ) -> Sources:  # fmt: skip
        """Return programs that compute quantities of this system without poinsot.

        "c": C99, a header, a source and a test; nothing is allocated.  "cuda": device functions,
        kernels over batches of states and a test.  "python": a module that needs NumPy only.
        "octave": functions for MATLAB and Octave.  Free parameters are an input.

        Args:
            language: "c", "cuda", "octave" or "python".
            quantities: Names of methods of this system, e.g. "forward_dynamics".  Those of one body
                with its name and, if not the body's, the axes: "pose:tool", "jacobian:tool:world".
                Derivatives of them: "inverse_dynamics by q", "pose:tool by q q", products
                "inverse_dynamics by q:along" and "weighted inverse_dynamics by q", and along
                a motion "d/dt inverse_dynamics".  Or laws tau(t, q, v), functions or those of
                ``control``.
            path: Folder to write the files to; they are only returned by default.
            name: Begins the names of files and functions; the system's by default.
            precision: "double" or "float".
            method: Which formulation.
            wrenches: Bodies on which wrenches act, which become an input of the dynamics.
            base: Whether the motion of the base is an input of the dynamics: 15 numbers, gravity in
                its axes, its velocity [v; w] and the rate of that (``BaseMotion.numbers``).

        Returns:
            The texts by file name; ``write`` puts them into a folder.

        Raises:
            PoinsotError: If the language or a quantity is unknown, or a program is too long.

        >>> import poinsot as ps
        >>> sources = ps.library.double_pendulum().export("c", "inverse_dynamics")
        >>> list(sources.files)
        ['double_pendulum.h', 'double_pendulum.c', 'double_pendulum_test.c']
        """
        from poinsot.kernels.export import LANGUAGES, Package, identifier

        if not isinstance(language, str) or language not in LANGUAGES:
            raise PoinsotError(
                f"export: there is no language {language!r}; {suggestion(language, LANGUAGES)}; "
                "'octave' is for MATLAB too; for other libraries: to_casadi, to_jax, to_sympy"
            )
        single = isinstance(quantities, str) or callable(quantities)
        asked: list[Any] = [quantities] if single else list(quantities or ())  # type: ignore[arg-type]
        if not asked:
            raise PoinsotError("export: name at least one quantity, e.g. 'forward_dynamics'")
        if name is not None and not isinstance(name, str):
            raise PoinsotError(f"export: name must be text, got {name!r}")
        routines = tuple(
            self._routine(quantity, method, wrenches, base=base)
            for quantity in dict.fromkeys(asked)
        )
        names = [routine.name for routine in routines]
        for twice in (routine for routine in names if names.count(routine) > 1):
            raise PoinsotError(
                f"export: two of the functions would be called {twice!r}; export them apart, each "
                "with a name= of its own"
            )
        package = Package(identifier(self.name if name is None else name), self._about(), routines)
        sources = LANGUAGES[language](package, precision)
        if path is not None:
            sources.write(path)
        return sources

    def to_casadi(
        self,
        quantity: str,
        *,
        method: str = "recursive",
        wrenches: Sequence[str] = (),
        base: bool = False,
    ) -> Any:  # noqa: ANN401 (CasADi is optional)
        """Return a quantity as a ``casadi.Function`` of SX: q, v, ... and free parameters in.

        Args:
            quantity: As in ``export``.
            method: Which formulation.
            wrenches: As in ``export``.
            base: As in ``export``.

        Raises:
            PoinsotError: If CasADi is not installed (the extra ``casadi``).
        """
        from poinsot.kernels.export.to_casadi import to_casadi

        return to_casadi(self._routine(quantity, method, wrenches, base=base))

    def to_jax(
        self,
        quantity: str,
        *,
        method: str = "recursive",
        wrenches: Sequence[str] = (),
        base: bool = False,
    ) -> Callable[..., Any]:
        """Return a quantity as a function of JAX arrays (..., size), for jit, vmap and grad.

        Precision is that of JAX, single unless ``jax_enable_x64`` is set.  Through the choices of
        closed systems, derivatives are those of the branch that is taken.

        Args:
            quantity: As in ``export``.
            method: Which formulation.
            wrenches: As in ``export``.
            base: As in ``export``.

        Raises:
            PoinsotError: If JAX is not installed (the extra ``jax``).
        """
        from poinsot.kernels.export.to_jax import to_jax

        return to_jax(self._routine(quantity, method, wrenches, base=base))

    def to_sympy(
        self,
        quantity: str,
        *,
        method: str = "recursive",
        wrenches: Sequence[str] = (),
        base: bool = False,
    ) -> SympyRoutine:
        """Return a quantity in SymPy: named intermediate values in order, then the results.

        ``lambdify`` makes a function of it, ``expanded`` puts everything into one formula.

        Args:
            quantity: As in ``export``.
            method: Which formulation.
            wrenches: As in ``export``.
            base: As in ``export``.

        >>> import poinsot as ps
        >>> m, l, g = ps.symbols("m l g")
        >>> ball = ps.Body("ball", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l))
        >>> pendulum = ps.System("pendulum", [ball], gravity=(0, 0, -g))
        >>> pendulum.to_sympy("gravity_force").expanded()["gravity_force"]
        Matrix([[g*l*m*sin(q0)]])
        """
        from poinsot.kernels.export.to_sympy import to_sympy

        return to_sympy(self._routine(quantity, method, wrenches, base=base))

    def operations(self, quantity: str, *, method: str = "recursive") -> OperationCounts:
        """Return the operation counts of a quantity, before and after optimisation.

        Args:
            quantity: As in ``export``.
            method: Which formulation.

        >>> import poinsot as ps
        >>> ps.library.double_pendulum().operations("inverse_dynamics").final
        32
        """
        from poinsot.analysis.operation_counts import count_operations

        return count_operations(self._description, quantity, method)

    def _routine(
        self,
        quantity: Exported,
        method: str = "recursive",
        wrenches: Sequence[str] = (),
        *,
        base: bool = False,
    ) -> Routine:
        from poinsot.evaluate.routines import law_routine, routine_of

        if callable(quantity):
            return law_routine(self._mechanism, quantity)
        return routine_of(self._description, quantity, method, wrenches, base=base)

    def _about(self) -> tuple[str, ...]:
        """Return the heading of files."""
        bodies = f"{len(self.bodies)} bod{'y' if len(self.bodies) == 1 else 'ies'}"
        return (
            f"{self.name}: {bodies}, nq = {self.nq}, nv = {self.nv}.",
            "Generated by poinsot; you may use it as you like, no licence applies to it.",
            "SI units and radians; quaternions are (w, x, y, z); forces [f; n], motions [v; w].",
        )
