"""What the measurements ran on."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from poinsot.kernels.llvm.target import Target

HERE = Path(__file__).resolve().parent
CPU_INFO = Path("/proc/cpuinfo")
GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
PACKAGES = ("poinsot", "numpy", "scipy", "llvmlite", "pin", "mujoco")


def describe() -> dict[str, str]:
    """Return the machine and the versions, as names and values to print."""
    import llvmlite.binding as llvm

    target = Target.current()
    return {
        "CPU": f"{_cpu_name()} (LLVM: {target.cpu}, {target.width} doubles a register)",
        "cores": f"{os.cpu_count()}, one used",
        "frequency governor": _governor(),
        "load average before": _load(),
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "LLVM": ".".join(str(part) for part in llvm.llvm_version_info),
        **{name: version(name) for name in PACKAGES},
        "commit": _commit(),
    }


def _commit() -> str:
    """Return the commit that is measured; results of other runs may have changed since."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE)
    except (OSError, subprocess.CalledProcessError):
        return "not visible"
    return found.stdout.strip()


def _cpu_name() -> str:
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _governor() -> str:
    try:
        return GOVERNOR.read_text(encoding="utf-8").strip()
    except OSError:
        return "not visible"


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except (AttributeError, OSError):
        return "not visible"
