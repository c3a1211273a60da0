/* A cell is one point of a grid for one variant. This header tells its axes, its work, its bytes and its identity.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_CELL_H
#define TILELAB_CELL_H

#include "problem.h"
#include "variant.h"
#include "base/number.h"

/* The axes of axes.def. A value is an int64_t of struct cell; 0 means that the axis does not apply. */
struct axis {
    const char *field, *key;
    enum axis_kind { COUNT, DECIMAL, NAME } kind;
    enum axis_role { ROLE_SHAPE, ROLE_CONDITION, ROLE_PLACE, ROLE_TUNING, ROLE_BUILD } role;
    const char *const *names; /* of a NAME: the texts, from index 1 */
    int64_t lowest, highest;
    const char *label, *unset; /* of the name of a curve, see axes.def */
    const char *meaning;
    size_t offset; /* of the int64_t in struct cell */
};
extern const struct axis cell_axes[AXES];
extern const char *const cell_role_names[]; /* "shape", "condition", "place", "tuning", "build" */

/* How many devices of all backends together a cell can name, and their names: "opencl:0", ...; index 1 is the first. */
enum {
    CELL_DEVICES = 0
#define BACKEND(id, name, suffix, kind, made, devices, axes) +devices
#include "backends.def"
#undef BACKEND
};
extern const char *const cell_device_names[];
extern const char *const cell_precision_names[];   /* index 1: "f32", ...; NULL-terminated, as the next two */
extern const char *const cell_isa_names[];         /* "base", "v3", "v4" */
extern const char *const cell_opt_names[];         /* "O2", "O3" */
extern const char *const cell_memory_names[];      /* "usm", "buffer" */
extern const char *const cell_cache_names[];       /* "hot", "cold" */
extern const char *const cell_host_memory_names[]; /* "pageable", "pinned" */
extern const char *const cell_inputs_names[];      /* "uniform", "normal", "integers", "zeros", "small" */

static inline int64_t *cell_axis(struct cell *cell, int axis)
{
    return (int64_t *)((char *)cell + cell_axes[axis].offset);
}
static inline int64_t cell_value(const struct cell *cell, int axis)
{
    return *(const int64_t *)((const char *)cell + cell_axes[axis].offset);
}

/* Writes a value of an axis as the CSV files have it: the empty text for 0. Returns the length. */
size_t cell_axis_print(int axis, int64_t value, char text[NUMBER_SIZE]);

/* Reads text[length] as cell_axis_print writes it; the empty text is 0. Returns false where the text is no value of the
 * kind of the axis. A value read may lie outside of the bounds of the axis; cell_axis_allows tells. */
bool cell_axis_read(int axis, const char *text, size_t length, int64_t *value);
/* Whether a value lies in the bounds of an axis; 0, "does not apply", never does. */
static inline bool cell_axis_allows(int axis, int64_t value)
{
    return value >= cell_axes[axis].lowest && value <= cell_axes[axis].highest;
}
/* The value that an axis has for a variant if nobody names one; 0: there is none. */
int64_t cell_default(const struct entry *entry, int axis);
/* The axis with the key text[length], or -1. */
int cell_axis_find(const char *text, size_t length);

size_t cell_precision_size(int64_t precision); /* bytes an element */
/* Writes the names of a set of precisions, "f32 f64"; the empty text for an empty set. */
void cell_precisions_print(unsigned precisions, char *text, size_t size);

/* Bytes of one operand, and of all operands. An INOUT operand counts twice in the sum: a run works on one copy, and the
 * other copy keeps the input. INT64_MAX where a product or a sum does not fit. */
int64_t cell_operand_bytes(const struct cell *cell, int operand);
int64_t cell_bytes(const struct cell *cell);

/* What one run is expected to do: operations that are needed, operations that the variant executes, and compulsory
 * traffic in bytes. */
double cell_flops(const struct cell *cell);
double cell_executed_flops(const struct cell *cell);
double cell_traffic(const struct cell *cell);

/* The operations that a row of results needs, where it tells `flops`. Programs before 0.3.0 counted the whole of a
 * symmetric result. `shape` has n and k. */
double cell_recount(const struct problem *problem, const struct cell *shape, double flops);

/* The inputs on which the cell is timed, from its axis. */
enum inputs cell_inputs(const struct cell *cell);
/* Whether the problem has inputs of a kind for this cell. */
bool cell_has_inputs(const struct cell *cell, enum inputs inputs);
/* Whether the problem also checks this cell on EXACT inputs. */
bool cell_has_exact(const struct cell *cell);

/* Whether two cells of one shape and precision work on the same inputs in the same storage order. They do if their
 * variants solve the same problem under the same contract, on one kind of inputs. */
bool cell_shares_inputs(const struct cell *a, const struct cell *b);
/* Whether, beside that, they have one shape and precision. */
bool cell_shares_operands(const struct cell *a, const struct cell *b);

/* The description of the cell's variant, which is the same in every build. */
const struct variant *cell_meta(const struct cell *cell);

/* The build of the cell's variant that this cell asks for; NULL: the program has none. */
const struct variant *cell_variant(const struct cell *cell);

/* Whether the program has this build, or can compile it (own/own.h). */
bool cell_is_built(const struct cell *cell);
/* The name of the cell's shared object in the folder of a user's own kernel: "f64_O3_v3", "device" or "description". */
enum { CELL_OBJECT_SIZE = 16 };
void cell_object_name(const struct cell *cell, char name[CELL_OBJECT_SIZE]);

/* Writes the cell's key: "variant=matmul/seq-ijk precision=f32 isa=v3 ... n=256", without the axes that are 0. Returns
 * the length of the whole key, as snprintf does. */
size_t cell_key(const struct cell *cell, char *text, size_t size);

/* The cell's identity in results: the first 16 hexadecimal digits of the SHA-256 of its key. */
enum { CELL_ID_SIZE = 17 };
void cell_id(const struct cell *cell, char id[CELL_ID_SIZE]);

/* Compares two struct cell in grid order, for qsort: by problem, precision, m, n, k, then ladder order, then the other
 * axes. Returns -1, 0 or 1. */
int cell_compare(const void *a, const void *b);

#endif
