/* A journal made from CSV files.
 * SPDX-License-Identifier: MIT */
#include "store_parts.h"

bool store_import(struct store *store, char *why, size_t size)
{
    (void)store, (void)why, (void)size;
    return true;
}
