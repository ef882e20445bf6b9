/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Helpers of the kernels: gradients, strided walks, integer operands. */

/* Hands one gradient element over. Called once an element; parameters applied at once are read no more. */
POET_FN void poet_put(const poet_grad *g, int32_t i, float value)
{
    if (g->mode == POET_PUT_WRITE)
        g->p[i] = value;
    else if (g->mode == POET_PUT_ADD)
        g->p[i] += value;
    else if (g->mode == POET_PUT_APPLY)
        g->p[i] -= g->rate * value;
}

/* A sum that carries its rounding error along (Kahan 1965): long sums of gradients nearly cancel. */
typedef struct poet_total {
    float sum, low;
} poet_total;
POET_FN void poet_add(poet_total *t, float x)
{
    const float y = x - t->low, next = t->sum + y;
    t->low = (next - t->sum) - y;
    t->sum = next;
}

#define POET_MAX_RANK 8

/* A walk over `dim` in row-major order, with up to four strided positions. */
typedef struct poet_walk {
    int32_t rank;
    const int32_t *dim;
    const int32_t *stride[4];
    int32_t at[POET_MAX_RANK];
    int32_t pos[4];
} poet_walk;

POET_FN void poet_walk_begin(poet_walk *w, int32_t rank, const int32_t *dim, const int32_t *s0, const int32_t *s1,
                             const int32_t *s2, const int32_t *s3)
{
    memset(w, 0, sizeof *w);
    w->rank = rank;
    w->dim = dim;
    w->stride[0] = s0;
    w->stride[1] = s1;
    w->stride[2] = s2;
    w->stride[3] = s3;
}

/* 0 after the last position. */
POET_FN int poet_walk_next(poet_walk *w)
{
    int32_t d, k;
    for (d = w->rank - 1; d >= 0; --d) {
        const int is_last = ++w->at[d] == w->dim[d];
        for (k = 0; k < 4; ++k)
            if (w->stride[k] != 0)
                w->pos[k] += is_last ? -w->stride[k][d] * (w->dim[d] - 1) : w->stride[k][d];
        if (!is_last)
            return 1;
        w->at[d] = 0;
    }
    return 0;
}

POET_FN int32_t poet_count(int32_t rank, const int32_t *dim)
{
    int32_t i, n = 1;
    for (i = 0; i < rank; ++i)
        n *= dim[i];
    return n;
}

/* Element `i` of an operand of 1-, 2-, 4- or 8-byte integers. */
POET_FN int32_t poet_int(const void *p, int32_t bytes, int32_t i)
{
    int64_t v8;
    int32_t v4;
    int16_t v2;
    switch (bytes) {
    case 1: return ((const uint8_t *)p)[i];
    case 2: memcpy(&v2, (const uint8_t *)p + 2 * i, 2); return v2;
    case 4: memcpy(&v4, (const uint8_t *)p + 4 * i, 4); return v4;
    default: memcpy(&v8, (const uint8_t *)p + 8 * i, 8); return (int32_t)v8;
    }
}

POET_FN void poet_set_int(void *p, int32_t bytes, int32_t i, int32_t value)
{
    const int64_t v8 = value;
    const int16_t v2 = (int16_t)value;
    switch (bytes) {
    case 1: ((uint8_t *)p)[i] = (uint8_t)value; break;
    case 2: memcpy((uint8_t *)p + 2 * i, &v2, 2); break;
    case 4: memcpy((uint8_t *)p + 4 * i, &value, 4); break;
    default: memcpy((uint8_t *)p + 8 * i, &v8, 8); break;
    }
}

/* Scattered gradients: clears a place that will be written, after which every hand-over adds. */
POET_FN poet_grad poet_scatter(const poet_grad *g, int32_t n)
{
    poet_grad result = *g;
    int32_t i;
    if (g->mode == POET_PUT_WRITE) {
        for (i = 0; i < n; ++i)
            g->p[i] = 0.0f;
        result.mode = POET_PUT_ADD;
    }
    return result;
}

/* Row-major strides of `dim`. */
POET_FN void poet_strides(int32_t rank, const int32_t *dim, int32_t *stride)
{
    int32_t d, n = 1;
    for (d = rank - 1; d >= 0; --d) {
        stride[d] = n;
        n *= dim[d];
    }
}

/* Parts `dim` into what an operand with these strides keeps and what it is repeated over. */
POET_FN void poet_part(int32_t rank, const int32_t *dim, const int32_t *stride, int32_t *kept, int32_t *rest)
{
    int32_t d;
    for (d = 0; d < rank; ++d) {
        kept[d] = stride[d] != 0 ? dim[d] : 1;
        rest[d] = stride[d] != 0 ? 1 : dim[d];
    }
}

POET_FN void poet_zero(float *p, int32_t n)
{
    int32_t i;
    for (i = 0; i < n; ++i)
        p[i] = 0.0f;
}
