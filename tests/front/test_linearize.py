"""Linear models: closed forms, eigenvalues of runs, state space, and what is told of mistakes."""

import sys
from itertools import pairwise

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
from numpy.testing import assert_allclose

import poinsot as ps


def spring_chain(n, mass, stiffness):
    """Return masses in a row between walls, each held by springs to its neighbours."""
    ends = [
        ("world", (0, 0, 0)),
        *((f"m{k}", (0, 0, 0)) for k in range(n)),
        ("world", (n + 1, 0, 0)),
    ]
    bodies = [
        ps.Body(f"m{k}", joint=ps.Prismatic("x"), pose=ps.Pose((k + 1, 0, 0)), mass=mass)
        for k in range(n)
    ]
    springs = [ps.Spring(a, b, stiffness, length=0.5) for a, b in pairwise(ends)]
    return ps.System("chain", bodies, gravity=(0, 0, 0), forces=springs)


def test_a_stretched_chain():
    """Compare with 2 sqrt(k/m) sin(j π / (2 (n + 1))) [any book on vibrations]."""
    n, m, k = 7, 0.3, 40.0
    model = ps.linearize(spring_chain(n, m, k), np.zeros(n))
    j = np.arange(1, n + 1)
    exact = 2 * np.sqrt(k / m) * np.sin(j * np.pi / (2 * (n + 1)))
    assert_allclose(model.frequencies, exact, rtol=1e-8)
    shape = np.sin(np.arange(1, n + 1) * np.pi / (n + 1))
    assert_allclose(model.modes[:, 0], shape / shape.max(), atol=1e-7)


def test_double_pendulum_is_the_eigenproblem_of_its_energies():
    system = ps.library.double_pendulum()
    model = ps.linearize(system, [0.0, 0.0])
    squares = scipy.linalg.eigh(model.K, model.M, eigvals_only=True)
    assert_allclose(model.frequencies**2, squares, rtol=1e-10)
    assert_allclose(model.K, system.hessian("potential_energy", [0.0, 0.0]), atol=1e-12)
    assert_allclose(model.damping, 0.0, atol=1e-9)


def test_poles_below_rounding_error_are_zero():
    """Check that what does not decay has no damping in any units, and that little damping stays."""
    for stiffness in (1e-6, 1.0, 1e12):
        free = ps.linearize(spring_chain(3, 1.0, stiffness), np.zeros(3))
        assert (free.damping == 0.0).all()
        assert not free.is_stable
    ratio, stiffness = 1e-9, 1e8
    hinge = ps.Revolute("z", stiffness=stiffness, damping=2 * ratio * np.sqrt(stiffness))
    damped = ps.System("damped", [ps.Body("disc", joint=hinge, inertia=np.eye(3))])
    model = ps.linearize(damped, [0.0])
    assert_allclose(model.damping, ratio, rtol=1e-5)
    assert model.is_stable
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    rod = ps.Body("rod", "cart", ps.Revolute("y"), mass=1.0, com=(0, 0, -0.7))
    rolling = ps.linearize(ps.System("crane", [cart, rod]), [0.0, 0.0])
    assert_allclose(rolling.frequencies, [0, 0, np.sqrt(9.81 / 0.7 * 3 / 2)], rtol=1e-12)
    assert (rolling.poles[:2] == 0.0).all()
    for rate in (1.0, 1e4):
        hinge = ps.Revolute("z", stiffness=rate**2, damping=2 * rate)
        door = ps.System("door", [ps.Body("door", joint=hinge, inertia=np.eye(3))])
        critical = ps.linearize(door, [0.0])  # a double pole that is not zero
        assert_allclose(critical.poles, -rate, rtol=1e-7)
        assert critical.is_stable
        assert_allclose(critical.damping, 1.0, rtol=1e-7)


def test_a_four_bar_at_rest_swings_as_its_runs_do():
    """Compare the frequency with the period of a small swing."""
    system = ps.library.four_bar()
    rest = ps.equilibrium(system, ps.library.four_bar_configuration(-1.2))
    model = ps.linearize(rest)
    (frequency,) = model.frequencies
    q = system.assemble(system.integrate(rest.q, 1e-4 * model.modes[:, 0].real), joints=["crank"])
    crossing = ps.Event("through", f"crank - ({float(rest.q[0])!r})", direction="up")
    run = ps.simulate(system, q, np.zeros(3), 5.0, events=[crossing], rtol=1e-12, atol=1e-16)
    period = np.diff([event.t for event in run.events]).mean()
    assert_allclose(frequency, 2 * np.pi / period, rtol=1e-7)


def test_a_four_bar_at_rest_is_a_swing_of_its_crank():
    """Compare with V'' / m of the crank's angle alone, both by differences of eighth order."""
    system = ps.library.four_bar()
    rest = ps.equilibrium(system, ps.library.four_bar_configuration(-1.2))
    angle, step = float(rest.q[0]), 2e-2

    def closed(k):
        q = np.array(rest.q)
        q[0] = angle + k * step
        for _ in range(30):  # Newton's method on the loop, the crank held
            J = system.constraint_jacobian(q)
            q[1:] -= np.linalg.lstsq(J[:, 1:], system.constraint_residual(q), rcond=1e-9)[0]
        return q

    q = {k: closed(k) for k in range(-4, 5)}
    V = {k: float(system.potential_energy(x)) for k, x in q.items()}
    slopes = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    curves = {0: -205 / 144, 1: 8 / 5, 2: -1 / 5, 3: 8 / 315, 4: -1 / 560}
    rate = sum(w * (q[k] - q[-k]) for k, w in slopes.items()) / step
    stiffness = sum(w * (V[k] + V[-k]) for k, w in curves.items()) / step**2
    mass = rate @ system.mass_matrix(rest.q) @ rate
    (frequency,) = ps.linearize(rest).frequencies
    assert_allclose(frequency, np.sqrt(stiffness / mass), rtol=1e-8)


def test_the_sleeping_top_in_its_own_axes():
    """Compare with A λ² - i C s λ - m g l = 0 in the world, turned by -i s into the top."""
    top, spin = ps.library.heavy_top(), 200.0
    model = ps.linearize(top, top.neutral(), [0.0, 0.0, spin])
    A, C, weight = 15.0 + 0.234375, 0.46875, 15.0 * 9.81
    exact = np.roots([A, -1j * C * spin, -weight]) - 1j * spin
    found = model.poles[np.abs(model.poles) > 1.0]
    for pole in (*exact, *exact.conj()):
        assert np.abs(found - pole).min() < 1e-8


def test_a_satellite_with_a_wheel():
    """Its gyroscopic frequency is h / sqrt(I1 I2), with the momentum h of the wheel."""
    I1, I2, I3, wheel, speed = 3.0, 2.0, 4.0, 0.05, 300.0
    body = ps.Body("hull", joint=ps.Spherical(), mass=1.0, inertia=(I1, I2, I3))
    rotor = ps.Body(
        "wheel", "hull", ps.Revolute("z"), inertia=(wheel / 2, wheel / 2, wheel), mass=1e-9
    )
    system = ps.System("satellite", [body, rotor], gravity=(0, 0, 0))
    v = np.array([0.0, 0.0, 0.0, speed])
    model = ps.linearize(system, system.neutral(), v, without=["wheel"])
    h = wheel * speed
    exact = h / np.sqrt((I1 + wheel / 2) * (I2 + wheel / 2))
    assert_allclose(model.frequencies[-1], exact, rtol=1e-8)
    assert len(model.states) == 7


def test_cyclic_coordinates_of_closed_systems():
    """Put a four-bar linkage on a turntable: its turn is cyclic, and takes one pole at zero."""
    linkage = ps.library.four_bar()
    table = ps.Body("table", joint=ps.Revolute("y"), mass=1.0, inertia=(0.2, 0.3, 0.2))
    whole = ps.System("table", [table], gravity=linkage.gravity)
    system = whole.attach(linkage, to="table", prefix="")
    rest = ps.equilibrium(linkage, ps.library.four_bar_configuration(-1.2))
    alone, q = ps.linearize(rest), np.concatenate([[0.3], rest.q])
    model = ps.linearize(system, q, without=["table"])
    assert model.states == ("y1", "v.y1", "v.y2")
    assert_allclose(np.abs(model.Z[:, 0]), [0.0, *np.abs(alone.Z[:, 0])], atol=1e-12)
    assert_allclose(model.A[0], [0.0, 1.0, 0.0], atol=1e-12)
    assert_allclose(model.poles, [0.0, *alone.poles], atol=1e-9)
    whole = ps.linearize(system, q)
    kept = model.response([3.0])[:, 1:] - whole.response([3.0])[:, 1:]  # of the linkage's joints
    assert_allclose(kept, 0.0, atol=1e-12)
    with pytest.raises(ps.ModelError, match="loops carry the motion of joint 'crank' to others"):
        ps.linearize(system, q, without=["crank"])


def test_further_states_are_part_of_it():
    """Compare the poles of a PID-controlled rotor with the roots of 2 s³ + 4 s² + 30 s + 20."""
    rotor = ps.Body("rotor", joint=ps.Revolute("z"), inertia=(1, 1, 2.0))
    error = ps.State("error", rate="rotor")
    law = ps.JointForce("rotor", "-30*q - 20*error - 4*v")
    model = ps.linearize(ps.System("servo", [rotor], states=[error], forces=[law]), [0.0])
    exact = np.roots([2, 4, 30, 20])
    assert_allclose(np.sort_complex(model.poles), np.sort_complex(exact), rtol=1e-10)
    assert model.is_stable
    assert model.states == ("rotor", "v.rotor", "error")


def test_sampled_states_are_inputs():
    """Check that what a controller holds is no state: the loop closed by hand is the run."""
    cart = ps.Body("cart", joint=ps.Prismatic("x", stiffness=3.0, damping=0.2), mass=2.0)
    slow = ps.State("slow", rate="v.cart - slow")
    held = ps.SampledState("held", update="-5*cart - 2*v.cart", every=0.1)
    law = ps.JointForce("cart", "held - slow")
    system = ps.System("digital", [cart], states=[held, slow], forces=[law])
    model = ps.linearize(system, [0.0], inputs=["held", "cart"], outputs=["a.cart", "held"])
    assert model.states == ("cart", "v.cart", "slow")
    assert_allclose(model.A, [[0, 1, 0], [-1.5, -0.1, -0.5], [0, 1, -1]], atol=1e-12)
    assert_allclose(model.B, [[0, 0], [0.5, 0.5], [0, 0]], atol=1e-12)
    assert_allclose(model.Dy, [[0.5, 0.5], [1, 0]], atol=1e-12)
    F, G, *_ = scipy.signal.cont2discrete((model.A, model.B, model.Cy, model.Dy), 0.1)
    closed = F + G[:, :1] @ np.array([[-5.0, -2.0, 0.0]])
    run = ps.simulate(system, [0.4], [0.0], 1.05, save=0.1, rtol=1e-11, atol=1e-13)
    expected = np.linalg.matrix_power(closed, 10) @ [0.4, 0.0, 0.0]
    assert_allclose([run.q[10, 0], run.v[10, 0]], expected[:2], atol=1e-8)


def test_inputs_and_outputs():
    """Compare the frequency response of formulas with that of SciPy, and a step with a run."""
    l = ps.symbols("l")
    cart = ps.Body("cart", joint=ps.Prismatic("x", damping=0.5, stiffness=4.0), mass=2.0)
    rod = ps.Body("rod", "cart", ps.Revolute("y", damping=0.1), mass=0.5, com=(0, 0, -l))
    system = ps.System("crane", [cart, rod], parameters={"l": 0.7}, free=["l"])
    outputs = ["pose.rod.x - 0.7*sin(rod)", "v.cart", "a.cart", "tau.cart"]
    model = ps.linearize(system, [0, 0], inputs=["cart", "l"], outputs=outputs)
    assert model.inputs == ("cart", "l")
    assert_allclose(model.B[:, 1], 0.0, atol=1e-12)  # at rest, the length changes nothing
    assert_allclose(model.Dy[2:, 0], [model.B[2, 0], 1.0])
    (gain,) = model.response([0.0])[:, 0, 0]
    assert gain == pytest.approx(1 / 4.0)  # the spring alone
    small = 1e-5
    run = ps.simulate(
        system, [0, 0], [0, 0], 3.0, tau=[small, 0.0], save=0.5, rtol=1e-11, atol=1e-15
    )
    _, y, _ = scipy.signal.lsim(model.state_space(), np.full((3001, 2), [small, 0.0]),
                                np.linspace(0, 3, 3001))  # fmt: skip
    assert_allclose(run.evaluate(outputs[0]), y[::500, 0], atol=1e-4 * small)


def test_deviations_from_a_run():
    """Compare A x with the difference of neighbouring states' rates, on a moving arm."""
    system = ps.library.double_pendulum()
    run = ps.simulate(system, [1.0, 0.5], [0.0, 1.0], 1.0, tau=lambda t, q, v: [np.sin(3 * t), 0.2])
    model = ps.linearize(run, t=0.6)
    q, v = run.at(0.6)
    tau, x, h = model.tau, np.array([0.3, -0.2, 0.1, 0.4]), 1e-6
    up, down = (system.forward_dynamics(q + s * h * x[:2], v + s * h * x[2:], tau) for s in (1, -1))
    assert_allclose((model.A @ x)[2:], (up - down) / (2 * h), rtol=1e-7)
    assert_allclose((model.A @ x)[:2], x[2:])
    assert_allclose(model.M @ model.a + system.bias(q, v), tau, atol=1e-10)


def test_free_joints_turn_with_their_deviations():
    """Compare dΔq/dt with the difference of two motions of a tumbling body."""
    body = ps.Body("b", joint=ps.Free(), mass=2.0, inertia=(1, 2, 2.5), com=(0.1, 0, 0))
    system = ps.System("b", [body])
    rng = np.random.default_rng(3)
    q, v, x = system.random(rng), rng.normal(size=6), rng.normal(size=12)
    model = ps.linearize(system, q, v, motion=True)
    h, dt = 1e-5, 1e-5
    a = system.forward_dynamics(q, v)
    nearby = []
    for s in (1, -1):
        q1, v1 = system.integrate(q, s * h * x[:6]), v + s * h * x[6:]
        a1 = system.forward_dynamics(q1, v1)
        for step in (dt, -dt):
            there = system.integrate(q, step * v + step**2 / 2 * a)
            other = system.integrate(q1, step * v1 + step**2 / 2 * a1)
            nearby.append(s * np.sign(step) * system.difference(there, other))
    rate = np.sum(nearby, axis=0) / (4 * h * dt)
    assert_allclose((model.A @ x)[:6], rate, atol=2e-5)


def test_constraint_deviations():
    """Compare derivatives of accelerations and multipliers under constraints with differences."""
    system = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.7)
    v = system.consistent_velocity(q, [1.0, 0, 0])
    model = ps.linearize(system, q, v, motion=True)
    for k, unit in enumerate(np.eye(3)):
        up, down = (system.forward_dynamics(q + s * 1e-6 * unit, v) for s in (1, -1))
        assert_allclose(model.by["a", "q"][:, k], (up - down) / 2e-6, atol=2e-5)
        up, down = (system.multipliers(q, v + s * 1e-6 * unit).values for s in (1, -1))
        assert_allclose(model.by["lam", "v"][:, k], (up - down) / 2e-6, atol=1e-5)
    assert_allclose(model.J @ model.a + system.constraint_bias(q, v), 0.0, atol=1e-10)


def test_root_locus_follows_each_pole():
    """Raise the gain of a controller: poles meet at critical damping and part."""
    d = ps.symbols("d")
    cart = ps.Body("cart", joint=ps.Prismatic("x", stiffness=4.0), mass=1.0)
    damper = ps.JointForce("cart", "-d*v")
    system = ps.System("cart", [cart], forces=[damper], parameters={"d": 1.0}, free=["d"])
    gains = np.linspace(0.1, 8.0, 40)
    poles = ps.root_locus(system, "d", gains, [0.0])
    exact = np.array([np.roots([1.0, gain, 4.0]) for gain in gains])
    assert poles.shape == (40, 2)
    assert_allclose(np.sort_complex(poles), np.sort_complex(exact), atol=1e-6)
    assert np.abs(np.diff(poles, axis=0)).max() < 1.0
    assert d is not None


def test_poles_at_zero_are_one_row():
    """Count the poles of a satellite that nothing drives back; list its nutation alone."""
    bus = ps.Body("bus", joint=ps.Free(), mass=100.0, inertia=(2.0, 3.0, 4.0))
    wheel = ps.Body("wheel", "bus", ps.Revolute("y"), mass=5.0, inertia=(0.05, 0.1, 0.05))
    satellite = ps.System("satellite", [bus, wheel], gravity=(0, 0, 0))
    model = ps.linearize(satellite, satellite.neutral(), [0, 0, 0, 0, 0, 0, 200.0])
    rows = str(model).splitlines()[1:]
    nutation = 0.1 * 200.0 / np.sqrt((2.0 + 0.05) * (4.0 + 0.05))  # h_wheel / √(I_x I_z)
    assert len(rows) == 2
    assert rows[0] == "  12 poles at 0"
    assert rows[1].split()[0] == f"{nutation:.6g}"


def test_pictures(tmp_path):
    """Draw pole map, Bode plot, root locus and a mode of a closed system."""
    rest = ps.equilibrium(ps.library.four_bar(), ps.library.four_bar_configuration(-1.2))
    model = ps.linearize(rest, inputs=["crank"], outputs=["crank", "v.rocker"])
    model.plot(tmp_path / "poles.png")
    model.plot_bode(tmp_path / "bode.svg")
    assert model.animate_mode(0, tmp_path / "mode.gif", fps=5).path.stat().st_size > 5000
    drawn = model.draw_mode(0, tmp_path / "mode.png")
    words = [text.get_text() for axes in drawn.axes for text in axes.texts]
    assert "four-bar linkage, mode 0: 8.08 rad/s" in words
    assert f"t = {np.pi / model.frequencies[0]:.2f} s" in words  # half a period
    assert "2 states, 1 input, 2 outputs" in str(model)


def test_pictures_of_many_curves(tmp_path):
    """Draw every curve or say why not: of nine three panels, of a hundred none."""
    rest = ps.equilibrium(ps.library.four_bar(), ps.library.four_bar_configuration(-1.2))
    figure = ps.linearize(rest).plot_bode(tmp_path / "nine.png")
    above, below = figure.axes[:3], figure.axes[3:]
    assert [len(axes.lines) for axes in (*above, *below)] == [3] * 6
    phase = below[0].lines[0].get_ydata()  # crank over crank: undamped, it falls
    assert_allclose([phase[0], phase[-1]], [0.0, -180.0], atol=0.1)
    many = ps.linearize(spring_chain(10, 1.0, 1.0), np.zeros(10))
    with pytest.raises(ps.PoinsotError, match=r"10 outputs over 10 inputs.*choose some by inputs="):
        many.plot_bode(tmp_path / "many.png")
    with pytest.raises(ps.PoinsotError, match="no inputs or no outputs"):
        ps.linearize(rest, inputs=[]).plot_bode(tmp_path / "none.png")


def test_responses_of_parts_that_are_apart(tmp_path):
    """Draw no curve where the response is zero, and name it so."""
    bodies = [
        ps.Body("a", joint=ps.Prismatic("x", stiffness=4.0, damping=0.2), mass=1.0),
        ps.Body("b", joint=ps.Prismatic("y", stiffness=9.0, damping=0.2), mass=1.0),
    ]
    figure = ps.linearize(ps.System("two", bodies), [0, 0], tau=[0, 0], motion=True).plot_bode(
        tmp_path / "two.png"
    )
    labels = [line.get_label() for line in figure.axes[0].lines]
    assert labels == ["a / a", "b / a: none", "a / b: none", "b / b"]


def test_modes_are_drawn_with_the_parameters_that_were_given(tmp_path):
    """Draw a mode of a system whose parameter has no value of its own."""
    system = hanging(None)
    model = ps.linearize(system, [0.0], parameters={"l": 2.0})
    assert model.animate_mode(0, tmp_path / "mode.gif", fps=5).path.exists()
    assert model.parameters == {"l": 2.0}


def hanging(length):
    """Return a pendulum of a free length."""
    l = ps.symbols("l")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -l))
    return ps.System("hanging", [rod], parameters={"l": length}, free=["l"])


def test_poles_on_each_other_are_counted(tmp_path):
    """Draw a cart that rolls freely: two poles at zero."""
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)])
    figure = ps.linearize(cart, [0.0]).plot(tmp_path / "poles.png")
    assert [text.get_text() for text in figure.axes[0].texts] == ["(2)"]


def adjustable():
    """Return a slider-crank with a spring and a free length of its crank."""
    l = ps.symbols("l")
    inertia = (0.1, 0.1, 0.1)
    crank = ps.Body("crank", joint=ps.Revolute("y", damping=0.3), mass=1.2, com=(l / 2, 0, 0),
                    inertia=inertia)  # fmt: skip
    rod = ps.Body("rod", "crank", ps.Revolute("y"), ps.Pose((l, 0, 0)), 1.0, (0.5, 0, 0), inertia)
    slider = ps.Body("slider", joint=ps.Prismatic("x", stiffness=200.0, damping=1.0), mass=1.5)
    pin = ps.Loop("pin", ("rod", ps.Pose((1.2, 0, 0))), "slider", ps.Revolute("y"))
    return ps.System("adjustable", [crank, rod, slider], parameters={"l": 0.5}, free=["l"],
                     loops=[pin])  # fmt: skip


def test_lengths_of_linkages_as_inputs():
    """Compare the gain over a length that the loop depends on with neighbouring equilibria."""
    system, h = adjustable(), 1e-5
    rest = ps.equilibrium(system, system.assemble([0.7, -1.2, 1.5]))
    model = ps.linearize(rest, inputs=["crank", "l"])
    up, down = (ps.equilibrium(system.with_parameters(l=0.5 + x), rest.q).q for x in (h, -h))
    gain = model.Dy - model.Cy @ np.linalg.solve(model.A, model.B)
    assert_allclose(gain[:, 1], (up - down) / (2 * h), rtol=1e-6)
    formula = ps.linearize(rest, inputs=["l"], outputs=["2*slider + l"])
    assert_allclose(formula.Dy, [[2 * model.Dy[2, 1] + 1.0]], rtol=1e-12)


def test_lengths_of_linkages_that_move():
    """Compare B with rates of a neighbouring state of a neighbouring linkage."""
    system, h = adjustable(), 1e-5
    q = system.assemble([0.7, -1.2, 1.5])
    v = system.consistent_velocity(q, [1.0, 0, 0])
    model = ps.linearize(system, q, v, motion=True, inputs=["l"])
    basis, changes = model.Z, []
    for s in (h, -h):
        how = {"parameters": {"l": 0.5 + s}}
        q1 = q + s * model.Dy[:, 0]  # obeys the loop, but for terms in h²
        J = system.constraint_jacobian(q1, **how)
        v1 = v - np.linalg.lstsq(J, system.constraint_rate(q1, v, **how), rcond=1e-9)[0]
        a1 = system.forward_dynamics(q1, v1, **how)
        changes.append(np.concatenate([basis.T @ v1, basis.T @ a1]))
    assert_allclose(model.B[:, 0], (changes[0] - changes[1]) / (2 * h), rtol=1e-5, atol=1e-6)


def test_what_is_steady_only_for_a_moment():
    """Refuse a swing through the lowest point, and states that still move the rest."""
    with pytest.raises(ps.ModelError, match=r"acceleration of 'bob' is 0, but changes by -29.4"):
        ps.linearize(ps.library.pendulum(), [0.0], [3.0])
    rotor = ps.Body("rotor", joint=ps.Revolute("z"), inertia=(1, 1, 2.0))
    error = ps.State("error", rate="rotor - 1")
    law = ps.JointForce("rotor", "-20*error")
    system = ps.System("servo", [rotor], states=[error], forces=[law])
    with pytest.raises(ps.ModelError, match="'rotor' is 0, but changes by 10 a second"):
        ps.linearize(system, [0.0])
    assert ps.linearize(system, [1.0]).states == ("rotor", "v.rotor", "error")


def test_a_pendulum_on_a_turning_arm():
    """Prescribe the turning speed W of its hanger: its frequency is sqrt(g / l - W²)."""
    l, speed = 0.5, 2.0
    arm = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, inertia=(0.1, 0.1, 0.1))
    bob = ps.Body("bob", "arm", ps.Revolute("y"), mass=1.0, com=(0, 0, -l))
    turning = ps.PrescribedMotion("turning", "arm", f"{speed}*t")
    system = ps.System("governor", [arm, bob], constraints=[turning])
    model = ps.linearize(system, [0.6, 0.0], [speed, 0.0], t=0.3)
    assert_allclose(model.frequencies, [np.sqrt(9.81 / l - speed**2)], rtol=1e-10)
    with pytest.raises(ps.ModelError, match="does not obey the constraints"):
        ps.linearize(system, [0.6, 0.0], [speed, 0.0], t=0.4)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda s: ps.linearize(s, [0.3, 0.0]), "nothing is steady here: the acceleration of 'l"),
        (ps.linearize, "give q"),
        (lambda s: ps.linearize(3), "System, an Equilibrium or a Run"),
        (lambda s: ps.linearize(s, [0, np.nan]), r"q must be finite, got \[0.0, nan\]"),
        (lambda s: ps.linearize(s, [0, 0, 0]), r"q must have shape \(2,\), got \(3,\)"),
        (lambda s: ps.linearize(s, [0, 0], [1]), r"v must have shape \(2,\)"),
        (lambda s: ps.linearize(s, [0, 0], t=np.inf), "t must be one finite number"),
        (lambda s: ps.linearize(s, [0, 0], inputs="upper"), r"list of names, e.g. \['upper'\]"),
        (lambda s: ps.linearize(ps.equilibrium(s, [0, 0]), [1, 0]), "Equilibrium has q of its own"),
        (lambda s: ps.linearize(s, [0, 0]).animate_mode(0.5), "there is no mode 0.5"),
        (lambda s: ps.linearize(s, [0, 0]).draw_mode(0, size=-1), "size must be"),
        (lambda s: ps.linearize(s, [0, 0]).plot_bode("x.png", [0, 1]), "must be above 0"),
        (lambda s: ps.linearize(s, [0, 0]).response([np.nan]), "must be finite"),
        (lambda s: ps.linearize(s, [0, 0]).response(np.ones((2, 2))), r"shape \(n,\)"),
        (
            lambda _: ps.linearize(spring_chain(1, 1.0, 0.0), [0]).response([0]),
            "pole at .* 0 rad/s",
        ),
        (lambda _: ps.root_locus(3, "l", [1], [0]), "give a System, got int"),
        (lambda _: ps.root_locus(hanging(1.0), "l", [1, np.nan], [0]), "must be finite numbers"),
        (lambda _: ps.root_locus(hanging(1.0), "l", [1, 2], np.zeros((3, 1))), r"or \(2, 1\)"),
        (lambda s: ps.linearize(s, [0, 0], inputs=["uper"]), "did you mean 'upper'"),
        (lambda s: ps.linearize(s, [0, 0], without=["upper"]), "is not cyclic; keep it"),
        (lambda s: ps.linearize(s, [0, 0], outputs=["elbow"]), "unknown name 'elbow'"),
        (lambda s: ps.linearize(s, [0, 0]).animate_mode(2), "no mode 2; 'double pendulum' has 2"),
        (lambda s: ps.root_locus(s, "length", [1, 2], [0, 0]), "'length'; there are none"),
        (
            lambda _: ps.linearize(ps.library.four_bar(), [1, 2, 3]),
            "misses 'pin: translation x' by",
        ),
    ],
)
def test_mistakes_are_named(ask, message):
    """Check what a wrong request is told."""
    with pytest.raises(ps.PoinsotError, match=message):
        ask(ps.library.double_pendulum())


def test_nearness_to_a_rank_change_is_reported():
    """Flatten a parallelogram: its two planar rows are √2 sin(angle) and √6 long there."""
    linkage = ps.library.four_bar(lengths=(1.0, 2.0, 1.0), ground=2.0)
    far, near = (np.array([angle, -angle, angle + np.pi]) for angle in (0.7, 2e-5))
    model = ps.linearize(linkage, far, motion=True)
    assert not model.mobility.is_nearly_singular
    with pytest.warns(ps.ModelWarning, match="row 'pin: translation x' is 1.2e-05 of the longest"):
        model = ps.linearize(linkage, near, motion=True)
    assert model.mobility.weakest == "pin: translation x"
    assert_allclose(model.mobility.margin, 2e-5 / np.sqrt(3.0), rtol=1e-6)
    assert "nearly singular: pin: translation x" in str(model.mobility)
    assert_allclose(linkage.mobility(np.stack([far, near])).margin[1], model.mobility.margin)
    assert ps.linearize(ps.library.pendulum(), [0.0]).mobility.margin == np.inf


def test_a_missing_package_is_named(monkeypatch):
    """Ask for python-control where it is not installed."""
    monkeypatch.setitem(sys.modules, "control", None)
    model = ps.linearize(ps.library.pendulum(), [0.0])
    with pytest.raises(ps.MissingPackageError, match=r"pip install 'poinsot\[control\]'"):
        model.to_control()
