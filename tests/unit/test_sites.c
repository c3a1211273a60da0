/* Checks the memory accesses that CUDA variants describe. Addresses are aligned and within bounds, and every element is
 * loaded and stored as often as the algorithm demands. With the argument `list` the program prints the sites as lines,
 * for tests/sass.sh.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "counters/banks.h"
#include "test.h"

static int64_t steps_of(const struct access *site, const struct cell *cell)
{
    return site->steps ? site->steps(cell) : 1;
}

/* Calls `visit` for every access of a site in a launch, with the thread and the first byte. */
static void each_access(const struct access *site, const struct cell *cell,
                        void (*visit)(const struct access *site, const struct execution *at, int64_t offset,
                                      void *context),
                        void *context)
{
    const struct geometry geometry = cell->entry->meta->accesses->geometry(cell);
    struct execution at = {.cell = cell};
    for (at.block_y = 0; at.block_y < geometry.blocks_y; at.block_y++)
        for (at.block_x = 0; at.block_x < geometry.blocks_x; at.block_x++)
            for (at.pass = 0; at.pass < (site->once ? 1 : geometry.passes); at.pass++)
                for (at.step = 0; at.step < steps_of(site, cell); at.step++)
                    for (int y = 0; y < geometry.threads_y; y++)
                        for (int x = 0; x < geometry.threads_x; x++) {
                            const int64_t offset = access_offset(site, &at, x, y);
                            if (offset != INACTIVE)
                                visit(site, &at, offset, context);
                        }
}

/* The side of a block's tile of C, and the depth of a pass, of a variant without the axis tile. */
enum { REGISTER_SIDE = 128, REGISTER_DEPTH = 16 };

static bool has_tile(const struct entry *entry)
{
    return entry->meta->axes & HONOURS(tile);
}

/* Whether asynchronous copies fill the tiles. They are loads from global memory, and no stores to shared memory. */
static bool copies_asynchronously(const struct accesses *accesses)
{
    bool reads = false, stores = false;
    for (const struct access *site = accesses->site; site->name; site++) {
        reads |= site->space == SPACE_SHARED && site->direction == DIRECTION_LOAD;
        stores |= site->space == SPACE_SHARED && site->direction == DIRECTION_STORE && !site->once;
    }
    return reads && !stores;
}

/* Visits the variants that describe accesses, at each tile and padding for which there is a kernel. The size is two
 * tiles by two, with three passes. A variant that guards its edges is also visited at a size that is no multiple of the
 * tile. */
static void each_cell(void (*check)(const struct cell *cell))
{
    size_t count;
    int cells = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        if (!entry[i].meta->accesses)
            continue;
        for (int64_t precision = F32; precision <= I32; precision++)
            for (int64_t tile = 2; tile <= 32; tile *= 2)
                for (int64_t padding = 1; padding <= 4; padding++)
                    for (int64_t beyond = 0; beyond <= 1; beyond++) {
                        struct cell cell = {
                            .precision = precision,
                            .n = 2 * tile + beyond,
                            .k = 3 * tile - beyond,
                            .tile = tile,
                            .entry = &entry[i],
                        };
                        if (!has_tile(&entry[i])) {
                            if (tile > 2)
                                continue;
                            cell.tile = 0;
                            cell.n = 2 * REGISTER_SIDE + beyond;
                            cell.k = 3 * REGISTER_DEPTH - beyond;
                        }
                        if (entry[i].problem->axes & HONOURS(m))
                            cell.m = 2 * (cell.tile ? cell.tile : REGISTER_SIDE) - beyond;
                        if (entry[i].meta->axes & HONOURS(padding))
                            cell.padding = padding;
                        else if (padding > 1)
                            continue;
                        if (!(entry[i].meta->precisions & entry[i].problem->precisions & BIT(precision)) ||
                            (precision == I32 && !copies_asynchronously(entry[i].meta->accesses)) ||
                            (entry[i].meta->reject && entry[i].meta->reject(&cell)))
                            continue;
                        check(&cell);
                        cells++;
                    }
    }
    assert_true(cells > 0);
}

static _Noreturn void blame(const struct cell *cell, const char *site, const char *what, int64_t value)
{
    fail_msg("%s %s n=%lld k=%lld tile=%lld padding=%lld, %s: %s %lld", cell->entry->name,
             cell_precision_names[cell->precision], (long long)cell->n, (long long)cell->k, (long long)cell->tile,
             (long long)cell->padding, site, what, (long long)value);
    abort();
}

/* The cell whose operands a kernel accesses: opencl-padded accesses copies, which are padded to multiples of the
 * tile. */
static struct cell accessed(const struct cell *cell)
{
    struct cell to = *cell;
    int64_t *const sizes[] = {&to.m, &to.n, &to.k};
    for (int i = 0; i < 3 && strcmp(cell->entry->name, "matmul/opencl-padded") == 0; i++)
        *sizes[i] = (*sizes[i] + cell->tile - 1) / cell->tile * cell->tile;
    return to;
}

static int64_t largest_operand(const struct cell *cell, enum role role)
{
    const struct cell there = accessed(cell);
    int64_t largest = 0;
    for (int i = 0; i < cell->entry->problem->operand_count; i++)
        if (cell->entry->problem->operand[i].role == role && cell_operand_bytes(&there, i) > largest)
            largest = cell_operand_bytes(&there, i);
    return largest;
}

static void check_bounds_of(const struct access *site, const struct execution *at, int64_t offset, void *context)
{
    const struct cell *cell = at->cell;
    const int width = site->width(cell);
    (void)context;
    const int64_t end = site->space == SPACE_SHARED
                            ? cell->entry->meta->accesses->shared_bytes(cell)
                            : largest_operand(cell, site->direction == DIRECTION_LOAD ? INPUT : OUTPUT);
    if (offset < 0 || offset + width > end)
        blame(cell, site->name, "is out of bounds at byte", offset);
    if (offset % width != 0)
        blame(cell, site->name, "is not aligned at byte", offset);
}

static void check_bounds(const struct cell *cell)
{
    const struct access *site = cell->entry->meta->accesses->site;
    int sites = 0;
    for (; site->name; site++, sites++) {
        const int width = site->width(cell);
        if (width != 4 && width != 8 && width != 16)
            blame(cell, site->name, "has width", width);
        each_access(site, cell, check_bounds_of, NULL);
    }
    assert_in_range(sites, 1, BANKS_SITES_MAX);
}

TEST(accesses_are_aligned_and_within_bounds)
{
    each_cell(check_bounds);
}

struct touches {
    int *count;                     /* of each element */
    int64_t block_x, block_y, pass; /* count these only; -1: count all */
};

static void touch(const struct access *site, const struct execution *at, int64_t offset, void *context)
{
    const struct touches *touches = context;
    if (touches->pass >= 0 &&
        (at->pass != touches->pass || at->block_x != touches->block_x || at->block_y != touches->block_y))
        return;
    const int64_t size = cell_element_bytes(at->cell);
    for (int64_t byte = 0; byte < site->width(at->cell); byte += size)
        touches->count[(offset + byte) / size]++;
}

/* Every element of C is stored once; cuda-dmma stores the diagonal of a symmetric C twice. */
static void check_result(const struct cell *cell)
{
    const int64_t count = largest_operand(cell, OUTPUT) / cell_element_bytes(cell);
    struct touches touches = {calloc((size_t)count, sizeof(int)), -1, -1, -1};
    assert_non_null(touches.count);
    for (const struct access *site = cell->entry->meta->accesses->site; site->name; site++)
        if (site->space == SPACE_GLOBAL && site->direction == DIRECTION_STORE)
            each_access(site, cell, touch, &touches);
    for (int64_t i = 0; i < count; i++)
        if (touches.count[i] != 1 &&
            !(touches.count[i] == 2 && strcmp(cell->entry->name, "aat/cuda-dmma") == 0 && i % (cell->n + 1) == 0))
            blame(cell, "C", "is not stored once at element", i);
    free(touches.count);
}

TEST(every_element_of_the_result_is_stored_once)
{
    each_cell(check_result);
}

/* The largest input is loaded as a whole: no pass and no block is missing. */
static void check_inputs(const struct cell *cell)
{
    const int64_t count = largest_operand(cell, INPUT) / cell_element_bytes(cell);
    struct touches touches = {calloc((size_t)count, sizeof(int)), -1, -1, -1};
    assert_non_null(touches.count);
    for (const struct access *site = cell->entry->meta->accesses->site; site->name; site++)
        if (site->space == SPACE_GLOBAL && site->direction == DIRECTION_LOAD)
            each_access(site, cell, touch, &touches);
    for (int64_t i = 0; i < count; i++)
        if (touches.count[i] == 0)
            blame(cell, "an input", "is not loaded at element", i);
    free(touches.count);
}

TEST(every_element_of_an_input_is_loaded)
{
    each_cell(check_inputs);
}

/* In a pass a block stores every element of both tiles once, and reads what it has stored. As many threads read an
 * element of a_tile as C has columns in the block; as many read an element of b_tile as C has rows there. If a thread
 * has 8 x 8 elements of C, an eighth as many read an element. */
static void check_tiles(const struct cell *cell)
{
    const struct accesses *accesses = cell->entry->meta->accesses;
    enum { OWN = 8, DEPTH_OF_REGISTER = 8 };
    const int64_t size = cell_element_bytes(cell), tile = cell->tile;
    const int64_t count = accesses->shared_bytes(cell) / size;
    const struct geometry geometry = accesses->geometry(cell);
    if (count == 0 || copies_asynchronously(accesses))
        return;
    int *stored = calloc((size_t)count, sizeof *stored), *read = calloc((size_t)count, sizeof *read);
    assert_true(stored && read);
    for (const struct access *site = accesses->site; site->name; site++) {
        struct touches touches = {site->direction == DIRECTION_STORE ? stored : read, 0, 1, 1};
        if (site->space == SPACE_SHARED && !site->once)
            each_access(site, cell, touch, &touches);
    }
    int64_t stores = 0;
    for (int64_t i = 0; i < count; i++) {
        const int readers = tile == 0 ? REGISTER_SIDE / OWN : i < tile * tile ? geometry.threads_x : geometry.threads_y;
        stores += stored[i];
        if (stored[i] > 1)
            blame(cell, "shared memory", "is stored more than once at element", i);
        if (read[i] != (stored[i] ? readers : 0))
            blame(cell, "shared memory", "is not read as often as needed at element", i);
    }
    const int64_t depth = cell->k / geometry.passes >= REGISTER_DEPTH - 1 ? REGISTER_DEPTH : DEPTH_OF_REGISTER;
    if (stores != 2 * (tile ? tile * tile : REGISTER_SIDE * depth))
        blame(cell, "shared memory", "elements stored in a pass:", stores);
    free(stored);
    free(read);
}

TEST(both_tiles_are_stored_once_a_pass_and_read)
{
    each_cell(check_tiles);
}

static void check_swizzle(const struct cell *cell)
{
    struct banks banks;
    char why[200];
    if (strcmp(cell->entry->name, "aat/cuda-swizzle") != 0)
        return;
    assert_true(banks_model(cell, &banks, why, sizeof why));
    if (banks.sum[SPACE_SHARED][DIRECTION_STORE].conflicts != 0 ||
        banks.sum[SPACE_SHARED][DIRECTION_LOAD].conflicts != 0)
        blame(cell, "shared memory", "has conflicts at tile", cell->tile);
}

TEST(the_swizzle_has_no_conflict_at_any_tile)
{
    each_cell(check_swizzle);
}

/* Prints file, precision, tile and padding; then space, direction, bytes, executions, and whether the site is in the
 * loop. */
static void print_sites(const struct cell *cell)
{
    if (cell->entry->backend != BACKEND_CUDA || cell->n % (cell->tile ? cell->tile : REGISTER_SIDE) != 0 ||
        copies_asynchronously(cell->entry->meta->accesses))
        return; /* nvcc does not compile the kernel, the kernel was listed before, its rows start anywhere, or the list
                   cannot tell how its code is unrolled; tests/counters.sh compares all its numbers */
    for (const struct access *site = cell->entry->meta->accesses->site; site->name; site++)
        printf("%s %s %lld %lld %s %s %d %lld %s\n", cell->entry->file, cell_precision_names[cell->precision],
               (long long)cell->tile, (long long)cell->padding, site->space == SPACE_SHARED ? "shared" : "global",
               site->direction == DIRECTION_LOAD ? "load" : "store", site->width(cell), (long long)steps_of(site, cell),
               site->once ? "once" : "loop");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        each_cell(print_sites);
        return 0;
    }
    return test_all(NULL, NULL);
}
