/* Results: a journal an experiment, and two CSV files made from it.
 * SPDX-License-Identifier: MIT
 *
 * The journal is append-only: one checksummed line a finished cell, synced. The CSV files are its pure, sorted
 * function and are rewritten only when their bytes change. */
#ifndef TILELAB_RESULTS_STORE_H
#define TILELAB_RESULTS_STORE_H

#include "cell.h"
#include "status.h"

enum flag { FLAG_NOISY = 1, FLAG_THROTTLED = 2, FLAG_ONCE = 4 /* one run, no interval, no exact check */ };
extern const char *const flag_names[]; /* by bit: "noisy", "throttled", "once"; joined by '+' in CSV */

/* One timed repetition block. NAN: not measured, an empty field. Times are per repetition, in seconds. */
struct sample {
    int round, launch, index;             /* index within the round */
    int repeats;                          /* kernel runs timed together; kernel_s is their mean */
    int iterations;                       /* sweeps of a solver's last run; 0: no solver */
    double kernel_s, cpu_s;               /* cpu_s: processor time of the worker, all threads */
    double upload_s, download_s, total_s; /* end to end series of GPU cells: its own rows, kernel_s then NAN */
    double clock_hz;                      /* SM clock of the GPU */
    unsigned flags;
};

/* What a result depends on besides its key; hex strings, the first 16 digits of a SHA-256. */
enum provenance { BY_SOURCE, BY_LIBRARY, BY_MACHINE, BY_SETTINGS, PROVENANCES };
extern const char *const provenance_names[]; /* "source", "library", "machine", "settings": the reason for staleness */

struct result {
    struct cell cell;
    char id[CELL_ID_SIZE];
    char provenance[PROVENANCES][17];
    enum status status;
    char reason[200];
    char device[64];
    int rounds, samples, repeats;
    int converged; /* -1: not applicable */
    int bitwise;   /* 1: output after timing equals the verified one bit for bit; -1: not known */
    unsigned flags;
    double median_s, ci_lo_s, ci_hi_s, min_s; /* from the round medians */
    double upload_s, download_s, total_s;     /* medians of the end-to-end series */
    double alloc_s, first_run_s;              /* device allocation; first call of the variant in a fresh worker */
    double flops, bytes, gflops, gbs;
    double error, bound, norm2, growth;
    int iterations;          /* sweeps of a solver: median of the samples'; 0: no solver */
    double residual, radius; /* of a solver: norm of b - A x; spectral radius */
    double predicted_s;
    struct sample *sample; /* owned by the result */
    size_t sample_count;
    double *history; /* likewise: norms of a solver's residuals, of every history_every-th sweep from 0 */
    size_t history_count;
    int64_t history_every;
};

/* Sets the derived fields (medians of rounds, interval, gflops, gbs, counts) from the samples, and adds their flags.
 * A result that is not ok loses its samples and all that was timed; where the method is not to blame, the numbers of a
 * solve as well. */
void result_summarise(struct result *result);
/* Frees samples and history, zeroes, sets all numbers to "not measured". A new result is zeroed ({0}) before its first use. */
void result_clear(struct result *result);

struct store;
/* Opens the results of an experiment in a folder (data/<host>): creates the folder, takes the lock, loads the journal,
 * drops a torn tail, and proves that the folder can be written and has room. NULL with one line in `why` (exit code 4).
 * Read-only: the folder must exist, nothing is locked, checked or written; without a journal the store is empty. */
struct store *store_open(const char *folder, const char *experiment, bool read_only, char *why, size_t size);
/* The newest finished result of a cell, or NULL. Belongs to the store, and stays; sample == NULL. It is loaded by the
 * first call, so ask store_peek where status and provenance are enough. */
const struct result *store_find(const struct store *store, const char *id);
/* Status and provenance of a finished cell (either may be NULL); false if there is none. */
bool store_peek(const struct store *store, const char *id, enum status *status, char (*provenance)[17]);
/* Appends, and syncs unless the cell was skipped, which the next run would find out again. Non-zero with errno set when the medium refuses. */
int store_append(struct store *store, const struct result *result);
/* Writes <experiment>.results.csv, .samples.csv and, if any cell has a history, .history.csv, for the given ids, in the
 * order given, only where bytes change.
 * *changed says whether any did. Returns non-zero with errno set on failure. */
int store_export(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, bool *changed);
/* results.csv of all cells in the order of the journal, to a stream; the number of cells. */
size_t store_print(struct store *store, FILE *out);
void store_close(struct store *store);

/* The column dictionary as Markdown: the text of data/README.md. */
void store_describe(FILE *out);

#endif
