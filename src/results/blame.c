/* Which outcomes of a cell are faults of its variant, for whoever ranks variants.
 * SPDX-License-Identifier: MIT */
#include "blame.h"

#include "status.h"

#include <string.h>

bool blame_variant(const char *status)
{
    for (int i = 0; i < STATUSES; i++)
        if (strcmp(status, status_names[i]) == 0)
            return i != STATUS_OK && i != STATUS_SKIPPED && i != STATUS_MEMORY && i != STATUS_TIMEOUT &&
                   !status_blames_method((enum status)i);
    return false;
}
