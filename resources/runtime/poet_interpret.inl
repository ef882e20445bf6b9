/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Instructions from a table or the packed form, each checked before it acts. Included by poet_runtime.inl. */

/* Tests a place before anything is written to it. */
POET_OUTLINE int poet_place(POET_STATE *s, uint32_t offset, uint32_t bytes)
{
    if (offset > POET_ARENA_BYTES || bytes > POET_ARENA_BYTES - offset || offset % POET_ARENA_ALIGN != 0)
        return POET_E_ARENA;
    (void)s;
#if POET_CHECK >= 1
    {
        uint32_t t;
        if (offset + bytes > s->counters.high_water)
            s->counters.high_water = offset + bytes;
        for (t = 0; t < POET_N_TENSORS; ++t) {
            const uint32_t other = POET_OFFSET(s->place[t]);
            if ((s->place[t] & POET_TAKEN) != 0 && other < offset + bytes && offset < other + POET_P(tensors)[t].bytes) {
                s->fault.detail = (int)t;
                return POET_E_OVERLAP;
            }
        }
    }
#endif
    return POET_OK;
}

static int poet_claim(POET_STATE *s, uint32_t id, uint32_t offset)
{
    int code = POET_E_ALREADY;
    if ((s->place[id] & POET_TAKEN) == 0 && (code = poet_place(s, offset, POET_P(tensors)[id].bytes)) == POET_OK) {
        s->place[id] = offset << POET_SHIFT | (s->place[id] & (POET_DONE | POET_STORED)) | POET_HERE;
        ++s->live;
    }
    return code;
}

static int poet_free(POET_STATE *s, uint32_t id)
{
    const uint32_t place = s->place[id];
    if ((place & POET_TAKEN) != POET_HERE)
        return (place & POET_FLYING) != 0 ? POET_E_BUSY : POET_E_NOT_RESIDENT;
    s->place[id] = place & (POET_DONE | POET_STORED);
    --s->live;
    return POET_OK;
}

static int poet_compute(POET_STATE *s, const poet_instr *i, uint32_t operand)
{
    const uint32_t id = i->id, work = POET_P(tensors)[id].work;
    const uint8_t again = i->op == POET_RECOMPUTE;
    int code;
    /* once UPDATE has changed parameters, nothing of this step may read them */
    if (((s->place[id] & POET_DONE) != 0) != again || (POET_P(nodes)[id].flags & (again ? POET_NODE_AGAIN : POET_NODE_FIRST)) == 0 || s->updated != 0)
        return POET_E_ORDER;
    code = poet_claim(s, id, i->arg);
    if (code == POET_OK && work != 0)
        code = poet_place(s, operand, work);
    s->call.work = s->base[POET_REF_WORK] = s->base[POET_REF_TENSOR] + operand;
    if (code == POET_OK)
        code = poet_run(s, id, again, s->base[POET_REF_TENSOR] + i->arg);
    s->place[id] |= POET_DONE;
    return POET_WITNESS(code, id, s->base[POET_REF_TENSOR] + i->arg);
}

static int poet_page_out(POET_STATE *s, const poet_instr *i)
{
    const poet_tensor *t = &POET_P(tensors)[i->id];
    uint32_t *place = &s->place[i->id];
    const int is_async = POET_ASYNC_USED && (i->flags & POET_ASYNC) != 0;
    if ((i->arg != t->page && i->arg != POET_ABSENT) || t->page == POET_INPUT_PAGE)
        return POET_E_PAGE;
    if ((*place & POET_TAKEN) != POET_HERE)
        return POET_E_NOT_RESIDENT;
    *place |= is_async ? POET_STORED | POET_FLYING : POET_STORED;
    return poet_move(s, t, s->base[POET_REF_TENSOR] + POET_OFFSET(*place), 1, is_async);
}

static int poet_page_in(POET_STATE *s, const poet_instr *i, uint32_t page)
{
    const poet_tensor *t = &POET_P(tensors)[i->id];
    uint8_t *at = s->base[POET_REF_TENSOR] + i->arg;
    int code = poet_claim(s, i->id, i->arg);
    if (code != POET_OK)
        return code;
    if (page == POET_ABSENT)
        page = t->page;
    if (page == POET_INPUT_PAGE) {
        code = poet_give(s, t, at);
    } else {
        if (page != t->page)
            return POET_E_PAGE;
        if ((s->place[i->id] & POET_STORED) == 0)
            return POET_E_STALE;
        code = poet_move(s, t, at, 0, i->op == POET_PREFETCH);
        if (POET_ASYNC_USED && i->op == POET_PREFETCH) {
            s->place[i->id] ^= POET_TAKEN; /* on its way, not there */
            return code;
        }
    }
    return POET_WITNESS(code, i->id, at);
}

#if POET_ASYNC_USED
/* Of one tensor, or of all that are on their way. */
static int poet_wait(POET_STATE *s, uint32_t id)
{
    uint32_t t;
    int code = poet_join(s), result = POET_E_BUSY;
    for (t = 0; t < POET_N_TENSORS && code == POET_OK; ++t)
        if ((s->place[t] & POET_FLYING) != 0 && (id == t || id == POET_ALL)) {
            s->place[t] = (s->place[t] & ~POET_FLYING) | POET_HERE;
            result = code = POET_WITNESS(code, t, s->base[POET_REF_TENSOR] + POET_OFFSET(s->place[t]));
        }
    return code != POET_OK ? code : result;
}
#endif

POET_OUTLINE int poet_execute(POET_STATE *s, const poet_instr *i, uint32_t operand)
{
    const uint32_t op = i->op, id = i->id;
#if POET_ASYNC_USED
    if (op == POET_WAIT)
        return poet_wait(s, id);
#endif
    if (op == POET_UPDATE)
        return poet_update(s, id);
    if (op == POET_END)
        return poet_end(s, i->arg);
    if (op == POET_MARK)
        return POET_OK;
    if (id >= POET_N_TENSORS)
        return POET_E_RANGE;
    if (op == POET_FREE)
        return poet_free(s, id);
    if (op - 1u <= 1u)
        return poet_compute(s, i, operand);
    if (op == POET_PAGE_OUT)
        return poet_page_out(s, i);
    return op - 4u <= 1u ? poet_page_in(s, i, operand) : POET_E_OPCODE;
}

#if POET_FORM == 2
#include "poet_packed.inl"
#endif

/* Runs the code once. */
static int poet_step(POET_STATE *s)
{
    int result = poet_prepare(s);
#if POET_FORM == 2
    poet_packed_begin(s);
    while (result == POET_OK) {
        poet_instr now;
        uint32_t operand;
        result = poet_fetch(s, &now, &operand);
        result = poet_noted(s, &now, result != POET_OK ? result : poet_execute(s, &now, operand));
        if (now.op == POET_END)
            break;
    }
#else
    const poet_instr *i = POET_P(code), *const end = i + POET_N_INSTR;
    while (result == POET_OK) {
        const poet_instr *now = i;
        uint32_t operand = POET_ABSENT;
        if (++i < end && i->op == POET_EXT)
            operand = i++->arg;
        result = poet_noted(s, now, poet_execute(s, now, operand));
        if (now->op == POET_END)
            break;
        if (i == end)
            return s->fault.code = POET_E_COUNT;
    }
#endif
    return result;
}
