/* What the fuzz targets share.
 * SPDX-License-Identifier: MIT
 *
 * A target is a file tests/fuzz/fuzz_NAME.c with the function that libFuzzer calls. `make fuzz` runs each target with
 * new inputs; `make test` replays tests/fuzz/corpus/NAME. An input that once showed a fault is kept there. */
#ifndef TILELAB_FUZZ_H
#define TILELAB_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Takes one input. Always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program where a property does not hold. */
#define FUZZ_NEED(property) ((property) ? (void)0 : fuzz_give_up(__FILE__, __LINE__, #property))
_Noreturn void fuzz_give_up(const char *file, int line, const char *property);

/* A file in a folder of this process, and its path. */
struct fuzz_file {
    int fd;
    char path[256];
};
/* The folder, which is made at the first call. */
const char *fuzz_folder(void);
/* Replaces the contents of the file <folder>/<name>, and opens it at the first call. */
void fuzz_write(struct fuzz_file *file, const char *name, const void *bytes, size_t size);
/* Closes and removes the file, if it was written. */
void fuzz_remove(struct fuzz_file *file);
/* A stream that swallows what it gets. */
FILE *fuzz_nowhere(void);
/* A copy of the input as a text that ends at its first NUL; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

#endif
