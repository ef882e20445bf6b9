/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Reductions and softmax.
 * reduce a: 0 rank, 1 kind, 2 factor, 3.. dims of the input, strides of the output (0 on reduced dimensions).
 *   kinds: 0 sum (times factor: mean), 1 max, 2 min, 3 sum of |x|, 4 root of sum of squares, 5 sum of squares,
 *   6 log of sum of exp, 7 log of sum, 8 product. Forward in: x. Backward in: dy x y.
 * softmax a: 0 outer, 1 length, 2 inner. Forward in: x. Backward in: dy x y. */

POET_FN float poet_reduce_add(int32_t kind, float sum, float x, float most)
{
    switch (kind) {
    case 1: return x > sum ? x : sum;
    case 2: return x < sum ? x : sum;
    case 3: return sum + poet_abs(x);
    case 4:
    case 5: return sum + x * x;
    case 6: return sum + poet_exp(x - most);
    case 8: return sum * x;
    default: return sum + x;
    }
}

POET_FN float poet_reduce_end(int32_t kind, float sum, float factor, float most)
{
    switch (kind) {
    case 0: return sum * factor;
    case 4: return poet_sqrt(sum);
    case 6: return most + poet_log(sum);
    case 7: return poet_log(sum);
    default: return sum;
    }
}

POET_FN int poet_k_reduce(void *user, const poet_call *c)
{
    const int32_t rank = c->a[0], kind = c->a[1], *dim = c->a + 3;
    const float *x = (const float *)c->in[0], factor = POET_F(c->a, 2);
    float *out = (float *)c->out[0];
    int32_t kept[POET_MAX_RANK], rest[POET_MAX_RANK], si[POET_MAX_RANK];
    poet_walk outer, inner;
    (void)user;
    poet_strides(rank, dim, si);
    poet_part(rank, dim, dim + rank, kept, rest);
    poet_walk_begin(&outer, rank, kept, si, 0, 0, 0);
    do {
        float most = x[outer.pos[0]], sum = kind == 1 || kind == 2 ? most : kind == 8 ? 1.0f : 0.0f;
        if (kind == 6) {
            poet_walk_begin(&inner, rank, rest, si, 0, 0, 0);
            do
                most = poet_max(most, x[outer.pos[0] + inner.pos[0]]);
            while (poet_walk_next(&inner));
        }
        poet_walk_begin(&inner, rank, rest, si, 0, 0, 0);
        do
            sum = poet_reduce_add(kind, sum, x[outer.pos[0] + inner.pos[0]], most);
        while (poet_walk_next(&inner));
        *out++ = poet_reduce_end(kind, sum, factor, most);
    } while (poet_walk_next(&outer));
    return 0;
}

/* How many elements share the extreme value: their gradients are shares of one. */
POET_FN float poet_ties(const float *x, float y, int32_t rank, const int32_t *rest, const int32_t *si)
{
    float ties = 0.0f;
    poet_walk inner;
    poet_walk_begin(&inner, rank, rest, si, 0, 0, 0);
    do
        ties += x[inner.pos[0]] == y ? 1.0f : 0.0f;
    while (poet_walk_next(&inner));
    return ties;
}

POET_FN float poet_reduce_slope(int32_t kind, float g, float x, float y, float factor, float ties)
{
    switch (kind) {
    case 0: return g * factor;
    case 1:
    case 2: return x == y ? g / ties : 0.0f;
    case 3: return g * poet_sign(x);
    case 4: return y == 0.0f ? 0.0f : g * x / y;
    case 5: return 2.0f * g * x;
    case 6: return g * poet_exp(x - y);
    case 7: return g / poet_exp(y);
    default: return g * y / x;
    }
}

POET_FN int poet_k_reduce_grad(void *user, const poet_call *c)
{
    const int32_t rank = c->a[0], kind = c->a[1], *dim = c->a + 3;
    const float *dy = (const float *)c->in[0], *x = (const float *)c->in[1], *y = (const float *)c->in[2];
    const float factor = POET_F(c->a, 2);
    int32_t kept[POET_MAX_RANK], rest[POET_MAX_RANK], si[POET_MAX_RANK];
    poet_walk outer, inner;
    (void)user;
    poet_strides(rank, dim, si);
    poet_part(rank, dim, dim + rank, kept, rest);
    poet_walk_begin(&outer, rank, kept, si, dim + rank, 0, 0);
    do {
        const float g = dy[outer.pos[1]], total = y != 0 ? y[outer.pos[1]] : 0.0f;
        const float ties = kind == 1 || kind == 2 ? poet_ties(x + outer.pos[0], total, rank, rest, si) : 1.0f;
        poet_walk_begin(&inner, rank, rest, si, 0, 0, 0);
        do {
            const int32_t i = outer.pos[0] + inner.pos[0];
            poet_put(&c->grad[0], i, poet_reduce_slope(kind, g, x != 0 ? x[i] : 0.0f, total, factor, ties));
        } while (poet_walk_next(&inner));
    } while (poet_walk_next(&outer));
    return 0;
}

/* One line of softmax; `step` elements apart. */
POET_FN void poet_softmax_line(const float *x, float *y, int32_t n, int32_t step, int32_t is_log)
{
    float most = x[0], sum = 0.0f;
    int32_t i;
    for (i = 1; i < n; ++i)
        most = poet_max(most, x[i * step]);
    for (i = 0; i < n; ++i)
        sum += poet_exp(x[i * step] - most);
    if (is_log) {
        sum = poet_log(sum);
        for (i = 0; i < n; ++i)
            y[i * step] = x[i * step] - most - sum;
    } else {
        for (i = 0; i < n; ++i)
            y[i * step] = poet_exp(x[i * step] - most) / sum;
    }
}

POET_FN int poet_softmax_lines(const poet_call *c, int32_t is_log)
{
    const int32_t *a = c->a;
    int32_t o, i;
    for (o = 0; o < a[0]; ++o)
        for (i = 0; i < a[2]; ++i)
            poet_softmax_line((const float *)c->in[0] + o * a[1] * a[2] + i, (float *)c->out[0] + o * a[1] * a[2] + i, a[1],
                              a[2], is_log);
    return 0;
}
POET_FN int poet_k_softmax(void *user, const poet_call *c)
{
    (void)user;
    return poet_softmax_lines(c, 0);
}
POET_FN int poet_k_log_softmax(void *user, const poet_call *c)
{
    (void)user;
    return poet_softmax_lines(c, 1);
}

POET_FN int poet_softmax_slopes(const poet_call *c, int32_t is_log)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0], *y = (const float *)c->in[2];
    int32_t o, i, k;
    for (o = 0; o < a[0]; ++o)
        for (i = 0; i < a[2]; ++i) {
            const int32_t base = o * a[1] * a[2] + i;
            float sum = 0.0f;
            for (k = 0; k < a[1]; ++k)
                sum += is_log ? dy[base + k * a[2]] : dy[base + k * a[2]] * y[base + k * a[2]];
            for (k = 0; k < a[1]; ++k) {
                const int32_t at = base + k * a[2];
                poet_put(&c->grad[0], at, is_log ? dy[at] - poet_exp(y[at]) * sum : y[at] * (dy[at] - sum));
            }
        }
    return 0;
}
POET_FN int poet_k_softmax_grad(void *user, const poet_call *c)
{
    (void)user;
    return poet_softmax_slopes(c, 0);
}
POET_FN int poet_k_log_softmax_grad(void *user, const poet_call *c)
{
    (void)user;
    return poet_softmax_slopes(c, 1);
}
