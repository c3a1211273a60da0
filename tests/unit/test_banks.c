/* The bank model of one access, compared with counts made by hand and by a naive model.
 * SPDX-License-Identifier: MIT */
#include "counters/banks.h"
#include "test.h"

#include "naive_banks.h"

static int64_t access_at[WARP_LANES];

#define ACCESS(lane, expression) \
    for (int lane = 0; lane < WARP_LANES; lane++) \
    access_at[lane] = (expression)

static void expect_load(int width, int wavefronts, int conflicts)
{
    int counted;
    assert_int_equal(banks_wavefronts(access_at, width, DIRECTION_LOAD, &counted), wavefronts);
    assert_int_equal(counted, conflicts);
}

static void expect_store(int width, int wavefronts, int conflicts)
{
    int counted;
    assert_int_equal(banks_wavefronts(access_at, width, DIRECTION_STORE, &counted), wavefronts);
    assert_int_equal(counted, conflicts);
}

static int greatest_divisor(int a, int b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

TEST(a_stride_of_s_words_costs_gcd_of_s_and_32)
{
    for (int stride = 1; stride <= 72; stride++) {
        const int cost = greatest_divisor(stride, BANKS);
        ACCESS(lane, 4 * stride * lane);
        expect_load(4, cost, cost - 1);
        expect_store(4, cost, cost - 1);
        /* A double covers two banks, so a group has half the lanes and each lane has two banks. */
        const int pairs = greatest_divisor(stride, BANKS / 2);
        ACCESS(lane, 8 * stride * lane);
        expect_load(8, 2 * pairs, 2 * pairs - 2);
        expect_store(8, 2 * pairs, 2 * pairs - 2);
    }
}

TEST(padding_parts_the_words_of_a_column)
{
    static const int tile_32[] = {32, 1, 2, 1, 4};
    for (int padding = 0; padding <= 4; padding++) {
        ACCESS(lane, 4 * (32 + padding) * lane);
        expect_store(4, tile_32[padding], tile_32[padding] - 1);
    }
    /* Two columns of a tile of 16. With padding, lanes 0 and 31 still share a bank: words 0 and 17 * 15 + 1. */
    ACCESS(lane, 4 * (16 * (lane % 16) + lane / 16));
    expect_store(4, 8, 7);
    ACCESS(lane, 4 * (17 * (lane % 16) + lane / 16));
    expect_store(4, 2, 1);
}

TEST(exclusive_or_parts_them_without_padding)
{
    ACCESS(lane, 4 * (32 * lane + (5 ^ lane)));
    expect_store(4, 1, 0);
    expect_load(4, 1, 0);
    ACCESS(lane, 8 * (32 * lane + (5 ^ lane)));
    expect_store(8, 2, 0);
}

TEST(one_word_is_a_broadcast)
{
    ACCESS(lane, 4096 + 0 * lane);
    expect_load(4, 1, 0);
    expect_store(4, 1, 0);
    ACCESS(lane, 4 * (lane / 2) * 32);
    expect_load(4, 16, 15);
}

TEST(wide_loads_are_served_in_parts)
{
    ACCESS(lane, 8 * lane);
    expect_load(8, 2, 0);
    expect_store(8, 2, 0);
    ACCESS(lane, 16 * lane);
    expect_load(16, 4, 0);
    expect_store(16, 4, 0);
    ACCESS(lane, 16 * 8 * lane);
    expect_load(16, 32, 28);
}

TEST(agreeing_neighbours_merge_wide_loads)
{
    ACCESS(lane, 64 + 0 * lane);
    expect_load(8, 1, 0);
    expect_load(16, 2, 0);
    expect_store(8, 2, 0);
    expect_store(16, 4, 0);
    ACCESS(lane, 8 * (lane / 2)); /* lane agrees with lane ^ 1 */
    expect_load(8, 1, 0);
    ACCESS(lane, 8 * (lane / 4 * 2 + lane % 2)); /* lane agrees with lane ^ 2 */
    expect_load(8, 1, 0);
    ACCESS(lane, 8 * (lane / 8 * 4 + lane % 4)); /* lane agrees with lane ^ 4 only */
    expect_load(8, 2, 0);
    ACCESS(lane, 16 * (lane / 2)); /* 8 pieces of 16 bytes a half-warp */
    expect_load(16, 2, 0);
    ACCESS(lane, 128 * (lane / 2)); /* pairs agree, but all are in banks 0 and 1 */
    expect_load(8, 16, 14);
    ACCESS(lane, lane < 16 ? 16 * (lane / 2) : 16 * lane); /* the first half-warp merges alone */
    expect_load(16, 3, 0);
}

TEST(inactive_lanes_cost_nothing)
{
    ACCESS(lane, lane < 8 ? 128 * lane : INACTIVE);
    expect_load(4, 8, 7);
    ACCESS(lane, lane < 8 ? 8 * lane : INACTIVE);
    expect_store(8, 1, 0);
    ACCESS(lane, lane % 2 ? INACTIVE : 8 * (lane / 2)); /* an inactive lane agrees with every lane */
    expect_load(8, 1, 0);
    ACCESS(lane, INACTIVE + 0 * lane);
    for (int width = 4; width <= 16; width *= 2) {
        expect_load(width, 0, 0);
        expect_store(width, 0, 0);
    }
    assert_int_equal(banks_sectors(access_at), 0);
}

TEST(a_sector_is_32_bytes)
{
    ACCESS(lane, 4 * lane);
    assert_int_equal(banks_sectors(access_at), 4);
    ACCESS(lane, 4 * lane + 4);
    assert_int_equal(banks_sectors(access_at), 5);
    ACCESS(lane, 8 * lane);
    assert_int_equal(banks_sectors(access_at), 8);
    ACCESS(lane, 4096 * lane);
    assert_int_equal(banks_sectors(access_at), 32);
    ACCESS(lane, 4096 * (lane % 16) + 4 * (lane / 16));
    assert_int_equal(banks_sectors(access_at), 16);
    ACCESS(lane, lane == 7 ? 4096 : INACTIVE);
    assert_int_equal(banks_sectors(access_at), 1);
}

TEST(random_accesses_cost_what_a_naive_count_says)
{
    srand(1);
    for (int round = 0; round < 6000; round++) {
        const int width = 4 << rand() % 3, spread = 1 + rand() % 200, pairs = rand() % 4;
        const int silent = rand() % 3;
        for (int lane = 0; lane < WARP_LANES; lane++)
            access_at[lane] = (int64_t)width * (rand() % spread);
        for (int lane = 0; lane < WARP_LANES; lane++) /* few distinct words, so that some pairs agree */
            access_at[lane] = access_at[pairs ? lane & ~pairs : lane];
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (silent && rand() % (4 * silent) == 0)
                access_at[lane] = INACTIVE;
        for (int direction = DIRECTION_LOAD; direction <= DIRECTION_STORE; direction++) {
            int groups, conflicts;
            const int expected = naive_wavefronts(access_at, width, (enum direction)direction, &groups);
            assert_int_equal(banks_wavefronts(access_at, width, (enum direction)direction, &conflicts), expected);
            assert_int_equal(conflicts, expected - groups);
        }
        assert_int_equal(banks_sectors(access_at), naive_sectors(access_at));
    }
}
