/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Losses, mean over all predictions; one scalar.
 * nll a: 0 N, 1 classes, 2 area, 3 bytes of a target (0: float probabilities of the logits' shape), 4 ignored target,
 *   5 weight in the sum of losses, 6 reduction (0 mean, 1 sum, 2 none: a value each).
 *   in: log-probabilities, target, weights of the classes (null: all 1). cross_entropy in: logits, target.
 *   Backward in: incoming gradient (null: 1), log-probabilities or logits, target, weights of the classes.
 * mse, bce, bce_logits a: 0 count, 1 bytes of a target's element (0: float), 2 weight. in: output target.
 *   Backward in: incoming gradient, output, target. */

/* What counts of one prediction: the weight of its class, or nothing. */
POET_FN float poet_nll_share(const int32_t *a, int32_t wanted, const float *weights)
{
    return wanted == a[4] ? 0.0f : weights == 0 ? 1.0f : weights[wanted];
}

/* Divisor of the sum: predictions that count, each with the weight of its class. */
POET_FN float poet_nll_total(const int32_t *a, const void *target, const float *weights)
{
    int32_t i;
    float n = 0.0f;
    if (a[6] != 0)
        return 1.0f;
    if (a[3] == 0)
        return (float)(a[0] * a[2]);
    for (i = 0; i < a[0] * a[2]; ++i)
        n += poet_nll_share(a, poet_int(target, a[3], i), weights);
    return n;
}

/* log of the sum of exp over the classes at `x`. */
POET_FN float poet_log_sum(const int32_t *a, const float *x)
{
    float most = x[0], sum = 0.0f;
    int32_t k;
    for (k = 1; k < a[1]; ++k)
        most = poet_max(most, x[k * a[2]]);
    for (k = 0; k < a[1]; ++k)
        sum += poet_exp(x[k * a[2]] - most);
    return most + poet_log(sum);
}

/* Loss of prediction (n, i), without the divisor; false when its target is no class. */
POET_FN int poet_nll_of(const poet_call *c, const float *x, int32_t n, int32_t i, int32_t are_logits, float *loss)
{
    const int32_t *a = c->a;
    const float *at = x + n * a[1] * a[2] + i, *weights = (const float *)c->in[2];
    const float shift = are_logits ? poet_log_sum(a, at) : 0.0f;
    int32_t k;
    *loss = 0.0f;
    if (a[3] == 0) {
        for (k = 0; k < a[1]; ++k)
            *loss -= ((const float *)c->in[1])[(n * a[1] + k) * a[2] + i] * (at[k * a[2]] - shift);
        return 1;
    }
    k = poet_int(c->in[1], a[3], n * a[2] + i);
    if (k == a[4])
        return 1;
    if (k < 0 || k >= a[1])
        return 0;
    *loss = -(at[k * a[2]] - shift) * poet_nll_share(a, k, weights);
    return 1;
}

POET_FN int poet_nll(const poet_call *c, const float *x, int32_t are_logits)
{
    const int32_t *a = c->a;
    float sum = 0.0f, loss;
    int32_t n, i;
    for (n = 0; n < a[0]; ++n)
        for (i = 0; i < a[2]; ++i) {
            if (!poet_nll_of(c, x, n, i, are_logits, &loss))
                return 1;
            sum += loss;
            if (a[6] == 2)
                ((float *)c->out[0])[n * a[2] + i] = POET_F(a, 5) * loss;
        }
    if (a[6] != 2)
        *(float *)c->out[0] = POET_F(a, 5) * (sum / poet_nll_total(a, c->in[1], (const float *)c->in[2]));
    return 0;
}
POET_FN int poet_k_nll(void *user, const poet_call *c)
{
    (void)user;
    return poet_nll(c, (const float *)c->in[0], 0);
}
POET_FN int poet_k_cross_entropy(void *user, const poet_call *c)
{
    (void)user;
    return poet_nll(c, (const float *)c->in[0], 1);
}
POET_FN int poet_k_nll_side(void *user, const poet_call *c) /* in: scores, target, weights, log-probabilities (a side tensor) */
{
    (void)user;
    return poet_nll(c, (const float *)c->in[3], 0);
}

/* What the gradients of prediction (n, i) are multiplied with. `total`: the divisor of the sum. */
POET_FN float poet_nll_factor(const poet_call *c, int32_t at, int32_t wanted, float total)
{
    const float *g = (const float *)c->in[0];
    const float incoming = POET_F(c->a, 5) * ((g == 0 ? 1.0f : g[c->a[6] == 2 ? at : 0]) / total);
    return c->a[3] == 0 ? incoming : incoming * poet_nll_share(c->a, wanted, (const float *)c->in[3]);
}

/* Gradient of the logits, or of the scores behind `x`: probabilities less the target. */
POET_FN int poet_nll_grad(const poet_call *c, const float *x, int32_t are_logits)
{
    const int32_t *a = c->a;
    const float total = poet_nll_total(a, c->in[2], (const float *)c->in[3]);
    int32_t n, i, k;
    for (n = 0; n < a[0]; ++n)
        for (i = 0; i < a[2]; ++i) {
            const float *at = x + n * a[1] * a[2] + i;
            const float shift = are_logits ? poet_log_sum(a, at) : 0.0f;
            const int32_t wanted = a[3] == 0 ? 0 : poet_int(c->in[2], a[3], n * a[2] + i);
            const float share = poet_nll_factor(c, n * a[2] + i, wanted, total);
            for (k = 0; k < a[1]; ++k) {
                const int32_t place = (n * a[1] + k) * a[2] + i;
                const float p = poet_exp(at[k * a[2]] - shift);
                const float t = a[3] == 0 ? ((const float *)c->in[2])[place] : k == wanted ? 1.0f : 0.0f;
                poet_put(&c->grad[0], place, a[3] != 0 && wanted == a[4] ? 0.0f : (p - t) * share);
            }
        }
    return 0;
}
POET_FN int poet_k_nll_grad(void *user, const poet_call *c)
{
    (void)user;
    return poet_nll_grad(c, (const float *)c->in[1], 0);
}
POET_FN int poet_k_cross_entropy_grad(void *user, const poet_call *c)
{
    (void)user;
    return poet_nll_grad(c, (const float *)c->in[1], 1);
}
/* in: incoming gradient, scores, target, weights, output, log-probabilities; scores and output may be null. */
POET_FN int poet_k_nll_side_grad(void *user, const poet_call *c)
{
    (void)user;
    return poet_nll_grad(c, (const float *)c->in[5], 0);
}

/* Gradient of log-probabilities: the target's alone. in: incoming gradient, log-probabilities (may be null), target, weights. */
POET_FN int poet_k_nll_pick_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float total = poet_nll_total(a, c->in[2], (const float *)c->in[3]);
    int32_t n, i, k;
    (void)user;
    for (n = 0; n < a[0]; ++n)
        for (i = 0; i < a[2]; ++i) {
            const int32_t wanted = poet_int(c->in[2], a[3], n * a[2] + i);
            const float share = poet_nll_factor(c, n * a[2] + i, wanted, total);
            for (k = 0; k < a[1]; ++k)
                poet_put(&c->grad[0], (n * a[1] + k) * a[2] + i, k == wanted && wanted != a[4] ? -share : 0.0f);
        }
    return 0;
}

POET_FN float poet_target(const poet_call *c, const void *target, int32_t i)
{
    return c->a[1] == 0 ? ((const float *)target)[i] : (float)poet_int(target, c->a[1], i);
}

/* log, kept above -100 as usual. */
POET_FN float poet_log_kept(float x) { return poet_max(poet_log(x), -100.0f); }

#define POET_LOSS(name, each, slope)                                                              \
    POET_FN int poet_k_##name(void *user, const poet_call *c)                                     \
    {                                                                                             \
        float sum = 0.0f;                                                                         \
        int32_t i;                                                                                \
        (void)user;                                                                               \
        for (i = 0; i < c->a[0]; ++i) {                                                           \
            const float x = ((const float *)c->in[0])[i], t = poet_target(c, c->in[1], i);        \
            sum += each;                                                                          \
        }                                                                                         \
        *(float *)c->out[0] = POET_F(c->a, 2) * (sum / (float)c->a[0]);                           \
        return 0;                                                                                 \
    }                                                                                             \
    POET_FN int poet_k_##name##_grad(void *user, const poet_call *c)                              \
    {                                                                                             \
        const float *g = (const float *)c->in[0];                                                 \
        const float share = POET_F(c->a, 2) * ((g != 0 ? g[0] : 1.0f) / (float)c->a[0]);          \
        int32_t i;                                                                                \
        (void)user;                                                                               \
        for (i = 0; i < c->a[0]; ++i) {                                                           \
            const float x = ((const float *)c->in[1])[i], t = poet_target(c, c->in[2], i);        \
            poet_put(&c->grad[0], i, (slope) * share);                                            \
        }                                                                                         \
        return 0;                                                                                 \
    }
POET_LOSS(mse, (x - t) * (x - t), 2.0f * (x - t))
POET_LOSS(bce, -(t * poet_log_kept(x) + (1.0f - t) * poet_log_kept(1.0f - x)), (x - t) / poet_max(x * (1.0f - x), 1.0e-12f))
POET_LOSS(bce_logits, poet_max(x, 0.0f) - x * t + poet_log1p(poet_exp(-poet_abs(x))), poet_sigmoid(x) - t)

/* a: 0 count, 1 value. A constant tensor: the gradient of a loss that the model computes itself. */
POET_FN int poet_k_fill(void *user, const poet_call *c)
{
    int32_t i;
    (void)user;
    for (i = 0; i < c->a[0]; ++i)
        ((float *)c->out[0])[i] = POET_F(c->a, 1);
    return 0;
}
