/* Orphans: processes that a child has left behind.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_ORPHANS_H
#define TILELAB_BASE_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes this process the new parent of what its children leave behind. Children that it has already stay unharmed. */
void orphans_adopt(void);
/* Ends every child of this process but those for which `is_kept` is true, and the children that these leave in turn.
 * Does nothing before orphans_adopt. */
void orphans_end(bool (*is_kept)(pid_t pid));

#endif
