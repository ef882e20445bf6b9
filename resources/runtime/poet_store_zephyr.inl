/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Page store on a disk of Zephyr's disk_access, by its name, from a given sector on. Include
 * <zephyr/storage/disk_access.h> before. Block size: 512. */

typedef struct poet_zephyr_store {
    const char *disk;
    uint32_t first;
    uint8_t bounce[512];
} poet_zephyr_store;

static int poet_zephyr_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    poet_zephyr_store *z = (poet_zephyr_store *)u;
    const uint32_t whole = bytes / 512u, rest = bytes % 512u;
    int code = whole > 0 ? disk_access_read(z->disk, (uint8_t *)dst, z->first + block, whole) : 0;
    if (code == 0 && rest > 0) {
        code = disk_access_read(z->disk, z->bounce, z->first + block + whole, 1);
        memcpy((uint8_t *)dst + whole * 512u, z->bounce, rest);
    }
    return code;
}
static int poet_zephyr_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    poet_zephyr_store *z = (poet_zephyr_store *)u;
    const uint32_t whole = bytes / 512u, rest = bytes % 512u;
    int code = whole > 0 ? disk_access_write(z->disk, (const uint8_t *)src, z->first + block, whole) : 0;
    if (code == 0 && rest > 0) {
        memcpy(z->bounce, (const uint8_t *)src + whole * 512u, rest);
        code = disk_access_write(z->disk, z->bounce, z->first + block + whole, 1);
    }
    return code;
}
static int poet_zephyr_store_open(poet_store *s, poet_zephyr_store *z, const char *disk, uint32_t first, uint32_t blocks)
{
    z->disk = disk;
    z->first = first;
    memset(s, 0, sizeof *s);
    s->read = poet_zephyr_read;
    s->write = poet_zephyr_write;
    s->u = z;
    s->block_bytes = 512;
    s->blocks = blocks;
    return disk_access_init(disk);
}
