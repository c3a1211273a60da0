/* What a data folder holds of each study.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_HOLDING_H
#define TILELAB_COMMAND_HOLDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which machine measured the rows of a study. */
enum holding_machine { MACHINE_UNKNOWN, MACHINE_THIS, MACHINE_ANOTHER, MACHINE_SEVERAL };

enum { HOLDING_STUDY_SIZE = 64 };
struct holding {
    char study[HOLDING_STUDY_SIZE];
    char profiles[64]; /* "full+quick" */
    size_t ok, skipped, failed, flagged, partial, pretended, stale;
    size_t archived; /* rows of archive.csv */
    int generations; /* the highest number of a generation */
    enum holding_machine machine;
    int64_t measured_at; /* seconds since 1970; 0: not recorded */
    int64_t csv_bytes, journal_bytes;
    size_t temporary; /* files that an interrupted run has left */
    int64_t temporary_bytes;
    bool has_results; /* the folder has results of the study; a study that was only counted has none */
    bool has_file;    /* experiments/<study>.yaml exists, or there is no folder experiments/ here */
};

/* Finds the studies of a folder, sorted by name, and what the folder holds of them. Returns their number and a list
 * that the caller frees, or -1 after a line on stderr. */
int holding_find(const char *folder, struct holding **list);

/* Calls `visit` for every temporary file of a study; the paths are those of the folder. */
void holding_visit_temporary(const char *folder, const char *study, void (*visit)(void *context, const char *path),
                             void *context);

/* Writes a number of bytes as "12.3 kB". */
enum { HOLDING_BYTES_SIZE = 24 };
void holding_print_bytes(int64_t bytes, char text[HOLDING_BYTES_SIZE]);

#endif
