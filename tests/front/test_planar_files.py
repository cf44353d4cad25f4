"""Files and dictionaries of planar mechanisms in the short form."""

import json
from math import atan2, hypot

import numpy as np
import pytest

import poinsot as ps

BLOCK = {
    "bodies": {"1": {"m": 1.0, "J": 0.1, "c": [0.1, 0.0]}, "2": {"m": 2.0}},
    "joints": [
        {"id": "A", "type": "R", "a": 0, "b": 1},
        {"id": "B", "type": "R", "a": 1, "pa": [0.3, 0.0], "b": 2},
    ],
    "drivers": [{"joint": "A", "kind": "angle"}, {"joint": "B", "kind": "angle"}],
}


def test_short_form_needs_no_kind(tmp_path):
    """Check a dictionary, a file without "kind" and one with it, by where the second pin is."""
    file = tmp_path / "arm.json"
    for top in (BLOCK, {"kind": "planar", **BLOCK}):
        file.write_text(json.dumps(top), encoding="utf-8")
        for source in (top, file, str(file)):
            x, y, _ = ps.load_planar(source).positions([0.4, 0.2])["2"]
            assert np.allclose((hypot(x, y), atan2(y, x)), (0.3, 0.4))


def test_other_files_are_refused(tmp_path):
    """Check another kind, a system's description and keys that are missing."""
    file = tmp_path / "other.json"
    listed = {"bodies": [{"name": "arm"}], "joints": []}
    cases = [({"kind": "system", **BLOCK}, '"kind": "planar"'), ({"bodies": {}}, "list of joints"),
             (listed, "bodies by name"), ([1], "no planar mechanism")]  # fmt: skip
    for top, message in cases:
        file.write_text(json.dumps(top), encoding="utf-8")
        with pytest.raises(ps.ModelError, match=message):
            ps.load_planar(file)
    with pytest.raises(ps.ModelError, match=r"load_planar: no planar mechanism.*'links'"):
        ps.load_planar({"links": {}})
