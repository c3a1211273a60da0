/* The arithmetic of products from residues, for the device and for the tests of a CPU. A product of matrices of
 * integers is computed modulo several coprime numbers below 257, and follows from its residues by the Chinese remainder
 * theorem.
 * SPDX-License-Identifier: MIT
 *
 * An element x of a row becomes the integer nearest to x 2^(bits - e), where all elements of the row are below 2^e. So
 * all sums of k products stay below half of the product P of the moduli. A sum is S - q P, where S adds the residues
 * times weights. Weights and P consist of three digits of 40 bits, so that f64 holds all sums of digits exactly. */
#ifndef TILELAB_COMMON_RESIDUES_H
#define TILELAB_COMMON_RESIDUES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define RESIDUES_BOTH static __host__ __device__ inline
#else
#define RESIDUES_BOTH static inline
#endif

enum {
    RESIDUES_LEAST = 12, /* moduli */
    RESIDUES_MOST = 15,
    RESIDUES_BITS = 51,        /* of an integer at most: f64 then rounds to integers by an addition */
    RESIDUES_MOST_K = 1 << 16, /* tensor cores sum k products of 2^14 at most in 32 bits */
    RESIDUES_RANGE = 400,      /* rows whose largest element is beyond 2^400 or below 2^-400 are not scaled */
    RESIDUES_CLIPPED = 256,    /* the unit in which elements up to the mean are summed is the mean over this */
};

/* What kernels need of one set of moduli, for sums of k products. */
struct residues {
    int count, bits_a, bits_b;
    double modulus[RESIDUES_MOST], inverse[RESIDUES_MOST]; /* of elements */
    int32_t divisor[RESIDUES_MOST], reciprocal[RESIDUES_MOST];
    double weight[RESIDUES_MOST][3], product[3], inverse_product; /* digits, the highest first */
    double most_crest; /* how often 2^e may hold the mean of the absolute values of a row */
};

__extension__ typedef unsigned __int128 residues_wide;
__extension__ typedef __int128 residues_signed;

/* The lowest bits of 1.5 2^52 + x are the integer x, rounded. */
#define RESIDUES_ROUND 0x1.8p52

static inline void residues_digits(residues_signed value, double digit[3])
{
    const residues_signed base = (residues_signed)1 << 40;
    for (int i = 2; i >= 0; i--) {
        residues_signed low = i > 0 ? value % base : value;
        if (i > 0 && low >= base / 2)
            low -= base;
        else if (i > 0 && low < -base / 2)
            low += base;
        digit[i] = (double)low;
        value = (value - low) / base;
    }
}

/* With fewer moduli than these, the bound of f64 does not hold. One more keeps the errors of dgemm where the largest
 * element of a row lies far above the others, as it does among normal random numbers. */
enum { RESIDUES_F64 = 14 };

/* What an element may lose beside the roundoff of f64: a modulus less costs four bits of an element of A and of B. */
static inline double residues_roundoff(int64_t count)
{
    return count < RESIDUES_F64 ? ldexp(1, -43 + 4 * (int)(RESIDUES_F64 - 1 - count)) : 0;
}

/* Plans sums of k products with `count` moduli.
 *
 * Rounding to integers changes elements of A by 0.29 2^(e - bits) on average, so that six standard deviations of the
 * error of a sum are 1.74 sqrt(k) 2^-bits (2^e_a |b| + 2^e_b |a|), where |a| and |b| are quadratic means. If 2^e is at
 * most K times the mean of the absolute values, 1.74 sqrt(k) 2^-bits 2 K^1.5 times both means is an upper bound. The
 * sum of the products' absolute values is at least (0.65 + 0.65 - 1) k times both means if rows that are cut off at
 * their mean keep 0.65 of it on average. */
#define RESIDUES_LEAST_CLIPPED 0.65
static inline struct residues residues_plan(int count, int64_t k)
{
    /* The largest numbers that have no common factor. */
    static const int moduli[RESIDUES_MOST] = {256, 255, 253, 251, 247, 241, 239, 233,
                                              229, 227, 223, 217, 211, 199, 197};
    struct residues of = {.count = count};
    residues_wide all = 1;
    for (int i = 0; i < count; i++)
        all *= (residues_wide)moduli[i];
    for (int i = 0; i < count; i++) {
        const int p = moduli[i];
        const residues_wide others = all / (residues_wide)p;
        residues_wide weight = others;
        while (weight % (residues_wide)p != 1) /* at most p turns */
            weight += others;
        of.modulus[i] = p;
        of.inverse[i] = 1.0 / p;
        of.divisor[i] = p;
        of.reciprocal[i] = (int32_t)((((int64_t)1 << 38) + p / 2) / p);
        residues_digits(weight > all / 2 ? -(residues_signed)(all - weight) : (residues_signed)weight, of.weight[i]);
    }
    residues_digits((residues_signed)all, of.product);
    of.inverse_product = 1 / (double)all;
    const int bits = (int)floor(log2(0.49 * (double)all / (double)k));
    of.bits_a = bits / 2 + bits % 2 < RESIDUES_BITS ? bits / 2 + bits % 2 : RESIDUES_BITS;
    of.bits_b = bits / 2 < RESIDUES_BITS ? bits / 2 : RESIDUES_BITS;
    const int bits_least = of.bits_b < of.bits_a ? of.bits_b : of.bits_a;
    const double allowed = 4 * sqrt((double)k) * 0x1p-53 + 2 * residues_roundoff(count);
    of.most_crest = pow(allowed * 0.3 * sqrt((double)k) * ldexp(1, bits_least) / (2 * 1.74), 2.0 / 3);
    return of;
}

/* The integer of an element, whose row has the factor `up`. */
RESIDUES_BOTH double residues_integer(double x, double up)
{
    return (x * up + RESIDUES_ROUND) - RESIDUES_ROUND;
}

RESIDUES_BOTH uint32_t residues_low_word(double x)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__double2loint(x);
#else
    union {
        double real;
        uint64_t bits;
    } both = {x};
    return (uint32_t)both.bits;
#endif
}

/* The residue of an integer in the lowest byte, as a signed number. The error of the quotient cannot reach another
 * residue, as an integer has at most RESIDUES_BITS bits. */
RESIDUES_BOTH uint32_t residues_of_integer(double integer, double modulus, double inverse)
{
    const double quotient = fma(integer, inverse, RESIDUES_ROUND) - RESIDUES_ROUND;
    return residues_low_word(fma(-modulus, quotient, integer) + RESIDUES_ROUND);
}

/* A residue of a sum of products of residues, from 0 to the divisor, which stands for 0. */
RESIDUES_BOTH uint32_t residues_of_sum(int32_t sum, int32_t divisor, int32_t reciprocal)
{
#ifdef __CUDA_ARCH__
    const int32_t quotient = __mulhi(sum, reciprocal) >> 6;
#else
    const int32_t quotient = (int32_t)(((int64_t)sum * reciprocal) >> 38);
#endif
    return (uint32_t)(sum - quotient * divisor);
}

/* A sum of products, while residues are added. */
struct residues_sum {
    double digit[3];
};

RESIDUES_BOTH void residues_add(struct residues_sum *sum, uint32_t residue, const double weight[3])
{
#ifdef __CUDA_ARCH__
    const double x = __hiloint2double(0x43300000, (int)residue) - 0x1p52;
#else
    const double x = residue;
#endif
    for (int i = 0; i < 3; i++)
        sum->digit[i] = fma(x, weight[i], sum->digit[i]);
}

/* The integer that has these residues and lies between -P/2 and P/2, rounded to f64. */
RESIDUES_BOTH double residues_value(const struct residues_sum *sum, const struct residues *of)
{
    const double base = 0x1p40, base2 = 0x1p80;
    const double *const s = sum->digit;
    const double quotient = fma(fma(s[0], base2, s[1] * base), of->inverse_product, RESIDUES_ROUND) - RESIDUES_ROUND;
    const double high = fma(-quotient, of->product[0], s[0]) * base2;
    const double middle = fma(-quotient, of->product[1], s[1]) * base;
    const double low = fma(-quotient, of->product[2], s[2]);
    const double most = high + middle, moved = most - high; /* Knuth's exact sum of two numbers */
    const double rest = (high - (most - moved)) + (middle - moved);
    return most + (rest + low);
}

#endif
