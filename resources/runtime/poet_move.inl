/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Copies: transpose, slice, pad, expand, tile, depth to space, concatenation, table look-up, dropout.
 * move a: 0 rank, 1 first element read, 2 first element written, 3 elements to fill before (0: none), 4 fill value,
 *   5 elements of the input, 6 bytes of an element, 7.. dims, strides read, strides written. Forward in: x.
 *   Backward in: dy; sums where an element was read several times.
 * concat a: 0 operands, 1 outer, 2.. length of each (times the inner dimensions). Forward in: all (null: zeros). Backward in: dy.
 * gather a: 0 outer, 1 length, 2 inner, 3 look-ups, 4 bytes of an index (0: indices follow from a[6]),
 *   5 bytes of an element. Forward in: table indices. Backward in: dy table indices. */

POET_FN void poet_move_begin(poet_walk *w, const int32_t *a)
{
    poet_walk_begin(w, a[0], a + 7, a + 7 + a[0], a + 7 + 2 * a[0], 0, 0);
}

POET_FN int poet_k_move(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    float *out = (float *)c->out[0];
    int32_t i;
    poet_walk w;
    (void)user;
    for (i = 0; i < a[3]; ++i)
        out[i] = POET_F(a, 4);
    if (poet_count(a[0], a + 7) == 0)
        return 0;
    poet_move_begin(&w, a);
    do
        if (a[6] == 4)
            out[a[2] + w.pos[1]] = ((const float *)c->in[0])[a[1] + w.pos[0]];
        else
            memcpy((uint8_t *)c->out[0] + (a[2] + w.pos[1]) * a[6], (const uint8_t *)c->in[0] + (a[1] + w.pos[0]) * a[6],
                   (uint32_t)a[6]);
    while (poet_walk_next(&w));
    return 0;
}
POET_FN int poet_k_move_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0];
    const poet_grad g = poet_scatter(&c->grad[0], a[5]);
    poet_walk w;
    (void)user;
    if (poet_count(a[0], a + 7) == 0)
        return 0;
    poet_move_begin(&w, a);
    do
        poet_put(&g, a[1] + w.pos[0], dy[a[2] + w.pos[1]]);
    while (poet_walk_next(&w));
    return 0;
}

POET_FN int poet_k_concat(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    float *out = (float *)c->out[0];
    int32_t o, k, i;
    (void)user;
    for (o = 0; o < a[1]; ++o)
        for (k = 0; k < a[0]; ++k)
            for (i = 0; i < a[2 + k]; ++i)
                *out++ = c->in[k] != 0 ? ((const float *)c->in[k])[o * a[2 + k] + i] : 0.0f;
    return 0;
}
POET_FN int poet_k_concat_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0];
    int32_t o, k, i;
    (void)user;
    for (o = 0; o < a[1]; ++o)
        for (k = 0; k < a[0]; ++k)
            for (i = 0; i < a[2 + k]; ++i, ++dy)
                if (c->grad[k].mode != POET_PUT_NONE)
                    poet_put(&c->grad[k], o * a[2 + k] + i, *dy);
    return 0;
}

POET_FN int32_t poet_gather_row(const int32_t *a, const void *indices, int32_t i)
{
    const int32_t row = a[4] == 0 ? a[6 + i] : poet_int(indices, a[4], i);
    return row < 0 ? row + a[1] : row;
}
POET_FN int poet_k_gather(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    uint8_t *out = (uint8_t *)c->out[0];
    const uint32_t run = (uint32_t)(a[2] * a[5]);
    int32_t o, k;
    (void)user;
    for (o = 0; o < a[0]; ++o)
        for (k = 0; k < a[3]; ++k) {
            const int32_t row = poet_gather_row(a, c->in[1], k);
            if (row < 0 || row >= a[1])
                return 1;
            memcpy(out, (const uint8_t *)c->in[0] + (uint32_t)(o * a[1] + row) * run, run);
            out += run;
        }
    return 0;
}
POET_FN int poet_k_gather_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *dy = (const float *)c->in[0];
    const poet_grad g = poet_scatter(&c->grad[0], a[0] * a[1] * a[2]);
    int32_t o, k, i;
    (void)user;
    for (o = 0; o < a[0]; ++o)
        for (k = 0; k < a[3]; ++k) {
            const int32_t row = poet_gather_row(a, c->in[2], k);
            for (i = 0; i < a[2]; ++i)
                poet_put(&g, (o * a[1] + row) * a[2] + i, *dy++);
        }
    return 0;
}

/* Dropout in training. a: 0 count, 1 ratio, 2 number of the node. The mask is a function of seed, step, node and element,
 * so a second run gives the same bytes. dropout in: x [mask]; backward in: dy x y [mask]. */
POET_FN uint8_t poet_keeps(const poet_call *c, int32_t i)
{
    uint32_t h = c->seed ^ (c->step * 0x9E3779B9u) ^ ((uint32_t)c->a[2] * 0x85EBCA6Bu) ^ ((uint32_t)i * 0xC2B2AE35u);
    h = (h ^ (h >> 16)) * 0x7FEB352Du;
    h = (h ^ (h >> 15)) * 0x846CA68Bu;
    h ^= h >> 16;
    return (float)(h >> 8) * (1.0f / 16777216.0f) >= POET_F(c->a, 1);
}
POET_FN int poet_k_dropout_mask(void *user, const poet_call *c)
{
    int32_t i;
    (void)user;
    for (i = 0; i < c->a[0]; ++i)
        ((uint8_t *)c->out[0])[i] = poet_keeps(c, i);
    return 0;
}
POET_FN int poet_k_dropout(void *user, const poet_call *c)
{
    const float factor = 1.0f / (1.0f - POET_F(c->a, 1));
    const uint8_t *mask = (const uint8_t *)c->in[1];
    int32_t i;
    (void)user;
    for (i = 0; i < c->a[0]; ++i)
        ((float *)c->out[0])[i] = (mask != 0 ? mask[i] : poet_keeps(c, i)) != 0 ? ((const float *)c->in[0])[i] * factor : 0.0f;
    return 0;
}
POET_FN int poet_k_dropout_grad(void *user, const poet_call *c)
{
    const float factor = 1.0f / (1.0f - POET_F(c->a, 1));
    const float *dy = (const float *)c->in[0];
    const uint8_t *mask = (const uint8_t *)c->in[3];
    int32_t i;
    (void)user;
    for (i = 0; i < c->a[0]; ++i)
        poet_put(&c->grad[0], i, (mask != 0 ? mask[i] : poet_keeps(c, i)) != 0 ? dy[i] * factor : 0.0f);
    return 0;
}
