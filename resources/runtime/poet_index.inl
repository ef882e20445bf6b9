/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Sums over named dimensions, look-ups by element, running sums, largest elements, padding by the edge.
 * einsum a: 0 labels, 1 operands (1 to 3), 2-4 elements of the operands, 5.. sizes of the labels, strides of the output (0: summed),
 *   strides of each operand. Forward in: operands. Backward in: dy, operands.
 * gather_elements a: 0 rank, 1 length of the axis, 2 its stride, 3 elements of x, 4 bytes of an index (0: they follow at the end),
 *   5.. dims of the output, strides of x (0 on the axis). Forward in: x indices. Backward in: dy x indices.
 * cum_sum a: 0 outer, 1 length, 2 inner, 3 exclusive, 4 reverse. Forward in: x. Backward in: dy.
 * top_k a: 0 outer, 1 length, 2 inner, 3 k, 4 largest, 5-12 unused, 13 bytes of an index. Forward in: x.
 *   top_k_index in: x. Backward in: dy x y [indices].
 * one_hot a: 0 outer, 1 depth, 2 inner, 3 bytes of an index, 4 value elsewhere, 5 value at the index, 6 bytes of an element (0:
 *   float). Forward in: indices.
 * trilu a: 0 matrices, 1 rows, 2 columns, 3 first diagonal, 4 upper. Forward in: x. Backward in: dy.
 * pad_mode a: 0 rank, 1 mode (0 reflect, 1 edge, 2 wrap), 2 elements of x, 3.. dims of x, dims of the output, pads at the
 *   beginning. Forward in: x. Backward in: dy. */

POET_FN const int32_t *poet_einsum_strides(const int32_t *a, int32_t operand) { return a + 5 + (2 + operand) * a[0]; }

POET_FN void poet_einsum_begin(const int32_t *a, poet_walk *w, const int32_t *dim)
{
    poet_walk_begin(w, a[0], dim, a + 5 + a[0], poet_einsum_strides(a, 0), a[1] > 1 ? poet_einsum_strides(a, 1) : 0,
                    a[1] > 2 ? poet_einsum_strides(a, 2) : 0);
}

/* Product of all operands but one (-1: of all) at the sum of two positions, times `value`. */
POET_FN float poet_einsum_product(const int32_t *a, const void *const *in, int32_t without, const poet_walk *u, const poet_walk *v, float value)
{
    int32_t k;
    for (k = 0; k < a[1]; ++k)
        if (k != without)
            value *= ((const float *)in[k])[u->pos[1 + k] + v->pos[1 + k]];
    return value;
}

POET_FN int poet_k_einsum(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    int32_t kept[POET_MAX_RANK], rest[POET_MAX_RANK];
    poet_walk outer, inner;
    (void)user;
    poet_part(a[0], a + 5, a + 5 + a[0], kept, rest);
    poet_einsum_begin(a, &outer, kept);
    do {
        float sum = 0.0f;
        poet_einsum_begin(a, &inner, rest);
        do
            sum += poet_einsum_product(a, c->in, -1, &outer, &inner, 1.0f);
        while (poet_walk_next(&inner));
        ((float *)c->out[0])[outer.pos[0]] = sum;
    } while (poet_walk_next(&outer));
    return 0;
}

POET_FN void poet_einsum_slope(const poet_call *c, int32_t k)
{
    const int32_t *a = c->a;
    const poet_grad g = poet_scatter(&c->grad[k], a[2 + k]); /* a repeated label leaves elements out */
    int32_t kept[POET_MAX_RANK], rest[POET_MAX_RANK];
    poet_walk outer, inner;
    poet_part(a[0], a + 5, poet_einsum_strides(a, k), kept, rest);
    poet_einsum_begin(a, &outer, kept);
    do {
        float sum = 0.0f;
        poet_einsum_begin(a, &inner, rest);
        do
            sum += poet_einsum_product(a, c->in + 1, k, &outer, &inner, ((const float *)c->in[0])[outer.pos[0] + inner.pos[0]]);
        while (poet_walk_next(&inner));
        poet_put(&g, outer.pos[1 + k], sum);
    } while (poet_walk_next(&outer));
}

/* Gradients that are applied at once come last: the others read those operands. */
POET_FN int poet_k_einsum_grad(void *user, const poet_call *c)
{
    int32_t k, pass;
    (void)user;
    for (pass = 0; pass < 2; ++pass)
        for (k = 0; k < c->a[1]; ++k)
            if (c->grad[k].mode != POET_PUT_NONE && (c->grad[k].mode == POET_PUT_APPLY) == (pass == 1))
                poet_einsum_slope(c, k);
    return 0;
}

POET_FN int32_t poet_element_row(const int32_t *a, const void *indices, int32_t i)
{
    const int32_t row = a[4] == 0 ? a[5 + 2 * a[0] + i] : poet_int(indices, a[4], i);
    return row < 0 ? row + a[1] : row;
}
POET_FN int poet_k_gather_elements(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    int32_t i = 0;
    poet_walk w;
    (void)user;
    poet_walk_begin(&w, a[0], a + 5, a + 5 + a[0], 0, 0, 0);
    do {
        const int32_t row = poet_element_row(a, c->in[1], i);
        if (row < 0 || row >= a[1])
            return 1;
        ((float *)c->out[0])[i++] = ((const float *)c->in[0])[w.pos[0] + row * a[2]];
    } while (poet_walk_next(&w));
    return 0;
}
POET_FN int poet_k_gather_elements_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const poet_grad g = poet_scatter(&c->grad[0], a[3]);
    int32_t i = 0;
    poet_walk w;
    (void)user;
    poet_walk_begin(&w, a[0], a + 5, a + 5 + a[0], 0, 0, 0);
    do {
        poet_put(&g, w.pos[0] + poet_element_row(a, c->in[2], i) * a[2], ((const float *)c->in[0])[i]);
        ++i;
    } while (poet_walk_next(&w));
    return 0;
}

/* Lines of running sums, from one end or the other, into memory or a gradient. */
POET_FN void poet_cum_sum(const int32_t *a, const float *x, int32_t is_reverse, float *y, const poet_grad *g)
{
    int32_t o, i, k;
    for (o = 0; o < a[0]; ++o)
        for (i = 0; i < a[2]; ++i) {
            float sum = 0.0f;
            for (k = 0; k < a[1]; ++k) {
                const int32_t at = (o * a[1] + (is_reverse ? a[1] - 1 - k : k)) * a[2] + i;
                const float before = sum;
                sum += x[at];
                if (y != 0)
                    y[at] = a[3] != 0 ? before : sum;
                else
                    poet_put(g, at, a[3] != 0 ? before : sum);
            }
        }
}
POET_FN int poet_k_cum_sum(void *user, const poet_call *c)
{
    (void)user;
    poet_cum_sum(c->a, (const float *)c->in[0], c->a[4], (float *)c->out[0], 0);
    return 0;
}
POET_FN int poet_k_cum_sum_grad(void *user, const poet_call *c)
{
    (void)user;
    poet_cum_sum(c->a, (const float *)c->in[0], !c->a[4], 0, &c->grad[0]);
    return 0;
}

/* The element of a line that comes next behind `last` (-1: the first), by size, then by place. */
POET_FN int32_t poet_top_next(const int32_t *a, const float *x, int32_t last)
{
    int32_t i, best = -1;
    for (i = 0; i < a[1]; ++i) {
        const float v = a[4] != 0 ? x[i * a[2]] : -x[i * a[2]];
        const float before = last < 0 ? 0.0f : a[4] != 0 ? x[last * a[2]] : -x[last * a[2]];
        const float most = best < 0 ? 0.0f : a[4] != 0 ? x[best * a[2]] : -x[best * a[2]];
        if ((last < 0 || v < before || (v == before && i > last)) && (best < 0 || v > most))
            best = i;
    }
    return best < 0 ? 0 : best;
}
POET_FN int poet_top_k(const poet_call *c, int32_t wants_index)
{
    const int32_t *a = c->a;
    int32_t o, i, k;
    for (o = 0; o < a[0]; ++o)
        for (i = 0; i < a[2]; ++i) {
            const float *x = (const float *)c->in[0] + o * a[1] * a[2] + i;
            int32_t last = -1;
            for (k = 0; k < a[3]; ++k) {
                last = poet_top_next(a, x, last);
                if (wants_index)
                    poet_set_int(c->out[0], a[13], (o * a[3] + k) * a[2] + i, last);
                else
                    ((float *)c->out[0])[(o * a[3] + k) * a[2] + i] = x[last * a[2]];
            }
        }
    return 0;
}
POET_FN int poet_k_top_k(void *user, const poet_call *c)
{
    (void)user;
    return poet_top_k(c, 0);
}
POET_FN int poet_k_top_k_index(void *user, const poet_call *c)
{
    (void)user;
    return poet_top_k(c, 1);
}
POET_FN int poet_k_top_k_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * a[1] * a[2]);
    int32_t o, i, k;
    (void)user;
    for (o = 0; o < a[0]; ++o)
        for (k = 0; k < a[3]; ++k)
            for (i = 0; i < a[2]; ++i) {
                const int32_t at = (o * a[3] + k) * a[2] + i;
                poet_put(&g, (o * a[1] + poet_int(c->in[3], a[13], at)) * a[2] + i, ((const float *)c->in[0])[at]);
            }
    return 0;
}

POET_FN int poet_k_one_hot(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    int32_t o, d, i, at = 0;
    (void)user;
    for (o = 0; o < a[0]; ++o)
        for (d = 0; d < a[1]; ++d)
            for (i = 0; i < a[2]; ++i, ++at) {
                const int32_t index = poet_int(c->in[0], a[3], o * a[2] + i), which = (index < 0 ? index + a[1] : index) == d ? 5 : 4;
                if (a[6] == 0)
                    ((float *)c->out[0])[at] = POET_F(a, which);
                else
                    poet_set_int(c->out[0], a[6], at, a[which]);
            }
    return 0;
}

/* Element of x that an element of the output repeats. */
POET_FN int32_t poet_pad_source(const int32_t *a, const poet_walk *w)
{
    const int32_t rank = a[0], *dim = a + 3, *begin = a + 3 + 2 * rank;
    int32_t d, at = 0;
    for (d = 0; d < rank; ++d) {
        const int32_t last = dim[d] - 1;
        int32_t i = w->at[d] - begin[d];
        if (a[1] == 0 && i < 0)
            i = -i;
        if (a[1] == 0 && i > last)
            i = 2 * last - i;
        if (a[1] == 2)
            i = (i % dim[d] + dim[d]) % dim[d];
        at = at * dim[d] + (i < 0 ? 0 : i > last ? last : i);
    }
    return at;
}
POET_FN int poet_k_pad_mode(void *user, const poet_call *c)
{
    float *y = (float *)c->out[0];
    poet_walk w;
    (void)user;
    poet_walk_begin(&w, c->a[0], c->a + 3 + c->a[0], 0, 0, 0, 0);
    do
        *y++ = ((const float *)c->in[0])[poet_pad_source(c->a, &w)];
    while (poet_walk_next(&w));
    return 0;
}
POET_FN int poet_k_pad_mode_grad(void *user, const poet_call *c)
{
    const float *dy = (const float *)c->in[0];
    const poet_grad g = poet_scatter(&c->grad[0], c->a[2]);
    poet_walk w;
    (void)user;
    poet_walk_begin(&w, c->a[0], c->a + 3 + c->a[0], 0, 0, 0, 0);
    do
        poet_put(&g, poet_pad_source(c->a, &w), *dy++);
    while (poet_walk_next(&w));
    return 0;
}

POET_FN float poet_trilu_value(const int32_t *a, const float *x, int32_t i)
{
    const int32_t above = i % a[2] - i / a[2] % a[1] - a[3]; /* diagonals above the one that counts */
    return (a[4] != 0 ? above >= 0 : above <= 0) ? x[i] : 0.0f;
}
POET_FN int poet_k_trilu(void *user, const poet_call *c)
{
    int32_t i;
    (void)user;
    for (i = 0; i < c->a[0] * c->a[1] * c->a[2]; ++i)
        ((float *)c->out[0])[i] = poet_trilu_value(c->a, (const float *)c->in[0], i);
    return 0;
}
POET_FN int poet_k_trilu_grad(void *user, const poet_call *c)
{
    int32_t i;
    (void)user;
    for (i = 0; i < c->a[0] * c->a[1] * c->a[2]; ++i)
        poet_put(&c->grad[0], i, poet_trilu_value(c->a, (const float *)c->in[0], i));
    return 0;
}
