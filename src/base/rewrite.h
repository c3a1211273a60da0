/* Files that are rewritten only where their bytes change, and then all at once.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_REWRITE_H
#define TILELAB_BASE_REWRITE_H

#include "sink.h"

/* Makes folder/name hold what `produce` puts. First compares the bytes with the file. If a byte differs, writes
 * folder/.name.new, syncs it and renames it over the file, so that no reader ever sees a part of it. Sets *changed if
 * the file changed. Returns non-zero with errno set on failure; then the old file is untouched. */
int rewrite(const char *folder, const char *name, sink_producer *produce, const void *context, bool *changed);

/* The same for bytes that are there already. */
int rewrite_bytes(const char *folder, const char *name, const char *bytes, size_t length, bool *changed);

/* Writes what `produce` puts to a stream. Returns non-zero with errno set on failure. */
int rewrite_print(FILE *out, sink_producer *produce, const void *context);

/* Makes a rename or a new file in a folder survive a power cut. Returns non-zero with errno set on failure. */
int rewrite_sync_folder(const char *folder);

#endif
