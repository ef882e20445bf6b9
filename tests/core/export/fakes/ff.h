/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* The part of FatFs R0.14 that the page store uses, and a disk in memory: file at sector 40, cluster 2 of 8 sectors. */
#ifndef FF_FAKE_H
#define FF_FAKE_H
#include <stdint.h>
#include <string.h>
typedef unsigned int UINT;
typedef uint8_t BYTE;
typedef uint32_t DWORD;
typedef uint32_t LBA_t;
typedef uint32_t FSIZE_t;
typedef char TCHAR;
typedef enum { FR_OK = 0, FR_DENIED = 7 } FRESULT;
typedef enum { RES_OK = 0, RES_ERROR } DRESULT;
typedef struct {
    BYTE pdrv;
    uint16_t csize;
    LBA_t database;
} FATFS;
typedef struct {
    struct {
        FATFS *fs;
        DWORD sclust;
    } obj;
} FIL;
#define FA_READ 0x01
#define FA_WRITE 0x02
#define FA_CREATE_ALWAYS 0x08
FRESULT f_open(FIL *file, const TCHAR *path, BYTE mode);
FRESULT f_expand(FIL *file, FSIZE_t bytes, BYTE mode);
FRESULT f_close(FIL *file);
DRESULT disk_read(BYTE drive, BYTE *to, LBA_t sector, UINT count);
DRESULT disk_write(BYTE drive, const BYTE *from, LBA_t sector, UINT count);
#endif
