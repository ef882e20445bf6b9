/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Start-up for Cortex-M under emulation: copies .data, clears .bss, paints the stack, switches the FPU on, calls main.
 * Any fault ends with status 99. memset and memcpy, for there is no C library. */
#include "semihost.h"

#include <stddef.h>

extern uint32_t _sidata, _sdata, _edata, _sbss, _ebss, _stack_low, _estack;
int main(void);
void Reset_Handler(void);

#define STACK_PAINT 0xDEADBEEFu

void *memset(void *to, int value, size_t n)
{
    uint8_t *p = (uint8_t *)to;
    while (n-- > 0)
        *p++ = (uint8_t)value;
    return to;
}
void *memcpy(void *to, const void *from, size_t n)
{
    uint8_t *p = (uint8_t *)to;
    const uint8_t *q = (const uint8_t *)from;
    while (n-- > 0)
        *p++ = *q++;
    return to;
}
int memcmp(const void *a, const void *b, size_t n)
{
    const uint8_t *p = (const uint8_t *)a, *q = (const uint8_t *)b;
    for (; n > 0; --n, ++p, ++q)
        if (*p != *q)
            return *p < *q ? -1 : 1;
    return 0;
}

static void fault(void)
{
    sh_print("fault\n");
    sh_exit(99);
}

/* Deepest use of the stack so far, bytes; all of it when its lowest word, a canary, was overwritten. */
uint32_t stack_used(void)
{
    const uint32_t *p = &_stack_low;
    while (p < &_estack && *p == STACK_PAINT)
        ++p;
    return (uint32_t)((const uint8_t *)&_estack - (const uint8_t *)p);
}

void Reset_Handler(void)
{
    uint32_t *from = &_sidata, *to;
    volatile uint32_t *paint;
    const uint32_t *here = (const uint32_t *)__builtin_frame_address(0);
    for (to = &_sdata; to < &_edata;)
        *to++ = *from++;
    for (to = &_sbss; to < &_ebss;)
        *to++ = 0;
    for (paint = &_stack_low; paint < here - 32; ++paint)
        *paint = STACK_PAINT;
#if defined(__ARM_FP) && !defined(POET_LEAVE_FPU_OFF)
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;
    __asm__ volatile("dsb\n isb");
#endif
    sh_exit((uint32_t)main());
}

__attribute__((section(".isr_vector"), used)) static void *const vectors[16] = {
    &_estack, (void *)Reset_Handler, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault,
    (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault};
