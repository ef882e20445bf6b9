/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* The interpreter of one model, compiled once under its prefix. Before inclusion:
 *   POET_P(x) gives the prefixed name, POET_STATE is the state type, and these are defined: POET_ARENA_BYTES, POET_ARENA_ALIGN,
 *   POET_N_TENSORS, POET_N_NODES, POET_N_PAGES, POET_N_INSTR, POET_MAX_IN, POET_MAX_GRAD, POET_CHECK (0, 1),
 *   POET_FORM (0 table, 1 straight line, 2 packed).
 * Tables: sizes, pages (tensor of each page), blocks (first block of each page), inputs (number of the data input of a
 * tensor, 0xFFFF: none), nodes, refs, attrs, kernels, consts, params, and the code.
 * Threads: a state belongs to one thread. No allocation. */

/* Offsets are multiples of 4: the lowest bits mark a transfer on its way. */
#define POET_COMING 1u  /* being read from its page: not yet there */
#define POET_LEAVING 2u /* being written to its page: readable, not to be freed */
#define POET_FLYING 3u

#if defined(__GNUC__)
#define POET_OUTLINE static __attribute__((noinline))
#else
#define POET_OUTLINE static
#endif

/* The fault as a code: one call, however many tests there are. */
POET_OUTLINE int poet_fail(POET_STATE *s, int code, uint16_t id, int detail)
{
    s->fault.code = code;
    s->fault.instr = s->at;
    s->fault.id = id;
    s->fault.detail = detail;
    return code;
}

static int poet_bit(const uint8_t *set, uint32_t i) { return set[i >> 3] >> (i & 7u) & 1; }
static void poet_set_bit(uint8_t *set, uint32_t i) { set[i >> 3] = (uint8_t)(set[i >> 3] | 1u << (i & 7u)); }

/* Bytes of a tensor, rounded as the arena rounds them. */
static uint32_t poet_room(uint32_t bytes) { return (bytes + POET_ARENA_ALIGN - 1u) / POET_ARENA_ALIGN * POET_ARENA_ALIGN; }

/* Tests a place before anything is written to it. */
static int poet_place(POET_STATE *s, uint16_t id, uint32_t offset, uint32_t bytes)
{
    if (offset > POET_ARENA_BYTES || bytes > POET_ARENA_BYTES - offset || offset % POET_ARENA_ALIGN != 0)
        return poet_fail(s, POET_E_ARENA, id, (int)offset);
    if (offset + bytes > s->counters.high_water)
        s->counters.high_water = offset + bytes;
#if POET_CHECK >= 1
    {
        uint32_t t;
        for (t = 0; t < POET_N_TENSORS; ++t) {
            const uint32_t other = s->place[t] & ~POET_FLYING;
            if (s->place[t] != POET_ABSENT && other < offset + bytes && offset < other + POET_P(sizes)[t])
                return poet_fail(s, POET_E_OVERLAP, id, (int)t);
        }
    }
#endif
    return POET_OK;
}

static int poet_claim(POET_STATE *s, uint16_t id, uint32_t offset)
{
    const int code = s->place[id] != POET_ABSENT ? poet_fail(s, POET_E_ALREADY, id, 0)
                                                 : poet_place(s, id, offset, poet_room(POET_P(sizes)[id]));
    if (code == POET_OK)
        s->place[id] = offset;
    return code;
}

/* Gradient buffer of a parameter. */
static uint8_t *poet_buffer(POET_STATE *s, const poet_param *p)
{
    return s->grads != 0 ? s->grads + p->grad : s->own_grads + p->own_grad;
}

/* Address of an operand; null when it is none or absent (level 1 and above say so in the fault). */
POET_OUTLINE void *poet_address(POET_STATE *s, const poet_ref *r)
{
    const uint32_t number = r->where & POET_REF_NUMBER;
    if (r->where == POET_REF_NONE)
        return 0;
    switch (r->where & POET_REF_CLASS) {
    case POET_REF_PARAM:
        if (r->mode != POET_PUT_NONE)
            return poet_buffer(s, &POET_P(params)[number]) + r->offset;
        return s->params + POET_P(params)[number].offset + r->offset;
    case POET_REF_CONST: return (void *)(uintptr_t)((const uint8_t *)POET_P(consts) + r->offset);
    case POET_REF_WORK: return s->work + r->offset;
    default:
        if (s->place[number] == POET_ABSENT || (s->place[number] & POET_COMING) != 0) {
            poet_fail(s, POET_E_NOT_RESIDENT, (uint16_t)number, 0);
            return 0;
        }
        return s->arena + (s->place[number] & ~POET_FLYING) + r->offset;
    }
}

/* Where a gradient goes: part of the node's tensor, a buffer, or the parameter itself. */
static poet_grad poet_target_of(POET_STATE *s, const poet_ref *r)
{
    poet_grad g;
    g.p = 0;
    g.rate = s->rate;
    g.mode = r->where == POET_REF_NONE ? (uint32_t)POET_PUT_NONE : r->mode;
    if (g.mode == POET_PUT_NONE)
        return g;
    if ((r->where & POET_REF_CLASS) == POET_REF_PARAM) {
        const poet_param *p = &POET_P(params)[r->where & POET_REF_NUMBER];
        if (s->grads != 0 && g.mode == POET_PUT_APPLY)
            g.mode = POET_PUT_ADD;
        g.p = (float *)(void *)(g.mode == POET_PUT_APPLY ? s->params + p->offset : poet_buffer(s, p));
    } else {
        g.p = (float *)poet_address(s, r);
    }
    return g;
}

/* Calls one kernel; helpers are numbered behind the nodes. */
POET_OUTLINE int poet_call_kernel(POET_STATE *s, uint32_t node, uint8_t again)
{
    const poet_node *n = &POET_P(nodes)[node];
    const poet_ref *r = &POET_P(refs)[n->ref];
    const void *in[POET_MAX_IN + 3];
    void *out[3];
    poet_grad grad[POET_MAX_GRAD];
    poet_call c;
    uint32_t i;
    int code;
    s->fault.code = POET_OK;
    memset(grad, 0, sizeof grad);
    for (i = 0; i < POET_MAX_IN + 3u; ++i)
        in[i] = i < n->n_in ? poet_address(s, r + i) : 0;
    for (i = 0; i < 3; ++i) /* the node's tensor and two buffers */
        out[i] = poet_address(s, r + n->n_in + i);
    for (i = 0; i < n->n_grad; ++i)
        grad[i] = poet_target_of(s, r + n->n_in + 3u + i);
    if (s->fault.code != POET_OK)
        return s->fault.code;
    c.node = n;
    c.a = POET_P(attrs) + n->attr;
    c.in = in;
    c.out = out;
    c.grad = grad;
    c.work = s->work;
    c.step = s->step;
    c.seed = s->seed;
    c.again = again;
    code = POET_P(kernels)[n->kernel](s->user, &c);
    return code == 0 ? POET_OK : poet_fail(s, POET_E_KERNEL, (uint16_t)node, code);
}

/* A node after the copies that it needs first. */
static int poet_run_node(POET_STATE *s, uint32_t node, uint8_t again)
{
    uint32_t chain[POET_MAX_CHAIN] = {0}, n = 0;
    uint16_t helper = POET_P(nodes)[node].before;
    for (; helper != POET_NO_HELPER; helper = POET_P(nodes)[helper].before) {
        if (n == POET_MAX_CHAIN)
            return poet_fail(s, POET_E_RANGE, (uint16_t)node, 0);
        chain[n++] = helper;
    }
    while (n > 0) {
        const int code = poet_call_kernel(s, chain[--n], again);
        if (code != POET_OK)
            return code;
    }
    return poet_call_kernel(s, node, again);
}

static int poet_compute(POET_STATE *s, const poet_instr *i, const uint32_t *ext)
{
    const uint16_t id = i->id;
    const uint8_t again = i->op == POET_RECOMPUTE;
    int code;
    if (id >= POET_N_NODES)
        return poet_fail(s, POET_E_RANGE, id, 0);
    if (again ? (POET_P(nodes)[id].flags & POET_NODE_AGAIN) == 0 || !poet_bit(s->done, id) : poet_bit(s->done, id))
        return poet_fail(s, POET_E_ORDER, id, 0);
    if (s->updated != 0) /* parameters have changed: nothing of this step may read them */
        return poet_fail(s, POET_E_ORDER, id, 1);
    code = poet_claim(s, id, i->arg);
    if (code == POET_OK && (ext[1] != POET_ABSENT) != (POET_P(works)[id] != 0))
        code = poet_fail(s, POET_E_RANGE, id, 0);
    if (code == POET_OK && ext[1] != POET_ABSENT)
        code = poet_place(s, id, ext[1], poet_room(POET_P(works)[id]));
    s->work = ext[1] != POET_ABSENT ? s->arena + ext[1] : 0;
    if (code == POET_OK)
        code = poet_run_node(s, id, again);
    if (code != POET_OK)
        return code;
    poet_set_bit(s->done, id);
    ++*(again ? &s->counters.recomputes : &s->counters.computes);
    return POET_OK;
}

#include "poet_transfer.inl"

static int poet_free(POET_STATE *s, uint16_t id)
{
    if (id >= POET_N_TENSORS)
        return poet_fail(s, POET_E_RANGE, id, 0);
    if (s->place[id] == POET_ABSENT)
        return poet_fail(s, POET_E_NOT_RESIDENT, id, 0);
    if ((s->place[id] & POET_FLYING) != 0)
        return poet_fail(s, POET_E_BUSY, id, 0);
    s->place[id] = POET_ABSENT;
    return POET_OK;
}

/* Every node has run. */
POET_OUTLINE int poet_all_done(POET_STATE *s)
{
    uint32_t t;
    for (t = 0; t < POET_N_NODES; ++t)
        if (!poet_bit(s->done, t) && POET_P(inputs)[t] == 0xFFFFu)
            return poet_fail(s, POET_E_MISSING, (uint16_t)t, 0);
    return POET_OK;
}

static int poet_end(POET_STATE *s, uint32_t count)
{
    uint32_t t;
    for (t = 0; t < POET_N_TENSORS; ++t)
        if (s->place[t] != POET_ABSENT)
            return poet_fail(s, POET_E_LEAK, (uint16_t)t, 0);
    if (poet_all_done(s) != POET_OK)
        return s->fault.code;
    return count == s->at ? POET_OK : poet_fail(s, POET_E_COUNT, 0, (int)s->at);
}

static int poet_update(POET_STATE *s, uint16_t id);

static int poet_execute(POET_STATE *s, const poet_instr *i, const uint32_t *ext)
{
    switch (i->op) {
    case POET_COMPUTE:
    case POET_RECOMPUTE: return poet_compute(s, i, ext);
    case POET_PAGE_OUT: return poet_page_out(s, i);
    case POET_PAGE_IN:
    case POET_PREFETCH: return poet_page_in(s, i, ext);
    case POET_WAIT: return poet_wait(s, i);
    case POET_FREE: return poet_free(s, i->id);
    case POET_UPDATE: return poet_update(s, i->id);
    case POET_MARK: return POET_OK;
    case POET_END: return poet_end(s, i->arg);
    default: return poet_fail(s, POET_E_OPCODE, i->id, i->op);
    }
}

/* Gradients start from zero; rearranged weights follow the weights. */
static int poet_begin(POET_STATE *s)
{
    uint32_t i;
    if (s->grads != 0)
        memset(s->grads, 0, POET_ALL_GRAD_BYTES);
    if (s->own_grads != 0)
        memset(s->own_grads, 0, POET_OWN_GRAD_BYTES);
    for (i = 0; i + 1u <= POET_N_PROLOGUE; ++i) {
        const int code = poet_call_kernel(s, POET_FIRST_PROLOGUE + i, 0);
        if (code != POET_OK)
            return code;
    }
    return POET_OK;
}

/* Applies what has a buffer; parameters that took their gradients at once are done. */
static int poet_update(POET_STATE *s, uint16_t id)
{
    uint32_t i;
    if (poet_all_done(s) != POET_OK)
        return s->fault.code;
    if (s->updated != 0)
        return poet_fail(s, POET_E_ORDER, id, 0);
    s->updated = 1;
    for (i = 0; i + 1u <= POET_N_EPILOGUE; ++i) {
        const int code = poet_call_kernel(s, POET_FIRST_EPILOGUE + i, 0);
        if (code != POET_OK)
            return code;
    }
    for (i = 0; i + 1u <= POET_N_PARAMS; ++i) {
        const poet_param *p = &POET_P(params)[i];
        if ((id != POET_ALL && id != i) || (p->flags & POET_PARAM_TRAINED) == 0 || (p->flags & POET_PARAM_DERIVED) != 0)
            continue;
        if (s->grads == 0 && (p->flags & POET_PARAM_DEFERRED) == 0)
            continue;
        POET_OPTIMIZE(s, (float *)(void *)(s->params + p->offset), (const float *)(const void *)poet_buffer(s, p), p);
    }
    return POET_OK;
}

/* The loss is the sum of the scalars that losses make. */
static void poet_note_loss(POET_STATE *s, uint16_t id)
{
    uint32_t k;
    for (k = 0; k + 1u <= POET_N_LOSSES; ++k)
        if (POET_P(losses)[k] == id)
            s->loss += *(const float *)(const void *)(s->arena + (s->place[id] & ~POET_FLYING));
}

/* A step begins with nothing resident, no page written, no node run. */
static int poet_prepare(POET_STATE *s)
{
    memset(s->place, 0xFF, sizeof s->place);
    memset(s->written, 0, sizeof s->written);
    memset(s->done, 0, sizeof s->done);
    memset(&s->counters, 0, sizeof s->counters);
    memset(&s->fault, 0, sizeof s->fault);
    ++s->step;
    s->at = 0;
    s->loss = 0.0f;
    s->updated = 0;
    if (POET_STORE_BLOCKS > 0 && s->store->begin_step != 0 && s->store->begin_step(s->store->u, s->step) != 0)
        return poet_fail(s, POET_E_IO, 0, 0);
    return poet_begin(s);
}

/* One instruction with its operand. */
static int poet_do(POET_STATE *s, const poet_instr *now, const uint32_t *ext)
{
    const int result = poet_execute(s, now, ext);
    if (result != POET_OK)
        return result;
    if (now->op == POET_COMPUTE)
        poet_note_loss(s, now->id);
#if POET_CHECK >= 1
    if (memcmp(s->arena + POET_ARENA_BYTES, "POETPOET", 8) != 0)
        return poet_fail(s, POET_E_CANARY, now->id, 0);
#endif
    if (s->observe != 0)
        s->observe(s->observe_user, now, s->at);
    ++s->at;
    return POET_OK;
}

#if POET_FORM == 1
int POET_P(do)(POET_STATE *s, uint8_t op, uint8_t flags, uint16_t id, uint32_t arg, uint32_t operand)
{
    uint32_t ext[3] = {POET_ABSENT, POET_ABSENT, POET_ABSENT};
    poet_instr now;
    now.op = op;
    now.flags = flags;
    now.id = id;
    now.arg = arg;
    ext[1] = operand;
    return poet_do(s, &now, ext);
}
static int poet_step(POET_STATE *s)
{
    const int code = poet_prepare(s);
    return code != POET_OK ? code : POET_P(straight)(s);
}
#elif POET_FORM == 2
#include "poet_packed.inl"
#else
/* Runs the table once. */
static int poet_step(POET_STATE *s)
{
    const poet_instr *code = POET_P(code);
    uint32_t i;
    int result = poet_prepare(s);
    for (i = 0; result == POET_OK && i < POET_N_INSTR; ++i) {
        uint32_t ext[3] = {POET_ABSENT, POET_ABSENT, POET_ABSENT};
        const poet_instr *now = &code[i];
        for (; i + 1u < POET_N_INSTR && code[i + 1u].op == POET_EXT; ++i)
            if (code[i + 1u].id < 3)
                ext[code[i + 1u].id] = code[i + 1u].arg;
        result = poet_do(s, now, ext);
        if (now->op == POET_END)
            return result;
    }
    return result != POET_OK ? result : poet_fail(s, POET_E_COUNT, 0, (int)i);
}
#endif

static int poet_open(POET_STATE *s, void *arena, uint32_t bytes, const poet_store *store, void *params, void *user)
{
    memset(s, 0, sizeof *s);
    s->arena = (uint8_t *)arena;
    s->params = (uint8_t *)params;
    s->store = store;
    s->user = user;
    s->rate = 0.01f;
    if (bytes < POET_ARENA_BYTES + (POET_CHECK >= 1 ? 8u : 0u))
        return poet_fail(s, POET_E_ARENA, 0, (int)bytes);
    if (((uintptr_t)arena % POET_ARENA_ALIGN) != 0 || ((uintptr_t)params % 4u) != 0)
        return poet_fail(s, POET_E_ALIGN, 0, 0);
#if POET_STORE_BLOCKS > 0
    if (store == 0 || store->blocks < POET_STORE_BLOCKS || store->block_bytes != POET_PAGE_BLOCK)
        return poet_fail(s, POET_E_PAGE, 0, 0);
#endif
#if POET_CHECK >= 1
    memcpy(s->arena + POET_ARENA_BYTES, "POETPOET", 8);
#endif
#if POET_FORM == 2
    return poet_packed_open(s);
#else
    return POET_OK;
#endif
}
