/* A folder of its own for each test, or for all tests of a program, and files in it.
 * SPDX-License-Identifier: MIT */
#include "folder_fixture.h"
#include "base/folder.h"

#include <unistd.h>

char folder[64];

int make_folder(void **state)
{
    (void)state;
    /* Some tests sync thousands of times, so the folder lies in memory if possible. */
    snprintf(folder, sizeof folder, "%s/tilelab-test-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

int remove_folder(void **state)
{
    (void)state;
    folder_remove(folder);
    return 0;
}

void put(const char *path, const char *format, ...)
{
    char full[512];
    va_list args;
    snprintf(full, sizeof full, "%s/%s", folder, path);
    char *const name = strrchr(full, '/');
    *name = '\0';
    assert_true(folder_make(full));
    *name = '/';
    FILE *const file = fopen(full, "we");
    assert_non_null(file);
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    assert_int_equal(fclose(file), 0);
}

int compile_fake(const char *fake, const char *object)
{
    char command[1024];
    const int here = (int)(strrchr(__FILE__, '/') - __FILE__);
    snprintf(command, sizeof command,
             "cc -std=c11 -D_GNU_SOURCE -shared -fPIC -I%.*s/../../src -o %s/%s %.*s/fake/%s.c", here, __FILE__, folder,
             object, here, __FILE__, fake);
    return system(command);
}
