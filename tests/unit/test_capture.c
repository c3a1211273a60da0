/* What a worker prints is kept up to a limit.
 * SPDX-License-Identifier: MIT */
#include "protocol/capture.h"
#include "test.h"

#include <unistd.h>

static void put(int fd, const char *text)
{
    assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

TEST(lines_are_told)
{
    char text[16];
    const int fd = capture_open("test");
    assert_true(fd >= 0);
    assert_int_equal(capture_length(fd), 0);
    capture_first_line(fd, text, sizeof text);
    assert_string_equal(text, "");
    capture_last_line(fd, text, sizeof text);
    assert_string_equal(text, "");
    put(fd, "first\nin between\nthe last one is longer than its place\n\n");
    capture_first_line(fd, text, sizeof text);
    assert_string_equal(text, "first");
    capture_last_line(fd, text, sizeof text);
    assert_string_equal(text, "the last one is");
    capture_rewind(fd);
    assert_int_equal(capture_length(fd), 0);
    put(fd, "new");
    capture_first_line(fd, text, sizeof text);
    assert_string_equal(text, "new");
    capture_last_line(fd, text, sizeof text);
    assert_string_equal(text, "new");
    close(fd);
}

TEST(what_does_not_fit_is_lost)
{
    char page[4096], text[32];
    const int fd = capture_open("test"), copy = dup(fd);
    memset(page, 'x', sizeof page);
    page[sizeof page - 1] = '\n';
    for (size_t written = 0; written < CAPTURE_BYTES; written += sizeof page)
        assert_true(write(copy, page, sizeof page) == sizeof page);
    assert_true(write(copy, page, sizeof page) < 0);
    assert_true(ftruncate(fd, 1 << 20) < 0);
    assert_int_equal(capture_length(fd), CAPTURE_BYTES);
    capture_last_line(fd, text, sizeof text);
    assert_int_equal(strlen(text), sizeof text - 1);
    capture_rewind(fd);
    put(copy, "room again");
    capture_last_line(fd, text, sizeof text);
    assert_string_equal(text, "room again");
    close(fd);
    close(copy);
}
