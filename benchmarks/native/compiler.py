"""Shared libraries from C and C++, made once for each compiler, source and version.

Pinocchio's wheel ships its headers and Boost's, CasADi's wheel those of Eigen and of CasADi itself.
Flags are those for the fastest code on this processor; what Pinocchio's own build defines for Boost
is defined here too.
"""

import hashlib
import shutil
import subprocess
import sys
from importlib import metadata, util
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
BUILD = SOURCES / "build"
FAST = ("-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared", "-w")
BOOST = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)
COMPILERS = ("g++", "clang++")


def compilers() -> list[str]:
    """Return the compilers that are installed."""
    return [name for name in COMPILERS if shutil.which(name)]


def library(compiler: str, source: str, *flags: str) -> Path:
    """Return the shared library of one of the C++ files of this folder."""
    casadi = Path(util.find_spec("casadi").origin).parent
    headers = (casadi / "include" / "eigen3", casadi / "include", _pinocchio_headers())
    # hidden and bound inside: the wheel's library, compiled otherwise, has functions of equal names
    apart = ("-fvisibility=hidden", "-Wl,-Bsymbolic")
    every = ("-std=c++17", *FAST, *BOOST, *apart, *(f"-I{path}" for path in headers), *flags)
    return compiled(compiler, SOURCES / source, every)


def compiled(compiler: str, source: Path, flags: tuple[str, ...]) -> Path:
    """Return the shared library of a file; it is made where it is not there already."""
    BUILD.mkdir(exist_ok=True)
    about = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    text = [about.stdout, *flags, metadata.version("pin"), metadata.version("casadi")]
    text += [path.read_text("utf-8") for path in (*sorted(SOURCES.glob("*.hpp")), source)]
    name = hashlib.sha256("\0".join(text).encode()).hexdigest()[:16]
    path = BUILD / f"{source.stem}-{compiler}-{name}.so"
    if not path.exists():
        print(f"{compiler}: {source.name} ...", file=sys.stderr, flush=True)
        temporary = path.with_suffix(".part")
        subprocess.run([compiler, str(source), *flags, "-o", str(temporary)], check=True)
        temporary.rename(path)
    return path


def _pinocchio_headers() -> Path:
    """Return the folder of Pinocchio's headers, beside those of Boost."""
    files = metadata.files("libpinocchio") or metadata.files("pin") or []
    for file in files:
        if file.as_posix().endswith("include/pinocchio/multibody.hpp"):
            return Path(str(file.locate())).resolve().parents[1]
    raise FileNotFoundError("the wheel of Pinocchio has no headers")
