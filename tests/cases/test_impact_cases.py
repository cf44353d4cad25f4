"""Cases of impacts with other numbers, against what is known of them by other means."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import poinsot as ps
from tests.cases.runner import outcome_of
from tests.cases.test_motion_cases import case_of, fails, passes
from tests.cases.walker import made


def turned(x):
    """Return vectors of the plane a quarter turn ahead."""
    return np.array([-x[1], x[0]])


def crossed(a, b):
    return a[0] * b[1] - a[1] * b[0]


class Legs:
    """A walker by hand: places and velocities of its masses about the foot that stands."""

    def __init__(self, angles, rates, *, l, c, r, stands):
        contact = np.zeros(2)
        centre = np.array([0.0, r])
        along = [np.array([np.sin(a), -np.cos(a)]) for a in angles]
        self.hip = centre - l * along[stands]
        self.hip_rate = rates[stands] * turned(self.hip - contact)  # the foot rolls
        self.legs = [self.hip + c * x for x in along]
        self.leg_rates = [
            self.hip_rate + w * turned(x - self.hip) for x, w in zip(self.legs, rates, strict=True)
        ]
        self.rates = rates

    def kinetic(self, M, m, I):
        legs = sum(m * x @ x + I * w**2 for x, w in zip(self.leg_rates, self.rates, strict=True))
        return 0.5 * (M * self.hip_rate @ self.hip_rate + legs)

    def spin(self, M, m, I):
        """Return the angular momentum about the contact."""
        both = zip(self.legs, self.leg_rates, self.rates, strict=True)
        legs = sum(m * crossed(x, u) + I * w for x, u, w in both)
        return M * crossed(self.hip, self.hip_rate) + legs

    def spin_of_leg(self, k, m, I):
        """Return that of one leg about the hip."""
        return m * crossed(self.legs[k] - self.hip, self.leg_rates[k]) + I * self.rates[k]


@pytest.mark.parametrize("r", [0.0, 0.3])
def test_step_of_a_walker_with_round_feet(r):
    """Energy in the swing; in the strike, momentum about the new contact and of the old leg."""
    size = {"M": 3.0, "m": 1.2, "I": 0.05, "l": 0.9, "c": 0.4, "r": r, "g": 9.81, "gam": 0.05}
    shape, mass = {k: size[k] for k in "lcr"}, [size[k] for k in ("M", "m", "I")]
    start = np.array([0.3, -1.1, 0.6, -0.6])
    step = made(size, behind=-0.05).step(start)

    def energy(q1, u1, q2, u2):
        legs = Legs([q1, q1 - q2], [u1, u1 - u2], **shape, stands=0)
        places = zip((size["M"], size["m"], size["m"]), (legs.hip, *legs.legs), strict=True)
        moved = -r * (q1 - start[0])  # of the contact, down the slope
        up = np.array([-np.sin(size["gam"]), np.cos(size["gam"])])
        potential = sum(m * size["g"] * up @ (x + np.array([moved, 0.0])) for m, x in places)
        return legs.kinetic(*mass) + potential

    assert np.isclose(energy(*step.before), energy(*start), rtol=1e-10)
    q1, u1, q2, u2 = step.before
    assert np.isclose(q2, 2.0 * q1, rtol=0, atol=1e-11)
    v1, w1 = step.after[1], step.after[1] - step.after[3]  # of the new leg and of the old one
    angles = [q1, q1 - q2]
    old = Legs(angles, [u1, u1 - u2], **shape, stands=0)
    new = Legs(angles, [w1, v1], **shape, stands=1)
    shift = new.hip - old.hip  # from the old contact to the new one
    old.hip, old.legs = new.hip, [x + shift for x in old.legs]
    assert np.isclose(new.spin(*mass), old.spin(*mass), rtol=1e-9)
    assert np.isclose(new.spin_of_leg(0, *mass[1:]), old.spin_of_leg(0, *mass[1:]), rtol=1e-9)
    assert np.allclose(step.kinetic, [old.kinetic(*mass), new.kinetic(*mass)], rtol=1e-9)
    P = size["M"] * (new.hip_rate - old.hip_rate)
    P = P + size["m"] * (np.sum(new.leg_rates, axis=0) - np.sum(old.leg_rates, axis=0))
    assert np.allclose(step.impulse, P, rtol=0, atol=1e-9)


def pendulum_events(m, L, g, e, wall, state, count):
    """Return the impacts of a double pendulum on a wall, by SciPy on Lagrange's equations."""

    def terms(q):
        c = np.cos(q[0] - q[1])
        M = np.array([[(m[0] + m[1]) * L[0] ** 2, m[1] * L[0] * L[1] * c], [0.0, m[1] * L[1] ** 2]])
        M[1, 0] = M[0, 1]
        return M, np.cos(q)[None, :] * np.array([[L[0], 0.0], [L[0], L[1]]])

    def rate(t, y):
        (q1, q2, v1, v2), (M, _) = y, terms(y[:2])
        s = m[1] * L[0] * L[1] * np.sin(q1 - q2)
        f = (
            -s * v2**2 - (m[0] + m[1]) * g * L[0] * np.sin(q1),
            s * v1**2 - m[1] * g * L[1] * np.sin(q2),
        )
        return np.concatenate([y[2:], np.linalg.solve(M, f)])

    gaps = [
        lambda t, y: L[0] * np.sin(y[0]) - wall,
        lambda t, y: L[0] * np.sin(y[0]) + L[1] * np.sin(y[1]) - wall,
    ]
    for gap in gaps:
        gap.terminal, gap.direction = True, -1
    t, y, found = 0.0, np.array(state), []
    while len(found) < count:
        run = solve_ivp(rate, (t, t + 9.0), y, "DOP853", events=gaps, rtol=1e-12, atol=1e-13)
        bob = next(k for k in (0, 1) if len(run.t_events[k]))
        t, y = run.t[-1], run.y[:, -1]
        M, J = terms(y[:2])
        through = np.linalg.solve(M, J[bob])
        P = -(1.0 + e[bob]) * (J[bob] @ y[2:]) / (J[bob] @ through)
        after = y[2:] + P * through
        found.append({
            "t": t, "contact_bob": bob + 1, "q": y[:2].tolist(), "v_before": y[2:].tolist(),
            "v_after": after.tolist(), "impulse": [P],
        })  # fmt: skip
        y = np.concatenate([y[:2], after])
    return found


def test_pendulum_and_wall():
    """Other masses, lengths, restitution and wall, against SciPy."""
    case = case_of("impact-double-pendulum-wall")
    m, L, g, e = [1.5, 0.7], [0.8, 1.1], 9.6, [0.6, 0.85]
    case["model"] |= {"masses": m, "lengths": L, "g": g, "e": e, "wall": "x>=-0.1 for both bobs"}
    case["model"] |= {"q0": [0.5, 0.7], "v0": [0.3, -0.1]}
    events = pendulum_events(m, L, g, e, -0.1, [0.5, 0.7, 0.3, -0.1], 3)
    case["reference"] = {"events": events}
    case["tolerance"] = {"event_time_abs": 1e-9, "velocity_abs": 1e-8}
    assert {event["contact_bob"] for event in events} == {1, 2}
    passes(case)
    events[1]["v_after"][0] += 1e-7
    fails(case)


def test_the_bouncing_pendulum_of_the_library():
    """Its impacts against SciPy: times, states, and impulses by run.impact."""
    m, L, e = [1.5, 0.7], [0.8, 1.1], [0.6, 0.85]
    start = np.array([0.5, 0.7, 0.3, -0.1])  # angles to the vertical, to the right, and rates
    expected = pendulum_events(m, L, 9.81, e, -0.1, start, 4)
    system = ps.library.bouncing_double_pendulum(m, L)
    contacts = ps.library.bouncing_double_pendulum_contacts(system, -0.1, e)

    def relative(x):  # about y, which turns bobs that hang to the left; the lower from the upper
        return -np.array([x[0], x[1] - x[0]])

    run = ps.simulate(system, relative(start[:2]), relative(start[2:]), 9.0, contacts=contacts,
                      rtol=1e-11, save=[0.0, expected[-1]["t"] + 1e-6])  # fmt: skip
    assert len(run.events) >= 4
    for event, other in zip(run.events, expected, strict=False):
        assert event.name == f"bob {other['contact_bob']} - wall"
        assert_allclose(event.t, other["t"], atol=1e-8)
        assert_allclose(event.q, relative(other["q"]), atol=1e-7)
        assert_allclose(event.v_before, relative(other["v_before"]), atol=1e-6)
        assert_allclose(event.v, relative(other["v_after"]), atol=1e-6)
        hit = run.impact(event)
        assert hit.acted == (event.name,)
        assert_allclose(hit.impulses[event.name], other["impulse"][0], atol=1e-6)
    assert {event["contact_bob"] for event in expected} == {1, 2}


def test_pendulums_that_keep_half_of_it():
    """Equal bodies share their momentum as e says; the discs meet where they hang."""
    case = case_of("impact-two-pendulums")
    case["model"] |= {"L": 0.3, "R": 0.02, "pivots": [[0.04, 0.0], [0.0, 0.0]], "e": 0.5}
    case["model"]["angles0"] = "40 deg and 0"
    I = 0.1 * 0.3**2 + 0.5 * 0.1 * 0.02**2
    w = -np.sqrt(2.0 * 0.1 * 9.81 * 0.3 * (1.0 - np.cos(np.deg2rad(40.0))) / I)
    case["reference"] = {
        "omega1_before": w, "omega2_before": 0.0, "omega1_after": 0.25 * w,
        "omega2_after": 0.75 * w, "impulse": -0.75 * w * I / 0.3,
    }  # fmt: skip
    passes(case)


def test_words_that_are_not_understood():
    """What an adapter does not read is not guessed."""
    for id, key in (("impact-two-pendulums", "body"), ("impact-double-pendulum-wall", "wall")):
        case = case_of(id)
        case["model"][key] = "something else"
        assert outcome_of(case)[0] == "TODO"
    case = case_of("compass-gait")
    case["model"]["description"] = "a biped"
    assert outcome_of(case)[0] == "TODO"
