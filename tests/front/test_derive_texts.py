"""Equations as text, Markdown and LaTeX: complete, well formed, every symbol explained."""

import re
import shutil
import subprocess
import unicodedata

import numpy as np
import pytest

import poinsot as ps
from poinsot.front.drawable_system import pictured
from poinsot.library import (
    cart_pole,
    chain,
    chaplygin_sleigh,
    double_pendulum,
    five_body_tree,
    four_bar,
    heavy_top,
    puma560,
    rrp_arm,
)
from poinsot.model.joints import Spherical
from tests.front.latex_structure import check_document, check_mathematics

STRANGE = ps.System(
    "50 % of {x}_1 & 腕 \\ é",
    [
        ps.Body("a_b #1", joint=ps.Revolute("y"), mass=ps.symbols("m_tip"), com=(0, 0, -1)),
        ps.Body("腕", "a_b #1", Spherical(), ps.Pose((0, 0, -1)), mass=1, inertia=(1, 1, 1)),
    ],
    parameters={"m_tip": 2.5},
)
SYSTEMS = {
    "double pendulum": double_pendulum(),
    "cart and pole": cart_pole(),
    "five bodies": five_body_tree(),
    "heavy top": heavy_top(),
    "four-bar": four_bar(),
    "sleigh": chaplygin_sleigh(),
    "RRP arm": rrp_arm(),
    "strange names": STRANGE,
}

each_system = pytest.mark.parametrize("name", SYSTEMS)


@each_system
@pytest.mark.parametrize("view", ["auto", "compact"])
def test_documents(name, view):
    """Check the structure of documents, that all symbols are in the table, and the picture."""
    equations = ps.derive(SYSTEMS[name])
    document = equations.document(view=view)
    check_document(document)
    table = document.split(r"\begin{longtable}")[1].split(r"\end{longtable}")[0]
    explained = re.findall(r"^\$(.*?)\$ & ", table, re.MULTILINE)
    letters = equations["bias"].compact.letters
    for symbol in (*equations.q, *equations.tau, *equations.parameters):
        if symbol in equations.parameters and letters[symbol].latex not in document:
            continue
        assert letters[symbol].latex in explained, symbol
    body = document.split(r"\end{longtable}")[1]
    equations_part = "".join(re.findall(r"\\begin{align\*}(.*?)\\end{align\*}", body, re.DOTALL))
    defined = re.findall(r"^(\S.*?) &= ", body, re.MULTILINE)
    for letter in letters.values():
        if re.search(r"(?<![A-Za-z\\])" + re.escape(letter.latex) + r"(?![_{\w])", equations_part):
            assert letter.latex in explained or letter.latex in defined, letter.latex
    picture = document.split(r"\begin{tikzpicture}")[1].split(r"\end{tikzpicture}")[0]
    assert picture.count("circle") >= len(SYSTEMS[name].bodies)


@pytest.mark.skipif(
    not (shutil.which("pdflatex") or shutil.which("tectonic")), reason="there is no LaTeX here"
)
@each_system
def test_documents_compile(name, tmp_path):
    """Run LaTeX on documents."""
    ps.derive(SYSTEMS[name]).save(tmp_path / "equations.tex")
    if shutil.which("pdflatex"):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "equations.tex"]
    else:
        command = ["tectonic", "equations.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "equations.pdf").stat().st_size > 1000


@each_system
def test_notebooks(name):
    """Check what notebooks show, of all and of single quantities."""
    equations = ps.derive(SYSTEMS[name])
    for shown in (equations, equations.mass_matrix, equations.kinetic_energy):
        text = shown._repr_latex_()
        assert text[0] == text[-1] == "$"
        check_mathematics(text[1:-1])


def test_notebooks_show_the_beginning_of_what_is_long():
    """Show a chain of thirty links: some lines, and how many are left."""
    shown = ps.derive(chain(30)).bias._repr_latex_()
    assert 100 < shown.count(r"\\") < 140
    assert re.search(r"and \d+ more lines", shown)
    check_mathematics(shown[1:-1])


@each_system
def test_markdown(name):
    """Check that dollars are in pairs, and mathematics between them is well formed."""
    page = ps.derive(SYSTEMS[name]).markdown()
    parts = page.split("$$")
    assert len(parts) % 2 == 1
    for formula in parts[1::2]:
        check_mathematics(formula)
    assert page.startswith("# Equations of motion: ")
    assert "## Mass matrix" in page


def test_text():
    """Check what print shows of a small system, to the letter."""
    m, l, g = ps.symbols("m l g")
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l))
    equations = ps.derive(ps.System("pendulum", [bob], gravity=(0, 0, -g)))
    assert str(equations).splitlines() == [
        "Equations of motion: pendulum",
        "",
        "  M(q)·q̈ + h(q, q̇) = τ",
        "",
        "q = (q_bob)",
        "q̇ = (q̇_bob)",
        "τ = (τ_bob)",
        "",
        "Mass matrix:",
        "  M[1,1] = m·l²",
        "",
        "Forces of Coriolis, gravity, springs and dampers:",
        "  h[1] = m·l·g·sin(q_bob)",
        "",
        "Kinetic energy:",
        "  T = m·l²·q̇_bob²/2",
        "",
        "Potential energy:",
        "  V = -m·l·g·cos(q_bob)",
    ]
    assert str(equations.bias).endswith("h[1] = m·l·g·sin(q_bob)")
    assert repr(equations) == "<equations of 'pendulum', method 'recursive'>"
    assert repr(equations.bias).endswith("of 'pendulum', shape (1,)>")


def test_long_lines_are_broken():
    """Check that lines of the compact view stay within a page."""
    equations = ps.derive(five_body_tree())
    lines = equations.text(view="compact").splitlines()
    assert max(map(len, lines)) < 130
    assert any(line.startswith("      ") for line in lines)


def test_files(tmp_path):
    """Write each kind of file."""
    equations = ps.derive(double_pendulum())
    for ending, kind in (("tex", equations.document), ("md", equations.markdown)):
        equations.save(tmp_path / f"e.{ending}", ["mass_matrix"], view="compact")
        found = (tmp_path / f"e.{ending}").read_text(encoding="utf-8")
        assert found == kind("mass_matrix", view="compact")
    equations.save(tmp_path / "e.txt")
    assert (tmp_path / "e.txt").read_text(encoding="utf-8") == equations.text()


def test_nothing_looks_like_something_else():
    """Write symbols whose names differ but would look alike, with those of coordinates too."""
    mass, x, c, m1, m_1, e, accent = ps.symbols("q_bob x_1 c_bob m1 m_1 e é")
    bodies = [
        ps.Body("bob", joint=ps.Revolute("y"), mass=mass, com=(x, c, m1)),
        ps.Body("rod_1", "bob", ps.Revolute("z"), mass=m_1, com=(e, accent, 0)),
        ps.Body("rod 1", "bob", ps.Revolute("x"), mass=1.0, com=(accent, e, 0)),
    ]
    letters = ps.derive(ps.System("alike", bodies)).bias.compact.letters.values()
    assert {"q_bob", "q_bob_", "c_bob", "c_bob_", "x_1", "x1"} <= {one.name for one in letters}
    for forms in ([one.unicode for one in letters], [one.latex for one in letters]):
        assert len(set(forms)) == len(forms)
    for one in letters:
        check_mathematics(one.latex)


@pytest.mark.parametrize(("mass", "drawn"), [("2 - 3*m", True), ("-m**2", False)])
def test_documents_without_numbers_to_draw(mass, drawn):
    """Write documents of a mass that is negative for m = 1, and of one that always is."""
    import sympy

    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=sympy.sympify(mass), com=(0, 0, -1))
    document = ps.derive(ps.System("light", [bob])).document()
    check_document(document)
    assert (r"\begin{tikzpicture}" in document) == drawn


def test_what_does_not_move():
    """Write equations of a system without coordinates."""
    still = ps.derive(ps.System("still", [ps.Body("block", mass=1.0, joint=ps.Fixed())]))
    check_document(still.document())
    assert still.markdown().count("$$") % 2 == 0
    assert "q = ()" in still.text()


def test_parameters_are_explained():
    """Tell where parameters stand: bodies, joints, gravity, forces and loops."""
    m, l, k, c, g, r = ps.symbols("m l k c g r")
    bodies = [
        ps.Body("bob", joint=ps.Revolute("y", stiffness=2 * k), mass=m, com=(0, 0, -l)),
        ps.Body("rod", "bob", ps.Prismatic("x", name="slide"), ps.Pose((l, 0, 0)), mass=2 * m),
    ]
    forces = [
        ps.Spring(("bob", (0, 0, -1)), ("world", (1, 0, 0)), c),
        ps.JointForce("slide", "-k*v"),
    ]
    rope = ps.Distance("rope", ("world", (9, 0, 0)), ("rod", (1, 0, 0)), r)
    system = ps.System("s", bodies, gravity=(0, 0, -g), forces=forces, constraints=[rope])
    letters = ps.derive(system).bias.compact.letters
    assert {name: letters[name].meaning for name in "mlkcgr"} == {
        "m": "parameter in mass of bob, mass of rod",
        "l": "parameter in mass centre of bob, pose of rod",
        "k": "parameter in stiffness of joint bob, joint force",
        "c": "parameter in stiffness of spring",
        "g": "parameter in gravity",
        "r": "parameter in rope",
    }


def test_joints_in_one_place_share_their_label():
    """Look at the labels of the wrist of a robot, whose axes meet."""
    labels = re.findall(r"\\node\[.*?\] at (\(.*?\)) {(.*?)};", ps.derive(puma560()).document())
    assert len({place for place, _ in labels}) == len(labels)
    assert sum(text.count("q_{") for _, text in labels) == 6


def lecture():
    """Return the cart pendulum as lectures write it."""
    m, M, l, g = ps.symbols("m M l g")
    cart = ps.Body("cart", joint=ps.Prismatic("x", name="x"), mass=M)
    bob = ps.Body("bob", "cart", ps.Revolute("y", name="theta"), mass=m, com=(0, 0, -l))
    return ps.derive(ps.System("cart pendulum", [cart, bob], gravity=(0, 0, -g)))


def test_joints_called_by_letters_have_them():
    """Check θ and x for their coordinates, and their rates, however the joint spells it."""
    text = lecture().text()
    for line in ("q = (x, θ)", "q̇ = (ẋ, θ̇)", "τ = (τ_x, τ_θ)", "V = -m·l·g·cos(θ)"):
        assert line in text
    assert r"\dot{\theta}^{2}" in lecture().latex("bias")
    assert r"\ddot{x} &= " in lecture().latex("forward_dynamics")
    for name, shown in (("θ", "θ"), ("phi_2", "φ₂"), ("tau", "q_tau"), ("hip", "q_hip")):
        body = ps.Body("b", joint=ps.Revolute("y", name=name), mass=1.0)
        assert f"q = ({shown})" in ps.derive(ps.System("s", [body])).text()


def test_a_parameter_does_not_take_the_letter_of_the_mass_matrix():
    """Check that M is a mass, and the mass matrix a bold M."""
    equations = lecture()
    bold = unicodedata.lookup("MATHEMATICAL BOLD CAPITAL M")
    assert f"{bold}[1,1] = M + m" in equations.text()
    assert f"{bold}(q)·q̈" in equations.text()
    assert r"\boldsymbol{M} &= \begin{pmatrix} M + m &" in equations.latex("mass_matrix")
    assert r"\boldsymbol{M}(q)\,\ddot{q}" in equations.markdown()


def test_decimals_stay_decimals():
    """Check that 9.81 stays 9.81, and that halves stay halves."""
    m, l = ps.symbols("m l")
    bob = ps.Body("bob", joint=ps.Revolute("y", name="theta"), mass=m, com=(0, 0, -l))
    text = ps.derive(ps.System("pendulum", [bob])).text()
    assert "V = -9.81·m·l·cos(θ)" in text
    assert "T = m·l²·θ̇²/2" in text


def test_pieces_of_latex_are_no_documents():
    """Check one aligned with the matrices whole; a document is asked for as such."""
    piece = lecture().latex("mass_matrix", "kinetic_energy")
    assert piece.startswith(r"\begin{aligned}")
    assert piece.endswith(r"\end{aligned}")
    assert "documentclass" not in piece
    check_mathematics(piece)
    assert lecture().document("mass_matrix").startswith(r"\documentclass")


def test_accelerations_of_closed_systems_are_told_by_their_equations():
    """Check that M, h, J and γ are shown, and nothing of the elimination."""
    linkage = ps.library.four_bar(
        lengths=ps.symbols("l1 l2 l3"), ground=ps.symbols("l0"), masses=ps.symbols("m1 m2 m3")
    )
    text = ps.derive(linkage).text("forward_dynamics")
    gamma = unicodedata.lookup("GREEK SMALL LETTER GAMMA")
    for words in ("λ = (λ₁, ", f"J(q)·q̈ + {gamma}(q, q̇) = 0", "M[1,1]", "J[2,3] = l₃", "h[3]"):
        assert words in text
    assert " if " not in text
    assert "1e-22" not in text


def test_a_picture_is_drawn_in_the_configuration_that_is_given():
    """Check that the mode of a linkage is that of q, and that a wrong q is named."""
    leg, q = ps.library.jansen_leg(), ps.library.jansen_leg_configuration(0.3)
    mirrored = leg.assemble(-q)
    one, other = (ps.derive(leg, q=given).document("mass_matrix") for given in (q, mirrored))
    assert one != other
    with pytest.raises(ps.ShapeError, match=r"q must have shape \(7,\)"):
        ps.derive(leg, q=q[:3])


def test_jansens_leg_is_drawn_as_it_walks():
    """Check that a linkage of several loops is drawn in the mode in which it is built."""
    leg = ps.library.jansen_leg()
    _, q = pictured(leg)
    right = ps.library.jansen_leg_configuration(q[0])
    assert np.abs(np.exp(1j * q) - np.exp(1j * right)).max() < 1e-6
