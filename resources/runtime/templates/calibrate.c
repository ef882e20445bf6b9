/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* calibrate [--steps N] [--store FILE]
 * Measures every operation of the model, and the page store in FILE, by the clock of this host, and prints rows for
 * `poet device calibrate`. Inputs are zeros; joules are left empty: active power x seconds counts then. */
#include "@name@.h"
#include "@name@_rows.h"
#include "host_memory.h"

#include <time.h>

#include "poet_store_file.inl"
#include "poet_store_ram.inl"

static @name@_state state;
static double total[@NAME@_N_NODES], squares[@NAME@_N_NODES];
static unsigned count[@NAME@_N_NODES];
static double before;

extern const poet_tensor @name@_tensors[];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double root(double x)
{
    double r = x > 1.0 ? x : 1.0;
    int i;
    for (i = 0; i < 200 && x > 0.0; ++i)
        r = 0.5 * (r + x / r);
    return x > 0.0 ? r : 0.0;
}

static void watch(void *user, const poet_instr *i, uint32_t index)
{
    const double seconds = now() - before;
    (void)user;
    (void)index;
    if (i->op == POET_COMPUTE) {
        total[i->id] += seconds;
        squares[i->id] += seconds * seconds;
        ++count[i->id];
    }
    before = now();
}

static void print_row(const char *op, const char *type, const char *shape, double sum, double square, unsigned n)
{
    const double mean = sum / n, variance = square / n - mean * mean;
    printf("%s,%s,%s,%.9g,,,%u,%.3g,\n", op, type, shape, mean, n, root(variance));
}

static int measure_store(const char *path)
{
    static const uint32_t sizes[] = {4096, 16384, 65536, 262144};
    poet_store store;
    poet_file_store file;
    uint8_t *data = (uint8_t *)take(262144);
    int k, i, way;
    if (poet_file_store_open(&store, &file, path, 512, 512) != 0) {
        fprintf(stderr, "calibrate: cannot make %s\n", path);
        return 1;
    }
    for (k = 0; k < 4; ++k)
        for (way = 0; way < 2; ++way) {
            double sum = 0.0, square = 0.0;
            char shape[32];
            for (i = 0; i < 50; ++i) {
                const double begin = now();
                double seconds;
                if ((way == 0 ? store.write(store.u, 0, data, sizes[k]) : store.read(store.u, 0, data, sizes[k])) != 0)
                    return 1;
                fflush(file.file);
                seconds = now() - begin;
                sum += seconds;
                square += seconds * seconds;
            }
            snprintf(shape, sizeof shape, "bytes=%lu", (unsigned long)sizes[k]);
            print_row(way == 0 ? "store.write" : "store.read", "-", shape, sum, square, 50);
        }
    fclose(file.file);
    return 0;
}

int main(int argc, char **argv)
{
    const void *inputs[@NAME@_N_INPUTS + 1];
    const char *store_path = 0;
    poet_store store;
    poet_ram_store ram;
    void *params = take(@NAME@_PARAM_BYTES + 8);
    FILE *weights = fopen(POET_WEIGHTS, "rb");
    int steps = 10, i;
    uint32_t t;
    for (i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--steps") == 0)
            steps = atoi(argv[i + 1]);
        if (strcmp(argv[i], "--store") == 0)
            store_path = argv[i + 1];
    }
    if (weights == 0 || fread(params, 1, @NAME@_PARAM_BYTES, weights) != @NAME@_PARAM_BYTES) {
        fprintf(stderr, "calibrate: cannot read %s\n", POET_WEIGHTS);
        return 2;
    }
    fclose(weights);
    for (t = 0; t < @NAME@_N_TENSORS; ++t)
        if (@name@_tensors[t].input != 0xFFFFu)
            inputs[@name@_tensors[t].input] = take(@name@_tensors[t].bytes);
    poet_ram_store_open(&store, &ram, take((size_t)@NAME@_STORE_BLOCKS * @NAME@_PAGE_BLOCK), @NAME@_PAGE_BLOCK, @NAME@_STORE_BLOCKS);
    if (open_arena(&state, &store, params) != POET_OK)
        return 1;
    @name@_train(&state, take(@NAME@_ALL_GRAD_BYTES), 0, take(@NAME@_OPT_BYTES), 0.0f);
    @name@_observe(&state, watch, 0);
    printf("# instrument: clock of the host\n# library: POET reference kernels\nop,type,shape,seconds,joules,cycles,count,seconds_sd,joules_sd\n");
    for (i = 0; i < steps; ++i) {
        float loss;
        before = now();
        if (@name@_step_n(&state, inputs, &loss) != POET_OK) {
            fprintf(stderr, "calibrate: fault %d\n", @name@_fault(&state)->code);
            return 1;
        }
    }
    for (t = 0; t < @NAME@_N_NODES; ++t)
        if (count[t] > 0)
            print_row(row_table[t].op, "f32", row_table[t].shape, total[t], squares[t], count[t]);
    return store_path != 0 ? measure_store(store_path) : 0;
}
