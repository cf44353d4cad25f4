"""load and save: by suffix, back again, and what goes wrong."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum

URDF = """<robot name="rod"><link name="base"/><link name="rod"><inertial><mass value="2"/>
<origin xyz="0 0 -0.5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
</link><joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="3"/><dynamics damping="0.2"/>
</joint></robot>"""


@pytest.mark.parametrize("suffix", ["json", "toml"])
def test_own_files_come_back_equal(tmp_path, suffix):
    """Save and load a system."""
    system = double_pendulum()
    ps.save(system, tmp_path / f"pendulum.{suffix}")
    assert ps.load(tmp_path / f"pendulum.{suffix}") == system


def test_urdf_on_fixed_and_free_roots(tmp_path):
    """Load a URDF with both roots, with and without damping."""
    file = tmp_path / "rod.urdf"
    file.write_text(URDF)
    fixed = ps.load(file)
    assert (fixed.nv, fixed.joint_names[-1]) == (1, "hinge")
    np.testing.assert_allclose(fixed.mass_matrix([0.3]), [[0.1 + 2 * 0.25]])
    np.testing.assert_allclose(fixed.bias([0.0], [1.0]), [0.2], atol=1e-15)
    with pytest.warns(ps.ModelWarning, match=r"rod\.urdf: .*joint 'base' moves no mass"):
        assert ps.load(file, root=ps.Free()).nv == 7
    np.testing.assert_allclose(ps.load(file, passive=False).bias([0.0], [1.0]), [0.0], atol=1e-15)


def test_time_broadcasts_without_forces_of_time():
    """Check that times are checked and count as a leading dimension."""
    system = double_pendulum()
    q = v = np.zeros(2)
    assert system.bias(q, v, t=np.zeros(5)).shape == (5, 2)
    assert system.forward_dynamics(q, v, t=1).shape == (2,)
    with pytest.raises(ps.ArrayTypeError, match="bias: t must"):
        system.bias(q, v, t="noon")


def test_wrong_files_are_named(tmp_path):
    """Check the messages."""
    with pytest.raises(ps.ModelError, match=r"suffix '.docx' cannot be read; known are .json"):
        ps.load(tmp_path / "arm.docx")
    with pytest.raises(ps.ModelError, match=r"suffix '.xls' cannot be written.*\.urdf"):
        ps.save(double_pendulum(), tmp_path / "arm.xls")
    ps.save(double_pendulum(), tmp_path / "arm.json")
    with pytest.raises(ps.ModelError, match="root is for URDF files"):
        ps.load(tmp_path / "arm.json", root=ps.Free())
    with pytest.raises(ps.ModelError, match="mimic is for URDF files"):
        ps.load(tmp_path / "arm.json", mimic=True)
    with pytest.raises(ps.ModelError, match="passive is for URDF and MJCF files"):
        ps.load(tmp_path / "arm.json", passive=False)
    with pytest.raises(FileNotFoundError):
        ps.load(tmp_path / "nothing.json")
