/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* The part of Zephyr's <zephyr/storage/disk_access.h> that the page store uses. */
#ifndef ZEPHYR_DISK_FAKE_H
#define ZEPHYR_DISK_FAKE_H
#include <stdint.h>
int disk_access_init(const char *disk);
int disk_access_read(const char *disk, uint8_t *to, uint32_t sector, uint32_t count);
int disk_access_write(const char *disk, const uint8_t *from, uint32_t sector, uint32_t count);
#endif
