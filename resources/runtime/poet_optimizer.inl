/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Optimizers on one parameter of `n` elements. Gradients are cleared afterwards by the caller. */

POET_FN void poet_sgd(float *p, const float *g, int32_t n, float rate)
{
    int32_t i;
    for (i = 0; i < n; ++i)
        p[i] -= rate * g[i];
}

/* v <- momentum v + g; p <- p - rate v. */
POET_FN void poet_momentum(float *p, const float *g, float *v, int32_t n, float rate, float momentum)
{
    int32_t i;
    for (i = 0; i < n; ++i) {
        v[i] = momentum * v[i] + g[i];
        p[i] -= rate * v[i];
    }
}

/* Adam (Kingma and Ba 2015); m and v in `state`, first all m. `step` counts from 1. */
POET_FN void poet_adam(float *p, const float *g, float *state, int32_t n, float rate, float beta1, float beta2, float epsilon,
                       uint32_t step)
{
    const float c1 = 1.0f - poet_pow(beta1, (float)step), c2 = 1.0f - poet_pow(beta2, (float)step);
    float *m = state, *v = state + n;
    int32_t i;
    for (i = 0; i < n; ++i) {
        m[i] = beta1 * m[i] + (1.0f - beta1) * g[i];
        v[i] = beta2 * v[i] + (1.0f - beta2) * (g[i] * g[i]);
        p[i] -= rate * (m[i] / c1) / (poet_sqrt(v[i] / c2) + epsilon);
    }
}
