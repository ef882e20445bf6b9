/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* What the straight-line schedule calls. Offsets are literals in it: there is no table of tensors in RAM, no decoder, and
 * nothing is checked while it runs except kernels, stores and the canary: the exporter has proven the list of instructions.
 * Included by poet_runtime.inl. */

static void poet_now(POET_STATE *s, uint32_t op, uint32_t id, uint32_t arg)
{
    ++s->counters.runs[op];
    s->now.op = (uint8_t)op;
    s->now.id = (uint16_t)id;
    s->now.arg = arg;
}

/* Runs a node. `slots`: offset of its own tensor, then of each input. */
int POET_P(run)(POET_STATE *s, uint32_t op, uint32_t id, uint32_t work, const uint32_t *slots)
{
    const uint8_t *const own = poet_at(s, slots[0]);
    int code;
    poet_now(s, op, id, slots[0]);
    s->slots = slots;
    s->call.work = s->base[POET_REF_WORK] = poet_at(s, work);
    code = poet_run(s, &POET_P(nodes)[id], op == POET_RECOMPUTE, own);
    return poet_noted(s, POET_WITNESS(code, id, own));
}

/* Moves a tensor; `operand` POET_INPUT_PAGE: copies what the caller gave. */
int POET_P(transfer)(POET_STATE *s, uint32_t op, uint32_t is_async, uint32_t id, uint32_t offset, uint32_t operand)
{
    const poet_tensor *t = &POET_P(tensors)[id];
    uint8_t *at = poet_at(s, offset);
    int code;
    poet_now(s, op, id, offset);
    code = operand == POET_INPUT_PAGE ? poet_give(s, t, at) : poet_move(s, t, at, op == POET_PAGE_OUT, is_async != 0);
    return poet_noted(s, is_async != 0 || op == POET_PAGE_OUT ? code : POET_WITNESS(code, id, at));
}

/* WAIT, UPDATE and END; a FREE only counts. */
int POET_P(control)(POET_STATE *s, uint32_t op, uint32_t id, uint32_t count)
{
    poet_now(s, op, id, count);
    return poet_noted(s, op == POET_WAIT ? poet_join(s) : op == POET_UPDATE ? poet_update(s, id) : op == POET_END ? poet_end(s, count) : POET_OK);
}

static int poet_step(POET_STATE *s)
{
    const int code = poet_prepare(s);
    return s->fault.code = -(code != POET_OK ? code : POET_P(straight)(s));
}
