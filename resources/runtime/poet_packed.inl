/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Decoder of the packed schedule (a file without its graph). It keeps a position, one last id a code and the inputs that
 * die behind the run just decoded: under 64 bytes. Malformed bytes end with POET_E_RANGE or POET_E_OPCODE. */

static uint32_t poet_fixed(const uint8_t *p, uint32_t bytes)
{
    uint32_t value = 0, i;
    for (i = 0; i < bytes; ++i)
        value |= (uint32_t)p[i] << (8u * i);
    return value;
}

static uint32_t poet_packed_crc(const uint8_t *p, uint32_t bytes)
{
    uint32_t crc = 0xFFFFFFFFu, i, k;
    for (i = 0; i < bytes; ++i) {
        crc ^= i >= 12u && i < 16u ? 0u : p[i]; /* its own field counts as zero */
        for (k = 0; k < 8; ++k)
            crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
    }
    return ~crc;
}

/* Checks the header against what the code was compiled for. */
static int poet_packed_open(POET_STATE *s)
{
    const uint8_t *p = POET_P(packed);
    const uint32_t bytes = poet_fixed(p + 8, 4);
    if (memcmp(p, "POET", 4) != 0)
        return poet_fail(s, POET_E_MAGIC, 0, 0);
    if (poet_fixed(p + 4, 2) != POET_ABI || p[6] != 1)
        return poet_fail(s, POET_E_ABI, 0, 0);
    if (bytes != POET_PACKED_BYTES || poet_packed_crc(p, bytes) != poet_fixed(p + 12, 4))
        return poet_fail(s, POET_E_CRC, 0, 0);
    if (poet_fixed(p + 16, 4) != POET_HASH_LOW || poet_fixed(p + 20, 4) != POET_HASH_HIGH)
        return poet_fail(s, POET_E_HASH, 0, 0);
    if (poet_fixed(p + 26, 2) != POET_N_TENSORS || poet_fixed(p + 36, 4) != POET_ARENA_BYTES)
        return poet_fail(s, POET_E_RANGE, 0, 0);
    return POET_OK;
}

static void poet_packed_begin(POET_STATE *s)
{
    memset(&s->decoder, 0, sizeof s->decoder);
    s->decoder.at = poet_fixed(POET_P(packed) + 94, 2);
    memset(s->decoder.last, 0xFF, sizeof s->decoder.last);
}

static uint32_t poet_byte(POET_STATE *s)
{
    if (s->decoder.at >= POET_PACKED_BYTES) {
        s->decoder.broken = 1;
        return 0;
    }
    return POET_P(packed)[s->decoder.at++];
}

static uint32_t poet_varint(POET_STATE *s)
{
    uint32_t value = 0, shift;
    for (shift = 0; shift < 35; shift += 7) {
        const uint32_t now = poet_byte(s);
        value |= (now & 0x7Fu) << shift;
        if (now < 0x80u) {
            s->decoder.broken |= (uint8_t)((shift > 0 && now == 0) || (shift == 28 && now > 0x0Fu));
            return value;
        }
    }
    s->decoder.broken = 1;
    return 0;
}

/* Id of the instruction: a signed step from the last one of its code. */
static uint16_t poet_step_id(POET_STATE *s, uint32_t op, int is_next)
{
    const uint32_t raw = is_next ? 2u : poet_varint(s);
    const int32_t step = (raw & 1u) != 0 ? -(int32_t)(raw >> 1) - 1 : (int32_t)(raw >> 1);
    s->decoder.last[op] = (int16_t)(s->decoder.last[op] + step);
    return (uint16_t)s->decoder.last[op];
}

/* Offset of a placement, through the dictionary or plain. */
static uint32_t poet_placement(POET_STATE *s)
{
    const uint8_t *p = POET_P(packed), *words = p + poet_fixed(p + 92, 2);
    const uint32_t flags = poet_fixed(p + 24, 2), width = flags >> 2 & 7u, raw = poet_varint(s);
    uint32_t unit = 0, shift = 0;
    if (raw == 0) {
        s->decoder.broken = 1;
        return 0;
    }
    if ((flags & 2u) != 0)
        return (raw - 1u) * POET_ARENA_ALIGN;
    do {
        unit |= (uint32_t)(*words & 0x7Fu) << shift;
        shift += 7;
    } while ((*words++ & 0x80u) != 0 && shift < 35);
    if (words + raw * width > p + poet_fixed(p + 94, 2)) {
        s->decoder.broken = 1;
        return 0;
    }
    return poet_fixed(words + (raw - 1u) * width, width) * unit * POET_ARENA_ALIGN;
}

static int poet_fetch_move(POET_STATE *s, poet_instr *i, uint32_t *ext, uint32_t x)
{
    i->id = poet_step_id(s, i->op, 0);
    if (i->id >= POET_N_TENSORS)
        return poet_fail(s, POET_E_RANGE, i->id, 0);
    if (i->op == POET_PAGE_OUT) {
        i->flags = (uint8_t)((x & 2u) != 0 ? POET_ASYNC : 0);
        i->arg = (x & 1u) != 0 ? POET_ABSENT : poet_varint(s);
        s->decoder.dying = (uint8_t)((x & 4u) != 0 ? 8 : 0);
        s->decoder.node = i->id;
        return POET_OK;
    }
    ext[1] = (x & 2u) != 0 ? POET_INPUT_PAGE : (x & 1u) != 0 ? POET_ABSENT : poet_varint(s);
    i->arg = POET_P(sizes)[i->id] > 0 ? poet_placement(s) : 0;
    return POET_OK;
}

/* The next instruction. Inputs 0 to 2 of the run before, or the tensor paged out, die first. */
static int poet_fetch(POET_STATE *s, poet_instr *i, uint32_t *ext)
{
    uint32_t head, x, k;
    memset(i, 0, sizeof *i);
    for (k = 0; k < 4; ++k)
        if ((s->decoder.dying & 1u << k) != 0) {
            s->decoder.dying = (uint8_t)(s->decoder.dying & ~(1u << k));
            i->op = POET_FREE;
            i->id = k == 3 ? s->decoder.node : POET_P(reads)[3u * s->decoder.node + k];
            return POET_OK;
        }
    head = poet_byte(s);
    x = head >> 4;
    i->op = (uint8_t)(head & 15u);
    switch (i->op) {
    case POET_COMPUTE:
    case POET_RECOMPUTE:
        i->id = poet_step_id(s, i->op, (x & 1u) != 0);
        if (i->id >= POET_N_NODES)
            return poet_fail(s, POET_E_RANGE, i->id, 0);
        i->arg = POET_P(sizes)[i->id] > 0 ? poet_placement(s) : 0;
        ext[1] = POET_P(works)[i->id] > 0 ? poet_placement(s) : POET_ABSENT;
        s->decoder.node = i->id;
        s->decoder.dying = (uint8_t)(x >> 1);
        break;
    case POET_PAGE_OUT:
    case POET_PAGE_IN:
    case POET_PREFETCH:
        if (poet_fetch_move(s, i, ext, x) != POET_OK)
            return s->fault.code;
        break;
    case POET_WAIT:
    case POET_FREE:
    case POET_UPDATE: i->id = x == 1u ? (uint16_t)POET_ALL : poet_step_id(s, i->op, 0); break;
    case POET_MARK: i->arg = x == 15u ? poet_varint(s) : x; break;
    case POET_END: i->arg = poet_varint(s); break;
    default: return poet_fail(s, POET_E_OPCODE, 0, i->op);
    }
    return s->decoder.broken ? poet_fail(s, POET_E_RANGE, i->id, 1) : POET_OK;
}

/* Runs the packed code once. */
static int poet_step(POET_STATE *s)
{
    int result = poet_prepare(s);
    poet_packed_begin(s);
    while (result == POET_OK) {
        uint32_t ext[3] = {POET_ABSENT, POET_ABSENT, POET_ABSENT};
        poet_instr now;
        result = poet_fetch(s, &now, ext);
        if (result == POET_OK)
            result = poet_do(s, &now, ext);
        if (now.op == POET_END)
            break;
    }
    return result;
}
