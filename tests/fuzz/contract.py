"""What must hold for every input: it is refused with words, or it is a system like others."""

import importlib
import os
import pkgutil
import time
import warnings

import numpy as np
import scipy.spatial  # noqa: F401 (or the first convex mesh imports it, which runs code)

import poinsot as ps
from poinsot.expr import symbol
from poinsot.expr.formula import parse, variables
from tests.fuzz.watch import outside, watched

for _found in pkgutil.walk_packages(ps.__path__, "poinsot."):  # or the first file that needs one
    if not _found.name.endswith("__main__"):
        importlib.import_module(_found.name)

LONGEST_MESSAGE = 3000
SLOWEST = 5.0
"""Seconds for an input of some kilobytes; they take milliseconds."""

FORMATS = {
    **{"json": ".json", "toml": ".toml", "urdf": ".urdf", "mjcf": ".xml"},
    **{"stl": ".stl", "obj": ".obj", "msh": ".msh"},
    "formula": "",
}
"""The formats by name, each with the suffix of its files."""

MESHES = ("stl", "obj", "msh")
MESH_MODEL = """<mujoco><asset><mesh name="m" file="mesh{suffix}"/></asset><worldbody>
<body name="b"><joint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
NAMES = ("t", "x", "y", "z", "vx", "vy", "vz")


def check(form, data, folder):
    """Read bytes as a format, in a folder of their own; raise AssertionError if all is not well.

    Returns whether they are a valid model or formula.
    """
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ps.ModelWarning)
        if form == "formula":
            valid = _formula(data)
        elif form in MESHES:
            _write(folder, f"mesh{FORMATS[form]}", data)
            valid = _model(MESH_MODEL.format(suffix=FORMATS[form]).encode(), folder, ".xml")
        else:
            valid = _model(data, folder, FORMATS[form])
    assert time.process_time() - start < SLOWEST, "too slow"
    return valid


def _model(data, folder, suffix):
    file = _write(folder, f"model{suffix}", data)
    with watched() as seen:
        try:
            system = ps.load(file)
        except ps.PoinsotError as error:
            _check_words(error, file)
            system = None
    assert not outside(seen, folder), f"did more than to read: {outside(seen, folder)}"
    if system is None:
        return False
    _check_system(system, folder)
    return True


def _write(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as stream:
        stream.write(data)
    return path


def _check_words(error, file):
    assert str(error).startswith(file), f"does not name the file: {str(error)[:200]}"
    _check_length(error)


def _check_length(error):
    assert len(str(error)) < LONGEST_MESSAGE, f"{len(str(error))} characters"


def _check_system(system, folder):
    """Whatever was read can be shown, written and read again."""
    assert str(system)
    assert repr(system)
    assert np.isfinite(system.neutral()).all()
    copy = os.path.join(folder, "copy.json")
    ps.save(system, copy)
    assert ps.load(copy) == system
    assert hash(system) == hash(ps.load(copy))


def _formula(data):
    text = data.decode("utf-8", "surrogateescape")
    for names in (dict.fromkeys(NAMES, 0.5), {name: symbol(name) for name in NAMES}):
        try:
            parse(text, names)
            variables(text)
        except ps.FormulaError as error:
            _check_length(error)
            return False
    try:
        ps.FormulaForce("body", (text, 0, text), (0, text, 0))
    except ps.ModelError:
        return False  # a number that is not finite
    return True
