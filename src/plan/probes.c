/* The probes that accompany an experiment: cells that measure the ceilings for its other cells.
 * SPDX-License-Identifier: MIT */
#include "probes.h"

#include "cell.h"
#include "backend/backend.h"
#include "base/memory.h"
#include "machine/host.h"

#include <stdlib.h>
#include <string.h>

/* The trip counts give runs of some milliseconds; f32 counts trips exactly up to 2^23. The sums of a thread fill whole
 * groups of twelve SIMD vectors for every precision and instruction set. */
enum { SUMS_PER_THREAD = 768, CPU_TRIPS = 1 << 18, GPU_TRIPS = 1 << 14 };
static const int64_t STREAM_LEAST_BYTES = (int64_t)64 << 20, STREAM_MOST_BYTES = (int64_t)256 << 20,
                     GPU_STREAM_BYTES = (int64_t)1 << 30;

/* Bytes of an array as they were until the arrays had to exceed every cache. */
static int64_t former_stream_bytes(const struct host *host)
{
    const int64_t wanted = 4 * host->l3_bytes;
    return wanted < STREAM_LEAST_BYTES ? STREAM_LEAST_BYTES : wanted > STREAM_MOST_BYTES ? STREAM_MOST_BYTES : wanted;
}

int64_t probes_stream_bytes(const struct host *host)
{
    const int64_t former = former_stream_bytes(host);
    const int64_t limit = host->memory_limit_bytes, all = host->memory_bytes;
    const int64_t memory = limit > 0 && limit < all ? limit : all;
    int64_t bytes = former > 2 * host->l3_bytes ? former : 2 * host->l3_bytes;
    if (memory > 0 && bytes > memory / 8)
        bytes = memory / 8 >> 20 << 20;
    return bytes > former ? bytes : former;
}

bool probes_former(const struct host *host, const struct cell *cell, struct cell *former)
{
    const int64_t element = (int64_t)cell_precision_size(cell->precision);
    const bool is_stream = cell->entry->problem->probe && registry_kind(cell->entry) == KIND_CPU &&
                           cell->n * element == probes_stream_bytes(host);
    *former = *cell;
    former->n = former_stream_bytes(host) / element;
    return is_stream && former->n != cell->n;
}

/* A grid to which probes are added behind its sorted cells. */
struct extended {
    struct grid *grid;
    size_t sorted;
    const struct entry *fma, *copy, *read; /* of the CPU */
};

/* Adds a cell that the grid does not hold yet. Probes are few, and cells may be a million. */
static void add(const struct extended *extended, struct cell cell, const struct entry *entry)
{
    struct grid *const grid = extended->grid;
    if (!entry)
        return;
    cell.entry = entry;
    if (bsearch(&cell, grid->cell, extended->sorted, sizeof cell, cell_compare))
        return;
    for (size_t i = extended->sorted; i < grid->count; i++)
        if (cell_compare(&grid->cell[i], &cell) == 0)
            return;
    grid->cell = memory_grow(grid->cell, grid->count + 1, sizeof *grid->cell);
    grid->cell[grid->count++] = cell;
}

bool probes_uses_tensor_cores(const struct cell *cell)
{
    return cell->entry->meta->tensor & BIT(cell->precision);
}

int64_t probes_precision(const struct cell *cell)
{
    const char *parts = cell->entry->meta->parts;
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; parts && i < count; i++)
        if (entry[i].problem->probe && entry[i].meta->parts && strcmp(entry[i].meta->parts, parts) == 0)
            return __builtin_ctz(entry[i].meta->precisions);
    return cell->precision;
}

static void add_cpu(const struct extended *grid, const struct cell *of)
{
    /* A serial variant runs on one thread. A library has no isa: it uses the best instruction set of the machine. */
    const int64_t threads = of->threads ? of->threads : 1;
    const int64_t isa = of->isa ? of->isa : host_get()->isa_best;
    if (threads > host_get()->cores)
        return;
    const struct cell fma = {.precision = of->precision,
                             .isa = isa,
                             .opt = OPT_O3,
                             .threads = threads,
                             .m = SUMS_PER_THREAD * threads,
                             .n = CPU_TRIPS};
    const struct cell stream = {.precision = of->precision,
                                .isa = host_get()->isa_best,
                                .opt = OPT_O3,
                                .threads = threads,
                                .n = probes_stream_bytes(host_get()) / (int64_t)cell_precision_size(of->precision)};
    add(grid, fma, grid->fma);
    add(grid, stream, grid->copy);
    add(grid, stream, grid->read);
}

/* Adds the probes of a cell's own backend: all variants of these problems, on the device of the cell. */
static void add_device(const struct extended *grid, const struct cell *of)
{
    int64_t (*const sums)(const struct cell *) = backend_of(of)->sums;
    const int64_t precision = probes_precision(of);
    const struct cell fma = {
        .precision = precision, .device_id = of->device_id, .m = sums ? sums(of) : 0, .n = GPU_TRIPS};
    const struct cell stream = {.precision = precision,
                                .device_id = of->device_id,
                                .n = GPU_STREAM_BYTES / (int64_t)cell_precision_size(precision)};
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        if (entry[i].backend != of->entry->backend || (entry[i].meta->tensor && !probes_uses_tensor_cores(of)))
            continue;
        const char *problem = entry[i].problem->name;
        if (strcmp(problem, "fma") == 0)
            add(grid, fma, &entry[i]);
        else if (strcmp(problem, "copy") == 0 || strcmp(problem, "read") == 0)
            add(grid, stream, &entry[i]);
    }
}

void probes_append(struct grid *grid)
{
    const struct extended extended = {grid, grid->count, registry_find("fma/omp"), registry_find("copy/omp"),
                                      registry_find("read/omp")};
    /* Neighbours in a grid mostly ask for the same probes, so compare with the last cell first. */
    struct cell last = {0};
    for (size_t i = 0; i < extended.sorted; i++) {
        const struct cell of = grid->cell[i];
        if (of.entry->problem->hidden || of.entry->problem->probe ||
            (last.entry && last.entry->backend == of.entry->backend &&
             probes_precision(&last) == probes_precision(&of) &&
             probes_uses_tensor_cores(&last) == probes_uses_tensor_cores(&of) && last.threads == of.threads &&
             last.isa == of.isa && last.device_id == of.device_id))
            continue;
        last = of;
        if (registry_kind(of.entry) == KIND_CPU)
            add_cpu(&extended, &of);
        else
            add_device(&extended, &of);
    }
}
