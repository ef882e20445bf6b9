/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Page store in a file of FatFs that was allocated in one piece beforehand (f_expand): its sectors are written raw, so
 * a page-out never touches the table. Include ff.h and diskio.h before. Block size: 512. */

typedef struct poet_fatfs_store {
    BYTE drive;
    LBA_t first;                 /* first sector of the file */
    uint8_t bounce[512];         /* the last sector of a transfer may be partial */
} poet_fatfs_store;

static int poet_fatfs_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    poet_fatfs_store *f = (poet_fatfs_store *)u;
    const uint32_t whole = bytes / 512u, rest = bytes % 512u;
    if (whole > 0 && disk_read(f->drive, (BYTE *)dst, f->first + block, whole) != RES_OK)
        return 1;
    if (rest > 0) {
        if (disk_read(f->drive, f->bounce, f->first + block + whole, 1) != RES_OK)
            return 1;
        memcpy((uint8_t *)dst + whole * 512u, f->bounce, rest);
    }
    return 0;
}
static int poet_fatfs_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    poet_fatfs_store *f = (poet_fatfs_store *)u;
    const uint32_t whole = bytes / 512u, rest = bytes % 512u;
    if (whole > 0 && disk_write(f->drive, (const BYTE *)src, f->first + block, whole) != RES_OK)
        return 1;
    if (rest > 0) {
        memcpy(f->bounce, (const uint8_t *)src + whole * 512u, rest);
        return disk_write(f->drive, f->bounce, f->first + block + whole, 1) != RES_OK;
    }
    return 0;
}
/* Makes the file and finds its first sector. Returns 0, or the FRESULT. */
static int poet_fatfs_store_open(poet_store *s, poet_fatfs_store *f, const char *path, uint32_t blocks)
{
    FIL file;
    FRESULT code = f_open(&file, path, FA_CREATE_ALWAYS | FA_READ | FA_WRITE);
    if (code == FR_OK)
        code = f_expand(&file, (FSIZE_t)blocks * 512u, 1);
    if (code != FR_OK)
        return (int)code;
    f->drive = file.obj.fs->pdrv;
    f->first = file.obj.fs->database + (LBA_t)file.obj.fs->csize * (file.obj.sclust - 2u);
    code = f_close(&file);
    memset(s, 0, sizeof *s);
    s->read = poet_fatfs_read;
    s->write = poet_fatfs_write;
    s->u = f;
    s->block_bytes = 512;
    s->blocks = blocks;
    return (int)code;
}
