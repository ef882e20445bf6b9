/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Convolution, transposed convolution and pooling over three spatial dimensions; each triple is depth, height, width.
 * conv3 a: 0 N, 1 C, 2-4 input, 5 M, 6-8 output, 9 groups, 10-12 kernel, 13-15 strides, 16-18 padding, 19-21 dilations.
 * x: N C D H W; w: M C/g KD KH KW (transposed: C M/g KD KH KW). Forward in: x w b. Backward in: dy x w b.
 * pool3 a: 0 planes, 1-3 input, 4-6 output, 7-9 kernel, 10-12 strides, 13 bytes of an index, 14 whether padding counts,
 *   15-17 padding, 18-20 dilations, 21-23 padding at the end. Operands as those of poet_pool.inl. */

/* Input position that output position `o` reads through tap `k` in dimension d, or -1. */
POET_FN int32_t poet_tap(int32_t o, int32_t stride, int32_t pad, int32_t k, int32_t dilation, int32_t size)
{
    const int32_t at = o * stride - pad + k * dilation;
    return at < size && at >= 0 ? at : -1;
}
/* Output position that reads input position `i` through tap `k`, or -1. */
POET_FN int32_t poet_untap(int32_t i, int32_t stride, int32_t pad, int32_t k, int32_t dilation, int32_t size)
{
    const int32_t top = i + pad - k * dilation, at = top / stride;
    return top >= 0 && at * stride == top && at < size ? at : -1;
}

POET_FN float poet_conv3_dot(const int32_t *a, const float *x, const float *w, int32_t n, int32_t m, const int32_t *o)
{
    const int32_t cg = a[1] / a[9], first = m / (a[5] / a[9]) * cg, taps = a[10] * a[11] * a[12];
    float sum = 0.0f;
    int32_t c, t;
    for (c = 0; c < cg; ++c)
        for (t = 0; t < taps; ++t) {
            const int32_t d = poet_tap(o[0], a[13], a[16], t / (a[11] * a[12]), a[19], a[2]);
            const int32_t h = poet_tap(o[1], a[14], a[17], t / a[12] % a[11], a[20], a[3]);
            const int32_t v = poet_tap(o[2], a[15], a[18], t % a[12], a[21], a[4]);
            if (d >= 0 && h >= 0 && v >= 0)
                sum += x[(((n * a[1] + first + c) * a[2] + d) * a[3] + h) * a[4] + v] * w[(m * cg + c) * taps + t];
        }
    return sum;
}

POET_FN float poet_conv3_gather(const int32_t *a, const float *dy, const float *w, int32_t n, int32_t c, const int32_t *i)
{
    const int32_t cg = a[1] / a[9], mg = a[5] / a[9], taps = a[10] * a[11] * a[12];
    float sum = 0.0f;
    int32_t m, t;
    for (m = c / cg * mg; m < (c / cg + 1) * mg; ++m)
        for (t = 0; t < taps; ++t) {
            const int32_t d = poet_untap(i[0], a[13], a[16], t / (a[11] * a[12]), a[19], a[6]);
            const int32_t h = poet_untap(i[1], a[14], a[17], t / a[12] % a[11], a[20], a[7]);
            const int32_t v = poet_untap(i[2], a[15], a[18], t % a[12], a[21], a[8]);
            if (d >= 0 && h >= 0 && v >= 0)
                sum += dy[(((n * a[5] + m) * a[6] + d) * a[7] + h) * a[8] + v] * w[(m * cg + c % cg) * taps + t];
        }
    return sum;
}

POET_FN float poet_conv3_weight(const int32_t *a, const float *dy, const float *x, int32_t m, int32_t c, int32_t t)
{
    const int32_t area = a[6] * a[7] * a[8];
    float sum = 0.0f;
    int32_t n, i;
    for (n = 0; n < a[0]; ++n)
        for (i = 0; i < area; ++i) {
            const int32_t d = poet_tap(i / (a[7] * a[8]), a[13], a[16], t / (a[11] * a[12]), a[19], a[2]);
            const int32_t h = poet_tap(i / a[8] % a[7], a[14], a[17], t / a[12] % a[11], a[20], a[3]);
            const int32_t v = poet_tap(i % a[8], a[15], a[18], t % a[12], a[21], a[4]);
            if (d >= 0 && h >= 0 && v >= 0)
                sum += dy[(n * a[5] + m) * area + i] * x[(((n * a[1] + c) * a[2] + d) * a[3] + h) * a[4] + v];
        }
    return sum;
}

POET_FN void poet_conv3_weights(const int32_t *a, const float *dy, const float *x, const poet_grad *g)
{
    const int32_t cg = a[1] / a[9], mg = a[5] / a[9], taps = a[10] * a[11] * a[12];
    int32_t m, c, t, i = 0;
    for (m = 0; m < a[5]; ++m)
        for (c = 0; c < cg; ++c)
            for (t = 0; t < taps; ++t)
                poet_put(g, i++, poet_conv3_weight(a, dy, x, m, m / mg * cg + c, t));
}

/* All positions of one side: `to` or, when null, a gradient takes the values in the order of the memory. */
POET_FN void poet_conv3_side(const int32_t *a, int32_t is_output, const float *from, const float *w, const float *bias, float *to, const poet_grad *g)
{
    const int32_t *size = is_output ? a + 6 : a + 2, channels = is_output ? a[5] : a[1];
    int32_t n, k, at[3], i = 0;
    for (n = 0; n < a[0]; ++n)
        for (k = 0; k < channels; ++k)
            for (at[0] = 0; at[0] < size[0]; ++at[0])
                for (at[1] = 0; at[1] < size[1]; ++at[1])
                    for (at[2] = 0; at[2] < size[2]; ++at[2], ++i) {
                        const float sum = is_output ? poet_conv3_dot(a, from, w, n, k, at) : poet_conv3_gather(a, from, w, n, k, at);
                        if (to != 0)
                            to[i] = sum + (bias != 0 ? bias[k] : 0.0f);
                        else
                            poet_put(g, i, sum);
                    }
}

POET_FN int poet_k_conv3(void *user, const poet_call *c)
{
    (void)user;
    poet_conv3_side(c->a, 1, (const float *)c->in[0], (const float *)c->in[1], (const float *)c->in[2], (float *)c->out[0], 0);
    return 0;
}
POET_FN int poet_k_conv3_transpose(void *user, const poet_call *c)
{
    (void)user;
    poet_conv3_side(c->a, 0, (const float *)c->in[0], (const float *)c->in[1], (const float *)c->in[2], (float *)c->out[0], 0);
    return 0;
}
POET_FN int poet_conv3_slopes(const poet_call *c, int32_t is_transposed)
{
    const int32_t *a = c->a, *size = is_transposed ? a + 2 : a + 6;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *w = (const float *)c->in[2];
    if (c->grad[0].mode != POET_PUT_NONE)
        poet_conv3_side(a, is_transposed, dy, w, 0, 0, &c->grad[0]);
    if (c->grad[1].mode != POET_PUT_NONE)
        poet_conv3_weights(a, is_transposed ? x : dy, is_transposed ? dy : x, &c->grad[1]);
    if (c->grad[2].mode != POET_PUT_NONE)
        poet_bias_grad(dy, &c->grad[2], a[0], is_transposed ? a[1] : a[5], size[0] * size[1] * size[2]);
    return 0;
}
POET_FN int poet_k_conv3_grad(void *user, const poet_call *c)
{
    (void)user;
    return poet_conv3_slopes(c, 0);
}
POET_FN int poet_k_conv3_transpose_grad(void *user, const poet_call *c)
{
    (void)user;
    return poet_conv3_slopes(c, 1);
}

/* Input element of a plane that output `o` reads through tap `t`, or -1. */
POET_FN int32_t poet_pool3_at(const int32_t *a, int32_t o, int32_t t)
{
    const int32_t d = poet_tap(o / (a[5] * a[6]), a[10], a[15], t / (a[8] * a[9]), a[18], a[1]);
    const int32_t h = poet_tap(o / a[6] % a[5], a[11], a[16], t / a[9] % a[8], a[19], a[2]);
    const int32_t v = poet_tap(o % a[6], a[12], a[17], t % a[9], a[20], a[3]);
    return d >= 0 && h >= 0 && v >= 0 ? (d * a[2] + h) * a[3] + v : -1;
}
POET_FN int32_t poet_pool3_place(const int32_t *a, const float *x, int32_t o)
{
    int32_t t, best = -1;
    for (t = 0; t < a[7] * a[8] * a[9]; ++t) {
        const int32_t at = poet_pool3_at(a, o, t);
        if (at >= 0 && (best < 0 || x[at] > x[best]))
            best = at;
    }
    return best < 0 ? 0 : best;
}
/* Elements that one average is over, in one dimension d. */
POET_FN int32_t poet_pool3_extent(const int32_t *a, int32_t d, int32_t o)
{
    const int32_t low = a[14] != 0 ? -a[15 + d] : 0, high = a[14] != 0 ? a[1 + d] + a[21 + d] : a[1 + d];
    const int32_t begin = o * a[10 + d] - a[15 + d], end = begin + a[7 + d];
    return (end < high ? end : high) - (begin > low ? begin : low);
}
POET_FN float poet_pool3_size(const int32_t *a, int32_t o)
{
    return (float)(poet_pool3_extent(a, 0, o / (a[5] * a[6])) * poet_pool3_extent(a, 1, o / a[6] % a[5]) * poet_pool3_extent(a, 2, o % a[6]));
}

/* kind: 0 largest, 1 its place, 2 average. */
POET_FN int poet_pool3(const poet_call *c, int32_t kind)
{
    const int32_t *a = c->a, plane = a[1] * a[2] * a[3], count = a[4] * a[5] * a[6];
    int32_t p, o, t;
    for (p = 0; p < a[0]; ++p)
        for (o = 0; o < count; ++o) {
            const float *x = (const float *)c->in[0] + p * plane;
            if (kind == 0) {
                ((float *)c->out[0])[p * count + o] = x[poet_pool3_place(a, x, o)];
            } else if (kind == 1) {
                poet_set_int(c->out[0], a[13], p * count + o, poet_pool3_place(a, x, o));
            } else {
                float sum = 0.0f;
                for (t = 0; t < a[7] * a[8] * a[9]; ++t) {
                    const int32_t at = poet_pool3_at(a, o, t);
                    sum += at >= 0 ? x[at] : 0.0f;
                }
                ((float *)c->out[0])[p * count + o] = sum / poet_pool3_size(a, o);
            }
        }
    return 0;
}
POET_FN int poet_k_max_pool3(void *user, const poet_call *c)
{
    (void)user;
    return poet_pool3(c, 0);
}
POET_FN int poet_k_max_pool3_index(void *user, const poet_call *c)
{
    (void)user;
    return poet_pool3(c, 1);
}
POET_FN int poet_k_average_pool3(void *user, const poet_call *c)
{
    (void)user;
    return poet_pool3(c, 2);
}
POET_FN int poet_k_max_pool3_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a, plane = a[1] * a[2] * a[3], count = a[4] * a[5] * a[6];
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * plane);
    int32_t i;
    (void)user;
    for (i = 0; i < a[0] * count; ++i) {
        const int32_t p = i / count;
        const int32_t place = c->in[3] != 0 ? poet_int(c->in[3], a[13], i) : poet_pool3_place(a, (const float *)c->in[1] + p * plane, i % count);
        poet_put(&g, p * plane + place, ((const float *)c->in[0])[i]);
    }
    return 0;
}
POET_FN int poet_k_average_pool3_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a, plane = a[1] * a[2] * a[3], count = a[4] * a[5] * a[6];
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * plane);
    int32_t i, t;
    (void)user;
    for (i = 0; i < a[0] * count; ++i) {
        const float share = ((const float *)c->in[0])[i] / poet_pool3_size(a, i % count);
        for (t = 0; t < a[7] * a[8] * a[9]; ++t) {
            const int32_t at = poet_pool3_at(a, i % count, t);
            if (at >= 0)
                poet_put(&g, i / count * plane + at, share);
        }
    }
    return 0;
}
