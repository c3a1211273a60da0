/* The file of claims is checked before anything is judged.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_CLAIMS_CHECK_H
#define TILELAB_COMMAND_CLAIMS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Checks the file, and that it has the claims that the user names. False after messages. */
bool claims_check(const char *path, char *const *names, size_t count);

#endif
