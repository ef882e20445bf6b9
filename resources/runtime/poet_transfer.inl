/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Page-outs, page-ins and waiting for them. Included by poet_runtime.inl. */

/* Page of a transfer: its operand, or the tensor's default one. */
static int poet_page(POET_STATE *s, uint16_t id, uint32_t given, uint32_t *page)
{
    if (id >= POET_N_TENSORS)
        return poet_fail(s, POET_E_RANGE, id, 0);
    if (given != POET_ABSENT) {
        *page = given;
    } else {
        for (*page = 0; *page < POET_N_PAGES && POET_P(pages)[*page] != id; ++*page) {
        }
    }
    if (*page == POET_INPUT_PAGE)
        return POET_P(inputs)[id] != 0xFFFFu ? POET_OK : poet_fail(s, POET_E_PAGE, id, (int)*page);
    return *page < POET_N_PAGES && POET_P(pages)[*page] == id ? POET_OK : poet_fail(s, POET_E_PAGE, id, (int)*page);
}

/* Moves the whole tensor; `flags` POET_ASYNC starts only, where the store can. */
static int poet_move(POET_STATE *s, uint16_t id, uint32_t page, int is_write, int is_async)
{
    const uint32_t block = POET_P(blocks)[page], bytes = POET_P(sizes)[id];
    void *at = s->arena + (s->place[id] & ~POET_FLYING);
    int code;
    if (is_async && s->store->start != 0)
        code = s->store->start(s->store->u, is_write, block, at, bytes);
    else
        code = is_write ? s->store->write(s->store->u, block, at, bytes) : s->store->read(s->store->u, block, at, bytes);
    if (code != 0)
        return poet_fail(s, POET_E_IO, id, code);
    if (is_async)
        s->place[id] |= is_write ? POET_LEAVING : POET_COMING;
    return POET_OK;
}

static int poet_page_out(POET_STATE *s, const poet_instr *i)
{
    uint32_t page = 0;
    int code = poet_page(s, i->id, i->arg, &page);
    if (code != POET_OK)
        return code;
    if (page == POET_INPUT_PAGE)
        return poet_fail(s, POET_E_PAGE, i->id, (int)page);
    if (s->place[i->id] == POET_ABSENT)
        return poet_fail(s, POET_E_NOT_RESIDENT, i->id, 0);
    if ((s->place[i->id] & POET_FLYING) != 0)
        return poet_fail(s, POET_E_BUSY, i->id, 0);
    poet_set_bit(s->written, page);
    ++s->counters.page_outs;
    s->counters.out_bytes += POET_P(sizes)[i->id];
    return poet_move(s, i->id, page, 1, (i->flags & POET_ASYNC) != 0);
}

static int poet_page_in(POET_STATE *s, const poet_instr *i, const uint32_t *ext)
{
    uint32_t page = 0;
    int code = poet_page(s, i->id, ext[1], &page);
    if (code == POET_OK && page != POET_INPUT_PAGE && !poet_bit(s->written, page))
        code = poet_fail(s, POET_E_STALE, i->id, (int)page);

    if (code == POET_OK)
        code = poet_claim(s, i->id, i->arg);
    if (code != POET_OK)
        return code;
    if (page == POET_INPUT_PAGE) {
        if (s->inputs[POET_P(inputs)[i->id]] == 0)
            return poet_fail(s, POET_E_PAGE, i->id, (int)page);
        memcpy(s->arena + i->arg, s->inputs[POET_P(inputs)[i->id]], POET_P(sizes)[i->id]);
        return POET_OK;
    }
    ++s->counters.page_ins;
    s->counters.in_bytes += POET_P(sizes)[i->id];
    return poet_move(s, i->id, page, 0, i->op == POET_PREFETCH);
}

static int poet_wait(POET_STATE *s, const poet_instr *i)
{
    uint32_t t, first = i->id == POET_ALL ? 0u : i->id, last = i->id == POET_ALL ? POET_N_TENSORS : i->id + 1u;
    if (last > POET_N_TENSORS)
        return poet_fail(s, POET_E_RANGE, i->id, 0);
    if (i->id != POET_ALL && (s->place[first] == POET_ABSENT || (s->place[first] & POET_FLYING) == 0))
        return poet_fail(s, POET_E_BUSY, i->id, 0);
    if (s->store->start != 0) {
        const int code = s->store->wait(s->store->u);
        if (code != 0)
            return poet_fail(s, POET_E_IO, i->id, code);
    }
    for (t = first; t < last; ++t)
        if (s->place[t] != POET_ABSENT)
            s->place[t] &= ~POET_FLYING;
    return POET_OK;
}
