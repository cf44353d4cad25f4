/* Integrates the generated equations of motion and prints a table: t, angles, rates in degrees. */
#include <math.h>
#include <stdio.h>

#include "five_body.h"
#include "start.h" /* q0, v0, parameters, N, ROWS, STEPS, INTERVAL: written by five_body.py */

static const double still[N];

static void rates(const double x[2 * N], double dx[2 * N])
{
    for (int k = 0; k < N; k++) dx[k] = x[N + k];
    five_body_forward_dynamics(x, x + N, still, parameters, dx + N);
}

static void step(double x[2 * N], double h)
{
    double k1[2 * N], k2[2 * N], k3[2 * N], k4[2 * N], at[2 * N];
    rates(x, k1);
    for (int k = 0; k < 2 * N; k++) at[k] = x[k] + h / 2 * k1[k];
    rates(at, k2);
    for (int k = 0; k < 2 * N; k++) at[k] = x[k] + h / 2 * k2[k];
    rates(at, k3);
    for (int k = 0; k < 2 * N; k++) at[k] = x[k] + h * k3[k];
    rates(at, k4);
    for (int k = 0; k < 2 * N; k++) x[k] += h / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
}

int main(void)
{
    const double degree = acos(-1.0) / 180;
    double x[2 * N];
    for (int k = 0; k < N; k++) x[k] = q0[k] * degree, x[N + k] = v0[k] * degree;
    for (int row = 0; row < ROWS; row++) {
        printf("%.17g", row * INTERVAL);
        for (int k = 0; k < 2 * N; k++) printf(" %.17g", x[k] / degree);
        printf("\n");
        for (int k = 0; k < STEPS; k++) step(x, INTERVAL / STEPS);
    }
    return 0;
}
