/* Signs: a variant on inputs with other signs gives the same results bit for bit, once the signs are undone.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "worker/glimpse.h"
#include "worker/measure.h"
#include "worker/prepared.h"
#include "verify/signs.h"
#include "test.h"

static struct outcome outcome;

static struct cell cell_of(const char *name, int64_t m, int64_t n, int64_t k)
{
    struct cell cell = {.entry = registry_find(name), .precision = F64, .m = m, .n = n, .k = k, .isa = ISA_BASE};
    assert_non_null(cell.entry);
    cell.opt = registry_axes(cell.entry) & HONOURS(opt) ? OPT_O2 : 0;
    cell.threads = registry_axes(cell.entry) & HONOURS(threads) ? 1 : 0;
    cell.omega = registry_axes(cell.entry) & HONOURS(omega) ? 1000000000 : 0;
    cell.tile = registry_axes(cell.entry) & HONOURS(tile) ? 16 : 0;
    return cell;
}

/* Opens the worker of a cell in this process. */
static void open_for(const struct cell *cell)
{
    char why[200];
    const struct backend_setup setup = backend_setup(cell);
    assert_int_equal(measure_open(&setup, false, why, sizeof why), 0);
}

/* A round runs on other signs with each sample; in this process the last output is verified, unless its bits are those
 * of the verified output. */
static void expect_same_bits(struct cell cell)
{
    const struct measure measure = {
        .rounds = 2, .launches = 1, .min_samples = 4, .ci = 1, .max_time_s = 0.01, .min_time_s = 1e-4, .seed = 3};
    open_for(&cell);
    measure_check(&cell, INPUTS_RANDOM, measure.seed, 0, &outcome);
    assert_int_equal(outcome.status, STATUS_OK);
    for (int round = 0; round < 6; round++) {
        measure_round(&cell, &measure, &(struct round_request){.round = round}, &outcome);
        assert_string_equal(outcome.reason, "");
        assert_int_equal(outcome.bitwise, 1);
        assert_false(outcome.cut);
    }
    measure_close();
}

TEST(products_keep_their_bits)
{
    expect_same_bits(cell_of("matmul/seq-ikj", 17, 33, 21));
    expect_same_bits(cell_of("aat/seq-ijk", 0, 19, 40));
    struct cell integers = cell_of("matmul/seq-ijk", 9, 9, 9);
    integers.precision = I32;
    expect_same_bits(integers);
}

/* A round of one sample, since runs take longer than a round may. */
TEST(rounds_have_signs_of_their_own)
{
    const struct measure measure = {
        .rounds = 1, .launches = 1, .min_samples = 4, .ci = 1, .max_time_s = 1e-6, .min_time_s = 1e-6, .seed = 3};
    const struct cell cell = cell_of("matmul/seq-ijk", 100, 100, 100);
    struct signs before = signs_none();
    open_for(&cell);
    measure_check(&cell, INPUTS_RANDOM, measure.seed, 0, &outcome);
    for (int round = 0; round < 4; round++) {
        measure_round(&cell, &measure, &(struct round_request){.round = round}, &outcome);
        assert_int_equal(outcome.status, STATUS_OK);
        const struct operands *operands = operands_open(backend_of(&cell)->worker, &cell, &outcome);
        assert_memory_not_equal(&operands->signs, &before, sizeof before);
        before = operands->signs;
    }
    measure_close();
}

TEST(factors_keep_their_bits)
{
    expect_same_bits(cell_of("lu/seq-naive", 0, 37, 0));
    expect_same_bits(cell_of("lu/omp-recursive-pivot", 0, 130, 0));
    const struct cell library = cell_of("lu/blas-openblas-getrf", 0, 61, 0);
    if (!backend_of(&library)->missing(&library))
        expect_same_bits(library);
}

TEST(solvers_keep_their_bits_and_their_sweeps)
{
    expect_same_bits(cell_of("jacobi/seq", 0, 24, 0));
    expect_same_bits(cell_of("seidel/seq", 0, 50, 0));
}

TEST(signs_change_each_input_and_undo_themselves)
{
    const struct cell cell = cell_of("matmul/seq-ijk", 3, 4, 5);
    const struct signs none = signs_none(), signs = {.negative = {2, 0, 3}};
    double c[12], expected[12];
    for (int i = 0; i < 12; i++)
        c[i] = expected[i] = i + 1;
    for (int i = 0; i < 12; i++)
        expected[i] *= ((i / 4 == 2) != (i % 4 == 3)) ? -1 : 1;
    for (int operand = 0; operand < 2; operand++) {
        struct signs_line line[SIGNS_LINES];
        assert_int_equal(signs_lines(&cell, operand, &none, &signs, line), 2);
        assert_int_equal(signs_lines(&cell, operand, &signs, &signs, line), 0);
        assert_int_equal(signs_lines(&cell, operand, &signs, &(struct signs){.negative = {1, 1, 1}}, line), 4);
    }
    void *const operand[] = {NULL, NULL, c};
    signs_undo(&cell, &signs, operand);
    assert_memory_equal(c, expected, sizeof c);
}

TEST(zeros_and_what_was_not_written_keep_their_bits)
{
    float element[3] = {0, -0.0f, 0}, before[3];
    memset(&element[2], 0xFF, sizeof element[2]);
    memcpy(before, element, sizeof before);
    signs_negate(element, F32, &(struct signs_line){0, 3, 1});
    assert_memory_equal(element, before, sizeof before);
}

/* A late thread is simulated by a change of the output after the glimpse. */
TEST(a_change_after_the_run_is_seen)
{
    const struct cell cell = cell_of("matmul/seq-ijk", 4, 4, 4);
    struct glimpses glimpses = {0};
    open_for(&cell);
    measure_check(&cell, INPUTS_RANDOM, 1, 0, &outcome);
    struct operands *operands = operands_open(backend_of(&cell)->worker, &cell, &outcome);
    glimpse_take(&glimpses, operands);
    assert_int_equal(glimpses.count, GLIMPSES);
    assert_int_equal(glimpse_compare(&glimpses, operands, false), GLIMPSE_SAME);
    assert_true(glimpse_unchanged(&glimpses, operands));
    double *c = operands->host[2].data;
    c[5] = -c[5];
    assert_false(glimpse_unchanged(&glimpses, operands));
    assert_int_equal(glimpse_compare(&glimpses, operands, false), GLIMPSE_OTHER);
    assert_int_equal(glimpse_compare(&glimpses, operands, true), GLIMPSE_SAME);
    memset(&c[5], 0xFF, sizeof c[5]);
    assert_int_equal(glimpse_compare(&glimpses, operands, true), GLIMPSE_OTHER);
    glimpse_free(&glimpses);
    measure_close();
}

static void expect_poison(const struct operands *operands, int operand)
{
    unsigned char element[40 * 8];
    const int64_t count = (int64_t)(operands->host[operand].size / operands_element_bytes(operands, operand));
    assert_true(operands->host[operand].size <= sizeof element);
    assert_true(operands_read(operands, operand, 0, count, element));
    for (size_t i = 0; i < operands->host[operand].size; i++)
        assert_int_equal(element[i], 0xFF);
}

/* Each sample of a device has other inputs than the one before, and an output that nobody has written. */
static void expect_fresh_samples(const struct cell *cell)
{
    struct prepared *at = prepared_get(backend_of(cell)->worker, cell, &outcome);
    assert_non_null(at);
    assert_true(prepared_fill(at, INPUTS_RANDOM, 3, &outcome));
    struct operands *operands = at->operands;
    for (int sample = 0; sample < 8; sample++) {
        double element[40];
        const struct signs before = operands->signs;
        assert_true(prepared_freshen(at, &outcome));
        assert_memory_not_equal(&operands->signs, &before, sizeof before);
        for (int i = 0; i < 2; i++) {
            assert_true(operands_read(operands, i, 0, cell->k * (i == 0 ? cell->m : cell->n), element));
            assert_memory_equal(element, operands->host[i].data, operands->host[i].size);
        }
        expect_poison(operands, 2);
    }
}

TEST(samples_of_a_device_are_fresh_and_keep_their_bits)
{
    struct cell cell = cell_of("matmul/opencl-tiled", 5, 8, 4);
    cell.isa = 0;
    cell.device_id = registry_device(BACKEND_OPENCL, 0);
    char why[200];
    const struct backend_setup setup = backend_setup(&cell);
    if (measure_open(&setup, false, why, sizeof why) != 0)
        skip_because("no device of OpenCL");
    for (int precision = 0; precision < 3; precision++) {
        cell.precision = (const int[]){F32, F64, I32}[precision];
        open_for(&cell);
        expect_fresh_samples(&cell);
        measure_close();
        expect_same_bits(cell);
    }
}
