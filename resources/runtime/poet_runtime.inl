/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of one model, compiled once under its prefix. Before inclusion:
 *   POET_P(x) gives the prefixed name, POET_STATE is the state type, and these are defined: POET_ARENA_BYTES, POET_ARENA_ALIGN,
 *   POET_N_TENSORS, POET_N_RUNS (nodes that are computed), POET_HELPERS (some node needs copies first), POET_ASYNC_USED, POET_N_INSTR, POET_CHECK (0 to 2),
 *   POET_FORM (0 table, 1 straight line, 2 packed).
 * Tables: tensors, nodes, refs, attrs, kernels, consts, params, and the code.
 * Errors are returned as their code; the step notes where it was. Threads: a state belongs to one thread. No allocation. */
#include <stddef.h>

/* Places of tensors: the offset, moved up so that four bits are free below it. */
#define POET_HERE 1u   /* resident; its content may be on its way out too */
#define POET_FLYING 2u /* with POET_HERE: being written to its page; without: being read */
#define POET_DONE 4u   /* its node has run */
#define POET_STORED 8u /* its page has been written */
#define POET_TAKEN (POET_HERE | POET_FLYING)
#define POET_SHIFT (POET_ARENA_ALIGN >= 16u ? 0 : POET_ARENA_ALIGN >= 8u ? 1 : 2)
#define POET_OFFSET(place) (((place) & ~15u) >> POET_SHIFT)

/* Which functions are not inlined was tried out for size: GCC 12, -Os, Cortex-M4. */
#if defined(__GNUC__)
#define POET_OUTLINE static __attribute__((noinline))
#else
#define POET_OUTLINE static
#endif

/* Address of an operand; null when it is none. A tensor that is not there is noted as a fault. */
POET_OUTLINE uint8_t *poet_address(POET_STATE *s, const poet_ref *r, uint32_t kind)
{
    uint32_t offset = r->offset;
    if (kind == POET_REF_NONE)
        return 0;
    if (kind == POET_REF_TENSOR) {
#if POET_FORM == 1
        offset += s->slots[r->number];
#else
        const uint32_t place = s->place[r->number];
        if ((place & POET_HERE) == 0) {
            s->fault.code = POET_E_NOT_RESIDENT;
            s->fault.detail = r->number;
        }
        offset += POET_OFFSET(place);
#endif
    }
    return s->base[kind] + offset;
}

/* Calls `count` kernels, one after the other; helpers are numbered behind the nodes. */
static int poet_calls(POET_STATE *s, uint32_t node, uint32_t count, uint8_t again)
{
    const poet_node *n = &POET_P(nodes)[node];
    s->call.again = again;
    for (; count > 0; --count, ++n) {
        const poet_ref *r = &POET_P(refs)[n->ref];
        const void **to = s->lists.in;
        poet_grad *g = s->lists.grad;
        uint32_t i;
        memset(&s->lists, 0, sizeof s->lists);
        for (i = n->n_in + 3u; i > 0; --i, ++r) { /* what it reads; then the node's tensor and two buffers */
            void *const at = poet_address(s, r, r->kind);
            if (i > 3)
                *to++ = at;
            else
                s->lists.out[3u - i] = at;
        }
        for (i = n->n_grad; i > 0; --i, ++r, ++g) {
            uint32_t kind = r->kind;
            g->mode = r->mode;
            g->rate = s->rate;
            if (g->mode == POET_PUT_APPLY && s->keeps) { /* gradients are added up instead */
                g->mode = POET_PUT_ADD;
                kind = POET_REF_GRAD;
            }
            g->p = (float *)(void *)poet_address(s, r, kind);
        }
        s->call.node = n;
        s->call.a = POET_P(attrs) + n->attr;
        if (s->fault.code == POET_OK && (s->fault.detail = POET_P(kernels)[n->kernel](s->user, &s->call)) != 0)
            s->fault.code = POET_E_KERNEL;
    }
    return s->fault.code;
}

/* A node behind the copies that it needs first; its losses are added up. `own`: address of its tensor. */
POET_OUTLINE int poet_run(POET_STATE *s, uint32_t id, uint8_t again, const uint8_t *own)
{
    const poet_node *n = &POET_P(nodes)[id];
    int code = POET_HELPERS ? poet_calls(s, n->before, n->n_before, again) : POET_OK;
    if (code == POET_OK)
        code = poet_calls(s, id, 1, again);
    if (code != POET_OK)
        return code;
    ++*(again ? &s->counters.recomputes : &s->counters.computes);
    if ((n->flags & POET_NODE_LOSS) != 0 && !again)
        s->loss += *(const float *)(const void *)own;
    return POET_OK;
}

/* Moves a tensor to or from its page; `is_async` starts only, where the store can. */
static int poet_move(POET_STATE *s, const poet_tensor *t, uint8_t *at, int is_write, int is_async)
{
    const poet_store *store = s->store;
    ++*(is_write ? &s->counters.page_outs : &s->counters.page_ins);
    *(is_write ? &s->counters.out_bytes : &s->counters.in_bytes) += t->bytes;
    if (POET_ASYNC_USED && is_async && store->start != 0)
        s->fault.detail = store->start(store->u, is_write, t->block, at, t->bytes);
    else
        s->fault.detail = is_write ? store->write(store->u, t->block, at, t->bytes) : store->read(store->u, t->block, at, t->bytes);
    return s->fault.detail == 0 ? POET_OK : POET_E_IO;
}

/* Copies what the caller gave; false when there is none. */
static int poet_give(POET_STATE *s, const poet_tensor *t, uint8_t *at)
{
    const void *from = t->input == 0xFFFFu ? 0 : s->inputs[t->input];
    if (from == 0)
        return POET_E_PAGE;
    memcpy(at, from, t->bytes);
    return POET_OK;
}

#if POET_ASYNC_USED
/* Ends what a store has started. */
static int poet_join(POET_STATE *s)
{
    s->fault.detail = s->store->start != 0 ? s->store->wait(s->store->u) : 0;
    return s->fault.detail == 0 ? POET_OK : POET_E_IO;
}
#else
#define poet_join(s) POET_OK
#endif

/* Applies what has a buffer; parameters that took their gradients at once are done. */
static int poet_update(POET_STATE *s, uint32_t id)
{
    int code = POET_OK;
    if (s->updated != 0 || id != POET_ALL)
        return POET_E_ORDER;
    if (s->counters.computes != POET_N_RUNS)
        return POET_E_MISSING;
    s->updated = 1;
    if (POET_N_EPILOGUE != 0)
        code = poet_calls(s, POET_FIRST_EPILOGUE, POET_N_EPILOGUE, 0);
    if (code == POET_OK)
        POET_P(optimize)(s);
    return code;
}

/* The whole schedule ran. */
static int poet_end(const POET_STATE *s, uint32_t count)
{
    return s->live != 0 ? POET_E_LEAK : s->counters.computes != POET_N_RUNS ? POET_E_MISSING : count != s->at ? POET_E_COUNT : POET_OK;
}

/* A step begins with nothing resident, no page written, no node run, gradients of zero; rearranged weights follow the
 * weights. */
static int poet_prepare(POET_STATE *s)
{
    memset(s, 0, offsetof(POET_STATE, base));
#if POET_FORM != 1
    memset(s->place, 0, sizeof s->place);
#endif
#if POET_CHECK >= 2
    memset(s->hashes, 0, sizeof s->hashes);
    s->digest = 0;
#endif
    ++s->call.step;
    if (s->base[POET_REF_GRAD] != 0)
        memset(s->base[POET_REF_GRAD], 0, s->keeps ? POET_ALL_GRAD_BYTES : POET_OWN_GRAD_BYTES);
    if (POET_STORE_BLOCKS > 0 && s->store->begin_step != 0 && (s->fault.detail = s->store->begin_step(s->store->u, s->call.step)) != 0)
        return s->fault.code = POET_E_IO;
    return POET_N_PROLOGUE != 0 ? poet_calls(s, POET_FIRST_PROLOGUE, POET_N_PROLOGUE, 0) : POET_OK;
}

/* Ends one instruction: notes where a fault was, or tells the observer. */
static int poet_noted(POET_STATE *s, const poet_instr *now, int code)
{
#if POET_CHECK >= 1
    if (code == POET_OK && memcmp(s->base[POET_REF_TENSOR] + POET_ARENA_BYTES, "POETPOET", 8) != 0)
        code = POET_E_CANARY;
#endif
    if (code != POET_OK) {
        s->fault.code = code;
        s->fault.id = now->id;
        s->fault.instr = s->at;
    } else if (s->observe != 0) {
        s->observe(s->observe_user, now, s->at);
    }
    ++s->at;
    return code;
}

#if POET_CHECK >= 2
#include "poet_witness.inl"
#define POET_WITNESS(code, id, at) ((code) != POET_OK ? (code) : poet_witness(s, id, at))
#else
#define POET_WITNESS(code, id, at) (code)
#endif
#if POET_FORM == 1
#include "poet_straight.inl"
#else
#include "poet_interpret.inl"
#endif
