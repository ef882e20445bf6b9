/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Reads the list "tensors" of a manifest.json; just enough JSON for that. */
#ifndef POET_JSON_H
#define POET_JSON_H
#include <stdlib.h>
#include <string.h>

typedef struct poet_json_tensor {
    char kind[32], name[256];
    size_t offset, bytes;
} poet_json_tensor;

static const char *poet_json_space(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r' || *at == ',' || *at == ':')
        ++at;
    return at;
}

/* Behind a string; `to` gets its content when it fits. */
static const char *poet_json_string(const char *at, char *to, size_t size)
{
    size_t n = 0;
    for (++at; *at != 0 && *at != '"'; ++at) {
        if (*at == '\\' && at[1] != 0)
            ++at;
        if (n + 1 < size)
            to[n++] = *at;
    }
    if (size > 0)
        to[n] = 0;
    return *at == '"' ? at + 1 : at;
}

/* Behind any value. */
static const char *poet_json_skip(const char *at)
{
    int depth = 0;
    do {
        at = poet_json_space(at);
        if (*at == '"') {
            at = poet_json_string(at, 0, 0);
        } else if (*at == '{' || *at == '[') {
            ++depth;
            ++at;
        } else if (*at == '}' || *at == ']') {
            --depth;
            ++at;
        } else {
            while (*at != 0 && strchr(",:{}[]\" \n\t\r", *at) == 0)
                ++at;
        }
    } while (*at != 0 && depth > 0);
    return at;
}

/* Start of the list, or null. */
static const char *poet_json_first(const char *text)
{
    char key[64];
    const char *at = poet_json_space(text);
    if (*at != '{')
        return 0;
    for (at = poet_json_space(at + 1); *at == '"'; at = poet_json_space(poet_json_skip(at))) {
        at = poet_json_space(poet_json_string(at, key, sizeof key));
        if (strcmp(key, "tensors") == 0 && *at == '[')
            return at + 1;
    }
    return 0;
}

/* Reads one entry; null at the end of the list. */
static const char *poet_json_next(const char *at, poet_json_tensor *t)
{
    char key[64];
    memset(t, 0, sizeof *t);
    at = poet_json_space(at);
    if (*at != '{')
        return 0;
    for (at = poet_json_space(at + 1); *at == '"'; at = poet_json_space(at)) {
        at = poet_json_space(poet_json_string(at, key, sizeof key));
        if (strcmp(key, "kind") == 0 && *at == '"')
            at = poet_json_string(at, t->kind, sizeof t->kind);
        else if (strcmp(key, "name") == 0 && *at == '"')
            at = poet_json_string(at, t->name, sizeof t->name);
        else {
            if (strcmp(key, "offset") == 0)
                t->offset = (size_t)strtoull(at, 0, 10);
            if (strcmp(key, "nbytes") == 0)
                t->bytes = (size_t)strtoull(at, 0, 10);
            at = poet_json_skip(at);
        }
    }
    return *at == '}' ? at + 1 : 0;
}
#endif
