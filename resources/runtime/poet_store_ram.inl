/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Page store in a stretch of memory: RAM, PSRAM window, or FRAM mapped to addresses. */

typedef struct poet_ram_store {
    uint8_t *at;
    uint32_t block_bytes;
} poet_ram_store;

static int poet_ram_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    const poet_ram_store *r = (const poet_ram_store *)u;
    memcpy(dst, r->at + (size_t)block * r->block_bytes, bytes);
    return 0;
}
static int poet_ram_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    const poet_ram_store *r = (const poet_ram_store *)u;
    memcpy(r->at + (size_t)block * r->block_bytes, src, bytes);
    return 0;
}
/* `at`: blocks x block_bytes bytes. */
static void poet_ram_store_open(poet_store *s, poet_ram_store *r, void *at, uint32_t block_bytes, uint32_t blocks)
{
    r->at = (uint8_t *)at;
    r->block_bytes = block_bytes;
    memset(s, 0, sizeof *s);
    s->read = poet_ram_read;
    s->write = poet_ram_write;
    s->u = r;
    s->block_bytes = block_bytes;
    s->blocks = blocks;
}
