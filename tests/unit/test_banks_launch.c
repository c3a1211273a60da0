/* The bank model of a launch, compared with a visit to every warp, and with what a GPU counted.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "counters/banks.h"
#include "test.h"

#include "naive_banks.h"

static int element(const struct cell *cell)
{
    return (int)cell_precision_size(cell->precision);
}

static int quadruple(const struct cell *cell)
{
    (void)cell;
    return 16;
}

static int64_t tile_steps(const struct cell *cell)
{
    return cell->tile;
}

/* C = A B by guarded tiles; stores of the second tile are transposed, in rows with padding. */
static struct geometry product_geometry(const struct cell *cell)
{
    const int64_t tile = cell->tile;
    return (struct geometry){.blocks_x = (cell->n + tile - 1) / tile,
                             .blocks_y = (cell->m + tile - 1) / tile,
                             .threads_x = (int)tile,
                             .threads_y = (int)tile,
                             .passes = (cell->k + tile - 1) / tile};
}

static int64_t load_a(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    const int64_t row = at->block_y * cell->tile + y, col = at->pass * cell->tile + x;
    return row < cell->m && col < cell->k ? (row * cell->k + col) * element(cell) : INACTIVE;
}

static int64_t load_b(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    const int64_t row = at->pass * cell->tile + y, col = at->block_x * cell->tile + x;
    return row < cell->k && col < cell->n ? (row * cell->n + col) * element(cell) : INACTIVE;
}

static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return (x * (at->cell->tile + at->cell->padding) + y) * element(at->cell);
}

static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return (at->step * (at->cell->tile + at->cell->padding) + x) * element(at->cell);
}

static int64_t read_b_ahead(const struct execution *at, int x, int y)
{
    return y == 0 ? at->block_x * 32 + at->pass * 4096 + 16 * x : INACTIVE;
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    const int64_t row = at->block_y * cell->tile + y, col = at->block_x * cell->tile + x;
    return row < cell->m && col < cell->n ? (row * cell->n + col) * element(cell) : INACTIVE;
}

static int64_t tile_bytes(const struct cell *cell)
{
    return cell->tile * (cell->tile + cell->padding) * element(cell);
}

static const struct accesses product_accesses = {
    .geometry = product_geometry,
    .shared_bytes = tile_bytes,
    .site = (const struct access[]){
        {"load of A", SPACE_GLOBAL, DIRECTION_LOAD, false, element, .offset = load_a},
        {"load of B", SPACE_GLOBAL, DIRECTION_LOAD, false, element, .offset = load_b},
        {"store of the B tile", SPACE_SHARED, DIRECTION_STORE, false, element, .offset = store_b_tile},
        {"read of the B tile", SPACE_SHARED, DIRECTION_LOAD, false, element, .steps = tile_steps,
         .offset = read_b_tile},
        {"wide read", SPACE_SHARED, DIRECTION_LOAD, false, quadruple, .offset = read_b_ahead},
        {"store of C", SPACE_GLOBAL, DIRECTION_STORE, true, element, .offset = store_c},
        {0},
    }};

/* The lower triangle of a square C, mirrored off the diagonal. Blocks above the diagonal do nothing. */
static bool below(const struct execution *at)
{
    return at->block_x <= at->block_y;
}

static int64_t store_above(const struct execution *at, int x, int y)
{
    struct execution mirrored = *at;
    mirrored.block_x = at->block_y;
    mirrored.block_y = at->block_x;
    return at->block_x < at->block_y ? store_c(&mirrored, x, y) : INACTIVE;
}

static int64_t store_on_diagonal(const struct execution *at, int x, int y)
{
    return at->block_x == at->block_y && x <= y ? store_c(at, x, y) : INACTIVE;
}

static const struct accesses triangle_accesses = {
    .geometry = product_geometry,
    .shared_bytes = tile_bytes,
    .site = (const struct access[]){
        {"load below", SPACE_GLOBAL, DIRECTION_LOAD, false, element, .blocks = below, .offset = load_a},
        {"store above", SPACE_GLOBAL, DIRECTION_STORE, true, element, .offset = store_above},
        {"store on it", SPACE_GLOBAL, DIRECTION_STORE, true, element, .offset = store_on_diagonal},
        {0},
    }};

static const char *small_tiles(const struct cell *cell)
{
    return cell->tile > 32 ? cell_reason("tile %lld is too large", (long long)cell->tile) : NULL;
}

static struct entry entry_with(struct variant *variant, const struct accesses *accesses)
{
    *variant =
        (struct variant){.precisions = FLOATS, .axes = HONOURS(tile), .accesses = accesses, .reject = small_tiles};
    return (struct entry){.problem = registry_problem("matmul"), .backend = BACKEND_CUDA, .meta = variant};
}

static void compare_launch(const struct cell *cell)
{
    struct banks banks;
    struct banks_sum expected[BANKS_SITES_MAX];
    char why[256];
    if (!banks_model(cell, &banks, why, sizeof why))
        fail_msg("%s: %s", cell->entry->name, why);
    const struct access *site = cell->entry->meta->accesses->site;
    naive_launch(cell, expected);
    for (int i = 0; i < banks.sites; i++)
        if (memcmp(&banks.site[i], &expected[i], sizeof expected[i]) != 0)
            fail_msg("%s, m %d n %d k %d tile %d padding %d: %s: %ld instructions, %ld wavefronts, "
                     "%ld conflicts, %ld sectors; expected %ld, %ld, %ld, %ld",
                     cell->entry->name, (int)cell->m, (int)cell->n, (int)cell->k, (int)cell->tile, (int)cell->padding,
                     site[i].name, (long)banks.site[i].instructions, (long)banks.site[i].wavefronts,
                     (long)banks.site[i].conflicts, (long)banks.site[i].sectors, (long)expected[i].instructions,
                     (long)expected[i].wavefronts, (long)expected[i].conflicts, (long)expected[i].sectors);
    struct banks_sum sum[2][2] = {{{0}}};
    for (int i = 0; i < banks.sites; i++) {
        struct banks_sum *of = &sum[site[i].space][site[i].direction];
        of->instructions += expected[i].instructions;
        of->wavefronts += expected[i].wavefronts;
        of->conflicts += expected[i].conflicts;
        of->sectors += expected[i].sectors;
    }
    assert_memory_equal(banks.sum, sum, sizeof sum);
}

TEST(guarded_launches_cost_what_every_warp_costs)
{
    static const int64_t sizes[][3] = {{1, 1, 1},    {8, 8, 8},   {33, 33, 33}, {40, 72, 24},
                                       {37, 26, 41}, {5, 130, 3}, {130, 5, 66}};
    static const int64_t tiles[] = {2, 3, 8, 13, 16, 32};
    struct variant variant;
    struct entry entry = entry_with(&variant, &product_accesses);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof tiles / sizeof *tiles; j++)
            for (int64_t padding = 0; padding <= 1; padding++)
                compare_launch(&(struct cell){
                    .entry = &entry,
                    .precision = padding ? F64 : F32,
                    .m = sizes[i][0],
                    .n = sizes[i][1],
                    .k = sizes[i][2],
                    .tile = tiles[j],
                    .padding = padding,
                });
}

TEST(triangular_launches_cost_what_every_warp_costs)
{
    struct variant variant;
    struct entry entry = entry_with(&variant, &triangle_accesses);
    for (int64_t n = 1; n <= 90; n = n * 3 / 2 + 1)
        for (int64_t tile = 2; tile <= 16; tile = 2 * tile + 1)
            for (int64_t wider = 0; wider <= 40; wider += 20)
                compare_launch(
                    &(struct cell){.entry = &entry, .precision = F32, .m = n, .n = n + wider, .k = n, .tile = tile});
}

/* Whether each variant of the project that describes its accesses is affine where the model needs it. */
TEST(described_variants_cost_what_every_warp_costs)
{
    static const int64_t tiles[] = {2, 8, 16, 32};
    size_t count, compared = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        for (int precision = F32; entry[i].meta->accesses && precision <= PRECISIONS; precision++)
            for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++)
                for (int64_t blocks = 1; blocks <= 4; blocks += 3) {
                    const unsigned supported = registry_axes(&entry[i]);
                    const int64_t n = blocks * tiles[t];
                    struct cell cell = entry[i].meta->defaults;
                    cell.entry = &entry[i];
                    cell.precision = precision;
                    cell.n = n;
                    cell.m = supported & HONOURS(m) ? 2 * n : 0;
                    cell.k = supported & HONOURS(k) ? n + 3 * tiles[t] : 0;
                    cell.tile = supported & HONOURS(tile) ? tiles[t] : 0;
                    struct banks banks;
                    char why[256];
                    if (n > 64 || !banks_model(&cell, &banks, why, sizeof why))
                        continue;
                    compare_launch(&cell);
                    compared++;
                }
    assert_true(compared > 10);
}

/* What the hardware counters of an H200 counted for A A^T, n = 1024, tile 32, f32. */
TEST(models_are_what_a_gpu_counted)
{
    static const struct {
        const char *variant;
        int64_t padding, store_wavefronts, load_sectors;
    } counted[] = {{"aat/cuda-a", 0, 2097152, 18}, {"aat/cuda-b", 0, 34603008, 4}, {"aat/cuda-b-pad", 1, 2097152, 4}};
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        const struct cell cell = {.entry = registry_find(counted[i].variant),
                                  .precision = F32,
                                  .n = 1024,
                                  .k = 1024,
                                  .tile = 32,
                                  .padding = counted[i].padding};
        struct banks banks;
        char why[256];
        assert_non_null(cell.entry);
        assert_true(banks_model(&cell, &banks, why, sizeof why));
        const struct banks_sum *load = &banks.sum[SPACE_SHARED][DIRECTION_LOAD],
                               *store = &banks.sum[SPACE_SHARED][DIRECTION_STORE],
                               *global = &banks.sum[SPACE_GLOBAL][DIRECTION_LOAD];
        assert_int_equal(load->instructions, 41943040);
        assert_int_equal(load->wavefronts, 50331648);
        assert_int_equal(load->conflicts, 0);
        assert_int_equal(store->instructions, 2097152);
        assert_int_equal(store->wavefronts, counted[i].store_wavefronts);
        assert_int_equal(store->conflicts, counted[i].store_wavefronts - 2097152);
        assert_int_equal(global->sectors, counted[i].load_sectors * global->instructions);
    }
}

TEST(the_grid_is_counted_not_visited)
{
    struct variant variant;
    struct entry entry = entry_with(&variant, &product_accesses);
    const struct cell cell = {.entry = &entry, .precision = F32, .m = 65536, .n = 65536, .k = 65536, .tile = 2};
    struct banks banks;
    char why[256];
    assert_true(banks_model(&cell, &banks, why, sizeof why));
    /* 2^45 warps are too many to visit. */
    assert_int_equal(banks.site[0].instructions, INT64_C(1) << 45);
    assert_int_equal(banks.site[0].sectors, INT64_C(1) << 46);
}

TEST(what_has_no_model_says_why)
{
    struct variant variant;
    struct entry entry = entry_with(&variant, &product_accesses);
    struct cell cell = {.entry = &entry, .precision = F32, .m = 8, .n = 8, .k = 8, .tile = 64};
    struct banks banks;
    char why[256];
    assert_false(banks_model(&cell, &banks, why, sizeof why));
    assert_string_equal(why, "tile 64 is too large");
    cell.tile = 0;
    assert_false(banks_model(&cell, &banks, why, sizeof why));
    assert_string_equal(why, "tile has no value");
    cell.tile = 8;
    cell.precision = I32;
    assert_false(banks_model(&cell, &banks, why, sizeof why));
    assert_non_null(strstr(why, "precision"));
    cell.precision = F32;
    cell.m = cell.n = cell.k = 2147483647;
    assert_false(banks_model(&cell, &banks, why, sizeof why));
    assert_non_null(strstr(why, "64 bits"));
    cell = (struct cell){.entry = registry_find("matmul/seq-ijk"), .precision = F32};
    assert_false(banks_model(&cell, &banks, why, sizeof why));
    assert_non_null(strstr(why, "GPU"));
}

TEST(offsets_are_those_of_a_warp)
{
    struct variant variant;
    struct entry entry = entry_with(&variant, &product_accesses);
    const struct cell cell = {.entry = &entry, .precision = F32, .m = 6, .n = 6, .k = 6, .tile = 6};
    int64_t offset[WARP_LANES];
    banks_offsets(&cell, 2, 0, offset);
    assert_int_equal(offset[0], 0);
    assert_int_equal(offset[1], 4 * 6);
    assert_int_equal(offset[6], 4);
    banks_offsets(&cell, 2, 1, offset); /* threads 32 to 35 of 36 */
    assert_int_equal(offset[0], 4 * (6 * 2 + 5));
    assert_int_equal(offset[3], 4 * (6 * 5 + 5));
    assert_int_equal(offset[4], INACTIVE);
}
