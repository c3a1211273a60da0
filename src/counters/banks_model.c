/* Sums of wavefronts and sectors over a whole launch, without a visit to every block.
 *
 * An access is affine in block_x, block_y and pass, except in the last of each and on the diagonal. So the grid of
 * blocks falls into regions. Within a region all executions are equal up to a shift by a multiple of 4 bytes, so one
 * execution stands for all. A shift changes no conflict. It changes the sectors only by the place, one of eight, of a
 * word in its sector.
 * SPDX-License-Identifier: MIT */
#include "banks.h"
#include "cell.h"

#include <string.h>

enum { PLACES = SECTOR_BYTES / BANK_BYTES };

struct residues {
    int64_t count[PLACES]; /* how many numbers of an interval leave each remainder modulo PLACES */
};

/* Blocks that are alike. They agree in three answers: is block_x the last, is block_y the last, and does the block lie
 * left of, on or right of the diagonal? */
struct region {
    int64_t x, y;  /* the block that stands for all */
    int dx, dy;    /* step to the neighbour along x or y; 0: the region has no neighbour there */
    bool diagonal; /* the region lies on the diagonal: its neighbour is (x + 1, y + 1) */
    int64_t blocks;
    int64_t at[PLACES][PLACES]; /* how many blocks have these remainders of block_y and block_x */
};

/* Passes that are alike: all but the last, or the last. */
struct passes {
    int64_t first, count;
};

enum { REGIONS = 12, PASSES = 2 };

struct launch {
    const struct cell *cell;
    struct geometry geometry;
    struct region region[REGIONS];
    int regions;
};

/* How many numbers from low to high leave each remainder. */
static struct residues residues_of(int64_t low, int64_t high)
{
    struct residues residues;
    for (int i = 0; i < PLACES; i++) {
        const int64_t first = low + ((i - low) % PLACES + PLACES) % PLACES;
        residues.count[i] = first > high ? 0 : (high - first) / PLACES + 1;
    }
    return residues;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Adds the region of the blocks from (x0, y0) to (x1, y1) whose block_x - block_y has this sign. */
static void add_region(struct launch *launch, int64_t x0, int64_t x1, int64_t y0, int64_t y1, int sign)
{
    struct region region = {.diagonal = sign == 0};
    for (int64_t y = y0; y <= y1; y++) {
        const int64_t low = sign < 0 ? x0 : greater(x0, y + sign), high = sign > 0 ? x1 : lesser(x1, y + sign);
        if (low > high)
            continue;
        const struct residues residues = residues_of(low, high);
        for (int i = 0; i < PLACES; i++)
            region.at[y % PLACES][i] += residues.count[i];
        region.blocks += high - low + 1;
    }
    if (region.blocks == 0)
        return;
    if (sign == 0) {
        region.x = region.y = greater(x0, y0);
        region.dx = region.dy = region.blocks > 1;
    } else { /* the corner farthest from the diagonal */
        region.x = sign < 0 ? x0 : x1;
        region.y = sign < 0 ? y1 : y0;
        region.dx = x1 > x0 ? -sign : 0;
        region.dy = y1 > y0 ? sign : 0;
    }
    launch->region[launch->regions++] = region;
}

static void divide_grid(struct launch *launch)
{
    const int64_t x = launch->geometry.blocks_x, y = launch->geometry.blocks_y;
    for (int last_y = 0; last_y <= 1; last_y++)
        for (int last_x = 0; last_x <= 1; last_x++)
            for (int sign = -1; sign <= 1; sign++)
                add_region(launch, last_x ? x - 1 : 0, last_x ? x - 1 : x - 2, last_y ? y - 1 : 0,
                           last_y ? y - 1 : y - 2, sign);
}

static int64_t steps_of(const struct access *site, const struct cell *cell)
{
    return site->steps ? site->steps(cell) : 1;
}

static int warps_of(const struct geometry *geometry)
{
    return (geometry->threads_x * geometry->threads_y + WARP_LANES - 1) / WARP_LANES;
}

/* Computes the offsets of a warp. False where no lane is active. */
static bool warp_offsets(const struct access *site, const struct execution *at, const struct geometry *geometry,
                         int warp, int64_t offset[WARP_LANES])
{
    bool any = false;
    int x = warp * WARP_LANES % geometry->threads_x, y = warp * WARP_LANES / geometry->threads_x;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        offset[lane] = y < geometry->threads_y ? access_offset(site, at, x, y) : INACTIVE;
        any |= offset[lane] != INACTIVE;
        if (++x == geometry->threads_x) {
            x = 0;
            y++;
        }
    }
    return any;
}

/* Counts the executions of a region and some passes by the place, in words within a sector, that they are shifted
 * to. */
static void count_places(const struct access *site, const struct execution *at, const struct region *region,
                         const struct passes *passes, int x, int y, int64_t places[PLACES])
{
    const int64_t here = access_offset(site, at, x, y);
    int64_t per_x = 0, per_y = 0, per_pass = 0;
    struct execution next = *at;
    if (region->dx) {
        next.block_x += region->dx;
        next.block_y += region->diagonal;
        per_x = (access_offset(site, &next, x, y) - here) * region->dx / BANK_BYTES;
        next = *at;
    }
    if (region->dy && !region->diagonal) {
        next.block_y += region->dy;
        per_y = (access_offset(site, &next, x, y) - here) * region->dy / BANK_BYTES;
        next = *at;
    }
    if (passes->count > 1) {
        next.pass++;
        per_pass = (access_offset(site, &next, x, y) - here) / BANK_BYTES;
    }
    int64_t of_blocks[PLACES] = {0};
    for (int block_y = 0; block_y < PLACES; block_y++)
        for (int block_x = 0; block_x < PLACES; block_x++) {
            const uint64_t moved =
                (uint64_t)((block_x - region->x) * (per_x % PLACES) + (block_y - region->y) * (per_y % PLACES));
            of_blocks[moved % PLACES] += region->at[block_y][block_x];
        }
    const struct residues turns = residues_of(0, passes->count - 1);
    memset(places, 0, PLACES * sizeof *places);
    for (int pass = 0; pass < PLACES; pass++)
        for (int i = 0; i < PLACES; i++)
            places[(uint64_t)(i + pass * (per_pass % PLACES)) % PLACES] += of_blocks[i] * turns.count[pass];
}

/* Whether `now` has the offsets of `before`, all shifted by the same multiple of `unit`. */
static bool only_moved(const int64_t before[WARP_LANES], const int64_t now[WARP_LANES], int unit)
{
    int64_t by = 0;
    bool known = false;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if ((before[lane] == INACTIVE) != (now[lane] == INACTIVE))
            return false;
        if (now[lane] == INACTIVE)
            continue;
        if (known && now[lane] - before[lane] != by)
            return false;
        by = now[lane] - before[lane];
        known = true;
    }
    return by % unit == 0;
}

/* The count of one site while it is being summed. */
struct tally {
    const struct launch *launch;
    const struct access *site;
    int width;
    struct passes passes[PASSES];
    int64_t places[REGIONS][PASSES][PLACES]; /* executions by place; valid where `placed` */
    bool placed[REGIONS][PASSES];
    /* The last access and its cost. Sectors are computed when they are asked for; -1: not yet. */
    int64_t offset[WARP_LANES];
    bool known;
    int wavefronts, conflicts, sectors[PLACES];
    struct banks_sum *sum;
};

static void take(struct tally *tally, const int64_t offset[WARP_LANES])
{
    const bool shared = tally->site->space == SPACE_SHARED;
    if (tally->known && only_moved(tally->offset, offset, shared ? BANK_BYTES : SECTOR_BYTES))
        return;
    memcpy(tally->offset, offset, sizeof tally->offset);
    memset(tally->sectors, -1, sizeof tally->sectors);
    if (shared)
        tally->wavefronts = banks_wavefronts(offset, tally->width, tally->site->direction, &tally->conflicts);
    tally->known = true;
}

static int sectors_at(struct tally *tally, int place)
{
    if (tally->sectors[place] < 0) {
        int64_t moved[WARP_LANES];
        for (int lane = 0; lane < WARP_LANES; lane++)
            moved[lane] = tally->offset[lane] == INACTIVE ? INACTIVE : tally->offset[lane] + place * BANK_BYTES;
        tally->sectors[place] = banks_sectors(moved);
    }
    return tally->sectors[place];
}

/* Counts one step of one warp, in all blocks of a region and in some passes. */
static void count_access(struct tally *tally, int r, int p, int warp, int64_t step)
{
    const struct geometry *geometry = &tally->launch->geometry;
    const struct region *region = &tally->launch->region[r];
    const struct passes *passes = &tally->passes[p];
    const struct execution at = {
        .cell = tally->launch->cell, .block_x = region->x, .block_y = region->y, .pass = passes->first, .step = step};
    int64_t offset[WARP_LANES];
    if (passes->count == 0 || !warp_offsets(tally->site, &at, geometry, warp, offset))
        return;
    take(tally, offset);
    const int64_t times = region->blocks * passes->count;
    tally->sum->instructions += times;
    if (tally->site->space == SPACE_SHARED) {
        tally->sum->wavefronts += times * tally->wavefronts;
        tally->sum->conflicts += times * tally->conflicts;
        return;
    }
    int64_t *const places = tally->places[r][p];
    if (!tally->placed[r][p]) {
        int thread = warp * WARP_LANES;
        while (offset[thread % WARP_LANES] == INACTIVE)
            thread++;
        count_places(tally->site, &at, region, passes, thread % geometry->threads_x, thread / geometry->threads_x,
                     places);
        tally->placed[r][p] = true;
    }
    for (int place = 0; place < PLACES; place++)
        if (places[place] > 0)
            tally->sum->sectors += places[place] * sectors_at(tally, place);
}

static void count_site(const struct launch *launch, const struct access *site, struct banks_sum *sum)
{
    const int64_t steps = steps_of(site, launch->cell), turns = site->once ? 1 : launch->geometry.passes;
    struct tally tally = {.launch = launch,
                          .site = site,
                          .width = site->width(launch->cell),
                          .passes = {{0, turns - 1}, {turns - 1, 1}},
                          .sum = sum};
    for (int warp = 0; warp < warps_of(&launch->geometry); warp++)
        for (int64_t step = 0; step < steps; step++)
            for (int r = 0; r < launch->regions; r++)
                for (int p = 0; p < PASSES; p++)
                    count_access(&tally, r, p, warp, step);
}

struct cell banks_cell(const struct entry *entry, const struct cell *given)
{
    struct cell cell = {.entry = entry};
    const unsigned supported = registry_axes(entry);
    for (int axis = 0; axis < AXES; axis++) {
        const int64_t value = cell_value(given, axis);
        /* The model counts the accesses of a kernel, which no condition changes. */
        if (supported & BIT(axis) && cell_axes[axis].role != ROLE_CONDITION)
            *cell_axis(&cell, axis) = value ? value : cell_default(entry, axis);
    }
    if (supported & HONOURS(m) && !cell.m)
        cell.m = cell.n;
    if (supported & HONOURS(k) && !cell.k)
        cell.k = cell.n;
    return cell;
}

/* Why a cell has no model, or NULL. */
static const char *obstacle(const struct cell *cell)
{
    const struct entry *entry = cell->entry;
    const struct variant *meta = entry->meta;
    if (!meta->accesses)
        return registry_kind(entry) == KIND_CPU ? "it does not run on a GPU"
               : meta->unmodelled               ? meta->unmodelled
                                                : "its memory accesses are not described";
    if (cell->precision < F32 || !(meta->precisions & BIT(cell->precision)))
        return "not in this precision";
    for (int axis = 0; axis < AXES; axis++)
        if (registry_axes(entry) & BIT(axis) && cell_axes[axis].role != ROLE_CONDITION &&
            cell_value(cell, axis) < cell_axes[axis].lowest)
            return cell_reason("%s has no value", cell_axes[axis].key);
    if (cell_bytes(cell) == INT64_MAX)
        return "its operands have more bytes than 64 bits can count";
    return meta->reject ? meta->reject(cell) : NULL;
}

/* Whether the sums of a site fit 64 bits, whatever its accesses cost. */
static bool countable(const struct geometry *geometry, const struct access *site, const struct cell *cell)
{
    return (double)geometry->blocks_x * (double)geometry->blocks_y * (double)geometry->passes * warps_of(geometry) *
               (double)steps_of(site, cell) <
           0x1p54;
}

bool banks_model(const struct cell *cell, struct banks *banks, char *why, size_t why_size)
{
    memset(banks, 0, sizeof *banks);
    const char *reason = obstacle(cell);
    if (reason) {
        snprintf(why, why_size, "%s", reason);
        return false;
    }
    const struct accesses *accesses = cell->entry->meta->accesses;
    struct launch launch = {.cell = cell, .geometry = accesses->geometry(cell)};
    divide_grid(&launch);
    banks->geometry = launch.geometry;
    banks->shared_bytes = accesses->shared_bytes ? accesses->shared_bytes(cell) : 0;
    for (const struct access *site = accesses->site; site->name; site++) {
        if (!countable(&launch.geometry, site, cell)) {
            snprintf(why, why_size, "more accesses than 64 bits can count");
            return false;
        }
        struct banks_sum *sum = &banks->site[banks->sites++];
        count_site(&launch, site, sum);
        struct banks_sum *total = &banks->sum[site->space][site->direction];
        total->instructions += sum->instructions;
        total->wavefronts += sum->wavefronts;
        total->conflicts += sum->conflicts;
        total->sectors += sum->sectors;
    }
    return true;
}

void banks_offsets(const struct cell *cell, int site, int warp, int64_t offset[WARP_LANES])
{
    const struct accesses *accesses = cell->entry->meta->accesses;
    const struct geometry geometry = accesses->geometry(cell);
    const struct execution at = {.cell = cell};
    warp_offsets(&accesses->site[site], &at, &geometry, warp, offset);
}
