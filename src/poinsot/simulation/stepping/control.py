"""The control block, shared by Python and the compiled integrator."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from typing import Final, TypeAlias

Address: TypeAlias = int
_Simple: TypeAlias = ctypes.c_double | ctypes.c_int64 | ctypes.c_void_p


class LoopSignal(IntEnum):
    """Why the compiled integrator returned."""

    FINISHED = 0
    PAUSED = 1
    NOT_FINITE = 2
    COLLAPSED = 3
    JUMPED = 4
    EVENT = 5
    UNSOLVED = 6
    LOST = 7


class Control(ctypes.Structure):
    """The state of the integrator in a run: called again, it resumes where it was.

    Vectors have ``width`` entries: ``n`` of them, q, v and further states, and zeros up to whole
    registers.
    """

    t: float  # of the state y [s]
    h: float  # step to try next [s]
    t_stage: float  # time of the stage that is evaluated [s]; kernels read it
    t_new: float  # end of the step that is taken [s]
    t_end: float  # where to stop [s]
    t_before: float  # the last time before that [s]
    t_goal: float  # where the next step must end at the latest [s]: the end, or a break before it
    t_edge: float  # the last time before that [s]; signals are not evaluated beyond
    t_clear: float  # up to where the step was searched for events [s]
    t_hit: float  # of the first event of an instant [s]
    created: float  # energy that the last impact has created [J]
    t_left: float  # time of the events in g_left [s]
    t_mid: float  # midpoint of the subinterval under search [s]; kernels of bounds read it
    t_rad: float  # half its length [s]
    h_most: float  # largest step allowed [s]
    h_floor: float  # smallest step allowed near t = 0 [s]
    h_equal: float  # fixed step [s]
    t_first: float  # where fixed steps count from [s]
    rtol: float
    atol: float
    error: float  # norm of the error of the step that is taken
    last_error: float  # norm of the error of the last accepted step
    h_usual: float  # step that was shortened for a singularity ahead, or 0 [s]
    h_last: float  # the last accepted step [s]
    clear: float  # conditioning of the constraint rows at y, 0: not known
    clear_last: float  # one step before
    clear_new: float  # at x
    clear_most: float  # the best so far
    shift: float  # how far the constraints moved the end of the step, in the norm of errors

    n: int  # number of equations
    nq: int  # coordinates among them
    nv: int  # velocities among them
    n_rows: int  # rows of loops and constraints
    width: int  # length of a vector in memory
    accepted: int  # steps taken
    rejected: int  # rejected steps
    evaluations: int  # of the derivative
    pause: int  # return when this many steps have been tried
    started: int  # whether k[0] holds the derivative at y
    just_rejected: int  # whether the last step was rejected
    not_finite: int  # whether that was because of a NaN or an infinity
    last: int  # whether the step that is taken is the last
    waiting: int  # whether an event was found in it, and it is to be completed
    has_dense: int  # whether its interpolating polynomial is there
    caution: int  # 0: careful near kinematic singularities; 1: in every step
    careful: int  # whether stages are projected onto the constraints in this step
    fixed_steps: int  # fixed steps taken since t_first
    n_quaternions: int
    n_kernels: int
    n_projections: int  # Newton steps per projection onto the constraints
    n_events: int
    depth: int  # subintervals of the step still to be searched
    looks: int  # bisections since the last crossing
    crossings: int  # in this step, so far
    has_jumps: int  # whether events are handled in the loop where they can be
    rests: int  # whether a barrier is at rest and pressed
    crowded: int  # whether there was no room for what an event stores
    n_records: int  # events that the loop has handled
    most_records: int
    capacity: int  # rows for which there is memory
    first_hit: int  # number of the first event of an instant
    first_gap: int  # number of the row of the first contact
    n_contacts: int
    redundant_stride: int  # of the columns of matrices of contacts that depend on each other
    compresses: int  # whether contacts are compressed before they are restored, by Poisson's law
    held_stride: int  # doubles from one column to the next in held
    n_parts: int  # kernels of the integrator
    n_signals: int
    n_breaks: int
    n_clocks: int  # of sampled states
    next_break: int  # how many of them have passed
    n_times: int  # how many times to store a row at; 0: after every step
    next_time: int  # how many of them have passed
    count: int  # rows stored

    y: Address  # the state
    x: Address  # the state at a stage; kernels read it
    z: Address  # the state at the end of a step
    k: Address  # derivatives at the stages, vector after vector
    dense: Address  # coefficients of the interpolating polynomial, vector after vector
    kernels: Address  # for each stage, for each kernel: function, inputs, outputs
    quaternions: Address  # int64: where in y each quaternion starts
    projection: Address  # of the kernel that does it: function, inputs, outputs
    p: Address  # what it writes
    watch: Address  # of the kernel that evaluates events: function, inputs, outputs
    g: Address  # what it writes
    side: Address  # for each event, on which side of 0 it was at t: 1 or -1; 0: not known
    new_side: Address  # and further on in the step
    direction: Address  # in which it is to cross: 1 or -1; 0: either
    resolution: Address  # length down to which subintervals are bisected for it [s]
    g_left: Address  # events at the start of the subinterval under search
    ends: Address  # ends of the subintervals still to be searched [s], the first one last
    end_known: Address  # int64: whether the events there are known
    end_g: Address  # these, vector after vector
    bounds: Address  # of the kernels that bound events and their rates, or null
    bound: Address  # what they write: midpoints and radii of events, and of their rates
    box: Address  # what they read: of the state, and of its rate, vector after vector
    does: Address  # int64: what the loop does at each event (``event_jumps.py``)
    barrier: Address  # int64: whether each is a barrier
    jumps: Address  # of the kernel of each that gives velocities: function, inputs, outputs
    after: Address  # what it writes
    contact_kernels: Address  # gaps, their rates, rows, M: function, inputs, outputs of each
    contact_values: Address  # where each of these writes
    restitutions: Address  # of contacts
    frictions: Address
    reversals: Address  # tangential restitutions
    contact_laws: Address  # int64: number of the law of each (``contact_process.py``)
    contact_orders: Address  # int64: 0: all that touch at once; 1: one after the other
    contact_rows: Address  # int64: number of the row along the normal of each
    impact_arrays: Address  # where the arrays of an impact are (``contact_arrays.py``)
    point_arrays: Address  # likewise of an impact in one point
    held: Address  # where the arrays are in which constraints are held (``contact_jump.py``)
    redundant: Address  # likewise of contacts that depend on each other
    rate_table: Address  # of the kernel of the rates of events: function, inputs, outputs
    event_rates: Address  # what it writes
    second_table: Address  # likewise of the second rates of barriers
    event_seconds: Address
    roots: Address  # when each event crosses zero in the subinterval under search [s]
    fired: Address  # int64: which of them happen at one instant
    records: Address  # per event: number, time, created energy, state before, state after
    parts: Address  # n_parts kernels of the integrator: function, inputs, outputs of each
    buffers: Address  # memory of the integrator: where each buffer starts
    breaks: Address  # times at which the equations jump or bend [s], increasing
    edges: Address  # the last time before each of them [s]
    due_rows: Address  # for each of them, which clocks strike: 1 or 0
    due: Address  # those that strike now; the kernel of sampled states reads it
    sampling: Address  # this kernel: function, inputs, outputs
    sampled: Address  # what it writes
    times: Address  # times to store a row at
    row_t: Address  # stored times
    row_y: Address  # stored states, vector after vector

    # Of many runs in lanes: vectors have W entries, one per run, where one run has one.
    total: int  # number of runs
    first: int  # number of the run in the first lane
    past: int  # number of the run at which to return
    loaded: int  # whether the runs from there on are in the lanes
    n_spread: int
    spread: Address  # per loaded vector: rows of all runs, target, length of a row
    asked: Address  # int64: return when it is not 0
    n_runs: int  # lanes whose rows are stored
    n_known: int  # rows that are there at the start
    out_row: int  # number of the next row
    stride_q: int  # doubles from one run to the next in all_q
    stride_v: int
    all_q: Address  # rows of all runs
    all_v: Address
    out_q: Address  # where rows of the run in the first lane go
    out_v: Address
    t_lanes: Address  # t_stage in every lane; kernels read it
    shifts: Address  # shift of each run
    fresh: Address  # initial states, to which failed runs are reset
    lost_why: Address  # int64: signal of failed runs, 0 of others
    lost_t: Address  # when
    lost_y: Address  # their states there
    lost_x: Address  # and the end of the failed step


_KINDS: Final[dict[str, tuple[type[_Simple], str]]] = {
    "float": (ctypes.c_double, "double"),
    "int": (ctypes.c_int64, "i64"),
    "Address": (ctypes.c_void_p, "ptr"),
}
_FIELDS: Final = {name: _KINDS[str(kind)] for name, kind in Control.__annotations__.items()}
Control._fields_ = [(name, kind) for name, (kind, _) in _FIELDS.items()]


def field_type(name: str) -> str:
    """Return the LLVM type of a field."""
    return _FIELDS[name][1]


def field_offset(name: str) -> int:
    """Return where a field starts [bytes]."""
    return int(getattr(Control, name).offset)
