/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Element by element. a: 0 count, 1.. parameters (p0, p1). Forward in: x. Backward in: dy x [more operands] y, where the
 * slot of y is 1 + operands (a[3]). In the expressions x is the input, y the output, g the incoming gradient. */
#define POET_UNARY(name, forward, backward)                                                                    \
    POET_FN int poet_k_##name(void *user, const poet_call *c)                                                  \
    {                                                                                                          \
        const float *in = (const float *)c->in[0], p0 = POET_F(c->a, 1), p1 = POET_F(c->a, 2);                 \
        float *out = (float *)c->out[0];                                                                       \
        int32_t i;                                                                                             \
        (void)user; (void)p0; (void)p1;                                                                        \
        for (i = 0; i < c->a[0]; ++i) {                                                                        \
            const float x = in[i];                                                                             \
            out[i] = forward;                                                                                  \
        }                                                                                                      \
        return 0;                                                                                              \
    }                                                                                                          \
    POET_FN int poet_k_##name##_grad(void *user, const poet_call *c)                                           \
    {                                                                                                          \
        const float *dy = (const float *)c->in[0], *in = (const float *)c->in[1];                              \
        const float *out = (const float *)c->in[1 + c->a[3]], p0 = POET_F(c->a, 1), p1 = POET_F(c->a, 2);      \
        int32_t i;                                                                                             \
        (void)user; (void)p0; (void)p1;                                                                        \
        for (i = 0; i < c->a[0]; ++i) {                                                                        \
            const float x = in != 0 ? in[i] : 0.0f, y = out != 0 ? out[i] : 0.0f, g = dy[i];                   \
            (void)x; (void)y; (void)g;                                                                         \
            poet_put(&c->grad[0], i, backward);                                                                \
        }                                                                                                      \
        return 0;                                                                                              \
    }

POET_FN float poet_clip(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
POET_FN float poet_sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }
POET_FN float poet_softplus(float x) { return x > 20.0f ? x : poet_max(x, 0.0f) + poet_log1p(poet_exp(-poet_abs(x))); }
POET_FN float poet_normal(float x) { return 0.398942280f * poet_exp(-0.5f * x * x); }
POET_FN float poet_gelu_inner(float x) { return 0.797884561f * (x + 0.044715f * x * x * x); }
POET_FN float poet_gelu_tanh_slope(float x)
{
    const float t = poet_tanh(poet_gelu_inner(x));
    return 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * 0.797884561f * (1.0f + 0.134145f * x * x);
}
POET_FN float poet_mish_slope(float x)
{
    const float t = poet_tanh(poet_softplus(x));
    return t + x * poet_sigmoid(x) * (1.0f - t * t);
}

POET_UNARY(relu, x > 0.0f ? x : 0.0f, y > 0.0f ? g : 0.0f)
POET_UNARY(leaky_relu, x > 0.0f ? x : p0 * x, x > 0.0f ? g : p0 * g)
POET_UNARY(thresholded_relu, x > p0 ? x : 0.0f, x > p0 ? g : 0.0f)
POET_UNARY(elu, x > 0.0f ? x : p0 * (poet_exp(x) - 1.0f), x > 0.0f ? g : g * p0 * poet_exp(x))
POET_UNARY(celu, x > 0.0f ? x : p0 * (poet_exp(x / p0) - 1.0f), x > 0.0f ? g : g * poet_exp(x / p0))
POET_UNARY(selu, x > 0.0f ? p1 * x : p1 * p0 * (poet_exp(x) - 1.0f), x > 0.0f ? g * p1 : g * p1 * p0 * poet_exp(x))
POET_UNARY(sigmoid, poet_sigmoid(x), g * y * (1.0f - y))
POET_UNARY(tanh, poet_tanh(x), g * (1.0f - y * y))
POET_UNARY(exp, poet_exp(x), g * y)
POET_UNARY(log, poet_log(x), g / x)
POET_UNARY(sqrt, poet_sqrt(x), g / (2.0f * y))
POET_UNARY(reciprocal, 1.0f / x, -g * y * y)
POET_UNARY(neg, -x, -g)
POET_UNARY(abs, poet_abs(x), g * poet_sign(x))
POET_UNARY(erf, poet_erf(x), g * 1.128379167f * poet_exp(-x * x))
POET_UNARY(softplus, poet_softplus(x), g * poet_sigmoid(x))
POET_UNARY(softsign, x / (1.0f + poet_abs(x)), g / ((1.0f + poet_abs(x)) * (1.0f + poet_abs(x))))
POET_UNARY(gelu, 0.5f * x * (1.0f + poet_erf(x * 0.707106781f)), g * (0.5f * (1.0f + poet_erf(x * 0.707106781f)) + x * poet_normal(x)))
POET_UNARY(gelu_tanh, 0.5f * x * (1.0f + poet_tanh(poet_gelu_inner(x))), g * poet_gelu_tanh_slope(x))
POET_UNARY(silu, x * poet_sigmoid(x), g * poet_sigmoid(x) * (1.0f + x * (1.0f - poet_sigmoid(x))))
POET_UNARY(mish, x * poet_tanh(poet_softplus(x)), g * poet_mish_slope(x))
POET_UNARY(hard_sigmoid, poet_clip(p0 * x + p1, 0.0f, 1.0f), p0 * x + p1 > 0.0f && p0 * x + p1 < 1.0f ? g * p0 : 0.0f)
POET_UNARY(hard_swish, x * poet_clip(x + 3.0f, 0.0f, 6.0f) / 6.0f, x < -3.0f ? 0.0f : x <= 3.0f ? g * (x / 3.0f + 0.5f) : g)
POET_UNARY(clip, poet_clip(x, p0, p1), x >= p0 && x <= p1 ? g : 0.0f)
POET_UNARY(identity, x, g)
POET_UNARY(scale, p0 * x, p0 * g)
POET_UNARY(sin, poet_sin(x), g * poet_cos(x))
POET_UNARY(cos, poet_cos(x), -g * poet_sin(x))
POET_UNARY(sign, poet_sign(x), 0.0f)
POET_UNARY(floor, poet_floor(x), 0.0f)
POET_UNARY(ceil, -poet_floor(-x), 0.0f)

/* a: 0 count, 1 bytes of the input's elements (0: float), 2 of the output's. Casts without a gradient. */
POET_FN int poet_k_cast(void *user, const poet_call *c)
{
    int32_t i;
    (void)user;
    for (i = 0; i < c->a[0]; ++i) {
        const float x = c->a[1] == 0 ? ((const float *)c->in[0])[i] : (float)poet_int(c->in[0], c->a[1], i);
        if (c->a[2] == 0)
            ((float *)c->out[0])[i] = x;
        else if (c->a[2] == 1)
            ((uint8_t *)c->out[0])[i] = x != 0.0f;
        else
            poet_set_int(c->out[0], c->a[2], i, (int32_t)x);
    }
    return 0;
}
