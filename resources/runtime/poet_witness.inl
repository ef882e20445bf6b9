/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Level 2 of the checks: a hash of what each tensor held when it first came up in this step. A recompute and a page-in must
 * bring the same; the digest over all of them compares two runs, whatever their schedules. Included by poet_runtime.inl. */

/* FNV-1a over words; all NaNs count as one, for their sign and payload differ between processors. */
static uint32_t poet_hash_of(const uint8_t *p, uint32_t bytes)
{
    uint32_t hash = 2166136261u, i, word;
    for (i = 0; i < bytes; i += 4u) {
        word = 0;
        memcpy(&word, p + i, bytes - i < 4u ? bytes - i : 4u);
        if ((word & 0x7FFFFFFFu) > 0x7F800000u)
            word = 0x7FC00000u;
        hash = (hash ^ word) * 16777619u;
    }
    return hash | 1u;
}

static int poet_witness(POET_STATE *s, uint32_t id, const uint8_t *at)
{
    const uint32_t hash = poet_hash_of(at, POET_P(tensors)[id].bytes);
    if (s->hashes[id] == 0) {
        s->hashes[id] = hash;
        s->digest = (s->digest ^ hash) * 16777619u;
    }
    return s->hashes[id] == hash ? POET_OK : -POET_E_CRC;
}
