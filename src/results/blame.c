/* Which outcomes of a cell are faults of its variant, for whoever ranks variants.
 * SPDX-License-Identifier: MIT */
#include "blame.h"

#include "status.h"

#include <string.h>

bool blame_variant(const char *status)
{
    enum status is;
    return status_find(status, strlen(status), &is) && is != STATUS_OK && is != STATUS_SKIPPED && is != STATUS_MEMORY &&
           is != STATUS_TIMEOUT && !status_blames_method(is);
}
