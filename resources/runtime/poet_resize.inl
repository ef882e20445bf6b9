/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Resize of the two last dimensions.
 * a: 0 planes, 1 H, 2 W, 3 OH, 4 OW, 5 mode (0 nearest, 1 linear), 6 coordinates (0 half pixel, 1 asymmetric,
 *   2 align corners, 3 pytorch half pixel), 7 rounding (0 prefer floor, 1 prefer ceil, 2 floor, 3 ceil), 8 scale of H, 9 of W.
 * Forward in: x. Backward in: dy. */

/* Position in the input that output `o` of `out` reads, before rounding. */
POET_FN float poet_resize_at(const int32_t *a, int32_t o, int32_t in, int32_t out, float scale)
{
    switch (a[6]) {
    case 1: return (float)o / scale;
    case 2: return out == 1 ? 0.0f : (float)(o * (in - 1)) / (float)(out - 1);
    case 3: return out == 1 ? 0.0f : ((float)o + 0.5f) / scale - 0.5f;
    default: return ((float)o + 0.5f) / scale - 0.5f;
    }
}

POET_FN int32_t poet_resize_nearest(const int32_t *a, float at, int32_t in)
{
    const float low = poet_floor(at), part = at - low;
    int32_t i = (int32_t)low;
    if (a[7] == 3 ? part > 0.0f : a[7] == 1 ? part >= 0.5f : a[7] == 0 ? part > 0.5f : 0)
        ++i;
    return i < 0 ? 0 : i >= in ? in - 1 : i;
}

/* The one or two rows that an output row reads, and the weight of the second. */
POET_FN float poet_resize_rows(const int32_t *a, int32_t o, int32_t in, int32_t out, float scale, int32_t row[2])
{
    float at = poet_resize_at(a, o, in, out, scale);
    if (a[5] == 0) {
        row[0] = row[1] = poet_resize_nearest(a, at, in);
        return 0.0f;
    }
    at = at < 0.0f ? 0.0f : at > (float)(in - 1) ? (float)(in - 1) : at;
    row[0] = (int32_t)at;
    row[1] = row[0] + 1 < in ? row[0] + 1 : row[0];
    return at - (float)row[0];
}

POET_FN int poet_k_resize(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    float *y = (float *)c->out[0];
    int32_t p, oh, ow, h[2], w[2];
    (void)user;
    for (p = 0; p < a[0]; ++p) {
        const float *x = (const float *)c->in[0] + p * a[1] * a[2];
        for (oh = 0; oh < a[3]; ++oh) {
            const float u = poet_resize_rows(a, oh, a[1], a[3], POET_F(a, 8), h);
            for (ow = 0; ow < a[4]; ++ow) {
                const float v = poet_resize_rows(a, ow, a[2], a[4], POET_F(a, 9), w);
                const float top = x[h[0] * a[2] + w[0]] * (1.0f - v) + x[h[0] * a[2] + w[1]] * v;
                const float low = x[h[1] * a[2] + w[0]] * (1.0f - v) + x[h[1] * a[2] + w[1]] * v;
                *y++ = top * (1.0f - u) + low * u;
            }
        }
    }
    return 0;
}

POET_FN int poet_k_resize_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0];
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * a[1] * a[2]);
    int32_t p, oh, ow, h[2], w[2];
    (void)user;
    for (p = 0; p < a[0]; ++p)
        for (oh = 0; oh < a[3]; ++oh) {
            const float u = poet_resize_rows(a, oh, a[1], a[3], POET_F(a, 8), h);
            for (ow = 0; ow < a[4]; ++ow) {
                const float v = poet_resize_rows(a, ow, a[2], a[4], POET_F(a, 9), w), d = *dy++;
                const int32_t base = p * a[1] * a[2];
                poet_put(&g, base + h[0] * a[2] + w[0], d * (1.0f - u) * (1.0f - v));
                poet_put(&g, base + h[0] * a[2] + w[1], d * (1.0f - u) * v);
                poet_put(&g, base + h[1] * a[2] + w[0], d * u * (1.0f - v));
                poet_put(&g, base + h[1] * a[2] + w[1], d * u * v);
            }
        }
    return 0;
}

/* Resize of up to three dimensions, and by cubic interpolation (Keys 1981).
 * resize3 a: 0 planes, 1-3 input, 4-6 output, 7 mode (2 cubic), 8 coordinates, 9 rounding, 10-12 scales, 13 coefficient of the
 *   cubic. Forward in: x. Backward in: dy. */
typedef struct poet_taps {
    int32_t count, row[4];
    float weight[4];
} poet_taps;

POET_FN float poet_cubic_near(float t, float c) { return ((c + 2.0f) * t - (c + 3.0f)) * t * t + 1.0f; }
POET_FN float poet_cubic_far(float t, float c) { return ((c * t - 5.0f * c) * t + 8.0f * c) * t - 4.0f * c; }

/* What output `o` of dimension `d` reads. */
POET_FN void poet_resize_taps(const int32_t *a, int32_t d, int32_t o, poet_taps *taps)
{
    const int32_t in = a[1 + d], out = a[4 + d];
    int32_t b[8] = {0, 0, 0, 0, 0, 0, 0, 0}, k;
    b[5] = a[7];
    b[6] = a[8];
    b[7] = a[9];
    if (a[7] == 2) {
        const float at = poet_resize_at(b, o, in, out, POET_F(a, 10 + d)), low = poet_floor(at), t = at - low, c = POET_F(a, 13);
        taps->count = 4;
        taps->weight[0] = poet_cubic_far(t + 1.0f, c);
        taps->weight[1] = poet_cubic_near(t, c);
        taps->weight[2] = poet_cubic_near(1.0f - t, c);
        taps->weight[3] = poet_cubic_far(2.0f - t, c);
        for (k = 0; k < 4; ++k) {
            const int32_t i = (int32_t)low - 1 + k;
            taps->row[k] = i < 0 ? 0 : i >= in ? in - 1 : i;
        }
        return;
    }
    taps->weight[1] = poet_resize_rows(b, o, in, out, POET_F(a, 10 + d), taps->row);
    taps->weight[0] = 1.0f - taps->weight[1];
    taps->count = a[7] == 0 ? 1 : 2;
}

/* Forward (`g` null) or backward: all pairs of an output and what it reads. */
POET_FN void poet_resize_walk(const int32_t *a, const float *from, float *to, const poet_grad *g)
{
    const int32_t plane = a[1] * a[2] * a[3];
    poet_taps t[3];
    int32_t p, o[3], k[3], i = 0;
    for (p = 0; p < a[0]; ++p)
        for (o[0] = 0; o[0] < a[4]; ++o[0])
            for (o[1] = 0; o[1] < a[5]; ++o[1])
                for (o[2] = 0; o[2] < a[6]; ++o[2], ++i) {
                    float sum = 0.0f;
                    int32_t d;
                    for (d = 0; d < 3; ++d)
                        poet_resize_taps(a, d, o[d], &t[d]);
                    for (k[0] = 0; k[0] < t[0].count; ++k[0])
                        for (k[1] = 0; k[1] < t[1].count; ++k[1])
                            for (k[2] = 0; k[2] < t[2].count; ++k[2]) {
                                const int32_t at = p * plane + (t[0].row[k[0]] * a[2] + t[1].row[k[1]]) * a[3] + t[2].row[k[2]];
                                const float w = t[0].weight[k[0]] * t[1].weight[k[1]] * t[2].weight[k[2]];
                                if (g != 0)
                                    poet_put(g, at, w * from[i]);
                                else
                                    sum += w * from[at];
                            }
                    if (g == 0)
                        to[i] = sum;
                }
}
POET_FN int poet_k_resize3(void *user, const poet_call *c)
{
    (void)user;
    poet_resize_walk(c->a, (const float *)c->in[0], (float *)c->out[0], 0);
    return 0;
}
POET_FN int poet_k_resize3_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * a[1] * a[2] * a[3]);
    (void)user;
    poet_resize_walk(a, (const float *)c->in[0], 0, &g);
    return 0;
}
