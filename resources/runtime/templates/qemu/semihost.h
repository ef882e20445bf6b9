/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Semihosting of Arm: console, files of the host, exit status. */
#ifndef POET_SEMIHOST_H
#define POET_SEMIHOST_H
#include <stdint.h>

enum { SH_OPEN = 1, SH_CLOSE = 2, SH_WRITE0 = 4, SH_WRITE = 5, SH_READ = 6, SH_SEEK = 10, SH_EXIT_EXTENDED = 0x20 };
enum { SH_MODE_RB = 1, SH_MODE_WB = 5, SH_MODE_WPB = 7 };

static inline int32_t sh_call(uint32_t operation, const void *block)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return (int32_t)r0;
}
static inline void sh_print(const char *text) { (void)sh_call(SH_WRITE0, text); }
static inline void sh_exit(uint32_t status)
{
    const uint32_t block[2] = {0x20026u, status};
    (void)sh_call(SH_EXIT_EXTENDED, block);
    for (;;) {
    }
}
static inline int32_t sh_open(const char *path, uint32_t mode)
{
    uint32_t n = 0;
    while (path[n] != 0)
        ++n;
    {
        const uint32_t block[3] = {(uint32_t)(uintptr_t)path, mode, n};
        return sh_call(SH_OPEN, block);
    }
}
/* 0 when all bytes were moved: the call itself returns those that were not. */
static inline int32_t sh_write(int32_t file, const void *from, uint32_t bytes)
{
    const uint32_t block[3] = {(uint32_t)file, (uint32_t)(uintptr_t)from, bytes};
    return sh_call(SH_WRITE, block);
}
static inline int32_t sh_read(int32_t file, void *to, uint32_t bytes)
{
    const uint32_t block[3] = {(uint32_t)file, (uint32_t)(uintptr_t)to, bytes};
    return sh_call(SH_READ, block);
}
static inline int32_t sh_seek(int32_t file, uint32_t at)
{
    const uint32_t block[2] = {(uint32_t)file, at};
    return sh_call(SH_SEEK, block);
}
static inline void sh_hex(uint32_t value)
{
    char text[10];
    int i;
    for (i = 0; i < 8; ++i)
        text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15u];
    text[8] = '\n';
    text[9] = 0;
    sh_print(text);
}
#endif
