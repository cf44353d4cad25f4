"""Run kernels on arrays beside pages that must not be touched; a process of its own, as it may die.

``python -m tests.kernels.guarded CPU WAY``, with WAY ``single``, ``batch`` or ``overrun``.
"""

import ctypes
import mmap
import sys

import numpy as np

from poinsot.expr import Op, Port, Program
from tests.kernels.machines import interpret, kernel, run_batch, target

PAGE = mmap.PAGESIZE
SIZES = (1, 2, 3, 5, 6, 7, 9, 11, 13, 17)

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
PROT_NONE = 0


class Guarded:
    """An array that ends where a forbidden page begins, or begins where one ends."""

    def __init__(self, shape, at_end):
        size = 8 * int(np.prod(shape))
        self._inner = -(-max(size, 1) // PAGE) * PAGE
        self._total = self._inner + 2 * PAGE
        both = mmap.PROT_READ | mmap.PROT_WRITE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self._base = libc.mmap(None, self._total, both, flags, -1, 0)
        assert self._base not in (None, ctypes.c_void_p(-1).value), "mmap failed"
        self._protect(self._base, PAGE, PROT_NONE)
        self._protect(self._base + PAGE + self._inner, PAGE, PROT_NONE)
        start = self._base + PAGE + (self._inner - size if at_end else 0)
        cells = (ctypes.c_double * (size // 8)).from_address(start)
        self.array = np.frombuffer(cells, dtype=float).reshape(shape)
        assert self.array.ctypes.data == start

    def freeze(self):
        """Make writing an error."""
        self._protect(self._base + PAGE, self._inner, mmap.PROT_READ)

    def close(self):
        """Give the memory back."""
        assert libc.munmap(self._base, self._total) == 0

    def _protect(self, start, size, allowed):
        assert libc.mprotect(start, size, allowed) == 0, "mprotect failed"


def sums(size):
    """Return a program whose four ports have different sizes, none of them round for long."""
    other = size + 2
    inputs = (Port("x", (size,)), Port("z", (other,)))
    outputs = (Port("y", (size,)), Port("w", (other,)))
    first = size + other
    steps = [(Op.ADD, (k, size + k)) for k in range(size)]
    steps += [(Op.SIN, (first + size - 1,))]
    results = [first + k for k in range(size)]
    results += [first + size, *[size + k for k in range(other - 1)]]
    return Program(inputs, outputs, (), tuple(steps), tuple(results))


def run_guarded(program, run, n_states, at_end):
    """Evaluate random states on guarded arrays and compare with the interpreter."""
    rng = np.random.default_rng(n_states)
    ins = [Guarded((n_states, port.size), at_end) for port in program.inputs]
    outs = [Guarded((n_states, port.size), at_end) for port in program.outputs]
    given = [rng.uniform(-1, 1, x.array.shape) for x in ins]
    for x, numbers in zip(ins, given, strict=True):
        x.array[...] = numbers
        x.freeze()
    run([x.array for x in ins], [y.array for y in outs])
    for x, numbers in zip(ins, given, strict=True):
        np.testing.assert_array_equal(x.array, numbers)
    for y, z in zip(outs, interpret(program, *given), strict=True):
        np.testing.assert_allclose(y.array, z, rtol=1e-14, atol=1e-15)
    for memory in (*ins, *outs):
        memory.close()


def check(cpu, way):
    """Run programs of many sizes, in batches of all small sizes."""
    most = 2 * target(cpu).width + 1
    for size in SIZES:
        program = sums(size)
        code = kernel(program, cpu)
        for at_end in (True, False):
            if way == "single":
                run_guarded(program, code.run, 1, at_end)
            else:
                for n_states in range(1, most + 1):
                    run_guarded(
                        program, lambda i, o, code=code: run_batch(code, i, o), n_states, at_end
                    )


def overrun(cpu):
    """Evaluate one state more than there is room for: the guard page must end the process."""
    program = sums(5)
    memory = [Guarded((3, port.size), True) for port in (*program.inputs, *program.outputs)]
    arrays = [m.array for m in memory]
    run_batch(kernel(program, cpu), arrays[:2], arrays[2:], 0, 4)


if __name__ == "__main__":
    cpu, way = sys.argv[1:]
    if way == "overrun":
        overrun(cpu)
    else:
        check(cpu, way)
    print("done")
