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


/* To the nearest, halves to the even one. */
POET_FN float poet_round(float x)
{
    const float low = poet_floor(x), part = x - low;
    if (part != 0.5f)
        return part > 0.5f ? low + 1.0f : low;
    return low == 2.0f * poet_floor(low * 0.5f) ? low : low + 1.0f;
}
/* Arc tangent: reduced to below tan(pi/8), then a polynomial of degree 9 (Cephes, Moshier 1989). */
POET_FN float poet_atan(float x)
{
    float y = 0.0f, v = poet_abs(x), z;
    if (v > 2.414213562f) {
        y = 1.570796327f;
        v = -1.0f / v;
    } else if (v > 0.414213562f) {
        y = 0.785398163f;
        v = (v - 1.0f) / (v + 1.0f);
    }
    z = v * v;
    y += (((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f) * z * v + v;
    return x < 0.0f ? -y : y;
}
POET_FN float poet_asin(float x)
{
    const float rest = (1.0f - x) * (1.0f + x);
    return rest <= 0.0f ? (x > 0.0f ? 1.570796327f : -1.570796327f) : poet_atan(x / poet_sqrt(rest));
}
/* A series near zero, where the difference of exponentials would cancel. */
POET_FN float poet_sinh(float x)
{
    const float z = x * x;
    if (z < 0.25f)
        return x + x * z * (0.166666667f + z * (8.33333333e-3f + z * 1.98412698e-4f));
    return 0.5f * (poet_exp(x) - poet_exp(-x));
}
POET_FN float poet_cosh(float x) { return 0.5f * (poet_exp(x) + poet_exp(-x)); }
POET_FN float poet_asinh(float x)
{
    const float v = poet_abs(x), z = v * v;
    const float y = poet_log1p(v + z / (1.0f + poet_sqrt(1.0f + z)));
    return x < 0.0f ? -y : y;
}
POET_FN float poet_atanh(float x) { return 0.5f * (poet_log1p(x) - poet_log1p(-x)); }

POET_UNARY(round, poet_round(x), 0.0f)
POET_UNARY(tan, poet_sin(x) / poet_cos(x), g * (1.0f + y * y))
POET_UNARY(atan, poet_atan(x), g / (1.0f + x * x))
POET_UNARY(asin, poet_asin(x), g / poet_sqrt((1.0f - x) * (1.0f + x)))
POET_UNARY(acos, 1.570796327f - poet_asin(x), -g / poet_sqrt((1.0f - x) * (1.0f + x)))
POET_UNARY(sinh, poet_sinh(x), g * poet_cosh(x))
POET_UNARY(cosh, poet_cosh(x), g * poet_sinh(x))
POET_UNARY(asinh, poet_asinh(x), g / poet_sqrt(1.0f + x * x))
POET_UNARY(acosh, poet_log(x + poet_sqrt((x - 1.0f) * (x + 1.0f))), g / poet_sqrt((x - 1.0f) * (x + 1.0f)))
POET_UNARY(atanh, poet_atanh(x), g / ((1.0f - x) * (1.0f + x)))

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
