"""One family of results: Run, Runs, Study and Studies have the same vocabulary."""

import inspect

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image

import poinsot as ps

SHARED = (
    "t", "q", "v", "names", "units", "parameters", "system", "states", "status", "tau",
    "acceleration", "evaluate", "reactions", "forces", "pose", "velocity", "body_acceleration",
    "kinetic_energy", "potential_energy", "energy", "momentum", "centre_of_mass", "plot", "animate",
    "draw", "to_pandas", "save", "save_table", "at",
)  # fmt: skip


def cart():
    """Return a cart on a spring, with a free mass."""
    m = ps.symbols("m")
    body = ps.Body("cart", joint=ps.Prismatic("x"), mass=m)
    spring = ps.Spring(("cart", (0, 0, 0)), ("world", (2, 0, 0)), 20.0, length=1.0, name="coil")
    return ps.System("cart", [body], forces=[spring], parameters={"m": 2.0}, free=["m"])


def push(t, q, v):
    return [np.sin(t) - 0.1 * v[0]]


@pytest.fixture(scope="module")
def runs():
    masses = {"m": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])}
    return ps.simulate(cart(), [0.1], [0.0], 1.0, save=0.1, tau=push, parameters=masses)


@pytest.fixture(scope="module")
def studies():
    masses = {"m": np.array([1.0, 2.0, 3.0])}
    return ps.drive(cart(), [0.1], {"cart": "0.1 + t**2"}, 1.0, positions=11, parameters=masses)


def test_they_have_the_same_methods(runs, studies):
    """Check that nothing of the vocabulary is missing anywhere."""
    for result in (runs, runs[0, 0], studies, studies[0]):
        missing = [name for name in SHARED if not hasattr(result, name)]
        assert not missing, type(result).__name__
        for name in ("plot", "animate", "draw"):
            assert inspect.signature(getattr(result, name)).parameters["path"].default is None


def test_print_says_how_they_ended_and_what_they_took(runs, studies, tmp_path):
    """Print many runs and motions, and one, with compilation apart; some that stop early too."""
    used, text = runs.statistics, str(runs)
    assert text.startswith("cart: all 6 runs reached t = 1 s\n  11 states from 0 s to 1 s each\n")
    assert f"dp8: {used.steps} steps, {used.rejected} rejected, {used.evaluations} eval" in text
    assert used.preparation_time > 0.0
    assert ps.load_run(runs.save(tmp_path / "runs.npz")).statistics == used
    assert str(studies) == "cart: all 3 motions reached t = 1 s\n  11 states from 0 s to 1 s each"
    single = "cart: reached t = 1 s\n  11 states from 0 s to 1 s\n  driven: cart"
    assert str(studies[0]) == single
    with pytest.warns(ps.SimulationWarning):
        short = ps.simulate(cart(), [0.1], np.zeros((5, 1)), 1.0, save=0.1, max_steps=2)
    lines = str(short).splitlines()
    assert lines[0] == "cart: 0 of 5 runs reached t = 1 s"
    assert lines[-4] == f"  number 0: {short.status[0].message}"
    assert lines[-1] == "  and 2 more that stopped early"


def test_many_are_one_after_the_other(runs, studies):
    """Compare every quantity of many motions with that of each alone."""
    for many, index in ((runs, (1, 2)), (studies, 2)):
        alone = many[index]
        for name in ("tau", "acceleration", "energy", "momentum", "centre_of_mass"):
            assert_allclose(getattr(many, name)()[index], getattr(alone, name)(), atol=1e-12)
        for formula in ("m*v.cart", "force.coil", "a.cart - tau.cart"):
            assert_allclose(many.evaluate(formula)[index], alone.evaluate(formula), atol=1e-12)
        for key, wrench in alone.reactions(axes="world").items():
            assert_allclose(many.reactions(axes="world")[key][index], wrench, atol=1e-12)
        assert_allclose(many.forces()["coil"][index], alone.forces()["coil"], atol=1e-12)
        assert_allclose(many.body_acceleration("cart")[index][:, 0], alone.acceleration()[:, 0])


def test_newton_holds_in_every_run(runs):
    """Check m a = tau + spring on all runs at once."""
    pull = runs.forces()["coil"]
    assert_allclose(runs.evaluate("m*a.cart"), runs.tau()[..., 0] + pull, atol=1e-10)


def test_tables(runs, studies, tmp_path):
    """Read back what was written: all digits as text, doubles in Excel."""
    openpyxl = pytest.importorskip("openpyxl")
    for result, rows in ((runs, 66), (runs[0, 1], 11), (studies, 33), (studies[1], 11)):
        more = {"high": "cos(cart)"}
        text = result.save_table(tmp_path / "a.csv", more).read_text().splitlines()
        heads = [head.strip('"') for head in text[0].split('","')]
        assert {"t [s]", "q.cart [m]", "v.cart [m/s]", "tau.cart [N]", "high"} <= set(heads)
        values = np.array([line.split(",") for line in text[1:]], float)
        assert len(values) == rows
        assert_array_equal(values[:, heads.index("q.cart [m]")], result.q.ravel())
        sheet = openpyxl.load_workbook(result.save_table(tmp_path / "a.xlsx", more)).active
        first, *rest = sheet.iter_rows(values_only=True)
        assert list(first) == heads
        assert_allclose(np.array(rest, float), values, rtol=1e-15)  # as many digits as Excel has
        table = result.to_pandas(more)
        assert_allclose(table["high"], np.cos(result.q).ravel(), rtol=1e-14)
    assert table.attrs["units"]["v.cart"] == "m/s"


def test_too_many_rows_for_excel(runs, tmp_path, monkeypatch):
    """Check that the way out is named before anything is written."""
    monkeypatch.setattr("poinsot.front.motion_tables.EXCEL_ROWS", 60)
    with pytest.raises(ps.ModelError, match=r"66 rows are more.*write \.csv"):
        runs.save_table(tmp_path / "a.xlsx")


def test_files_of_many_runs(runs, tmp_path):
    """Read them back: states, laws, numbers and settings, to the last bit."""
    again = ps.load_run(runs.save(tmp_path / "runs.npz"))
    assert again.system == runs.system
    assert again.shape == runs.shape
    for name in ("t", "q", "v", "reached"):
        assert_array_equal(getattr(again, name), getattr(runs, name))
    assert_array_equal(again.tau(), runs.tau())
    assert_array_equal(again[1, 0].at(0.123)[0], runs[1, 0].at(0.123)[0])
    assert again.status[0, 0] == runs.status[0, 0]
    with pytest.raises(ps.ModelError, match=r"must end in \.npz"):
        runs.save(tmp_path / "runs.parquet")


def test_runs_that_ended_early_come_back_too(tmp_path):
    """Save a batch in which one run stops: its end and the reason are kept."""

    def wall(t, q, v):
        return [np.sqrt(0.5 - q[0])]

    with pytest.warns(ps.SimulationWarning):
        runs = ps.simulate(cart(), [[0.1], [0.49]], [[0.0], [5.0]], 0.2, save=0.05, tau=wall)
    assert not runs.ok.all()
    again = ps.load_run(runs.save(tmp_path / "runs.npz"))
    assert_array_equal(again.ok, runs.ok)
    assert_array_equal(again.q, runs.q)
    assert again.status[1].message == runs.status[1].message


def test_states_between_the_stored_ones(runs, studies):
    """Compare at() of many with that of each."""
    times = np.array([0.0, 0.234, 0.777])
    q, v = runs.at(times)
    assert q.shape == v.shape == (2, 3, 3, 1)
    assert_array_equal(q[1, 2], runs[1, 2].at(times)[0])
    assert_allclose(studies.at(0.234)[0][:, 0], 0.1 + 0.234**2, atol=1e-9)
    q, v = studies.at(times[None])
    assert q.shape == v.shape == (*studies.shape, 1, 3, 1)
    assert_allclose(q[:, 0, :, 0], np.tile(0.1 + times**2, (len(q), 1)), atol=1e-9)
    assert_allclose(studies[0].at(times)[0], q[0, 0], atol=1e-9)
    for motion in (runs, studies, runs[0, 0], studies[0]):
        with pytest.raises(ps.ModelError, match=r"the (run|study) goes from t = 0 s to .*got 9"):
            motion.at([0.1, 9.0])


def test_pictures_of_many(runs, studies, tmp_path):
    """Draw chosen runs together: curves and figures of each."""
    figure = runs.plot(tmp_path / "a.png", ["cart", "force.coil"], rows=[0, 4, 5])
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["0", "4", "5"]
    assert_array_equal(figure.axes[0].get_lines()[1].get_ydata(), runs[1, 1].q[:, 0])
    for many in (runs, studies):
        path = many.animate(tmp_path / "many.gif", fps=10, rows=[0, 1], trace="cart").path
        with Image.open(path) as film:
            assert film.n_frames == 11
        many.draw(tmp_path / "many.png", rows=[0, 1, 2])
        assert (tmp_path / "many.png").stat().st_size > 1000


def test_a_study_shows_what_is_asked_for(studies, tmp_path):
    """Choose panels of a study as those of a run."""
    figure = studies[0].plot(tmp_path / "a.svg", what=["tau", "energy", "force.coil"])
    assert [axes.get_title(loc="left") for axes in figure.axes[:3]] == [
        "Drive forces", "Energies", "force.coil",
    ]  # fmt: skip
