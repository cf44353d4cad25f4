// Pinocchio's algorithms from its headers, compiled for this processor, in loops over states.
//
// Results stay in Pinocchio's Data, where a C++ program would read them; one number of each is added
// up, so that nothing can be left out.  `loop_single` runs a function of ours the same way.

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>

#include "pinocchio_tree.hpp"

using Vector = Eigen::Map<const Eigen::VectorXd>;

struct Peer {
    pinocchio::Model model;
    pinocchio::Data data;
};

#pragma GCC visibility push(default)
extern "C" {

void *make(const Tree *tree) {
    auto model = built(*tree);
    return new Peer{model, pinocchio::Data(model)};
}

void discard(void *peer) { delete static_cast<Peer *>(peer); }

// Which: 0 rnea, 1 aba WORLD, 2 aba LOCAL, 3 crba WORLD, 4 crba LOCAL.  x: a or tau, (n, nv).
double loop(void *given, int which, long n, const double *q, const double *v, const double *x) {
    Peer &peer = *static_cast<Peer *>(given);
    const int nq = peer.model.nq, nv = peer.model.nv;
    const auto WORLD = pinocchio::Convention::WORLD, LOCAL = pinocchio::Convention::LOCAL;
    double sum = 0.0;
    for (long k = 0; k < n; ++k) {
        Vector qk(q + k * nq, nq);
        if (which >= 3) {
            pinocchio::crba(peer.model, peer.data, qk, which == 3 ? WORLD : LOCAL);
            sum += peer.data.M(0, 0);
            continue;
        }
        Vector vk(v + k * nv, nv), xk(x + k * nv, nv);
        if (which == 0) {
            pinocchio::rnea(peer.model, peer.data, qk, vk, xk);
            sum += peer.data.tau[0];
        } else {
            pinocchio::aba(peer.model, peer.data, qk, vk, xk, which == 1 ? WORLD : LOCAL);
            sum += peer.data.ddq[0];
        }
    }
    return sum;
}

// Copy what the last state left: nv numbers, or nv * nv, of which the upper half counts.
void last(void *given, int which, double *out) {
    Peer &peer = *static_cast<Peer *>(given);
    const int nv = peer.model.nv;
    if (which >= 3)
        Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(out, nv, nv) = peer.data.M;
    else
        Eigen::Map<Eigen::VectorXd>(out, nv) = which == 0 ? peer.data.tau : peer.data.ddq;
}

// A function `void single(double **in, double **out)`, as our kernels have it.
void loop_single(void (*single)(const double **, double **), long n, int n_inputs,
                 const double *const *inputs, const int *sizes, double *out) {
    for (long k = 0; k < n; ++k) {
        const double *in[4];
        for (int i = 0; i < n_inputs; ++i) in[i] = inputs[i] + k * sizes[i];
        single(in, &out);
    }
}

// A function that CasADi has generated.
void loop_casadi(int (*function)(const double **, double **, long long *, double *, int), long n,
                 int n_inputs, const double *const *inputs, const int *sizes, double *work,
                 double *out) {
    for (long k = 0; k < n; ++k) {
        const double *in[8];
        double *result[8] = {out};
        for (int i = 0; i < n_inputs; ++i) in[i] = inputs[i] + k * sizes[i];
        function(in, result, nullptr, work, 0);
    }
}
}
