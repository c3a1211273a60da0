/* Operands that a variant changes in place: every run finds them fresh, on the host and on a device. A shape has its
 * operands once.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "backend/backend.h"
#include "worker/operands.h"
#include "test.h"

#include <math.h>
#include <sys/mman.h>

enum { N = 12, BYTES = N * N * sizeof(double), RUNS = 7 };

/* A device whose memory is host memory. It counts the copies within it. */
static int copies, failing_copy;
static bool out_of_memory;

static void *allocate(size_t bytes)
{
    return out_of_memory ? NULL : malloc(bytes);
}

static int move(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return 0;
}

static int download(void *to, const void *from, size_t first, size_t bytes)
{
    return move(to, (const char *)from + first, bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
    return ++copies == failing_copy ? -1 : move(to, from, bytes);
}

static int poison(void *memory, size_t bytes)
{
    memset(memory, 0xFF, bytes);
    return 0;
}

/* A device whose cache is smaller than its memory. `written` counts the bytes that poison() was told to fill. */
static size_t written;

static int poison_counted(void *memory, size_t bytes)
{
    written += bytes;
    return poison(memory, bytes);
}

static int64_t cache_bytes(void)
{
    return 1000;
}

/* Pinned operands lie in writable memory while they are pinned; failing_pin is the number of the call that fails. */
static int pins, failing_pin;

static int pin(void *host, size_t bytes, bool pinned)
{
    if (pinned && failing_pin && pins + 1 >= failing_pin)
        return -1;
    pins += pinned ? 1 : -1;
    if (pinned)
        memset(host, *(const unsigned char *)host, bytes > 0);
    return 0;
}

static const struct backend_worker device = {
    .allocate = allocate, .release = free, .upload = move, .download = download, .poison = poison, .copy = copy};
static const struct backend_worker cached = {.allocate = allocate,
                                             .release = free,
                                             .upload = move,
                                             .download = download,
                                             .poison = poison_counted,
                                             .copy = copy,
                                             .pin = pin,
                                             .cache_bytes = cache_bytes};

static struct operands *open_filled(const struct backend_worker *backend, int64_t n)
{
    static struct outcome outcome;
    const struct cell cell = {
        .precision = F64, .isa = ISA_BASE, .opt = OPT_O3, .n = n, .entry = registry_find("lu/seq-naive")};
    struct operands *operands = operands_open(backend, &cell, &outcome);
    assert_non_null(operands);
    assert_true(operands_fill(operands, INPUTS_RANDOM, 1, &outcome));
    assert_true(operands_poison(operands, &outcome));
    return operands;
}

static const double *original;
static double *seen[RUNS];
static int runs;

/* A run that changes its operand in place, as a factorisation does. The operand must be fresh. */
static int change(struct job *job)
{
    assert_memory_equal(job->operand[0], original, BYTES);
    seen[runs++] = job->operand[0];
    memset(job->operand[0], runs, BYTES);
    return runs == 2 && job->state ? -1 : 0;
}

static void check_runs(const struct backend_worker *backend)
{
    struct outcome outcome;
    struct operands *operands = open_filled(backend, N);
    struct repeats repeats;
    struct job job = {0};
    double *const own = operands->device[0] ? operands->device[0] : operands->host[0].data;
    original = operands->pristine[0].data;
    job.operand[0] = own;
    for (int count = 1; count <= RUNS; count += 2) {
        assert_true(operands_restore(operands, count, &repeats, &outcome));
        runs = 0;
        assert_int_equal(repeats_run(&repeats, change, &job), 0);
        assert_int_equal(runs, count);
        assert_ptr_equal(seen[count - 1], own); /* the operand that will be verified */
        assert_ptr_equal(job.operand[0], own);
        for (int i = 0; i < count; i++)
            assert_int_equal((uintptr_t)seen[i] % (operands->device[0] ? 16 : 64), 0);
        assert_true(operands_download(operands, &outcome));
        assert_int_equal(((unsigned char *)operands->host[0].data)[BYTES - 1], count);
        assert_true(operands_intact(operands, &outcome));
    }
    job.state = &runs; /* the second run fails */
    assert_true(operands_restore(operands, RUNS, &repeats, &outcome));
    runs = 0;
    assert_int_equal(repeats_run(&repeats, change, &job), -1);
    assert_int_equal(runs, 2);
    assert_ptr_equal(job.operand[0], own);
    operands_close_all();
}

TEST(every_run_on_the_host_finds_fresh_operands)
{
    check_runs(backend_cpu.worker);
}

TEST(every_run_on_a_device_finds_fresh_operands)
{
    copies = 0;
    check_runs(&device);
    assert_int_equal(copies, 1 + 3 + 4 + 5 + 5); /* each copy doubles what is there */
}

TEST(a_copy_that_fails_on_the_device_is_told)
{
    struct outcome outcome;
    struct repeats repeats;
    struct operands *operands = open_filled(&device, N);
    for (int which = 1; which <= 4; which++) {
        copies = 0;
        failing_copy = which;
        outcome = (struct outcome){0};
        assert_false(operands_restore(operands, 4, &repeats, &outcome));
        assert_int_equal(outcome.status, STATUS_FAILED);
        assert_string_equal(outcome.reason, "copying operand A on the device failed");
    }
    failing_copy = 0;
    operands_close_all();
}

TEST(an_upload_makes_a_device_operand_fresh)
{
    struct outcome outcome;
    struct operands *operands = open_filled(&device, N);
    memset(operands->device[0], 0, BYTES);
    assert_true(operands_upload(operands, &outcome));
    assert_memory_equal(operands->device[0], operands->pristine[0].data, BYTES);
    operands_close_all();
}

TEST(copies_are_limited_by_their_memory)
{
    assert_int_equal(operands_repeats_most(open_filled(backend_cpu.worker, 1)), 1 + (64 << 20) / 256);
    assert_int_equal(operands_repeats_most(open_filled(backend_cpu.worker, 1024)), 1 + 8);
    assert_int_equal(operands_repeats_most(open_filled(backend_cpu.worker, 3000)), 1);
    operands_close_all();

    struct outcome outcome;
    struct repeats repeats;
    struct operands *operands = open_filled(&device, N);
    out_of_memory = true;
    assert_true(operands_restore(operands, 1, &repeats, &outcome));
    assert_false(operands_restore(operands, 2, &repeats, &outcome));
    out_of_memory = false;
    assert_int_equal(outcome.status, STATUS_MEMORY);
    assert_string_equal(outcome.reason, "no memory for 1 fresh copies of operand A");
    operands_close_all();
}

TEST(contracts_and_storage_orders_have_operands_of_their_own)
{
    struct outcome outcome;
    const struct entry *plain = registry_find("lu/seq-naive");
    struct variant variant = *plain->meta;
    struct entry other = *plain;
    struct cell cell = {.precision = F64, .n = N, .entry = &other};
    struct operands *operands = open_filled(backend_cpu.worker, N);
    other.meta = &variant;
    assert_ptr_equal(operands_open(backend_cpu.worker, &cell, &outcome), operands);
    variant.pivoting = PIVOTING_PARTIAL;
    assert_ptr_not_equal(operands_open(backend_cpu.worker, &cell, &outcome), operands);
    variant.pivoting = PIVOTING_NONE;
    variant.column_major = true;
    assert_ptr_not_equal(operands_open(backend_cpu.worker, &cell, &outcome), operands);
    operands_close_all();
}

/* A matrix of gigabytes lies in memory once for all omega and sweeps. */
TEST(cells_of_one_system_share_their_operands)
{
    struct outcome outcome;
    const struct cell one = {.precision = F64,
                             .isa = ISA_BASE,
                             .opt = OPT_O3,
                             .n = N,
                             .omega = DECIMAL_ONE,
                             .entry = registry_find("jacobi/seq")};
    struct cell other = one;
    other.omega = DECIMAL_ONE / 2;
    other.sweeps = 7;
    assert_ptr_equal(operands_open(backend_cpu.worker, &one, &outcome),
                     operands_open(backend_cpu.worker, &other, &outcome));
    other.entry = registry_find("seidel/seq");
    assert_ptr_not_equal(operands_open(backend_cpu.worker, &one, &outcome),
                         operands_open(backend_cpu.worker, &other, &outcome));
    operands_close_all();
}

/* The system cannot protect memory that is not there, as it cannot divide its mappings without end. */
TEST(a_protection_that_fails_is_told)
{
    struct outcome outcome = {0};
    struct operands *operands = open_filled(backend_cpu.worker, N);
    munmap(operands->pristine[0].base, operands->pristine[0].mapped);
    assert_false(operands_fill(operands, INPUTS_EXACT, 1, &outcome));
    assert_int_equal(outcome.status, STATUS_MEMORY);
    assert_string_equal(outcome.reason, "operand A cannot be made writable: Cannot allocate memory");
    operands_close_all();
}

TEST(too_many_shapes_are_a_lack_of_room)
{
    enum { MORE_THAN_FIT = 100 };
    struct outcome outcome = {0};
    struct cell cell = {.precision = F64, .isa = ISA_BASE, .opt = OPT_O3, .entry = registry_find("lu/seq-naive")};
    int opened = 0;
    for (cell.n = 1; cell.n <= MORE_THAN_FIT && operands_open(backend_cpu.worker, &cell, &outcome); cell.n++)
        opened++;
    assert_in_range(opened, 1, MORE_THAN_FIT - 1);
    assert_int_equal(outcome.status, STATUS_MEMORY);
    operands_close_all();
    assert_non_null(operands_open(backend_cpu.worker, &cell, &outcome));
    operands_close_all();
}

TEST(pivots_are_integers_of_four_bytes)
{
    const struct cell cell = {.precision = F64, .n = 10, .entry = registry_find("lu/seq-naive")};
    assert_int_equal(cell_operand_bytes(&cell, 0), 10 * 10 * 8);
    assert_int_equal(cell_operand_bytes(&cell, 1), 10 * 4);
    assert_int_equal(cell_bytes(&cell), 2 * 10 * 10 * 8 + 10 * 4); /* A and its pristine copy */
}

TEST(a_device_writes_twice_its_cache_to_evict_operands)
{
    struct outcome outcome;
    struct operands *operands = open_filled(&cached, N);
    unsigned char *const before = malloc(BYTES);
    assert_non_null(memcpy(before, operands->device[0], BYTES));
    written = 0;
    for (int i = 1; i <= 3; i++) {
        assert_true(operands_evict(operands, &outcome));
        assert_int_equal(written, i * 2 * cache_bytes());
        assert_int_equal(operands->evictions, i);
    }
    assert_memory_equal(operands->device[0], before, BYTES); /* the operands keep their values */
    free(before);
    operands_close_all();
    out_of_memory = false;
    operands = open_filled(&cached, N);
    out_of_memory = true;
    assert_false(operands_evict(operands, &outcome));
    out_of_memory = false;
    assert_int_equal(outcome.status, STATUS_MEMORY);
    operands_close_all();
}

TEST(operands_on_the_host_are_flushed_and_keep_their_values)
{
    struct outcome outcome;
    struct operands *operands =
        open_filled(backend_cpu.worker, 700); /* several pieces, and inputs that are read-only */
    const uint64_t digest = guarded_digest(operands->pristine[0].data, operands->pristine[0].size);
    struct repeats once;
    assert_true(operands_restore(operands, 1, &once, &outcome));
    assert_true(operands_evict(operands, &outcome) && operands_evict(operands, &outcome));
    assert_int_equal(operands->evictions, 2);
    assert_true(guarded_digest(operands->host[0].data, operands->host[0].size) == digest);
    assert_true(operands_intact(operands, &outcome));
    operands_close_all();
}

/* One term too many of a sum must change the sum, in each precision. */
TEST(a_read_outside_an_operand_spoils_a_sum)
{
    enum { COUNT = 11 };
    struct guarded guarded;
    assert_int_equal(guarded_allocate(&guarded, COUNT * sizeof(float)), 0);
    const float *f32 = guarded.data;
    const double *f64 = guarded.data;
    const uint32_t *i32 = guarded.data;
    for (int i = -5; i < COUNT + 5; i++)
        assert_true(isnan(f32[i]) && i32[i] % 2 == 1); /* also where generate() fills nothing */
    for (int i = -5; i < 0; i++)
        assert_true(isnan(f64[i]) && isnan(f64[i + 11]));
    ((char *)guarded.data)[COUNT * sizeof(float)] = 0;
    assert_false(guarded_intact(&guarded));
    assert_true(isnan(f32[COUNT]) && guarded_intact(&guarded));
    guarded_free(&guarded);
}

TEST(operands_are_pinned_while_they_can_be_written_and_read_only_afterwards)
{
    struct outcome outcome = {0};
    struct operands *operands = open_filled(&cached, N);
    const int all = 3; /* A and P of a factorisation, and the pristine copies of A */
    pins = 0;
    assert_true(operands_pin(operands, true, &outcome) && operands->pinned);
    assert_int_equal(pins, operands->pristine[1].data ? all + 1 : all);
    assert_true(operands_pin(operands, true, &outcome)); /* once is enough */
    assert_int_equal(pins, operands->pristine[1].data ? all + 1 : all);
    assert_true(operands_pin(operands, false, &outcome) && !operands->pinned);
    assert_int_equal(pins, 0);
    assert_true(operands_pin(operands, true, &outcome));
    operands_close_all();
    assert_int_equal(pins, 0); /* nothing stays pinned */
    operands = open_filled(&cached, N);
    for (failing_pin = 1; failing_pin <= all; failing_pin++) {
        assert_false(operands_pin(operands, true, &outcome));
        assert_int_equal(outcome.status, STATUS_FAILED);
        assert_non_null(strstr(outcome.reason, "the driver cannot pin operand "));
        assert_int_equal(pins, 0);
        assert_false(operands->pinned);
    }
    failing_pin = 0;
    operands_close_all();
}
