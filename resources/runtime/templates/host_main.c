/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* step FOLDER --output OUT [--steps N] [--learning-rate R] [--store FILE] [--raw]
 * Reads inputs and targets by FOLDER/manifest.json, runs training steps, writes OUT/manifest.json and OUT/data.bin:
 * --raw also writes OUT/inputs.bin and OUT/raw.bin (losses, gradient memory, parameter memory) for emulated targets. Kinds:
 * loss, output, param_grad of the last step, losses (one a step, before its update). Exit 1 on any fault. */
#include "@name@.h"
#include "@name@_names.h"
#include "host_memory.h"
#include "poet_json.h"

#include <sys/stat.h>

#include "poet_store_file.inl"
#include "poet_store_ram.inl"

static @name@_state state;
static void *outputs[@NAME@_N_OUTPUTS + 1];
static void *inputs[@NAME@_N_INPUTS + 1];

static int stop(const char *what, const char *which)
{
    fprintf(stderr, "step: %s %s\n", what, which);
    return 1;
}

static char *read_all(const char *folder, const char *name, size_t *size)
{
    char path[4096];
    FILE *f;
    char *text;
    long n;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "rb");
    if (f == 0)
        return 0;
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    text = (char *)take((size_t)n + 1);
    *size = fread(text, 1, (size_t)n, f);
    fclose(f);
    return text;
}

#ifndef @NAME@_REGIONS
#define @name@_at(s, offset) ((s)->base[POET_REF_TENSOR] + (offset))
#endif

/* Copies the outputs when their node has run. */
static void watch(void *user, const poet_instr *i, uint32_t index)
{
    int k;
    (void)user;
    (void)index;
    if (i->op != POET_COMPUTE)
        return;
    for (k = 0; k < @NAME@_N_OUTPUTS; ++k)
        if (output_table[k].node == i->id)
            memcpy(outputs[k], @name@_at(&state, i->arg), output_table[k].bytes);
}

/* Finds the tensors of the manifest: by name, else the first of the kind. */
static int load_inputs(const char *folder)
{
    size_t text_size = 0, data_size = 0;
    char *text = read_all(folder, "manifest.json", &text_size), *data = read_all(folder, "data.bin", &data_size);
    poet_json_tensor t;
    const char *at;
    int k;
    if (text == 0 || data == 0)
        return stop("cannot read manifest.json and data.bin in", folder);
    for (k = 0; k < (int)@NAME@_N_INPUTS; ++k) {
        const char *kind = strcmp(input_table[k].name, "target") == 0 || strncmp(input_table[k].name, "target of ", 10) == 0 ? "target" : "input";
        size_t found = 0, size = 0;
        int quality = 0;
        inputs[k] = take(input_table[k].bytes);
        for (at = poet_json_first(text); at != 0 && (at = poet_json_next(at, &t)) != 0;) {
            const int q = strcmp(t.kind, kind) != 0 ? 0 : strcmp(t.name, input_table[k].name) == 0 ? 2 : 1;
            if (q > quality) {
                quality = q;
                found = t.offset;
                size = t.bytes;
            }
        }
        if (quality == 0 || size != input_table[k].bytes || found + size > data_size)
            return stop("no fitting tensor in the manifest for", input_table[k].name);
        memcpy(inputs[k], data + found, size);
    }
    return 0;
}

static FILE *manifest, *blob;
static unsigned long long written;

static void put(const char *kind, const char *name, const char *shape, const void *data, size_t bytes)
{
    const char *c;
    fprintf(manifest, "%s\n    {\"kind\": \"%s\", \"name\": \"", written == 0 ? "" : ",", kind);
    for (c = name; *c != 0; ++c) {
        if (*c == '"' || *c == '\\')
            fputc('\\', manifest);
        fputc(*c, manifest);
    }
    fprintf(manifest, "\", \"dtype\": \"float32\", \"shape\": [%s], \"offset\": %llu, \"nbytes\": %lu}", shape, written, (unsigned long)bytes);
    fwrite(data, 1, bytes, blob);
    written += bytes;
}

static int write_results(const char *folder, const float *losses, int steps)
{
    char path[4096], count[16];
    int k;
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    manifest = fopen(path, "wb");
    snprintf(path, sizeof path, "%s/data.bin", folder);
    blob = fopen(path, "wb");
    if (manifest == 0 || blob == 0)
        return stop("cannot write to", folder);
    fprintf(manifest, "{\"byte_order\": \"little\", \"layout\": \"row-major (C)\", \"tensors\": [");
    put("loss", "loss", "", &losses[steps - 1], 4);
    snprintf(count, sizeof count, "%d", steps);
    put("losses", "losses", count, losses, 4u * (size_t)steps);
    for (k = 0; k < @NAME@_N_OUTPUTS; ++k)
        put("output", output_table[k].name, output_table[k].shape, outputs[k], output_table[k].bytes);
    for (k = 0; k < @NAME@_N_TRAINED; ++k)
        put("param_grad", trained_table[k].name, trained_table[k].shape, state.base[POET_REF_GRAD] + trained_table[k].gradient, trained_table[k].bytes);
    fprintf(manifest, "\n]}\n");
    return fclose(manifest) != 0 || fclose(blob) != 0 ? stop("cannot write to", folder) : 0;
}

static int write_raw(const char *folder, const float *losses, int steps, const void *params)
{
    char path[4096];
    FILE *f;
    int k;
    snprintf(path, sizeof path, "%s/inputs.bin", folder);
    f = fopen(path, "wb");
    if (f == 0)
        return stop("cannot write", path);
    for (k = 0; k < (int)@NAME@_N_INPUTS; ++k)
        fwrite(inputs[k], 1, input_table[k].bytes, f);
    fclose(f);
    snprintf(path, sizeof path, "%s/raw.bin", folder);
    f = fopen(path, "wb");
    if (f == 0)
        return stop("cannot write", path);
    fwrite(losses, 4, (size_t)steps, f);
    fwrite(state.base[POET_REF_GRAD], 1, @NAME@_ALL_GRAD_BYTES, f);
    fwrite(params, 1, @NAME@_PARAM_BYTES, f);
    return fclose(f) != 0 ? stop("cannot write", path) : 0;
}

static int load_weights(void *params)
{
    FILE *f = fopen(POET_WEIGHTS, "rb");
    const size_t n = f == 0 ? 0 : fread(params, 1, @NAME@_PARAM_BYTES, f);
    if (f != 0)
        fclose(f);
    return n == @NAME@_PARAM_BYTES ? 0 : stop("cannot read the weights in", POET_WEIGHTS);
}

/* Counters of a step must equal what the header predicts. */
static int check_counters(void)
{
    if (state.counters.bytes[POET_PAGE_OUT] != @NAME@_PRED_OUT_BYTES || state.counters.bytes[POET_PAGE_IN] + state.counters.bytes[POET_PREFETCH] != @NAME@_PRED_IN_BYTES)
        return stop("bytes moved differ from the prediction of", "@name@");
    return state.counters.high_water > @NAME@_ARENA_BYTES ? stop("the arena was left by", "@name@") : 0;
}

int main(int argc, char **argv)
{
    const char *folder = 0, *output = 0, *store_path = 0;
    poet_store store;
    poet_ram_store ram;
    poet_file_store file;
    float rate = 0.0f, *losses;
    int steps = 1, i, raw = 0;
    void *params = take(@NAME@_PARAM_BYTES + 8);
    for (i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--output") == 0 && i + 1 < argc)
            output = argv[++i];
        else if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
            steps = atoi(argv[++i]);
        else if (strcmp(argv[i], "--learning-rate") == 0 && i + 1 < argc)
            rate = (float)atof(argv[++i]);
        else if (strcmp(argv[i], "--store") == 0 && i + 1 < argc)
            store_path = argv[++i];
        else if (strcmp(argv[i], "--raw") == 0)
            raw = 1;
        else if (folder == 0 && argv[i][0] != '-')
            folder = argv[i];
        else
            return stop("cannot understand", argv[i]) + 1;
    }
    if (folder == 0 || output == 0 || steps < 1)
        return stop("usage: step FOLDER --output OUT [--steps N] [--learning-rate R] [--store FILE]", "") + 1;
    if (load_inputs(folder) != 0 || load_weights(params) != 0)
        return 2;
    for (i = 0; i < @NAME@_N_OUTPUTS; ++i)
        outputs[i] = take(output_table[i].bytes);
    if (store_path != 0) {
        if (poet_file_store_open(&store, &file, store_path, @NAME@_PAGE_BLOCK, @NAME@_STORE_BLOCKS) != 0)
            return stop("cannot make", store_path) + 1;
    } else {
        poet_ram_store_open(&store, &ram, take((size_t)@NAME@_STORE_BLOCKS * @NAME@_PAGE_BLOCK), @NAME@_PAGE_BLOCK, @NAME@_STORE_BLOCKS);
    }
    if (open_arena(&state, &store, params) != POET_OK)
        return stop("the schedule cannot be opened:", "@name@");
    @name@_train(&state, take(@NAME@_ALL_GRAD_BYTES), 0, take(@NAME@_OPT_BYTES), rate);
    @name@_observe(&state, watch, 0);
    losses = (float *)take(4u * (size_t)steps);
    for (i = 0; i < steps; ++i)
        if (@name@_step_n(&state, (const void *const *)inputs, &losses[i]) != POET_OK) {
            const poet_fault *f = @name@_fault(&state);
            fprintf(stderr, "step: fault %d at instruction %lu, id %u, detail %d\n", f->code, (unsigned long)f->instr, f->id, f->detail);
            return 1;
        } else if (check_counters() != 0) {
            return 1;
        }
    if (write_results(output, losses, steps) != 0)
        return 1;
    return raw ? write_raw(output, losses, steps, params) : 0;
}
