"""Minimal equations of loops, drives and rolling bodies against multipliers."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.algebra.traced_quantities import SHOWN
from poinsot.library import slider_crank_configuration
from tests.random_examples import examples

BOB = ps.Body(
    "bob", "slider", ps.Revolute("z", damping=0.1, stiffness=0.4),
    mass=0.7, com=(0.02, -0.3, 0), inertia=(0.01, 0.01, 0.02),
)  # fmt: skip
BALL = ps.Body(
    "ball", "coupler", ps.Spherical(), ps.Pose((0.1, 0, 0)),
    mass=0.5, com=(0.1, 0.05, -0.2), inertia=(0.02, 0.03, 0.025),
)  # fmt: skip
ARM = ps.Body(
    "arm", "ball", ps.Revolute("x"), ps.Pose((0, 0.1, 0)),
    mass=0.3, com=(0, 0.1, 0.1), inertia=(0.02, 0.03, 0.025),
)  # fmt: skip
HOOK = ps.Body(
    "hook", "link 2", ps.Revolute("x"), mass=0.7, com=(0, -0.3, 0), inertia=(0.01, 0.01, 0.01)
)


def more(base, bodies=(), constraints=()):
    """Return a linkage with further bodies and constraints."""
    return ps.System(
        base.name, [*base.bodies, *bodies], gravity=base.gravity, loops=base.loops,
        constraints=constraints,
    )  # fmt: skip


def crank_slider(*constraints):
    """Return a slider-crank whose slider carries a pendulum, and a guess of its configuration."""
    base = ps.library.slider_crank(offset=0.05)
    return more(base, [BOB], constraints), [*slider_crank_configuration(0.6, offset=0.05), 0.3]


def four_bar(*constraints):
    """Return a four-bar whose coupler carries a ball joint and an arm."""
    guess = [*ps.library.four_bar_configuration(1.0), 1.0, 0.0, 0.0, 0.0, 0.2]
    return more(ps.library.four_bar(), [BALL, ARM], constraints), guess


def bennett(*constraints):
    """Return a linkage with redundant rows, which carries a pendulum."""
    guess = [*ps.library.bennett_configuration(0.7), 0.1]
    return more(ps.library.bennett(), [HOOK], constraints), guess


def rope():
    """Return a rope of changing length between crank and pendulum."""
    where = {
        **{"x": ("crank", (0.1, 0, 0), "x"), "y": ("crank", (0.1, 0, 0), "y")},
        **{"u": ("bob", (0, -0.3, 0), "x"), "w": ("bob", (0, -0.3, 0), "y")},
    }
    return ps.FormulaConstraint("rope", "sqrt((u-x)**2 + (w-y)**2) - 0.5 - 0.05*sin(4*t)", where)


def mixed():
    """Return a motion of two coordinates together."""
    return ps.FormulaConstraint("mixed", "c + 2*b + 0.1*c*b - t", {"c": "crank", "b": "bob"})


def rail():
    """Return a carriage that is driven, and a ball held to a moving plane above it."""
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    ball = ps.Body("ball", "cart", ps.Free(), mass=0.5, com=(0.02, 0, 0.05), inertia=(1, 2, 2.5))
    lift = ps.FormulaConstraint("lift", "z - 0.3*sin(2*t)", {"z": ("ball", (0, 0.1, 0), "z")})
    drive = ps.PrescribedMotion("drive", "cart", "0.2*cos(3*t)")
    return ps.System("rail", [cart, ball], constraints=[drive, lift]), [0.1, *[0.1] * 3, 1, 0, 0, 0]


DRIVE = ps.PrescribedMotion("drive", "crank", "0.5 + 3*t + 0.2*sin(5*t)")
SYSTEMS = {
    "driven slider-crank": lambda: crank_slider(DRIVE),
    "slider-crank": crank_slider,
    "driven slider": lambda: crank_slider(
        ps.PrescribedMotion("drive", "slider", "0.45 + 0.05*sin(3*t)")
    ),
    "rope": lambda: crank_slider(rope()),
    "mixed": lambda: crank_slider(mixed()),
    "driven four-bar": lambda: four_bar(DRIVE),
    "driven coupler": lambda: four_bar(ps.PrescribedMotion("drive", "coupler", "0.2*sin(t) - 1")),
    "speed": lambda: four_bar(ps.PrescribedSpeed("drive", "crank", "1 + 2*t")),
    "redundant rows": lambda: bennett(ps.PrescribedMotion("drive", "link 1", "0.7 + t")),
    "many unknowns": lambda: (ps.library.two_loops(), ps.library.two_loops_configuration()),
    "rolling": lambda: (ps.library.chaplygin_sleigh(), [0.1, 0.2, 0.3]),
    "ball on a lift": rail,
}


@cache
def equations(name, *coordinates):
    """Return a system, its guess and its equations."""
    system, guess = SYSTEMS[name]()
    return system, guess, ps.derive(system, coordinates=coordinates)


def value(found, quantity, t, **state):
    """Return a quantity as numbers."""
    given_ = [state[key] for key in SHOWN[quantity].inputs]
    timed = [[t]] if found.system.mechanism.depends_on_time else []
    return found.function(quantity)(*given_, *timed)


def allowed_state(system, guess, t, rng):
    """Return q and v that the constraints allow, and joint forces."""
    q = system.assemble(guess, t=t)
    return (
        q,
        system.consistent_velocity(q, rng.normal(size=system.nv), t=t),
        rng.normal(size=system.nv),
    )


@pytest.mark.parametrize("name", SYSTEMS)
@settings(max_examples=examples(3))
@given(t=st.floats(0.0, 0.5), seed=st.integers(0, 999))
def test_motion_is_that_under_constraints(name, t, seed):
    """Check v = T v_r + b and Tᵀ M T a_r + h_r = Tᵀ tau with the accelerations of multipliers."""
    system, guess, found = equations(name)
    q, v, tau = allowed_state(system, guess, t, np.random.default_rng(seed))
    a = system.forward_dynamics(q, v, tau, t=t)
    free = [system.velocity_names.index(each) for each in found.minimal_coordinates]
    scrambled = np.full(system.nv, 9.0)  # dependent velocities do not count
    scrambled[free] = v[free]
    np.testing.assert_allclose(value(found, "minimal_velocity", t, q=q, v=scrambled), v, atol=1e-9)
    T, M = value(found, "minimal_map", t, q=q), value(found, "minimal_mass_matrix", t, q=q)
    bias = value(found, "minimal_bias", t, q=q, v=scrambled)
    scale = 1.0 + np.abs(M).max() * np.abs(a).max() + np.abs(bias).max()
    assert np.abs(M @ a[free] + bias - T.T @ tau).max() < 1e-9 * scale
    np.testing.assert_allclose(T[free], np.eye(len(free)))


@pytest.mark.parametrize("name", ["driven slider-crank", "driven four-bar", "redundant rows"])
@settings(max_examples=examples(3))
@given(t=st.floats(0.0, 0.5), seed=st.integers(0, 999))
def test_prescribed_forces_are_multipliers(name, t, seed):
    """Compare the force that a driven loop takes with the multiplier of the row that drives it."""
    system, guess, found = equations(name)
    q, v, _ = allowed_state(system, guess, t, np.random.default_rng(seed))
    nothing = np.zeros(system.nv)
    a = system.forward_dynamics(q, v, nothing, t=t)
    (row,) = (k for k, each in enumerate(system.row_names) if each.startswith("drive"))
    multiplier = system.multipliers(q, v, nothing, t=t).values[row]
    force = value(found, "prescribed_forces", t, q=q, v=v, a=a)
    np.testing.assert_allclose(force, [multiplier], rtol=1e-8, atol=1e-9)


@settings(max_examples=examples(4))
@given(seed=st.integers(0, 999))
def test_every_choice_of_coordinates_gives_one_motion(seed):
    """Solve for the accelerations by the crank and by the slider."""
    rng, solved = np.random.default_rng(seed), []
    q, v, tau = allowed_state(*equations("slider-crank")[:2], 0.0, rng)
    for names in ((), ("slider", "bob"), ("bob", "rod")):
        _, _, found = equations("slider-crank", *names)
        T, M, bias = (
            value(found, f"minimal_{each}", 0.0, q=q, v=v)
            for each in ("map", "mass_matrix", "bias")
        )
        solved.append(dict(zip(found.minimal_coordinates, np.linalg.solve(M, T.T @ tau - bias),
                               strict=True)))  # fmt: skip
    assert [set(each) for each in solved] == [{"crank", "bob"}, {"slider", "bob"}, {"rod", "bob"}]
    for each in solved[1:]:
        assert each["bob"] == pytest.approx(solved[0]["bob"], rel=1e-9)


def test_slider_crank_by_the_textbook():
    """Compare dx/dθ = -r sin θ (1 + r cos θ / sqrt(l² - r² sin² θ))."""
    r, l = ps.symbols("r l")
    found = ps.derive(ps.library.slider_crank(crank=r, rod_length=l))
    assert found.minimal_coordinates == ("crank",)
    for angle in (0.3, 1.2, 2.7, -0.8):
        q = slider_crank_configuration(angle, crank=0.2, rod_length=0.7)
        T = found.function("minimal_map")(q, [0.2, 0.7][:: 1 if found.parameters[0] == "r" else -1])
        below = np.sqrt(0.7**2 - (0.2 * np.sin(angle)) ** 2)
        speed = -0.2 * np.sin(angle) * (1 + 0.2 * np.cos(angle) / below)
        np.testing.assert_allclose(T[:, 0], [1.0, -1 - 0.2 * np.cos(angle) / below, speed])


def test_pendulum_of_changing_length():
    """Compare L θ'' + 2 L' θ' + g sin θ = 0 of a point on a rope that is hauled in."""
    point = ps.Body("point", joint=ps.Translation(), mass=1.3)
    where = {axis: ("point", (0, 0, 0), axis) for axis in "xz"}
    haul = ps.FormulaConstraint("haul", "sqrt(x**2 + z**2) - 2 + 0.3*t**2", where)
    found = ps.derive(ps.System("point on a rope", [point], constraints=[haul]))
    assert found.minimal_coordinates == ("point.x", "point.y")
    t, angle, rate = 0.7, 0.4, 1.1
    L, speed, pull = 2 - 0.3 * t**2, -0.6 * t, -0.6
    bend = -(2 * speed * rate + 9.81 * np.sin(angle)) / L
    q = L * np.array([np.sin(angle), 0.0, -np.cos(angle)])
    along = L * rate * np.cos(angle) + speed * np.sin(angle)
    a = (pull - L * rate**2) * np.sin(angle) + (L * bend + 2 * speed * rate) * np.cos(angle)
    M = found.function("minimal_mass_matrix")(q, [t])
    bias = found.function("minimal_bias")(q, [along, 0.0, 0.0], [t])
    np.testing.assert_allclose(M @ [a, 0.0] + bias, 0.0, atol=1e-12)


def test_driven_linkage_without_further_motion():
    """Find no equation of motion, but what the drive takes: the power that the energy grows by."""
    base = ps.library.slider_crank()
    system = more(base, (), [DRIVE])
    found, t, step = ps.derive(system), 0.2, 1e-5
    assert found.minimal_coordinates == ()
    for name in ("minimal_bias", "minimal_mass_matrix"):
        with pytest.raises(ps.ModelError, match=r"every motion of 'slider-crank' .*kinet"):
            found[name]
    nothing, energies = np.zeros(3), []
    for moment in (t - step, t, t + step):
        q = system.assemble(slider_crank_configuration(1.0), t=moment)
        v = value(found, "minimal_velocity", moment, q=q, v=nothing)
        np.testing.assert_allclose(system.constraint_rate(q, v, t=moment), 0.0, atol=1e-9)
        energies.append(system.kinetic_energy(q, v) + system.potential_energy(q))
    q = system.assemble(slider_crank_configuration(1.0), t=t)
    (force,) = value(found, "prescribed_forces", t, q=q, v=nothing, a=nothing)
    growth = (energies[2] - energies[0]) / (2 * step)
    assert force * (3 + np.cos(5 * t)) == pytest.approx(growth, rel=1e-6)


@pytest.mark.parametrize("name", ["driven slider-crank", "rope", "mixed", "driven slider"])
@settings(max_examples=examples(2))
@given(t=st.floats(0.0, 0.5), seed=st.integers(0, 999))
def test_linear_model_of_driven_loops(name, t, seed):
    """Compare A and its parts with difference quotients of the minimal equations."""
    system, guess, found = equations(name)
    q, v, _ = allowed_state(system, guess, t, np.random.default_rng(seed))
    model = ps.linearize(system, q, v, t=t, motion=True)
    (joint,) = found.minimal_coordinates
    free = system.velocity_names.index(joint)

    def state(place, speed):
        near = np.array(q)
        near[free] += place
        near = system.assemble(near, joints=[joint], t=t)
        rates = np.zeros(system.nv)
        rates[free] = v[free] + speed
        M = value(found, "minimal_mass_matrix", t, q=near)
        bias = value(found, "minimal_bias", t, q=near, v=rates)
        rates = value(found, "minimal_velocity", t, q=near, v=rates)
        return near, rates, -bias[0] / M[0, 0]

    for direction in ((1.0, 0.0), (0.0, 1.0), (0.6, -0.8)):
        ahead, behind = (state(*np.multiply(step, direction)) for step in (1e-5, -1e-5))
        dq, dv, da = (np.subtract(x, y) / 2e-5 for x, y in zip(ahead, behind, strict=True))
        size = 1.0 + abs(da) + np.abs(dv).max()
        np.testing.assert_allclose(model.Z @ (model.Z.T @ dq), dq, atol=1e-6)
        predicted = model.by["a", "q"] @ dq + model.by["a", "v"] @ dv
        assert predicted[free] == pytest.approx(da, abs=1e-5 * size)
        x = np.concatenate([model.Z.T @ dq, model.Z.T @ dv])
        np.testing.assert_allclose((model.A @ x)[1:], model.Z.T @ predicted, atol=1e-6 * size)


def test_mistakes_in_coordinates():
    """Refuse coordinates that are prescribed, unknown, too few or dependent, and bad drives."""
    free, guess = crank_slider()
    with pytest.raises(ps.ModelError, match=r"'crnk' among coordinates .* 'crank'"):
        _ = ps.derive(free, coordinates=["crnk", "bob"]).minimal_map
    for names in (["bob"], ["crank", "slider"], ["crank", "crank"]):
        with pytest.raises(ps.ModelError, match="2 minimal velocities of crank, rod, slider, bob"):
            _ = ps.derive(free, coordinates=names).minimal_map
    with pytest.raises(ps.ModelError, match=r"coordinates must be a list of names, .*\['bob'\]"):
        ps.derive(free, coordinates="bob")
    driven, _ = crank_slider(DRIVE)
    with pytest.raises(ps.ModelError, match="'crank' among coordinates is no velocity that is"):
        _ = ps.derive(driven, coordinates=["crank"]).minimal_map
    with pytest.raises(ps.ModelError, match="no row of 'slider-crank' prescribes a coordinate"):
        _ = ps.derive(free).prescribed_forces
    both, _ = crank_slider(DRIVE, ps.PrescribedMotion("pull", "slider", 0.5))
    with pytest.raises(ps.ModelError, match="do not let each prescribed coordinate move"):
        _ = ps.derive(both, q=guess).minimal_map
    with pytest.raises(ps.ModelError, match=r"which velocities .* derive\(system, q=...\)"):
        _ = ps.derive(both).minimal_map
