"""The command ``poinsot info``."""

import json

import pytest
from typer.testing import CliRunner

import poinsot as ps
from poinsot.cli.app import app
from poinsot.library import humanoid
from tests.cli.commands import poinsot, refusal

URDF = """<robot name="arm"><link name="base"/><link name="rod"><inertial><mass value="2"/>
<origin xyz="0 0 1"/><inertia ixx="1" iyy="1" izz="{izz}" ixy="0" ixz="0" iyz="0"/></inertial>
</link><joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/>
<axis xyz="0 1 0"/>
<limit lower="-1.5" upper="2" velocity="3" effort="40"/></joint></robot>"""


def run(*arguments):
    return CliRunner().invoke(app, ["info", *map(str, arguments)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(URDF.format(izz=1))
    return path


def test_it_shows_tree_limits_and_checks(file):
    """Check what is shown of a small robot."""
    result = run(file)
    assert result.exit_code == 0, result.output
    for text in (
        "arm: 2 bodies, 1 degree of freedom, 2 kg, gravity (0, 0, -9.81)",
        "   rod   revolute y  q[0]  2 kg",
        "nq = 1, nv = 1",
        "hinge │ -1.5 to 2 rad │        3 │     40",
        "ok mass matrix",
        "ok formulations",
    ):
        assert text in result.output


def test_the_root_may_be_free(file):
    """Check the option --root."""
    assert "nq = 8, nv = 7" in run(file, "--root", "free").output
    assert "nq = 1, nv = 1" in run(file, "--root", "fixed").output


def test_implausible_inertias_are_noted(file):
    """Check that warnings are shown and are no failure."""
    file.write_text(URDF.format(izz=5))
    result = run(file)
    assert result.exit_code == 0
    assert "arm.urdf: body 'rod': implausible inertia" in result.output


def test_a_joint_that_moves_no_mass_is_a_problem(tmp_path):
    """Check the exit code and the name of the joint."""
    bodies = [
        ps.Body("arm", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, 1)),
        ps.Body("hand", "arm", ps.Revolute("z", name="wrist")),
    ]
    with pytest.warns(ps.ModelWarning, match="moves no mass"):
        ps.save(ps.System("arm", bodies), tmp_path / "arm.json")
    result = run(tmp_path / "arm.json")
    assert result.exit_code == 1
    assert "PROBLEM mass matrix: singular: joint 'wrist' can move without" in result.output


def test_motions_of_several_joints_that_move_no_mass(tmp_path):
    """Two hinges about one axis, nothing between them: only their sum is felt."""
    bodies = [
        ps.Body("arm", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, 1)),
        ps.Body("ring", "arm", ps.Revolute("z", name="first")),
        ps.Body("disc", "ring", ps.Revolute("z", name="second"), mass=1.0, inertia=(1, 1, 2)),
    ]
    with pytest.warns(ps.ModelWarning, match="moves no mass"):
        ps.save(ps.System("arm", bodies), tmp_path / "arm.json")
    result = run(tmp_path / "arm.json")
    assert result.exit_code == 1
    assert "joint 'first' can move" in result.output or "joint 'second' can move" in result.output


def test_force_elements_are_listed(tmp_path):
    """Check the table of forces."""
    body = ps.Body("ball", joint=ps.Translation(), mass=1.0)
    spring = ps.Spring(("ball", (0, 0, 0)), ("world", (0, 0, 1)), 3.0, name="band")
    ps.save(ps.System("toy", [body], forces=[spring]), tmp_path / "toy.toml")
    assert "spring 'band' │ ball and world" in run(tmp_path / "toy.toml").output


NOT_CHECKED = "not checked mass matrix and formulations: over"


@pytest.mark.parametrize(("n", "said"), [(1, "ok mass matrix: nothing moves"), (300, NOT_CHECKED)])
def test_what_is_not_checked_is_said(tmp_path, n, said):
    """Check systems that do not move, and large ones."""
    joint = ps.Fixed() if n == 1 else ps.Revolute("y")
    bodies = [ps.Body(f"b{k}", joint=joint, mass=1.0, com=(1, 0, 0)) for k in range(n)]
    ps.save(ps.System("many", bodies), tmp_path / "many.json")
    result = run(tmp_path / "many.json")
    assert result.exit_code == 0
    assert said in result.output
    assert ("ok" in result.output) == (n == 1)


def test_as_a_command_in_80_columns(tmp_path):
    """A whole robot, in a pipe and in ASCII."""
    ps.save(humanoid(), tmp_path / "humanoid.json")
    done = poinsot("info", tmp_path / "humanoid.json", COLUMNS="80", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "left_hand" in done.stdout


def test_names_cannot_control_the_terminal_or_the_markup(tmp_path):
    """Check names made of control characters and markup."""
    tree = {"format": "poinsot/1", "name": "[/bold]", "bodies": [{"name": "\x1b[2J[red]é\n"}]}
    (tmp_path / "m.json").write_text(json.dumps(tree))
    done = poinsot("info", tmp_path / "m.json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "[/bold]: 1 body" in done.stdout
    assert r"\x1b[2J[red]\xe9\n" in done.stdout


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.urdf", None, "none.urdf cannot be read: No such file"),
        ("a.urdf", "<robot", "not well-formed XML"),
        ("a.json", "[1]", "must be an object with keys"),
        ("[red].json", '{"format": "[/red]"}', "format must be 'poinsot/1', got '[/red]'"),
        ("a.txt", "", "files with the suffix '.txt' cannot be read"),
        ("folder.json", "folder", "cannot be read: Is a directory"),
        ("a.toml", b"\xff\xfe", "not text in UTF-8"),
    ],
)
def test_errors_are_two_lines_without_traceback(tmp_path, monkeypatch, capsys, name, content, said):
    """Check what is said of files that cannot be read."""
    file = tmp_path / name
    if content == "folder":
        file.mkdir()
    elif content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    message = refusal(monkeypatch, capsys, "info", file)
    assert said in message
    assert "Traceback" not in message
    assert len(message.splitlines()) <= 2


def test_parameters_without_numbers_are_shown_and_not_checked(tmp_path):
    m, l = ps.symbols("m l")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l), inertia=(m, m, m))
    system = ps.System("rod", [rod], parameters={"m": 2.0}, free=["m"])
    ps.save(system, tmp_path / "rod.json")
    result = run(tmp_path / "rod.json")
    said = "not checked mass matrix and formulations: parameter 'l' has no number"
    assert said in result.output
    assert "ok" not in result.output
    assert "m kg" in result.output
    ps.save(system.with_parameters(l=1.0), tmp_path / "rod.json")
    assert "positive definite" in run(tmp_path / "rod.json").output


CRANK = """{"format": "poinsot/1", "name": "four-bar", "bodies": [
  {"name": "a", "joint": {"type": "revolute"}, "mass": 1, "inertia": [1, 1, 1]},
  {"name": "b", "parent": "a", "pose": {"xyz": [1, 0, 0]}, "joint": {"type": "revolute"},
   "mass": 1, "inertia": [1, 1, 1]},
  {"name": "c", "parent": "b", "pose": {"xyz": [2, 0, 0]}, "joint": {"type": "revolute"},
   "mass": 1, "inertia": [1, 1, 1]}],
 "loops": [{"name": "pin", "first": {"body": "world", "pose": {"xyz": [%s, 0, 0]}},
  "second": {"body": "c", "pose": {"xyz": [2, 0, 0]}}, "joint": {"type": "revolute"}}]}"""


def test_loops_are_shown_with_mobility(tmp_path):
    """A planar four-bar in space: one degree of freedom, three rows too many."""
    path = tmp_path / "four-bar.json"
    path.write_text(CRANK % 2)
    result = run(path)
    assert result.exit_code == 0, result.output
    for text in (
        "loop pin: revolute z from world to c",
        "ok constraints: mobility 1: 2 of 5 rows are independent; redundant: pin: translation z,",
    ):
        assert text in result.output


def test_a_loop_that_cannot_close_is_a_problem(tmp_path):
    """Links of 1, 2 and 2 m do not reach over 9 m."""
    path = tmp_path / "four-bar.json"
    path.write_text(CRANK % 9)
    result = run(path)
    assert result.exit_code == 1, result.output
    assert "PROBLEM constraints: not closed from 10 guesses" in result.output
