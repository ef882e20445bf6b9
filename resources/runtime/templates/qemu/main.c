/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Trains on an emulated microcontroller: STEPS steps on the inputs linked in, then writes loss and gradients for comparison
 * with the host. Pages go to a file of the host by semihosting, or to the store of a board
 * (POET_STORE_BOARD: an SD card in board_lm3s.c, NOR flash in board_sf2.c). Behind each arena and below the stack lie bytes
 * that no code may touch where the processor has a protection unit; elsewhere canary words, and the paint of the stack.
 * POET_OVERRUN touches the first, POET_DEEP_STACK the second, POET_CANARY_HIT a canary: each must end badly.
 * POET_DMA_MODEL: the file store starts transfers and carries them out as late as it may, when they are waited for; until
 * then what is being read holds rubbish. With POET_DMA_FORGETS it never carries them out, which must not go unseen.
 * Exit status: 0 good, 2 fault of the runtime, 3 counters differ from the header, 4 the stack is too small, 5 files. */
#include "@name@.h"
#include "semihost.h"

#ifndef STEPS
#define STEPS 1
#endif
#ifndef RATE
#define RATE 0.0f
#endif
#define STACK_LIMIT 0x600u
#define STACK_CANARY 0x80u /* a frame may leave some words of it as they were, but not all */

extern const uint8_t poet_inputs[];       /* the data inputs one behind the other */
extern const poet_tensor @name@_tensors[];
uint32_t stack_used(void);
#ifdef POET_STORE_BOARD
int board_store(poet_store *store, uint32_t blocks, uint32_t block_bytes);
void board_counts(uint32_t *read, uint32_t *written);
#ifndef POET_BLOCK_ROUND
#define POET_BLOCK_ROUND 1u /* bytes that the board moves at least */
#endif
#endif

/* An arena ends where its guard begins: canary words, then 32 bytes that the protection unit locks. */
#define GUARD 32u
#define ALIGN (@NAME@_ARENA_ALIGN < GUARD ? GUARD : @NAME@_ARENA_ALIGN)
#define ROOM(bytes) (((bytes) + 8u + GUARD - 1u) / GUARD * GUARD)
#define PLACE(arena, bytes) ((arena) + (ROOM(bytes) - 8u - (bytes)) / @NAME@_ARENA_ALIGN * @NAME@_ARENA_ALIGN)
#ifdef @NAME@_REGIONS
#if @NAME@_REGIONS != 2
#error "This program puts two memories to use; add arrays for more."
#endif
#define FIRST_BYTES @NAME@_REGION_0_BYTES
static uint8_t arena_1[ROOM(@NAME@_REGION_1_BYTES) + GUARD] __attribute__((aligned(ALIGN), section(".region_1")));
#else
#define FIRST_BYTES @NAME@_ARENA_BYTES
#endif
static uint8_t arena[ROOM(FIRST_BYTES) + GUARD] __attribute__((aligned(ALIGN)));
#define END_OF_ARENA (arena + ROOM(FIRST_BYTES))
extern uint8_t _stack_guard[];
static uint64_t params[@NAME@_PARAM_BYTES / 8u + 1u];
#ifdef POET_APPLY_AT_ONCE
static uint64_t own[@NAME@_OWN_GRAD_BYTES / 8u + 1u];
#else
static uint64_t grads[@NAME@_ALL_GRAD_BYTES / 8u + 1u];
#endif
static uint64_t opt[@NAME@_OPT_BYTES / 8u + 1u];
static @name@_state state;
static int32_t page_file;
static uint32_t bytes_out, bytes_in;

static int file_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    (void)u;
    bytes_in += bytes;
    return sh_seek(page_file, block * @NAME@_PAGE_BLOCK) != 0 || sh_read(page_file, dst, bytes) != 0;
}
static int file_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    (void)u;
    bytes_out += bytes;
    return sh_seek(page_file, block * @NAME@_PAGE_BLOCK) != 0 || sh_write(page_file, src, bytes) != 0;
}

#ifdef POET_DMA_MODEL
/* Transfers that were started and not waited for. */
typedef struct flight {
    int write;
    uint32_t block, bytes;
    void *buf;
} flight;
static flight flights[8];
static uint32_t n_flights, n_started, n_together;

static int dma_start(void *u, int write, uint32_t block, void *buf, uint32_t bytes)
{
    flight *f;
    (void)u;
    if (n_flights == sizeof flights / sizeof flights[0])
        return 1;
    f = &flights[n_flights++];
    f->write = write;
    f->block = block;
    f->buf = buf;
    f->bytes = bytes;
    ++n_started;
    if (n_flights > n_together)
        n_together = n_flights;
    if (!write)
        memset(buf, 0xCD, bytes);
    return 0;
}
static int dma_wait(void *u)
{
    uint32_t i;
    int bad = 0;
    for (i = 0; i < n_flights && !bad; ++i) {
#ifdef POET_DMA_FORGETS
        bytes_out += flights[i].write ? flights[i].bytes : 0u;
        bytes_in += flights[i].write ? 0u : flights[i].bytes;
        (void)u;
#else
        bad = flights[i].write ? file_write(u, flights[i].block, flights[i].buf, flights[i].bytes) : file_read(u, flights[i].block, flights[i].buf, flights[i].bytes);
#endif
    }
    n_flights = 0;
    return bad;
}
#endif

/* 2^power bytes without access for anyone, the rest as if there were no unit. Armv7-M; other cores rely on canaries. */
static void lock(uint32_t number, const uint8_t *from, uint32_t power)
{
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
    *(volatile uint32_t *)0xE000ED98u = number;
    *(volatile uint32_t *)0xE000ED9Cu = (uint32_t)(uintptr_t)from;     /* base, a multiple of the size */
    *(volatile uint32_t *)0xE000EDA0u = 1u << 28 | (power - 1u) << 1 | 1u; /* no execution, no access, on */
    *(volatile uint32_t *)0xE000ED94u = 5u;                            /* on, with the default map behind it */
    __asm__ volatile("dsb\n isb" : : : "memory");
#else
    (void)number;
    (void)from;
    (void)power;
#endif
}

/* Locks what lies behind each arena, and below the stack. */
static void lock_all(void)
{
    lock(0, END_OF_ARENA, 5u);
    lock(1, _stack_guard, 7u);
#ifdef @NAME@_REGIONS
    lock(2, arena_1 + ROOM(@NAME@_REGION_1_BYTES), 5u);
#endif
}

static int open_arena(const poet_store *store)
{
#ifdef @NAME@_REGIONS
    void *const arenas[2] = {PLACE(arena, FIRST_BYTES), PLACE(arena_1, @NAME@_REGION_1_BYTES)};
    const uint32_t bytes[2] = {FIRST_BYTES + 8u, @NAME@_REGION_1_BYTES + 8u};
    return @name@_open(&state, arenas, bytes, store, params, 0);
#else
    return @name@_open(&state, PLACE(arena, FIRST_BYTES), FIRST_BYTES + 8u, store, params, 0);
#endif
}

#ifdef POET_DEEP_STACK
/* Uses more stack than there is. */
static uint32_t __attribute__((noinline)) dig(volatile uint32_t *above, uint32_t depth)
{
    volatile uint32_t here[8];
    here[0] = *above + depth;
    return depth == 0 ? here[0] : dig(here, depth - 1u) + here[0];
}
#endif

static int report(const void *losses)
{
    const int32_t out = sh_open("out.bin", SH_MODE_WB);
    int bad = out < 0 || sh_write(out, losses, 4u * STEPS) != 0;
#ifndef POET_APPLY_AT_ONCE
    bad = bad || sh_write(out, grads, @NAME@_ALL_GRAD_BYTES) != 0;
#endif
    bad = bad || sh_write(out, params, @NAME@_PARAM_BYTES) != 0;
    {
        const uint32_t block[1] = {(uint32_t)out};
        (void)sh_call(SH_CLOSE, block);
    }
    return bad ? 5 : 0;
}

/* The file store, or the board's. */
static int open_store(poet_store *store)
{
    memset(store, 0, sizeof *store);
    store->read = file_read;
    store->write = file_write;
    store->block_bytes = @NAME@_PAGE_BLOCK;
    store->blocks = @NAME@_STORE_BLOCKS;
#ifdef POET_DMA_MODEL
    store->start = dma_start;
    store->wait = dma_wait;
#endif
#ifdef POET_STORE_BOARD
    return board_store(store, @NAME@_STORE_BLOCKS, @NAME@_PAGE_BLOCK) != 0 ? 5 : 0;
#else
    page_file = sh_open("pages.bin", SH_MODE_WPB);
    return page_file < 0 ? 5 : 0;
#endif
}

/* What must go wrong. */
static void touch_guards(void)
{
#ifdef POET_OVERRUN
    *(volatile uint8_t *)END_OF_ARENA = 1;
#endif
#ifdef POET_DEEP_STACK
    volatile uint32_t top = 0;
    (void)dig(&top, STACK_LIMIT / 16u);
#endif
}

/* Says where a step failed. */
static int failed(void)
{
    sh_print("fault of the runtime, code and instruction: ");
    sh_hex((uint32_t)@name@_fault(&state)->code);
    sh_hex(@name@_fault(&state)->instr);
    return 2;
}

/* All steps, each with the counters that the header predicts. */
static int train(const void *const *inputs, float *losses)
{
    uint32_t k, bits;
    for (k = 0; k < STEPS; ++k) {
        if (@name@_step_n(&state, inputs, &losses[k]) != POET_OK)
            return failed();
        memcpy(&bits, &losses[k], 4);
        sh_print("loss bits ");
        sh_hex(bits);
        if (state.counters.bytes[POET_PAGE_OUT] != @NAME@_PRED_OUT_BYTES || state.counters.bytes[POET_PAGE_IN] + state.counters.bytes[POET_PREFETCH] != @NAME@_PRED_IN_BYTES ||
            state.counters.high_water > @NAME@_ARENA_BYTES)
            return 3;
    }
    return 0;
}

/* What the store moved in all steps equals the plan. */
static int check_store(void)
{
#ifdef POET_STORE_BOARD
    board_counts(&bytes_in, &bytes_out);
    sh_print("bytes of the store, out and in: ");
    sh_hex(bytes_out);
    sh_hex(bytes_in);
    if (bytes_out < STEPS * @NAME@_PRED_OUT_BYTES || bytes_out - STEPS * @NAME@_PRED_OUT_BYTES > state.counters.runs[POET_PAGE_OUT] * STEPS * (POET_BLOCK_ROUND - 1u) ||
        bytes_in < STEPS * @NAME@_PRED_IN_BYTES || bytes_in - STEPS * @NAME@_PRED_IN_BYTES > (state.counters.runs[POET_PAGE_IN] + state.counters.runs[POET_PREFETCH]) * STEPS * (POET_BLOCK_ROUND - 1u))
        return 3;
#else
    if (bytes_out != STEPS * @NAME@_PRED_OUT_BYTES || bytes_in != STEPS * @NAME@_PRED_IN_BYTES)
        return 3;
#endif
#ifdef POET_DMA_MODEL
    sh_print("transfers started, most at once ");
    sh_hex(n_started);
    sh_hex(n_together);
    if (n_started == 0 || n_flights != 0) /* nothing overlapped, or something never ended */
        return 3;
#endif
    return 0;
}

int main(void)
{
    static float losses[STEPS];
    const void *inputs[@NAME@_N_INPUTS];
    poet_store store;
    uint32_t at = 0, t;
    int code = open_store(&store);
    if (code != 0)
        return code;
    for (t = 0; t < @NAME@_N_TENSORS; ++t)
        if (@name@_tensors[t].input != 0xFFFFu) {
            inputs[@name@_tensors[t].input] = poet_inputs + at;
            at += @name@_tensors[t].bytes;
        }
    memcpy(params, @name@_weights, @NAME@_PARAM_BYTES);
    lock_all();
    touch_guards();
    if (open_arena(&store) != POET_OK)
        return 2;
#ifdef POET_CANARY_HIT /* as an overrun by one element would be */
    PLACE(arena, FIRST_BYTES)[FIRST_BYTES] = 0;
#endif
#ifdef POET_APPLY_AT_ONCE
    @name@_train(&state, 0, own, opt, RATE);
#else
    @name@_train(&state, grads, 0, opt, RATE);
#endif
    code = train(inputs, losses);
    if (code == 0)
        code = check_store();
    if (code != 0)
        return code;
    if (stack_used() > STACK_LIMIT - STACK_CANARY)
        return 4;
    sh_print("stack bytes ");
    sh_hex(stack_used());
    return report(losses);
}
