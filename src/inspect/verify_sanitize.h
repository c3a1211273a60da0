/* `verify --sanitize`: kernels under a sanitizer, which names the line of a fault.
 * SPDX-License-Identifier: MIT
 *
 * For thread and address, gcc compiles the files of the chosen CPU kernels into shared objects, each in a second. The
 * program starts itself again with the sanitizer's library loaded before all others, and takes these builds in place of
 * its own. For memcheck and racecheck it starts itself under NVIDIA's compute-sanitizer. */
#ifndef TILELAB_INSPECT_VERIFY_SANITIZE_H
#define TILELAB_INSPECT_VERIFY_SANITIZE_H

#include "registry.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether this is a sanitizer's name, and whether this process runs under one that verify_sanitize has started. */
bool verify_sanitize_knows(const char *name);
bool verify_sanitize_is_on(void);
/* Runs `verify` under a sanitizer with the same command line, and returns its exit code. EXIT_USAGE, and a line on
 * stderr: a program is missing, or no chosen kernel can be compiled. */
int verify_sanitize(const char *name, const char *pattern, int argc, char **argv);
/* Why the sanitizer of this process says nothing about a variant; NULL: it sees the variant, or there is none. */
const char *verify_sanitize_skips(const struct entry *entry);
/* Under a sanitizer: takes the builds that were made for it. */
void verify_sanitize_load(const char *pattern);
/* What the sanitizer has told of a process that has ended: the fault with its line in `text`, and in `more` a line for
 * each access that has a part in it. False: nothing. */
bool verify_sanitize_told(pid_t process, char *text, size_t size, char *more, size_t more_size);

#endif
