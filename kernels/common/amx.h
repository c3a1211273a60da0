/* The tile instructions of AMX, which multiply small matrices: eight registers of 16 rows of 64 bytes. For CPU kernel
 * files. With AMX_EMULATED, or on another architecture, plain C does the same; a unit test runs a kernel in this way.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_AMX_H
#define TILELAB_COMMON_AMX_H

#include <stdint.h>
#include <string.h>

enum { AMX_ROWS = 16, AMX_ROW_BYTES = 64, AMX_TILE_BYTES = AMX_ROWS * AMX_ROW_BYTES };

#if defined(__x86_64__) && !defined(AMX_EMULATED)

/* Asks the kernel for the registers of tiles, for all threads of this process. Returns whether it gives them. */
static inline int amx_permitted(void)
{
    enum { SYS_ARCH_PRCTL = 158, ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    int64_t result = SYS_ARCH_PRCTL;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"((int64_t)ARCH_REQ_XCOMP_PERM), "S"((int64_t)XFEATURE_XTILEDATA)
                     : "rcx", "r11", "memory");
    return result == 0;
}

/* Gives all registers of the calling thread their full size. */
static inline void amx_begin(void)
{
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } shape = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        shape.row_bytes[i] = AMX_ROW_BYTES;
        shape.rows[i] = AMX_ROWS;
    }
    __asm__ volatile("ldtilecfg %0" : : "m"(shape));
}

static inline void amx_end(void)
{
    __asm__ volatile("tilerelease");
}

/* `tile` and the other registers are digits. Rows in memory lie `stride` bytes apart. */
#define AMX_ZERO(tile) __asm__ volatile("tilezero %%tmm" #tile : :)
#define AMX_LOAD(tile, from, stride) \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #tile : : "r"(from), "r"((int64_t)(stride)) : "memory")
#define AMX_STORE(tile, to, stride) \
    __asm__ volatile("tilestored %%tmm" #tile ", (%0,%1,1)" : : "r"(to), "r"((int64_t)(stride)) : "memory")
/* sum += a b in f32: rows of a hold 32 BF16 numbers, rows of b hold 16 pairs that lie below each other. The unit sums
 * the first numbers of all pairs and the second numbers on their own, and adds both sums to an element at last. */
#define AMX_DOT_BF16(sum, a, b) __asm__ volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #sum : :)
/* sum += a b modulo 2^32: rows of a hold 64 bytes, rows of b hold 16 groups of four that lie below each other. */
#define AMX_DOT_BYTES(sum, a, b) __asm__ volatile("tdpbuud %%tmm" #b ", %%tmm" #a ", %%tmm" #sum : :)

#else

static _Thread_local uint32_t amx_tile[8][AMX_ROWS][AMX_ROWS];

static inline int amx_permitted(void)
{
    return 1;
}

static inline void amx_begin(void)
{
    memset(amx_tile, 0xff, sizeof amx_tile);
}

static inline void amx_end(void)
{
}

static inline void amx_copy(void *to, int64_t to_stride, const void *from, int64_t from_stride)
{
    for (int i = 0; i < AMX_ROWS; i++)
        memcpy((char *)to + i * to_stride, (const char *)from + i * from_stride, AMX_ROW_BYTES);
}

static inline float amx_float(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline void amx_dot_bf16(int sum, int a, int b)
{
    for (int i = 0; i < AMX_ROWS; i++)
        for (int j = 0; j < AMX_ROWS; j++) {
            float even = 0, odd = 0;
            for (int l = 0; l < AMX_ROWS; l++) {
                const uint32_t x = amx_tile[a][i][l], y = amx_tile[b][l][j];
                even += amx_float(x << 16) * amx_float(y << 16);
                odd += amx_float(x & 0xffff0000) * amx_float(y & 0xffff0000);
            }
            const float total = amx_float(amx_tile[sum][i][j]) + (even + odd);
            memcpy(&amx_tile[sum][i][j], &total, sizeof total);
        }
}

static inline void amx_dot_bytes(int sum, int a, int b)
{
    for (int i = 0; i < AMX_ROWS; i++)
        for (int j = 0; j < AMX_ROWS; j++)
            for (int l = 0; l < AMX_ROWS; l++)
                for (int shift = 0; shift < 32; shift += 8)
                    amx_tile[sum][i][j] += (amx_tile[a][i][l] >> shift & 0xff) * (amx_tile[b][l][j] >> shift & 0xff);
}

#define AMX_ZERO(tile) memset(amx_tile[tile], 0, AMX_TILE_BYTES)
#define AMX_LOAD(tile, from, stride) amx_copy(amx_tile[tile], AMX_ROW_BYTES, from, stride)
#define AMX_STORE(tile, to, stride) amx_copy(to, stride, amx_tile[tile], AMX_ROW_BYTES)
#define AMX_DOT_BF16(sum, a, b) amx_dot_bf16(sum, a, b)
#define AMX_DOT_BYTES(sum, a, b) amx_dot_bytes(sum, a, b)

#endif

#endif
