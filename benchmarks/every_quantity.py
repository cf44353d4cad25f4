"""First calls of every quantity of one system, in a process of its own without a cache.

    python -m benchmarks.every_quantity "n_four_bar(20)"

prints them as JSON [s]; :func:`first_calls_of_all` does that in a new process and reads it.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

import poinsot as ps

OF_TREES = {
    "inverse_dynamics": "q v a", "forward_dynamics": "q v tau", "mass_matrix": "q", "bias": "q v",
    "gravity_force": "q", "position_rate": "q v", "kinetic_energy": "q v", "potential_energy": "q",
    "centre_of_mass": "q", "momentum": "q v", "regressor": "q v a", "energy_regressor": "q v",
    "pose": "body q", "velocity": "body q v", "acceleration": "body q v a", "jacobian": "body q",
    "jacobian_rate": "body q v",
}  # fmt: skip
"""Methods of every system and their arguments."""
OF_CLOSURES = {
    "constraint_residual": "q", "constraint_rate": "q v", "constraint_bias": "q v",
    "constraint_jacobian": "q", "multipliers": "q v tau", "reactions": "q v", "mobility": "q",
}  # fmt: skip
"""Those of loops and constraints."""


def systems() -> dict[str, Callable[[], ps.System]]:
    """Return the systems by name: trees, then mechanisms with loops."""
    from benchmarks.mechanisms import free_chain, free_loops, general_chain, stewart_platforms
    from poinsot import library

    return {
        "puma560()": library.puma560,
        "general chain of 30": lambda: general_chain(30),
        "humanoid()": library.humanoid,
        "chain(60)": lambda: library.chain(60),
        "chain(100)": lambda: library.chain(100),
        "chain(1000)": lambda: library.chain(1000),
        "four_bar()": library.four_bar,
        "andrews_squeezer()": library.andrews_squeezer,
        "stewart_platform()": library.stewart_platform,
        "n_four_bar(20)": lambda: library.n_four_bar(20),
        "n_four_bar(40)": lambda: library.n_four_bar(40),
        "n_four_bar(499)": lambda: library.n_four_bar(499),
        "30 Stewart platforms": lambda: stewart_platforms(30),
        "chain(1000), free mass": free_chain,
        "n_four_bar(499), free mass": free_loops,
    }


def first_calls_of_all(name: str) -> dict[str, float]:
    """Return the seconds of the first call of each quantity of a system."""
    command = [sys.executable, "-m", "benchmarks.every_quantity", name]
    result = subprocess.run(
        command,
        env={**os.environ, "POINSOT_CACHE": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{result.stderr}")
    times: dict[str, float] = json.loads(result.stdout)
    return times


def _stiff(system: ps.System) -> None:
    from poinsot.library import andrews_squeezer_configuration

    q = andrews_squeezer_configuration() if system.row_names else [0.1] * system.nq
    ps.simulate(system, q, [0.0] * system.nv, 1e-3, integrator="stiff")


_LONG: dict[str, dict[str, Callable[[ps.System], object]]] = {
    "general chain of 30": {"simulate, stiff": _stiff},
    "chain(60)": {"simulate, stiff": _stiff},
    "andrews_squeezer()": {"simulate, stiff": _stiff},
    "n_four_bar(40)": {"verify": ps.verify},
}
"""What takes long besides, where it is asked for."""


def main() -> None:
    """Time the first calls in this process."""
    import numpy as np

    from poinsot.library import rrp_arm

    rrp_arm().bias(np.zeros(3), np.zeros(3))  # loads what any first call needs
    system = systems()[sys.argv[1]]()
    rng = np.random.default_rng(1)
    known = {key: rng.normal(size=system.nv) for key in ("v", "a", "tau")}
    known |= {"q": system.random(rng), "body": system.bodies[-1].name}
    times = {}
    values = dict.fromkeys(system.mechanism.parameter_inputs, 1.0)
    how = {"parameters": values} if values else {}
    for name, arguments in {**OF_TREES, **(OF_CLOSURES if system.row_names else {})}.items():
        start = time.perf_counter()
        getattr(system, name)(*(known[key] for key in arguments.split()), **how)
        times[name] = time.perf_counter() - start
    for name, call in _LONG.get(sys.argv[1], {}).items():
        start = time.perf_counter()
        call(system)
        times[name] = time.perf_counter() - start
    print(json.dumps(times))


if __name__ == "__main__":
    main()
