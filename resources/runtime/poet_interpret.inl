/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Instructions from a table or the packed form, each checked before it acts. Included by poet_runtime.inl. */

/* Rows: reads of what the caller gave, then the codes from COMPUTE to FREE, then asynchronous PAGE_OUT. Bits that its
 * tensor's place must have, among which bits, and those that it then gets. Behind the rows: what is wrong when the bits of
 * its number are not as they must be; the last bit means POET_E_ALREADY when it is set in the place. */
#define POET_ROW(wanted, among, then) ((wanted) << 4 | (among)), (then)
static const uint8_t poet_rules[] = {
    POET_ROW(0, POET_TAKEN, POET_HERE),
    POET_ROW(0, POET_TAKEN | POET_DONE, POET_HERE | POET_DONE),
    POET_ROW(POET_DONE, POET_TAKEN | POET_DONE, POET_HERE),
    POET_ROW(POET_HERE, POET_TAKEN, POET_HERE | POET_STORED),
    POET_ROW(POET_STORED, POET_TAKEN | POET_STORED, POET_HERE),
    POET_ROW(POET_STORED, POET_TAKEN | POET_STORED, POET_FLYING),
    POET_ROW(POET_FLYING, POET_FLYING, POET_HERE),
    POET_ROW(POET_HERE, POET_TAKEN, 0),
    POET_ROW(POET_HERE, POET_TAKEN, POET_HERE | POET_FLYING | POET_STORED),
    0, 9, 18, 9, 19, 9, 18, 9, 12, 9, 18, 9, 19, 9, 18, 9
};
#define POET_ASYNC_ROW 8u
#define POET_NO_ROW 9u
#define POET_RESULTS 18u /* behind nine rows */

/* Tests a place before anything is written to it. */
POET_OUTLINE int poet_place(POET_STATE *s, uint32_t offset, uint32_t bytes)
{
    const uint32_t end = POET_END_OF(offset);
    if (offset > end || bytes > end - offset || offset % POET_ARENA_ALIGN != 0)
        return -POET_E_ARENA;
    (void)s;
#if POET_CHECK >= 1
    {
        uint32_t t;
#if POET_CHECK >= 2
        if (offset + bytes > s->counters.high_water)
            s->counters.high_water = offset + bytes;
#endif
        for (t = 0; t < POET_N_TENSORS; ++t) {
            const uint32_t other = POET_OFFSET(s->place[t]);
            if ((s->place[t] & POET_TAKEN) != 0 && other < offset + bytes && offset < other + POET_P(tensors)[t].bytes) {
                s->fault.detail = (int)t;
                return -POET_E_OVERLAP;
            }
        }
    }
#endif
    return POET_OK;
}

/* COMPUTE and RECOMPUTE of a node whose tensor lies at `own`. */
static int poet_compute(POET_STATE *s, const poet_tensor *t, const uint8_t *own)
{
    const uint32_t op = s->now.op;
    const poet_node *n = &POET_P(nodes)[s->now.id];
    /* once UPDATE has changed parameters, nothing of this step may read them */
    if ((n->flags & op) == 0 || s->counters.runs[POET_UPDATE] != 0)
        return -POET_E_ORDER;
    if (t->work != 0) {
        const int code = poet_place(s, s->operand, t->work);
        if (code != POET_OK)
            return code;
    }
    s->call.work = s->base[POET_REF_WORK] = poet_at(s, s->operand);
    return poet_run(s, n, op - POET_COMPUTE, own);
}

/* What concerns one tensor: its place is as the row asks, and is changed; then the row's work is done. */
POET_OUTLINE int poet_tensor_op(POET_STATE *s, const poet_tensor *t, uint32_t *where, uint32_t row)
{
    const uint8_t *const rule = poet_rules + 2u * row;
    const uint32_t offset = s->now.arg;
    uint32_t place = *where, wrong = (place ^ *rule >> 4) & *rule & 15u;
    uint8_t *at;
    int code = POET_OK;
    if (wrong != 0)
        return (int)(poet_rules[POET_RESULTS + wrong] + (wrong & place & POET_HERE));
    if ((*rule & POET_TAKEN << 4) == 0) {
        if ((code = poet_place(s, offset, t->bytes)) != POET_OK)
            return code;
        place = offset << POET_SHIFT | (place & 15u);
    }
    place = (place & ~POET_TAKEN) | rule[1];
    *where = place;
    at = poet_at(s, POET_OFFSET(place));
    if (row == 0)
        code = poet_give(s, t, at);
    else if (row <= POET_RECOMPUTE)
        code = poet_compute(s, t, at);
    else if (row == POET_FREE)
        return POET_OK;
    else if (!POET_ASYNC_USED || row != POET_WAIT)
        code = poet_move(s, t, at, s->now.op == POET_PAGE_OUT, (place & POET_FLYING) != 0);
    return (place & POET_FLYING) != 0 ? code : POET_WITNESS(code, (uint32_t)(where - s->place), at);
}

#if POET_ASYNC_USED
/* WAIT for all that are on their way. */
static int poet_wait_all(POET_STATE *s)
{
    uint32_t t;
    int code = POET_OK;
    for (t = 0; t != POET_N_TENSORS; ++t)
        if ((s->place[t] & POET_FLYING) != 0) {
            s->place[t] = (s->place[t] & ~POET_TAKEN) | POET_HERE;
            code = POET_WITNESS(code, t, poet_at(s, POET_OFFSET(s->place[t])));
        }
    return code;
}
#endif

/* Carries out what was fetched. `row`: of its rule; POET_NO_ROW: the transfer names a page that its tensor does not have. */
static int poet_execute(POET_STATE *s, uint32_t row)
{
    const uint32_t op = s->now.op, id = s->now.id;
    if (op - 1u > POET_END - 1u)
        return -POET_E_OPCODE;
    ++s->counters.runs[op];
    if (op == POET_UPDATE)
        return poet_update(s, id);
    if (op == POET_END)
        return poet_end(s, s->now.arg);
    if (op == POET_MARK)
        return POET_OK;
#if POET_ASYNC_USED
    if (op == POET_WAIT) {
        const int code = poet_join(s);
        if (code != POET_OK)
            return code;
        if (id == POET_ALL)
            return poet_wait_all(s);
    }
#endif
    if (id >= POET_N_TENSORS)
        return -POET_E_RANGE;
    return row == POET_NO_ROW ? -POET_E_PAGE : poet_tensor_op(s, &POET_P(tensors)[id], &s->place[id], row);
}

#if POET_FORM == 2
#include "poet_packed.inl"
#else
static void poet_begin(POET_STATE *s)
{
    s->next = POET_P(code);
}

/* The next record, with the operand that may stand behind it; returns the row of its rule. */
static int poet_fetch(POET_STATE *s, uint32_t *row)
{
    const poet_instr *i = s->next, *const end = POET_P(code) + POET_N_INSTR;
    uint32_t page;
    if (i == end)
        return -POET_E_COUNT;
    s->now = *i;
    *row = s->now.op;
    s->operand = POET_ABSENT;
    if (++i != end && i->op == POET_EXT)
        s->operand = i++->arg;
    s->next = i;
    if ((uint32_t)(s->now.op - POET_PAGE_OUT) <= 2u) {
        page = s->now.op == POET_PAGE_OUT ? s->now.arg : s->operand;
        if (page == POET_INPUT_PAGE)
            *row = s->now.op == POET_PAGE_OUT ? POET_NO_ROW : 0;
        else if (page != POET_ABSENT && s->now.id < POET_N_TENSORS && page != POET_P(tensors)[s->now.id].page)
            *row = POET_NO_ROW;
        else if (s->now.op == POET_PAGE_OUT && (s->now.flags & POET_ASYNC) != 0)
            *row = POET_ASYNC_ROW;
    }
    return POET_OK;
}
#endif

/* Runs the code once. */
static int poet_step(POET_STATE *s)
{
    int code = poet_prepare(s);
    poet_begin(s);
    while (code == POET_OK) {
        uint32_t row = 0;
        code = poet_fetch(s, &row);
        code = poet_noted(s, code != POET_OK ? code : poet_execute(s, row));
        if (s->now.op == POET_END)
            break;
    }
    return s->fault.code = -code;
}
