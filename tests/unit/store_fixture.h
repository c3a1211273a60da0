/* What the tests of the store share: a folder of its own for each test, and results to put there.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_STORE_FIXTURE_H
#define TILELAB_STORE_FIXTURE_H

#include "folder_fixture.h"

#include "cell.h"
#include "results/store.h"

/* The files of experiment "test" in the folder, and the line that store_open gave. */
extern char journal[128], results[128], samples[128], history[128], archive[128], why[512];

int make_store(void **state);
#define TEST_IN_FOLDER(name) TEST_AROUND(name, make_store, remove_folder)

/* Opens the store of the folder, which must succeed. */
struct store *open_store(bool read_only);
/* A whole file; valid until the next call. */
char *contents(const char *path, size_t *size);
void overwrite(const char *path, const char *text, size_t size);

/* A result with a value in every field, different for each `seed`. It owns its samples. */
struct result make_result(int seed);
/* Ids of the results made from seeds 0 .. count - 1. */
const char (*ids(int count))[CELL_ID_SIZE];
/* Exports the results made from seeds 0 .. count - 1, which must succeed. Returns whether a file changed. */
bool export_cells(struct store *store, int count);
void append(struct store *store, int seed);
/* Asserts that the store has exactly the result made from a seed. If it is not expected, the store must have none of
 * that identity. */
void assert_has(const struct store *store, int seed, bool expected);
/* Asserts that two results are equal to the bit, except for the samples, which a store does not load. */
void assert_same_result(const struct result *a, const struct result *b);

#endif
