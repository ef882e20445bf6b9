/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Normalisations.
 * batch_norm a: 0 N, 1 C, 2 area, 3 epsilon, 4 momentum, 5 part of the statistics (0 both, 1 mean, 2 inverse deviation).
 *   Forward in: x scale bias mean var [statistics]. Backward in: dy x scale bias mean var y [statistics].
 * norm (layer, group, instance) a: 0 rows, 1 length, 2 groups, 3 area, 4 epsilon, 5 part of the statistics (3: root mean
 *   square, whose statistics are the inverse alone).
 *   Row r holds group r % groups; its element j belongs to channel (r % groups) * (length / area) + j / area.
 *   Forward in: x scale bias [statistics]. Backward in: dy x scale bias y [statistics].
 * Statistics are one tensor of means and then inverse deviations, or two tensors. */

typedef struct poet_moments {
    float mean, inverse;
} poet_moments;

/* Moment `i` of `n` from what side tensors hold. */
POET_FN poet_moments poet_moments_kept(const void *s0, const void *s1, int32_t n, int32_t i)
{
    poet_moments m;
    m.mean = ((const float *)s0)[i];
    m.inverse = s1 != 0 ? ((const float *)s1)[i] : ((const float *)s0)[n + i];
    return m;
}

/* Mean and inverse deviation of `count` runs of `run` elements, `step` apart. */
POET_FN poet_moments poet_moments_of(const float *x, int32_t count, int32_t run, int32_t step, float epsilon)
{
    poet_moments m;
    poet_total sum = {0.0f, 0.0f}, square = {0.0f, 0.0f};
    const float total = (float)(count * run);
    int32_t k, i;
    for (k = 0; k < count; ++k)
        for (i = 0; i < run; ++i)
            poet_add(&sum, x[k * step + i]);
    m.mean = sum.sum / total;
    for (k = 0; k < count; ++k)
        for (i = 0; i < run; ++i) {
            const float d = x[k * step + i] - m.mean;
            poet_add(&square, d * d);
        }
    m.inverse = 1.0f / poet_sqrt(square.sum / total + epsilon);
    return m;
}

POET_FN poet_moments poet_bn_moments(const poet_call *c, const float *x, const void *s0, const void *s1, int32_t channel)
{
    const int32_t *a = c->a;
    if (s0 != 0)
        return poet_moments_kept(s0, s1, a[1], channel);
    return poet_moments_of(x + channel * a[2], a[0], a[2], a[1] * a[2], POET_F(a, 3));
}

/* Statistics of the batch as a tensor; out[1], out[2]: running mean and variance, moved in the first run only. */
POET_FN int poet_k_batch_norm_stats(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float momentum = POET_F(a, 4);
    float *out = (float *)c->out[0], *mean = (float *)c->out[1], *var = (float *)c->out[2];
    int32_t k;
    (void)user;
    for (k = 0; k < a[1]; ++k) {
        const poet_moments m = poet_bn_moments(c, (const float *)c->in[0], 0, 0, k);
        if (a[5] != 2)
            out[k] = m.mean;
        if (a[5] != 1)
            out[a[5] == 2 ? k : a[1] + k] = m.inverse;
        if (mean != 0 && c->again == 0)
            mean[k] = mean[k] * momentum + m.mean * (1.0f - momentum);
        if (var != 0 && c->again == 0)
            var[k] = var[k] * momentum + (1.0f / (m.inverse * m.inverse) - POET_F(a, 3)) * (1.0f - momentum);
    }
    return 0;
}

POET_FN int poet_k_batch_norm(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *x = (const float *)c->in[0], *scale = (const float *)c->in[1], *bias = (const float *)c->in[2];
    float *y = (float *)c->out[0];
    int32_t n, k, i;
    (void)user;
    for (k = 0; k < a[1]; ++k) {
        const poet_moments m = poet_bn_moments(c, x, c->in[5], c->in[6], k);
        for (n = 0; n < a[0]; ++n)
            for (i = 0; i < a[2]; ++i) {
                const int32_t at = (n * a[1] + k) * a[2] + i;
                y[at] = (x[at] - m.mean) * m.inverse * scale[k] + bias[k];
            }
    }
    return 0;
}

POET_FN int poet_k_batch_norm_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *scale = (const float *)c->in[2];
    const float total = (float)(a[0] * a[2]);
    int32_t n, k, i;
    (void)user;
    for (k = 0; k < a[1]; ++k) {
        const poet_moments m = poet_bn_moments(c, x, c->in[7], c->in[8], k);
        poet_total sum = {0.0f, 0.0f}, dot = {0.0f, 0.0f};
        for (n = 0; n < a[0]; ++n)
            for (i = 0; i < a[2]; ++i) {
                const int32_t at = (n * a[1] + k) * a[2] + i;
                poet_add(&sum, dy[at]);
                poet_add(&dot, dy[at] * ((x[at] - m.mean) * m.inverse));
            }
        if (c->grad[0].mode != POET_PUT_NONE)
            for (n = 0; n < a[0]; ++n)
                for (i = 0; i < a[2]; ++i) {
                    const int32_t at = (n * a[1] + k) * a[2] + i;
                    const float hat = (x[at] - m.mean) * m.inverse;
                    poet_put(&c->grad[0], at, scale[k] * m.inverse * (dy[at] - sum.sum / total - hat * (dot.sum / total)));
                }
        poet_put(&c->grad[1], k, dot.sum);
        poet_put(&c->grad[2], k, sum.sum);
    }
    return 0;
}

/* With stored mean and variance. */
POET_FN int poet_k_batch_norm_eval(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *x = (const float *)c->in[0], *scale = (const float *)c->in[1], *bias = (const float *)c->in[2];
    const float *mean = (const float *)c->in[3], *var = (const float *)c->in[4];
    float *y = (float *)c->out[0];
    int32_t n, k, i;
    (void)user;
    for (n = 0; n < a[0]; ++n)
        for (k = 0; k < a[1]; ++k) {
            const float factor = scale[k] / poet_sqrt(var[k] + POET_F(a, 3));
            for (i = 0; i < a[2]; ++i) {
                const int32_t at = (n * a[1] + k) * a[2] + i;
                y[at] = (x[at] - mean[k]) * factor + bias[k];
            }
        }
    return 0;
}
POET_FN int poet_k_batch_norm_eval_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *scale = (const float *)c->in[2];
    const float *mean = (const float *)c->in[4], *var = (const float *)c->in[5];
    int32_t n, k, i;
    (void)user;
    for (k = 0; k < a[1]; ++k) {
        const float inverse = 1.0f / poet_sqrt(var[k] + POET_F(a, 3));
        poet_total sum = {0.0f, 0.0f}, dot = {0.0f, 0.0f};
        for (n = 0; n < a[0]; ++n)
            for (i = 0; i < a[2]; ++i) {
                const int32_t at = (n * a[1] + k) * a[2] + i;
                poet_add(&sum, dy[at]);
                poet_add(&dot, x != 0 ? dy[at] * ((x[at] - mean[k]) * inverse) : 0.0f);
                if (c->grad[0].mode != POET_PUT_NONE)
                    poet_put(&c->grad[0], at, dy[at] * scale[k] * inverse);
            }
        poet_put(&c->grad[1], k, dot.sum);
        poet_put(&c->grad[2], k, sum.sum);
    }
    return 0;
}

POET_FN poet_moments poet_norm_moments(const poet_call *c, const float *x, const void *s0, const void *s1, int32_t row)
{
    const int32_t *a = c->a;
    if (a[5] == 3) {
        poet_moments m = {0.0f, 0.0f};
        poet_total sum = {0.0f, 0.0f};
        int32_t j;
        if (s0 != 0) {
            m.inverse = ((const float *)s0)[row];
            return m;
        }
        for (j = 0; j < a[1]; ++j)
            poet_add(&sum, x[row * a[1] + j] * x[row * a[1] + j]);
        m.inverse = 1.0f / poet_sqrt(sum.sum / (float)a[1] + POET_F(a, 4));
        return m;
    }
    if (s0 != 0)
        return poet_moments_kept(s0, s1, a[0], row);
    return poet_moments_of(x + row * a[1], 1, a[1], 0, POET_F(a, 4));
}

POET_FN int poet_k_norm_stats(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    float *out = (float *)c->out[0];
    int32_t r;
    (void)user;
    for (r = 0; r < a[0]; ++r) {
        const poet_moments m = poet_norm_moments(c, (const float *)c->in[0], 0, 0, r);
        if (a[5] < 2)
            out[r] = m.mean;
        if (a[5] != 1)
            out[a[5] >= 2 ? r : a[0] + r] = m.inverse;
    }
    return 0;
}

POET_FN int32_t poet_norm_channel(const int32_t *a, int32_t row, int32_t j)
{
    return row % a[2] * (a[1] / a[3]) + j / a[3];
}

POET_FN int poet_k_norm(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *x = (const float *)c->in[0], *scale = (const float *)c->in[1], *bias = (const float *)c->in[2];
    float *y = (float *)c->out[0];
    int32_t r, j;
    (void)user;
    for (r = 0; r < a[0]; ++r) {
        const poet_moments m = poet_norm_moments(c, x, c->in[3], c->in[4], r);
        for (j = 0; j < a[1]; ++j) {
            const int32_t k = poet_norm_channel(a, r, j);
            const float hat = (x[r * a[1] + j] - m.mean) * m.inverse;
            y[r * a[1] + j] = (scale != 0 ? hat * scale[k] : hat) + (bias != 0 ? bias[k] : 0.0f);
        }
    }
    return 0;
}

POET_FN void poet_norm_row_grad(const poet_call *c, int32_t r, poet_moments m)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0] + r * a[1], *x = (const float *)c->in[1] + r * a[1];
    const float *scale = (const float *)c->in[2], total = (float)a[1];
    poet_total sum = {0.0f, 0.0f}, dot = {0.0f, 0.0f};
    int32_t j;
    for (j = 0; j < a[1]; ++j) {
        const float g = scale != 0 ? dy[j] * scale[poet_norm_channel(a, r, j)] : dy[j];
        poet_add(&sum, a[5] == 3 ? 0.0f : g);
        poet_add(&dot, g * ((x[j] - m.mean) * m.inverse));
    }
    for (j = 0; j < a[1]; ++j) {
        const float g = scale != 0 ? dy[j] * scale[poet_norm_channel(a, r, j)] : dy[j];
        const float hat = (x[j] - m.mean) * m.inverse;
        poet_put(&c->grad[0], r * a[1] + j, m.inverse * (g - sum.sum / total - hat * (dot.sum / total)));
    }
}

POET_FN void poet_norm_channel_grad(const poet_call *c, int32_t k)
{
    const int32_t *a = c->a, per_group = a[1] / a[3];
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1];
    poet_total sum = {0.0f, 0.0f}, dot = {0.0f, 0.0f};
    int32_t r, i;
    for (r = k / per_group; r < a[0]; r += a[2]) {
        const poet_moments m = poet_norm_moments(c, x, c->in[5], c->in[6], r);
        for (i = 0; i < a[3]; ++i) {
            const int32_t at = r * a[1] + k % per_group * a[3] + i;
            poet_add(&sum, dy[at]);
            poet_add(&dot, dy[at] * ((x[at] - m.mean) * m.inverse));
        }
    }
    poet_put(&c->grad[1], k, dot.sum);
    poet_put(&c->grad[2], k, sum.sum);
}

POET_FN int poet_k_norm_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    int32_t r, k;
    (void)user;
    if (c->grad[0].mode != POET_PUT_NONE)
        for (r = 0; r < a[0]; ++r)
            poet_norm_row_grad(c, r, poet_norm_moments(c, (const float *)c->in[1], c->in[5], c->in[6], r));
    if (c->grad[1].mode != POET_PUT_NONE || c->grad[2].mode != POET_PUT_NONE)
        for (k = 0; k < a[2] * (a[1] / a[3]); ++k)
            poet_norm_channel_grad(c, k);
    return 0;
}
