"""Cases about robots from packages: published ones, others made by Pinocchio, and absent ones."""

import hashlib
import json
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from tests.cases.__main__ import main
from tests.cases.runner import outcome_of
from tests.cases.urdf import file_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "example-robot-data"


@pytest.fixture(autouse=True)
def _robots():
    try:
        metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        pytest.skip(f"pip install {PACKAGE}")


@pytest.mark.parametrize("folder", [ROOT / "tests" / "data", ROOT.parent / "shared" / "cases"],
                         ids=["copies", "shared"])  # fmt: skip
def test_published_cases_pass(folder, capsys):
    if not folder.is_dir():
        pytest.skip(f"{folder.name}: there is no such folder beside the repository")
    code = main([str(folder / "benchmarks.json"), "--only", "urdf-*"])
    assert code == 0, capsys.readouterr().out


def made_by_pinocchio(file, free, g=(0.0, 0.0, -9.81)):
    """Return a case of the same shape with other numbers; joints in Pinocchio's order."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle: pip install pin")
    given = {"package": PACKAGE, "file": file, "g": list(g)}
    path = file_of(given)
    given["urdf_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    root = [pin.JointModelFreeFlyer()] if free else []
    model = pin.buildModelFromUrdf(str(path), *root)
    model.gravity.linear = np.array(g)
    data, rng = model.createData(), np.random.default_rng(5)
    q, v, a, tau = pin.neutral(model), *rng.uniform(-1, 1, (3, model.nv))
    reference, n = {"joints": list(model.names)[1 + free :]}, 6 * free
    if free:
        tau[:6] = 0.0
        q[:3], q[3:7] = rng.uniform(-1, 1, 3), _unit(rng.normal(size=4))
        reference["base"] = {
            "position": q[:3].tolist(), "quat_xyzw": q[3:7].tolist(), "v_lin_body": v[:3].tolist(),
            "v_ang_body": v[3:6].tolist(), "a_lin_body_spatial": a[:3].tolist(),
            "a_ang_body": a[3:6].tolist(),
        }  # fmt: skip
    angles = rng.uniform(-1, 1, len(reference["joints"]))
    for angle, joint in zip(angles, list(model.joints)[1 + free :], strict=True):
        q[joint.idx_q : joint.idx_q + joint.nq] = (
            [np.cos(angle), np.sin(angle)] if joint.nq == 2 else angle
        )
    upper = np.triu(pin.crba(model, data, q))
    M = upper + np.triu(upper, 1).T
    reference |= {
        "q": angles.tolist(), "v": v[n:].tolist(), "a": a[n:].tolist(), "tau_in": tau[n:].tolist(),
        "rnea_tau": pin.rnea(model, data, q, v, a).tolist(),
        "aba_qdd": pin.aba(model, data, q, v, tau).tolist(),
        "gravity_tau": pin.computeGeneralizedGravity(model, data, q).tolist(),
        "kinetic_energy": pin.computeKineticEnergy(model, data, q, v),
        "M_diag": M.diagonal().tolist(), "M": M.tolist(),
        "com_world_moving_links": pin.centerOfMass(model, data, q).tolist(),
    }  # fmt: skip
    pin.framesForwardKinematics(model, data, q)
    frame = model.frames[model.nframes - 1]
    place = data.oMf[model.nframes - 1]
    reference["last_link"] = {
        "name": frame.name, "position": place.translation.tolist(),
        "rotation": place.rotation.tolist(),
    }  # fmt: skip
    return {"id": "urdf-other", "model": given, "reference": reference, "tolerance": {"rel": 1e-9}}


@pytest.mark.parametrize(
    ("file", "free"),
    [
        ("go2_description/urdf/go2.urdf", True),
        ("ur_description/urdf/ur5_robot.urdf", True),
        ("kinova_description/robots/kinova.urdf", False),
        ("double_pendulum_description/urdf/double_pendulum_continuous.urdf", False),
    ],
)
def test_other_robots_and_numbers(file, free):
    case = made_by_pinocchio(file, free, g=(1.0, 2.0, -3.0))
    outcome, text = outcome_of(json.loads(json.dumps(case)))
    assert outcome == "PASS", text
    case["reference"]["rnea_tau"][-1] += 1e-3
    assert outcome_of(case)[0] == "FAIL"


def test_absent_and_changed_files_are_to_do():
    case = json.loads((ROOT / "tests/data/benchmarks.json").read_text())
    case = next(one for one in case["cases"] if one["id"] == "urdf-ur5")
    digest = case["model"]["urdf_sha256"]
    case["model"]["urdf_sha256"] = "0" * 64
    assert outcome_of(case)[0] == "TODO"
    assert "has another content" in outcome_of(case)[1]
    case["model"] |= {"urdf_sha256": digest, "package": "no-such-robots 1.2.3"}
    assert outcome_of(case)[1].endswith("is not here: pip install no-such-robots==1.2.3")


def _unit(vector):
    return vector / np.linalg.norm(vector)
