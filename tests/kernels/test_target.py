"""Code is made for the processor that POINSOT_CPU names, as well as POINSOT_CODE says."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from poinsot.errors import PoinsotError
from poinsot.evaluate.request import request_for
from poinsot.evaluate.trace import trace
from poinsot.kernels.llvm import target as target_module
from poinsot.kernels.llvm.shared_functions import shared_ir
from poinsot.kernels.llvm.straight_modules import batch_ir
from poinsot.kernels.llvm.target import EFFORTS, OLDER, Target, assembly
from poinsot.library import double_pendulum, puma560
from tests.kernels.machines import compiled, kernel, one_by_one, random_inputs, target

REGISTERS = {"x86-64": "%xmm", "haswell": "%ymm"}
"""The widest registers of each."""

USED = """
import numpy as np
import poinsot as ps
from poinsot.kernels.llvm.target import Target
from poinsot.library import double_pendulum
system = double_pendulum()
q = np.array([0.3, -0.2])
run = ps.simulate(system, q, q, 0.1)
runs = ps.simulate(system, np.stack([q] * 5), q, 0.1, integrator="rk4", step=0.01)
print(Target.current().cpu, Target.current().width, system.mass_matrix(q)[0, 0])
"""


@cache
def used(cpu):
    """Return what a process with this setting does."""
    command = [sys.executable, "-c", USED]
    environment = os.environ | {"POINSOT_CPU": cpu}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("cpu", OLDER)
def test_the_setting_chooses_the_processor(cpu):
    """Compute in a process with the setting, and find the processor there, and the answer."""
    target(cpu)  # skips where this processor lacks what the setting needs
    result = used(cpu)
    assert result.returncode == 0, result.stderr
    name, width, answer = result.stdout.split()
    assert (name, int(width)) == (cpu, OLDER[cpu][0])
    assert float(answer) == pytest.approx(float(used("").stdout.split()[-1]), rel=1e-14)


def test_other_names_are_refused():
    """Check that the message has the value and the names that are known."""
    for name in ("skylake", "X86-64", "avx2"):
        with pytest.raises(PoinsotError, match=f"POINSOT_CPU: .*{name}.*'host', 'haswell', 'x86-6"):
            Target.named(name)
    assert "POINSOT_CPU: unknown processor 'pentium'" in used("pentium").stderr


def test_code_made_at_once_gives_the_same(monkeypatch):
    """Ask for code that is made at once: longer code, the same numbers; other words are refused."""
    q, v = np.array([0.3, -0.2]), np.array([1.0, -2.0])
    answers, texts = [], []
    for effort in EFFORTS:
        monkeypatch.setenv("POINSOT_CODE", effort)
        system = double_pendulum()
        answers.append(system.forward_dynamics(np.stack([q] * 9), v, v))
        texts.append(assembly(shared_ir(Target.current().width), Target.current()))
    np.testing.assert_allclose(*answers, rtol=1e-13)
    assert len(texts[1]) > 1.2 * len(texts[0])
    monkeypatch.setenv("POINSOT_CODE", "slow")
    with pytest.raises(PoinsotError, match=r"POINSOT_CODE: .*'slow'.*'fast' or 'quick'"):
        Target.current()


def test_a_processor_that_lacks_something_says_what(monkeypatch):
    """Check the message where registers are too narrow, and where there is no such family."""
    if not Target.host().triple.startswith("x86_64"):
        pytest.skip("x86 only")
    import llvmlite.binding as llvm

    features = {**llvm.get_host_cpu_features(), "avx2": False}
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: features)
    with pytest.raises(PoinsotError, match=r"'haswell' needs avx2, which .* has not; choose"):
        Target.named("haswell")
    arm = replace(Target.host(), triple="aarch64-unknown-linux-gnu")
    monkeypatch.setattr(Target, "host", staticmethod(lambda: arm))
    with pytest.raises(PoinsotError, match=r"'x86-64' cannot run on aarch64.*leave it out"):
        Target.named("x86-64")


@pytest.mark.parametrize("cpu", OLDER)
def test_registers_are_those_of_the_processor(cpu):
    """Add vectors of a register's width: one addition, and no wider register."""
    chosen = target(cpu)
    kind = f"<{chosen.width} x double>"
    text = assembly(f"define {kind} @add({kind} %x, {kind} %y) {{\n  %z = fadd {kind} %x, %y\n"
                    f"  ret {kind} %z\n}}", chosen)  # fmt: skip
    assert text.count("addpd") == 1
    assert REGISTERS[cpu] in text
    assert "%zmm" not in text


def test_long_code_has_the_same_results_to_the_last_bit(monkeypatch):
    """Compile dynamics as short code and as long code, whose instructions are ordered less."""
    monkeypatch.setenv("POINSOT_CACHE", "0")
    program = trace(puma560().mechanism, request_for("forward_dynamics"))
    given = random_inputs(program, 5, seed=3)
    texts, results = [], []
    for longest in (10**9, 0):
        monkeypatch.setattr(target_module, "LONG", longest)
        texts.append(assembly(batch_ir(program, Target.host()), Target.host()))
        made = kernel(program, "host")
        results.append([*compiled(made, *given), *one_by_one(made, *given)])
    assert texts[0] != texts[1]
    for short, long in zip(*results, strict=True):
        np.testing.assert_array_equal(short, long)
