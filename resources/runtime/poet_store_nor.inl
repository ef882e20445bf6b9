/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Page store on SPI NOR flash as a ring log: erase before write, wear spread over the ring. Every page written gets a
 * header (magic, step, block, bytes, CRC) in front; a table in RAM says where each block of this step lies. */

typedef struct poet_nor_bus {
    void (*transfer)(void *u, const uint8_t *out, uint8_t *in, uint32_t bytes, int last); /* null: zeros, nowhere */
    void *u;
} poet_nor_bus;

typedef struct poet_nor_place {
    uint32_t block, at;          /* page store block, address of its header */
} poet_nor_place;

typedef struct poet_nor_store {
    poet_nor_bus bus;
    uint32_t first, size, erase_bytes;   /* ring: [first, first + size), a multiple of erase_bytes */
    uint32_t head, step;                 /* next address; number of this step */
    poet_nor_place *places;
    uint32_t n_places, max_places;
    uint32_t erases, programs;
    int skip_erase;                      /* for tests: what a driver without erase does */
} poet_nor_store;

#define POET_NOR_MAGIC 0x504E4F52u
#define POET_NOR_PROGRAM 256u
enum { POET_NOR_TIMEOUT = 1, POET_NOR_FULL = 2, POET_NOR_LOST = 3, POET_NOR_CRC = 4 };

static void poet_nor_command(poet_nor_store *n, uint8_t command, uint32_t address, int has_address, int last)
{
    uint8_t out[4];
    out[0] = command;
    out[1] = (uint8_t)(address >> 16);
    out[2] = (uint8_t)(address >> 8);
    out[3] = (uint8_t)address;
    n->bus.transfer(n->bus.u, out, 0, has_address ? 4u : 1u, last);
}

static int poet_nor_ready(poet_nor_store *n)
{
    uint32_t i;
    for (i = 0; i < 10000000u; ++i) {
        uint8_t status = 1;
        poet_nor_command(n, 0x05, 0, 0, 0);
        n->bus.transfer(n->bus.u, 0, &status, 1, 1);
        if ((status & 1) == 0)
            return 0;
    }
    return POET_NOR_TIMEOUT;
}

static int poet_nor_erase(poet_nor_store *n, uint32_t address)
{
    if (n->skip_erase)
        return 0;
    poet_nor_command(n, 0x06, 0, 0, 1);
    poet_nor_command(n, 0xD8, address, 1, 1);
    ++n->erases;
    return poet_nor_ready(n);
}

/* Programs bytes; splits at the flash's own pages; erases each block when the head enters it. */
static int poet_nor_append(poet_nor_store *n, const uint8_t *from, uint32_t bytes)
{
    while (bytes > 0) {
        uint32_t room = POET_NOR_PROGRAM - n->head % POET_NOR_PROGRAM, at = n->first + n->head % n->size;
        int code = 0;
        if (n->head % n->erase_bytes == 0)
            code = poet_nor_erase(n, at);
        if (code != 0)
            return code;
        if (room > bytes)
            room = bytes;
        poet_nor_command(n, 0x06, 0, 0, 1);
        poet_nor_command(n, 0x02, at, 1, 0);
        n->bus.transfer(n->bus.u, from, 0, room, 1);
        code = poet_nor_ready(n);
        if (code != 0)
            return code;
        ++n->programs;
        n->head += room;
        from += room;
        bytes -= room;
    }
    return 0;
}

static void poet_nor_fetch(poet_nor_store *n, uint32_t offset, uint8_t *to, uint32_t bytes)
{
    while (bytes > 0) { /* the ring may wrap */
        uint32_t run = n->size - offset % n->size;
        if (run > bytes)
            run = bytes;
        poet_nor_command(n, 0x03, n->first + offset % n->size, 1, 0);
        n->bus.transfer(n->bus.u, 0, to, run, 1);
        to += run;
        offset += run;
        bytes -= run;
    }
}

static uint32_t poet_nor_crc(const uint8_t *p, uint32_t bytes)
{
    uint32_t crc = 0xFFFFFFFFu, i, k;
    for (i = 0; i < bytes; ++i) {
        crc ^= p[i];
        for (k = 0; k < 8; ++k)
            crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
    }
    return ~crc;
}

static int poet_nor_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    poet_nor_store *n = (poet_nor_store *)u;
    uint32_t header[5], used = 0, i;
    int code;
    for (i = 0; i < n->n_places; ++i)
        used = n->head - n->places[i].at > used ? n->head - n->places[i].at : used;
    /* whole erase blocks at both ends, so that entering one never destroys a page of this step */
    if (n->n_places == n->max_places || used + (uint32_t)sizeof header + bytes + 2u * n->erase_bytes > n->size)
        return POET_NOR_FULL;
    header[0] = POET_NOR_MAGIC;
    header[1] = n->step;
    header[2] = block;
    header[3] = bytes;
    header[4] = poet_nor_crc((const uint8_t *)src, bytes);
    n->places[n->n_places].block = block;
    n->places[n->n_places].at = n->head;
    ++n->n_places;
    code = poet_nor_append(n, (const uint8_t *)header, (uint32_t)sizeof header);
    return code != 0 ? code : poet_nor_append(n, (const uint8_t *)src, bytes);
}

static int poet_nor_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    poet_nor_store *n = (poet_nor_store *)u;
    uint32_t header[5], i = n->n_places;
    while (i > 0 && n->places[i - 1u].block != block)
        --i;
    if (i == 0)
        return POET_NOR_LOST;
    poet_nor_fetch(n, n->places[i - 1u].at, (uint8_t *)header, (uint32_t)sizeof header);
    if (header[0] != POET_NOR_MAGIC || header[1] != n->step || header[2] != block || header[3] != bytes)
        return POET_NOR_LOST;
    poet_nor_fetch(n, n->places[i - 1u].at + (uint32_t)sizeof header, (uint8_t *)dst, bytes);
    return poet_nor_crc((const uint8_t *)dst, bytes) == header[4] ? 0 : POET_NOR_CRC;
}

/* Pages of the step before are worth nothing any more. */
static int poet_nor_begin(void *u, uint32_t step)
{
    poet_nor_store *n = (poet_nor_store *)u;
    n->step = step;
    n->n_places = 0;
    return 0;
}

/* `places`: memory for one entry a page. */
static void poet_nor_store_open(poet_store *s, poet_nor_store *n, const poet_nor_bus *bus, uint32_t first, uint32_t size,
                                uint32_t erase_bytes, poet_nor_place *places, uint32_t max_places, uint32_t block_bytes,
                                uint32_t blocks)
{
    memset(n, 0, sizeof *n);
    n->bus = *bus;
    n->first = first;
    n->size = size;
    n->erase_bytes = erase_bytes;
    n->places = places;
    n->max_places = max_places;
    memset(s, 0, sizeof *s);
    s->read = poet_nor_read;
    s->write = poet_nor_write;
    s->begin_step = poet_nor_begin;
    s->u = n;
    s->block_bytes = block_bytes;
    s->blocks = blocks;
}
