"""Inputs made to do harm: bombs, nesting, huge numbers, odd encodings, names of other files."""

import json
import os

import pytest

import poinsot as ps
from tests.fuzz.contract import FORMATS, check
from tests.fuzz.corpus import ROBOT, corpus
from tests.fuzz.watch import outside, watched

LAUGHS = b"".join(
    b'<!ENTITY l%d "%s">' % (k, b"&l%d;" % (k - 1) * 10 if k else b"lol" * 10) for k in range(12)
)
HEAD = b'<robot name="&l11;"><link name="a"/></robot>'


def mjcf(inside):
    return b"<mujoco><worldbody>" + inside + b"</worldbody></mujoco>"


def native(**keys):
    tree = {"format": "poinsot/1", "name": "n", "bodies": [{"name": "a", "mass": 1}]} | keys
    return json.dumps(tree).encode()


def refused(form, data, folder):
    """Check the contract; return the message with which a file is refused."""
    assert not check(form, data, str(folder))
    with pytest.raises(ps.PoinsotError) as caught:
        ps.load(folder / f"model{FORMATS[form]}")
    return str(caught.value)


@pytest.mark.parametrize("form", ["urdf", "mjcf"])
@pytest.mark.parametrize(
    "head",
    [
        b"<!DOCTYPE r [" + LAUGHS + b"]>",
        b'<!DOCTYPE r [<!ENTITY l11 "' + b"x" * 100_000 + b'">]>',
        b'<!DOCTYPE r [<!ENTITY l11 SYSTEM "file:///etc/passwd">]>',
        b'<!DOCTYPE r SYSTEM "secret.dtd">',
        b'<!DOCTYPE r [<!ENTITY % p SYSTEM "secret.dtd"> %p;]>',
    ],
    ids=["laughs", "quadratic", "external", "dtd", "parameter"],
)
def test_entity_bombs(tmp_path, form, head):
    """Check that no document type is read, whatever it declares."""
    (tmp_path / "secret.dtd").write_text('<!ENTITY l11 "secret">')
    assert "document type" in refused(form, head + HEAD, tmp_path)


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("json", b"[" * 1_000_000),
        ("json", b'{"a":' * 100_000),
        ("json", native(gravity=[[[[[[[[0]]]]]]]])),
        ("toml", b"x = " + b"[" * 100_000),
        ("toml", b"x = " + b"{a = " * 100_000),
        ("toml", b"a." * 50_000 + b"b = 1"),
        ("toml", b"x = {" + b"'a' . " * 50_000 + b"b = 1}"),
        ("toml", b"[" + b"a." * 50_000 + b"b]"),
        ("urdf", b"<a>" * 100_000),
        ("mjcf", b"<mujoco><worldbody>" + b"<body>" * 100_000),
        ("mjcf", mjcf(b"<body>" * 600 + b"</body>" * 600)),
        ("mjcf", mjcf(b'<replicate count="1000000000"><body/></replicate>')),
        ("mjcf", mjcf(b"<frame>" * 600 + b"</frame>" * 600)),
        ("urdf", b'<robot name="r">' + b"<link>" * 300 + b"</link>" * 300 + b"</robot>"),
        ("json", native(bodies=[{"name": "a", "mass": "(" * 5000 + "1" + ")" * 5000}])),
        ("json", native(bodies=[{"name": "a", "mass": "-" * 5000 + "1"}])),
        ("json", native(bodies=[{"name": "a", "mass": "2**" * 3000 + "2"}])),
    ],
)
def test_deep_nesting(tmp_path, form, data):
    """Check that depth is refused before the stack is full or much time has passed."""
    refused(form, data, tmp_path)


@pytest.mark.parametrize(
    "number", ["1e400", "9" * 5000, "-1e999", "1" + "0" * 400, "NaN", "-Infinity", "0x1e"]
)
@pytest.mark.parametrize("form", ["json", "toml", "urdf"])
def test_huge_numbers(tmp_path, form, number):
    """Check numbers that are not finite, or that a format does not have."""
    data = {
        "json": b'{"format": "poinsot/1", "name": "n", "bodies": [{"name": "a", "mass": %s}]}',
        "toml": b'format = "poinsot/1"\nname = "n"\n[[bodies]]\nname = "a"\nmass = %s\n',
        "urdf": b'<robot name="r"><link name="a"><inertial><mass value="%s"/><inertia ixx="1" '
        b'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>',
    }[form] % number.encode()
    if form == "toml" and number == "0x1e":
        assert check(form, data, str(tmp_path))  # a number in TOML
    else:
        refused(form, data, tmp_path)


@pytest.mark.parametrize("form", ["json", "toml", "urdf", "mjcf"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "cp500"])
def test_wrong_encodings(tmp_path, form, encoding):
    """Check files in other encodings than they say."""
    text = corpus(form)[0].decode().replace('<?xml version="1.0"?>\n', "")
    valid = check(form, text.encode(encoding), str(tmp_path))
    assert valid == (
        form in ("urdf", "mjcf") and "16" in encoding
    )  # which XML knows by the first bytes


@pytest.mark.parametrize(
    "name", ["utf-7", "utf-32", "rot13", "zlib", "base64", "idna", "unicode_escape", "x" * 5000, ""]
)
def test_odd_encodings_declared(tmp_path, name):
    """None of Python's codecs is started: some warn, some are no encodings at all."""
    head = f'<?xml version="1.0" encoding="{name}"?>'.encode()
    refused("urdf", ROBOT.replace(b'<?xml version="1.0"?>', head), tmp_path)


@pytest.mark.parametrize("name", ["utf-8", "UTF-8", "us-ascii", "ISO-8859-1", "windows-1252"])
def test_usual_encodings_declared(tmp_path, name):
    """Check that the encodings of real files are read."""
    head = f'<?xml version="1.0" encoding="{name}"?>'.encode()
    assert check("urdf", ROBOT.replace(b'<?xml version="1.0"?>', head), str(tmp_path))


@pytest.mark.parametrize(
    "text", ["caf\xe9".encode("latin-1"), b"a\x00b", b"\xed\xa0\x80", b"\xff" * 9, b"\xef\xbb\xbf"]
)
@pytest.mark.parametrize("form", FORMATS)
def test_bytes_that_are_no_text(tmp_path, form, text):
    """Check bytes that no encoding has."""
    assert not check(form, text, str(tmp_path))


TRAVERSALS = [
    *("../secret.stl", "../../../../../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd"),
    *("package://../secret.stl", "package://a/../../secret.stl", "link.stl", "..\\secret.stl"),
    *("meshes/../../secret.stl", "https://example.org/a.stl", "~/secret.stl", "$HOME/secret.stl"),
]


@pytest.mark.parametrize("name", TRAVERSALS)
def test_mesh_names_open_nothing_outside(tmp_path, name):
    """Check names of meshes in URDF that lead elsewhere."""
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.stl").write_text("solid secret")
    (folder / "link.stl").symlink_to(tmp_path / "secret.stl")
    robot = ROBOT.replace(b"package://arm/base.stl", name.encode())
    assert name.encode() in robot
    check("urdf", robot, str(folder))


@pytest.mark.parametrize("name", TRAVERSALS)
@pytest.mark.parametrize(
    "model",
    [
        '<mujoco><include file="{}"/><worldbody><body/></worldbody></mujoco>',
        '<mujoco><worldbody><include file="{}"/></worldbody></mujoco>',
        '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><body><geom type="mesh" '
        'mesh="m"/></body></worldbody></mujoco>',
        '<mujoco><compiler meshdir="{}"/><asset><mesh name="m" file="secret.stl"/></asset>'
        '<worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
        '<mujoco><compiler assetdir=".."/><asset><mesh name="m" file="{}"/></asset><worldbody>'
        '<body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
    ],
    ids=["include", "inside", "mesh", "meshdir", "assetdir"],
)
def test_mjcf_reads_nothing_outside(tmp_path, model, name):
    """Check names of files in MJCF that lead elsewhere."""
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.stl").write_bytes(corpus("stl")[0])
    (folder / "link.stl").symlink_to(tmp_path / "secret.stl")
    valid = check("mjcf", model.format(name).encode(), str(folder))
    assert not (valid and name.endswith(".stl"))  # other meshes are left out, with a warning


def test_includes_in_a_circle(tmp_path):
    """Check that files that include each other end."""
    (tmp_path / "a.xml").write_text('<mujoco><include file="model.xml"/></mujoco>')
    (tmp_path / "b.xml").write_text('<mujoco><include file="a.xml"/></mujoco>')
    model = b'<mujoco><include file="a.xml"/><include file="b.xml"/></mujoco>'
    assert "included twice" in refused("mjcf", model, tmp_path)


def test_the_watch_sees_what_is_opened(tmp_path):
    """Without this the tests above would prove nothing."""
    inside, secret = tmp_path / "model" / "a", tmp_path / "secret"
    inside.parent.mkdir()
    inside.write_text("")
    secret.write_text("")
    with watched() as seen:
        inside.read_text()
        os.fspath(secret)
        assert not outside(seen, inside.parent)
        secret.read_text()
        assert outside(seen, inside.parent) == [("open", os.path.realpath(secret))]
        exec("1 + 1")
        assert outside(seen, inside.parent)[1][0] == "exec"
        os.system("true")
        assert outside(seen, inside.parent)[2][0] == "os.system"


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os').system('true')",
        "().__class__.__bases__[0]",
        "x.__class__",
        "eval(x)",
        "lambda: 0",
        "[x for x in x]",
        "open(x)",
        "x if x else x",
        "f'{x}'",
        "x;x",
    ],
)
def test_formulas_run_no_code(tmp_path, formula):
    """Check that Python is no formula."""
    force = {"type": "formula", "body": "a", "force": [formula, 0, 0]}
    message = refused("json", native(forces=[force]), tmp_path)
    assert "forces[0].force[0]" in message or "forces[0]: formula force: force[0]" in message
    assert not check("formula", formula.encode(), str(tmp_path))


def test_long_names_and_lists_stay_readable(tmp_path):
    """Check that messages do not repeat a whole file."""
    for data in (
        native(**{"x" * 1_000_000: 1}),
        native(bodies=[{"name": "a", "parent": "p" * 1_000_000}]),
        native(bodies=[{"name": "a", "inertia": list(range(100_000))}]),
        native(gravity="y" * 9_000),
    ):
        assert len(refused("json", data, tmp_path)) < 3000


def test_files_that_are_too_large(tmp_path):
    """Check that size is bounded."""
    with open(tmp_path / "model.urdf", "wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(ps.ModelError, match="bytes are more than"):
        ps.load(tmp_path / "model.urdf")
