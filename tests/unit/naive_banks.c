/* The bank model once more, written as plainly as possible.
 * SPDX-License-Identifier: MIT */
#include "naive_banks.h"

#include <string.h>

/* The most distinct words that lanes first to first + lanes - 1 want from one bank. */
static int most_in_a_bank(const int64_t offset[WARP_LANES], int first, int lanes, int width)
{
    int64_t word[WARP_LANES * 4];
    int words = 0, most = 0;
    for (int lane = first; lane < first + lanes; lane++)
        for (int part = 0; part < width / 4; part++)
            if (offset[lane] >= 0)
                word[words++] = offset[lane] / 4 + part;
    int distinct[32] = {0};
    for (int i = 0; i < words; i++) {
        bool repeated = false;
        for (int j = 0; j < i; j++)
            repeated |= word[j] == word[i];
        if (!repeated && ++distinct[word[i] % 32] > most)
            most = distinct[word[i] % 32];
    }
    return most;
}

static bool agree(const int64_t offset[WARP_LANES], int first, int lanes, int apart)
{
    bool all = true;
    for (int a = first; a < first + lanes; a++)
        for (int b = first; b < first + lanes; b++)
            if (((a - first) ^ (b - first)) == apart && offset[a] >= 0 && offset[b] >= 0)
                all &= offset[a] == offset[b];
    return all;
}

int naive_wavefronts(const int64_t offset[WARP_LANES], int width, enum direction direction, int *groups)
{
    const int lanes = width == 16 ? 8 : width == 8 ? 16 : 32;
    int wavefronts = 0;
    *groups = 0;
    for (int first = 0; first < 32; first += lanes) {
        const bool starts_a_pair = width > 4 && first % (2 * lanes) == 0;
        if (direction == DIRECTION_LOAD && starts_a_pair &&
            (agree(offset, first, 2 * lanes, 1) || agree(offset, first, 2 * lanes, 2)) &&
            most_in_a_bank(offset, first, 2 * lanes, width) == 1) {
            wavefronts += 1;
            *groups += 1;
            first += lanes;
            continue;
        }
        const int most = most_in_a_bank(offset, first, lanes, width);
        wavefronts += most;
        *groups += most > 0;
    }
    return wavefronts;
}

int naive_sectors(const int64_t offset[WARP_LANES])
{
    int sectors = 0;
    for (int lane = 0; lane < 32; lane++) {
        bool repeated = offset[lane] < 0;
        for (int before = 0; before < lane; before++)
            repeated |= offset[before] >= 0 && offset[before] / 32 == offset[lane] / 32;
        sectors += !repeated;
    }
    return sectors;
}

static void visit(const struct access *site, const struct execution *at, const struct geometry *geometry,
                  struct banks_sum *sum)
{
    const int threads = geometry->threads_x * geometry->threads_y;
    const int width = site->width(at->cell);
    for (int first = 0; first < threads; first += WARP_LANES) {
        int64_t offset[WARP_LANES];
        bool any = false;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            const int thread = first + lane;
            offset[lane] = thread < threads
                               ? access_offset(site, at, thread % geometry->threads_x, thread / geometry->threads_x)
                               : INACTIVE;
            any |= offset[lane] >= 0;
        }
        if (!any)
            continue;
        sum->instructions++;
        if (site->space == SPACE_GLOBAL) {
            sum->sectors += naive_sectors(offset);
        } else {
            int groups;
            const int wavefronts = naive_wavefronts(offset, width, site->direction, &groups);
            sum->wavefronts += wavefronts;
            sum->conflicts += wavefronts - groups;
        }
    }
}

void naive_launch(const struct cell *cell, struct banks_sum sum[BANKS_SITES_MAX])
{
    const struct accesses *accesses = cell->entry->meta->accesses;
    const struct geometry geometry = accesses->geometry(cell);
    memset(sum, 0, BANKS_SITES_MAX * sizeof *sum);
    for (int i = 0; accesses->site[i].name; i++) {
        const struct access *site = &accesses->site[i];
        const int64_t steps = site->steps ? site->steps(cell) : 1;
        struct execution at = {.cell = cell};
        for (at.block_y = 0; at.block_y < geometry.blocks_y; at.block_y++)
            for (at.block_x = 0; at.block_x < geometry.blocks_x; at.block_x++)
                for (at.pass = 0; at.pass < (site->once ? 1 : geometry.passes); at.pass++)
                    for (at.step = 0; at.step < steps; at.step++)
                        visit(site, &at, &geometry, &sum[i]);
    }
}
