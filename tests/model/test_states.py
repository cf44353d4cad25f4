"""Further states in descriptions: names, laws, files, composition."""

import pickle

import numpy as np
import pytest

import poinsot as ps

CART = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0, inertia=(1, 1, 1))


def hydraulic(**more):
    """Return a cart on a cylinder whose pressure is a state, and a filter of its speed."""
    p, k = ps.symbols("pressure k")
    return ps.System(
        "cart",
        [CART],
        forces=[ps.JointForce("cart", "0.1*pressure - c*v", name="cylinder")],
        parameters={"c": 3.0, "k": 4.0},
        free=["k"],
        states=[
            ps.State("pressure", rate="k*(1 - pressure) - v.cart + t", initial=2.0, unit="Pa"),
            ps.State("lag", rate=lambda t, q, v: k * (v[0] - ps.symbols("lag")) + 0.0 * p),
        ],
        **more,
    )


def test_states_are_inputs_with_a_default():
    """Compare dynamics and rates with formulas written by hand, for one state and for several."""
    system = hydraulic()
    assert system.free == ("k",)
    assert list(system.states) == ["pressure", "lag"]
    assert system.forward_dynamics([0.0], [1.0]) == (0.1 * 2.0 - 3.0) / 2.0
    several = system.forward_dynamics([0.0], [1.0], states={"pressure": [10.0, 20.0]})
    np.testing.assert_allclose(several, [[-1.0], [-0.5]])
    for method in ("kane", "lagrange", "recursive"):
        tau = system.inverse_dynamics([0.0], [1.0], [0.5], method=method, states={"pressure": 10.0})
        np.testing.assert_allclose(tau, 2.0 * 0.5 - (0.1 * 10.0 - 3.0), rtol=1e-12)
    rates = system.state_rates(
        [0.3], [1.0], t=0.5, states={"pressure": 10.0, "lag": 0.25}, parameters={"k": 2.0}
    )
    assert rates == {"pressure": 2.0 * (1 - 10.0) - 1.0 + 0.5, "lag": 2.0 * (1.0 - 0.25)}


def test_states_in_files_and_pickles(tmp_path):
    """Write states to files and read them; functions become formulas."""
    system = hydraulic()
    assert pickle.loads(pickle.dumps(system)) == system
    given = {"pressure": 10.0, "lag": 0.25}
    expected = system.state_rates([0.3], [1.0], states=given)
    for suffix in (".json", ".toml"):
        ps.save(system, tmp_path / f"cart{suffix}")
        again = ps.load(tmp_path / f"cart{suffix}")
        assert again.states["pressure"] == system.states["pressure"]
        assert again.state_rates([0.3], [1.0], states=given) == expected
        ps.save(again, tmp_path / f"again{suffix}")
        assert ps.load(tmp_path / f"again{suffix}") == again


def test_states_of_systems_that_are_attached():
    """Functions of a guest see its own coordinates in the whole; parts keep what forces need."""
    host = ps.System("host", [ps.Body("rail", joint=ps.Prismatic("y"), mass=1.0)])
    whole = host.attach(hydraulic().with_parameters(k=4.0), to="rail")
    given = {"pressure": 10.0, "lag": 0.25}
    alone = hydraulic().state_rates([0.3], [1.0], states=given)
    assert whole.state_rates([7.0, 0.3], [9.0, 1.0], states=given) == alone
    with pytest.raises(ps.ModelError, match=r"'v.cart' in the rate of state 'pressure'"):
        host.attach(hydraulic(), to="rail", prefix="left/")
    part = whole.part("cart")
    assert list(part.states) == ["pressure"]
    assert part.forward_dynamics([0.0], [1.0]) == hydraulic().forward_dynamics([0.0], [1.0])


BAD = [
    (lambda: ps.State("x"), "state 'x' has no rate; give rate="),
    (lambda: ps.SampledState("x", every=0.1), "sampled state 'x' has no update"),
    (lambda: ps.SampledState("x", update="1"), "sampled state 'x' has no sampling time"),
    (lambda: ps.SampledState("x", "1", 0.1, 0.2), "delay must be at most the sampling time 0.1"),
    (lambda: made(ps.State("cart", rate=0)), "state 'cart' has the name of a joint"),
    (lambda: made(ps.State("c", rate=0)), "state 'c' has the name of a parameter"),
    (lambda: made(ps.State("x", rate=0), ps.State("x", rate=1)), "two states are called 'x'"),
    (lambda: made(ps.State("x y", rate=0)), "a state has the name 'x y'"),
    (lambda: made(ps.State("lag", rate="v.cart - lga")), "unknown name 'lga'; did you mean 'lag'"),
    (lambda: made(ps.State("x", rate="a.cart")), "'a.cart' depends on accelerations"),
    (lambda: made(ps.State("x", rate=lambda t, q, v: q)), None),
    (lambda: made(ps.State("x", rate=lambda t, q, v: [q[0], v[0]])), r"one number, got shape \(2"),
    (lambda: made(ps.State("x", rate=lambda t, q, v: q[3])), "rate cannot be traced: index 3"),
    (
        lambda: made(ps.State("x", rate="rate.y"), ps.State("y", rate="2*rate.z"),
                     ps.State("z", rate="x - rate.x")),
        "the rate of state 'x' depends on itself: x -> y -> z -> x",
    ),
    (lambda: ps.System("c", [ps.Body("b", mass=ps.symbols("m"))], states=[ps.State("m", rate=0)]),
     "'m' is a state, and only formulas of forces"),
    (lambda: ps.System("c", [CART], states=ps.State("x", rate=0)), "must be a list of State"),
    (lambda: ps.System("c", [CART], states=[CART]), r"states\[0\] must be a State or a Sampled"),
    (lambda: hydraulic().forward_dynamics([0], [0], states={"presure": 1}), "did you mean 'pres"),
    (lambda: ps.library.pendulum().state_rates([0], [0]), "has no states"),
]  # fmt: skip


def made(*states):
    """Return a cart with these states."""
    return ps.System("cart", [CART], parameters={"c": 1.0}, states=states)


@pytest.mark.parametrize(("make", "message"), BAD)
def test_mistakes_are_named(make, message):
    """Check what users may get wrong; rates of others may be read where they are not circular."""
    if message is None:
        make()
        return
    with pytest.raises(ps.PoinsotError, match=message):
        make()


def test_a_rate_may_contain_the_rate_of_another_state():
    """Compare with the formulas put into each other."""
    system = made(ps.State("y", rate="3*rate.x + 1"), ps.State("x", rate="cart - x"))
    assert system.state_rates([5.0], [0.0], states={"x": 2.0}) == {"y": 10.0, "x": 3.0}


def test_other_files_and_graphs(tmp_path):
    """States are lost in URDF and MJCF, with a warning, and taken by graphs."""
    system = made(ps.State("lag", rate="v.cart - lag"))
    for suffix in (".urdf", ".xml"):
        with pytest.warns(ps.ModelWarning, match="the file holds no states; lost are 'lag'"):
            ps.save(system, tmp_path / f"cart{suffix}")
    assert "states: lag [1]" in system.tree()
    graph = ps.System.from_graph(
        "graph",
        [ps.Body("cart", mass=2.0, inertia=(1, 1, 1))],
        [ps.Connection("slide", "world", "cart", ps.Prismatic("x"))],
        states=[ps.State("lag", rate="v.slide - lag")],
    )
    assert graph.state_rates([0.0], [3.0]) == {"lag": 3.0}
    assert ps.verify(system).ok


def test_large_systems_have_rolled_forms_with_states():
    """Compare a chain with parameters and states in formulas of forces, rolled and straight."""
    chain = ps.library.chain(5)
    first, other = chain.joint_names[0], chain.joint_names[2]
    forces = [
        ps.JointForce(first, "m*sin(t) + k*v"),
        ps.JointForce(other, "2*k"),
        ps.Actuator((chain.body_names[1], (0.1, 0, 0)), ("world", (0, 0, 1.0)), "k*length + m"),
    ]
    system = ps.System(
        "chain", chain.bodies, forces=forces, states=[ps.State("m", rate=0)],
        parameters={"k": None},
    )  # fmt: skip
    q, v, a = np.random.default_rng(0).uniform(-1.0, 1.0, (3, 5))
    given = {"t": 0.4, "states": {"m": 1.3}, "parameters": {"k": 0.9}}
    for method in (system.forward_dynamics, system.inverse_dynamics):
        rolled, straight = (method(q, v, a, backend=x, **given) for x in ("rolled", "interpreter"))
        np.testing.assert_allclose(rolled, straight, rtol=1e-12)
