/* Small text files of the kernel, below a root that tests can replace.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_PROCFS_H
#define TILELAB_MACHINE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define PROCFS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PROCFS_PRINTF(text, first)
#endif

/* Opens the file at `root` followed by the formatted path, for reading; NULL if there is no such file. */
FILE *procfs_open(const char *root, const char *format, ...) PROCFS_PRINTF(2, 3);
/* Reads the first line of a file, without its newline; false, with an empty text, if there is none. */
bool procfs_line(char *text, size_t size, const char *root, const char *format, ...) PROCFS_PRINTF(4, 5);
/* Reads the integer at the start of a file; `otherwise` if there is none. */
int64_t procfs_integer(int64_t otherwise, const char *root, const char *format, ...) PROCFS_PRINTF(3, 4);
/* Reads a decimal number with a point, in every locale. */
double procfs_decimal(const char *text);

#endif
