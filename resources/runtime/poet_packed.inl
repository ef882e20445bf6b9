/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Decoder of the packed schedule (a file without its graph). It keeps a position, one last id a code and the inputs that
 * die behind the run just decoded: under 64 bytes. Malformed bytes end with POET_E_RANGE or POET_E_OPCODE. Where the sections
 * begin is known when the code is compiled: POET_PACKED_CODE, POET_PACKED_WORDS (first offset of the dictionary),
 * POET_PACKED_WIDTH (bytes of one; 0: no dictionary), POET_PACKED_UNIT (bytes that offsets are multiples of). */

static void poet_packed_begin(POET_STATE *s)
{
    s->decoder.at = POET_PACKED_CODE;
    memset(s->decoder.last, 0xFF, sizeof s->decoder.last);
}

static uint32_t poet_byte(POET_STATE *s)
{
    if (s->decoder.at < POET_PACKED_BYTES)
        return POET_P(packed)[s->decoder.at++];
    s->decoder.broken = 1;
    return 0;
}

POET_OUTLINE uint32_t poet_varint(POET_STATE *s)
{
    uint32_t value = 0, shift = 0, now;
    do {
        now = poet_byte(s);
        value |= (now & 0x7Fu) << shift;
        if ((now == 0 && shift > 0) || (now > 0x0Fu && shift == 28)) /* overlong, or more than 32 bits */
            s->decoder.broken = 1;
        shift += 7;
    } while (now >= 0x80u && s->decoder.broken == 0);
    return value;
}

/* Offset of a placement, through the dictionary or plain. */
POET_OUTLINE uint32_t poet_placement(POET_STATE *s)
{
    uint32_t raw = poet_varint(s) - 1u;
#if POET_PACKED_WIDTH > 0
    const uint8_t *word = POET_P(packed) + POET_PACKED_WORDS + raw * POET_PACKED_WIDTH;
    if (raw >= (POET_PACKED_CODE - POET_PACKED_WORDS) / POET_PACKED_WIDTH) {
        s->decoder.broken = 1;
        return 0;
    }
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

/* The next instruction. Inputs 0 to 2 of the run before, or the tensor paged out, die first. */
static int poet_fetch(POET_STATE *s, poet_instr *i, uint32_t *operand)
{
    poet_decoder *d = &s->decoder;
    const poet_tensor *t;
    uint32_t head, x, op, k = 0;
    memset(i, 0, sizeof *i);
    *operand = POET_ABSENT;
    if (d->dying != 0) {
        while ((d->dying >> k & 1) == 0)
            ++k;
        d->dying = (uint8_t)(d->dying & (d->dying - 1));
        i->op = POET_FREE;
        i->id = k == 3 ? d->node : POET_P(reads)[3u * d->node + k];
        return POET_OK;
    }
    head = poet_byte(s);
    x = head >> 4;
    i->op = (uint8_t)(op = head & 15u);
    if (op >= POET_MARK) {
        i->arg = op == POET_MARK && x < 15u ? x : poet_varint(s);
        return d->broken ? POET_E_RANGE : POET_OK;
    }
    if (op >= POET_WAIT && x == 1u) {
        i->id = (uint16_t)POET_ALL;
        return POET_OK;
    }
    /* the id is a signed step from the last one of its code */
    k = op <= POET_RECOMPUTE && (x & 1u) != 0 ? 2u : poet_varint(s);
    i->id = d->node = d->last[op] = (uint16_t)(d->last[op] + ((k >> 1) ^ (0u - (k & 1u))));
    if (i->id >= POET_N_TENSORS || d->broken)
        return POET_E_RANGE;
    t = &POET_P(tensors)[i->id];
    if (op == POET_PAGE_OUT) {
        i->flags = (uint8_t)(x & POET_ASYNC);
        i->arg = (x & 1u) != 0 ? POET_ABSENT : poet_varint(s);
        d->dying = (uint8_t)((x & 4u) << 1);
    } else if (op <= POET_PREFETCH) {
        if (op > POET_PAGE_OUT)
            *operand = (x & 2u) != 0 ? POET_INPUT_PAGE : (x & 1u) != 0 ? POET_ABSENT : poet_varint(s);
        else
            d->dying = (uint8_t)(x >> 1);
        if (t->bytes > 0)
            i->arg = poet_placement(s);
        if (op <= POET_RECOMPUTE && t->work > 0)
            *operand = poet_placement(s);
    }
    return d->broken ? POET_E_RANGE : POET_OK;
}
