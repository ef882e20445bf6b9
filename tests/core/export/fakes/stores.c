/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* The page stores of FatFs and Zephyr on a disk in memory: pages of odd sizes come back, neighbours stay as they were, the
 * first sectors (the tables of the file system) are never written. Exit status 0: all right. Compiles as C99 and C++. */
#include "ff.h"
#include "poet_types.h"
#include "zephyr_disk_access.h"

#include "poet_store_fatfs.inl"
#include "poet_store_zephyr.inl"

#define SECTORS 128u
static uint8_t disk[SECTORS * 512u];
static uint32_t lowest = SECTORS;
static FATFS volume = {0, 8, 40};

FRESULT f_open(FIL *file, const TCHAR *path, BYTE mode)
{
    (void)path;
    (void)mode;
    file->obj.fs = &volume;
    file->obj.sclust = 0;
    return FR_OK;
}
FRESULT f_expand(FIL *file, FSIZE_t bytes, BYTE mode)
{
    (void)mode;
    file->obj.sclust = 3; /* sector 48 */
    return bytes <= (SECTORS - 48u) * 512u ? FR_OK : FR_DENIED;
}
FRESULT f_close(FIL *file)
{
    (void)file;
    return FR_OK;
}
static int reach(uint32_t sector, uint32_t count) { return count > 0 && sector + count <= SECTORS; }
DRESULT disk_read(BYTE drive, BYTE *to, LBA_t sector, UINT count)
{
    (void)drive;
    if (!reach(sector, count))
        return RES_ERROR;
    memcpy(to, disk + sector * 512u, count * 512u);
    return RES_OK;
}
DRESULT disk_write(BYTE drive, const BYTE *from, LBA_t sector, UINT count)
{
    (void)drive;
    if (!reach(sector, count))
        return RES_ERROR;
    lowest = sector < lowest ? sector : lowest;
    memcpy(disk + sector * 512u, from, count * 512u);
    return RES_OK;
}
int disk_access_init(const char *name) { return strcmp(name, "SD") == 0 ? 0 : -1; }
int disk_access_read(const char *name, uint8_t *to, uint32_t sector, uint32_t count)
{
    (void)name;
    return disk_read(0, to, sector, count) == RES_OK ? 0 : -5;
}
int disk_access_write(const char *name, const uint8_t *from, uint32_t sector, uint32_t count)
{
    (void)name;
    return disk_write(0, from, sector, count) == RES_OK ? 0 : -5;
}

/* Writes pages of several sizes behind each other, then reads all of them. */
static int round_trip(const poet_store *store)
{
    static const uint32_t sizes[] = {512, 1000, 4, 1536, 513};
    static uint8_t page[1536], back[1537];
    uint32_t k, i, block = 0;
    for (k = 0; k < 5; ++k) {
        for (i = 0; i < sizes[k]; ++i)
            page[i] = (uint8_t)(k * 50u + i);
        if (store->write(store->u, block, page, sizes[k]) != 0)
            return 1;
        block += (sizes[k] + 511u) / 512u;
    }
    for (k = 0, block = 0; k < 5; ++k) {
        back[sizes[k]] = 0xA5;
        if (store->read(store->u, block, back, sizes[k]) != 0 || back[sizes[k]] != 0xA5)
            return 2;
        for (i = 0; i < sizes[k]; ++i)
            if (back[i] != (uint8_t)(k * 50u + i))
                return 3;
        block += (sizes[k] + 511u) / 512u;
    }
    return store->read(store->u, SECTORS, back, 512) == 0 ? 4 : 0; /* behind the disk: an error, not silence */
}

int main(void)
{
    static poet_store store;
    static poet_fatfs_store file;
    static poet_zephyr_store raw;
    int code;
    if (poet_fatfs_store_open(&store, &file, "pages", 80) != 0 || store.block_bytes != 512)
        return 10;
    code = round_trip(&store);
    if (code != 0 || lowest != 48)
        return 20 + code;
    if (poet_fatfs_store_open(&store, &file, "pages", 81) == 0)
        return 30; /* no room in one piece */
    if (poet_zephyr_store_open(&store, &raw, "none", 16, 100) == 0)
        return 40;
    if (poet_zephyr_store_open(&store, &raw, "SD", 16, 100) != 0)
        return 41;
    lowest = SECTORS;
    code = round_trip(&store);
    return code != 0 || lowest != 16 ? 50 + code : 0;
}
