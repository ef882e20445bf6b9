/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Memory of the host programs: zeroed, or the end of the program. */
#ifndef POET_HOST_MEMORY_H
#define POET_HOST_MEMORY_H
#include "@name@.h"

#include <stdio.h>
#include <stdlib.h>

static void *take(size_t bytes)
{
    void *p = calloc(bytes / 64 + 2, 64);
    if (p == 0) {
        fprintf(stderr, "not enough memory\n");
        exit(2);
    }
    return p;
}

static void *take_aligned(size_t bytes)
{
    return (void *)(((uintptr_t)take(bytes + 128) + 63u) / 64u * 64u);
}

/* Opens the schedule on an arena of its own. */
static int open_arena(@name@_state *s, const poet_store *store, void *params)
{
#ifdef @NAME@_REGIONS
    static const uint32_t sizes[] = @NAME@_REGION_SIZES;
    void *arenas[@NAME@_REGIONS];
    uint32_t bytes[@NAME@_REGIONS], r;
    for (r = 0; r < @NAME@_REGIONS; ++r) {
        bytes[r] = sizes[r] + 8u;
        arenas[r] = take_aligned(bytes[r]);
    }
    return @name@_open(s, arenas, bytes, store, params, 0);
#else
    return @name@_open(s, take_aligned(@NAME@_ARENA_BYTES + 8u), @NAME@_ARENA_BYTES + 8u, store, params, 0);
#endif
}
#endif
