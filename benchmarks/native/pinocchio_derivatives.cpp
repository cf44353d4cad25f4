// Pinocchio's analytic derivatives from its headers, compiled for this processor, in loops.
//
// Results stay in Pinocchio's Data, or in tensors where it fills those; one number of each is added
// up, so that nothing can be left out.

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>

#include "pinocchio_tree.hpp"

using Vector = Eigen::Map<const Eigen::VectorXd>;
using Matrix = Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>;
using Tensor = pinocchio::Data::Tensor3x;

struct Peer {
    pinocchio::Model model;
    pinocchio::Data data;
    Tensor qq, vv, qv, aq;
};

#pragma GCC visibility push(default)
extern "C" {

void *make(const Tree *tree) {
    auto model = built(*tree);
    const int n = model.nv;
    auto *peer = new Peer{model, pinocchio::Data(model), Tensor(n, n, n), Tensor(n, n, n),
                          Tensor(n, n, n), Tensor(n, n, n)};
    peer->qq.setZero(), peer->vv.setZero(), peer->qv.setZero(), peer->aq.setZero();
    return peer;
}

// Which: 0 of rnea, 1 of aba, 2 second order of rnea.  x: a or tau, (n, nv).
double loop(void *given, int which, long n, const double *q, const double *v, const double *x) {
    Peer &peer = *static_cast<Peer *>(given);
    const int nq = peer.model.nq, nv = peer.model.nv;
    double sum = 0.0;
    for (long k = 0; k < n; ++k) {
        Vector qk(q + k * nq, nq), vk(v + k * nv, nv), xk(x + k * nv, nv);
        if (which == 0) {
            pinocchio::computeRNEADerivatives(peer.model, peer.data, qk, vk, xk);
            sum += peer.data.dtau_dq(0, 0);
        } else if (which == 1) {
            pinocchio::computeABADerivatives(peer.model, peer.data, qk, vk, xk);
            sum += peer.data.ddq_dq(0, 0);
        } else {
            pinocchio::ComputeRNEASecondOrderDerivatives(peer.model, peer.data, qk, vk, xk, peer.qq,
                                                         peer.vv, peer.qv, peer.aq);
            sum += peer.qq(0, 0, 0);
        }
    }
    return sum;
}

// Copy what the last state left: three matrices (the last one's upper half counts), or the tensors
// by q q, v v, q v and a q, last index fastest.
void last(void *given, int which, double *out) {
    Peer &peer = *static_cast<Peer *>(given);
    const int n = peer.model.nv;
    if (which == 2) {
        for (const Tensor *tensor : {&peer.qq, &peer.vv, &peer.qv, &peer.aq})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    for (int k = 0; k < n; ++k) *out++ = (*tensor)(i, j, k);
        return;
    }
    Matrix(out, n, n) = which == 0 ? peer.data.dtau_dq : peer.data.ddq_dq;
    Matrix(out + n * n, n, n) = which == 0 ? peer.data.dtau_dv : peer.data.ddq_dv;
    if (which == 0)
        Matrix(out + 2 * n * n, n, n) = peer.data.M;
    else
        Matrix(out + 2 * n * n, n, n) = peer.data.Minv;
}
}
