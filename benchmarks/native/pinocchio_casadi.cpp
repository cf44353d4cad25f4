// C programs that CasADi generates from Pinocchio's algorithms on CasADi's symbols.

#include <pinocchio/autodiff/casadi.hpp>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <casadi/casadi.hpp>

#include "pinocchio_tree.hpp"

using SX = casadi::SX;
using Symbols = Eigen::Matrix<SX, Eigen::Dynamic, 1>;

static Symbols eigen(const SX &x) {
    Symbols result(x.size1());
    for (casadi_int i = 0; i < x.size1(); ++i) result[i] = x(i);
    return result;
}

// Write generated.c into a folder (its name ends with a slash); return its steps and work memory.
// Which: as in pinocchio_loop.cpp.
extern "C" __attribute__((visibility("default"))) void
generate(const Tree *tree, int which, const char *folder, long *n_steps, long *n_work) {
    auto model = built(*tree).cast<SX>();
    pinocchio::DataTpl<SX> data(model);
    const auto WORLD = pinocchio::Convention::WORLD, LOCAL = pinocchio::Convention::LOCAL;
    SX q = SX::sym("q", model.nq), v = SX::sym("v", model.nv), x = SX::sym("x", model.nv), result;
    std::vector<SX> inputs{q};
    if (which >= 3) {
        pinocchio::crba(model, data, eigen(q), which == 3 ? WORLD : LOCAL);
        std::vector<SX> upper; // the half that it gives
        for (int i = 0; i < model.nv; ++i)
            for (int j = i; j < model.nv; ++j) upper.push_back(data.M(i, j));
        result = SX::vertcat(upper);
    } else {
        inputs = {q, v, x};
        if (which == 0)
            pinocchio::rnea(model, data, eigen(q), eigen(v), eigen(x));
        else
            pinocchio::aba(model, data, eigen(q), eigen(v), eigen(x), which == 1 ? WORLD : LOCAL);
        std::vector<SX> rows;
        for (int i = 0; i < model.nv; ++i) rows.push_back(which == 0 ? data.tau[i] : data.ddq[i]);
        result = SX::vertcat(rows);
    }
    casadi::Function function("generated", inputs, {SX::densify(result)});
    casadi::CodeGenerator generator("generated");
    generator.add(function);
    generator.generate(folder);
    *n_steps = function.n_instructions();
    *n_work = function.sz_w();
}
