"""The spatial slider-crank: a crank, a rod on a ball and a universal joint, and a slider."""

import re

import numpy as np

import poinsot as ps
from poinsot.spatial import axis_angle
from tests.cases.contract import Unsupported
from tests.cases.motion import columns_of, filled, motion, tables_of
from tests.cases.numbers import number
from tests.cases.words import VECTOR, direction

JOINTS = re.compile(
    r"revolute ground-crank about \S+; spherical crank-conrod at B; universal conrod-slider at C "
    rf"with one axis along slider (\S+) and the other fixed in the conrod, initially ({VECTOR})"
)
INITIAL = re.compile(r"crank angle (\S+), crank speed (\S+) rad/s\b.*")
SLIDES = re.compile(rf"along ({VECTOR})((?:, *[xyz](?:=[^,]+)+)*), *no rotation")
COLUMNS = {
    r"crank angle": lambda q, v: q[0],
    r"crank speed": lambda q, v: v[0],
    r"slider [xyz]": lambda q, v: q[1],
    r"slider [xyz]dot": lambda q, v: v[1],
}
"""By patterns of their names; the slider's letter is that of its line."""


def slidercrank3d(case):
    """Return the motion of crank and slider at the times of every row."""
    reference = case["reference"]
    system, q, v = _start(case["model"])
    columns, tables = columns_of(reference["columns"], COLUMNS), tables_of(reference)
    run = motion(system, q, v, np.concatenate(list(tables.values())))
    return filled(run, columns, reference, tables)


def _start(model):
    """Return the mechanism, closed at the start, and its state; q = [crank, slider, rod (2)]."""
    crank, rod, slider = (model[name] for name in ("crank", "conrod", "slider"))
    joints = _read(JOINTS, model["joints"], "joints")
    initial = _read(INITIAL, model["initial"], "initial state")
    slides = _read(SLIDES, slider["motion"], "motion of the slider")
    along = _read(re.compile(rf"points along ({VECTOR})"), crank["initial"], "crank")
    angle, speed = number(initial[1]), number(initial[2])
    A, axis, pointing = np.array(crank["A"], float), direction(crank["axis"]), direction(along[1])
    B = A + axis_angle(axis, angle) @ (crank["length"] * pointing)
    line, way = _offset(slides[2]), direction(slides[1])
    C = line + slider["x0"] * way
    arm = B - C
    if not np.isclose(np.linalg.norm(arm), rod["length"], rtol=1e-9):
        raise ValueError(f"the rod is {np.linalg.norm(arm):g} m long at the start")
    d = arm / np.linalg.norm(arm)
    middle = 0.5 if rod["com"] == "middle" else number(rod["com"]) / rod["length"]
    transverse = rod["I_transverse"] * (np.eye(3) - np.outer(d, d))
    bodies = [
        ps.Body(
            "crank", joint=ps.Revolute(axis), pose=ps.Pose(A), mass=crank["mass"],
            com=crank["com"] * pointing, inertia=crank["I_com"],
        ),
        ps.Body("slider", joint=ps.Prismatic(way), pose=ps.Pose(line), mass=slider["mass"]),
        ps.Body(
            "rod", "slider", ps.Universal(direction(joints[1]), direction(joints[2])),
            mass=rod["mass"], com=middle * arm,
            inertia=rod["I_axial"] * np.outer(d, d) + transverse,
        ),
    ]  # fmt: skip
    ball = ps.Loop("ball", ("crank", crank["length"] * pointing), ("rod", arm), ps.Spherical())
    system = ps.System("slider-crank", bodies, gravity=model["g"], loops=[ball])
    q = np.array([angle, slider["x0"], 0.0, 0.0])
    return system, q, system.consistent_velocity(q, [speed, 0.0, 0.0, 0.0], joints=["crank"])


def _offset(text):
    """Return the point of the line from ", y=z=0" or ", y=0, z=.1"."""
    place = dict.fromkeys("xyz", 0.0)
    for part in filter(None, (one.strip() for one in text.split(","))):
        *names, value = part.split("=")
        place |= dict.fromkeys(names, number(value))
    return np.array([place[name] for name in "xyz"])


def _read(pattern, text, what):
    found = pattern.fullmatch(text)
    if found is None:
        raise Unsupported(f"{what} {text!r}: not understood")
    return found
