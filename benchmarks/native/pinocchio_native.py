"""Pinocchio's C++ and its CasADi-generated C, compiled for this processor, in loops over states."""

import ctypes
import hashlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import casadi
import numpy as np

from benchmarks.native.compiler import BUILD, FAST, compiled, compilers, library
from benchmarks.pinocchio_model import PinocchioModel

ALGORITHMS = {"inverse_dynamics": (0,), "forward_dynamics": (1, 2), "mass_matrix": (3, 4)}
"""Numbers of the algorithms in the C++ files, WORLD before LOCAL."""

Loop = Callable[[], object]
"""Goes over all states once."""


class _Tree(ctypes.Structure):
    """``Tree`` of pinocchio_tree.hpp."""

    _fields_ = (
        ("n", ctypes.c_int),
        ("kinds", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in ("parents", "axes", "rotations", "places")),
        *((name, ctypes.c_void_p) for name in ("masses", "levers", "inertias", "gravity")),
    )


class NativeTree:
    """A Pinocchio model as plain arrays for the C++ files."""

    def __init__(self, peer: PinocchioModel):
        model, joints = peer.model, range(1, peer.model.njoints)
        self.nq, self.nv = model.nq, model.nv
        kinds = [model.joints[i].shortname().encode() for i in joints]
        self._arrays = {
            "parents": np.array([model.parents[i] for i in joints], np.int32),
            "axes": np.array([_axis(model.joints[i]) for i in joints]),
            "rotations": np.array([model.jointPlacements[i].rotation for i in joints]),
            "places": np.array([model.jointPlacements[i].translation for i in joints]),
            "masses": np.array([model.inertias[i].mass for i in joints]),
            "levers": np.array([model.inertias[i].lever for i in joints]),
            "inertias": np.array([model.inertias[i].inertia for i in joints]),
            "gravity": np.array(model.gravity.linear),
        }
        self._arrays = {name: np.ascontiguousarray(x) for name, x in self._arrays.items()}
        self._kinds = (ctypes.c_char_p * len(kinds))(*kinds)
        addresses = {name: array.ctypes.data for name, array in self._arrays.items()}
        self.tree = _Tree(len(kinds), ctypes.addressof(self._kinds), **addresses)


class CppLoops:
    """The algorithms compiled from Pinocchio's headers."""

    def __init__(self, compiler: str, native: NativeTree, source: str = "pinocchio_loop.cpp"):
        self._library = ctypes.CDLL(str(library(compiler, source)))
        self._library.make.restype = ctypes.c_void_p
        self._library.loop.restype = ctypes.c_double
        self._nv = native.nv
        self._peer = ctypes.c_void_p(self._library.make(ctypes.byref(native.tree)))

    def loop(self, which: int, states: list[np.ndarray]) -> Loop:
        """Return what runs an algorithm on all states, given in Pinocchio's order."""
        n = len(states[0])
        pointers = [ctypes.c_void_p(x.ctypes.data) for x in states]
        pointers += [None] * (3 - len(pointers))
        function, peer = self._library.loop, self._peer
        return lambda: (function(peer, which, ctypes.c_long(n), *pointers), states)

    def last(self, which: int, shape: tuple[int, ...]) -> np.ndarray:
        """Return the result for the last state of a loop."""
        result = np.zeros(shape)
        self._library.last(self._peer, which, ctypes.c_void_p(result.ctypes.data))
        return result


class FunctionLoops:
    """Loops over functions that others have made: our kernels, and what CasADi has generated."""

    def __init__(self, compiler: str):
        self._library = ctypes.CDLL(str(library(compiler, "pinocchio_loop.cpp")))

    def kernel(self, address: int, states: list[np.ndarray], out: np.ndarray) -> Loop:
        """Return what runs ``void single(double **in, double **out)`` on all states."""
        return self._loop(self._library.loop_single, ctypes.c_void_p(address), states, out)

    def generated(self, path: Path, n_work: int, states: list[np.ndarray], out: np.ndarray) -> Loop:
        """Return what runs a function of CasADi's on all states."""
        made = ctypes.CDLL(str(path))
        function, work = ctypes.cast(made.generated, ctypes.c_void_p), np.zeros(n_work)
        loop = self._loop(self._library.loop_casadi, function, states, out, work)
        return lambda: (loop(), made)

    def _loop(self, call, function, states, out, *work) -> Loop:
        sizes = np.array([x.shape[1] for x in states], np.int32)
        starts = (ctypes.c_void_p * len(states))(*[x.ctypes.data for x in states])
        ends = [ctypes.c_void_p(x.ctypes.data) for x in (*work, out)]
        arguments = (function, ctypes.c_long(len(states[0])), len(states), starts)
        held = (states, sizes, work, out)
        return lambda: (call(*arguments, ctypes.c_void_p(sizes.ctypes.data), *ends), held)


def generated(
    compiler: str,
    native: NativeTree,
    algorithms: Sequence[int],
    source: str = "pinocchio_casadi.cpp",
) -> tuple[Path, int]:
    """Return the shared library of what CasADi generates, and its work memory.

    Args:
        compiler: Of C++; that of C goes with it.
        native: The tree.
        algorithms: By number; that with the fewest steps is taken.
        source: The C++ file that generates them.
    """
    maker = ctypes.CDLL(str(library(compilers()[-1], source, *_casadi_flags())))
    texts = []
    for which in algorithms:
        n_steps, n_work = ctypes.c_long(), ctypes.c_long()
        with tempfile.TemporaryDirectory() as folder:
            sizes = (ctypes.byref(n_steps), ctypes.byref(n_work))
            maker.generate(ctypes.byref(native.tree), which, f"{folder}/".encode(), *sizes)
            text = (Path(folder) / "generated.c").read_bytes()
        texts.append((n_steps.value, n_work.value, text))
    _, n_work, text = min(texts)
    source = BUILD / f"generated-{hashlib.sha256(text).hexdigest()[:16]}.c"
    source.write_bytes(text)
    c_compiler = {"g++": "gcc", "clang++": "clang"}[compiler]
    return compiled(c_compiler, source, FAST), n_work


def _casadi_flags() -> tuple[str, ...]:
    folder = Path(casadi.__file__).parent
    return (str(folder / "libcasadi.so"), f"-Wl,-rpath,{folder}", "-O1")


def _axis(joint) -> np.ndarray:
    if joint.shortname() == "JointModelRevoluteUnaligned":
        return np.array(joint.extract().axis)
    return np.zeros(3)
