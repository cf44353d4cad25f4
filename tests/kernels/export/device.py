"""CUDA test programs for a machine with a device that has nvcc but not our packages.

python -m tests.kernels.export.device FOLDER       here
sh FOLDER/run.sh                                   there; it ends with 0 if all is right
"""

import sys
from pathlib import Path

import poinsot as ps
from poinsot.kernels.export.cuda import to_cuda
from tests.kernels.export.routines import packed, random_routine

SYSTEMS = {
    "arm": (lambda: ps.library.chain(7), ("forward_dynamics", "inverse_dynamics", "mass_matrix")),
    "linkage": (ps.library.four_bar, ("forward_dynamics", "multipliers")),
    "humanoid": (ps.library.humanoid, ("forward_dynamics",)),
    "arm_slopes": (
        lambda: ps.library.chain(7),
        (
            "inverse_dynamics_derivatives", "forward_dynamics_derivatives",
            "forward_dynamics by q:along v", "weighted inverse_dynamics by q q:along",
            "inverse_dynamics by q v", "hessian potential_energy", "d/dt inverse_dynamics",
            "d2/dt2 mass_matrix",
        ),
    ),
    "linkage_slopes": (
        ps.library.four_bar,
        ("forward_dynamics by q", "multipliers by tau", "constraint_jacobian by q"),
    ),
    "humanoid_slopes": (ps.library.humanoid, ("inverse_dynamics by v",)),
}  # fmt: skip

RUN = """\
set -e
cd "$(dirname "$0")"
for name in {names}; do
    nvcc -O2 -fmad=false -o "$name" "${{name}}_test.cu"
    echo "$name"
    ./"$name" | tail -1
done
"""


def write(folder):
    """Write the sources of systems and of random programs, and the script that runs them."""
    names = []
    for precision in ("double", "float"):
        for name, (make, quantities) in SYSTEMS.items():
            names.append(f"{name}_{precision}")
            make().export("cuda", quantities, path=folder, name=names[-1], precision=precision)
    routines = [random_routine(seed) for seed in range(8)]
    to_cuda(packed(*routines, name="programs"), "double").write(folder)
    (folder / "run.sh").write_text(RUN.format(names=" ".join([*names, "programs"])))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
