/* What the tests of the store share.
 * SPDX-License-Identifier: MIT */
#include "store_fixture.h"

#include "cell.h"
#include "registry.h"
#include "results/columns.h"
#include "verify/inputs.h"

#include <math.h>

char journal[128], results[128], samples[128], history[128], archive[128], why[512];

int make_store(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    snprintf(journal, sizeof journal, "%s/.journal/test.journal", folder);
    snprintf(results, sizeof results, "%s/test.results.csv", folder);
    snprintf(samples, sizeof samples, "%s/test.samples.csv", folder);
    snprintf(history, sizeof history, "%s/test.history.csv", folder);
    snprintf(archive, sizeof archive, "%s/test.archive.csv", folder);
    return 0;
}

struct store *open_store(bool read_only)
{
    why[0] = '\0';
    struct store *store = store_open(folder, "test", read_only, why, sizeof why);
    if (!store)
        print_message("%s\n", why);
    assert_non_null(store);
    return store;
}

char *contents(const char *path, size_t *size)
{
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    static char text[1 << 20];
    *size = fread(text, 1, sizeof text - 1, in);
    text[*size] = '\0';
    fclose(in);
    return text;
}

void overwrite(const char *path, const char *text, size_t size)
{
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    fclose(out);
}

static double number(uint64_t i)
{
    return ldexp(inputs_uniform(5, 0, i), (int)(i % 40) - 30);
}

struct result make_result(int seed)
{
    struct result result = {0};
    result_clear(&result);
    result.cell = (struct cell){.entry = registry_find("matmul/seq-ijk"),
                                .precision = F64,
                                .isa = ISA_V3,
                                .opt = OPT_O2,
                                .m = 3 + seed,
                                .n = 5,
                                .k = 7,
                                .threads = 2,
                                .tile = 16,
                                .row_tile = 4,
                                .omega = 666666667,
                                .sweeps = 100};
    assert_non_null(result.cell.entry);
    snprintf(result.id, sizeof result.id, "%016x", (unsigned)seed);
    for (int p = 0; p < PROVENANCES; p++)
        snprintf(result.provenance[p], sizeof result.provenance[p], "%08x%08x", (unsigned)seed, (unsigned)p);
    strcpy(result.device, "a CPU, of some kind");
    result.generation = 1;
    result.rounds = 5;
    result.samples = 50;
    result.repeats = 3;
    result.converged = 1;
    result.bitwise = 0;
    result.flags = FLAG_NOISY | FLAG_THROTTLED;
    result.iterations = 12 + seed;
    double *const fields[] = {&result.median_s,    &result.ci_lo_s,     &result.ci_hi_s,  &result.min_s,
                              &result.upload_s,    &result.download_s,  &result.total_s,  &result.alloc_s,
                              &result.first_run_s, &result.flops,       &result.bytes,    &result.gflops,
                              &result.gbs,         &result.error,       &result.bound,    &result.norm2,
                              &result.growth,      &result.predicted_s, &result.residual, &result.radius};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = number(100 * (uint64_t)seed + i);
    result.sample_count = 3;
    result.sample = calloc(3, sizeof *result.sample);
    for (int i = 0; i < 3; i++)
        result.sample[i] = (struct sample){
            .round = i,
            .launch = i / 2,
            .index = 0,
            .repeats = 3,
            .iterations = i,
            .kernel_s = i == 2 ? NAN : number((uint64_t)i),
            .cpu_s = NAN,
            .upload_s = i == 2 ? 0.25 : NAN,
            .download_s = NAN,
            .total_s = i == 2 ? 0.5 : NAN,
            .clock_hz = 1.98e9,
            .flags = i == 1 ? FLAG_NOISY : 0,
        };
    return result;
}

void assert_same_result(const struct result *a, const struct result *b)
{
    char x[COLUMN_TEXT_SIZE], y[COLUMN_TEXT_SIZE];
    assert_non_null(a);
    assert_non_null(b);
    assert_memory_equal(&a->cell, &b->cell, sizeof a->cell);
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        columns_print(&columns_result[c], a, x);
        columns_print(&columns_result[c], b, y);
        assert_string_equal(x, y);
        if (columns_result[c].kind == COLUMN_REAL)
            assert_memory_equal((const char *)a + columns_result[c].offset, (const char *)b + columns_result[c].offset,
                                sizeof(double));
    }
}

void append(struct store *store, int seed)
{
    struct result result = make_result(seed);
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
}

void assert_has(const struct store *store, int seed, bool expected)
{
    struct result result = make_result(seed);
    const struct result *found = store_find(store, result.id);
    if (expected)
        assert_same_result(found, &result);
    else
        assert_null(found);
    result_clear(&result);
}

const char (*ids(int count))[CELL_ID_SIZE]
{
    static char id[64][CELL_ID_SIZE];
    for (int i = 0; i < count; i++)
        snprintf(id[i], sizeof id[i], "%016x", (unsigned)i);
    return (const char(*)[CELL_ID_SIZE])id;
}

bool export_cells(struct store *store, int count)
{
    bool changed;
    assert_int_equal(store_export(store, ids(count), (size_t)count, &changed), 0);
    return changed;
}
