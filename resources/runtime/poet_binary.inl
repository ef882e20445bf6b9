/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Two or three operands with broadcasting. a: 0 rank, dims of the output, then strides of each operand (0: repeated).
 * Forward in: x y [z]. Backward in: dy x y [z]. A gradient sums over what its operand is repeated over, in row-major
 * order of the output, and hands each element over once. */

typedef float (*poet_slope)(float g, float x, float y);

POET_FN void poet_binary_grad(const poet_call *c, int32_t side, poet_slope slope)
{
    const int32_t rank = c->a[0], *dim = c->a + 1, *sx = dim + rank, *sy = sx + rank;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *y = (const float *)c->in[2];
    int32_t kept[POET_MAX_RANK], rest[POET_MAX_RANK], so[POET_MAX_RANK], i = 0;
    poet_walk outer, inner;
    if (c->grad[side].mode == POET_PUT_NONE)
        return;
    poet_strides(rank, dim, so);
    poet_part(rank, dim, side == 0 ? sx : sy, kept, rest);
    poet_walk_begin(&outer, rank, kept, so, sx, sy, 0);
    do {
        float sum = 0.0f;
        poet_walk_begin(&inner, rank, rest, so, sx, sy, 0);
        do
            sum += slope(dy[outer.pos[0] + inner.pos[0]], x != 0 ? x[outer.pos[1] + inner.pos[1]] : 0.0f,
                         y != 0 ? y[outer.pos[2] + inner.pos[2]] : 0.0f);
        while (poet_walk_next(&inner));
        poet_put(&c->grad[side], i++, sum);
    } while (poet_walk_next(&outer));
}

#define POET_BINARY_FORWARD(name, type, forward)                                                 \
    POET_FN int poet_k_##name(void *user, const poet_call *c)                                    \
    {                                                                                            \
        const int32_t rank = c->a[0], *dim = c->a + 1;                                           \
        const float *px = (const float *)c->in[0], *py = (const float *)c->in[1];                \
        type *out = (type *)c->out[0];                                                           \
        poet_walk w;                                                                             \
        (void)user;                                                                              \
        poet_walk_begin(&w, rank, dim, dim + rank, dim + 2 * rank, 0, 0);                        \
        do {                                                                                     \
            const float x = px[w.pos[0]], y = py[w.pos[1]];                                      \
            *out++ = (type)(forward);                                                            \
        } while (poet_walk_next(&w));                                                            \
        return 0;                                                                                \
    }

/* The data gradient of an operand comes before an applied gradient of the other one, which it may read. */
#define POET_BINARY(name, forward, slope_x, slope_y)                                             \
    POET_BINARY_FORWARD(name, float, forward)                                                    \
    POET_FN float poet_##name##_x(float g, float x, float y) { (void)g; (void)x; (void)y; return slope_x; } \
    POET_FN float poet_##name##_y(float g, float x, float y) { (void)g; (void)x; (void)y; return slope_y; } \
    POET_FN int poet_k_##name##_grad(void *user, const poet_call *c)                             \
    {                                                                                            \
        const int32_t first = c->grad[0].mode == POET_PUT_APPLY ? 1 : 0;                         \
        (void)user;                                                                              \
        poet_binary_grad(c, first, first == 0 ? poet_##name##_x : poet_##name##_y);              \
        poet_binary_grad(c, 1 - first, first == 0 ? poet_##name##_y : poet_##name##_x);          \
        return 0;                                                                                \
    }

POET_BINARY(add, x + y, g, g)
POET_BINARY(sub, x - y, g, -g)
POET_BINARY(mul, x * y, g * y, g * x)
POET_BINARY(div, x / y, g / y, -g * ((x / y) / y))
POET_BINARY(max, x > y ? x : y, x > y ? g : x == y ? 0.5f * g : 0.0f, y > x ? g : x == y ? 0.5f * g : 0.0f)
POET_BINARY(min, x < y ? x : y, x < y ? g : x == y ? 0.5f * g : 0.0f, y < x ? g : x == y ? 0.5f * g : 0.0f)
POET_BINARY_FORWARD(pow, float, poet_pow(x, y))
POET_FN float poet_pow_x(float g, float x, float y) { return y == 0.0f ? 0.0f : g * y * poet_pow(x, y - 1.0f); }
/* The gradient of the exponent reads the output instead of the exponent. */
POET_FN void poet_pow_exponent(const poet_call *c)
{
    const int32_t rank = c->a[0], *dim = c->a + 1, *sx = dim + rank, *sy = sx + rank;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *out = (const float *)c->in[3];
    int32_t kept[POET_MAX_RANK], rest[POET_MAX_RANK], so[POET_MAX_RANK], i = 0;
    poet_walk outer, inner;
    poet_strides(rank, dim, so);
    poet_part(rank, dim, sy, kept, rest);
    poet_walk_begin(&outer, rank, kept, so, sx, 0, 0);
    do {
        float sum = 0.0f;
        poet_walk_begin(&inner, rank, rest, so, sx, 0, 0);
        do {
            const float base = x[outer.pos[1] + inner.pos[1]];
            const int32_t at = outer.pos[0] + inner.pos[0];
            sum += base > 0.0f ? dy[at] * out[at] * poet_log(base) : 0.0f;
        } while (poet_walk_next(&inner));
        poet_put(&c->grad[1], i++, sum);
    } while (poet_walk_next(&outer));
}
POET_FN int poet_k_pow_grad(void *user, const poet_call *c)
{
    (void)user;
    if (c->grad[0].mode == POET_PUT_APPLY && c->grad[1].mode != POET_PUT_NONE)
        poet_pow_exponent(c); /* reads the base before it changes */
    poet_binary_grad(c, 0, poet_pow_x);
    if (c->grad[0].mode != POET_PUT_APPLY && c->grad[1].mode != POET_PUT_NONE)
        poet_pow_exponent(c);
    return 0;
}
POET_BINARY(prelu, x > 0.0f ? x : y * x, x > 0.0f ? g : y * g, x > 0.0f ? 0.0f : g * x)
POET_BINARY_FORWARD(greater, uint8_t, x > y)
POET_BINARY_FORWARD(greater_or_equal, uint8_t, x >= y)
POET_BINARY_FORWARD(less, uint8_t, x < y)
POET_BINARY_FORWARD(less_or_equal, uint8_t, x <= y)
POET_BINARY_FORWARD(equal, uint8_t, x == y)

#define POET_LOGIC(name, forward)                                                                \
    POET_FN int poet_k_##name(void *user, const poet_call *c)                                    \
    {                                                                                            \
        const int32_t rank = c->a[0], *dim = c->a + 1;                                           \
        const uint8_t *px = (const uint8_t *)c->in[0], *py = (const uint8_t *)c->in[1];          \
        uint8_t *out = (uint8_t *)c->out[0];                                                     \
        poet_walk w;                                                                             \
        (void)user;                                                                              \
        poet_walk_begin(&w, rank, dim, dim + rank, dim + 2 * rank, 0, 0);                        \
        do {                                                                                     \
            const int x = px[w.pos[0]] != 0, y = py != 0 && py[w.pos[1]] != 0;                   \
            (void)y;                                                                             \
            *out++ = (uint8_t)((forward) ? 1 : 0);                                               \
        } while (poet_walk_next(&w));                                                            \
        return 0;                                                                                \
    }
POET_LOGIC(and, x && y)
POET_LOGIC(or, x || y)
POET_LOGIC(xor, x != y)
POET_LOGIC(not, !x)

/* Sum of `a[1]` operands of one shape. a: 0 count, 1 operands. Also the accumulation of gradients. */
POET_FN int poet_k_sum(void *user, const poet_call *c)
{
    float *out = (float *)c->out[0];
    int32_t i, k;
    (void)user;
    for (i = 0; i < c->a[0]; ++i) {
        float sum = ((const float *)c->in[0])[i];
        for (k = 1; k < c->a[1]; ++k)
            sum += ((const float *)c->in[k])[i];
        out[i] = sum;
    }
    return 0;
}
POET_FN int poet_k_sum_grad(void *user, const poet_call *c)
{
    const float *dy = (const float *)c->in[0];
    int32_t i, k;
    (void)user;
    for (k = 0; k < c->a[1]; ++k)
        if (c->grad[k].mode != POET_PUT_NONE)
            for (i = 0; i < c->a[0]; ++i)
                poet_put(&c->grad[k], i, dy[i]);
    return 0;
}

/* Where. Forward in: condition (bytes) x y. Backward in: dy condition. */
POET_FN int poet_k_where(void *user, const poet_call *c)
{
    const int32_t rank = c->a[0], *dim = c->a + 1;
    float *out = (float *)c->out[0];
    poet_walk w;
    (void)user;
    poet_walk_begin(&w, rank, dim, dim + rank, dim + 2 * rank, dim + 3 * rank, 0);
    do
        *out++ = ((const uint8_t *)c->in[0])[w.pos[0]] != 0 ? ((const float *)c->in[1])[w.pos[1]]
                                                            : ((const float *)c->in[2])[w.pos[2]];
    while (poet_walk_next(&w));
    return 0;
}
POET_FN int poet_k_where_grad(void *user, const poet_call *c)
{
    const int32_t rank = c->a[0], *dim = c->a + 1;
    const float *dy = (const float *)c->in[0];
    const uint8_t *condition = (const uint8_t *)c->in[1];
    int32_t kept[POET_MAX_RANK], rest[POET_MAX_RANK], so[POET_MAX_RANK], side;
    (void)user;
    poet_strides(rank, dim, so);
    for (side = 1; side < 3; ++side) {
        poet_walk outer, inner;
        int32_t i = 0;
        if (c->grad[side].mode == POET_PUT_NONE)
            continue;
        poet_part(rank, dim, dim + (1 + side) * rank, kept, rest);
        poet_walk_begin(&outer, rank, kept, so, dim + rank, 0, 0);
        do {
            float sum = 0.0f;
            poet_walk_begin(&inner, rank, rest, so, dim + rank, 0, 0);
            do
                if ((condition[outer.pos[1] + inner.pos[1]] != 0) == (side == 1))
                    sum += dy[outer.pos[0] + inner.pos[0]];
            while (poet_walk_next(&inner));
            poet_put(&c->grad[side], i++, sum);
        } while (poet_walk_next(&outer));
    }
    return 0;
}
