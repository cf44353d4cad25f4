"""Kernels with parameters as inputs: at any values they are those of the plain numbers."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.formulation import FORMULATIONS
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace
from poinsot.front.system import System
from tests.formulations.loaded import random_forces, with_forces
from tests.model.test_parameters import pendulum
from tests.parametric import parametric
from tests.random_examples import examples
from tests.simulation.test_closed import four_bar_state
from tests.strategies import cases, random_case

m, l, g, k = ps.symbols("m l g k")
AGREE = 1e-11
"""As between formulations: frames of links differ where places are formulas."""

OF_TREES = [
    name
    for name, quantity in QUANTITIES.items()
    if quantity.rolled
    and quantity.algorithms
    and "lam" not in quantity.inputs
    and not name.startswith("state_")
]
NUMBERS = {"m": 1.5, "l": 0.7, "g": 9.81}
STATE = np.array([0.3, -0.4]), np.array([0.5, 1.0]), np.array([0.1, 0.2])


def called(system, name, case, **more):
    """Return a quantity of a system at the state of a case."""
    q, v, last = (
        case.q,
        case.v,
        case.a if name in ("acceleration", "inverse_dynamics") else case.tau,
    )
    body = system.body_names[len(system.body_names) // 2]
    if name == "tilted_gravity_force":
        return system.gravity_force(q, base=ps.BaseMotion(ps.Pose(rpy=(1, 2, 3))), **more)
    if name == "gravity_energy":
        return system.potential_energy(q, "gravity", **more)
    if name == "pose":
        return system.pose(body, q, **more)
    if name in ("velocity", "jacobian_rate", "acceleration", "jacobian"):
        states = {"jacobian": (q,), "acceleration": (q, v, last)}.get(name, (q, v))
        return getattr(system, name)(body, *states, (0.1, 0.2, 0.3), axes="world", **more)
    given_ = {"q": q, "v": v, "a": last, "tau": last}
    return getattr(system, name)(*(given_[key] for key in QUANTITIES[name].inputs), **more)


def difference(plain, name, case, found, expected):
    """Return how much results differ; accelerations by the forces that they stand for."""
    if name == "forward_dynamics":
        size = np.abs(case.tau).max(initial=0) + np.abs(
            plain.bias(case.q, case.v, backend="interpreter")
        ).max(initial=0)
        M = plain.mass_matrix(case.q, backend="interpreter")
        return np.abs(M @ (found - expected)).max(initial=0) / max(size, 1e-300)
    size = np.abs(expected).max(initial=0)
    return np.abs(found - expected).max(initial=0) / max(size, 1e-12)


@settings(max_examples=examples(5))
@given(cases(max_bodies=4))
def test_every_quantity_takes_parameters(case):
    """Compare inputs with constants on random trees with every joint and formulas anywhere."""
    if case.mechanism.nv == 0 or not any(body.mass for body in case.mechanism.bodies):
        return
    plain = with_forces(case.mechanism, random_forces(case))
    description, values = parametric(case.rng, plain, share=0.3)
    system, numeric = System.from_mechanism(description), System.from_mechanism(plain)
    for name in OF_TREES:
        if not name.endswith("_derivatives"):  # long programs: few bodies do, below
            found = called(system, name, case, parameters=values, backend="interpreter")
            expected = called(numeric, name, case, backend="interpreter")
            assert difference(numeric, name, case, found, expected) < AGREE, name


@pytest.mark.parametrize("name", [name for name in OF_TREES if name.endswith("_derivatives")])
def test_derivatives_of_the_dynamics_take_parameters(name):
    """Compare inputs with constants on two bodies with forces on them."""
    case = random_case(4, 2)
    plain = with_forces(case.mechanism, random_forces(case))
    description, values = parametric(case.rng, plain, share=0.3)
    system, numeric = System.from_mechanism(description), System.from_mechanism(plain)
    found = called(system, name, case, parameters=values, backend="interpreter")
    expected = called(numeric, name, case, backend="interpreter")
    assert difference(numeric, name, case, found, expected) < AGREE


@settings(max_examples=examples(5))
@given(cases(max_bodies=3))
def test_every_formulation_takes_parameters(case):
    description, values = parametric(case.rng, case.mechanism, share=0.3)
    if case.mechanism.nv == 0:
        return
    system, numeric = System.from_mechanism(description), System.from_mechanism(case.mechanism)
    for method, formulation in FORMULATIONS.items():
        for name in formulation.algorithms:
            more = {"method": method, "backend": "interpreter"}
            found = called(system, name, case, parameters=values, **more)
            expected = called(numeric, name, case, **more)
            limit = max(AGREE, formulation.agreement)
            assert difference(numeric, name, case, found, expected) < limit, (method, name)


@pytest.mark.parametrize("seed", [2, 8])
def test_machine_code_takes_parameters(seed):
    """Compare machine code for one state and for many, each with its own values."""
    case = random_case(seed, 5)
    description, values = parametric(case.rng, case.mechanism, share=0.3)
    system = System.from_mechanism(description)
    for name in ("forward_dynamics", "mass_matrix", "kinetic_energy", "pose"):
        more = {"parameters": values}
        found = called(system, name, case, **more)
        expected = called(system, name, case, backend="interpreter", **more)
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        many = {key: x * np.linspace(0.9, 1.1, 21) for key, x in values.items()}
        found = called(system, name, case, parameters=many)
        expected = called(system, name, case, parameters=many, backend="interpreter")
        assert found.shape[0] == 21
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        alone = {key: x[4] for key, x in many.items()}
        assert_allclose(called(system, name, case, parameters=alone), found[4], rtol=1e-9)


def test_folded_parameters_cost_nothing():
    """Count the operations of a system with parameters, folded or only its masses free."""
    plain = pendulum(**NUMBERS)
    folded = pendulum(m, l, g, parameters=NUMBERS)
    free = folded.with_free("m", "l", "g")
    for name in ("forward_dynamics", "inverse_dynamics", "mass_matrix", "potential_energy"):
        assert trace(folded.mechanism, Request(name)) == trace(plain.mechanism, Request(name))
        found = trace(free.mechanism, Request(name))
        assert found.inputs[-1].name == "parameters"
        assert found.n_operations < 3 * trace(plain.mechanism, Request(name)).n_operations


def test_free_masses_leave_the_frames_as_they_are():
    """Count: with numbers as places, only the arithmetic of the inertias is added."""
    plain = random_case(3, 6, kinds=("revolute",), passive=False).mechanism
    masses = {f"m{i}": body.mass for i, body in enumerate(plain.bodies)}
    bodies = [
        ps.Body(b.name, b.parent, b.joint, b.pose, ps.symbols(name), b.com, b.inertia)
        for b, name in zip(plain.bodies, masses, strict=True)
    ]
    free = ps.System("free", bodies, gravity=plain.gravity, parameters=masses, free=masses)
    for name in ("inverse_dynamics", "mass_matrix"):
        extra = (
            trace(free.mechanism, Request(name)).n_operations
            - trace(plain, Request(name)).n_operations
        )
        assert 0 < extra < 60 * len(bodies)


def four_bar(m, l, d, **more):
    """Return a four-bar whose crank has the mass m, rocker the length l and base the length d."""

    def rod(name, parent, x, length, mass):
        inertia = mass * length**2 / 12
        return ps.Body(
            name, parent, ps.Revolute("z"), ps.Pose((x, 0, 0)), mass, (length / 2, 0, 0),
            (inertia / 9, inertia, inertia),
        )  # fmt: skip

    bodies = [rod("a", "world", 0, 0.3, m), rod("b", "a", 0.3, 0.8, 2.0), rod("c", "b", 0.8, l, 1)]
    ends = ("world", ps.Pose((d, 0, 0))), ("c", ps.Pose((l, 0, 0)))
    pin = ps.Loop("pin", *ends, ps.Revolute("z", damping=m / 10))
    return ps.System("four-bar", bodies, gravity=(0, -9.81, 0), loops=[pin], **more)


def test_closed_loops_take_parameters():
    """Compare inputs with constants where a loop depends on them, and simulate."""
    d = ps.symbols("d")
    free, values = four_bar(m, l, d, parameters={"m": None, "l": 0.5, "d": 0.7}), {"m": 1.2}
    free, values = free.with_free("l", "d"), values | {"l": 0.6}
    plain = four_bar(1.2, 0.6, 0.7)
    q, v, tau = np.array([0.8, 0.4, -1.9]), np.array([1.0, -2.0, 0.5]), np.array([0.1, 0.2, 0.3])
    for name, state in (
        ("constraint_residual", (q,)),
        ("constraint_jacobian", (q,)),
        ("constraint_bias", (q, v)),
        ("forward_dynamics", (q, v, tau)),
        ("inverse_dynamics", (q, v, tau)),
    ):
        found = getattr(free, name)(*state, parameters=values)
        assert_allclose(found, getattr(plain, name)(*state), rtol=1e-9, atol=1e-9)
    found = free.multipliers(q, v, tau, parameters=values).values
    assert_allclose(found, plain.multipliers(q, v, tau).values, rtol=1e-8, atol=1e-8)
    for name, wrench in free.reactions(q, v, tau=tau, parameters=values).items():
        assert_allclose(wrench, plain.reactions(q, v, tau=tau)[name], rtol=1e-8, atol=1e-8)
    assert free.mobility(q, parameters=values).degrees == plain.mobility(q).degrees
    start, rates = four_bar_state()
    known = free.with_parameters(**values)
    assert_allclose(known.assemble(start + 0.01), plain.assemble(start + 0.01), atol=1e-9)
    with pytest.raises(ps.ModelError, match="assemble: parameter 'm'"):
        free.assemble(start)
    run = ps.simulate(free, start, rates, 0.5, parameters=values, save=0.1)
    expected = ps.simulate(plain, start, rates, 0.5, save=0.1)
    assert_allclose(run.q, expected.q, atol=1e-8)
    assert four_bar(m, l, d, parameters={"m": 1.2, "l": 0.6, "d": 0.7}).mechanism == plain.mechanism


def test_closed_form_of_the_pendulum():
    """Compare with m l² a = -m g l sin(q) for arrays of lengths and masses."""
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l))
    system = ps.System("pendulum", [bob], gravity=(0, 0, -g), parameters={"g": 9.81}, free=["g"])
    lengths, masses = np.linspace(0.5, 2, 7), np.linspace(1, 3, 5)[:, None]
    q = 0.3
    given_ = {"l": lengths, "m": masses}
    a = system.forward_dynamics([q], [0.0], parameters=given_)
    assert a.shape == (5, 7, 1)
    assert_allclose(a[..., 0], np.broadcast_to(-9.81 / lengths * math.sin(q), (5, 7)), rtol=1e-13)
    a = system.forward_dynamics([q], [0.0], parameters={**given_, "g": 1.62})
    assert_allclose(a[2, :, 0], -1.62 / lengths * math.sin(q), rtol=1e-13)
    out = np.empty((5, 7, 1, 1))
    assert system.mass_matrix([q], parameters=given_, out=out) is out
    assert_allclose(out[..., 0, 0], masses * lengths**2, rtol=1e-13)


def test_a_moving_base_turns_gravity_that_is_a_parameter():
    free = pendulum(m, l, g, parameters=NUMBERS).with_free("g", "m")
    base = ps.BaseMotion(ps.Pose(rpy=(0.1, 0.2, 0.3)), (1, 0, 0, 0, 0, 2), (0, 1, 0, 1, 0, 0))
    wrenches = {"lower": (1, 2, 3, 4, 5, 6)}
    fields = np.array([9.81, 1.62, 0.0])
    found = free.forward_dynamics(*STATE, parameters={"g": fields}, base=base, wrenches=wrenches)
    weights = free.gravity_force(STATE[0], base=base, parameters={"g": fields})
    assert_allclose(weights[1] / 1.62, weights[0] / 9.81, rtol=1e-12)
    for one, field in zip(found, fields, strict=True):
        plain = pendulum(1.5, 0.7, float(field))
        expected = plain.forward_dynamics(*STATE, base=base, wrenches=wrenches)
        assert_allclose(one, expected, rtol=1e-11)


def test_values_that_are_refused():
    free = pendulum(m, l, g, parameters={"l": 0.7, "g": 9.81}, free=["l"])
    q, v, _ = STATE
    for parameters, message in (
        (None, "bias: parameter 'm' of 'double pendulum' has no value; give it: parameters="),
        ({"l": 1.0}, "parameter 'm' of 'double pendulum' has no value"),
        ({"m": 1.0, "mm": 2.0}, "bias: unknown parameter 'mm'; did you mean 'm'?"),
        ({"m": 1.0, "g": 2.0}, r"'g' is folded in as the constant 9\.81; make it an input, system"),
        ([1.0], "parameters must be values by name"),
    ):
        with pytest.raises(ps.ModelError, match=message):
            free.bias(q, v, parameters=parameters)
    with pytest.raises(ps.ArrayTypeError, match="bias: parameter 'm' must hold real numbers"):
        free.bias(q, v, parameters={"m": "one"})
    with pytest.raises(ps.ShapeError, match=r"parameters do not broadcast .* l \(3,\), m \(2,\)"):
        free.bias(q, v, parameters={"m": [1, 2], "l": [1, 2, 3]})
    with pytest.raises(ps.ShapeError, match="leading dimensions do not broadcast"):
        free.bias(np.zeros((3, 2)), v, parameters={"m": [1, 2]})
    plain = pendulum(**NUMBERS)
    plain.bias(q, v)
    with pytest.raises(ps.ModelError, match="unknown parameter 'm'; the system has none"):
        plain.bias(q, v, parameters={"m": 1.0})
    with pytest.raises(ps.ShapeError, match="verify: parameters must be one number each"):
        ps.verify(free, parameters={"m": [1.0, 2.0], "l": 1.0})
    with pytest.raises(ps.ModelError, match="simulate: parameters must be finite"):
        ps.simulate(free, q, v, 1.0, parameters={"m": np.nan, "l": 1.0})
    with pytest.raises(ps.ModelError, match="simulate: parameter 'm'"):
        ps.simulate(free, q, v, 1.0)


def test_rolled_forms_of_bound_systems():
    folded = pendulum(m, l, g, parameters=NUMBERS)
    q = STATE[0]
    M = folded.mass_matrix(q, backend="rolled")
    assert_allclose(M, pendulum(**NUMBERS).mass_matrix(q, backend="rolled"), rtol=1e-14)


def test_an_oscillator_with_a_parameter_in_its_drive():
    """Simulate m x'' = -k x for several values with one code: x = cos(sqrt(k/m) t)."""
    mass = ps.Body("mass", joint=ps.Prismatic("x"), mass=m)
    system = ps.System("oscillator", [mass], parameters={"m": 2.0, "k": None}, free=["m"])
    for values in ({"k": 8.0}, {"k": 3.0, "m": 0.5}):
        run = ps.simulate(
            system, [1.0], [0.0], 3.0, tau=lambda t, q, v: -k * q, parameters=values, save=0.5
        )
        rate = math.sqrt(values["k"] / values.get("m", 2.0))
        assert run.parameters == {"m": 2.0} | values
        assert_allclose(run.q[:, 0], np.cos(rate * run.t), atol=1e-7)
        assert_allclose(run.at(1.234)[0][0], math.cos(rate * 1.234), atol=1e-7)
        again = pickle.loads(pickle.dumps(run))
        assert_allclose(again.at(1.234)[0], run.at(1.234)[0], rtol=0, atol=0)


def test_runs_keep_their_values(tmp_path):
    """Simulate with values and with constants: the same motion, energies and pictures."""
    free = pendulum(m, l, g, parameters=NUMBERS).with_free("m", "l", "g")
    values = {"m": 0.8, "g": 3.7}
    plain = pendulum(0.8, 0.7, 3.7)
    base = ps.BaseMotion(acceleration=(0, 0, 1, 0, 0, 0))

    def law(t):
        return np.eye(3), np.zeros(6), np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])

    for motion in (base, law):
        run = ps.simulate(free, *STATE[:2], 1.0, parameters=values, base=motion, save=0.1)
        expected = ps.simulate(plain, *STATE[:2], 1.0, base=motion, save=0.1)
        assert_allclose(run.q, expected.q, atol=1e-9)
        assert_allclose(run.energy(), expected.energy(), rtol=1e-8)
    run.plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 1000
    assert run.animate(tmp_path / "run.gif", fps=2).path.stat().st_size > 1000


def test_verify_with_free_parameters():
    free = pendulum(m, l, g, parameters=NUMBERS).with_free("l").with_parameters(g=None)
    report = ps.verify(free, parameters={"g": 9.0})
    assert report.ok
    assert "mass matrix: parameters as constants, as inputs" in str(report)
    with pytest.raises(ps.ModelError, match="verify: parameter 'g'"):
        ps.verify(free)
