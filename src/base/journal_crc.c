/* The checksum of a journal's lines.
 * SPDX-License-Identifier: MIT */
#include "journal.h"

#include <endian.h>
#include <string.h>

/* CRC-32 (IEEE 802.3), eight bytes a step. table[k][b] is the remainder of byte b followed by k zero bytes. */
uint32_t journal_crc(const char *bytes, size_t length)
{
    static uint32_t table[8][256];
    if (!table[0][1]) {
        for (uint32_t b = 0; b < 256; b++) {
            uint32_t r = b;
            for (int bit = 0; bit < 8; bit++)
                r = r & 1 ? r >> 1 ^ 0xedb88320u : r >> 1;
            table[0][b] = r;
        }
        for (int k = 1; k < 8; k++)
            for (int b = 0; b < 256; b++)
                table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 0xff];
    }
    uint32_t crc = 0xffffffffu;
    for (; length >= 8; bytes += 8, length -= 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        word = le64toh(word) ^ crc;
        crc = table[7][word & 0xff] ^ table[6][word >> 8 & 0xff] ^ table[5][word >> 16 & 0xff] ^
              table[4][word >> 24 & 0xff] ^ table[3][word >> 32 & 0xff] ^ table[2][word >> 40 & 0xff] ^
              table[1][word >> 48 & 0xff] ^ table[0][word >> 56];
    }
    for (; length > 0; bytes++, length--)
        crc = crc >> 8 ^ table[0][(crc ^ (unsigned char)*bytes) & 0xff];
    return ~crc;
}
