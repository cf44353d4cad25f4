"""The linear model that ``ps.linearize`` returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.linear_response import around, checked_frequencies, drawn_response, response
from poinsot.front.parameter_numbers import with_numbers
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.analysis.mobility import Mobility
    from poinsot.front.mode_motion import ModeMotion
    from poinsot.front.system import System
    from poinsot.plots.animation_file import Animation

__all__ = ["LinearModel"]

_SMALLEST = np.finfo(float).tiny


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Small deviations from a state or motion of a system.

        M Δa + C Δv + K Δq = Δtau + Jᵀ Δλ,      J Δa + C1 Δv + C0 Δq = 0       [Zaremba1990, (4.1)]
        dx/dt = A x + B u,   y = Cy x + Dy u

    Δq is that of ``integrate(q, Δq)``.  x are the independent coordinates of Δq (for a tree Δq
    itself), their velocities, and the further states; u deviations of the inputs.

    Attributes:
        system: What deviates.
        q, v, a, tau: About what, shapes (nq,), (nv,), (nv,), (nv,).
        t: At which time [s].
        M: Mass matrix, shape (nv, nv).
        C: Derivative of the joint forces by v, shape (nv, nv).
        K: By q, less that of the constraint forces, shape (nv, nv); ``K_parts`` has its parts.
        J: Rows of the constraints, shape (rows, nv).
        C0, C1: Derivatives of J a + gamma by q and v, shapes (rows, nv).
        lam: Multipliers, shape (rows,).
        K_parts: "inertia", the part that comes with the acceleration, "bias", "constraints".
        Z: The independent coordinates, orthonormal columns: Δq = Z y, shape (nv, f); where
            bodies roll there are fewer independent velocities.
        A, B, Cy, Dy: State space.
        states, inputs, outputs: Names of the entries of x, u and y.
        by: Derivatives of "a" and "lam" by "q", "v", "tau" under the constraints.  Rows that are
            redundant there stay redundant.
        rate_by_q: Derivative of J v + drift by q, shape (rows, nv).
        mobility: Rank of the rows, and by which row and margin it is nearest to a change.
        parameters: Values of free parameters that were given, by name.
    """

    system: System
    q: Array
    v: Array
    a: Array
    tau: Array
    t: float
    M: Array
    C: Array
    K: Array
    J: Array
    C0: Array
    C1: Array
    lam: Array
    K_parts: dict[str, Array]
    Z: Array
    A: Array
    B: Array
    Cy: Array
    Dy: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    by: dict[tuple[str, str], Array] = field(repr=False)
    rate_by_q: Array = field(repr=False)
    mobility: Mobility
    parameters: dict[str, float]

    @cached_property
    def _eigen(self) -> tuple[Array, Array]:
        """Eigenvalues by size, real and imaginary parts below rounding error zero, and vectors."""
        from scipy.linalg import eig, matrix_balance

        balanced, scaling = matrix_balance(self.A, permute=False)
        decomposition = eig(balanced, left=True, right=True)
        values, left, right = cast("tuple[Array, Array, Array]", decomposition)
        # an eigenvalue errs by the backward error over the cosine of its two vectors; a double one,
        # whose vectors are orthogonal, by the square root of it
        cosines = np.maximum(np.abs(np.einsum("kj,kj->j", left.conj(), right)), _SMALLEST)
        backward = len(values) * np.finfo(float).eps
        relative = np.minimum(backward / cosines, np.sqrt(backward))
        rounding = relative * np.linalg.norm(balanced)
        real, imaginary = (
            np.where(np.abs(numbers) > rounding, numbers, 0.0)
            for numbers in (values.real, values.imag)
        )
        values, vectors = real + 1j * imaginary, scaling @ right
        order = np.lexsort((-values.imag, np.abs(values.imag), np.abs(values)))
        return values[order], vectors[:, order]

    @property
    def poles(self) -> Array:
        """Eigenvalues of A [1/s], complex, by size; what is below rounding error is zero."""
        return self._eigen[0]

    @property
    def is_stable(self) -> bool:
        """Whether all poles have a negative real part."""
        return bool(np.all(self.poles.real < 0.0))

    @cached_property
    def _oscillating(self) -> Array:
        """Numbers of one pole for each pair, and of the real ones."""
        return np.flatnonzero(self.poles.imag >= 0.0)

    @property
    def frequencies(self) -> Array:
        """Natural frequencies |pole| [rad/s], one for each mode, ascending."""
        return np.abs(self.poles[self._oscillating])

    @property
    def damping(self) -> Array:
        """Damping ratios -Re(pole) / |pole| of the modes; 1 for those that do not oscillate."""
        poles = self.poles[self._oscillating]
        sizes = np.abs(poles)
        return np.where(sizes > 0.0, (0.0 - poles.real) / np.where(sizes > 0.0, sizes, 1.0), 1.0)

    @property
    def modes(self) -> Array:
        """Deviations Δq of the modes, complex, a mode in each column, the largest entry 1."""
        n = self.Z.shape[1]
        columns = np.asarray(self.Z @ self._eigen[1][:n, self._oscillating])
        largest = np.take_along_axis(columns, np.abs(columns).argmax(axis=0)[None], axis=0)
        shapes: Array = columns / np.where(np.abs(largest) > 0.0, largest, 1.0)
        return shapes

    def second_order(self, coordinates: Sequence[str]) -> tuple[Array, Array, Array]:
        """Return M, C and K of some coordinates alone: M Δq'' + C Δq' + K Δq = f, shapes (n, n).

        Constraints are eliminated; all other joints move freely, and their own coordinates and
        speeds are cyclic: lean and steer of a bicycle, of which the way that it went and its
        heading know nothing.

        Args:
            coordinates: Names of velocities (``system.velocity_names``), the n independent ones.

        Raises:
            ModelError: If their motion depends on others as well; the message names one.
        """
        from poinsot.front.second_order import second_order

        return second_order(self.system, coordinates, self.by, self.J, self.rate_by_q)

    def response(self, frequencies: ArrayLike) -> Array:
        """Return y / u at angular frequencies [rad/s], complex, shape (n, outputs, inputs).

        Raises:
            ModelError: If there is a pole at one of them.
        """
        omega = checked_frequencies("response", frequencies)
        return response("response", omega, (self.A, self.B, self.Cy, self.Dy))

    def state_space(self) -> Any:  # noqa: ANN401 (of SciPy)
        """Return it as ``scipy.signal.StateSpace``."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.Cy, self.Dy)

    def to_control(self) -> Any:  # noqa: ANN401 (of python-control)
        """Return it as ``control.StateSpace`` of the package python-control, with names.

        A dot in a name of an input or output is an underscore there, a minus before one a word.

        Raises:
            MissingPackageError: If python-control is not installed.
            ModelError: If there are no inputs, and one output or state: it does not take these.
        """
        from poinsot.front.python_control import control_system

        matrices = self.A, self.B, self.Cy, self.Dy
        return control_system(self.system.name, matrices, self.states, self.inputs, self.outputs)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the pole map, and return the figure.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.

        Raises:
            ModelError: If there are no poles, as nothing deviates.
        """
        from poinsot.plots.linear import plot_poles

        if not len(self.poles):
            raise ModelError(
                f"plot: the linear model of {self.system.name!r} has no poles, as constraints "
                "prescribe every coordinate"
            )

        return plot_poles(path, f"Poles of {self.system.name}", {"": self.poles})

    def plot_bode(
        self, path: str | Path | None = None, frequencies: ArrayLike | None = None
    ) -> Figure:
        """Draw magnitude and phase of every output over every input, and return the figure.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it.
            frequencies: Angular frequencies [rad/s]; around the poles by default.
        """
        from poinsot.plots.bode import plot_bode

        omega = (
            around(self.poles)
            if frequencies is None
            else checked_frequencies("plot_bode", frequencies)
        )
        values, phases = drawn_response(omega, (self.A, self.B, self.Cy, self.Dy))
        title = f"Frequency response of {self.system.name}"
        return plot_bode(path, title, omega, values, phases, self.outputs, self.inputs)

    def animate_mode(
        self, mode: int, path: str | Path | None = None, *, size: float = 0.3, fps: float = 25.0
    ) -> Animation:
        """Draw a mode as a moving picture of two seconds, two of its periods, and return it.

        What does not oscillate is shown as if its period were a second.

        Args:
            mode: Its number, as in ``frequencies``.
            path: File to write: .gif, ...  None: show it.
            size: Largest deviation [m or rad].
            fps: Pictures a second.

        Raises:
            ModelError: If there is no such mode.
        """
        from poinsot.plots.animation import animate_runs

        motion = self._mode("animate_mode", mode, size)
        return animate_runs([motion], path, fps=fps, seconds=2.0)

    def draw_mode(self, mode: int, path: str | Path | None = None, *, size: float = 0.3) -> Figure:
        """Draw a mode at both ends and in the middle, all but one end pale; return the figure.

        Args:
            mode: Its number, as in ``frequencies``.
            path: File to write: .png, .svg or .pdf.  None: show it.
            size: Largest deviation [m or rad].

        Raises:
            ModelError: If there is no such mode.
        """
        from poinsot.plots.animation import draw_runs

        motion = self._mode("draw_mode", mode, size)
        return draw_runs([motion], path, motion.period * np.array([0.0, 0.25, 0.5]))

    def _mode(self, asked: str, mode: int, size: float) -> ModeMotion:
        """Return a mode as a motion."""
        from poinsot.front.mode_motion import ModeMotion

        shapes = self.modes
        count = shapes.shape[1]
        if not isinstance(mode, int | np.integer) or not -count <= mode < count:
            raise ModelError(
                f"{asked}: there is no mode {mode!r}; {self.system.name!r} has {count}, "
                "counted from 0 as in frequencies"
            )
        if not (np.isfinite(size) and size > 0.0):
            raise ModelError(f"{asked}: size must be a finite length or angle above 0, got {size}")
        number = range(count)[mode]
        pole = self.poles[self._oscillating][number]
        name = f"mode {number}: {self.frequencies[number]:.4g} rad/s"
        if not pole.imag:  # it does not oscillate
            change = "grows" if pole.real > 0.0 else "decays" if pole.real < 0.0 else "stays"
            name = f"mode {number}: {change}, {pole.real:.4g} 1/s"
        numeric = with_numbers(self.system, asked, self.parameters)
        described = numeric.mechanism.rebuilt(name=f"{self.system.name}, {name}")
        titled = type(numeric).from_mechanism(described)
        rate = float(pole.imag)
        period = 2.0 * np.pi / rate if rate else 1.0
        return ModeMotion(titled, self.q, size * shapes[:, number], self.t, period)

    def __repr__(self) -> str:
        counted = {"state": self.states, "input": self.inputs, "output": self.outputs}
        sizes = [f"{len(x)} {name}{'s' * (len(x) != 1)}" for name, x in counted.items()]
        state = "stable" if self.is_stable else "not asymptotically stable"
        return f"LinearModel({self.system.name!r}, {', '.join(sizes)}, {state})"

    def __str__(self) -> str:
        rows = [
            f"  {omega:12.6g} rad/s  {omega / (2 * np.pi):12.6g} Hz  damping {damping:8.4g}"
            for omega, damping in zip(self.frequencies, self.damping, strict=True)
            if omega
        ]
        free = len(self.frequencies) - len(rows)
        if free:
            rows.insert(0, f"  {free} pole{'s' * (free > 1)} at 0")
        return "\n".join([repr(self), *rows])
