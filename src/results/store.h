/* The results of an experiment: a journal, and CSV files made from it.
 * SPDX-License-Identifier: MIT
 *
 * The journal gets one checksummed line for each finished cell, and is synced. No line is ever removed but by
 * `tilelab prune`. The CSV files follow from the journal alone, and are rewritten only when their bytes change. Rows of
 * the CSV files that the journal lacks are imported first: a clone has no journal, and a pull may bring newer rows.
 *
 * A cell may have many results. A generation is the set of its results with the same source, library, machine and clock
 * (the real clock or a test's). Within a generation the best result counts:
 *   - a result that is not skipped comes before a skipped one, and a complete result before a partial one;
 * - a more careful result comes before a less careful one (criterion_satisfies), unless the newer one is wrong, or is
 * ok
 *     where the older one failed;
 *   - otherwise the newer result counts.
 * The store shows one result of each cell: the best result of today's generation, which store_expect names. If today's
 * generation has none but skipped ones, the store shows the best result of the newest generation of this machine and
 * clock that has one. If no generation has one, the skipped result is shown. The best results of all other generations,
 * and of cells that an export does not list, are kept in <experiment>.archive.csv, .archive-samples.csv and
 * .archive-history.csv. */
#ifndef TILELAB_RESULTS_STORE_H
#define TILELAB_RESULTS_STORE_H

#include "result.h"

#include <stdio.h>

struct store;
/* Opens the results of an experiment in a folder, data/<host>. Creates the folder, takes the lock, loads the
 * journal, drops a torn tail, and proves that the folder can be written and has room. Without a journal, the CSV files
 * are imported. Read-only, the folder must exist, and nothing is locked, checked or written. NULL with one line in
 * `why` on failure. */
struct store *store_open(const char *folder, const char *experiment, bool read_only, char *why, size_t size);

/* Whether a run holds the results of an experiment in a folder. */
bool store_is_held(const char *folder, const char *experiment);
/* Waits until no run holds them. Returns early if a signal arrives. */
void store_await(const char *folder, const char *experiment);

/* BIT(i), as outputs_changed has it, for each CSV file that gave the journal rows although somebody changed the file
 * after its run. */
unsigned store_changed_outputs(const struct store *store);

/* The folder that the store was opened in. */
const char *store_folder(const struct store *store);
/* Whether its path still leads to this folder. If not, errno is ENOLINK. */
bool store_in_place(const struct store *store);

/* Tells what the result of a cell would depend on if it were measured now. Without this call the generation of the
 * cell's newest result counts as today's. False if the text is no id of a cell. */
bool store_expect(struct store *store, const char *id, char (*provenance)[HASH_SHORT_SIZE]);

/* Tells the settings that a settings_hash stands for. Rows of older programs have only the hash. */
void store_learn_criterion(struct store *store, const char *settings_hash, const struct criterion *criterion);

/* The result that the store shows of a cell, or NULL. The store owns it and keeps it until store_close. It has no
 * samples and no history. The first call loads it, so store_lookup is faster where a summary is enough. */
const struct result *store_find(const struct store *store, const char *id);

/* What decides whether the shown result of a cell suffices. */
struct store_summary {
    enum status status;
    unsigned flags;
    char provenance[PROVENANCES][HASH_SHORT_SIZE];
    struct criterion criterion;
    bool has_criterion; /* false: a row of an older program, which does not tell its settings */
};
/* Looks up the result that the store shows of a cell. False if there is none. */
bool store_lookup(const struct store *store, const char *id, struct store_summary *summary);
/* Fills *result, which is clear, with the result that the store shows of a cell, samples and history included. The
 * caller clears it with result_clear. False if there is none, or if it cannot be read. */
bool store_copy(const struct store *store, const char *id, struct result *result);

/* Whether the store holds a measured result of a cell that it does not show, because it is of another machine. */
bool store_has_foreign(const struct store *store, const char *id);

/* Whether a result of today's generation suffices for a request with this settings_hash and criterion: the result is
 * complete, was not skipped, and has the same settings or satisfies the criterion. It need not be the shown one, as two
 * requests may each ask for more than the other. A failure does not suffice where a newer result is ok. *status is that
 * of the newest result that suffices. */
bool store_suffices(const struct store *store, const char *id, const char *settings_hash, const struct criterion *asked,
                    enum status *status);

/* Takes up an interrupted cell: fills *result, samples and history included, with the newest partial result of today's
 * generation that was measured with these settings (provenance BY_SETTINGS), unless a complete result with the same
 * settings is newer. The caller clears *result with result_clear. False if there is none. */
bool store_resume(const struct store *store, const char *id, const char *settings_hash, struct result *result);

/* Appends a result to the journal, sets its generation, and syncs it. A skipped cell is not synced, as the next run
 * would skip it again. Returns non-zero with errno set when the medium refuses. */
int store_append(struct store *store, struct result *result);

/* Writes <experiment>.results.csv and .samples.csv with the shown results of the given cells in the given order,
 * .history.csv if any of them has a history, and the files of the archive if anything else is kept. A file is written
 * only where its bytes change; *changed tells whether any file did. Returns non-zero with errno set on failure;
 * EBADMSG: the journal was changed by another program. */
int store_export(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, bool *changed);
/* The folder of the journals in a data folder. The caller frees the path. */
char *store_journals(const char *folder);
/* What a function of a store left in errno, in words for the user. The text is valid until the next call. */
const char *store_failure(int error);
/* Writes the results.csv of all cells, in the order of the journal, to a stream. Returns the number of cells. */
size_t store_print(struct store *store, FILE *out);
/* The same text for the results of an experiment in a folder. NULL where there are none; the caller frees the text. */
char *store_text(const char *folder, const char *experiment, size_t *size);

/* What the lines of a journal are there for, where an export lists the cells `ids`. */
enum store_use {
    STORE_SHOWN,      /* the shown result of a listed cell */
    STORE_PENDING,    /* finished rounds of an interrupted measurement, which a run may take up */
    STORE_ARCHIVED,   /* the best result of another generation, or of the same one of another machine */
    STORE_UNLISTED,   /* the shown result of a cell that is not listed */
    STORE_SUPERSEDED, /* a better result of the same generation is there; or the line is a skip that is not shown */
    STORE_DAMAGED,    /* the checksum is wrong */
    STORE_UNKNOWN,    /* another program wrote the line, in a form that this program does not know */
    STORE_USES
};
enum { STORE_GENERATIONS = 32 };
struct store_lines {
    size_t lines, cells, bytes; /* cells: 0 for damaged and unknown lines */
};
struct store_inventory {
    struct store_lines use[STORE_USES];
    /* use[STORE_ARCHIVED] by generation - 1; the last one holds all later generations too. */
    struct store_lines archived[STORE_GENERATIONS];
    struct store_lines behind_archived; /* superseded lines of archived generations, which are dropped with them */
    int generations;                    /* the most generations that a cell has results of */
    size_t elsewhere;                   /* cells with archived results of another machine or clock */
};
/* Counts the lines of the journal by their use. `ids` NULL: all cells are listed. */
void store_inventory_take(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count,
                          struct store_inventory *inventory);
/* Rewrites the journal without the lines of some uses, BIT(STORE_SUPERSEDED) | ...; shown, pending and unknown lines
 * always stay. The caller exports again, as archive.csv may have changed. Returns non-zero with errno set on failure;
 * then the journal is untouched. */
int store_prune(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, unsigned uses);
void store_close(struct store *store);

#endif
