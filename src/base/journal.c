/* A journal is a text file of checksummed lines that only grows.
 * SPDX-License-Identifier: MIT */
#include "journal_parts.h"
#include "file.h"
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char digit[] = "0123456789abcdef";

void journal_print_crc(char to[JOURNAL_CRC_DIGITS], uint32_t crc)
{
    for (int i = 0; i < JOURNAL_CRC_DIGITS; i++)
        to[i] = digit[crc >> (28 - 4 * i) & 15];
}

bool journal_is_sound(const char *line, size_t length)
{
    char crc[JOURNAL_CRC_DIGITS];
    if (length < JOURNAL_HEAD || line[JOURNAL_CRC_DIGITS] != '\t')
        return false;
    journal_print_crc(crc, journal_crc(line + JOURNAL_HEAD, length - JOURNAL_HEAD));
    return memcmp(crc, line, JOURNAL_CRC_DIGITS) == 0;
}

/* Tells once on stderr what another program did to the file. `offset` is that of a line, or -1. */
static void complain(struct journal *journal, off_t offset, const char *text)
{
    if (journal->has_complained)
        return;
    journal->has_complained = true;
    char block[4096];
    size_t number = 1;
    for (off_t at = 0; at < offset;) {
        const size_t wanted = offset - at < (off_t)sizeof block ? (size_t)(offset - at) : sizeof block;
        const ssize_t part = pread(journal->fd, block, wanted, at);
        if (part <= 0)
            break;
        for (ssize_t i = 0; i < part; i++)
            number += block[i] == '\n';
        at += part;
    }
    if (offset >= 0)
        fprintf(stderr, "%s:%zu: error: %s\n", journal->path, number, text);
    else
        fprintf(stderr, "%s: error: %s\n", journal->path, text);
}

/* Whether the path names the open file: 1, 0, or -1 with errno set where this cannot be told. */
static int is_file_of(int fd, const char *path)
{
    struct stat open_file, named;
    if (fstat(fd, &open_file) != 0)
        return -1;
    if (lstat(path, &named) != 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    return open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

/* Opens and locks the file that the path names. Returns 1, 0 where the former owner has replaced the file meanwhile, or
 * -1 on failure. */
static int open_locked(struct journal *journal)
{
    /* O_CLOEXEC: a worker must not keep the lock after its runner has ended. A child that a runner has just started
     * holds the lock until it becomes another program or ends. So the lock of a killed runner may last a moment. */
    enum { TRIES = 25, PAUSE_MS = 20 };
    journal->fd = regular_descriptor(journal->path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW);
    if (journal->fd < 0)
        return -1;
    for (int tries = 0; flock(journal->fd, LOCK_EX | LOCK_NB) != 0; tries++) {
        if (errno != EWOULDBLOCK || tries == TRIES)
            return -1;
        poll(NULL, 0, PAUSE_MS);
        errno = EWOULDBLOCK;
    }
    return is_file_of(journal->fd, journal->path);
}

int journal_open(struct journal *journal, const char *path, bool read_only)
{
    enum { ATTEMPTS = 10 };
    *journal = (struct journal){.path = strdup(path), .fd = -1, .read_only = read_only};
    int opened = journal->path ? 0 : -1;
    if (read_only && opened == 0) {
        journal->fd = regular_descriptor(path, O_RDONLY | O_NOFOLLOW);
        opened = journal->fd >= 0 || errno == ENOENT ? 1 : -1;
    }
    for (int i = 0; opened == 0; i++) {
        opened = open_locked(journal);
        if (opened == 0) {
            close(journal->fd);
            journal->fd = -1;
        }
        if (opened == 0 && i == ATTEMPTS) {
            errno = ESTALE;
            opened = -1;
        }
    }
    if (opened > 0)
        return 0;
    const int error = errno;
    journal_close(journal);
    errno = error;
    return -1;
}

/* Takes the lock of a file that is there, and gives it back. Returns false with errno set if it cannot be taken. */
static bool try_lock(const char *path, int how)
{
    const int fd = regular_descriptor(path, O_RDONLY | O_NOFOLLOW);
    const bool taken = fd >= 0 && flock(fd, how) == 0;
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return taken;
}

bool journal_is_held(const char *path)
{
    return !try_lock(path, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
}

void journal_await(const char *path)
{
    (void)try_lock(path, LOCK_SH);
}

/* Reads the file from `offset` into journal->text: at least `least` bytes unless the file ends before, and many more
 * where the calls go through the file in order. The file is not mapped: a program that reads a mapped file ends when
 * another program cuts the file. */
static int hold(struct journal *journal, size_t offset, size_t least)
{
    enum { STEP = 1 << 13, STRIDE = 1 << 18 };
    const size_t end = journal->at + journal->held;
    if (offset >= journal->at && offset + least <= end)
        return 0;
    const bool is_next = end > 0 && offset >= journal->at && offset <= end;
    const size_t twice = 2 * journal->held > STEP ? 2 * journal->held : STEP;
    const size_t wanted = least + (!is_next ? STEP : twice < STRIDE ? twice : STRIDE);
    if (wanted > journal->room) {
        char *text = realloc(journal->text, wanted);
        if (!text)
            return -1;
        journal->text = text;
        journal->room = wanted;
    }
    const ssize_t got = file_take(journal->fd, journal->text, wanted, (off_t)offset);
    journal->at = offset;
    journal->held = got < 0 ? 0 : (size_t)got;
    return got < 0 ? -1 : 0;
}

ssize_t journal_line_at(struct journal *journal, size_t offset, const char **line)
{
    for (size_t least = 1;; least *= 2) {
        if (hold(journal, offset, least) != 0)
            return -1;
        const size_t behind = offset - journal->at;
        const size_t held = journal->held > behind ? journal->held - behind : 0;
        *line = journal->text + behind;
        const char *feed = held > 0 ? memchr(*line, '\n', held) : NULL;
        if (feed)
            return feed - *line + 1;
        if (held < least)
            return 0;
        least = held;
    }
}

int journal_load(struct journal *journal, journal_function *take, void *context)
{
    const char *line;
    size_t number = 1, from = 0;
    ssize_t size;
    struct stat file;
    if (journal->fd < 0)
        return 0;
    journal->damaged = journal->unknown = (struct journal_refuse){0};
    for (; (size = journal_line_at(journal, from, &line)) > 0; from += (size_t)size, number++) {
        const size_t length = (size_t)size - 1;
        const bool sound = journal_is_sound(line, length);
        if (sound && take(context, from + JOURNAL_HEAD, line + JOURNAL_HEAD, length - JOURNAL_HEAD))
            continue;
        struct journal_refuse *refuse = sound ? &journal->unknown : &journal->damaged;
        refuse->lines++;
        refuse->bytes += (size_t)size;
        if (!journal->has_warned)
            fprintf(stderr, "%s:%zu: warning: %s line left out\n", journal->path, number,
                    sound ? "unknown" : "damaged");
    }
    journal->has_warned = true; /* a second load finds the same lines */
    journal->end = from;
    /* Text after the last line feed is never read: a runner that opens the file may cut it off. */
    if (size < 0 || fstat(journal->fd, &file) != 0)
        return -1;
    if (journal->read_only || from == (size_t)file.st_size)
        return 0;
    return ftruncate(journal->fd, (off_t)from) != 0 || fdatasync(journal->fd) != 0 ? -1 : 0;
}

int journal_check(struct journal *journal)
{
    struct stat file;
    if (fstat(journal->fd, &file) != 0)
        return -1;
    if ((size_t)file.st_size < journal->end) {
        complain(journal, -1, "another program cut the journal while this one held it");
        errno = EBADMSG;
        return -1;
    }
    const int same = is_file_of(journal->fd, journal->path);
    if (same == 0) {
        complain(journal, -1, "another program removed or replaced the journal while this one held it");
        errno = ESTALE;
    }
    return same > 0 ? 0 : -1;
}

/* The lines of the bodies, after a line feed if `feed` says so. The caller frees the text; NULL without memory. *last
 * is set to the place of the last body. */
static char *print_lines(const struct journal_body *body, size_t count, bool feed, size_t *size, size_t *last)
{
    size_t used = feed;
    for (size_t i = 0; i < count; i++)
        used += JOURNAL_HEAD + body[i].length + 1;
    char *lines = malloc(used + 1);
    *size = used;
    if (!lines)
        return NULL;
    used = feed;
    lines[0] = '\n';
    for (size_t i = 0; i < count; i++) {
        journal_print_crc(lines + used, journal_crc(body[i].text, body[i].length));
        lines[used + JOURNAL_CRC_DIGITS] = '\t';
        *last = used + JOURNAL_HEAD;
        memcpy(lines + used + JOURNAL_HEAD, body[i].text, body[i].length);
        used += JOURNAL_HEAD + body[i].length;
        lines[used++] = '\n';
    }
    return lines;
}

/* Removes what a failed write has left, so that half a line does not run into the next line. */
static void undo(struct journal *journal, size_t before, size_t most)
{
    struct stat file;
    if (fstat(journal->fd, &file) != 0 || (size_t)file.st_size > before + most)
        return; /* another program wrote behind it: the next line begins with a line feed if it must */
    if (ftruncate(journal->fd, (off_t)before) != 0)
        journal->read_only = true;
}

int journal_append(struct journal *journal, const struct journal_body *body, size_t count, bool sync, size_t *offset)
{
    struct stat file;
    if (journal->read_only) {
        errno = EROFS;
        return -1;
    }
    if (journal_check(journal) != 0 || fstat(journal->fd, &file) != 0)
        return -1;
    /* Another program may have added text that does not end with a line feed. */
    const size_t before = (size_t)file.st_size;
    char final = '\n';
    if (before > journal->end && file_take(journal->fd, &final, 1, (off_t)before - 1) < 0)
        return -1;
    size_t size, last = 0;
    char *lines = print_lines(body, count, final != '\n', &size, &last);
    if (!lines)
        return -1;
    const bool failed = file_put(journal->fd, lines, size) != 0 || (sync && fdatasync(journal->fd) != 0);
    const int error = errno;
    free(lines);
    /* The file tells where O_APPEND has put the lines: another program may have added some meanwhile. */
    const off_t end = failed ? -1 : lseek(journal->fd, 0, SEEK_CUR);
    if (end >= 0) {
        journal->end = (size_t)end;
        *offset = (size_t)end - size + last;
        return 0;
    }
    undo(journal, before, size);
    errno = error;
    return -1;
}

const char *journal_text(struct journal *journal, size_t offset, size_t length)
{
    if (hold(journal, offset - JOURNAL_HEAD, JOURNAL_HEAD + length + 1) != 0)
        return NULL;
    const char *line = journal->text + (offset - JOURNAL_HEAD - journal->at);
    if (offset + length + 1 <= journal->at + journal->held && line[JOURNAL_HEAD + length] == '\n' &&
        journal_is_sound(line, JOURNAL_HEAD + length))
        return line + JOURNAL_HEAD;
    complain(journal, (off_t)(offset - JOURNAL_HEAD),
             "another program changed this line while this one held the journal");
    errno = EBADMSG;
    return NULL;
}

void journal_refresh(struct journal *journal)
{
    journal->held = 0;
}

void journal_close(struct journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    free(journal->text);
    free(journal->path);
    *journal = (struct journal){.fd = -1};
}
