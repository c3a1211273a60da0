/* Folders and media that cannot be written, that are full, or that fill up.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "store_fixture.h"
#include "test.h"

#include <errno.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

TEST_IN_FOLDER(folders_that_cannot_be_used_say_why)
{
    char file[128], below[192];
    snprintf(file, sizeof file, "%s/file", folder);
    overwrite(file, "x", 1);
    snprintf(below, sizeof below, "%s/data", file);
    assert_null(store_open(below, "test", false, why, sizeof why));
    assert_non_null(strstr(why, below));
    assert_non_null(strstr(why, "Not a directory"));
    assert_non_null(strstr(why, "--data"));
    assert_null(strchr(why, '\n'));

    snprintf(below, sizeof below, "%s/none", folder);
    assert_null(store_open(below, "test", true, why, sizeof why));
    assert_non_null(strstr(why, below));
    struct stat none;
    assert_int_not_equal(stat(below, &none), 0); /* a reader makes no folder */

    assert_null(store_open("/proc/tilelab", "test", false, why, sizeof why));
    assert_non_null(strstr(why, "/proc/tilelab"));
}

TEST_IN_FOLDER(a_store_read_only_refuses_to_write)
{
    struct store *store = open_store(true); /* the folder exists, but holds no journal */
    struct result result = make_result(0);
    bool changed;
    assert_has(store, 0, false);
    errno = 0;
    assert_int_not_equal(store_append(store, &result), 0);
    assert_int_equal(errno, EROFS);
    assert_int_not_equal(store_export(store, ids(1), 1, &changed), 0);
    store_close(store);
    result_clear(&result);
}

/* Mounts a small medium at `folder`. Skips the test where mounting is not permitted. */
static void mount_small(const char *size)
{
    if (mount("tmpfs", folder, "tmpfs", 0, size) != 0)
        skip_because("nothing can be mounted here");
}

TEST_IN_FOLDER(a_full_medium_is_found_before_measuring)
{
    mount_small("size=32k");
    struct store *store = store_open(folder, "test", false, why, sizeof why);
    umount(folder);
    assert_null(store);
    assert_non_null(strstr(why, "No space left"));
    assert_non_null(strstr(why, folder));
}

/* The medium fills up during the run, and then gets room. The line that did not fit leaves no trace; the lines before
 * and after it stay. */
TEST_IN_FOLDER(a_medium_that_fills_up_loses_nothing_kept)
{
    mount_small("size=160k");
    char ballast[128];
    static const char block[48 * 1024];
    snprintf(ballast, sizeof ballast, "%s/ballast", folder);
    overwrite(ballast, block, sizeof block);
    struct store *store = store_open(folder, "test", false, why, sizeof why);
    int count = 0, error = 0;
    while (store && !error && count < 1000) {
        struct result result = make_result(count);
        error = store_append(store, &result) ? errno : 0;
        count += !error;
        result_clear(&result);
    }
    unlink(ballast);
    struct result late = make_result(count);
    const int refused = store ? store_append(store, &late) : -1;
    result_clear(&late);
    store_close(store);

    store = store_open(folder, "test", true, why, sizeof why);
    int found = 0;
    for (int i = 0; store && i <= count; i++) {
        char id[CELL_ID_SIZE];
        snprintf(id, sizeof id, "%016x", (unsigned)i);
        found += store_find(store, id) != NULL;
    }
    store_close(store);
    umount(folder);
    assert_int_equal(error, ENOSPC);
    assert_int_equal(refused, 0);
    assert_true(count > 10);
    assert_int_equal(found, count + 1);
}

TEST_IN_FOLDER(a_read_only_medium_is_found_before_measuring)
{
    mount_small("size=1m");
    struct store *store = store_open(folder, "test", false, why, sizeof why);
    append(store, 0);
    store_close(store);
    const bool remounted = mount("tmpfs", folder, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0;
    why[0] = '\0';
    struct store *writer = store_open(folder, "test", false, why, sizeof why);
    char failure[sizeof why];
    strcpy(failure, why);
    struct store *reader = store_open(folder, "test", true, why, sizeof why);
    const bool readable = reader && store_find(reader, ids(1)[0]);
    store_close(reader);
    store_close(writer);
    umount(folder);
    if (!remounted)
        skip_because("nothing can be mounted anew here");
    assert_null(writer);
    assert_non_null(strstr(failure, "Read-only"));
    assert_true(readable);
}

TEST_IN_FOLDER(rewrite_tells_of_a_full_medium)
{
    struct store *store = open_store(false);
    append(store, 0);
    FILE *full = fopen("/dev/full", "we");
    if (!full)
        skip_because("there is no /dev/full");
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(store_print(store, full), 0);
    assert_int_equal(errno, ENOSPC);
    fclose(full);
    store_close(store);
}
