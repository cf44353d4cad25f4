"""A report of a run: one page with scene, figures, tables, checks and how to reproduce it."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.evaluate.formulation import FORMULATIONS
from poinsot.front.motion_page import motion_page
from poinsot.front.run_plot import panels_of, plot
from poinsot.front.single_motion import AbstractSingleMotion
from poinsot.plots.animation import draw_runs
from poinsot.plots.figure import plot_panels
from poinsot.plots.panels import Panel, PlottedCurve
from poinsot.plots.picture_file import PlotError
from poinsot.spatial import Array
from poinsot.viewer.document import Document

if TYPE_CHECKING:
    from poinsot.front.system import System

__all__ = ["report_html", "save_report"]

AGREEMENT: Final = 1e-9
"""Difference of forces of two formulations, relative to their size, that is accepted."""
CLOSED: Final = 1e-8
"""Opening of loops and constraints that is accepted [m or rad]."""
SHORT: Final = 2500
"""Letters up to which equations are shown."""
STATES: Final = 5
"""At which formulations are compared."""
ROUNDING: Final = 1e-9
"""Moments below this part of the largest load are rounding."""
MOST_ROWS: Final = 60
"""Of a table."""

Row = Sequence[str]


def save_report(run: AbstractSingleMotion, path: str | Path, verified: str | None) -> Path:
    """Write the report of a run; see ``Run.report``."""
    from poinsot.io.atomic_write import write_whole
    from poinsot.viewer.print_pdf import print_pdf

    target = Path(path) if isinstance(path, str | Path) else Path()
    suffix = target.suffix.lower()
    if suffix not in (".html", ".htm", ".pdf"):
        raise PlotError(f"a report is a file .html or .pdf, got {path!r}")
    page = report_html(run, verified)
    if suffix == ".pdf":
        print_pdf(page, target)
    else:
        write_whole(target, page)
    return target


def report_html(run: AbstractSingleMotion, verified: str | None = None) -> str:
    """Return the report of a run as text of an HTML page."""
    numeric = run.numeric()
    system = numeric.system
    mass = sum(float(body.mass) for body in system.bodies)
    lead = (
        f"{len(system.bodies)} bodies, {system.nv} velocities, {len(system.row_names)} constraint "
        f"rows, {mass:.4g} kg; {run.t.size} states from {run.t[0]:g} s to {run.t[-1]:g} s."
    )
    document = Document(run.system.name, lead)
    document.page(motion_page(numeric), f"{run.system.name} in motion")
    document.picture(
        _png(lambda file: draw_runs([numeric], file, None)),
        f"{run.system.name} at the end",
        "paper",
    )
    document.section("Checks")
    document.table(("checked", "value", "accepted", ""), list(_checks(numeric)))
    if verified:
        document.verbatim(verified)
    document.section("Motion")
    document.picture(
        _png(lambda file: plot(numeric, file, None)),
        "coordinates, velocities and energies over time",
    )
    panels = _load_panels(numeric)
    if panels:
        pairs = [panels[k : k + 2] for k in range(0, len(panels), 2)]
        document.section("Loads and residuals")
        document.picture(
            _png(lambda file: plot_panels(file, "", pairs)),
            "forces and moments in joints, residuals of loops and constraints over time",
        )
    _tables(document, run, system)
    _equations(document, run.system)
    document.section("How it was made")
    document.table(("what", "value"), list(_settings(run)))
    return document.html()


def _png(draw: Callable[[Path], object]) -> bytes:
    """Return a picture that a function writes to a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "picture.png")
        draw(file)
        return file.read_bytes()


def _checks(run: AbstractSingleMotion) -> Iterator[Row]:
    """Yield what was compared, by how much it differs, what is accepted and the verdict."""
    system = run.system
    status = getattr(run, "status", None)
    if status is not None:
        yield "the run reached its end", status.message, "", _verdict(status.ok)
    if system.row_names:
        residual = float(np.abs(run.constraint_residual()).max(initial=0.0))
        yield (
            "loops and constraints are open by [m or rad]",
            f"{residual:.1e}",
            f"{CLOSED:.0e}",
            _verdict(residual < CLOSED),
        )
    if not run.tau().any() and not system.forces and not system.row_names:
        energy, kinetic = run.energy(), run.kinetic_energy()
        yield (
            "change of total over largest kinetic energy",
            f"{np.ptp(energy) / max(kinetic.max(), 1e-300):.1e}",
            "",
            "",
        )
    chosen = np.unique(np.linspace(0, run.t.size - 1, STATES).astype(int))
    q, v = run.q[chosen], run.v[chosen]
    a = np.asarray(run.acceleration())[chosen]
    reference, *others = FORMULATIONS
    forces = {}
    for method in FORMULATIONS:
        try:
            forces[method] = _tree_forces(system, method, q, v, a)
        except PoinsotError:
            continue
    if reference not in forces:
        return
    for method in others:
        if method in forces:
            size = max(float(np.abs(forces[reference]).max()), 1e-300)
            apart = float(np.abs(forces[method] - forces[reference]).max()) / size
            yield (
                f"forces by {method} and {reference}",
                f"{apart:.1e}",
                f"{AGREEMENT:.0e}",
                _verdict(apart < AGREEMENT),
            )


def _tree_forces(system: System, method: str, q: Array, v: Array, a: Array) -> Array:
    """Return M a + bias by a formulation, run by the interpreter, shape (n, nv)."""
    M = np.asarray(system.mass_matrix(q, method=method, backend="interpreter"))
    bias = np.asarray(system.bias(q, v, method=method, backend="interpreter"))
    forces: Array = np.einsum("nij,nj->ni", M, a) + bias
    return forces


def _verdict(is_right: bool) -> str:
    return "ok" if is_right else "PROBLEM"


def _tables(document: Document, run: AbstractSingleMotion, system: System) -> None:
    document.section("Joints")
    peaks = _peaks(_reactions(run), run.t)
    rows = []
    for k, (name, unit) in enumerate(
        zip(system.coordinate_names, system.coordinate_units, strict=True)
    ):
        values = run.q[:, k]
        rows.append(
            (
                name,
                unit,
                f"{values[0]:.5g}",
                f"{values[-1]:.5g}",
                f"{np.nanmin(values):.5g}",
                f"{np.nanmax(values):.5g}",
            )
        )
    document.table(("coordinate", "unit", "start", "end", "smallest", "largest"), _cut(rows))
    if peaks:
        document.section("Largest loads in joints")
        document.table(("joint", "force [N]", "at [s]", "moment [N m]", "at [s]"), _cut(peaks))
    document.section("Bodies")
    bodies = [
        (
            body.name, body.parent, body.joint.kind, f"{float(body.mass):.5g}",
            ", ".join(f"{float(x):.4g}" for x in body.com),
            ", ".join(f"{float(x):.4g}" for x in body.inertia[:3]),
        )
        for body in system.bodies
    ]  # fmt: skip
    head = ("body", "carried by", "joint", "mass [kg]", "mass centre [m]", "Ixx, Iyy, Izz [kg m²]")
    document.table(head, _cut(bodies))


def _reactions(run: AbstractSingleMotion) -> dict[str, Array]:
    """Return sizes of force and moment in each joint [N, N m], shape (n, 2); none if unknown."""
    try:
        wrenches = run.reactions()
    except PoinsotError:
        return {}  # not determined, or of a joint that has none
    return {
        name: np.linalg.norm(wrench[:, :6].reshape(-1, 2, 3), axis=2)
        for name, wrench in wrenches.items()
    }


def _load_panels(run: AbstractSingleMotion) -> list[Panel]:
    """Return sizes of forces and moments in joints over time, and how far loops are open."""
    sizes = _reactions(run)
    panels = [
        Panel(title, unit, run.t, tuple(PlottedCurve(name, x[:, k]) for name, x in sizes.items()))
        for k, (title, unit) in enumerate(
            (("Forces in joints and loops", "N"), ("Moments in joints and loops", "N m"))
        )
        if any(np.nanmax(x[:, k], initial=0.0) > _least(sizes, k) for x in sizes.values())
    ]
    residuals = panels_of(run, ["residual"]) if run.system.mechanism.closures else []
    return panels + residuals


def _least(sizes: dict[str, Array], k: int) -> float:
    """Return the size of a force or moment that is rounding beside the largest force."""
    largest = max((float(np.nanmax(x, initial=0.0)) for x in sizes.values()), default=0.0)
    return ROUNDING * largest if k else 0.0


def _peaks(sizes: dict[str, Array], t: Array) -> Sequence[Row]:
    """Return for each joint its largest force and moment and when."""
    rows = []
    for name, both in sizes.items():
        cells = []
        for k, size in enumerate(both.T):
            if not np.isfinite(size).any():
                cells += ["not determined", ""]
                continue
            row = int(np.nanargmax(size))
            is_none = size[row] <= _least(sizes, k)
            cells += ["0", ""] if is_none else [f"{size[row]:.5g}", f"{t[row]:.4g}"]
        rows.append((name, *cells))
    return rows


def _cut(rows: Sequence[Row]) -> Sequence[Row]:
    if len(rows) <= MOST_ROWS:
        return rows
    rest = (f"and {len(rows) - MOST_ROWS} more", *[""] * (len(rows[0]) - 1))
    return [*rows[:MOST_ROWS], rest]


def _equations(document: Document, system: System) -> None:
    """Add the equations of motion where they are short."""
    from poinsot.front.derive import derive

    if system.nv > 3:
        return
    try:
        text = str(derive(system).text())
    except PoinsotError:
        return
    if len(text) <= SHORT:
        document.section("Equations of motion")
        document.verbatim(text)


def _settings(run: AbstractSingleMotion) -> Iterator[Row]:
    accuracy, statistics = getattr(run, "accuracy", None), getattr(run, "statistics", None)
    yield "start", f"t = {run.t[0]:g} s, q = {_numbers(run.q[0])}, v = {_numbers(run.v[0])}"
    if accuracy is not None:
        yield "settings", str(accuracy)
    if statistics is not None:
        steps = f"{statistics.steps} steps, {statistics.rejected} rejected"
        took = f"{statistics.evaluations} evaluations, {statistics.wall_time * 1e3:.3g} ms"
        yield "took", f"{steps}, {took}"
    for name, value in (run.parameters or {}).items():
        yield f"parameter {name}", f"{value}"
    python = f"Python {sys.version.split()[0]}, {platform.machine()}"
    yield "versions", f"poinsot {version('poinsot')}, NumPy {np.__version__}, {python}"
    yield (
        "to reproduce",
        'run.save("run.npz"); ps.load_run("run.npz").repeat() gives the same numbers',
    )


def _numbers(values: Array) -> str:
    shown = ", ".join(f"{x:.6g}" for x in values[:12])
    return f"({shown}{', …' if values.size > 12 else ''})"
