/* A journal is a text file of checksummed lines that only grows.
 * SPDX-License-Identifier: MIT */
#include "journal.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CRC_DIGITS = 8, HEAD = CRC_DIGITS + 1 };

static const char digit[] = "0123456789abcdef";

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

static void print_crc(char to[CRC_DIGITS], uint32_t crc)
{
    for (int i = 0; i < CRC_DIGITS; i++)
        to[i] = digit[crc >> (28 - 4 * i) & 15];
}

static bool is_sound(const char *line, size_t length)
{
    char crc[CRC_DIGITS];
    if (length < HEAD || line[CRC_DIGITS] != '\t')
        return false;
    print_crc(crc, journal_crc(line + HEAD, length - HEAD));
    return memcmp(crc, line, CRC_DIGITS) == 0;
}

int journal_open(struct journal *journal, const char *path, bool read_only)
{
    *journal = (struct journal){.path = strdup(path), .fd = -1, .read_only = read_only};
    if (!journal->path)
        return -1;
    /* O_CLOEXEC: a worker must not keep the lock after its runner has ended. */
    journal->fd = open(path, read_only ? O_RDONLY | O_CLOEXEC : O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (journal->fd < 0 && read_only && errno == ENOENT)
        return 0;
    if (journal->fd >= 0 && (read_only || flock(journal->fd, LOCK_EX | LOCK_NB) == 0))
        return 0;
    const int error = errno;
    journal_close(journal);
    errno = error;
    return -1;
}

/* Maps at least the first `size` bytes of the file. */
static int map(struct journal *journal, size_t size)
{
    if (size <= journal->mapped)
        return 0;
    void *text = journal->text ? mremap(journal->text, journal->mapped, size, MREMAP_MAYMOVE)
                               : mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, journal->fd, 0);
    if (text == MAP_FAILED)
        return -1;
    journal->text = text;
    journal->mapped = size;
    return 0;
}

int journal_load(struct journal *journal, journal_function *take, void *context)
{
    struct stat file;
    if (journal->fd < 0)
        return 0;
    if (fstat(journal->fd, &file) != 0 || map(journal, (size_t)file.st_size) != 0)
        return -1;
    if (file.st_size == 0)
        return 0;

    /* Text after the last line feed is never read: a runner that opens the file may cut it off. */
    const char *last = memrchr(journal->text, '\n', (size_t)file.st_size);
    const size_t whole = last ? (size_t)(last - journal->text) + 1 : 0;
    size_t number = 1;
    for (size_t from = 0, to; from < whole; from = to, number++) {
        const char *line = journal->text + from;
        to = (size_t)((const char *)memchr(line, '\n', whole - from) - journal->text) + 1;
        const size_t length = to - from - 1;
        const bool sound = is_sound(line, length);
        if (sound)
            journal->end = to;
        if (!sound || !take(context, from + HEAD, line + HEAD, length - HEAD))
            fprintf(stderr, "%s:%zu: warning: %s line left out; its cell counts as not measured\n", journal->path,
                    number, sound ? "unknown" : "damaged");
    }
    if (journal->read_only || journal->end == (size_t)file.st_size)
        return 0;
    return ftruncate(journal->fd, (off_t)journal->end) != 0 || fdatasync(journal->fd) != 0 ? -1 : 0;
}

static int write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t part = write(fd, bytes, length);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        bytes += part;
        length -= (size_t)part;
    }
    return 0;
}

int journal_append(struct journal *journal, const struct journal_body *body, size_t count, bool sync, size_t *offset)
{
    if (journal->read_only) {
        errno = EROFS;
        return -1;
    }
    size_t size = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        size += HEAD + body[i].length + 1;
    char *lines = malloc(size);
    if (!lines)
        return -1;
    for (size_t i = 0; i < count; i++) {
        print_crc(lines + used, journal_crc(body[i].text, body[i].length));
        lines[used + CRC_DIGITS] = '\t';
        *offset = journal->end + used + HEAD;
        memcpy(lines + used + HEAD, body[i].text, body[i].length);
        used += HEAD + body[i].length;
        lines[used++] = '\n';
    }
    const bool failed = write_all(journal->fd, lines, size) != 0 || (sync && fdatasync(journal->fd) != 0);
    const int error = errno;
    free(lines);
    if (!failed) {
        journal->end += size;
        return 0;
    }
    /* Half a line must not run into the next line. If it cannot be removed, nothing may follow it. */
    if (ftruncate(journal->fd, (off_t)journal->end) != 0)
        journal->read_only = true;
    errno = error;
    return -1;
}

const char *journal_text(struct journal *journal, size_t offset, size_t length)
{
    return map(journal, offset + length) == 0 ? journal->text + offset : NULL;
}

void journal_close(struct journal *journal)
{
    if (journal->text)
        munmap(journal->text, journal->mapped);
    if (journal->fd >= 0)
        close(journal->fd);
    free(journal->path);
    *journal = (struct journal){.fd = -1};
}
