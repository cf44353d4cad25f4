"""The closed forms of derivatives and the graph in ``verify``: a fault in either is seen."""

import pytest

import poinsot as ps
from poinsot.expr import tangent
from poinsot.formulations.coefficient_vectors import CoefficientVectors

INERTIA = {"mass": 1.3, "com": (0.1, 0.2, -0.1), "inertia": (0.3, 0.4, 0.5, 0.01, 0.02, 0.03)}


def turned():
    """Return joints with quaternions and with moving axes, in a row and on a branch."""
    joints = [ps.Free(), ps.Universal("x", "y"), ps.Spherical(), ps.Euler("zyx"), ps.Revolute("y")]
    bodies = [
        ps.Body(f"b{k}", f"b{k - 1}" if k else "world", joint, ps.Pose((0.1, 0.2, 0.3)), **INERTIA)
        for k, joint in enumerate(joints)
    ]
    branch = ps.Body("branch", "b1", ps.Prismatic("x"), ps.Pose((0.3, 0.1, 0)), **INERTIA)
    return ps.System("turned", [*bodies, branch])


def compared(system):
    """Return the checks of derivatives by closed forms."""
    checks = ps.verify(system, n_states=1).checks
    return {check.name: check for check in checks if check.name.endswith("graph, closed form")}


@pytest.mark.parametrize("make", [ps.library.puma560, ps.library.four_bar, turned])
def test_closed_forms_agree_at_every_order(make):
    """Compare M, l and g; of more than six velocities too."""
    system = make()
    checks = compared(system)
    letters = {name[15] for name in checks}
    assert letters == {"M", "l", "g"}
    assert len(checks) == (4 if system.nv <= 6 else 3)
    assert all(check.ok for check in checks.values()), checks


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("letter", ["M", "l", "g"])
@pytest.mark.parametrize("make", [ps.library.puma560, lambda: ps.library.chain(9), turned])
def test_a_fault_in_a_closed_form_is_seen(make, letter, order, monkeypatch):
    """Change the sign of one closed form at one order: the check of it differs."""
    name = "a" if letter == "M" else letter
    right = getattr(CoefficientVectors, name)

    def wrong(self, k, i, by=()):
        vector = right(self, k, i, by)
        return -vector if len(by) == order else vector

    monkeypatch.setattr(CoefficientVectors, name, wrong)
    failed = {check for check, result in compared(make()).items() if not result.ok}
    assert f"derivatives of {letter}, orders 1 to 3: graph, closed form" in failed
    others = {check[15] for check in failed} - {letter}
    assert others <= {"M"}, "l and g are of what M is made, and not of each other"


def test_screws_in_the_wrong_order_are_seen(monkeypatch):
    """Multiply the screws of theorems 1 and 2 from the tip on."""
    right = CoefficientVectors._by_depth
    monkeypatch.setattr(CoefficientVectors, "_by_depth", lambda self, by: right(self, by)[::-1])
    failed = {check[15] for check, result in compared(turned()).items() if not result.ok}
    assert failed == {"M", "l", "g"}


def test_a_fault_of_the_graph_is_seen(monkeypatch):
    """Let the graph go along its directions too fast, by a thousandth."""
    monkeypatch.setattr(
        "poinsot.verification.derivative_checks.tangent",
        lambda result, q, rates: tangent(result, q, 1.001 * rates),
    )
    failed = {check[15] for check, result in compared(ps.library.chain(8)).items() if not result.ok}
    assert failed == {"M", "l", "g"}
