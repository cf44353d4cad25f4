"""Sections of links: motion, loads at rest and in motion, actuator effort, accuracy."""

import numpy as np

import poinsot as ps
from tests.cases.paper_chain import chain_system, rotation, wrenches_of


def sections(case):
    """Return the motion of a section, the loads in it, and how joint errors move it."""
    given = case["given"]
    system, cut = chain_system(given["chain"]), given["section"]
    q, v, a = (np.array(given[key]) for key in ("q", "qd", "qdd"))
    link, R = f"link {cut['link']}", rotation(cut["theta"])
    children = [body.name for body in system.bodies if body.parent == link]
    section = ps.Section(
        link, ps.Pose(cut["origin_in_link"], matrix=R), cut["outboard_mass"],
        cut["outboard_com_in_section"], cut["outboard_inertia_com_section_axes"],
        {"wrenches": cut["external_wrench_of_this_link_acts_outboard"]}
        | dict.fromkeys(children, True),
    )  # fmt: skip
    wrenches = wrenches_of(given)
    load = system.section_load(section, q, v, a=a, wrenches=wrenches)
    motion = system.section_motion(section, q, v, a)
    Q = system.inverse_dynamics(q, v, a, wrenches=wrenches)
    accuracy = ps.accuracy(
        system, link, q, section.pose, joint_errors=given["joint_tolerances"],
        compliance=given["joint_compliance"], tau=Q,
    )  # fmt: skip
    return {
        "section_velocity": motion.velocity,
        "section_Vstar": motion.acceleration,
        "dynamic_load": load.wrench,
        "static_load": load.static,
        "inertial_increment": load.inertial,
        "Q": Q,
        "accuracy": {
            "worst_case": accuracy.worst_case,
            "covariance": accuracy.covariance(),
            "deflection_twist": accuracy.deflection,
        },
    }
