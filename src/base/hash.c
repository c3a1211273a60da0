/* SHA-256 of memory and files, as lower-case hexadecimal.
 * SPDX-License-Identifier: MIT */
#include "hash.h"

#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include <sha2.h>

static void finish(SHA2_CTX *context, char *hex, size_t digits)
{
    static const char digit[] = "0123456789abcdef";
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Final(bytes, context);
    if (digits > HASH_DIGITS)
        digits = HASH_DIGITS;
    for (size_t i = 0; i < digits; i++)
        hex[i] = digit[i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2] & 15];
    hex[digits] = '\0';
}

void hash_hex(const void *data, size_t size, char *hex, size_t digits)
{
    SHA2_CTX context;
    SHA256Init(&context);
    if (size > 0)
        SHA256Update(&context, data, size);
    finish(&context, hex, digits);
}

bool hash_file(const char *path, char *hex, size_t digits)
{
    uint8_t buffer[65536];
    ssize_t got = -1;
    SHA2_CTX context;
    hex[0] = '\0';
    const int file = regular_descriptor(path, O_RDONLY);
    if (file < 0)
        return false;
    SHA256Init(&context);
    while ((got = read(file, buffer, sizeof buffer)) != 0) {
        if (got > 0)
            SHA256Update(&context, buffer, (size_t)got);
        else if (errno != EINTR)
            break;
    }
    const int failure = errno;
    close(file);
    errno = failure;
    if (got != 0)
        return false;
    finish(&context, hex, digits);
    return true;
}
