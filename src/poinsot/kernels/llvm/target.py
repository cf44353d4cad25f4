"""The processor that code is made for, and the way from IR text to object code.

Environment: ``POINSOT_CPU`` says for which one, ``host`` by default; see ``OLDER``.
``POINSOT_CODE`` says what is worth more: ``fast`` code, the default, or code that is made at once,
``quick``; see ``EFFORTS``.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from poinsot.errors import PoinsotError
from poinsot.kernels.digest import digest

CODE_FORMAT: Final = 2
"""Raise this when ``compile_object`` makes other code of the same IR: cached code is void then."""
OLDER: Final[Mapping[str, tuple[int, tuple[str, ...]]]] = {
    "haswell": (4, ("avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe", "popcnt")),
    "x86-64": (2, ()),
}
"""Older processors that code can be made for: doubles in a register, and what they must have."""
EFFORTS: Final[Mapping[str, int]] = {"fast": 2, "quick": 0}
"""What ``POINSOT_CODE`` may say, and how much LLVM's code generator optimises programs of systems
then: ``quick`` code is there in a quarter of the time, and takes three times as long to run."""

LONG: Final = 1_000_000
"""Characters of IR, about 11 000 operations, beyond which ``fast`` code is ordered as written.

LLVM's second level orders instructions anew, which takes longer than all else where blocks are
long.  Results are the same to the last bit, and the code takes as long to run."""

_compiling = threading.Lock()


@dataclass(frozen=True)
class Target:
    """A processor: LLVM's triple, CPU name and features, and how many doubles a register holds.

    ``effort`` is how much its code is optimised, one of ``EFFORTS``.
    """

    triple: str
    cpu: str
    features: str
    width: int
    effort: str = "fast"

    @staticmethod
    @lru_cache(maxsize=1)
    def host() -> Target:
        """Return the processor this process runs on."""
        import llvmlite.binding as llvm

        features = llvm.get_host_cpu_features()
        if features.get("avx512f") and features.get("avx512dq") and features.get("avx512vl"):
            width = 8
        else:
            width = 4 if features.get("avx2") and features.get("fma") else 2
        return Target(
            llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), width
        )

    @staticmethod
    def current() -> Target:
        """Return the processor that code is made for: this one, or what ``POINSOT_CPU`` says.

        >>> Target.current().width in (2, 4, 8)
        True
        """
        cpu = os.environ.get("POINSOT_CPU", "").strip() or "host"
        return _chosen(cpu, os.environ.get("POINSOT_CODE", "").strip() or "fast")

    @staticmethod
    def named(name: str) -> Target:
        """Return ``host``, or one of ``OLDER`` where its code can run here."""
        import llvmlite.binding as llvm

        host = Target.host()
        if name == "host":
            return host
        choice = "choose one of 'host', " + ", ".join(repr(key) for key in OLDER)
        if name not in OLDER:
            raise PoinsotError(f"POINSOT_CPU: unknown processor {name!r}; {choice}")
        width, needed = OLDER[name]
        if not host.triple.startswith("x86_64"):
            raise PoinsotError(
                f"POINSOT_CPU: {name!r} cannot run on {host.triple}; leave it out, or set 'host'"
            )
        features = llvm.get_host_cpu_features()
        missing = [feature for feature in needed if not features.get(feature)]
        if missing:
            raise PoinsotError(
                f"POINSOT_CPU: {name!r} needs {', '.join(missing)}, which this processor "
                f"({host.cpu}) has not; {choice}"
            )
        return Target(host.triple, name, "", width)

    @staticmethod
    def of_loops() -> Target:
        """Return the same for code that all systems share, made once: always ``fast``."""
        return replace(Target.current(), effort="fast")

    def machine(self, length: int = 0) -> Any:  # noqa: ANN401 (llvmlite has no types)
        """Return LLVM's code generator for this processor and a module of so many characters."""
        level = EFFORTS[self.effort]
        return _machine(self, min(level, 1) if length > LONG else level)


@lru_cache(maxsize=8)
def _chosen(cpu: str, effort: str) -> Target:
    if effort not in EFFORTS:
        choice = " or ".join(repr(key) for key in EFFORTS)
        raise PoinsotError(f"POINSOT_CODE: unknown kind {effort!r} of code; choose {choice}")
    return replace(Target.named(cpu), effort=effort)


@lru_cache(maxsize=8)
def _machine(target: Target, level: int) -> Any:  # noqa: ANN401
    import llvmlite.binding as llvm

    if target.triple == llvm.get_process_triple():
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    else:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=level,
        reloc="pic",
        codemodel="small",
        jit=True,
    )


def compile_object(ir: str, target: Target) -> bytes:
    """Return the object code of a module of IR text.

    The text is straight-line code that the graph has optimised already, so only the code generator
    runs, which fuses products and sums (``contract``); LLVM's middle-end passes would cost most of
    the time and gain nothing.  Its instruction scheduler is off meanwhile: the order of the sweeps
    keeps fewer values alive (mass matrix of 30 joints: 15 % faster, compiled in 3/4 of the time).
    """
    import llvmlite.binding as llvm

    module = _parse(ir, target)
    with _compiling:
        llvm.set_option("poinsot", "-enable-misched=false")
        try:
            return bytes(target.machine(len(ir)).emit_object(module))
        finally:
            llvm.set_option("poinsot", "-enable-misched=true")


def code_key(target: Target, *dependencies: object) -> str:
    """Return the key under which the disk cache keeps code for a processor.

    Args:
        target: The processor.
        dependencies: All that the IR depends on, or the IR itself.
    """
    import llvmlite
    import llvmlite.binding as llvm

    version = (CODE_FORMAT, llvmlite.__version__, llvm.llvm_version_info)
    return digest(version, target, dependencies)


def ir_key(ir: str, target: Target) -> str:
    """Return the key under which the disk cache keeps the code of a module."""
    return code_key(target, "ir", ir)


def assembly(ir: str, target: Target) -> str:
    """Return the assembly text of a module, also for processors that are not this one."""
    return str(target.machine(len(ir)).emit_assembly(_parse(ir, target)))


def _parse(ir: str, target: Target) -> Any:  # noqa: ANN401
    import llvmlite.binding as llvm

    context = llvm.create_context()  # the shared one keeps every constant that it has ever seen
    module = llvm.parse_assembly(f'target triple = "{target.triple}"\n{ir}', context)
    module.data_layout = str(target.machine().target_data)
    return module
