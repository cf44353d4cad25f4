"""How one state gathers outputs by runs: every table must give the entries that it was made of."""

import ctypes

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poinsot.expr import RolledBuilder
from poinsot.kernels.llvm.gathering import RUN, runs_of
from poinsot.kernels.llvm.layout import layout_declarations
from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.target import Target

PIECES = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=12)


def shown_by(pieces):
    """Return a table of entries from where pieces of it start, and their lengths."""
    parts = [np.arange(start, start + length) for start, length in pieces]
    return np.concatenate([np.empty(0), *parts]).astype(np.int32)


@given(pieces=PIECES)
def test_runs_give_every_entry(pieces):
    """Copy whole runs in order, as the code does, then what they leave."""
    shown = shown_by(pieces)
    state, out = np.arange(200.0), np.full(len(shown), np.nan)
    covered, n_runs, *table = runs_of(shown).tolist()
    position = 0
    for start, length in np.reshape(table, (n_runs, 2)):
        assert position + RUN <= len(out)
        out[position : position + RUN] = state[start : start + RUN]
        position += length
    assert position == covered
    out[covered:] = state[shown[covered:]]
    assert (out == state[shown]).all()


@pytest.mark.parametrize("pieces", [[(3, 20), (40, 5)], [(0, 1), (5, 1)], [(7, 40)]])
def test_one_state_shows_what_many_show(pieces):
    """Compare the output of one state and of a batch."""
    shown = shown_by(pieces)
    builder = RolledBuilder({"x": 64}, {"y": shown.shape})
    start = builder.state(64)
    builder.item("copy", lambda x: {"y": x}, {"x": ("x", 0, 64)}, {"y": start})
    builder.show("y", start + shown)
    kernel, x = RolledKernel(builder.finish()), np.arange(3.0 * 64).reshape(3, 64)
    many, alone = (np.zeros((k, len(shown))) for k in (3, 1))
    kernel.run([x], [many])
    kernel.run([x[:1]], [alone])
    assert (many == x[:, shown]).all()
    assert (alone == x[:1, shown]).all()


def test_streams_copy_from_anywhere_to_anywhere():
    """Check the copy past the caches, of any size and alignment, and what lies around it."""
    machine = Target.current()
    width = machine.width
    name = f"poinsot.stream.v{width}"
    module = f"""{layout_declarations(width)}
define void @copy(ptr %to, ptr %from, i64 %n) {{
  call fastcc void @{name}(ptr %to, ptr %from, i64 %n, i1 1)
  ret void
}}"""
    library = load_library(module, ("copy",), {}, machine)
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    for n in (1, 2, 9, 30):
        source = np.arange(float(n * width))
        for offset in [*range(0, 72, 8), 4]:
            goal = np.full(8 * (n * width + 24), 255, np.uint8)
            function(library.address("copy"))(goal.ctypes.data + offset, source.ctypes.data, n)
            assert goal[offset : offset + source.nbytes].tobytes() == source.tobytes()
            assert (goal[:offset] == 255).all()
            assert (goal[offset + source.nbytes :] == 255).all()
