/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Page store in a file of the host, by stdio. Include <stdio.h> before. */

typedef struct poet_file_store {
    FILE *file;
    uint32_t block_bytes;
    unsigned long long bytes_read, bytes_written;
} poet_file_store;

static int poet_file_seek(const poet_file_store *f, uint32_t block)
{
    return fseek(f->file, (long)block * (long)f->block_bytes, SEEK_SET);
}
static int poet_file_read(void *u, uint32_t block, void *dst, uint32_t bytes)
{
    poet_file_store *f = (poet_file_store *)u;
    if (poet_file_seek(f, block) != 0 || fread(dst, 1, bytes, f->file) != bytes)
        return 1;
    f->bytes_read += bytes;
    return 0;
}
static int poet_file_write(void *u, uint32_t block, const void *src, uint32_t bytes)
{
    poet_file_store *f = (poet_file_store *)u;
    if (poet_file_seek(f, block) != 0 || fwrite(src, 1, bytes, f->file) != bytes)
        return 1;
    f->bytes_written += bytes;
    return 0;
}
/* `path` is made or overwritten. Returns 0, or 1 when it cannot be opened. */
static int poet_file_store_open(poet_store *s, poet_file_store *f, const char *path, uint32_t block_bytes, uint32_t blocks)
{
    memset(f, 0, sizeof *f);
    f->file = fopen(path, "w+b");
    f->block_bytes = block_bytes;
    memset(s, 0, sizeof *s);
    s->read = poet_file_read;
    s->write = poet_file_write;
    s->u = f;
    s->block_bytes = block_bytes;
    s->blocks = blocks;
    return f->file == 0;
}
