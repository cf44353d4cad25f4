"""``poinsot demo``: a double pendulum evaluated, and every way of computing it compared."""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from poinsot.front import System
from poinsot.library import double_pendulum

AGREEMENT = 1e-11
"""Relative difference up to which two ways of computing count as the same."""


def demo() -> None:
    """Evaluate a double pendulum and cross-check it."""
    console = Console()
    system = double_pendulum()
    rng = np.random.default_rng(1)
    n_states = 4096
    q = np.array([system.random(rng) for _ in range(n_states)])
    v, tau = rng.normal(size=(2, n_states, system.nv))

    console.print(f"[bold]{system.name}[/]: {len(system.bodies)} bodies, nv = {system.nv}")
    with console.status("making machine code ..."):
        start = time.perf_counter()
        a = system.forward_dynamics(q, v, tau)
        first = time.perf_counter() - start
    start = time.perf_counter()
    a = system.forward_dynamics(q, v, tau)
    console.print(
        f"forward dynamics of {n_states} states: first call {first:.2f} s, then "
        f"{(time.perf_counter() - start) * 1e9 / n_states:.0f} ns a state"
    )
    console.print(_one_state(system))
    checks = _checks(system, q, v, tau, a)
    console.print(_check_table(checks))
    if any(difference > AGREEMENT for _, difference in checks):
        console.print("[bold red]the ways of computing do not agree[/]")
        raise typer.Exit(1)
    console.print("[bold green]all agree[/]")


def _one_state(system: System) -> Table:
    q, v = np.array([0.3, -0.2]), np.array([0.0, 1.0])
    table = Table(title="one state: q = (0.3, -0.2) rad, v = (0, 1) rad/s, no drive")
    table.add_column("quantity")
    table.add_column("value", justify="right")
    table.add_column("unit")
    for name, value, unit in (
        ("mass matrix", system.mass_matrix(q), "kg m²"),
        ("bias", system.bias(q, v), "N m"),
        ("acceleration", system.forward_dynamics(q, v), "rad/s²"),
        ("kinetic energy", system.kinetic_energy(q, v), "J"),
        ("potential energy", system.potential_energy(q), "J"),
        ("tip of the lower rod", (system.pose("lower", q) @ [0, 0, -1, 1])[:3], "m"),
    ):
        table.add_row(name, _show(value), unit)
    return table


def _show(value: Any) -> str:  # noqa: ANN401
    return np.array2string(np.asarray(value), precision=4, suppress_small=True, separator=", ")


def _checks(
    system: System, q: np.ndarray, v: np.ndarray, tau: np.ndarray, a: np.ndarray
) -> list[tuple[str, float]]:
    """Return the largest relative difference between independent ways to the same numbers."""
    few = slice(0, 64)
    energy = 0.5 * np.einsum("bi,bij,bj->b", v, system.mass_matrix(q), v)
    interpreted = system.forward_dynamics(q[few], v[few], tau[few], backend="interpreter")
    one_by_one = [system.forward_dynamics(*state) for state in zip(q[few], v[few], tau[few])]  # noqa: B905
    checks = [
        ("machine code, interpreter", _difference(a[few], interpreted)),
        ("batch, state by state", _difference(a[few], np.array(one_by_one))),
        ("inverse of forward dynamics", _difference(system.inverse_dynamics(q, v, a), tau)),
        ("vᵀ M v / 2, sum over the bodies", _difference(energy, system.kinetic_energy(q, v))),
    ]
    if find_spec("pinocchio") is not None:
        checks.append(("poinsot, Pinocchio", _difference(a[few], _pinocchio(q, v, tau, few))))
    return checks


def _difference(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.max(np.abs(x - y)) / np.max(np.abs(y)))


def _check_table(checks: list[tuple[str, float]]) -> Table:
    table = Table(title="cross-checks")
    table.add_column("compared")
    table.add_column("largest relative difference", justify="right")
    for name, difference in checks:
        colour = "green" if difference <= AGREEMENT else "red"
        table.add_row(name, f"[{colour}]{difference:.1e}[/]")
    return table


def _pinocchio(q: np.ndarray, v: np.ndarray, tau: np.ndarray, few: slice) -> np.ndarray:
    """Return the accelerations of the same pendulum described to Pinocchio."""
    import pinocchio as pin

    model = pin.Model()
    parent = 0
    for body in double_pendulum().bodies:
        placement = pin.SE3(np.eye(3), np.array(body.pose.xyz))
        parent = model.addJoint(parent, pin.JointModelRY(), placement, body.name)
        inertia = pin.Inertia(body.mass, np.array(body.com), body.inertia_matrix())
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data = model.createData()
    states = zip(q[few], v[few], tau[few], strict=True)
    return np.array([pin.aba(model, data, *state) for state in states])
