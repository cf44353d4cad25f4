"""The inputs of a simulation as trees of plain values, for files that hold runs.

Dicts, lists, texts, numbers and arrays only, so that no file can run code; machine code is compiled
again when needed.  What is read is checked as user input, sizes above all: compiled programs
address memory by them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.loads import driven_loop
from poinsot.expr import Program, Rolled
from poinsot.expr.program_tree import program_from_tree, program_tree
from poinsot.expr.rolled_tree import has_tree, rolled_from_tree, rolled_tree
from poinsot.io import native
from poinsot.io.native.node import Node
from poinsot.kernels.kernel import AbstractKernel
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.model import LoadInputs, Mechanism
from poinsot.model.environment import BASE, DRIVES, N_BASE, WRENCHES
from poinsot.model.signal import Signal
from poinsot.simulation.laws.callback import MissingLaw
from poinsot.simulation.laws.equations import (
    DRIVEN,
    STATES,
    MotionEquations,
    Use,
    driven,
    lookup,
    restored,
)
from poinsot.simulation.laws.signals import LookupKernel
from poinsot.simulation.running import checks
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.spatial import Array

Tree: TypeAlias = dict[str, Any]
Entry = TypeVar("Entry")
P = TypeVar("P", Program, Rolled)

_SIGNAL: Final = ("times", "values", "kind", "beyond")
_NUMBERS: Final = ("tau", BASE, PARAMETERS)
_ACCURACY: Final = ("integrator", "rtol", "atol", "max_step", "step")
_PLAN: Final = ("duration", "first_step", "max_steps", "times", "start", "every", "sampled")
_SINCE: Final = ("start", "every", "sampled")
"""Keys that older files do not have."""


def mechanism_from_tree(node: Node) -> Mechanism:
    """Return the mechanism of a node in the native format."""
    if not isinstance(node.value, Mapping):
        raise node.must_be("an object with keys")
    return native.mechanism_from_native(node.value, f"{node.where}: {node.path}")


def equations_tree(equations: MotionEquations) -> Tree:
    """Return the laws and numbers of equations of motion, without the mechanism.

    Of a law that is a callback, only a placeholder is saved.
    """
    drives: list[Tree] = []
    for use in equations.drives:
        if isinstance(use.kernel, LookupKernel):
            drives.append({"gives": use.writes, "signal": _signal_tree(use.kernel.signal)})
            continue
        drives.append({"gives": use.writes, "program": law_tree(_portable_law(use.kernel))})
    numbers = (equations.tau, equations.base, equations.parameters)
    mechanism, loads = equations.mechanism, equations.load_inputs
    return {
        "drives": drives,
        "moving": loads.base,
        "loaded": [mechanism.body_names[i] for i in loads.wrenches],
        "loops": [mechanism.closures[k].name for k, _ in loads.drives],
        **dict(zip(_NUMBERS, numbers, strict=True)),
    }


def equations_from_tree(mechanism: Mechanism, node: Node) -> MotionEquations:
    """Return the equations of motion that ``equations_tree`` wrote.

    Args:
        mechanism: The bodies, constants folded in (``Mechanism.bound``).
        node: Where they are in the file.
    """
    keys = ("drives", "moving", *_NUMBERS)
    given = node.fields((*keys, "loaded", "loops"), keys)
    moving = given["moving"].truth()
    sizes = vector_sizes(mechanism) | {"tau": mechanism.nv, BASE: N_BASE}
    loaded = _named_each(given.get("loaded"), mechanism.index)
    loops = _named_each(given.get("loops"), partial(driven_loop, mechanism, "drives"))
    sizes[WRENCHES], sizes[DRIVES] = 6 * len(loaded), sum(loop.nv for loop in loops)
    drives = [_drive(drive, sizes) for drive in given["drives"].entries()]
    tau, base, parameters = (checked_array(given[key], (sizes[key],)) for key in _NUMBERS)
    load_inputs = LoadInputs(moving, loaded, tuple((loop.number, loop.nv) for loop in loops))
    return restored(mechanism, drives, load_inputs, tau, base, parameters)


def accuracy_tree(accuracy: Accuracy) -> Tree:
    """Return the integrator with its tolerances or its step, as users give them."""
    if accuracy.step is not None:
        return {
            **dict.fromkeys(_ACCURACY),
            "integrator": accuracy.integrator,
            "step": accuracy.step,
        }
    tree = {key: getattr(accuracy, key) for key in _ACCURACY}
    return tree | {"max_step": None if math.isinf(accuracy.max_step) else accuracy.max_step}


def accuracy_from_tree(node: Node) -> Accuracy:
    """Return the integrator with its tolerances or its step that ``accuracy_tree`` wrote."""
    old = "method"  # as the first files of poinsot/1 call it
    name = old if isinstance(node.value, Mapping) and old in node.value else _ACCURACY[0]
    keys = (name, *_ACCURACY[1:])
    given = node.fields(keys, keys)
    numbers = {key: _if_any(given[key]) for key in _ACCURACY[1:]}
    with _named(node):
        return checks.accuracy(given[name].text(), **numbers)


def plan_tree(plan: Plan) -> Tree:
    """Return the plan of a run as a tree."""
    return {key: getattr(plan, key) for key in _PLAN}


def plan_from_tree(node: Node) -> Plan:
    """Return the plan that ``plan_tree`` wrote."""
    given = node.fields(_PLAN, tuple(key for key in _PLAN if key not in _SINCE))
    duration, times = float(given["duration"].number()), given["times"]
    start = float(given["start"].number()) if "start" in given else 0.0
    every = _if_any(given["every"]) if "every" in given else None
    first, most = _if_any(given["first_step"]), float(given["max_steps"].number())
    stored = None if times.value is None else checked_array(times, (None,))
    if every is not None and not _is_even(stored, start, duration, every):
        raise given["every"].must_be("the time between the times to store")
    with _named(node):
        return Plan(
            checks.positive("duration", duration),
            None if first is None else checks.positive("first_step", first),
            checks.positive_integer("max_steps", most),
            checks.times_to_save(stored, start, duration),
            start=checks.start_time(start, duration),
            every=None if every is None else checks.positive("save", every),
            sampled=given["sampled"].truth() if "sampled" in given else False,
        )


def _is_even(times: Array | None, start: float, duration: float, every: float) -> bool:
    """Return whether times are equally spaced, from a start on."""
    if times is None or not every > 0.0 or abs(duration / every + 1.0 - times.size) > 1.0 + 1e-9:
        return False
    expected = np.minimum(start + every * np.arange(times.size), start + duration)
    return bool((times == expected).all())


def checked_array(node: Node, shape: tuple[int | None, ...]) -> Array:
    """Return the finite float64 array of a node.

    Args:
        node: Where it is in the file.
        shape: Its shape; None: any length.
    """
    array = node.value
    if not isinstance(array, np.ndarray) or array.dtype != np.float64:
        raise node.must_be("an array of float64")
    fits = len(shape) == array.ndim and all(
        want in (None, got) for want, got in zip(shape, array.shape, strict=True)
    )
    if not fits:
        raise node.error(f"must have shape {shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise node.error("must be finite")
    return np.ascontiguousarray(array)


def _portable_law(kernel: AbstractKernel) -> Program | Rolled | None:
    return kernel.program if isinstance(kernel, LlvmKernel | RolledKernel) else None


def law_tree(law: object) -> Tree | None:
    """Return the tree of a law that is a program; None of others, and of what files cannot hold."""
    if isinstance(law, Program):
        return program_tree(law)
    return rolled_tree(law) if isinstance(law, Rolled) and has_tree(law) else None


def _named_each(node: Node | None, find: Callable[[str], Entry]) -> tuple[Entry, ...]:
    """Return what a function finds of each name in a list, which older files do not have."""
    if node is None:
        return ()
    names = [entry.text() for entry in node.entries()]
    with _named(node):
        return tuple(find(name) for name in names)


def _signal_tree(signal: Signal) -> Tree:
    return {key: getattr(signal, key) for key in _SIGNAL}


def _lookup(gives: str, node: Node, sizes: dict[str, int]) -> Use:
    """Return the lookup of a signal, whose size later drives may rely on."""
    given = node.fields(_SIGNAL, _SIGNAL)
    times = checked_array(given["times"], (None,))
    values = checked_array(given["values"], (None,) * max(np.ndim(given["values"].value), 1))  # type: ignore[arg-type]
    with _named(node):
        signal = Signal(times, values, given["kind"].text(), given["beyond"].text())
    if gives == "tau" and signal.size != sizes["tau"]:
        raise node.error(f"has {signal.size} numbers for {sizes['tau']} joint forces")
    if gives not in ("tau", signal.port):
        raise node.error(f"gives {gives!r}, which is not its own input")
    sizes[gives] = signal.size
    return lookup(signal, gives)


def _drive(node: Node, sizes: dict[str, int]) -> Use:
    given = node.fields(("gives", "program", "signal"), ("gives",))
    gives = given["gives"].text()
    if "signal" in given:
        return _lookup(gives, given["signal"], sizes)
    if "program" not in given:
        raise node.error("must have a program or a signal")
    if gives not in DRIVEN:
        raise given["gives"].must_be(f"one of {', '.join(DRIVEN)}")
    if given["program"].value is None:
        return Use(MissingLaw(gives), (), gives)
    return driven(checked_law(given["program"], gives, sizes), gives)


def vector_sizes(mechanism: Mechanism) -> dict[str, int]:
    """Return how long the vectors are that a program of the user may read."""
    n_parameters = len(mechanism.parameter_inputs)
    sizes = {"t": 1, "q": mechanism.nq, "v": mechanism.nv, PARAMETERS: n_parameters}
    return sizes | ({STATES: len(mechanism.state_values)} if mechanism.states else {})


def checked_law(node: Node, gives: str, sizes: Mapping[str, int]) -> Program | Rolled:
    """Return the program of a law, straight or rolled; see ``checked_program``."""
    if isinstance(node.value, Mapping) and "items" in node.value:
        return checked_rolled(node, gives, sizes)
    return checked_program(node, gives, sizes)


def checked_rolled(node: Node, gives: str, sizes: Mapping[str, int]) -> Rolled:
    """Return the rolled program of a node; see ``checked_program``."""
    rolled = rolled_from_tree(node.value, f"{node.where}: {node.path}")
    return _with_ports(node, rolled, gives, sizes)


def checked_program(node: Node, gives: str, sizes: Mapping[str, int]) -> Program:
    """Return the program of a node.

    Args:
        node: Where it is in the file.
        gives: Name of its only output.
        sizes: Lengths of the vectors that it may read and write.
    """
    program = program_from_tree(node.value, f"{node.where}: {node.path}")
    return _with_ports(node, program, gives, sizes)


def _with_ports(node: Node, program: P, gives: str, sizes: Mapping[str, int]) -> P:
    """Return a program, rejecting one that reads or writes something else."""
    if [port.name for port in program.outputs] != [gives]:
        raise node.error(f"must compute {gives!r} and nothing else")
    for port in (*program.inputs, *program.outputs):
        if port.name not in sizes or port.size != sizes[port.name]:
            raise node.error(
                f"has {port.name!r} of {port.size} numbers; the model has "
                f"{sizes.get(port.name, 0)} of them"
            )
    return program


def whole_number(node: Node, least: int, most: int | None = None) -> int:
    """Return the integer of a node."""
    value = node.whole()
    if value < least or (most is not None and value > most):
        raise node.must_be(f"from {least} on" if most is None else f"from {least} to {most}")
    return value


def _if_any(node: Node) -> float | None:
    return None if node.value is None else float(node.number())


@contextmanager
def _named(node: Node) -> Iterator[None]:
    """Prefix errors raised inside with the path in the file."""
    try:
        yield
    except PoinsotError as error:
        raise ModelError(f"{node.where}: {node.path}: {error}") from None


assert {setting.name for setting in fields(Accuracy)} == set(_ACCURACY), "a setting is not saved"
assert {setting.name for setting in fields(Plan)} == {*_PLAN, "chunk"}, "a setting is not saved"
