/* The arithmetic of products from residues, as their kernels use it: integers, their residues, sums of products of
 * residues, and the value that follows from them.
 * SPDX-License-Identifier: MIT */
#include "common/residues.h"
#include "test.h"
#include "verify/inputs.h"

enum { SEED = 36, STREAM_A = 1, STREAM_B, STREAM_LARGE };

static const int64_t terms[] = {64, 1000, 8192, 16384, RESIDUES_MOST_K};
enum { SIZES = sizeof terms / sizeof *terms };

static residues_wide product_of(const struct residues *of)
{
    residues_wide all = 1;
    for (int i = 0; i < of->count; i++)
        all *= (residues_wide)of->divisor[i];
    return all;
}

static int64_t modulo(residues_signed value, int32_t p)
{
    return (int64_t)((value % p + p) % p);
}

static residues_signed large(uint64_t at)
{
    const residues_wide high = inputs_bits(SEED, STREAM_LARGE, 2 * at);
    return (residues_signed)(high << 64 | inputs_bits(SEED, STREAM_LARGE, 2 * at + 1));
}

/* What a product of one modulus makes of one element of A and one of B. */
static int32_t byte_of(double integer, const struct residues *of, int i)
{
    return (int8_t)residues_of_integer(integer, of->modulus[i], of->inverse[i]);
}

TEST(test_the_largest_sums_have_one_value)
{
    for (int count = RESIDUES_LEAST; count <= RESIDUES_MOST; count++)
        for (int i = 0; i < SIZES; i++) {
            const struct residues of = residues_plan(count, terms[i]);
            const residues_wide most = (residues_wide)terms[i] << (of.bits_a + of.bits_b);
            assert_true(most < product_of(&of) / 2);
            assert_true(of.bits_a <= RESIDUES_BITS && of.bits_b <= of.bits_a);
            /* Another bit would not fit, unless f64 cannot round to so many. */
            assert_true(of.bits_b == RESIDUES_BITS || 2 * most > product_of(&of) / 2 - product_of(&of) / 32);
        }
}

TEST(test_a_residue_of_an_integer_is_a_byte)
{
    const struct residues of = residues_plan(RESIDUES_MOST, 64);
    for (int i = 0; i < of.count; i++)
        for (int64_t at = 0; at < 20000; at++) {
            const int64_t most = INT64_C(1) << RESIDUES_BITS;
            const int64_t x = at < 1000   ? at - 500
                              : at < 2000 ? most - at + 1000
                              : at < 3000 ? at - 2000 - most
                                          : inputs_integer(SEED, STREAM_A, (uint64_t)at, -most, most);
            assert_int_equal(modulo(byte_of((double)x, &of, i), of.divisor[i]), modulo(x, of.divisor[i]));
        }
}

TEST(test_a_residue_of_a_sum_is_a_byte)
{
    const struct residues of = residues_plan(RESIDUES_MOST, RESIDUES_MOST_K);
    const int64_t most = (int64_t)RESIDUES_MOST_K << 14;
    for (int i = 0; i < of.count; i++)
        for (int64_t at = 0; at < 20000; at++) {
            const int64_t sum = at < 1000   ? at - 500
                                : at < 2000 ? most - at + 1000
                                : at < 3000 ? at - 2000 - most
                                            : inputs_integer(SEED, STREAM_B, (uint64_t)at, -most, most);
            const uint32_t residue = residues_of_sum((int32_t)sum, of.divisor[i], of.reciprocal[i]);
            assert_true(residue <= UINT8_MAX);
            assert_int_equal(modulo(residue, of.divisor[i]), modulo(sum, of.divisor[i]));
        }
}

/* Each value comes back as the nearest f64: an integer that f64 holds is exact, and so is 0. */
TEST(test_a_value_follows_from_its_residues)
{
    for (int count = RESIDUES_LEAST; count <= RESIDUES_MOST; count++) {
        const struct residues of = residues_plan(count, 8192);
        const residues_signed most = (residues_signed)(product_of(&of) / 100 * 49);
        for (int64_t at = 0; at < 20000; at++) {
            const residues_signed small = at - 500, any = large((uint64_t)at) % most;
            const residues_signed value = at < 1000   ? small
                                          : at < 2000 ? most - at
                                          : at < 3000 ? at - most
                                                      : any >> at % 100;
            struct residues_sum sum = {{0}};
            for (int i = 0; i < count; i++)
                residues_add(&sum, (uint32_t)modulo(value, of.divisor[i]), of.weight[i]);
            const double found = residues_value(&sum, &of), wanted = (double)value;
            if (value == (residues_signed)wanted)
                assert_true(found == wanted);
            else
                assert_true(fabs(found - wanted) <= 0x1p-52 * fabs(wanted));
        }
    }
}

/* The whole way of one entry of C, for uniform elements. They are multiples of 2^-52, so that integers of 128 bits hold
 * the right sum. */
TEST(test_a_sum_of_products_is_as_exact_as_in_f64)
{
    for (int count = RESIDUES_LEAST; count <= RESIDUES_MOST; count++)
        for (int size = 0; size < 3; size++) {
            const int64_t k = terms[size];
            const struct residues of = residues_plan(count, k);
            const double up_a = ldexp(1, of.bits_a), up_b = ldexp(1, of.bits_b);
            int32_t sums[RESIDUES_MOST] = {0};
            residues_signed exact = 0;
            double scale = 0;
            for (int64_t at = 0; at < k; at++) {
                const double a = inputs_uniform(SEED, STREAM_A, (uint64_t)at);
                const double b = inputs_uniform(SEED, STREAM_B, (uint64_t)at);
                exact += (residues_signed)(int64_t)(a * 0x1p52) * (int64_t)(b * 0x1p52);
                scale += fabs(a * b);
                for (int i = 0; i < count; i++)
                    sums[i] += byte_of(residues_integer(a, up_a), &of, i) * byte_of(residues_integer(b, up_b), &of, i);
            }
            struct residues_sum sum = {{0}};
            for (int i = 0; i < count; i++)
                residues_add(&sum, residues_of_sum(sums[i], of.divisor[i], of.reciprocal[i]), of.weight[i]);
            const double found = residues_value(&sum, &of) / up_a / up_b;
            const double error = fabs(found - (double)exact * 0x1p-104);
            assert_true(error <= (4 * sqrt((double)k) * 0x1p-53 + 2 * residues_roundoff(count)) * scale);
            /* The fewest moduli are worse, or the bound would tell nothing. */
            assert_true(count > RESIDUES_LEAST || error > 0x1p-52 * scale);
        }
}

TEST_MAIN(NULL, NULL)
