"""A six-bar as a four-bar with a dyad on a port of its coupler."""

import numpy as np

import poinsot as ps


def nested_six_bar(given):
    """Return the six-bar as two mechanisms: a four-bar, and a dyad on a port of its link 2."""
    flat, extra = given["mechanism"], given["dyad"]

    def part(numbers, names, **more):
        bodies = {i: flat["bodies"][i] for i in numbers}
        joints = [joint | more.get(joint["id"], {}) for joint in flat["joints"]
                  if joint["id"] in names]  # fmt: skip
        return bodies, joints

    bar = ps.planar(*part("123", ("H1", "H2", "H3", "H4")), ["H1"], gravity=flat["gravity"],
                    modes={"H3": given["fourbar"]["M"]})  # fmt: skip
    outer = {"H5": {"a": "rod", "pa": (0.0, 0.0)}}
    dyad = ps.planar(*part("45", ("H5", "H6", "H7"), **outer), [], ports=["rod"],
                     modes={"H6": extra["mode"]})  # fmt: skip
    place = ("bar.2", (*extra["attachment_local"], 0.0))
    parts = {
        "bar": {"mechanism": bar, "ports": {}},
        "out": {"mechanism": dyad, "ports": {"rod": place}},
    }
    return ps.planar({}, [], [], gravity=flat["gravity"], parts=parts)


def six_bar(case):
    """Return the nested six-bar, and its four-bar: the part with what the port's forces are."""
    given = case["given"]
    extra = given["dyad"]
    nested = nested_six_bar(given)
    bar = ps.load_planar(nested.description["parts"]["bar"]["mechanism"])
    on_bar = {str(i + 1): load for i, load in enumerate(given["fourbar"]["loads_at_com"])}
    loads = {f"bar.{i}": load for i, load in on_bar.items()}
    loads |= {"out.4": extra["load4_at_com"], "out.5": extra["load5_at_com"]}
    rows = []
    for state in given["states"]:
        q, v = np.array([state["q"]]), np.array([state["qd"]])
        qdd = nested.forward_dynamics(q, v, [state["M_d"]], loads=loads)
        M, h = bar.mass_matrix(q), bar.bias(q, v, loads=on_bar)
        # The dyad is felt through the port alone: by its inertia there, and by its force.
        slope = nested.joint_motions(q, [1.0], [0.0])["out.H5"][1]
        M_port = slope @ nested.port_inertia("out.4", "out.H5", q) @ slope
        still = nested.reactions(q, v, [0.0], loads=loads)
        reactions = nested.reactions(q, v, qdd, loads=loads)
        places, moved = nested.joint_places(q), nested.velocities(q, v)
        speeding = nested.accelerations(q, v, qdd)
        row = {
            "qdd": qdd[0],
            "reduced_inertia_sixbar": M[0, 0] + M_port,
            "bias_sixbar": h[0] + slope @ still["out.H5"],
            "reduced_inertia_fourbar_subsystem": M[0, 0],
            "bias_fourbar_subsystem": h[0],
            "H5": places["out.H5"],
            "H6": places["out.H6"],
            "reactions": {
                name.partition(".")[2]: {"type": "R", "on_b": force}
                for name, force in reactions.items()
            },
        }
        for i in ("4", "5"):
            row[f"omega{i}"] = moved[f"out.{i}"][2]
            row[f"alpha{i}"] = speeding[f"out.{i}"][2]
        rows.append(row)
    return rows
