/* One cell's result and its samples.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_RESULT_H
#define TILELAB_RESULTS_RESULT_H

#include "criterion.h"
#include "cell.h"
#include "status.h"
#include "base/hash.h"

/* The flags of a time: flags.def says what they mean. A result that ran once also lacks the exact check. Rows without a
 * time may be SIMULATED too. */
enum result_bit {
#define FLAG(id, ...) BIT_##id,
#include "flags.def"
    RESULT_FLAGS
};
enum flag {
#define FLAG(id, ...) FLAG_##id = 1 << BIT_##id,
#include "flags.def"
};
enum flag_kind { FLAG_IS_DOUBT, FLAG_IS_LACK, FLAG_IS_REMARK };
struct flag_meaning {
    const char *name, *letter;
    enum flag_kind kind;
    const char *meaning;
};
extern const struct flag_meaning result_flags[RESULT_FLAGS]; /* by bit */
/* The flags of a kind. */
unsigned result_flags_of(enum flag_kind kind);

/* What a result depends on besides its key. */
enum provenance { BY_SOURCE, BY_LIBRARY, BY_MACHINE, BY_SETTINGS, PROVENANCES };

/* One timed block of repeated runs. results.def says what each field means; times are those of one run. NAN: not
 * measured. `iterations` is 0 where the problem has no solver. The end-to-end series of GPU cells has samples of its
 * own, in which kernel_s is NAN; so has a continuous run, which tells the energy of a round. */
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

/* A sample in which nothing is measured. */
struct sample result_no_sample(void);

/* Computes the medians of the rounds, the interval, the rates and the counts from the samples, and adds the samples'
 * flags. A result that is not ok loses its samples and all values of the kind TIMED. Unless its status tells how the
 * method failed, it also loses all values of the kind SOLVED. */
void result_summarise(struct result *result);

/* Sets the operations and the rate of a result that an older program wrote to those that this program counts.
 * `problem`: that of the result; NULL: not known. */
void result_recount(struct result *result, const struct problem *problem);

/* A median above so many times the shortest sample says more of the machine than of the kernel. */
#define RESULT_UNSTEADY_ABOVE 3.0
/* Whether the time of a summarised result is so far above its shortest sample. */
bool result_is_unsteady(const struct result *result);

/* Frees samples and history, and sets every value to "not known". A new result must be zeroed ({0}) before its first
 * use. */
void result_clear(struct result *result);

#endif
