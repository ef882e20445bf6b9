/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Convolution and transposed convolution over two spatial dimensions (one: height 1).
 * a: 0 N, 1 C, 2 H, 3 W, 4 M, 5 OH, 6 OW, 7 groups, 8 KH, 9 KW, 10 SH, 11 SW, 12 PH, 13 PW, 14 DH, 15 DW.
 * x: N C H W; w: M C/g KH KW (transposed: C M/g KH KW); y: N M OH OW. Forward in: x w b. Backward in: dy x w b. */

/* Dot product of one output position with its window. */
POET_FN float poet_conv_dot(const int32_t *a, const float *x, const float *w, int32_t n, int32_t m, int32_t oh, int32_t ow)
{
    const int32_t cg = a[1] / a[7], first = m / (a[4] / a[7]) * cg;
    float sum = 0.0f;
    int32_t c, kh, kw;
    for (c = 0; c < cg; ++c)
        for (kh = 0; kh < a[8]; ++kh) {
            const int32_t h = oh * a[10] - a[12] + kh * a[14];
            if (h < 0 || h >= a[2])
                continue;
            for (kw = 0; kw < a[9]; ++kw) {
                const int32_t v = ow * a[11] - a[13] + kw * a[15];
                if (v >= 0 && v < a[3])
                    sum += x[((n * a[1] + first + c) * a[2] + h) * a[3] + v] * w[((m * cg + c) * a[8] + kh) * a[9] + kw];
            }
        }
    return sum;
}

/* Sum over outputs that read x[n, c, h, v]: gradient of the data, also the transposed convolution's forward. */
POET_FN float poet_conv_gather(const int32_t *a, const float *dy, const float *w, int32_t n, int32_t c, int32_t h, int32_t v)
{
    const int32_t cg = a[1] / a[7], mg = a[4] / a[7], group = c / cg;
    float sum = 0.0f;
    int32_t m, kh, kw;
    for (m = group * mg; m < (group + 1) * mg; ++m)
        for (kh = 0; kh < a[8]; ++kh) {
            const int32_t top = h + a[12] - kh * a[14], oh = top / a[10];
            if (top < 0 || oh * a[10] != top || oh >= a[5])
                continue;
            for (kw = 0; kw < a[9]; ++kw) {
                const int32_t left = v + a[13] - kw * a[15], ow = left / a[11];
                if (left >= 0 && ow * a[11] == left && ow < a[6])
                    sum += dy[((n * a[4] + m) * a[5] + oh) * a[6] + ow] * w[((m * cg + c % cg) * a[8] + kh) * a[9] + kw];
            }
        }
    return sum;
}

/* Gradient of one weight. */
POET_FN float poet_conv_weight(const int32_t *a, const float *dy, const float *x, int32_t m, int32_t c, int32_t kh, int32_t kw)
{
    float sum = 0.0f;
    int32_t n, oh, ow;
    for (n = 0; n < a[0]; ++n)
        for (oh = 0; oh < a[5]; ++oh) {
            const int32_t h = oh * a[10] - a[12] + kh * a[14];
            if (h < 0 || h >= a[2])
                continue;
            for (ow = 0; ow < a[6]; ++ow) {
                const int32_t v = ow * a[11] - a[13] + kw * a[15];
                if (v >= 0 && v < a[3])
                    sum += dy[((n * a[4] + m) * a[5] + oh) * a[6] + ow] * x[((n * a[1] + c) * a[2] + h) * a[3] + v];
            }
        }
    return sum;
}

POET_FN void poet_conv_weights(const int32_t *a, const float *dy, const float *x, const poet_grad *g)
{
    const int32_t cg = a[1] / a[7], mg = a[4] / a[7];
    int32_t m, c, kh, kw, i = 0;
    for (m = 0; m < a[4]; ++m)
        for (c = 0; c < cg; ++c)
            for (kh = 0; kh < a[8]; ++kh)
                for (kw = 0; kw < a[9]; ++kw)
                    poet_put(g, i++, poet_conv_weight(a, dy, x, m, m / mg * cg + c, kh, kw));
}

/* Sum of dy over batch and space, one a channel. */
POET_FN void poet_bias_grad(const float *dy, const poet_grad *g, int32_t batch, int32_t channels, int32_t area)
{
    int32_t n, m, i;
    for (m = 0; m < channels; ++m) {
        poet_total sum = {0.0f, 0.0f};
        for (n = 0; n < batch; ++n)
            for (i = 0; i < area; ++i)
                poet_add(&sum, dy[(n * channels + m) * area + i]);
        poet_put(g, m, sum.sum);
    }
}

POET_FN int poet_k_conv(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *x = (const float *)c->in[0], *w = (const float *)c->in[1], *b = (const float *)c->in[2];
    float *y = (float *)c->out[0];
    int32_t n, m, oh, ow, i = 0;
    (void)user;
    for (n = 0; n < a[0]; ++n)
        for (m = 0; m < a[4]; ++m)
            for (oh = 0; oh < a[5]; ++oh)
                for (ow = 0; ow < a[6]; ++ow)
                    y[i++] = poet_conv_dot(a, x, w, n, m, oh, ow) + (b != 0 ? b[m] : 0.0f);
    return 0;
}

POET_FN int poet_k_conv_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *w = (const float *)c->in[2];
    int32_t n, k, h, v, i = 0;
    (void)user;
    if (c->grad[0].mode != POET_PUT_NONE)
        for (n = 0; n < a[0]; ++n)
            for (k = 0; k < a[1]; ++k)
                for (h = 0; h < a[2]; ++h)
                    for (v = 0; v < a[3]; ++v)
                        poet_put(&c->grad[0], i++, poet_conv_gather(a, dy, w, n, k, h, v));
    if (c->grad[1].mode != POET_PUT_NONE)
        poet_conv_weights(a, dy, x, &c->grad[1]);
    if (c->grad[2].mode != POET_PUT_NONE)
        poet_bias_grad(dy, &c->grad[2], a[0], a[4], a[5] * a[6]);
    return 0;
}

/* Transposed convolution: the attributes describe the convolution whose data gradient it is, so its
 * input has the shape N M OH OW and its output N C H W. */
POET_FN int poet_k_conv_transpose(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *x = (const float *)c->in[0], *w = (const float *)c->in[1], *b = (const float *)c->in[2];
    float *y = (float *)c->out[0];
    int32_t n, k, h, v, i = 0;
    (void)user;
    for (n = 0; n < a[0]; ++n)
        for (k = 0; k < a[1]; ++k)
            for (h = 0; h < a[2]; ++h)
                for (v = 0; v < a[3]; ++v)
                    y[i++] = poet_conv_gather(a, x, w, n, k, h, v) + (b != 0 ? b[k] : 0.0f);
    return 0;
}

POET_FN int poet_k_conv_transpose_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *w = (const float *)c->in[2];
    int32_t n, m, oh, ow, i = 0;
    (void)user;
    if (c->grad[0].mode != POET_PUT_NONE)
        for (n = 0; n < a[0]; ++n)
            for (m = 0; m < a[4]; ++m)
                for (oh = 0; oh < a[5]; ++oh)
                    for (ow = 0; ow < a[6]; ++ow)
                        poet_put(&c->grad[0], i++, poet_conv_dot(a, dy, w, n, m, oh, ow));
    if (c->grad[1].mode != POET_PUT_NONE)
        poet_conv_weights(a, x, dy, &c->grad[1]);
    if (c->grad[2].mode != POET_PUT_NONE)
        poet_bias_grad(dy, &c->grad[2], a[0], a[1], a[2] * a[3]);
    return 0;
}
