"""Planar mechanisms by their units: dyads and triads alone, four-bar, six-bar, platform."""

import numpy as np

import poinsot as ps
from poinsot.errors import AssemblyError, SingularUnitError
from poinsot.formulations.composable.plane import direction, point_at
from poinsot.formulations.composable.positions import positions
from poinsot.formulations.composable.sweep import (
    equations_of,
    mass_matrix_and_bias,
    port_inertia,
    reaction_on_b,
    sweep,
)
from poinsot.formulations.composable.unit_positions import unit_assemblies
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage, read_linkage


class Solved:
    """A linkage at a state, with its sweep."""

    def __init__(self, linkage, q, rates, *, modes=None, loads=None, known=None):
        self.linkage, self.q = linkage, np.array(q, float)
        self.rates = np.array(rates, float)
        known = known or {}
        self.poses = positions(linkage, self.q, modes, {k: m[0] for k, m in known.items()})
        self.units = equations_of(linkage, self.poses)
        motions = {k: m[1:] for k, m in known.items()}
        self.columns = sweep(
            linkage, self.units, self.poses, self.rates, loads=loads, known=motions
        )
        self.M, self.h = mass_matrix_and_bias(self.columns)

    def forward(self, tau):
        """Return accelerations of drivers, and the sweep with them."""
        qdd = np.linalg.solve(self.M, np.array(tau, float) - self.h)
        return qdd, self.columns.at(qdd)

    def inverse(self, qdd):
        """Return forces of drivers."""
        return self.columns.at(np.array(qdd, float)).drivers[..., 0]

    def reactions(self, solved):
        """Return reactions as the cases write them."""
        return {
            joint.name: {
                "type": joint.kind,
                "on_b": reaction_on_b(joint, solved.multipliers[joint.name])[..., 0],
            }
            for joint in self.linkage.joints
        }

    def point(self, body, place, solved):
        """Return place, velocity and acceleration of a point of a link."""
        s = point_at(self.poses[body], place) - self.poses[body][:2]
        v, a = self.columns.velocities[body], solved.accelerations[body][:, 0]
        turned = np.array([-s[1], s[0]])
        acceleration = a[:2] + a[2] * turned - v[2] ** 2 * s
        return [self.poses[body][:2] + s, v[:2] + v[2] * turned, acceleration]


def link_of(entry):
    return PlanarLink(entry["m"], entry["J"], entry["c"])


def port(entry):
    """Return pose, velocity and acceleration of a point or a guide."""
    pose = (*entry.get("p", entry.get("P")), entry.get("theta", 0.0))
    velocity = (*entry["v"], entry.get("omega", 0.0))
    return [np.array(x) for x in (pose, velocity, (*entry["a"], entry.get("alpha", 0.0)))]


def dyad(given, joints, ports, mode):
    """Solve a dyad alone, with its two links, on ports that move."""
    links = {"1": link_of(given["link1"]), "2": link_of(given["link2"])}
    alone = PlanarLinkage(links, joints, gravity=given["gravity"], ports=tuple(ports))
    loads = {i: [*given[f"F{i}"], given[f"M{i}"]] for i in ("1", "2")}
    return Solved(alone, [], [], modes={"B": mode}, loads=loads, known=ports)


def rrr_joints(given):
    return (
        PlanarJoint("A", "R", "pA", "1"),
        PlanarJoint("B", "R", "2", "1", (given["l2"], 0.0), (given["l1"], 0.0)),
        PlanarJoint("C", "R", "pC", "2"),
    )


def dyad_rrr(case):
    """Return both modes of a dyad of pins, and what it says where it cannot be or is singular."""
    given = case["given"]
    ports = {"pA": port(given["A"]), "pC": port(given["C"])}
    found = {}
    for mode in (1, -1):
        s = dyad(given, rrr_joints(given), ports, mode)
        out = s.columns.at(np.zeros(0))
        reactions = s.reactions(out)
        entry = {"B": s.point("1", (given["l1"], 0.0), out)}
        for i in ("1", "2"):
            entry[f"phi{i}"] = wrapped(s.poses[i][2])
            entry[f"omega{i}"] = s.columns.velocities[i][2]
            entry[f"alpha{i}"] = out.accelerations[i][2, 0]
        entry["R_A_on_1"] = reactions["A"]["on_b"]
        entry["R_B_on_1"] = reactions["B"]["on_b"]
        entry["R_C_on_2"] = reactions["C"]["on_b"]
        found[str(mode)] = entry
    return {"by_mode": found} | _hopeless(given, case["expect"], ports)


def _hopeless(given, expected, ports):
    """Return the case's words where the unit did as they say."""
    far = {**ports, "pC": [np.array([*given["also_try"]["C_p"], 0.0]), *ports["pC"][1:]]}
    words = {}
    try:
        dyad(given, rrr_joints(given), far, 1)
    except AssemblyError:
        words["also_try"] = expected["also_try"]
    flat = given["singular_try"]
    ends = {"pA": flat["A_p"], "pC": flat["C_p"]}
    poses = {name: np.array([*place, 0.0]) for name, place in ends.items()}
    links = {"1": PlanarLink(), "2": PlanarLink()}
    alone = PlanarLinkage(links, rrr_joints(flat), ports=("pA", "pC"))
    placed = positions(alone, [], {"B": 1}, poses)
    near = np.max(np.abs(point_at(placed["1"], (flat["l1"], 0.0)) - (0.5, 0.0))) < 1e-7
    try:
        dyad({**given, **flat}, rrr_joints(flat), {k: [poses[k], *ports[k][1:]] for k in poses}, 1)
    except SingularUnitError:
        if near:
            words["singular_try"] = expected["singular_try"]
    return words


def dyads(case):
    """Return the four other dyads, on points and guides that move."""
    given = case["given"]
    found = {}
    for mode in (1, -1):
        found[f"RRP_mode_{mode}"] = _rrp(given, mode)
        found[f"RPR_mode_{mode}"] = _rpr(given, mode)
    return found | {"PRP": _prp(given), "RPP": _rpp(given)}


def stroke(s, joint, ends, out):
    """Return a stroke and its rates, from the motions of both points."""
    (pa, va, aa), (pb, vb, ab) = ends
    a = joint.a
    u = direction(s.poses[a][2] + joint.ua)
    n = np.array([-u[1], u[0]])
    w = s.columns.velocities[a][2]
    alpha = out.accelerations[a][2, 0]
    d, dv, da = pb - pa, vb - va, ab - aa
    rate = u @ dv + w * (n @ d)
    return [u @ d, rate, u @ da + 2.0 * w * (n @ dv) + alpha * (n @ d) - w**2 * (u @ d)]


def _slide(s, out, name):
    joint = s.linkage.by_name[name]
    ends = s.point(joint.a, joint.pa, out), s.point(joint.b, joint.pb, out)
    return stroke(s, joint, ends, out)


def _n(e):
    return (0.0, e)


def _rrp(given, mode):
    of = given["RRP"]
    joints = (
        PlanarJoint("A", "R", "pA", "1"),
        PlanarJoint("B", "R", "2", "1", (0.0, 0.0), (of["l"], 0.0)),
        PlanarJoint("D", "P", "g", "2", _n(of["e"]), (0.0, 0.0), 0.0, of["beta"]),
    )
    ports = {"pA": port(given["point_A"]), "g": port(given["guide_2"])}
    s = dyad(given, joints, ports, mode)
    out = s.columns.at(np.zeros(0))
    N, T = s.reactions(out)["D"]["on_b"]
    return {
        "B": s.point("2", (0.0, 0.0), out),
        "s": _slide(s, out, "D"),
        "phi1": wrapped(s.poses["1"][2]),
        "omega1": s.columns.velocities["1"][2],
        "alpha1": out.accelerations["1"][2, 0],
        "phi2": s.poses["2"][2],
        "R_A_on_1": s.reactions(out)["A"]["on_b"],
        "R_B_on_1": s.reactions(out)["B"]["on_b"],
        "N_on_2": N,
        "T_on_2": T,
    }


def _rpr(given, mode):
    of = given["RPR"]
    c, n = np.cos(-of["beta1"]), np.sin(-of["beta1"])
    offset, relative = of["e"] * np.array([-n, c]), of["beta2"] - of["beta1"]
    joints = (
        PlanarJoint("A", "R", "pA", "1"),
        PlanarJoint("B", "P", "1", "2", offset, (0.0, 0.0), -of["beta1"], relative),
        PlanarJoint("C", "R", "pC", "2"),
    )
    ports = {"pA": port(given["point_A"]), "pC": port(given["point_C"])}
    s = dyad(given, joints, ports, mode)
    out = s.columns.at(np.zeros(0))
    N, T = s.reactions(out)["B"]["on_b"]
    return {
        "s": _slide(s, out, "B"),
        "theta": wrapped(s.poses["1"][2] - of["beta1"]),
        "omega": s.columns.velocities["1"][2],
        "alpha": out.accelerations["1"][2, 0],
        "R_A_on_1": s.reactions(out)["A"]["on_b"],
        "R_C_on_2": s.reactions(out)["C"]["on_b"],
        "N_on_2": N,
        "T_on_2": T,
    }


def _prp(given):
    of = given["PRP"]
    joints = (
        PlanarJoint("D1", "P", "g1", "1", _n(of["e1"]), (0.0, 0.0), 0.0, of["beta1"]),
        PlanarJoint("B", "R", "2", "1"),
        PlanarJoint("D2", "P", "g2", "2", _n(of["e2"]), (0.0, 0.0), 0.0, of["beta2"]),
    )
    ports = {"g1": port(given["guide_1"]), "g2": port(given["guide_2"])}
    s = dyad(given, joints, ports, 1)
    out = s.columns.at(np.zeros(0))
    reactions = {name: entry["on_b"] for name, entry in s.reactions(out).items()}
    return {
        "B": s.point("1", (0.0, 0.0), out),
        "s1": _slide(s, out, "D1"),
        "s2": _slide(s, out, "D2"),
        "N1_on_1": reactions["D1"][0],
        "T1_on_1": reactions["D1"][1],
        "R_B_on_1": reactions["B"],
        "N2_on_2": reactions["D2"][0],
        "T2_on_2": reactions["D2"][1],
    }


def _rpp(given):
    of = given["RPP"]
    along = of["gamma"] - of["beta2"]
    offset = of["e2"] * np.array([-np.sin(along), np.cos(along)])
    beta = of["gamma"] + of["beta1"] - of["beta2"]
    joints = (
        PlanarJoint("A", "R", "pA", "1"),
        PlanarJoint("B", "P", "2", "1", offset, (0.0, 0.0), along, beta),
        PlanarJoint("D", "P", "g", "2", _n(of["e1"]), (0.0, 0.0), 0.0, of["beta2"]),
    )
    ports = {"pA": port(given["point_A"]), "g": port(given["guide_2"])}
    s = dyad(given, joints, ports, 1)
    out = s.columns.at(np.zeros(0))
    reactions = {name: entry["on_b"] for name, entry in s.reactions(out).items()}
    return {
        "D": s.point("2", (0.0, 0.0), out),
        "s_outer": _slide(s, out, "D"),
        "s_inner": _slide(s, out, "B"),
        "R_A_on_1": reactions["A"],
        "N_inner_on_1": reactions["B"][0],
        "T_inner_on_1": reactions["B"][1],
        "N_outer_on_2": reactions["D"][0],
        "T_outer_on_2": reactions["D"][1],
    }


def wrapped(angle):
    """Return an angle in (-pi, pi]."""
    return np.pi - (np.pi - angle) % (2.0 * np.pi)


def four_bar_linkage(bar):
    """Return the four-bar of the cases, links 1 to 3 and pins H1 to H4."""
    l1, l2, l3 = bar["l1"], bar["l2"], bar["l3"]
    links = {
        str(i + 1): PlanarLink(m, J, bar["com_local"][f"link{i + 1}"])
        for i, (m, J) in enumerate(zip(bar["mass"], bar["J_com"], strict=True))
    }
    joints = (
        PlanarJoint("H1", "R", "0", "1", bar["H1"]),
        PlanarJoint("H2", "R", "1", "2", (l1, 0.0)),
        PlanarJoint("H3", "R", "2", "3", (l2, 0.0), (l3, 0.0)),
        PlanarJoint("H4", "R", "0", "3", bar["H4"]),
    )
    return PlanarLinkage(links, joints, ("H1",), bar["gravity"])


def four_bar_at(bar, q, rate):
    loads = {str(i + 1): load for i, load in enumerate(bar["loads_at_com"])}
    return Solved(four_bar_linkage(bar), [q], [rate], modes={"H3": bar["M"]}, loads=loads)


def hinge_forces(s, out):
    """Return forces by link and hinge, R_ij on link i at hinge j."""
    forces = {}
    for joint in s.linkage.joints:
        on_b = reaction_on_b(joint, out.multipliers[joint.name])[..., 0]
        forces[f"R{joint.b}{joint.name[1]}"] = on_b
        forces[f"R{joint.a}{joint.name[1]}"] = -on_b
    return forces


def four_bar_inverse(case):
    """Return drive torque, motion and reactions at each state."""
    bar = case["given"]["fourbar"]
    rows = []
    for state in case["given"]["states"]:
        s = four_bar_at(bar, state["q"], state["qd"])
        out = s.columns.at(np.array([state["qdd"]]))
        H3 = s.point("2", (bar["l2"], 0.0), out)
        row = {"M_d": out.drivers[0, 0], "reactions": hinge_forces(s, out)}
        row |= dict(zip(("H3", "H3_vel", "H3_acc"), H3, strict=True))
        for i in ("2", "3"):
            row[f"phi{i}"] = wrapped(s.poses[i][2])
            row[f"omega{i}"] = s.columns.velocities[i][2]
            row[f"alpha{i}"] = out.accelerations[i][2, 0]
        rows.append(row | {"shaking_force_on_frame": out.loads["0"][:2, 0]})
    return rows


def four_bar_forward(case):
    """Return acceleration, reduced inertia and bias, reactions, and what the dyad feels like."""
    bar = case["given"]["fourbar"]
    rows = []
    for state in case["given"]["states"]:
        s = four_bar_at(bar, state["q"], state["qd"])
        qdd, out = s.forward([state["M_d"]])
        forces = hinge_forces(s, out)
        G = port_inertia(s.linkage, s.units[1], s.poses, "H2")
        H2 = s.point("1", (bar["l1"], 0.0), out)
        J, m, c = bar["J_com"][0], bar["mass"][0], np.hypot(*bar["com_local"]["link1"])
        rows.append({
            "qdd": qdd[0],
            "reduced_inertia": s.M[0, 0],
            "bias": s.h[0],
            "reactions": forces,
            "dyad_port_inertia": G,
            "dyad_port_bias": forces["R22"] - G @ H2[2],
            "ratio_reduced_to_J1_com": s.M[0, 0] / J,
            "ratio_reduced_to_J1_pivot": s.M[0, 0] / (J + m * c**2),
        })  # fmt: skip
    return rows


def triads(case):
    """Return all modes of triads of pins."""
    found = []
    for given in case["given"]:
        joints = []
        ends = zip(given["outer_points"], given["platform_points_local"], strict=True)
        for i, (A, b) in enumerate(ends):
            leg, length = f"leg {i}", given["leg_lengths"][i]
            joints.append({"id": f"A{i}", "a": "ground", "pa": A, "b": leg})
            joints.append({"id": f"C{i}", "a": leg, "pa": (length, 0), "b": "plate", "pb": b})
        bodies = {name: {} for name in ("leg 0", "leg 1", "leg 2", "plate")}
        triad = ps.planar(bodies, joints, [])
        modes = [triad.with_modes(**mode).positions([])["plate"] for mode in triad.assemblies([])]
        found.append({"number_of_real_modes": len(modes), "modes_x_y_phi": np.array(modes)})
    return found


def parallel_3rrr(case):
    """Return the assemblies of the platform with their dynamics, and its inverse kinematics."""
    given = case["given"]
    linkage = read_linkage(given["mechanism"])
    group = linkage.units[-1]
    assembly = []
    for mode in range(1, 1 + _count(linkage, group, given["q"])):
        modes = {group.inner[0].name: mode}
        s = Solved(linkage, given["q"], given["qd"], modes=modes, loads=given["loads_at_com"])
        qdd, out = s.forward(given["tau"])
        assembly.append({
            "platform_pose": s.poses["7"],
            "mass_matrix": s.M,
            "bias": s.h,
            "qdd": qdd,
            "platform_rates": s.columns.velocities["7"],
            "platform_accel": out.accelerations["7"][:, 0],
            "inverse_torque_for_qdd": s.inverse(given["qdd_for_inverse"]),
            "reactions": s.reactions(out),
        })  # fmt: skip
    return {"assembly": assembly, "inverse_kinematics": _limbs(linkage, given)}


def _count(linkage, group, q):
    cranks = PlanarLinkage(
        {name: linkage.links[name] for name in ("1", "2", "3")},
        tuple(joint for joint in linkage.joints if joint.name in linkage.drivers),
        linkage.drivers,
    )
    return len(unit_assemblies(group, linkage.by_name, positions(cranks, q)))


def _limbs(linkage, given):
    """Return the crank angles of each limb, a dyad between the frame and the platform."""
    platform = {"7": np.array(given["platform_pose_for_inverse_kinematics"]), "0": np.zeros(3)}
    angles = []
    for i in ("1", "2", "3"):
        joints = tuple(linkage.by_name[f"{letter}{i}"] for letter in "ABC")
        links = {joint.b: PlanarLink() for joint in joints[:2]}
        limb = PlanarLinkage(links, joints, ports=("7",))
        poses = unit_assemblies(limb.units[0], limb.by_name, platform)
        modes = (("mode_plus", 1), ("mode_minus", -1))
        angles.append({name: wrapped(poses[sign][i][2]) for name, sign in modes})
    return angles


def relative_driver(case):
    """Return the cylinder between two links that move."""
    given = case["given"]
    linkage = read_linkage(given["mechanism"])
    loads = {str(i + 1): load for i, load in enumerate(given["loads_at_com"])}
    s = Solved(linkage, [given["s"]], [given["sd"]], modes={"B": given["mode"]}, loads=loads)
    sdd, out = s.forward([given["force"]])
    moving = ("1", "2", "3")
    return {
        "poses": {i: [*s.poses[i][:2], wrapped(s.poses[i][2])] for i in moving},
        "sdd": sdd[0],
        "reduced_inertia": s.M[0, 0],
        "bias": s.h[0],
        "required_force": s.inverse([given["sdd_for_inverse"]])[0],
        "omega": {i: s.columns.velocities[i][2] for i in moving},
        "alpha": {i: out.accelerations[i][2, 0] for i in moving},
        "reactions": s.reactions(out),
    }


def carried_driver(case):
    """Return the linkage whose second motor sits on its first link."""
    given = case["given"]
    linkage = read_linkage(given["mechanism"])
    loads = {str(i + 1): load for i, load in enumerate(given["loads_at_com"])}
    s = Solved(linkage, given["q"], given["qd"], modes={"D": given["mode"]}, loads=loads)
    qdd, out = s.forward(given["tau"])
    return {
        "mass_matrix": s.M,
        "bias": s.h,
        "qdd": qdd,
        "inverse_torque": s.inverse(given["qdd_for_inverse"]),
        "reactions": s.reactions(out),
    }
