/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* What is done once, before the first step: memory, store, gradients, observer; and the check of a packed schedule. */

#if POET_FORM == 2
/* The header is of this format and model, and no bit has changed. */
static int poet_packed_open(void)
{
    const uint8_t *p = POET_P(packed);
    uint32_t crc = 0xFFFFFFFFu, i, k;
    if (memcmp(p, "POET", 4) != 0)
        return POET_E_MAGIC;
    if (p[4] != (POET_ABI & 0xFFu) || p[5] != POET_ABI >> 8 || p[6] != 1)
        return POET_E_ABI;
    if (memcmp(p + 16, POET_P(hash), 8) != 0)
        return POET_E_HASH;
    for (i = 0; i < POET_PACKED_BYTES; ++i) {
        crc ^= p[i];
        if (i - 12u < 4u) /* its own field counts as zero */
            crc ^= p[i];
        for (k = 0; k < 8; ++k)
            crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
    }
    return ~crc == POET_PACKED_CRC ? POET_OK : POET_E_CRC;
}
#endif

/* Gradients stay in `grads`, or are applied at once where `own` (which may be null) need not collect them. */
void POET_P(train)(POET_STATE *s, void *grads, void *own, void *opt, float rate)
{
    s->keeps = grads != 0;
    s->base[POET_REF_GRAD] = (uint8_t *)(grads != 0 ? grads : own);
    s->grad_bytes = s->base[POET_REF_GRAD] == 0 ? 0 : s->keeps ? POET_ALL_GRAD_BYTES : POET_OWN_GRAD_BYTES;
    s->base[POET_REF_APPLY] = s->base[grads != 0 ? POET_REF_GRAD : POET_REF_PARAM];
    s->apply = grads != 0 ? POET_PUT_ADD : POET_PUT_APPLY;
    s->opt = (uint8_t *)opt;
    s->rate = rate;
    s->momentum = 0.9f;
    s->beta2 = 0.999f;
    s->epsilon = 1.0e-8f;
}

/* A memory of the arena is large enough and aligned; at check level 1 its guard stands behind it. */
static int poet_arena_open(void *arena, uint32_t bytes, uint32_t wanted)
{
    if (bytes < wanted + (POET_CHECK >= 1 ? 8u : 0u))
        return POET_E_ARENA;
    if (((uintptr_t)arena % POET_ARENA_ALIGN) != 0)
        return POET_E_ALIGN;
#if POET_CHECK >= 1
    *(uint32_t *)(void *)((uint8_t *)arena + wanted) = POET_GUARD;
#endif
    return POET_OK;
}

#if POET_REGIONS > 1
int POET_P(open)(POET_STATE *s, void *const *arenas, const uint32_t *bytes, const poet_store *store, void *params, void *user)
#else
int POET_P(open)(POET_STATE *s, void *arena, uint32_t bytes, const poet_store *store, void *params, void *user)
#endif
{
    int code = POET_OK;
#if POET_REGIONS > 1
    uint32_t r;
#endif
    memset(s, 0, sizeof *s);
#if POET_REGIONS > 1
    for (r = 0; r < POET_REGIONS && code == POET_OK; ++r) {
        s->regions[r] = (uint8_t *)arenas[r];
        code = poet_arena_open(arenas[r], bytes[r], POET_P(regions)[r + 1u] - POET_P(regions)[r]);
    }
    s->base[POET_REF_TENSOR] = s->regions[0];
#else
    s->base[POET_REF_TENSOR] = (uint8_t *)arena;
    code = poet_arena_open(arena, bytes, POET_ARENA_BYTES);
#endif
    s->base[POET_REF_PARAM] = (uint8_t *)params;
    s->base[POET_REF_CONST] = (uint8_t *)(uintptr_t)POET_P(consts);
    s->store = store;
    s->user = user;
    POET_P(train)(s, 0, 0, 0, 0.01f);
    s->call.in = (const void *const *)(s->lists.at + 3);
    s->call.out = s->lists.at;
    s->call.grad = s->lists.grad;
    if (code == POET_OK && ((uintptr_t)params % 4u) != 0)
        code = POET_E_ALIGN;
    if (code == POET_OK && POET_STORE_BLOCKS > 0 && (store == 0 || store->blocks + 1u <= POET_STORE_BLOCKS || store->block_bytes != POET_PAGE_BLOCK))
        code = POET_E_PAGE;
#if POET_FORM == 2
    if (code == POET_OK)
        code = poet_packed_open();
#endif
    return s->fault.code = code;
}

void POET_P(observe)(POET_STATE *s, poet_observer f, void *user)
{
    s->observe = f;
    s->observe_user = user;
}

const poet_fault *POET_P(fault)(const POET_STATE *s)
{
    return &s->fault;
}
