/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Pooling over two spatial dimensions.
 * a: 0 planes (N x C), 1 H, 2 W, 3 OH, 4 OW, 5 KH, 6 KW, 7 SH, 8 SW, 9 PH, 10 PW, 11 DH, 12 DW, 13 bytes of an index,
 *   14 whether padding counts (average), 15 PH at the end, 16 PW at the end.
 * max_pool in: x [indices]; max_pool_index in: x, out: place in the plane; backward in: dy x y [indices]. */

/* Place in its plane of the first largest element of one window. */
POET_FN int32_t poet_pool_place(const int32_t *a, const float *x, int32_t oh, int32_t ow)
{
    int32_t kh, kw, best = -1;
    for (kh = 0; kh < a[5]; ++kh) {
        const int32_t h = oh * a[7] - a[9] + kh * a[11];
        if (h < 0 || h >= a[1])
            continue;
        for (kw = 0; kw < a[6]; ++kw) {
            const int32_t v = ow * a[8] - a[10] + kw * a[12];
            if (v >= 0 && v < a[2] && (best < 0 || x[h * a[2] + v] > x[best]))
                best = h * a[2] + v;
        }
    }
    return best < 0 ? 0 : best;
}

POET_FN int poet_k_max_pool(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    float *y = (float *)c->out[0];
    int32_t p, oh, ow;
    (void)user;
    for (p = 0; p < a[0]; ++p) {
        const float *x = (const float *)c->in[0] + p * a[1] * a[2];
        for (oh = 0; oh < a[3]; ++oh)
            for (ow = 0; ow < a[4]; ++ow)
                *y++ = x[poet_pool_place(a, x, oh, ow)];
    }
    return 0;
}

POET_FN int poet_k_max_pool_index(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    int32_t p, oh, ow, i = 0;
    (void)user;
    for (p = 0; p < a[0]; ++p) {
        const float *x = (const float *)c->in[0] + p * a[1] * a[2];
        for (oh = 0; oh < a[3]; ++oh)
            for (ow = 0; ow < a[4]; ++ow)
                poet_set_int(c->out[0], a[13], i++, poet_pool_place(a, x, oh, ow));
    }
    return 0;
}

POET_FN int poet_k_max_pool_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1];
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * a[1] * a[2]);
    int32_t p, oh, ow, i = 0;
    (void)user;
    for (p = 0; p < a[0]; ++p)
        for (oh = 0; oh < a[3]; ++oh)
            for (ow = 0; ow < a[4]; ++ow, ++i) {
                const int32_t place = c->in[3] != 0 ? poet_int(c->in[3], a[13], i)
                                                    : poet_pool_place(a, x + p * a[1] * a[2], oh, ow);
                poet_put(&g, p * a[1] * a[2] + place, dy[i]);
            }
    return 0;
}

/* Elements that one average is over. */
POET_FN float poet_pool_size(const int32_t *a, int32_t oh, int32_t ow)
{
    int32_t h0 = oh * a[7] - a[9], w0 = ow * a[8] - a[10], h1 = h0 + a[5], w1 = w0 + a[6];
    if (h1 > a[1] + a[15])
        h1 = a[1] + a[15];
    if (w1 > a[2] + a[16])
        w1 = a[2] + a[16];
    if (a[14] == 0) {
        h0 = h0 < 0 ? 0 : h0;
        w0 = w0 < 0 ? 0 : w0;
        h1 = h1 > a[1] ? a[1] : h1;
        w1 = w1 > a[2] ? a[2] : w1;
    }
    return (float)((h1 - h0) * (w1 - w0));
}

POET_FN int poet_k_average_pool(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    float *y = (float *)c->out[0];
    int32_t p, oh, ow, kh, kw;
    (void)user;
    for (p = 0; p < a[0]; ++p) {
        const float *x = (const float *)c->in[0] + p * a[1] * a[2];
        for (oh = 0; oh < a[3]; ++oh)
            for (ow = 0; ow < a[4]; ++ow) {
                float sum = 0.0f;
                for (kh = 0; kh < a[5]; ++kh)
                    for (kw = 0; kw < a[6]; ++kw) {
                        const int32_t h = oh * a[7] - a[9] + kh, v = ow * a[8] - a[10] + kw;
                        if (h >= 0 && h < a[1] && v >= 0 && v < a[2])
                            sum += x[h * a[2] + v];
                    }
                *y++ = sum / poet_pool_size(a, oh, ow);
            }
    }
    return 0;
}

POET_FN int poet_k_average_pool_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0];
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * a[1] * a[2]);
    int32_t p, oh, ow, kh, kw;
    (void)user;
    for (p = 0; p < a[0]; ++p)
        for (oh = 0; oh < a[3]; ++oh)
            for (ow = 0; ow < a[4]; ++ow) {
                const float share = *dy++ / poet_pool_size(a, oh, ow);
                for (kh = 0; kh < a[5]; ++kh)
                    for (kw = 0; kw < a[6]; ++kw) {
                        const int32_t h = oh * a[7] - a[9] + kh, v = ow * a[8] - a[10] + kw;
                        if (h >= 0 && h < a[1] && v >= 0 && v < a[2])
                            poet_put(&g, (p * a[1] + h) * a[2] + v, share);
                    }
            }
    return 0;
}
