/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Decoder of the packed schedule (a file without its graph). It keeps a position, one last id a code and the inputs that
 * die behind the run just decoded: under 64 bytes. `open` has
 * checked the bytes; ids, offsets and codes are checked when they are used. Four zeros stand
 * behind the bytes in flash: what is cut off reads as zeros, which end every number, and 0 is no code, so nothing needs to
 * look for the end. Where the sections begin is known when the code is compiled: POET_PACKED_CODE, POET_PACKED_WORDS (first
 * offset of the dictionary), POET_PACKED_WIDTH (bytes of one; 0: no dictionary), POET_PACKED_UNIT (bytes that offsets are
 * multiples of). */

static void poet_begin(POET_STATE *s)
{
    s->decoder.at = POET_P(packed) + POET_PACKED_CODE;
}

POET_OUTLINE uint32_t poet_varint(poet_decoder *d)
{
    uint32_t value = 0, shift = 0, now;
    do {
        now = *d->at++;
        value |= (now & 0x7Fu) << shift;
        shift += 7u;
    } while (now >= 0x80u && shift < 35u);
    return value;
}

/* Offset of a placement, through the dictionary or plain. */
POET_OUTLINE uint32_t poet_placement(poet_decoder *d)
{
    uint32_t raw = poet_varint(d) - 1u;
#if POET_PACKED_WIDTH > 0
    const uint8_t *word = POET_P(packed) + POET_PACKED_WORDS + raw * POET_PACKED_WIDTH;
    if (raw >= (POET_PACKED_CODE - POET_PACKED_WORDS) / POET_PACKED_WIDTH)
        return POET_ABSENT; /* no place */
    raw = word[0];
#if POET_PACKED_WIDTH > 1
    raw |= (uint32_t)word[1] << 8;
#endif
#if POET_PACKED_WIDTH > 2
    raw |= (uint32_t)word[2] << 16;
#endif
#if POET_PACKED_WIDTH > 3
    raw |= (uint32_t)word[3] << 24;
#endif
#endif
    return raw * POET_PACKED_UNIT;
}

/* The next instruction, and the row of its rule. Inputs 0 to 2 of the run before, or the tensor paged out, die first. */
static int poet_fetch(POET_STATE *s, uint32_t *row)
{
    poet_decoder *const d = &s->decoder;
    const poet_tensor *t;
    uint32_t x, op, k;
    while (d->dying != 0) {
        const uint32_t dies = d->dying & 1u, id = *d->reads++;
        d->dying >>= 1;
        if (dies) {
            s->now.id = (uint16_t)id;
            *row = s->now.op = POET_FREE;
            return POET_OK;
        }
    }
    x = *d->at++;
    op = x & 15u;
    x >>= 4;
    *row = s->now.op = (uint8_t)op;
    if (op >= POET_MARK) {
        s->now.arg = op == POET_MARK && x < 15u ? x : poet_varint(d);
        return POET_OK;
    }
    s->now.id = (uint16_t)POET_ALL;
    if (op >= POET_WAIT && x == 1u)
        return POET_OK;
    /* the id is a signed step from the last one of its code */
    k = op <= POET_RECOMPUTE && (x & 1u) != 0 ? 2u : poet_varint(d);
    k = d->next[op] = (uint16_t)(d->next[op] + ((k >> 1) ^ (0u - (k & 1u))));
    s->now.id = (uint16_t)--k;
    if (k >= POET_N_TENSORS)
        return -POET_E_RANGE;
    t = &POET_P(tensors)[k];
    d->reads = &s->now.id;
    d->dying = x >> 2;
    if (op <= POET_RECOMPUTE) {
        d->reads = POET_P(reads) + 3u * k;
        d->dying = x >> 1;
    } else if (op <= POET_PREFETCH) {
        if ((x & 2u) != 0)
            *row = op == POET_PAGE_OUT ? POET_ASYNC_ROW : 0;
        if ((x & 1u) == 0 && *row != 0 && poet_varint(d) != t->page)
            return -POET_E_PAGE;
    }
    if (op <= POET_PREFETCH && op != POET_PAGE_OUT && t->bytes > 0)
        s->now.arg = poet_placement(d);
    if (op <= POET_RECOMPUTE && t->work > 0)
        s->operand = poet_placement(d);
    return POET_OK;
}
