"""Accuracy of tools: influence of each error, worst case, samples, deflection."""

import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

TABLE = [(6, (0.11, -0.25, 0.51), (0.89, -0.28, 0.0)), (2, (0.38, 0.0, -0.04), (-0.89, -0.5, 0.68)),
         (4, (0.24, -0.38, 0.08), (0.0, 0.0, 0.0))]  # fmt: skip
ARM = ps.from_joint_table("arm", TABLE, masses=[1, 1, 1])
Q = np.array([0.9, -0.6, 0.7])
TOOL = ps.Pose((0.12, -0.05, 0.2), rpy=(0.3, -0.2, 0.5))
TOLERANCES = {"link 1": np.full(6, 1e-4), "link 2": np.full(6, 2e-4)}


def tool(system, q=Q):
    """Return the pose of the tool."""
    X, inner = TOOL.transform(), np.eye(4)
    inner[:3, :3], inner[:3, 3] = X.R, X.p
    return system.pose("link 3", q) @ inner


def displaced(system, q=Q):
    """Return the displacement of the tool, linear in small errors, from that of the right arm."""
    X = np.linalg.solve(tool(ARM), tool(system, q))
    return np.array([*X[:3, 3], X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1]]) / [
        1, 1, 1, 2, 2, 2,
    ]  # fmt: skip


def test_influences_are_those_of_changed_arms():
    """Change each pose and each entry of the table a little: [Zaremba1990] offsets and angles."""
    measure = ps.accuracy(ARM, "link 3", Q, TOOL, pose_errors=TOLERANCES)
    h = 1e-6
    for k, name in enumerate(measure.names[3:9]):
        errors = np.zeros(6)
        errors[k] = h
        body = ARM.bodies[0]
        turn = ps.Pose(rpy=errors[3:]).transform().R
        pose = ps.Pose(np.array(body.pose.xyz) + errors[:3], matrix=turn @ body.pose.matrix)
        wrong = ps.System("wrong", [replace(body, pose=pose), *ARM.bodies[1:]])
        expected = displaced(wrong) / h
        assert_allclose(measure.influence[:, 3 + k], expected, atol=1e-5, err_msg=name)
    # an offset of the table is a shift along the parent's axes, where the joint turns
    rows = [(6, np.add(TABLE[0][1], [0, h, 0]), TABLE[0][2]), *TABLE[1:]]
    wrong = ps.from_joint_table("wrong", rows, masses=[1, 1, 1])
    assert_allclose(measure.influence[:, 4], displaced(wrong) / h, atol=1e-6)
    for k in range(3):
        moved = Q + h * np.eye(3)[k]
        assert_allclose(measure.influence[:, k], displaced(ARM, moved) / h, atol=1e-5)


def test_samples_agree_with_the_covariance_and_stay_within_the_worst_case():
    """1e5 exact displacements well under a second; their covariance is J S Jᵀ to first order."""
    measure = ps.accuracy(ARM, "link 3", Q, TOOL, joint_errors=1e-3, pose_errors=TOLERANCES)
    measure.sample(10)
    began = time.process_time()
    displacements = measure.sample(100_000)
    assert time.process_time() - began < 1.5
    expected = measure.covariance()
    scale = np.sqrt(np.diag(expected))
    assert_allclose(np.cov(displacements.T) / np.outer(scale, scale),
                    expected / np.outer(scale, scale), atol=0.02)  # fmt: skip
    uniform = measure.sample(2000, distribution="uniform")
    assert (np.abs(uniform) <= measure.worst_case * 1.01 + 1e-6).all()
    # one error alone, exact and linear
    errors = np.zeros((1, 15))
    errors[0, 10] = 1e-5
    assert_allclose(measure.displacements(errors)[0], 1e-5 * measure.influence[:, 10], atol=1e-9)
    axes = measure.ellipsoid()
    assert_allclose(axes @ axes.T, 9.0 * expected[:3, :3], atol=1e-18)
    assert_allclose(sum(measure.shares().values()), 1.0)


def test_compliant_joints_sag(tmp_path):
    """A horizontal link of 1 m with 2 kg at its end: c m g L down, and it is drawn."""
    body = ps.Body("link", joint=ps.Revolute("y"), mass=2.0, com=(1, 0, 0))
    boom = ps.System("boom", [body])
    measure = ps.accuracy(boom, "link", [[0.0], [0.5]], (1, 0, 0), compliance=1e-4,
                          joint_errors=1e-3)  # fmt: skip
    sag = 1e-4 * 2.0 * 9.81
    assert_allclose(measure.deflection[0], [0, 0, -sag, 0, sag, 0], atol=1e-12)
    assert measure.worst_case.shape == (2, 6)
    single = ps.accuracy(boom, "link", [0.0], (1, 0, 0), joint_errors=1e-3)
    single.plot(tmp_path / "errors.png", n=200)
    assert (tmp_path / "errors.png").exists()


def test_elastic_links_bend_as_beams_do():
    """A cantilever under its weight and one at its end: q L⁴/8EI + F L³/3EI, turned with it."""
    L, mass, end = 2.0, 6.0, 4.0
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=mass, com=(L / 2, 0, 0),
                  inertia=(0, mass * L**2 / 12, mass * L**2 / 12))  # fmt: skip
    weight = ps.Body("weight", "rod", ps.Fixed(), ps.Pose((L, 0, 0)), mass=end)
    boom = ps.System("boom", [rod, weight])
    bar = ps.Bar("rod", (0, 0, 0), (L, 0, 0), density=mass / L)
    EA, EI = 1e7, 5e4
    sag = 9.81 * (mass / L * L**4 / 8 + end * L**3 / 3) / EI
    angle = 9.81 * (mass / L * L**3 / 6 + end * L**2 / 2) / EI
    q = np.array([[0.0], [np.pi / 2], [-0.5]])
    measure = ps.accuracy(boom, "weight", q, links=[(bar, (EA, 1e4, EI, EI))])
    assert_allclose(measure.deflection[0], [0, 0, -sag, 0, angle, 0], atol=1e-9)
    stretch = 9.81 * (mass / 2 + end) * L / EA  # hanging
    assert_allclose(measure.deflection[1], [stretch, 0, 0, 0, 0, 0], atol=1e-12)
    assert_allclose(measure.deflection[2, 2], -sag * np.cos(0.5), rtol=1e-9)
    with pytest.raises(ps.ModelError, match="four positive numbers"):
        ps.accuracy(boom, "weight", [0.0], links=[(bar, EI)])


def test_the_mean_shifts_to_second_order():
    """A rod that points somewhere near x is on average shorter: L (1 - s²/2)."""
    boom = ps.System("boom", [ps.Body("rod", joint=ps.Revolute("y"), mass=1, com=(1, 0, 0))])
    measure = ps.accuracy(boom, "rod", [0.0], (2, 0, 0), joint_errors=0.03)
    assert_allclose(measure.mean_shift()[0], -2.0 * 0.01**2 / 2, rtol=1e-3)


def test_lengths_of_links_change_along_their_axes(tmp_path):
    """Longer links in place of errors and strains, between joints and from the last to the tool."""
    lengths, h = (0.7, 0.5, 0.3), 1e-5

    def planar(*lengths):
        rows = [{"a": length, "alpha": 0.4} for length in lengths]
        return ps.from_mdh("arm", [{"a": 0.1}, *rows], masses=[1] * 4)

    arm, q = planar(*lengths), np.array([0.3, -0.5, 0.8, 0.2])
    tool = ps.Pose((0.0, 0.2, 0.1))
    errors = {"link 1": 3e-4, "link 3": 1e-4, "link 4": 2e-4}
    measure = ps.accuracy(arm, "link 4", q, tool, joint_errors=1e-3, length_errors=errors,
                          pose_errors={"link 2": [1e-4] * 6})  # fmt: skip
    assert measure.names[-3:] == ("link 1.length", "link 3.length", "link 4.length")
    assert_allclose(measure.tolerances[-3:], [3e-4, 1e-4, 2e-4])

    def place(system, tool):
        return (system.pose("link 4", q) @ np.append(tool, 1.0))[:3]

    R = arm.pose("link 4", q)[:3, :3]
    longer = [(planar(0.7 + h, 0.5, 0.3), tool.xyz), (planar(0.7, 0.5, 0.3 + h), tool.xyz),
              (arm, np.array(tool.xyz) * (1.0 + h / np.hypot(0.2, 0.1)))]  # fmt: skip
    moved = [(place(system, point) - place(arm, tool.xyz)) / h for system, point in longer]
    assert_allclose(measure.influence[:3, -3:], R.T @ np.transpose(moved), atol=1e-9)
    assert_allclose(measure.influence[3:, -3:], 0.0, atol=1e-15)
    all_errors = np.zeros((1, 13))
    all_errors[0, -3:] = 1e-3, 2e-3, 3e-3  # exact: translations
    displaced = measure.displacements(all_errors)[0]
    assert_allclose(displaced, all_errors[0] @ measure.influence.T, atol=1e-15)
    warm = ps.accuracy(arm, "link 4", q, tool, strains={"link 1": 12e-6 * 30, "link 3": -1e-4})
    expected = measure.influence[:, -3] * 12e-6 * 30 * 0.7 - measure.influence[:, -2] * 1e-4 * 0.3
    assert_allclose(warm.deflection, expected, atol=1e-15)
    along = ps.accuracy(arm, "link 4", q + np.linspace(0, 1, 20)[:, None], tool, joint_errors=1e-3)
    along.plot(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 10_000
    spherical = ps.library.seven_joint_arm()
    with pytest.raises(ps.ModelError, match="'link 1': its joint and 'link 2' are at one point"):
        ps.accuracy(spherical, "link 7", np.zeros(7), length_errors={"link 1": 1e-4})
    with pytest.raises(ps.ModelError, match="length_errors must not be negative"):
        ps.accuracy(arm, "link 4", q, length_errors={"link 1": -1e-4})
    with pytest.raises(ps.ModelError, match="strains must name links"):
        ps.accuracy(arm, "link 4", q, strains=1e-4)


def test_every_entry_of_a_joint_table_may_have_an_error():
    """Offsets and angles of joints that turn and slide: the twists of [Zaremba1990], mapped."""
    o, u, a, b = ps.symbols("o u a b")
    rows = [(6, (0.1, o, 0.3), (0.2, a, 0.0)), (2, (u, 0.1, -0.2), (0.4, b, 0.6))]
    values = {"o": 0.2, "u": 0.5, "a": -0.3, "b": 0.7}
    arm, q = ps.from_joint_table("arm", rows, masses=[1, 1]), np.array([0.9, 0.3])
    measure = ps.accuracy(arm, "link 2", q, TOOL, parameters=values, joint_errors=1e-3,
                          parameter_errors=dict.fromkeys("ouab", 1e-4))  # fmt: skip
    assert measure.names[2:] == ("o", "u", "a", "b")
    X = TOOL.transform()

    def turned(axis, angle):
        return ps.Pose(axis=axis, angle=angle).transform().R

    # in axes of each link: w = (C_{m+1} ... C_3)ᵀ e_m; a joint that slides turns about its parent
    C1 = turned("x", 0.2) @ turned("y", -0.3) @ turned("z", 0.9)
    w1, w2 = turned("z", 0.9).T @ [0, 1, 0], turned("z", 0.6).T @ [0, 1, 0]
    C2, O2 = turned("x", 0.4) @ turned("y", 0.7) @ turned("z", 0.6), np.array([0.5, 0.4, -0.2])
    arms = {"o": (C1.T @ [0, 1, 0], np.zeros(3)), "a": (np.zeros(3), w1)}
    for name, (v, w) in arms.items():  # from link 1 to link 2: at its origin, in its axes
        arms[name] = C2.T @ (v + np.cross(w, C2 @ O2)), C2.T @ w
    arms |= {"u": (np.array([1.0, 0, 0]), np.zeros(3)), "b": (np.cross(w2, O2), w2)}
    for k, name in enumerate("ouab", start=2):
        v, w = arms[name]
        expected = np.concatenate([X.R.T @ (v + np.cross(w, X.p)), X.R.T @ w])
        assert_allclose(measure.influence[:, k], expected, atol=1e-12, err_msg=name)
    errors = np.zeros((1, 6))
    errors[0, 2:] = 1e-2, -2e-2, 3e-2, 1e-2
    changed = {name: values[name] + e for name, e in zip("ouab", errors[0, 2:], strict=True)}
    near, far = (arm.pose("link 2", q, parameters=x)[:3] for x in (values, changed))
    moved = (far - near) @ np.append(X.p, 1.0)
    expected = (near[:, :3] @ X.R).T @ moved
    assert_allclose(measure.displacements(errors)[0, :3], expected, atol=1e-12)
    with pytest.raises(ps.ModelError, match="no free parameter 'p'; known are 'o', 'a', 'u', 'b'"):
        ps.accuracy(arm, "link 2", q, parameters=values, parameter_errors={"p": 1.0})
    with pytest.raises(ps.ModelError, match="parameter 'o' has no value; give parameters="):
        ps.accuracy(arm, "link 2", q, joint_errors=1e-3)


def test_mistakes_are_named():
    """Shapes, signs, distributions, closed systems."""
    with pytest.raises(ps.ModelError, match="six tolerances"):
        ps.accuracy(ARM, "link 3", Q, pose_errors={"link 1": 1e-3})
    with pytest.raises(ps.ModelError, match="must not be negative"):
        ps.accuracy(ARM, "link 3", Q, joint_errors=-1.0)
    with pytest.raises(ps.ModelError, match="'uniform'"):
        ps.accuracy(ARM, "link 3", Q).sample(10, distribution="unform")
    with pytest.raises(ps.ModelError, match="number n of samples must be a whole number"):
        ps.accuracy(ARM, "link 3", Q).sample(-3)
    with pytest.raises(ps.ModelError, match="pose_errors must name bodies"):
        ps.accuracy(ARM, "link 3", Q, pose_errors=[1e-3] * 6)
    with pytest.raises(ps.ModelError, match="joint_errors must be real numbers"):
        ps.accuracy(ARM, "link 3", Q, joint_errors={"link 1": 1e-3})
    four_bar = ps.library.four_bar()
    with pytest.raises(ps.ModelError, match="give a tree"):
        ps.accuracy(four_bar, four_bar.body_names[0], four_bar.neutral())
