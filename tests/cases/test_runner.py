"""The case runner: it passes what is right, and fails, skips and counts what is not."""

import copy
import json
import re
import subprocess
import sys
from math import pi
from pathlib import Path

import numpy as np
import pytest

from tests.cases.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
SHARED = ROOT.parent / "shared" / "cases"
SUPPORTED = {
    "screw_impact.json": "P*",
    "planar_manipulator.json": "P0?,P10,P11,P12,P16",
    "benchmarks.json": "adams-*,andrews-*,chain-*,compass-*,heavytop,iftomm-*,impact-*,"
    "kin-bennett,kin-jansen,kin-norton*,puma560-*,slidercrank2d-*,walker-*",
    "five_body_table.json": "five-body-table",
}
PASS_LINE = r"PASS  \S+ +worst \S+ \(tolerance \S+\)"


def lines(arguments, capsys):
    """Run the command in this process; return its exit code and what it printed."""
    code = main(list(map(str, arguments)))
    return code, capsys.readouterr().out.splitlines()


def case_of(file, id):
    cases = json.loads((DATA / file).read_text(encoding="utf-8"))["cases"]
    return copy.deepcopy(next(case for case in cases if case["id"] == id))


def written(folder, *cases):
    """Write a file of cases; return its path."""
    path = folder / "cases.json"
    path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    return path


@pytest.mark.parametrize("folder", [DATA, SHARED], ids=["copies", "shared"])
@pytest.mark.parametrize("file", SUPPORTED)
def test_supported_cases_pass(folder, file, capsys):
    """Check lines, counts and exit code on the published cases, ours and the newest ones."""
    if not folder.is_dir():
        pytest.skip(f"{folder.name}: there is no such folder beside the repository")
    code, printed = lines([folder / file, "--only", SUPPORTED[file]], capsys)
    assert all(re.fullmatch(PASS_LINE, line) for line in printed[:-1]), printed
    assert re.fullmatch(r"[1-9]\d* passed, 0 failed, 0 skipped", printed[-1])
    assert code == 0


def test_cases_of_computer_algebra_with_lagrange(tmp_path, capsys):
    """Check the chains and the five-body table with Lagrange's equations."""
    cases = [
        case_of("benchmarks.json", "chain-cart"),
        case_of("benchmarks.json", "chain-relative"),
        case_of("five_body_table.json", "five-body-table"),
    ]
    chosen = [case | {"method": "lagrange"} for case in cases]
    code, printed = lines([written(tmp_path, *chosen)], capsys)
    assert code == 0, printed


def test_runs_as_a_module(tmp_path):
    """Check the command itself: layout of a line, exit code 1 because of a skipped case."""
    case = case_of("screw_impact.json", "P10_two_pendulums") | {"kind": "telepathy"}
    files = [str(DATA / "screw_impact.json"), str(written(tmp_path, case))]
    command = [sys.executable, "-m", "tests.cases", *files, "--only", "P01_screw_algebra, P10*"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    first, second, third, last = result.stdout.splitlines()
    assert first.startswith("PASS  P01_screw_algebra           worst ")
    assert second.startswith("PASS  P10_two_pendulums           worst ")
    assert third == "TODO  P10_two_pendulums           telepathy: not supported yet"
    assert last == "2 passed, 0 failed, 1 skipped"
    assert result.returncode == 1, result.stderr


def test_wrong_number_fails(tmp_path, capsys):
    """Check that one digit in one entry is found and named."""
    case = case_of("screw_impact.json", "P03_branched_tree")
    case["expected"]["qdd"][2] += 2e-3
    code, printed = lines([written(tmp_path, case)], capsys)
    assert re.fullmatch(r"FAIL  P03_branched_tree +qdd: 2\.0e-3 > 1\.3e-9", printed[0])
    assert printed[1] == "0 passed, 1 failed, 0 skipped"
    assert code == 1


def test_trap_must_not_match(tmp_path, capsys):
    """Check that what a known mistake gives fails, under the name of its entry."""
    case = case_of("screw_impact.json", "P06_rrp_open")
    case["expected"]["trap_accelerations_of_a_mistake"] = case["expected"]["accelerations"]
    code, printed = lines([written(tmp_path, case)], capsys)
    message = "accelerations: matches trap_accelerations_of_a_mistake"
    assert printed[0].split(maxsplit=2) == ["FAIL", "P06_rrp_open", message]
    assert code == 1


def test_missing_entries_are_to_do(tmp_path, capsys):
    """Check that an entry no adapter knows is named and the case skipped, not passed."""
    case = case_of("screw_impact.json", "P02_low_pair_chain")
    case["expected"] |= {"reactions": [1.0], "published_qdd": [7.0]}
    code, printed = lines([written(tmp_path, case)], capsys)
    assert printed[0].split(maxsplit=2)[::2] == ["TODO", "reactions: not supported yet"]
    assert printed[1] == "0 passed, 0 failed, 1 skipped"
    assert code == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "flying"}, "flying: not supported yet"),
        ({"expected": {}, "kind": "low_pair_chain", "inputs": {}}, "KeyError: 'links'"),
    ],
)
def test_strange_cases_do_not_stop_the_run(change, message, tmp_path, capsys):
    """Check that a case nobody understands has its line and the next one still runs."""
    case = case_of("screw_impact.json", "P01_screw_algebra")
    _, printed = lines([written(tmp_path, {**case, "id": "strange", **change}, case)], capsys)
    assert printed[0].split(maxsplit=2)[2] == message
    assert printed[1].startswith("PASS")


def test_id_does_not_matter(tmp_path, capsys):
    """Check that adapters take everything from the case but the prefix without a kind."""
    cases = [
        case_of("screw_impact.json", "P04_free_floating_tree") | {"id": "x"},
        case_of("benchmarks.json", "chain-cart") | {"id": "chain-x"},
        case_of("benchmarks.json", "chain-relative") | {"id": "chain-y"},
        case_of("five_body_table.json", "five-body-table") | {"id": "y"},
    ]
    assert lines([written(tmp_path, *cases)], capsys)[0] == 0


@pytest.mark.parametrize("text", ["", "[]", '{"cases": [{}]}', "{"])
def test_files_of_something_else_are_refused(text, tmp_path, capsys):
    """Check the exit code and that the file is named."""
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 2
    assert "other.json" in capsys.readouterr().err


def test_globs_without_a_match_are_an_error(capsys):
    """Check that a misspelt id does not look like success."""
    assert main([str(DATA / "five_body_table.json"), "--only", "six*"]) == 2
    assert "no case matches 'six*'" in capsys.readouterr().err


def bead(**more):
    """Return a bead of 2 kg that slides along x of its base, at 0.3 m and 0.5 m/s."""
    joint = {"type": "prismatic", "axis": [1, 0, 0], "placement": {}}
    body = {
        "id": 1, "parent": 0, "mass": 2.0, "com": [0, 0, 0],
        "inertia_com": np.zeros((3, 3)).tolist(), "joint": joint,
    }  # fmt: skip
    return {
        "id": "bead",
        "kind": "tree_dynamics",
        "system": {"gravity": [0, 0, -9.81], "bodies": [body]},
        "state": {"q": [0.3], "qd": [0.5]},
        **more,
    }


def test_moving_base(tmp_path, capsys):
    """Check a bead on a rod that spins at 4 rad/s and rises, x upwards: q'' = w² q - g - a."""
    w, g, rise = 4.0, 9.81, 1.5
    qdd = w**2 * 0.3 - g - rise
    expected = {
        "A": [[2.0]],
        "B": [2.0 * qdd],
        "qdd": [qdd],
        "body_velocity_screws": [[0.5, w * 0.3, 0.0, 0.0, 0.0, w]],
        "momentum_screws": [[1.0, 2 * w * 0.3, 0.0, 0.0, 0.0, 0.0]],
        "kinetic_energy": 0.25 + (w * 0.3) ** 2,
        "potential_energy_gravity": 2 * g * 0.3,
        "applied_generalised_force": [0.0],
    }
    base = {
        "orientation": [1, 0, -1, 0],
        "velocity": [0, 0, 0, 0, 0, w],
        "acceleration": [rise, 0, 0, 0, 0, 0],
    }
    code, printed = lines([written(tmp_path, bead(base=base, expected=expected))], capsys)
    assert code == 0, printed


def test_trajectory(tmp_path, capsys):
    """Check the end of a free fall against its closed form, and a forest of two bodies."""
    case = bead(state={"q": [0.3, 0.0], "qd": [0.5, 0.0]})
    second = copy.deepcopy(case["system"]["bodies"][0]) | {"id": 2}
    second["joint"] |= {"axis": [0, 0, 1], "control": [2.0]}
    case["system"]["bodies"].insert(0, second)  # listed before the first
    t, a = 0.7, 1.0 - 9.81
    case["expected"] = {
        "qdd": [0.0, a],
        "trajectory": {"t_end": t, "q": [0.3 + 0.5 * t, a * t**2 / 2], "qd_end": [0.5, a * t]},
    }
    code, printed = lines([written(tmp_path, case)], capsys)
    assert code == 0, printed


def test_other_arms(tmp_path, capsys):
    """Check another arm from a table: two equal links in a plane, straight and level."""
    link = {"d": 0, "a": 0.5, "alpha": "0", "I": [0, 0, 0], "r": [0, 0, 0], "m": 2.0}
    case = {
        "id": "puma560-other",
        "model": {"links": [link, link], "g": [0, -10.0, 0], "qz": ["0", "2 pi"]},
        "reference": {
            "gravity_load": [30.0, 10.0],
            "M": [[2.5, 1.0], [1.0, 0.5]],
            "M_times_21": [6.0, 2.5],
            "published_gravity_load": [31.0, 9.0],
        },
        "tolerance": {"abs": 1e-12},
    }
    assert lines([written(tmp_path, case)], capsys)[0] == 0
    case["tolerance"] = {"abs_vs_published": 0.5, "abs_vs_refined": 1e-12}
    code, printed = lines([written(tmp_path, case)], capsys)
    assert "published_gravity_load: 1.0e0 > 5e-1" in printed[0]
    assert code == 1


def test_tree_with_every_joint(tmp_path, capsys):
    """Check that every type of joint of the conventions is understood: weight from its control."""
    types = {
        "cylindrical": ({"axis": [0, 0, 1]}, [0.1, 0.2], 2),
        "universal": ({"axis": [1, 0, 0], "axis2": [0, 1, 0]}, [0.1, 0.2], 2),
        "planar": ({"axis": [1, 0, 0], "axis2": [0, 1, 0]}, [0.1, 0.2, pi], 3),
        "spherical": ({}, [1, 0, 0, 0], 3),
        "free": ({}, [0, 0, 0, 1, 0, 0, 0], 6),
    }
    cases = []
    for name, (axes, q, nv) in types.items():
        case = bead(state={"q": q, "qd": [0.0] * nv})
        case["system"]["gravity"] = [0, 0, 0]
        body = case["system"]["bodies"][0]
        body["inertia_com"] = np.eye(3).tolist()
        body["joint"] = {"type": name, **axes, "placement": {}, "control": [0.0] * nv}
        case |= {"id": name, "expected": {"qdd": [0.0] * nv, "kinetic_energy": 0.0}}
        cases.append(case)
    code, printed = lines([written(tmp_path, *cases)], capsys)
    assert code == 0, printed


def test_trajectory_of_a_chain(tmp_path, capsys):
    """Check that a chain of low pairs is integrated, too: without forces it stays at rest."""
    case = case_of("screw_impact.json", "P02_low_pair_chain")
    case["inputs"] |= {"gravity": [0, 0, 0], "q": [0.0, 0.0, 0.0], "qd": [0.0, 0.0, 0.0]}
    for link in case["inputs"]["links"]:
        link["C"] = 0.0
    right = {"trajectory": {"t_end": 0.5, "q": [0.0, 0.0, 0.0], "qd": [0.0, 0.0, 0.0]}}
    wrong = {"trajectory": {"t_end": 0.5, "q": [0.0, 1e-3, 0.0]}}
    path = written(tmp_path, case | {"expected": right}, case | {"expected": wrong})
    code, printed = lines([path], capsys)
    assert printed[-1] == "1 passed, 1 failed, 0 skipped"
    assert "trajectory.q" in printed[1]
    assert code == 1


def test_numbers_of_a_chain_in_other_notations(tmp_path, capsys):
    """Check exponents, a full stop behind the last number, and one number for all links."""
    case = case_of("benchmarks.json", "chain-relative")
    text = case["model"]["description"]
    other = text.replace("Ia=.001", "Ia=1e-3").replace("It=.05", "It=5.0E-2") + "."
    assert other != text
    case["model"]["description"] = other
    alike = case_of("benchmarks.json", "chain-relative")
    alike["model"]["description"] = text.replace("l=linspace(.5,1,n)", "l=.5")
    alike["reference"]["qdd"] = {"planar2": alike["reference"]["qdd"]["planar2"]}
    code, printed = lines([written(tmp_path, case, alike)], capsys)
    assert printed[0].startswith("PASS")
    assert "qdd.planar2:" in printed[1]  # read, and other lengths give other accelerations
    assert code == 1
