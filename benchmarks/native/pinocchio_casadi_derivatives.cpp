// C programs that CasADi generates from Pinocchio's analytic derivatives on CasADi's symbols.

#include <pinocchio/autodiff/casadi.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>

#include <casadi/casadi.hpp>

#include "pinocchio_tree.hpp"

using SX = casadi::SX;
using Symbols = Eigen::Matrix<SX, Eigen::Dynamic, 1>;

static Symbols eigen(const SX &x) {
    Symbols result(x.size1());
    for (casadi_int i = 0; i < x.size1(); ++i) result[i] = x(i);
    return result;
}

template <typename Matrix> static void append(std::vector<SX> &entries, const Matrix &matrix) {
    for (int i = 0; i < matrix.rows(); ++i)
        for (int j = 0; j < matrix.cols(); ++j) entries.push_back(matrix(i, j));
}

// Write generated.c into a folder (its name ends with a slash); return its steps and work memory.
// Which: 0 of rnea, 1 of aba.  Three matrices by rows, of the last one the upper half counts.
extern "C" __attribute__((visibility("default"))) void
generate(const Tree *tree, int which, const char *folder, long *n_steps, long *n_work) {
    auto model = built(*tree).cast<SX>();
    pinocchio::DataTpl<SX> data(model);
    SX q = SX::sym("q", model.nq), v = SX::sym("v", model.nv), x = SX::sym("x", model.nv);
    std::vector<SX> entries;
    if (which == 0) {
        pinocchio::computeRNEADerivatives(model, data, eigen(q), eigen(v), eigen(x));
        append(entries, data.dtau_dq), append(entries, data.dtau_dv), append(entries, data.M);
    } else {
        pinocchio::computeABADerivatives(model, data, eigen(q), eigen(v), eigen(x));
        append(entries, data.ddq_dq), append(entries, data.ddq_dv), append(entries, data.Minv);
    }
    casadi::Function function("generated", {q, v, x}, {SX::densify(SX::vertcat(entries))});
    casadi::CodeGenerator generator("generated");
    generator.add(function);
    generator.generate(folder);
    *n_steps = function.n_instructions();
    *n_work = function.sz_w();
}
