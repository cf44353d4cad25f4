"""Linear models about runs and under external loads: all forces of the run count."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

RNG = np.random.default_rng(4)


def five_bar(*constraints):
    """Return five bars in a plane, with two degrees of freedom."""
    bars = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)}
    bodies = [
        ps.Body("left", joint=ps.Revolute("y"), com=(0.25, 0, 0), **bars),
        ps.Body("over", "left", ps.Revolute("y"), ps.Pose((0.5, 0, 0)), com=(0.4, 0, 0), **bars),
        ps.Body("right", joint=ps.Revolute("y"), pose=ps.Pose((1, 0, 0)), com=(0.25, 0, 0), **bars),
        ps.Body("back", "right", ps.Revolute("y"), ps.Pose((0.5, 0, 0)), com=(0.4, 0, 0), **bars),
    ]
    end = ps.Pose((0.8, 0, 0))
    pin = ps.Loop("pin", ("over", end), ("back", end), ps.Revolute("y"))
    return ps.System("five bars", bodies, loops=[pin], constraints=constraints)


def turning(t):
    """Return a base that turns about y and accelerates."""
    c, s = np.cos(t), np.sin(t)
    return [[c, 0, s], [0, 1, 0], [-s, 0, c]], [0, 0, 0, 0, 1.0, 0], [1 + t, 0, 3, 0, 0, 0]


def pushed(t, q, v):
    """Return a wrench that depends on the time and the configuration."""
    return [3 + t, 1, 5 * q[0], 0.3, 4, 0.2 * v[0]]


@pytest.mark.parametrize(
    "loads",
    [
        {"wrenches": {"over": pushed}},
        {"base": turning},
        {"base": ps.BaseMotion(velocity=(0, 0, 0, 0, 1, 0), acceleration=(1, 0, 3, 0, 2, 0))},
        {"drives": {"pin": "5 - 2*v.pin"}},
        {"wrenches": {"over": pushed}, "base": turning, "drives": {"pin": 5.0}},
    ],
)
def test_loads_of_a_run_are_part_of_it(loads):
    """Compare the acceleration with the difference of the velocities of the run."""
    system = five_bar()
    q = system.assemble([-1.8, 1.0, -1.2, -1.0])
    run = ps.simulate(system, q, np.zeros(4), 1.0, rtol=1e-12, atol=1e-13, **loads)
    model, h = ps.linearize(run, t=0.6), 1e-4
    before, after, far, further = (run.at(0.6 + k * h)[1] for k in (-1, 1, -2, 2))
    assert_allclose(model.a, (8 * (after - before) - (further - far)) / (12 * h), atol=1e-7)


def test_derivatives_under_all_loads():
    """Compare the parts of K and deviations of a and of reactions with differences."""
    system = five_bar(ps.PrescribedMotion("drive", "left", "0.4*sin(3*t) - 1.8"))
    t = 0.4
    q = system.assemble([-1.4, 1.0, -1.2, -1.0], t=t)
    v = system.consistent_velocity(q, [1.0, 0.3, 0.2, 0.1], t=t)
    base = ps.BaseMotion(velocity=(0, 0, 0, 0, 1, 0), acceleration=(1, 0, 3, 0, 2, 0))
    loads = {"base": base, "drives": {"pin": [5.0]}, "wrenches": {"back": RNG.normal(size=6)}}
    model = ps.linearize(system, q, v, t=t, motion=True, **loads)

    def difference(f, h=1e-6):
        return np.array([(f(q + h * unit) - f(q - h * unit)) / (2 * h) for unit in np.eye(4)]).T

    parts = {
        "inertia": lambda q: system.mass_matrix(q) @ model.a,
        "bias": lambda q: system.bias(q, v, t=t, **loads),
        "constraints": lambda q: -system.constraint_jacobian(q, t=t).T @ model.lam,
    }
    for name, f in parts.items():
        assert_allclose(model.K_parts[name], difference(f), atol=1e-7)
    a = difference(lambda q: system.forward_dynamics(q, v, t=t, **loads))
    lam = difference(lambda q: system.multipliers(q, v, t=t, **loads).values)
    assert_allclose(model.by["a", "q"], a, atol=2e-6)
    assert_allclose(model.by["lam", "q"], lam, atol=2e-6)


def test_a_pendulum_in_a_car_that_accelerates():
    """It hangs oblique, and swings with sqrt(sqrt(g² + a²) / l)."""
    car = ps.BaseMotion(acceleration=(5, 0, 0, 0, 0, 0))
    model = ps.linearize(ps.library.pendulum(), [np.arctan2(5, 9.81)], base=car)
    assert_allclose(model.frequencies, [np.hypot(9.81, 5.0) ** 0.5], rtol=1e-12)


@pytest.mark.parametrize("given", ["q", "tau", "parameters", "base", "wrenches"])
def test_what_a_run_has_of_its_own(given):
    """Refuse what would be ignored."""
    run = ps.simulate(ps.library.pendulum(), [0.3], [0.0], 0.1)
    with pytest.raises(ps.ModelError, match=f"the Run has {given} of its own; leave it"):
        ps.linearize(run, t=0.1, **{given: [1.0]})


def test_other_times_and_many_runs():
    """Refuse another time than that of an equilibrium, and runs that are many."""
    swing = ps.library.pendulum()
    with pytest.raises(ps.ModelError, match="the Equilibrium has t of its own"):
        ps.linearize(ps.equilibrium(swing, [0.0]), t=3.0)
    runs = ps.simulate(swing, [[0.3], [0.2]], [0.0], 0.1, integrator="rk4", step=0.01)
    with pytest.raises(ps.ModelError, match=r"got Runs; take one .*runs\[k\]"):
        ps.linearize(runs, t=0.1)
    assert ps.linearize(runs[1], t=0.1).t == 0.1


def prescribed():
    """Return a four-bar whose crank has a prescribed motion, and a run of it."""
    bar = ps.library.four_bar()
    drive = ps.PrescribedMotion("motor", bar.joint_names[0], "0.7 + t")
    system = ps.System("driven", bar.bodies, loops=bar.loops, constraints=[drive])
    q = system.assemble(ps.library.four_bar_configuration(0.7))
    return system, ps.simulate(system, q, system.consistent_velocity(q, [1.0, 0, 0]), 0.2)


def test_what_is_prescribed_has_no_poles(tmp_path):
    """Ask for pictures of a linear model without states."""
    _, run = prescribed()
    model = ps.linearize(run, t=0.1)
    assert not len(model.poles)
    with pytest.raises(ps.ModelError, match="has no poles, as constraints prescribe"):
        model.plot(tmp_path / "poles.png")
    with pytest.raises(ps.ModelError, match="no mode 0"):
        model.draw_mode(0, tmp_path / "mode.png")


def test_modes_that_do_not_oscillate_say_what_they_do():
    """Read the titles of an inverted pendulum, of a damped one and of a free slide."""
    rod = ps.Body("rod", joint=ps.Revolute("y", damping=20.0), mass=1.0, com=(0, 0, -1))
    slide = ps.Body("slide", joint=ps.Prismatic("x"), mass=1.0)
    for body, q, words in ((rod, np.pi, {"grows", "decays"}), (rod, 0.0, {"decays"}),
                           (slide, 0.0, {"stays"})):  # fmt: skip
        model = ps.linearize(ps.System("s", [body]), [q])
        titles = [model._mode("", k, 0.1).system.name for k in range(model.modes.shape[1])]
        assert {title.split(": ")[1].split(",")[0] for title in titles} == words
        for title, k in zip(titles, range(len(titles)), strict=True):
            assert f"{model.poles[k].real:.4g} 1/s" in title


def test_loci_need_a_row_of_poles_for_each_value(tmp_path):
    """Give lists, which are taken, and too few values, which are not."""
    poles = np.array([[1j, -1j], [2j, -2j]])
    assert ps.plot_locus(tmp_path / "a.png", "Arm", "m [kg]", [1.0, 2.0], poles.tolist())
    with pytest.raises(ps.ShapeError, match=r"a row for each value.*\(3,\) and poles \(2, 2\)"):
        ps.plot_locus(tmp_path / "a.png", "Arm", "m [kg]", [1.0, 2.0, 3.0], poles)


def test_messages_name_what_was_asked_for():
    """Ask closed systems for inverse dynamics, which are driven dynamics inside."""
    system, _ = prescribed()
    still = np.zeros(3)
    for ask in (
        lambda: system.inverse_dynamics([0.0], still, still),
        lambda: system.derivative("inverse_dynamics", [0.0], still, still, by="q"),
        lambda: system.derivative("inverse_dynamics", still, still, still, by="x"),
        lambda: system.derivative("inverse_dynamics", still, still, still, by="q", out=still),
    ):
        with pytest.raises(ps.PoinsotError, match="inverse_dynamics") as refused:
            ask()
        assert "driven_dynamics" not in str(refused.value)
