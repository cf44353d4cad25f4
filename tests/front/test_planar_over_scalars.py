"""Planar mechanisms over complex numbers, many digits, SymPy's symbols and fractions.

Complex steps are derivatives by the drivers' coordinates, many digits close loops of bars, formulas
have the values of floats.
"""

from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.expr import Expr, build, symbol_array
from poinsot.expr.replay import replay
from poinsot.library import cam_and_follower, planar_linkage

STEP = 1e-30


def slotted():
    """Return a crank and slotted lever with a link to a ram: RPR and RRP dyads, a slide at 0.3."""
    return ps.planar(
        {"crank": {"m": 1.5, "J": 0.002, "c": (0.05, 0)}, "block": {"m": 0.5},
         "arm": {"m": 6.0, "J": 0.18, "c": (0.3, 0)}, "link": {"m": 2.0, "J": 0.01, "c": (0.12, 0)},
         "ram": {"m": 15.0}},
        [{"id": "O", "a": "ground", "pa": (0, 0.3), "b": "crank"},
         {"id": "P", "a": "crank", "pa": (0.1, 0), "b": "block"},
         {"id": "slot", "type": "P", "a": "arm", "ua": 0.1, "b": "block"},
         {"id": "A", "a": "ground", "b": "arm"},
         {"id": "B", "a": "arm", "pa": (0.6, 0), "b": "link"},
         {"id": "C", "a": "link", "pa": (0.25, 0), "b": "ram"},
         {"id": "guide", "type": "P", "a": "ground", "pa": (0, 0.55), "ua": 0.3, "b": "ram"}],
        drivers=["O"], modes={"slot": -1}, gravity=(0, -9.81),
        springs=[{"id": "s", "a": "ground", "pa": (0.7, 0.02), "b": "arm", "k": 400.0, "c": 5.0,
                  "length": 0.2}],
    )  # fmt: skip


def plate():
    """Return a plate on three rods, a crank before it: a triad."""
    points = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3),
              "D": (0.5, 0.42), "P": (0.9, -0.1), "Q": (0.3, 0)}  # fmt: skip
    links = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD"}
    return ps.sketch(points, {**links, "right": "PC"}, drivers=["O"], gravity=(0, -9.81))


MECHANISMS = {
    "slotted": (slotted, [0.4]), "four-bar": (lambda: planar_linkage("four-bar"), [0.5]),
    "scotch yoke": (lambda: planar_linkage("scotch yoke"), [0.7]), "plate": (plate, [0.9]),
    "five-bar": (lambda: planar_linkage("five-bar"), None),
    "excavator arm": (lambda: planar_linkage("excavator arm"), None),
}  # fmt: skip


def made(name):
    """Return a mechanism and coordinates of it."""
    make, q = MECHANISMS[name]
    mechanism = make()
    return mechanism, np.array(mechanism.drawn + 0.01 if q is None else q)


def imaginary(results):
    return {name: np.imag(x) / STEP for name, x in results.items()}


@pytest.mark.parametrize("name", MECHANISMS)
def test_complex_steps_are_velocities_and_rates(name):
    """Steps along (v, a) in (q, v): positions give velocities, and velocities accelerations."""
    mechanism, q = made(name)
    v, a = 1.5 + 0.1 * np.arange(len(q)), 0.7 - np.arange(len(q))
    rates = imaginary(mechanism.positions(q + 1j * STEP * v))
    for link, wanted in mechanism.velocities(q, v).items():
        assert_allclose(rates[link], wanted, rtol=1e-10, atol=1e-11)
    rates = imaginary(mechanism.velocities(q + 1j * STEP * v, v + 1j * STEP * a))
    for link, wanted in mechanism.accelerations(q, v, a).items():
        assert_allclose(rates[link], wanted, rtol=1e-9, atol=1e-9)


def test_power_and_accelerations_in_complex_steps():
    """∂(inverse dynamics)/∂a is the mass matrix, ∂(forward dynamics)/∂τ its inverse; in batches."""
    mechanism = slotted()
    q, v, zero = np.array([[0.4], [1.9], [4.0]]), np.full((3, 1), 2.0), np.zeros((3, 1))
    M = mechanism.mass_matrix(q)[..., 0]
    loads = {"ram": (100.0, 0, 0)}
    torque = mechanism.inverse_dynamics(q, v, zero + 1j * STEP, loads=loads)
    assert_allclose(torque.imag / STEP, M, rtol=1e-12)
    assert_allclose(torque.real, mechanism.inverse_dynamics(q, v, zero, loads=loads), rtol=1e-12)
    rate = mechanism.forward_dynamics(q, v, zero + 1j * STEP)
    assert_allclose(rate.imag / STEP, 1.0 / M, rtol=1e-12)
    pushed = mechanism.inverse_dynamics(q, v, zero, loads={"ram": (1j * STEP, 0, 0)})
    x = mechanism.velocities(q, zero + 1.0)["ram"][:, :1]
    assert_allclose(pushed.imag / STEP, -x, rtol=1e-10, atol=1e-12)


def test_complex_dimensions():
    """A longer crank of a slider-crank moves its ram, in line with it, as much as itself."""
    mechanism = planar_linkage("slider-crank")
    (name,) = (j.name for j in mechanism.linkage.joints if j.a == "crank")
    joint = mechanism.linkage.by_name[name]
    longer = np.array(joint.pa) * (1.0 + 1j * STEP)
    moved = imaginary(mechanism.positions([0.8], dimensions={f"{name}.pa": longer}))
    h = 1e-6
    ends = [
        mechanism.positions([0.8], dimensions={f"{name}.pa": np.array(joint.pa) * (1.0 + x)})
        for x in (h, -h)
    ]
    for link, wanted in ends[0].items():
        assert_allclose(moved[link], (wanted - ends[1][link]) / (2 * h), atol=1e-8)


@pytest.mark.parametrize("name", MECHANISMS)
def test_thirty_digits_close_all_joints(name):
    """Points of both links of each joint are in one place, to forty digits of forty-five."""
    mechanism, q = made(name)
    linkage = mechanism.linkage
    with mpmath.workdps(45):
        exact = [mpmath.mpf(float(x)) + mpmath.mpf(10) ** -20 for x in q]
        poses = mechanism.positions(exact)
        for joint in linkage.joints:
            ends = []
            for link, point in ((joint.a, joint.pa), (joint.b, joint.pb)):
                x, y, angle = poses[link]
                s, c = mpmath.sin(angle), mpmath.cos(angle)
                ends.append((x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]))
            gap = [b - a for a, b in zip(*ends, strict=True)]
            if joint.kind == "P":
                along = poses[joint.a][2] + joint.ua
                gap = [gap[1] * mpmath.cos(along) - gap[0] * mpmath.sin(along)]
                gap.append(mpmath.sin(poses[joint.b][2] - poses[joint.a][2] - joint.beta))
            assert max(map(abs, gap)) < mpmath.mpf(10) ** -40


def test_many_digits_balance_power():
    """What drivers and loads give is what kinetic energy takes: a crank, a rod of masses, a ram."""
    mechanism = planar_linkage("four-bar")
    with mpmath.workdps(40):
        q, v, a = ([mpmath.mpf(x) / 7] for x in (4, 9, 11))
        M, h = mechanism.mass_matrix(q), mechanism.bias(q, v)
        torque = mechanism.inverse_dynamics(q, v, a)
        assert abs(M[0, 0] * a[0] + h[0] - torque[0]) < mpmath.mpf(10) ** -36
        assert abs(mechanism.forward_dynamics(q, v, torque)[0] - a[0]) < mpmath.mpf(10) ** -36
        forces = mechanism.reactions(q, v, a)
        shaking = mechanism.shaking_force(q, v, a)
        frame = mechanism.linkage.frame
        grounded = [j for j in mechanism.linkage.joints if frame in (j.a, j.b)]
        assert len(grounded) == 2
        for k in range(2):
            felt = sum(forces[j.name][k] * (1 if j.b == frame else -1) for j in grounded)
            assert abs(felt - shaking[k]) < mpmath.mpf(10) ** -34


def test_formulas_of_sympy_have_the_values_of_floats():
    mechanism = slotted()
    angle, speed = sympy.symbols("theta omega")
    formula = mechanism.velocities([angle], [speed])["ram"][0]
    assert formula.free_symbols == {angle, speed}
    for q, v in ((0.4, 2.0), (2.6, -1.0)):
        wanted = mechanism.velocities([q], [v])["ram"][0]
        assert_allclose(float(formula.subs({angle: q, speed: v})), wanted, rtol=1e-10)
    crank = planar_linkage("slider-crank").positions([sympy.pi / 2])["crank"]
    assert crank[2] == sympy.pi / 2


def test_triads_of_exact_numbers_have_fifty_digits():
    """Check motions of a triad at SymPy's numbers against mpmath's, complex ones too."""
    mechanism, digits = plate(), mpmath.mpf(10) ** -48
    exact, speed = sympy.Rational(9, 10), sympy.sqrt(2)
    found = mechanism.velocities([exact], [speed])
    with mpmath.workdps(60):
        expected = mechanism.velocities([mpmath.mpf(9) / 10], [mpmath.sqrt(2)])
        for link, rates in expected.items():
            for x, y in zip(found[link], rates, strict=True):
                assert isinstance(x, sympy.Float) or x == 0
                assert abs(mpmath.mpf(x) - y) < digits * (1 + abs(y))
    with mpmath.workdps(50):
        h = sympy.Float("1e-40", 50)
        stepped = mechanism.positions([exact + sympy.I * h])["plate"]
        for x, y in zip(stepped, mechanism.velocities([exact], [1])["plate"], strict=True):
            assert abs(sympy.im(x) / h - y) < 1e-35


def test_triads_of_sympys_floats_keep_their_digits():
    """Check that results have the digits of the most exact number that is given."""
    mechanism = plate()
    for digits in (15, 30, 70):
        angle = mechanism.positions([sympy.Float("0.9", digits)])["plate"][2]
        again = mechanism.positions([sympy.Float("0.9", digits + 20)])["plate"][2]
        assert sympy.Float(1, digits)._prec == angle._prec
        assert abs(angle - again) < sympy.Float(10) ** (1 - digits)
    few, many = sympy.Float("0.9", 20), sympy.Float(2, 40)
    assert mechanism.velocities([few], [many])["plate"][2]._prec == many._prec


def test_positions_of_triads_are_formulas_of_a_guess():
    """Check expressions of coordinate and poses nearby, both symbols, against floats."""
    mechanism = plate()
    q, guess = symbol_array("q", (1,)), symbol_array("guess", (3,))
    known = mechanism.positions([0.9])
    near = {**known, "plate": guess}
    row = mechanism.positions(q, near=near)["plate"]
    assert all(isinstance(x, Expr) for x in row)
    program = build({"q": q, "guess": guess}, {"plate": row})
    for shift in (0.0, 1e-3):
        (values,) = replay(program, np.array([0.9]), known["plate"] + shift)
        assert_allclose(values.astype(float), known["plate"], rtol=1e-12)


def test_what_cannot_be_answered_is_told():
    mechanism, triad = planar_linkage("four-bar"), plate()
    with pytest.raises(ps.PoinsotError, match="no exact value as a fraction"):
        mechanism.positions([Fraction(1, 2)])
    with pytest.raises(ps.PoinsotError, match="no exact value as a fraction"):
        mechanism.velocities([Fraction(1, 2)], [1.0])
    with pytest.raises(ps.ModelError, match=r"\['rod', 'plate', 'left', 'right'\] have no closed"):
        triad.positions([sympy.Symbol("q")])
    with pytest.raises(ps.ModelError, match="stands among expressions"):
        mechanism.velocities([ps.symbols("q")], [mpmath.mpf(1)])
    with pytest.raises(ps.ModelError, match="of type Decimal"):
        mechanism.positions([Decimal("0.5")])
    for call in (mechanism.nearness, lambda q: mechanism.simulate(q, [0.0], 0.1)):
        with pytest.raises(ps.ModelError, match="must be floats"):
            call([mpmath.mpf("0.5")])


def test_real_parts_tell_where_there_is_no_assembly():
    """Links and coordinates are named as for floats; impossible variants are NaN."""
    mechanism = planar_linkage("four-bar").with_drivers(["C"], [0.5])
    far = mechanism.drawn + 2.5
    with pytest.raises(ps.AssemblyError, match=r"cannot be joined in .B"):
        mechanism.positions(far)
    with pytest.raises(ps.AssemblyError, match=r"cannot be joined in .B"):
        mechanism.positions(far + 1j * STEP)
    bar = planar_linkage("four-bar")
    lengths = np.array([[0.2, 0.0], [20.0, 0.0]]) + 1j * STEP
    poses = bar.positions([0.5], dimensions={"C.pa": lengths})["rocker"]
    assert np.isnan(poses[1]).all()
    assert np.isfinite(poses[0]).all()


def test_results_that_are_no_floats_are_not_written_over_floats():
    mechanism = planar_linkage("four-bar")
    out = mechanism.positions([0.5])
    with pytest.raises(ps.ModelError, match="no floats"):
        mechanism.positions([0.5 + 1e-20j], out=out)


def test_friction_has_the_digits_of_floats():
    mechanism = slotted().with_forces(joints={"guide": {"mu": 0.1}})
    with pytest.raises(ps.ModelError, match="Coulomb friction"):
        mechanism.inverse_dynamics([mpmath.mpf("0.4")], [1.0], [0.0])
    assert mechanism.positions([0.4 + 1e-20j])["ram"].dtype == complex


def geared():
    """Return a crank that drives a wheel by teeth, a rod and a ram behind the wheel."""
    return ps.planar(
        {"pinion": {"m": 1, "J": 0.1}, "wheel": {"m": 1, "J": 0.2}, "rod": {"m": 0.5, "J": 0.01},
         "ram": {"m": 2}},
        [{"id": "A", "a": "ground", "b": "pinion"},
         {"id": "B", "a": "ground", "pa": (0.3, 0), "b": "wheel"},
         {"id": "G", "type": "gear", "a": "pinion", "b": "wheel", "teeth": (20, 40)},
         {"id": "C", "a": "wheel", "pa": (0.1, 0), "b": "rod"},
         {"id": "D", "a": "rod", "pa": (0.5, 0), "b": "ram"},
         {"id": "S", "type": "P", "a": "ground", "ua": 0.2, "b": "ram"}],
        ["A"],
    )  # fmt: skip


def test_gears_and_cams_in_complex_steps_and_digits():
    for mechanism in (geared(), cam_and_follower()):
        rates = imaginary(mechanism.positions([0.3 + 1j * STEP]))
        for link, wanted in mechanism.velocities([0.3], [1.0]).items():
            assert_allclose(rates[link], wanted, atol=1e-12)
    with mpmath.workdps(40):
        wheel = geared().positions([mpmath.mpf(1) / 3])["wheel"]
        assert abs(wheel[2] + mpmath.mpf(1) / 6) < mpmath.mpf(10) ** -38


def test_empty_batches_of_complex_numbers():
    mechanism = planar_linkage("four-bar")
    none = np.zeros((0, 1), complex)
    assert mechanism.positions(none)["rocker"].shape == (0, 3)
    assert mechanism.mass_matrix(none).dtype == complex
    cranks = {"B.pa": [[[0.1, 0]], [[0.12, 0]]]}
    wide = mechanism.positions(np.ones((3, 1), complex), dimensions=cranks)
    assert wide["rocker"].shape == (2, 3, 3)


def test_variants_of_joints_of_gears_are_refused():
    """Their circles and centres have been made from these places; others may be varied."""
    mechanism = geared()
    with pytest.raises(ps.ModelError, match=r"'B.pa' is of a joint of 'G'"):
        mechanism.positions([0.3], dimensions={"B.pa": [[0.3, 0.0]]})
    lengths = mechanism.positions([0.3], dimensions={"D.pa": [[0.5, 0.0], [0.6, 0.0]]})["ram"]
    assert_allclose(lengths[0], mechanism.positions([0.3])["ram"])


def test_variants_and_loads_of_triads_in_complex_steps():
    """Loads and poses nearby of another shape than the coordinates: batches broadcast."""
    mechanism, q = plate(), np.array([0.9 + 1j * STEP])
    loads = {"plate": np.array([[1.0, 2.0, 0.1], [0.0, -3.0, 0.2]])}
    torque = mechanism.inverse_dynamics(q, [1.0], [0.0], loads=loads)
    wanted = mechanism.inverse_dynamics(q.real, [1.0], [0.0], loads=loads)
    assert_allclose(torque.real, wanted, rtol=1e-11)
    h = 1e-6
    ends = [mechanism.inverse_dynamics(q.real + x, [1.0], [0.0], loads=loads) for x in (h, -h)]
    assert_allclose(torque.imag / STEP, (ends[0] - ends[1]) / (2 * h), rtol=1e-6, atol=1e-6)
    near = mechanism.positions([[0.88], [0.92]])
    rates = mechanism.velocities(q, [1.0], near=near)["plate"]
    assert_allclose(rates.real, mechanism.velocities([[0.9], [0.9]], [1.0])["plate"], rtol=1e-10)
    longer = np.array(mechanism.linkage.by_name["C"].pa) * (1.0 + np.array([[0.0], [1j * STEP]]))
    moved = mechanism.positions(q.real, dimensions={"C.pa": longer})["plate"]
    assert np.all(moved[0].imag == 0.0)
    assert np.all(moved[1].imag != 0.0)
