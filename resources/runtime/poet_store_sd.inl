/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Page store on an SD card over SPI: own protocol driver over three callbacks. Cards up to 2 GB are addressed by byte,
 * larger ones by block. One transfer is one multi-block command; writes tell the card their length first (ACMD23). */

typedef struct poet_sd_bus {
    uint8_t (*exchange)(void *u, uint8_t out);   /* one byte each way */
    void (*select)(void *u, int on);             /* chip select; 0 releases it */
    void (*delay_ms)(void *u, uint32_t ms);
    void *u;
} poet_sd_bus;

typedef struct poet_sd_store {
    poet_sd_bus bus;
    uint32_t first;              /* first block of the card that is ours */
    int by_block;
    uint32_t blocks_read, blocks_written;
} poet_sd_store;

#define POET_SD_BLOCK 512u
enum { POET_SD_TIMEOUT = 1, POET_SD_REFUSED = 2, POET_SD_CRC = 3, POET_SD_RANGE = 4 };

static uint8_t poet_sd_byte(poet_sd_store *d, uint8_t out) { return d->bus.exchange(d->bus.u, out); }

/* Waits until the card has no more to do. */
static int poet_sd_ready(poet_sd_store *d)
{
    uint32_t i;
    for (i = 0; i < 1000000u; ++i)
        if (poet_sd_byte(d, 0xFF) == 0xFF)
            return 0;
    return POET_SD_TIMEOUT;
}

/* First byte of the answer; bit 7 set: none came. */
static uint8_t poet_sd_command(poet_sd_store *d, uint8_t command, uint32_t argument)
{
    uint8_t answer = 0xFF;
    int i;
    if (command != 0 && command != 12)
        (void)poet_sd_ready(d);
    (void)poet_sd_byte(d, (uint8_t)(0x40 | command));
    for (i = 24; i >= 0; i -= 8)
        (void)poet_sd_byte(d, (uint8_t)(argument >> i));
    (void)poet_sd_byte(d, command == 0 ? 0x95 : command == 8 ? 0x87 : 0x01);
    if (command == 12)
        (void)poet_sd_byte(d, 0xFF); /* a byte to be ignored */
    for (i = 0; i < 16 && (answer & 0x80) != 0; ++i)
        answer = poet_sd_byte(d, 0xFF);
    return answer;
}

static uint8_t poet_sd_app_command(poet_sd_store *d, uint8_t command, uint32_t argument)
{
    (void)poet_sd_command(d, 55, 0);
    return poet_sd_command(d, command, argument);
}

static void poet_sd_release(poet_sd_store *d)
{
    d->bus.select(d->bus.u, 0);
    (void)poet_sd_byte(d, 0xFF);
}

static uint32_t poet_sd_address(const poet_sd_store *d, uint32_t block)
{
    return d->by_block ? d->first + block : (d->first + block) * POET_SD_BLOCK;
}

static int poet_sd_read_blocks(poet_sd_store *d, uint32_t block, uint8_t *to, uint32_t bytes)
{
    const uint32_t count = (bytes + POET_SD_BLOCK - 1u) / POET_SD_BLOCK;
    uint32_t b, i;
    if (poet_sd_command(d, count > 1 ? 18 : 17, poet_sd_address(d, block)) != 0)
        return POET_SD_REFUSED;
    for (b = 0; b < count; ++b) {
        uint8_t token = 0xFF;
        for (i = 0; i < 1000000u && token == 0xFF; ++i)
            token = poet_sd_byte(d, 0xFF);
        if (token != 0xFE)
            return POET_SD_TIMEOUT;
        for (i = 0; i < POET_SD_BLOCK; ++i) {
            const uint8_t byte = poet_sd_byte(d, 0xFF);
            if (b * POET_SD_BLOCK + i < bytes)
                to[b * POET_SD_BLOCK + i] = byte;
        }
        (void)poet_sd_byte(d, 0xFF);
        (void)poet_sd_byte(d, 0xFF);
        ++d->blocks_read;
    }
    if (count > 1)
        (void)poet_sd_command(d, 12, 0);
    return poet_sd_ready(d);
}

static int poet_sd_write_blocks(poet_sd_store *d, uint32_t block, const uint8_t *from, uint32_t bytes)
{
    const uint32_t count = (bytes + POET_SD_BLOCK - 1u) / POET_SD_BLOCK;
    uint32_t b, i;
    if (count > 1)
        (void)poet_sd_app_command(d, 23, count);
    if (poet_sd_command(d, count > 1 ? 25 : 24, poet_sd_address(d, block)) != 0)
        return POET_SD_REFUSED;
    for (b = 0; b < count; ++b) {
        (void)poet_sd_byte(d, 0xFF);
        (void)poet_sd_byte(d, count > 1 ? 0xFC : 0xFE);
        for (i = 0; i < POET_SD_BLOCK; ++i)
            (void)poet_sd_byte(d, b * POET_SD_BLOCK + i < bytes ? from[b * POET_SD_BLOCK + i] : 0);
        (void)poet_sd_byte(d, 0xFF);
        (void)poet_sd_byte(d, 0xFF);
        if ((poet_sd_byte(d, 0xFF) & 0x1F) != 0x05)
            return POET_SD_CRC;
        if (poet_sd_ready(d) != 0)
            return POET_SD_TIMEOUT;
        ++d->blocks_written;
    }
    if (count > 1) {
        (void)poet_sd_byte(d, 0xFD);
        (void)poet_sd_byte(d, 0xFF);
    }
    return poet_sd_ready(d);
}

static int poet_sd_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    poet_sd_store *d = (poet_sd_store *)u;
    int code;
    d->bus.select(d->bus.u, 1);
    code = poet_sd_read_blocks(d, block, (uint8_t *)dst, bytes);
    poet_sd_release(d);
    return code;
}
static int poet_sd_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    poet_sd_store *d = (poet_sd_store *)u;
    int code;
    d->bus.select(d->bus.u, 1);
    code = poet_sd_write_blocks(d, block, (const uint8_t *)src, bytes);
    poet_sd_release(d);
    return code;
}

/* Wakes the card. `first`: block at which our region begins. Returns 0 or POET_SD_*. */
static int poet_sd_store_open(poet_store *s, poet_sd_store *d, const poet_sd_bus *bus, uint32_t first, uint32_t blocks)
{
    uint32_t i;
    uint8_t answer = 0xFF, ocr = 0;
    int is_new;
    memset(d, 0, sizeof *d);
    d->bus = *bus;
    d->first = first;
    bus->select(bus->u, 0);
    for (i = 0; i < 10; ++i)
        (void)poet_sd_byte(d, 0xFF);
    bus->select(bus->u, 1);
    for (i = 0; i < 10 && answer != 1; ++i)
        answer = poet_sd_command(d, 0, 0);
    if (answer != 1) {
        poet_sd_release(d);
        return POET_SD_TIMEOUT;
    }
    is_new = (poet_sd_command(d, 8, 0x1AA) & 0x04) == 0;
    for (i = 0; is_new && i < 4; ++i)
        (void)poet_sd_byte(d, 0xFF);
    answer = 1;
    for (i = 0; i < 1000u && answer != 0; ++i) {
        answer = poet_sd_app_command(d, 41, is_new ? 0x40000000u : 0);
        if (answer != 0)
            bus->delay_ms(bus->u, 1);
    }
    if (answer == 0 && poet_sd_command(d, 58, 0) <= 1) {
        ocr = poet_sd_byte(d, 0xFF);
        for (i = 0; i < 3; ++i)
            (void)poet_sd_byte(d, 0xFF);
    }
    d->by_block = (ocr & 0x40) != 0;
    if (answer == 0 && !d->by_block)
        answer = poet_sd_command(d, 16, POET_SD_BLOCK);
    poet_sd_release(d);
    memset(s, 0, sizeof *s);
    s->read = poet_sd_read;
    s->write = poet_sd_write;
    s->u = d;
    s->block_bytes = POET_SD_BLOCK;
    s->blocks = blocks;
    return answer == 0 ? 0 : POET_SD_TIMEOUT;
}
