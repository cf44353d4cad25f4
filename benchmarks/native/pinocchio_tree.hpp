// A tree of joints as plain arrays, and the Pinocchio model of it.

#pragma once

#include <pinocchio/multibody.hpp>

struct Tree {
    int n;                    // joints
    const char *const *kinds; // their short names in Pinocchio, "JointModelRX"
    const int *parents;       // numbers of joints, 0 the universe
    const double *axes;       // (n, 3), where a kind has one
    const double *rotations;  // (n, 3, 3)
    const double *places;     // (n, 3)
    const double *masses;     // (n)
    const double *levers;     // (n, 3)
    const double *inertias;   // (n, 3, 3), about the mass centres
    const double *gravity;    // (3)
};

inline pinocchio::JointModel joint(const std::string &kind, const Eigen::Vector3d &axis) {
    using namespace pinocchio;
    if (kind == "JointModelRX") return JointModelRX();
    if (kind == "JointModelRY") return JointModelRY();
    if (kind == "JointModelRZ") return JointModelRZ();
    if (kind == "JointModelRevoluteUnaligned") return JointModelRevoluteUnaligned(axis);
    if (kind == "JointModelFreeFlyer") return JointModelFreeFlyer();
    throw std::invalid_argument("no such joint in these benchmarks: " + kind);
}

inline pinocchio::Model built(const Tree &tree) {
    using Matrix = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
    using Vector = Eigen::Map<const Eigen::Vector3d>;
    pinocchio::Model model;
    model.gravity = pinocchio::Motion(Vector(tree.gravity), Eigen::Vector3d::Zero());
    for (int i = 0; i < tree.n; ++i) {
        pinocchio::SE3 placement(Matrix(tree.rotations + 9 * i), Vector(tree.places + 3 * i));
        auto number = model.addJoint(tree.parents[i], joint(tree.kinds[i], Vector(tree.axes + 3 * i)),
                                     placement, "joint " + std::to_string(i));
        pinocchio::Inertia inertia(tree.masses[i], Vector(tree.levers + 3 * i),
                                   Eigen::Matrix3d(Matrix(tree.inertias + 9 * i)));
        model.appendBodyToJoint(number, inertia, pinocchio::SE3::Identity());
    }
    return model;
}
