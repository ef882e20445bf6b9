/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of one model, compiled once under its prefix. Before inclusion:
 *   POET_P(x) gives the prefixed name, POET_STATE is the state type, and these are defined: POET_ARENA_BYTES, POET_ARENA_ALIGN,
 *   POET_N_TENSORS, POET_N_RUNS (nodes that are computed), POET_HELPERS (some node needs copies first), POET_LOSS_WEIGHTS (a
 *   loss of the model's own has a factor), POET_REGIONS (memories that the arena is), POET_ASYNC_USED, POET_N_INSTR, POET_CHECK (0 to 2), POET_FORM (0 table, 1 straight line, 2 packed).
 * Tables: tensors, nodes, refs, attrs, kernels, consts, params, and the code.
 * Errors are returned as their code; the step notes where it was. Threads: a state belongs to one thread. No allocation. */
#include <stddef.h>

/* No fused multiply-add where a loss is weighted. What else is left out makes the code larger: tried with GCC 12, -Os, Cortex-M4. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off", "no-thread-jumps", "no-schedule-insns2", "no-tree-loop-optimize", "no-tree-tail-merge")
#endif

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

/* The factor of a loss in their sum stands before the attributes of its node. */
#if POET_LOSS_WEIGHTS
static float poet_loss_factor(const poet_node *n)
{
    float factor;
    memcpy(&factor, POET_P(attrs) + n->attr - 1, sizeof factor);
    return factor;
}
#else
#define poet_loss_factor(n) 1.0f
#endif

/* Below, functions return 0 or minus a result, for small positive numbers are short instructions; so does fault.code until
 * the step ends. */

/* Address of an offset of the arena, and the end of what holds it. With several memories, each begins where the one before
 * it ends. */
#if POET_REGIONS > 1
static uint32_t poet_region(uint32_t offset)
{
    uint32_t r = POET_REGIONS - 1u;
    while (offset < POET_P(regions)[r])
        --r;
    return r;
}
uint8_t *POET_P(at)(const POET_STATE *s, uint32_t offset)
{
    const uint32_t r = poet_region(offset);
    return s->regions[r] + (offset - POET_P(regions)[r]);
}
#define poet_at POET_P(at)
#define POET_END_OF(offset) POET_P(regions)[poet_region(offset) + 1u]
#else
#define poet_at(s, offset) ((s)->base[POET_REF_TENSOR] + (offset))
#define POET_END_OF(offset) POET_ARENA_BYTES
#endif

/* Address of an operand; null when it is none, for so are its base and offset. A tensor that is not there is noted as a fault. */
static uint8_t *poet_address(POET_STATE *s, const poet_ref *r)
{
    uint32_t offset = r->offset;
    if (r->kind == POET_REF_TENSOR) {
#if POET_FORM == 1
        offset += s->slots[r->number];
#else
        const uint32_t place = s->place[r->number];
        if ((place & POET_HERE) == 0) {
            s->fault.code = -POET_E_NOT_RESIDENT;
            s->fault.detail = r->number;
        }
        offset += POET_OFFSET(place);
#endif
#if POET_REGIONS > 1
        return poet_at(s, offset);
#endif
    }
    return s->base[r->kind] + offset;
}

/* Calls `count` kernels, one after the other; helpers are numbered behind the nodes. */
POET_OUTLINE int poet_calls(POET_STATE *s, const poet_node *n, uint32_t count, uint32_t again)
{
    s->call.again = (uint8_t)again;
    for (; count > 0; --count, ++n) {
        const poet_ref *r = &POET_P(refs)[n->ref], *const reads = r + 3 + n->n_in, *const end = reads + n->n_grad;
        void **to = s->lists.at;
        poet_grad *g = s->lists.grad;
        memset(&s->lists, 0, sizeof s->lists);
        for (; r != end; ++r) { /* the node's tensor, two buffers, what it reads; gradients */
            void *const at = poet_address(s, r);
            if (r < reads) {
                *to++ = at;
            } else {
                g->p = (float *)at;
                g->rate = s->rate;
                g->mode = r->kind == POET_REF_APPLY ? s->apply : r->mode;
                ++g;
            }
        }
        s->call.node = n;
        s->call.a = POET_P(attrs) + n->attr;
        if (s->fault.code == POET_OK && (s->fault.detail = POET_P(kernels)[n->kernel](s->user, &s->call)) != 0)
            s->fault.code = -POET_E_KERNEL;
    }
    return s->fault.code;
}

/* A node behind the copies that it needs first; its losses are added up. `own`: address of its tensor. */
static int poet_run(POET_STATE *s, const poet_node *n, uint32_t again, const uint8_t *own)
{
    int code = POET_HELPERS ? poet_calls(s, &POET_P(nodes)[n->before], n->n_before, again) : POET_OK;
    if (code == POET_OK)
        code = poet_calls(s, n, 1, again);
    if (code == POET_OK && (n->flags & POET_NODE_LOSS) != 0 && !again)
        s->loss += *(const float *)(const void *)own * poet_loss_factor(n);
    return code;
}

/* Moves a tensor to or from its page; where the store can, what is asynchronous is only started. */
static int poet_move(POET_STATE *s, const poet_tensor *t, uint8_t *at, int is_write, int is_async)
{
    const poet_store *store = s->store;
    const uint32_t bytes = t->bytes, block = t->block;
    if (t->page == POET_INPUT_PAGE)
        return -POET_E_PAGE;
    s->counters.bytes[s->now.op] += bytes;
    if (POET_ASYNC_USED && is_async && store->start != 0)
        s->fault.detail = store->start(store->u, is_write, block, at, bytes);
    else
        s->fault.detail = is_write ? store->write(store->u, block, at, bytes) : store->read(store->u, block, at, bytes);
    return s->fault.detail == 0 ? POET_OK : -POET_E_IO;
}

/* Copies what the caller gave; false when there is none. */
static int poet_give(POET_STATE *s, const poet_tensor *t, uint8_t *at)
{
    const void *from = t->input == 0xFFFFu ? 0 : s->inputs[t->input];
    if (from == 0)
        return -POET_E_PAGE;
    memcpy(at, from, t->bytes);
    return POET_OK;
}

#if POET_ASYNC_USED
/* Ends what a store has started. */
static int poet_join(POET_STATE *s)
{
    s->fault.detail = s->store->start != 0 ? s->store->wait(s->store->u) : 0;
    return s->fault.detail == 0 ? POET_OK : -POET_E_IO;
}
#else
#define poet_join(s) POET_OK
#endif

/* Applies what has a buffer; parameters that took their gradients at once are done. */
static int poet_update(POET_STATE *s, uint32_t id)
{
    int code = POET_OK;
    if (s->counters.runs[POET_UPDATE] != 1u || id != POET_ALL)
        return -POET_E_ORDER;
    if (s->counters.runs[POET_COMPUTE] != POET_N_RUNS)
        return -POET_E_MISSING;
    if (POET_N_EPILOGUE != 0)
        code = poet_calls(s, &POET_P(nodes)[POET_FIRST_EPILOGUE], POET_N_EPILOGUE, 0);
    if (code == POET_OK)
        POET_P(optimize)(s);
    return code;
}

/* The whole schedule ran. */
static int poet_end(const POET_STATE *s, uint32_t count)
{
    const uint32_t *runs = s->counters.runs;
#if POET_FORM != 1
    if (runs[POET_COMPUTE] + runs[POET_RECOMPUTE] + runs[POET_PAGE_IN] + runs[POET_PREFETCH] != runs[POET_FREE])
        return -POET_E_LEAK;
#endif
    return runs[POET_COMPUTE] != POET_N_RUNS ? -POET_E_MISSING : count != s->fault.instr ? -POET_E_COUNT : POET_OK;
}

/* A step begins with nothing resident, no page written, no node run, gradients of zero; rearranged weights follow the
 * weights. */
static int poet_prepare(POET_STATE *s)
{
    memset(&s->fault, 0, offsetof(POET_STATE, call) - offsetof(POET_STATE, fault));
    ++s->call.step;
    if (s->grad_bytes != 0)
        memset(s->base[POET_REF_GRAD], 0, s->grad_bytes);
    if (POET_STORE_BLOCKS > 0 && s->store->begin_step != 0 && (s->fault.detail = s->store->begin_step(s->store->u, s->call.step)) != 0)
        return -POET_E_IO;
    return POET_N_PROLOGUE != 0 ? poet_calls(s, &POET_P(nodes)[POET_FIRST_PROLOGUE], POET_N_PROLOGUE, 0) : POET_OK;
}

/* Ends one instruction: notes where a fault was, or tells the observer. */
static int poet_noted(POET_STATE *s, int code)
{
#if POET_CHECK >= 1 && POET_REGIONS > 1
    uint32_t r;
    for (r = 0; r != POET_REGIONS; ++r) {
        const uint32_t *guard = (const uint32_t *)(const void *)(s->regions[r] + (POET_P(regions)[r + 1u] - POET_P(regions)[r]));
        if (code == POET_OK && *guard != POET_GUARD)
            code = -POET_E_CANARY;
    }
#elif POET_CHECK >= 1
    const uint32_t *guard = (const uint32_t *)(const void *)(s->base[POET_REF_TENSOR] + POET_ARENA_BYTES);
    if (code == POET_OK && *guard != POET_GUARD)
        code = -POET_E_CANARY;
#endif
    if (code != POET_OK) {
        s->fault.id = s->now.id;
        return code;
    }
    if (s->observe != 0)
        s->observe(s->observe_user, &s->now, s->fault.instr);
    ++s->fault.instr;
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
