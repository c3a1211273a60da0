/* Wavefronts and sectors of one warp's access. banks_model.c sums them over a launch.
 * SPDX-License-Identifier: MIT */
#include "banks.h"

/* How many distinct words each bank must serve, for some lanes of a warp. */
struct load {
    /* A group of lanes has at most 32 words. Two groups have 64, of which at most 32 differ where pairs of lanes
     * agree. */
    int64_t word[BANKS][WARP_LANES];
    int words[BANKS];
    int most;
    bool any;
};

static void add_word(struct load *load, int64_t word)
{
    const int bank = (int)(word % BANKS);
    int64_t *const known = load->word[bank];
    for (int i = load->words[bank] - 1; i >= 0; i--)
        if (known[i] == word)
            return;
    known[load->words[bank]++] = word;
    if (load->words[bank] > load->most)
        load->most = load->words[bank];
}

static void count_words(struct load *load, const int64_t *offset, int lanes, int width)
{
    for (int bank = 0; bank < BANKS; bank++)
        load->words[bank] = 0;
    load->most = 0;
    load->any = false;
    for (int lane = 0; lane < lanes; lane++) {
        if (offset[lane] == INACTIVE)
            continue;
        load->any = true;
        for (int byte = 0; byte < width; byte += BANK_BYTES)
            add_word(load, (offset[lane] + byte) / BANK_BYTES);
    }
}

/* Whether every active lane l reads what lane l ^ apart reads, where both are active. */
static bool pairs_agree(const int64_t *offset, int lanes, int apart)
{
    for (int lane = 0; lane < lanes; lane++) {
        const int64_t here = offset[lane], there = offset[lane ^ apart];
        if (here != there && here != INACTIVE && there != INACTIVE)
            return false;
    }
    return true;
}

static int group_lanes(int width)
{
    return width <= BANK_BYTES ? WARP_LANES : WARP_LANES * BANK_BYTES / width;
}

/* Whether two neighbouring groups of a wide load are served together. */
static bool merges(const int64_t *offset, int width, enum direction direction)
{
    const int lanes = 2 * group_lanes(width);
    struct load load;
    if (direction != DIRECTION_LOAD || width <= BANK_BYTES ||
        (!pairs_agree(offset, lanes, 1) && !pairs_agree(offset, lanes, 2)))
        return false;
    count_words(&load, offset, lanes, width);
    return load.most == 1;
}

int banks_together(const int64_t offset[WARP_LANES], int width, enum direction direction)
{
    return group_lanes(width) * (merges(offset, width, direction) ? 2 : 1);
}

int banks_wavefronts(const int64_t offset[WARP_LANES], int width, enum direction direction, int *conflicts)
{
    const int lanes = group_lanes(width), unit = width <= BANK_BYTES ? lanes : 2 * lanes;
    int wavefronts = 0, groups = 0;
    for (int first = 0; first < WARP_LANES; first += unit) {
        if (merges(offset + first, width, direction)) {
            wavefronts++;
            groups++;
            continue;
        }
        for (int group = first; group < first + unit; group += lanes) {
            struct load load;
            count_words(&load, offset + group, lanes, width);
            wavefronts += load.most;
            groups += load.any;
        }
    }
    if (conflicts)
        *conflicts = wavefronts - groups;
    return wavefronts;
}

int banks_sectors(const int64_t offset[WARP_LANES])
{
    int64_t sector[WARP_LANES];
    int sectors = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (offset[lane] == INACTIVE)
            continue;
        const int64_t here = offset[lane] / SECTOR_BYTES;
        int i = sectors;
        while (i > 0 && sector[i - 1] != here)
            i--;
        if (i == 0)
            sector[sectors++] = here;
    }
    return sectors;
}
