"""Many variants of a driven linkage in one call: the same as one after the other."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from tests.assemble.four_bars import by_trigonometry, rod

NAMES = ("a", "b", "c", "d")
NUMBERS = (0.3, 0.8, 0.6, 0.7)
TURN = {"crank": (0.4, 0.4 + 2 * np.pi)}


def linkage():
    """Return a planar four-bar whose lengths are free parameters."""
    a, b, c, d = ps.symbols("a b c d")
    bars = ("crank", "world", 0, a), ("coupler", "crank", a, b), ("rocker", "coupler", b, c)
    pin = ps.Loop("pin", ("world", (d, 0, 0)), ("rocker", (c, 0, 0)), ps.Revolute("z"))
    return ps.System(
        "four-bar",
        [rod(*bar) for bar in bars],
        gravity=(0, -9.81, 0), loops=[pin], parameters=dict(zip(NAMES, NUMBERS, strict=True)),
        free=NAMES,
    )  # fmt: skip


SYSTEM = linkage()
START = by_trigonometry(0.4, 1)


def lengths(n, spread, seed=0):
    """Return random lengths by name, shapes (n,)."""
    factors = np.random.default_rng(seed).uniform(1 - spread, 1 + spread, (4, n))
    return dict(zip(NAMES, np.array(NUMBERS)[:, None] * factors, strict=True))


def turns(n=60, spread=0.35):
    """Return random lengths, and their motions through a turn."""
    given = lengths(n, spread)
    return given, ps.drive(SYSTEM, START, TURN, positions=13, parameters=given)


def test_grashof_says_which_cranks_go_round():
    """Check that cranks go round where the shortest bar is theirs or the ground's (Grashof)."""
    given, studies = turns(200)
    sides = np.sort(np.stack(list(given.values())), axis=0)
    grashof = sides[0] + sides[3] < sides[1] + sides[2]
    shortest = np.minimum(given["a"], given["d"]) == sides[0]
    assert (studies.ok == (grashof & shortest)).all()
    assert 50 < studies.ok.sum() < 190


def test_positions_are_those_of_trigonometry():
    given, studies = turns()
    for k in np.flatnonzero(studies.ok):
        a, b, c, d = (given[name][k] for name in NAMES)
        exact = [
            by_trigonometry(angle, 1, (a, b, c), d) for angle in np.linspace(*TURN["crank"], 13)
        ]
        turned = np.exp(1j * studies.q[k]) - np.exp(1j * np.array(exact))
        assert np.abs(turned).max() < 1e-9


def test_each_is_the_same_as_alone():
    given, studies = turns(2, 0.1)
    wrenches, forces = studies.reactions(axes="world"), studies.drive_forces()["crank"]
    height = studies.evaluate("pose.rocker.y + tau.crank")
    for k in range(2):
        numbers = {name: float(values[k]) for name, values in given.items()}
        folded = ps.System.from_mechanism(SYSTEM.description.at(numbers))  # without parameters
        alone = ps.drive(folded, START, TURN, positions=13)
        for name in ("q", "v", "a"):
            assert_allclose(getattr(studies, name)[k], getattr(alone, name), rtol=1e-8, atol=1e-8)
        for name, wrench in alone.reactions(axes="world").items():
            assert_allclose(wrenches[name][k], wrench, rtol=1e-6, atol=1e-6)
        assert_allclose(forces[k], alone.tau()[:, 0], rtol=1e-6, atol=1e-6)
        assert_allclose(
            height[k], alone.evaluate("pose.rocker.y + tau.crank"), rtol=1e-6, atol=1e-6
        )
        one = studies[k]
        assert one.parameters == pytest.approx(numbers)
        assert_allclose(one.energy(), studies.energy()[k], rtol=1e-12)
        assert_allclose(one.pose("rocker"), alone.pose("rocker"), atol=1e-8)
        assert_allclose(studies.at(0.31)[0][k], alone.at(0.31)[0], atol=1e-8)


def test_what_cannot_close_is_a_row():
    """Sweep over a crank that is too long, one that has a dead point, and a good one."""
    studies = ps.drive(SYSTEM, START, TURN, positions=13, parameters={"a": [2.5, 0.6, 0.3]})
    assert studies.ok.tolist() == [False, False, True]
    assert np.isnan(studies.q[0]).all()
    assert np.isnan(studies.reached[0])
    reached = studies.t <= studies.reached[1]
    assert 1 <= reached.sum() < 13
    assert (np.isfinite(studies.q[1]).all(axis=-1) == reached).all()
    assert (np.isfinite(studies.reactions()["pin"][1]).all(axis=-1) == reached).all()
    texts = [status.message for status in studies.status]
    assert texts[0].startswith("does not close at the start: loop 'pin' by 0.")
    assert "dead point" in texts[1] or "singular" in texts[1]
    assert texts[2] == "reached t = 1 s"
    assert studies[1].t.size == reached.sum()
    assert "2 stopped early" in repr(studies)
    with pytest.raises(ps.ShapeError, match="do not broadcast"):
        ps.drive(SYSTEM, np.zeros((2, 3)), TURN, parameters={"a": [0.1, 0.2, 0.3]})
    with pytest.raises(ps.AssemblyError, match="2 drives for 1 degrees"):
        ps.drive(SYSTEM, START, TURN | {"rocker": (START[2], 2.0)}, parameters={"a": [0.3, 2.5]})


def test_shapes_tables_and_files(tmp_path):
    studies = ps.drive(
        SYSTEM, START, TURN, positions=5,
        parameters={"a": [[0.3], [0.31], [2.5]], "b": [0.8, 0.81]},
    )  # fmt: skip
    assert studies.shape == (3, 2)
    assert studies.q.shape == (3, 2, 5, 3)
    assert studies[1].shape == (2,)
    assert isinstance(studies[1, 1], ps.Study)
    assert studies[studies.ok].size == 4
    table = studies.to_pandas({"high": "sin(crank)"})
    assert table.shape == (30, 4 + 12 + 1)
    assert_allclose(table.loc[3, "q.rocker"], studies.q[1, 1, :, 2])
    again = ps.load_study(studies.save(tmp_path / "s.npz"))
    np.testing.assert_array_equal(again.q, studies.q)
    assert_allclose(again.reactions()["pin"], studies.reactions()["pin"])
    single = ps.load_study(studies[1, 0].save(tmp_path / "one.npz"))
    assert single.parameters == studies[1, 0].parameters
    np.testing.assert_array_equal(
        single.drive_forces()["crank"], studies[1, 0].drive_forces()["crank"]
    )
    assert len(studies.plot(tmp_path / "s.png", ["rocker", "tau.crank"]).axes) == 2
    assert (tmp_path / "s.png").stat().st_size > 10_000
    with pytest.raises(ps.ModelError, match=r"must end in \.npz"):
        studies.save(tmp_path / "s.csv")


def test_other_methods_take_parameters_and_batches():
    """Compare with systems into which the numbers are folded."""
    given = lengths(2, 0.1)
    guess, rates = START + 0.05, np.array([1.0, 0.3, -0.2])
    q = SYSTEM.assemble(guess, joints=["crank"], parameters=given)
    v = SYSTEM.consistent_velocity(q, rates, joints=["crank"], parameters=given)
    a = SYSTEM.consistent_acceleration(q, v, rates, joints=["crank"], parameters=given)
    modes = SYSTEM.assembly_modes(guess, joints=["crank"], parameters=given, starts=20)
    mobility = SYSTEM.mobility(q, parameters=given)
    rest = ps.equilibrium(SYSTEM, q, parameters=given)
    assert mobility.degrees.tolist() == [1] * 2
    assert rest.ok.all()
    for k in range(2):
        alone = ps.System.from_mechanism(
            SYSTEM.description.at({name: float(values[k]) for name, values in given.items()})
        )
        assert_allclose(q[k], alone.assemble(guess, joints=["crank"]), atol=1e-9)
        assert_allclose(v[k], alone.consistent_velocity(q[k], rates, joints=["crank"]), atol=1e-9)
        expected = alone.consistent_acceleration(q[k], v[k], rates, joints=["crank"])
        assert_allclose(a[k], expected, atol=1e-9)
        expected = alone.assembly_modes(guess, joints=["crank"], starts=20)
        assert_allclose(np.array(modes[k]), np.array(expected), atol=1e-8)
        assert mobility.redundant[k] == alone.mobility(q[k]).redundant
        assert_allclose(rest.q[k], ps.equilibrium(alone, q[k]).q, atol=1e-8)
        assert_allclose(rest[k].reactions()["pin"], ps.equilibrium(alone, q[k]).reactions()["pin"],
                        atol=1e-6)  # fmt: skip
    lost = SYSTEM.assemble(guess, joints=["crank"], parameters={"a": [0.3, 2.5]})
    assert np.isfinite(lost).all(axis=1).tolist() == [True, False]
    apart = SYSTEM.consistent_velocity(q, rates, joints=SYSTEM.joint_names, parameters=given)
    assert np.isnan(apart).all()
    missing = ps.equilibrium(SYSTEM, START, parameters={"a": [0.3, 2.5]})
    assert missing.ok.tolist() == [True, False]
    assert "does not close" in missing.message[1]
    with pytest.raises(ps.AssemblyError):
        missing[1]


@pytest.mark.parametrize("stable", [True, False])
def test_equilibria_from_many_guesses(stable):
    """Let double pendulums come to rest: hanging, or in line if any rest will do; one is held."""
    system, rng = ps.library.double_pendulum(), np.random.default_rng(0)
    guesses = rng.uniform(-3, 3, (4, 5, 2))
    guesses[0, 0] = np.pi, 0.0  # upside down: at rest already
    rest = ps.equilibrium(system, guesses, stable=stable)
    assert rest.shape == (4, 5)
    assert rest.ok.all()
    assert_allclose(np.sin(rest.q), 0.0, atol=1e-10)
    upright = rest.q[0, 0] == pytest.approx([np.pi, 0.0], abs=1e-12)
    assert upright == (not stable)
    if stable:
        assert_allclose(np.cos(rest.q), 1.0, atol=1e-12)
    upper = ps.equilibrium(system, guesses[1], fixed={"upper": 0.5}, stable=stable)
    assert_allclose(upper.q[:, 0], 0.5)
    assert_allclose(np.sin(upper.q.sum(axis=-1)), 0.0, atol=1e-10)
    one = upper[2]
    assert_allclose(one.q, upper.q[2], atol=1e-12)
    assert abs(one.holding["upper"][0]) > 0.1
    assert upper[1:3].message.tolist() == [upper[1].stability, upper[2].stability]


def test_graphs_have_parameters():
    """Sweep over the rod of a slider-crank that is given as a graph: x = r cos + l."""
    r, length = ps.symbols("r length")
    crank, rod_, slider = (ps.Body(name, mass=1.0) for name in ("crank", "rod", "slider"))
    system = ps.System.from_graph(
        "slider-crank", [crank, rod_, slider],
        [
            ps.Connection("shaft", "world", "crank", ps.Revolute("z")),
            ps.Connection("pin", ("crank", ps.Pose((r, 0, 0))), "rod", ps.Revolute("z")),
            ps.Connection("gudgeon", ("rod", ps.Pose((length, 0, 0))), "slider", ps.Revolute("z")),
            ps.Connection("guide", "world", "slider", ps.Prismatic("x")),
        ],
        parameters={"r": 0.1, "length": 0.4}, free=["length"],
    )  # fmt: skip
    assert system.free == ("length",)
    values = np.linspace(0.3, 0.5, 5)
    guess = [{"shaft": 0.1, "guide": 0.4}.get(name, 0.0) for name in system.coordinate_names]
    studies = ps.drive(
        system, guess, {"shaft": (0.1, 1.3)}, positions=4, parameters={"length": values}
    )
    assert studies.ok.all()
    angles = np.linspace(0.1, 1.3, 4)
    exact = 0.1 * np.cos(angles) + np.sqrt(values[:, None] ** 2 - (0.1 * np.sin(angles)) ** 2)
    assert_allclose(studies.pose("slider")[..., 0, 3], exact, atol=1e-9)
