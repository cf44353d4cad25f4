"""Chains and trees by the joint table of Zaremba (1990): integers n, offsets O and angles theta."""

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.spatial import rotation_x, rotation_y, rotation_z


def rotation(theta):
    """Return C1(θ1) C2(θ2) C3(θ3)."""
    return rotation_x(theta[0]) @ rotation_y(theta[1]) @ rotation_z(theta[2])


def chain_system(chain):
    """Return the system of a case's links."""
    bodies = []
    for k, link in enumerate(chain["links"], 1):
        n, offset, theta = link["n"], np.array(link["O"], float), np.array(link["theta"], float)
        if n <= 3:
            offset[n - 1] = 0.0
            R = rotation(theta)
            joint, pose = ps.Prismatic("xyz"[n - 1]), ps.Pose(R @ offset, matrix=R)
        else:
            theta[n - 4 :] = 0.0
            joint, pose = ps.Revolute("xyz"[n - 4]), ps.Pose(offset, matrix=rotation(theta))
        parent = "world" if link["parent"] == 0 else f"link {link['parent']}"
        bodies.append(
            ps.Body(
                f"link {k}",
                parent,
                joint,
                pose,
                mass=link["mass"],
                com=link["rc"],
                inertia=link["inertia_com"],
            )
        )
    return ps.System("chain", bodies, gravity=chain["gravity"])


def wrenches_of(given):
    """Return the external wrenches by body."""
    loads = given.get("external_wrench_link_axes", {})
    return {f"link {k}": np.array(load) for k, load in loads.items()}


def chain_coefficients(case):
    """Return transforms, l, g and quasi-velocities forward and backward."""
    given = case["given"]
    system = chain_system(given["chain"])
    q, v, a = (np.array(given[key]) for key in ("q", "qd", "qdd"))
    vectors = system.coefficient_vectors(q)
    n, k, j = system.nv - 1, given["back_k"] - 1, given["back_j"] - 1
    whole = vectors.pose(n)
    return {
        "C_n_0": whole.R,
        "O_n_0": whole.p,
        "L_n_1": vectors.L(n, 0),
        "l_n": [vectors.l(n, i) for i in range(n + 1)],
        "g_1": [vectors.g(0, i) for i in range(n + 1)],
        "V_n_0n": vectors.V(n, -1, v),
        "Vstar_n_0n": vectors.V_star(n, -1, v, a),
        "V_k_jk": vectors.V(k, j, v),
        "Vstar_k_jk": vectors.V_star(k, j, v, a),
    }


def derivatives(case):
    """Return derivatives of l, g, composite inertia and A."""
    given = case["given"]
    system = chain_system(given["chain"])
    return differentiated(system, np.array(given["q"]), given)


def differentiated(system, q, asked):
    """Return the derivatives that a case asks for."""
    vectors = system.coefficient_vectors(q)

    def value(name, entry):
        by = [t - 1 for t in entry["t"]]
        if name == "Theta":
            return vectors.Theta(entry["i"] - 1, by)
        if name == "a":
            return vectors.a(entry["i"] - 1, entry["j"] - 1, by)
        return getattr(vectors, name)(entry["k"] - 1, entry["i"] - 1, by)

    return {
        name: [entry | {"value": value(name, entry)} for entry in asked[name]]
        for name in ("l", "g", "Theta", "a")
        if name in asked
    }


def chain_dynamics(case):
    """Return A, d, b, Q and the wrenches in the joints."""
    given = case["given"]
    system = chain_system(given["chain"])
    q, v, a = (np.array(given[key]) for key in ("q", "qd", "qdd"))
    vectors, loads = system.coefficient_vectors(q), wrenches_of(given)
    numbers = {system.body_names.index(name): load for name, load in loads.items()}
    reactions = system.reactions(q, v, a=a, wrenches=loads)
    found = {
        "A": vectors.mass_matrix(),
        "d": vectors.d(),
        "f_g": vectors.f_g(),
        "f_e": vectors.f_e(numbers),
        "b": system.bias(q, v, wrenches=loads),
        "Q": system.inverse_dynamics(q, v, a, wrenches=loads),
        "Theta_1_star": vectors.Theta(0),
        "joint_wrench_in_link_axes": {
            str(k): reactions[name] for k, name in enumerate(system.joint_names, 1)
        },
    }
    if "l" in given:
        found["derivatives"] = differentiated(system, q, given)
    return found


def linearisation(case):
    """Return the matrices of deviations from the constrained motion."""
    given = case["given"]
    constraint = given["constraint"]
    base = chain_system(given["chain"])
    body, rho = f"link {constraint['link']}", np.array(constraint["point_local"])
    axes = ["xyz".index(name) for name in constraint["components"]]

    def residual(q, t):
        pose = base.pose(body, q)
        point = pose[:3, 3] + pose[:3, :3] @ rho
        wanted = [constraint["desired"][name] for name in constraint["components"]]
        return [
            point[k] - (d["a0"] + d["a1"] * np.sin(d["w"] * t + d["ph"]))
            for k, d in zip(axes, wanted, strict=True)
        ]

    rows = ps.Holonomic("programme", residual)
    system = ps.System("chain", base.bodies, gravity=base.gravity, constraints=[rows])
    q, v, tau = (np.array(given[key]) for key in ("q", "qd", "Q"))
    loads = wrenches_of(given)
    model = ps.linearize(system, q, v, tau=tau, t=given["t"], motion=True, wrenches=loads)
    parts = model.K_parts
    return {
        "dA_dq_qdd": parts["inertia"],
        "db_dqd": model.C,
        "db_dq": parts["bias"],
        "dGammaT_dq_N": -parts["constraints"],
        "K_total": model.K,
        "constraint_C1": model.C1,
        "constraint_C0": model.C0,
        "dN_dq": model.by["lam", "q"],
        "dN_dqd": model.by["lam", "v"],
        "dN_dQ": model.by["lam", "tau"],
        "dqdd_dq": model.by["a", "q"],
        "dqdd_dqd": model.by["a", "v"],
    }


def multi_dof(case):
    """Return directional derivatives of a coefficient vector through a spherical joint."""
    given = case["given"]
    before, ball, after = (given[key] for key in ("L_before", "L_spherical", "L_after"))
    n = given["n"]
    joint = ps.Revolute("xyz"[n - 4]) if n > 3 else ps.Prismatic("xyz"[n - 1])
    place = ps.Pose(before["O"], matrix=rotation(before["theta"]))
    turned = ps.Pose(ball["O"])
    beyond = ps.Pose(after["O"], matrix=rotation(after["theta"]))
    bodies = [
        ps.Body("i", joint=joint, mass=1.0),
        ps.Body("before", "i", ps.Fixed(), place, mass=1.0),
        ps.Body("t", "before", ps.Spherical(), turned, mass=1.0),
        ps.Body("k", "t", ps.Fixed(), beyond, mass=1.0),
    ]
    system = ps.System("spherical", bodies)
    x, y, z, w = Rotation.from_matrix(rotation(ball["theta"])).as_quat()
    vectors = system.coefficient_vectors(np.array([0.0, w, x, y, z]))
    k, axes = 3, (1, 2, 3)
    return {
        "l_k_i": vectors.l(k, 0),
        "first": [vectors.l(k, 0, [t]) for t in axes],
        "second_D_alpha_D_beta": [[vectors.l(k, 0, [s, t]) for t in axes] for s in axes],
    }
