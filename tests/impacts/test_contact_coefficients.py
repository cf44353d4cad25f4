"""Restitution and friction of contacts that are formulas of parameters."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

E, MU = ps.symbols("e mu")
OWN = {"e": 0.8, "mu": 0.3}
EXACT = {"rtol": 1e-10, "atol": 1e-12}
G = 9.81


def bead(**parameters):
    body = ps.Body("bead", joint=ps.Prismatic("z"), mass=1.0)
    return ps.System("bead", [body], parameters=parameters, free=list(parameters))


def floor(restitution, **options):
    gap = ps.PointOnSurface("floor", ("bead", (0, 0, 0)), "z")
    return ps.Contact(gap, restitution, **options)


def ball():
    moment = 0.4 * 0.5 * 0.1**2
    body = ps.Body("ball", joint=ps.Free(), mass=0.5, inertia=(moment,) * 3)
    system = ps.System("ball", [body], parameters=OWN, free=list(OWN))
    start = system.neutral()
    start[2] = 0.6
    return system, start, [1.0, 0.3, 0, 0, -80.0, 0]


def ground(restitution=E, friction=MU, **options):
    gap = ps.RollingBall("ground", "ball", radius=0.1, rolling=False)
    return ps.Contact(gap, restitution, friction, **options)


def test_derivative_of_a_bouncing_bead_is_the_closed_form():
    run = ps.simulate(bead(e=0.7), [1.0], [0.0], 1.5, contacts=[floor(E)], **EXACT)
    fall = np.sqrt(2 / G)
    assert len(run.events) == 2  # v = e² g T - g (t - T - 2 e T)
    assert_allclose(run.v[-1], [0.49 * G * fall - G * (1.5 - 2.4 * fall)], atol=1e-8)
    assert_allclose(run.sensitivity("e").v[-1].ravel(), [1.4 * G * fall + 2 * G * fall], atol=1e-7)


@pytest.mark.parametrize("law", ["unilateral", "poisson", "stronge"])
def test_rough_runs_change_with_restitution_and_friction_as_differences_say(law):
    system, q, v = ball()
    contacts = [ground(law=law)]
    run = ps.simulate(system, q, v, 1.0, contacts=contacts, **EXACT)
    assert len(run.events) == 2
    for name, step in (("e", 1e-6), ("mu", 1e-6)):
        ends = [
            ps.simulate(
                system, q, v, 1.0, contacts=contacts,
                parameters=OWN | {name: OWN[name] + side * step}, **EXACT,
            ).v[-1]
            for side in (1, -1)
        ]  # fmt: skip
        slopes = run.sensitivity(name).v[-1].ravel()
        assert np.abs(slopes).max() > 1.0
        assert_allclose(slopes, (ends[0] - ends[1]) / (2 * step), atol=1e-5, rtol=1e-7)


def test_each_run_of_a_batch_has_its_own_numbers():
    system, q, v = ball()
    numbers = {"e": [0.7, 0.8, 0.9], "mu": [0.1, 0.3, 0.0]}
    runs = ps.simulate(system, q, v, 0.8, contacts=[ground()], parameters=numbers, save=0.1)
    for k, (e, mu) in enumerate(zip(*numbers.values(), strict=True)):
        alone = ps.simulate(system, q, v, 0.8, contacts=[ground(e, mu)], save=0.1)
        assert_allclose(runs[k].v[-1], alone.v[-1], atol=1e-9)
    assert np.ptp([runs[k].v[-1, 4] for k in range(3)]) > 1.0


def test_files_keep_the_formulas(tmp_path):
    system, q, v = ball()
    run = ps.simulate(system, q, v, 0.8, contacts=[ground(E * 0.9)], **EXACT)
    run.save(tmp_path / "run.npz")
    loaded = ps.load_run(tmp_path / "run.npz")
    slopes = run.sensitivity("e").v
    assert np.abs(slopes).max() > 1.0
    assert_allclose(loaded.sensitivity("e").v, slopes, atol=1e-12)
    further = (x.continued(0.3).v[-1] for x in (run, loaded))
    assert_allclose(*further, atol=1e-12)


def test_restitution_is_fitted_to_a_measured_height():
    t = np.linspace(0.05, 1.2, 24)
    truth = ps.simulate(bead(e=0.63), [1.0], [0.0], 1.2, contacts=[floor(E)], save=t)
    measured = ps.Measurement(
        t, {"bead": np.interp(t, truth.t, truth.q[:, 0])}, q=[1.0], v=[0.0],
        options={"contacts": [floor(E)]},
    )  # fmt: skip
    found = ps.fit(bead(e=0.5), measured, ["e"])
    assert_allclose(found.estimates["e"], 0.63, atol=1e-6)


def test_equations_show_the_parameter():
    equations = ps.derive(bead(e=0.7), contacts=[floor(E)])
    assert "v⁺[1] = -e·q̇_bead" in equations.text("impact_velocity")


def test_contacts_with_formulas_are_values():
    assert floor(E) == floor(E)
    assert floor(E) != floor(2 * E)
    assert len({floor(E), floor(E), floor(0.5), floor(0.5, friction=MU)}) == 3
    assert floor(0.5) == floor(0.5)
    assert floor(0.5) != "floor"


def test_mistakes_are_named():
    closing = ([0.0], [-1.0])
    with pytest.raises(ps.ModelError, match="'floor': restitution depends on 'e', which is no par"):
        ps.impact(bead(), *closing, [floor(E)])
    with pytest.raises(ps.ModelError, match=r"restitution must be from 0 to 1, got 1\.2"):
        ps.impact(bead(e=0.5), *closing, [floor(E)], parameters={"e": 1.2})
    with pytest.raises(ps.ModelError, match="friction must be at least 0, got -1"):
        ps.impact(bead(mu=0.5), *closing, [floor(0.5, friction=MU)], parameters={"mu": -1.0})
    with pytest.raises(ps.ModelError, match="restitution must be real numbers"):
        floor("e")
    with pytest.raises(ps.ModelError, match="the system has no parameter 'mu'"):
        ps.derive(bead(e=0.5), contacts=[floor(MU)])
    system, q, v = ball()
    smooth = ps.simulate(system, q, v, 0.8, contacts=[ground()], parameters={"mu": 0.0}, **EXACT)
    with pytest.raises(ps.ModelError, match="'ground': its friction is 0 and has a derivative to"):
        smooth.sensitivity("mu")


def test_the_run_of_a_batch_that_starts_inside_is_named():
    starts = np.array([[1.0], [-0.2], [0.5]])
    with pytest.raises(ps.ModelError, match=r"run \[1\]: contact 'floor' overlaps"):
        ps.simulate(bead(e=0.7), starts, [0.0], 0.1, contacts=[floor(E)], save=0.05)
