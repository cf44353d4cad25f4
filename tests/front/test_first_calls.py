"""What first calls of derivatives of large systems take: counted, and their results."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate import derivative as straight_derivatives
from poinsot.evaluate import derivative_kernel as derivatives
from poinsot.evaluate.derivative import trace_derivative
from poinsot.evaluate.request import Derivative, Request
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.straight_modules import single_ir
from poinsot.kernels.llvm.target import Target
from tests.front.test_long_derivatives import tree

RNG = np.random.default_rng(8)
STEP = 1e-5


def state_of(system):
    """Return q, v and tau."""
    q = system.integrate(system.neutral(), 0.4 * RNG.normal(size=system.nv))
    return q, *RNG.normal(size=(2, system.nv))


@pytest.fixture
def rolled_only(monkeypatch):
    """Let no derivative along directions be straight."""
    monkeypatch.setattr(derivatives, "LONGEST_ROLLABLE", 0)


@pytest.mark.parametrize(
    "by",
    [("q", "q"), ("q", "v"), ("v", "q"), ("tau", "q"), ("m", "q"), ("q", "m"), ("q", "q", "q")],
)
def test_tangents_of_rolled_tangents(by, rolled_only):
    """Compare them with the straight program, which the interpreter runs; joints have balls."""
    system = tree()
    q, v, tau = state_of(system)
    along = tuple(np.ones(1) if name == "m" else RNG.normal(size=system.nv) for name in by)
    how = {"by": by, "along": along, "parameters": {"m": 1.7}}
    found = system.derivative("forward_dynamics", q, v, tau, **how)
    asked = Request("forward_dynamics", derivative=Derivative(by, (True,) * len(by)))
    assert isinstance(system._evaluation.evaluators.find(asked).kernel, RolledKernel)
    straight = system.derivative("forward_dynamics", q, v, tau, backend="interpreter", **how)
    assert_allclose(found, straight, atol=1e-11 * np.abs(straight).max())


def test_rolled_time_derivatives(rolled_only):
    """Compare the second one of the mass matrix with differences of the first."""
    system = tree()
    q, v, a = state_of(system)
    found = system.time_derivative("mass_matrix", q, v, a, order=2)
    asked = Request("mass_matrix", derivative=Derivative(rate=2))
    assert isinstance(system._evaluation.evaluators.find(asked).kernel, RolledKernel)
    rates = [
        system.time_derivative("mass_matrix", system.integrate(q, s * v + s * s / 2 * a), v + s * a)
        for s in (-STEP, STEP)
    ]
    difference = (rates[1] - rates[0]) / (2 * STEP)
    assert_allclose(found, difference, atol=1e-7 * np.abs(difference).max())


@pytest.mark.parametrize("make", [ps.library.humanoid, lambda: ps.library.chain(30)])
def test_second_derivatives_of_accelerations(make, monkeypatch):
    """Compare them with differences of the first; no graph is differentiated in vain."""
    begun = []
    monkeypatch.setattr(
        straight_derivatives, "_differentiated", lambda *given, **_: begun.append(given)
    )
    system = make()
    q, v, tau = state_of(system)
    u = RNG.normal(size=system.nv)

    def first(s):
        """Return the derivative along u a step away."""
        moved = system.integrate(q, s * u)
        return system.derivative("forward_dynamics", moved, v, tau, by="q", along=u)

    both = system.derivative("forward_dynamics", q, v, tau, by=("q", "q"), along=(None, u))
    difference = (first(STEP) - first(-STEP)) / (2 * STEP)
    assert_allclose(both @ u, difference, atol=1e-7 * np.abs(difference).max())
    assert not begun
    asked = Request("forward_dynamics", derivative=Derivative(("q", "q"), (True, True)))
    assert isinstance(system._evaluation.evaluators.find(asked).kernel, RolledKernel)


@pytest.mark.parametrize(
    ("quantity", "by", "how"),
    [("mass_matrix", ("q",), {}), ("pose", ("q", "q"), {"body": "left_hand"})],
)
def test_sparse_derivatives(quantity, by, how):
    """Count the stores of code with many zeros, and compare it with products."""
    system = ps.library.humanoid()
    q = state_of(system)[0]
    along = RNG.normal(size=(len(by), system.nv))
    dense = system.derivative(quantity, q, by=by, **how)
    product = system.derivative(quantity, q, by=by, along=tuple(along), **how)
    contracted = dense
    for u in along[::-1]:
        contracted = contracted @ u
    assert_allclose(contracted, product, atol=1e-12 * np.abs(dense).max())
    body = None if "body" not in how else system.body_names.index(how["body"])
    asked = Request(quantity, body=body, derivative=Derivative(by, (False,) * len(by)))
    program = trace_derivative(system._mechanism, asked)
    text = single_ir(program, Target.current())
    assert np.count_nonzero(dense) < 0.4 * dense.size
    assert text.count(" store ") < np.count_nonzero(dense) + program.n_operations / 4


def spatial_ring(n):
    """Return a chain of hinges in space whose end is pinned, and a state of it."""
    rng = np.random.default_rng(5)
    bodies = []
    for k in range(n):
        axis = rng.normal(size=3)
        bodies.append(
            ps.Body(f"b{k}", f"b{k - 1}" if k else "world",
                    ps.Revolute(axis / np.linalg.norm(axis)), ps.Pose((0.3, 0.1, 0.0)), 1.0,
                    (0.1, 0.05, 0.1), (0.1, 0.12, 0.11))
        )  # fmt: skip
    q = 0.5 * rng.normal(size=n)
    end = ps.System("open", bodies).pose(f"b{n - 1}", q)[:3, 3]
    pin = ps.Loop("pin", f"b{n - 1}", ("world", tuple(end)), ps.Spherical())
    system = ps.System("ring", bodies, loops=[pin])
    v, a, tau, further = rng.normal(size=(4, n))
    return system, q, v, a, tau, further


@pytest.mark.parametrize("quantity", ["driven_dynamics", "multipliers", "motion_multipliers"])
def test_least_norm_solutions_have_rolled_tangents(quantity, rolled_only, monkeypatch):
    """Compare first and second derivatives along directions with the straight programs."""
    monkeypatch.setenv("POINSOT_CACHE", "0")
    system, q, v, a, tau, u = spatial_ring(6)
    given = {"driven_dynamics": (q, v, a), "multipliers": (q, v, tau),
             "motion_multipliers": (q, v, a, tau)}[quantity]  # fmt: skip
    name = "inverse_dynamics" if quantity == "driven_dynamics" else quantity
    for by, along in (("q", u), (("q", "v"), (u, a)), (("q", "q"), (u, a))):
        found = system.derivative(name, *given, by=by, along=along)
        straight = system.derivative(name, *given, by=by, along=along, backend="interpreter")
        assert_allclose(found, straight, atol=1e-9 * max(np.abs(straight).max(), 1.0))
        derivative = Derivative((by,) if isinstance(by, str) else by, (True,) * len(by))
        joints = tuple(range(6)) if quantity == "driven_dynamics" else None
        asked = Request(quantity, joints=joints, derivative=derivative)
        assert isinstance(system._evaluation.evaluators.find(asked).kernel, RolledKernel)


def test_few_driven_joints_have_rolled_tangents(rolled_only, monkeypatch):
    """Compare derivatives of the forces of three of six joints, which two solutions give."""
    monkeypatch.setenv("POINSOT_CACHE", "0")
    system, q, v, a, _, u = spatial_ring(6)
    joints = [system.joint_names[k] for k in (0, 2, 3)]
    asked = ("inverse_dynamics", q, v, a)
    for by, along in (("q", u), (("q", "a"), (u, v))):
        found = system.derivative(*asked, by=by, along=along, joints=joints)
        straight = system.derivative(
            *asked, by=by, along=along, joints=joints, backend="interpreter"
        )
        assert np.abs(found).max() > 0
        assert_allclose(found, straight, atol=1e-9 * max(np.abs(straight).max(), 1.0))


@pytest.mark.parametrize(
    "make", [ps.library.bennett, ps.library.bricard, ps.library.double_wishbone,
             ps.library.stewart_platform],
)  # fmt: skip
@pytest.mark.parametrize("quantity", ["multipliers", "inverse_dynamics"])
def test_rows_that_depend_on_each_other(make, quantity, rolled_only, monkeypatch):
    """Compare rolled tangents with straight programs where rows are redundant, or many."""
    monkeypatch.setenv("POINSOT_CACHE", "0")
    system, rng = make(), np.random.default_rng(1)
    q = system.assemble(system.integrate(system.neutral(), 0.1 * rng.normal(size=system.nv)))
    v, x, u = rng.normal(size=(3, system.nv))
    found = system.derivative(quantity, q, v, x, by="q", along=u)
    straight = system.derivative(quantity, q, v, x, by="q", along=u, backend="interpreter")
    assert_allclose(found, straight, atol=1e-9 * max(np.abs(straight).max(), 1.0))


def test_time_derivatives_of_driven_rings(rolled_only, monkeypatch):
    """Compare the rolled second time derivative of driven dynamics with differences."""
    monkeypatch.setenv("POINSOT_CACHE", "0")
    system, q, v, a, j, s = spatial_ring(6)

    def rate(h):
        """Return the first derivative a little later."""
        moved = system.integrate(q, h * v + h**2 / 2 * a + h**3 / 6 * j)
        return system.time_derivative(
            "inverse_dynamics", moved, v + h * a + h**2 / 2 * j, a + h * j + h**2 / 2 * s, j + h * s
        )

    found = system.time_derivative("inverse_dynamics", q, v, a, j, s, order=2)
    difference = (rate(STEP) - rate(-STEP)) / (2 * STEP)
    assert_allclose(found, difference, atol=1e-6 * np.abs(difference).max())


@pytest.mark.parametrize("closed", [False, True])
def test_long_products_with_weights(closed, rolled_only, monkeypatch):
    """Compare weights times Jacobians whose backward programs are too long: dense, along, many."""
    monkeypatch.setenv("POINSOT_CACHE", "0")
    monkeypatch.setattr(derivatives, "LONGEST_DENSE", 100)
    system, q, v, _, tau, u = spatial_ring(6)
    system = system if closed else ps.System("open", system.bodies)
    w = RNG.normal(size=(3, 6))
    state = "forward_dynamics", q, v, tau
    J = system.derivative(*state, by="q", backend="interpreter")
    scale = np.abs(J).max()
    assert_allclose(system.derivative(*state, by="q", weights=w), w @ J, atol=1e-9 * scale)
    found = system.derivative(*state, by="q", weights=w, along=u)
    assert_allclose(found, w @ J @ u, atol=1e-8 * scale)
    out = np.empty(6)
    assert system.derivative(*state, by="q", weights=w[0], out=out) is out
    assert_allclose(out, w[0] @ J, atol=1e-9 * scale)
