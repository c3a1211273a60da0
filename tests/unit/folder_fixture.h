/* A folder of its own for each test, or for all tests of a program, and files in it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_FOLDER_FIXTURE_H
#define TILELAB_TESTS_FOLDER_FIXTURE_H

#include "test.h"

extern char folder[64];

int make_folder(void **state);
int remove_folder(void **state);

/* Writes a file of the folder, with the folders above it. */
void put(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Compiles tests/unit/fake/FAKE.c to a shared object of the folder. Returns 0 if that succeeds. */
int compile_fake(const char *fake, const char *object);

#endif
