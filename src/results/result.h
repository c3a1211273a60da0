/* One cell's result and its samples.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_RESULT_H
#define TILELAB_RESULTS_RESULT_H

#include "care.h"
#include "cell.h"
#include "status.h"
#include "base/hash.h"

/* Doubts about times. ONCE: a single run, without an interval and without the exact check. IDLE: a kernel of several
 * threads kept fewer of them busy. PARTIAL: the run was interrupted before the last round. PRETENDED: a test's fake
 * timer gave the times; rows without a time have this flag too. */
enum flag { FLAG_NOISY = 1, FLAG_THROTTLED = 2, FLAG_ONCE = 4, FLAG_IDLE = 8, FLAG_PARTIAL = 16, FLAG_PRETENDED = 32 };
enum { RESULT_FLAGS = 6 };
extern const char *const result_flag_names[]; /* by bit: "noisy", "throttled", "once", ... */

/* What a result depends on besides its key. The names are the reasons why a result is stale. */
enum provenance { BY_SOURCE, BY_LIBRARY, BY_MACHINE, BY_SETTINGS, PROVENANCES };
extern const char *const result_provenance_names[]; /* "source", "library", "machine", "settings" */

/* One timed block of repeated runs. results.def says what each field means; times are those of one run. NAN: not
 * measured. `iterations` is 0 where the problem has no solver. The end-to-end series of GPU cells has samples of its
 * own, in which kernel_s is NAN. */
struct sample {
#define FIELD_OWNER(name)
#define FIELD_INTEGER(name) int name;
#define FIELD_COUNT(name) int name;
#define FIELD_REAL(name) double name;
#define FIELD_FLAGS(name) unsigned name;
#define SAMPLE(kind, name, ...) FIELD_##kind(name)
#include "results.def"
#undef FIELD_OWNER
#undef FIELD_INTEGER
#undef FIELD_COUNT
#undef FIELD_REAL
#undef FIELD_FLAGS
};

/* results.def says what each field means. NAN, 0 of a count and -1 of `converged` and `bitwise` say that the value is
 * not known or does not apply. */
struct result {
    struct cell cell;
    char id[CELL_ID_SIZE];
    char provenance[PROVENANCES][HASH_SHORT_SIZE]; /* the first 16 hexadecimal digits of a SHA-256 */
#define FIELD_EXPERIMENT(name, size)
#define FIELD_ID(name, size)
#define FIELD_PROBLEM(name, size)
#define FIELD_VARIANT(name, size)
#define FIELD_BACKEND(name, size)
#define FIELD_HASH(name, size)
#define FIELD_TEXT(name, size) char name[size];
#define FIELD_STATUS(name, size) enum status name;
#define FIELD_COUNT(name, size) int name;
#define FIELD_TRISTATE(name, size) int name;
#define FIELD_REAL(name, size) double name;
#define FIELD_FLAGS(name, size) unsigned name;
#define RESULT(kind, name, size, ...) FIELD_##kind(name, size)
#include "results.def"
#undef FIELD_EXPERIMENT
#undef FIELD_ID
#undef FIELD_PROBLEM
#undef FIELD_VARIANT
#undef FIELD_BACKEND
#undef FIELD_HASH
#undef FIELD_TEXT
#undef FIELD_STATUS
#undef FIELD_COUNT
#undef FIELD_TRISTATE
#undef FIELD_REAL
#undef FIELD_FLAGS
    struct sample *sample; /* owned by the result */
    size_t sample_count;
    double *history; /* owned: the norm of a solver's residual before sweep 0, history_every, 2 * history_every, ... */
    size_t history_count;
    int64_t history_every;
};

/* Computes the medians of the rounds, the interval, the rates and the counts from the samples, and adds the samples'
 * flags. A result that is not ok loses its samples and all values of the kind TIMED. Unless its status tells how the
 * method failed, it also loses all values of the kind SOLVED. */
void result_summarise(struct result *result);

/* Frees samples and history, and sets every value to "not known". A new result must be zeroed ({0}) before its first
 * use. */
void result_clear(struct result *result);

#endif
