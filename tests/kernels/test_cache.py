"""The disk cache: what is kept comes back whole, in every process, and within its limit."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import CacheWarning
from poinsot.evaluate import kernel as kernel_module
from poinsot.evaluate import recipe_key
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.kernels import cache
from poinsot.kernels.llvm import target as target_module
from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.target import Target, code_key
from poinsot.simulation.stepping import motion_jacobian, variational
from tests.kernels.cached import HEADER, IMAGE, KEY, OTHER, is_right, pendulum

# What it does


def test_what_is_written_is_read(cache_folder):
    """Check header and image, and that only we may read them."""
    assert cache.read(KEY) is None
    cache.write(KEY, HEADER, IMAGE)
    assert cache.read(KEY) == cache.CacheEntry(HEADER, IMAGE)
    assert cache.read(OTHER) is None
    assert [path.name for path in cache_folder.iterdir()] == [f"{KEY}.code"]
    if os.name == "posix":
        assert cache_folder.stat().st_mode & 0o777 == 0o700
        assert (cache_folder / f"{KEY}.code").stat().st_mode & 0o777 == 0o600


def test_a_file_under_another_name_is_not_used(cache_folder):
    """Check that the checksum covers the key."""
    cache.write(KEY, HEADER, IMAGE)
    (cache_folder / f"{KEY}.code").rename(cache_folder / f"{OTHER}.code")
    with pytest.warns(CacheWarning, match="damaged"):
        assert cache.read(OTHER) is None


def test_a_second_system_is_neither_traced_nor_compiled(cache_folder, no_compiler):
    """Check that a system of equal bodies finds its code without its program."""
    assert is_right(pendulum())
    no_compiler()
    system = pendulum()
    assert is_right(system)
    kernel = evaluators_of(system.mechanism).find(Request("mass_matrix")).kernel
    assert [(port.name, port.shape) for port in kernel.signature.outputs] == [
        ("mass_matrix", (1, 1))
    ]
    with pytest.raises(AssertionError, match="from the cache"):
        assert kernel.program


def test_the_program_of_stored_code_is_the_one_it_was_made_of(cache_folder):
    """Check signatures from disk against programs."""
    for _ in range(2):
        system = pendulum()
        assert is_right(system)
        kernel = evaluators_of(system.mechanism).find(Request("mass_matrix")).kernel
        assert kernel.signature == type(kernel.signature).of(kernel.program)


def test_another_system_has_other_code(cache_folder):
    """Check that a change in the last bit is another system."""
    assert is_right(pendulum())
    n = len(list(cache_folder.iterdir()))
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -np.nextafter(0.5, 1)))
    assert ps.System("pendulum", [rod]).mass_matrix(np.zeros(1)) > 0.5
    assert len(list(cache_folder.iterdir())) == n + 2


def test_other_source_traces_again_and_finds_equal_code(cache_folder, monkeypatch):
    """Check that edited source is never taken to give what the old one gave."""
    assert is_right(pendulum())
    traced = []

    def trace(*question):
        traced.append(question)
        return real(*question)

    real = kernel_module.trace
    monkeypatch.setattr(kernel_module, "trace", trace)
    monkeypatch.setattr(recipe_key, "source_digest", lambda names: "edited")
    monkeypatch.setattr(target_module, "compile_object", lambda *_: pytest.fail("compiled again"))
    assert is_right(pendulum())
    assert len(traced) == 1
    assert is_right(pendulum())
    assert len(traced) == 1


@pytest.mark.parametrize(
    ("module", "maker", "kernels", "how"),
    [
        (motion_jacobian, "_program", "_kernel", {"integrator": "stiff"}),
        (variational, "_Step", "step_kernels", {"integrator": "symplectic", "step": 0.01}),
    ],
)
def test_derivatives_of_runs_are_kept(cache_folder, monkeypatch, module, maker, kernels, how):
    """Check that another process, which knows no kernel, need not make the formulas again."""
    start = {"q": [0.3], "v": [0.1], "duration": 0.1, "tau": lambda t, q, v: -v}
    first = ps.simulate(pendulum(), **start, **how)

    def made(*arguments):
        raise AssertionError("made again")

    monkeypatch.setattr(module, maker, made)
    getattr(module, kernels).cache_clear()
    again = ps.simulate(pendulum(), **start, **how)
    assert np.array_equal(first.q, again.q)
    getattr(module, kernels).cache_clear()
    with pytest.raises(AssertionError, match="made again"):
        ps.simulate(pendulum(), **{**start, "tau": lambda t, q, v: -2.0 * v}, **how)


def test_code_without_its_signature_and_the_reverse(cache_folder):
    """Check that any of the files may be missing."""
    assert is_right(pendulum())
    for path in sorted(cache_folder.iterdir()):
        path.unlink()
        assert is_right(pendulum())
        assert path.exists()


def test_the_processor_and_the_versions_are_part_of_the_key(monkeypatch):
    """Check that code made for another machine or by another compiler is never found."""
    host = Target.current()
    targets = [
        host,
        Target(host.triple + "x", host.cpu, host.features, host.width),
        Target(host.triple, host.cpu + "x", host.features, host.width),
        Target(host.triple, host.cpu, host.features + ",x", host.width),
        Target(host.triple, host.cpu, host.features, 2 * host.width),
        Target(host.triple, host.cpu, host.features, host.width, "quick"),
    ]
    keys = [code_key(target, "ir", "text") for target in targets]
    keys.append(code_key(host, "ir", "texts"))
    monkeypatch.setattr("llvmlite.binding.llvm_version_info", (1, 2, 3))
    keys.append(code_key(host, "ir", "text"))
    monkeypatch.setattr(target_module, "CODE_FORMAT", 0)
    keys.append(code_key(host, "ir", "text"))
    assert len(set(keys)) == len(keys)


def test_a_module_is_compiled_once(cache_folder, no_compiler):
    """Check the way of IR text that belongs to no quantity."""
    ir = "define i64 @poinsot.seven() {\n  ret i64 7\n}"
    load_library(ir, ("poinsot.seven",), {}, Target.current())
    no_compiler()
    assert load_library(ir, ("poinsot.seven",), {}, Target.current()).address("poinsot.seven")


def test_a_joint_of_the_user_is_not_looked_up(cache_folder):
    """Check that a class which may change unseen is traced each time; its IR is the key then."""

    class Mine(ps.Revolute.__mro__[1]):
        kind, nq, nv, q_units, v_units = "mine", 0, 0, (), ()

        def transform(self, q):
            return ps.Fixed().transform(q)

        motion_subspace = ps.Fixed.motion_subspace
        motion_subspace_rate = ps.Fixed.motion_subspace_rate
        position_rate = ps.Fixed.position_rate
        neutral = ps.Fixed.neutral
        random = ps.Fixed.random
        reaction_subspace = ps.Fixed.reaction_subspace
        coordinates = ps.Fixed.coordinates

    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    system = ps.System("mine", [rod, ps.Body("tip", parent="rod", joint=Mine())])
    assert recipe_key.recipe_key(kernel_module.SOURCES, system.mechanism, Request("bias")) is None
    assert is_right(system)


# Several at once

WORKER = """
import sys, time, warnings
import numpy as np
import poinsot as ps
warnings.simplefilter("error")
import llvmlite.binding
rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
system = ps.System("pendulum", [rod])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(3):
    assert system.mass_matrix(np.zeros(1)) == 0.5
    assert (system.mass_matrix(np.zeros((9, 1))) == 0.5).all()
    system = ps.System("pendulum", [rod])
"""


def test_two_processes_may_compile_the_same_at_once(cache_folder):
    """Check that both are right, and that one file a piece of code is left."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER], text=True, **pipes) for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        _, complaint = worker.communicate(timeout=120)
        assert worker.returncode == 0, complaint
    names = [path.name for path in cache_folder.iterdir()]
    assert all(name.endswith(".code") for name in names)
    assert len(names) == 6  # signature, code for one state and for many, shared functions, entry


def test_replacing_while_reading(cache_folder):
    """Check that a reader sees the old file or the new one, never a mixture."""
    code = (
        "from poinsot.kernels import cache\n"
        f"while True: cache.write({KEY!r}, {{'n': 1}}, b'1' * 300_000)"
    )
    cache.write(KEY, {"n": 0}, b"0" * 300_000)
    writer = subprocess.Popen([sys.executable, "-c", code])
    seen = set()
    try:
        stop = time.monotonic() + 30
        while len(seen) < 2 and time.monotonic() < stop:
            entry = cache.read(KEY)
            seen.add(entry.header["n"])
            assert entry.image == str(entry.header["n"]).encode() * 300_000
        for _ in range(300):
            assert cache.read(KEY).header["n"] == 1
    finally:
        writer.kill()
        writer.wait()
    assert seen == {0, 1}


def test_kernels_of_programs_are_cached_too(cache_folder, no_compiler):
    """Check a kernel that was given a program, not a quantity."""
    program = kernel_module.trace(pendulum().mechanism, Request("mass_matrix"))
    out = np.empty((5, 1))
    LlvmKernel(program).run([np.zeros((5, 1))], [out])
    no_compiler()
    again = np.empty((5, 1))
    LlvmKernel(program).run([np.zeros((5, 1))], [again])
    assert np.array_equal(out, again)
