/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* SD card of the Stellaris LM3S6965 board: SSI0, chip select on port D, pin 0. */
#include "poet_types.h"
#include "poet_store_sd.inl"

#define REG(address) (*(volatile uint32_t *)(address))
#define SSI_CR0 REG(0x40008000u)
#define SSI_CR1 REG(0x40008004u)
#define SSI_DR REG(0x40008008u)
#define SSI_SR REG(0x4000800Cu)
#define SSI_CPSR REG(0x40008010u)
#define SYSCTL_RCGC1 REG(0x400FE104u)
#define SYSCTL_RCGC2 REG(0x400FE108u)
#define GPIOD_SELECT REG(0x40007004u) /* data register, pin 0 only */
#define GPIOD_DIR REG(0x40007400u)
#define GPIOD_DEN REG(0x4000751Cu)

int board_store(poet_store *store, uint32_t blocks, uint32_t block_bytes);
void board_counts(uint32_t *read, uint32_t *written);

static poet_sd_store card;

static uint8_t exchange(void *u, uint8_t out)
{
    (void)u;
    while ((SSI_SR & 2u) == 0) { /* room to send */
    }
    SSI_DR = out;
    while ((SSI_SR & 4u) == 0) { /* something came back */
    }
    return (uint8_t)SSI_DR;
}
static void select_card(void *u, int on)
{
    (void)u;
    GPIOD_SELECT = on ? 0u : 1u;
}
static void delay_ms(void *u, uint32_t ms)
{
    volatile uint32_t n = ms * 1000u;
    (void)u;
    while (n > 0)
        --n;
}

int board_store(poet_store *store, uint32_t blocks, uint32_t block_bytes)
{
    poet_sd_bus bus;
    if (block_bytes != 512u)
        return 1;
    SYSCTL_RCGC1 |= 1u << 4;
    SYSCTL_RCGC2 |= 1u << 3;
    GPIOD_DIR |= 1u;
    GPIOD_DEN |= 1u;
    SSI_CR1 = 0;
    SSI_CPSR = 2;
    SSI_CR0 = 7; /* 8 bits, SPI mode 0 */
    SSI_CR1 = 2;
    bus.exchange = exchange;
    bus.select = select_card;
    bus.delay_ms = delay_ms;
    bus.u = 0;
    return poet_sd_store_open(store, &card, &bus, 0, blocks);
}
/* Whole blocks of 512 bytes. */
void board_counts(uint32_t *read, uint32_t *written)
{
    *read = 512u * card.blocks_read;
    *written = 512u * card.blocks_written;
}
