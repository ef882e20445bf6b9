/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* SPI NOR flash of the Emcraft SmartFusion2 board (MSS SPI 0): ring log of the first MiB, erase blocks of 64 KiB.
 * POET_NOR_SKIP_ERASE: what a driver without erase does, for the negative control. */
#include "poet_types.h"
#include "poet_store_nor.inl"

#define REG(address) (*(volatile uint32_t *)(address))
#define SPI_CONTROL REG(0x40001000u)
#define SPI_DFSIZE REG(0x40001004u)
#define SPI_STATUS REG(0x40001008u)
#define SPI_RX REG(0x40001010u)
#define SPI_TX REG(0x40001014u)
#define SPI_SELECT REG(0x4000101Cu)
#define SPI_MASTER (1u << 1 | 1u)        /* enabled, master */
#define SPI_HOLD (1u << 26)              /* the chip stays selected for all frames of the count */
#define SPI_COUNT(n) ((uint32_t)(n) << 8)
#define SPI_RX_EMPTY (1u << 6)
#define RING_BYTES (1u << 20)
#define ERASE_BYTES (1u << 16)
#define MOST_PAGES 32u

int board_store(poet_store *store, uint32_t blocks, uint32_t block_bytes);
void board_counts(uint32_t *read, uint32_t *written);

static poet_nor_store flash;
static poet_nor_place places[MOST_PAGES];
static uint32_t bytes_read, bytes_written;

/* The controller deselects the chip by itself when the count of frames is through: it is set to what is left. */
static void transfer(void *u, const uint8_t *out, uint8_t *in, uint32_t bytes, int last)
{
    uint32_t i;
    (void)u;
    for (i = 0; i < bytes; ++i) {
        uint32_t back;
        if (i % 0x8000u == 0) {
            const uint32_t left = bytes - i;
            SPI_CONTROL = SPI_MASTER | SPI_HOLD | SPI_COUNT(left > 0x8000u || !last ? 0xFFFFu : left);
        }
        SPI_TX = out != 0 ? out[i] : 0u;
        while ((SPI_STATUS & SPI_RX_EMPTY) != 0) {
        }
        back = SPI_RX;
        if (in != 0)
            in[i] = (uint8_t)back;
    }
}

static int counted_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    bytes_written += bytes;
    return poet_nor_write(u, block, src, bytes);
}
static int counted_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    bytes_read += bytes;
    return poet_nor_read(u, block, dst, bytes);
}

int board_store(poet_store *store, uint32_t blocks, uint32_t block_bytes)
{
    poet_nor_bus bus;
    uint8_t id[3] = {0, 0, 0}, command = 0x9F;
    bus.transfer = transfer;
    bus.u = 0;
    SPI_DFSIZE = 8;
    SPI_SELECT = 1;
    transfer(0, &command, 0, 1, 0);
    transfer(0, 0, id, 3, 1);
    if (id[0] == 0 || id[0] == 0xFF)
        return 1; /* no flash answers */
    poet_nor_store_open(store, &flash, &bus, 0, RING_BYTES, ERASE_BYTES, places, MOST_PAGES, block_bytes, blocks);
#ifdef POET_NOR_SKIP_ERASE
    flash.skip_erase = 1;
#endif
    store->read = counted_read;
    store->write = counted_write;
    return 0;
}
void board_counts(uint32_t *read, uint32_t *written)
{
    *read = bytes_read;
    *written = bytes_written;
}
