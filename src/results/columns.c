/* The one table of CSV columns.
 * SPDX-License-Identifier: MIT */
#include "columns.h"

#include "cell.h"
#include "registry.h"
#include "base/number.h"
#include "counters/counters.h"
#include "machine/libraries.h"

#include <string.h>

#define IN_RESULT(field) offsetof(struct result, field), sizeof(((struct result *)0)->field)
#define IN_SAMPLE(field) offsetof(struct sample, field), sizeof(((struct sample *)0)->field)

const struct column result_columns[] = {
    {"experiment", COLUMN_EXPERIMENT, 0, 0, "", "name of the experiment file"},
    {"cell", COLUMN_ID, IN_RESULT(id), "", "identity of the cell: a hash of its variant and axes"},
    {"problem", COLUMN_PROBLEM, 0, 0, "", "problem of the variant"},
    {"variant", COLUMN_VARIANT, 0, 0, "", "full name of the variant, problem/backend-idea"},
    {"backend", COLUMN_BACKEND, 0, 0, "", "where it ran: cpu, blas (a library on the CPU) or cuda"},
    {"device", COLUMN_TEXT, IN_RESULT(device), "", "name of the processor that it ran on"},
#define AXIS(field, key, kind, role, names, lowest, highest, label, unset, meaning) \
    {key, COLUMN_AXIS, offsetof(struct result, cell.field), AXIS_##field, "", meaning},
#include "axes.def"
#undef AXIS
    {"status", COLUMN_STATUS, IN_RESULT(status), "",
     "ok, skipped, wrong, failed, crash, timeout, exit, memory; or what the method does here: "
     "unstable, diverged, "
     "stalled, limit; only ok rows have times"},
    {"reason", COLUMN_TEXT, IN_RESULT(reason), "", "why the status is not ok"},
    {"rounds", COLUMN_COUNT, IN_RESULT(rounds), "", "rounds in which the cell was timed"},
    {"samples", COLUMN_COUNT, IN_RESULT(samples), "", "timed samples, all rounds together"},
    {"repeats", COLUMN_COUNT, IN_RESULT(repeats), "", "runs timed together as one sample"},
    {"converged", COLUMN_TRISTATE, IN_RESULT(converged), "",
     "1: the interval asked for was reached, 0: time ran out first"},
    {"bitwise", COLUMN_TRISTATE, IN_RESULT(bitwise), "",
     "1: the output after timing equals the verified one bit for bit, 0: it differs and was "
     "verified again"},
    {"flags", COLUMN_FLAGS, IN_RESULT(flags), "",
     "doubts about the times, joined by +: noisy, throttled, once (a single run, without an "
     "interval)"},
    {"median_s", COLUMN_REAL, IN_RESULT(median_s), "s", "time of one run: median of the medians of the rounds"},
    {"ci_lo_s", COLUMN_REAL, IN_RESULT(ci_lo_s), "s", "lower end of its interval: the least median of a round"},
    {"ci_hi_s", COLUMN_REAL, IN_RESULT(ci_hi_s), "s", "upper end of its interval: the greatest median of a round"},
    {"min_s", COLUMN_REAL, IN_RESULT(min_s), "s", "shortest sample"},
    {"upload_s", COLUMN_REAL, IN_RESULT(upload_s), "s", "median time of the copy of the inputs to the device"},
    {"download_s", COLUMN_REAL, IN_RESULT(download_s), "s", "median time of the copy of the output back"},
    {"total_s", COLUMN_REAL, IN_RESULT(total_s), "s",
     "median time of upload, run and download together, by the host's clock"},
    {"alloc_s", COLUMN_REAL, IN_RESULT(alloc_s), "s",
     "time to allocate the operands on the device and to prepare the variant, outside of all other "
     "times"},
    {"first_run_s", COLUMN_REAL, IN_RESULT(first_run_s), "s", "first run of the variant in a fresh process"},
    {"flops", COLUMN_REAL, IN_RESULT(flops), "operations",
     "arithmetic operations of one run; of a solver those of a sweep, times iterations"},
    {"bytes", COLUMN_REAL, IN_RESULT(bytes), "B",
     "least traffic of one run: every operand once; of a solver in each of its iterations"},
    {"gflops", COLUMN_REAL, IN_RESULT(gflops), "GFLOP/s", "flops / median_s"},
    {"gbs", COLUMN_REAL, IN_RESULT(gbs), "GB/s", "bytes / median_s"},
    {"error", COLUMN_REAL, IN_RESULT(error), "", "largest error found by verification, in the scale of the bound"},
    {"bound", COLUMN_REAL, IN_RESULT(bound), "", "what the error must not exceed"},
    {"norm2", COLUMN_REAL, IN_RESULT(norm2), "", "squared Frobenius norm of the output"},
    {"growth", COLUMN_REAL, IN_RESULT(growth), "", "of a factorisation: largest element of U over the largest of A"},
    {"iterations", COLUMN_COUNT, IN_RESULT(iterations), "",
     "sweeps of a solver until its residual was small enough, or as many as were asked for: median "
     "of the samples'"},
    {"residual", COLUMN_REAL, IN_RESULT(residual), "",
     "of a solver: norm of b - A x, computed anew in higher precision"},
    {"radius", COLUMN_REAL, IN_RESULT(radius), "",
     "of a solver, n up to 2048: spectral radius of the iteration's matrix, by power iteration"},
    {"predicted_s", COLUMN_REAL, IN_RESULT(predicted_s), "s", "time of one run as predicted before it was measured"},
    {"source_hash", COLUMN_HASH, IN_RESULT(provenance[BY_SOURCE]), "",
     "of the variant's preprocessed source and compile line"},
    {"library_hash", COLUMN_HASH, IN_RESULT(provenance[BY_LIBRARY]), "", "of the library file"},
    {"machine_hash", COLUMN_HASH, IN_RESULT(provenance[BY_MACHINE]), "", "of the machine: CPU, cores, GPU, driver"},
    {"settings_hash", COLUMN_HASH, IN_RESULT(provenance[BY_SETTINGS]), "", "of the settings of the measurement"},
};

const struct column sample_columns[] = {
    {"cell", COLUMN_ID, 0, 0, "", "the row of results.csv that the sample belongs to"},
    {"round", COLUMN_INTEGER, IN_SAMPLE(round), "", "round, from 0: all variants of a point are timed once in each"},
    {"launch", COLUMN_INTEGER, IN_SAMPLE(launch), "", "launch of the worker process, from 0"},
    {"index", COLUMN_INTEGER, IN_SAMPLE(index), "", "number of the sample within its round, from 0"},
    {"repeats", COLUMN_INTEGER, IN_SAMPLE(repeats), "", "runs timed together; the times are those of one"},
    {"iterations", COLUMN_COUNT, IN_SAMPLE(iterations), "", "sweeps of a solver in the last of these runs"},
    {"kernel_s", COLUMN_REAL, IN_SAMPLE(kernel_s), "s", "time of one run; empty in the end-to-end series"},
    {"cpu_s", COLUMN_REAL, IN_SAMPLE(cpu_s), "s", "processor time of one run, all threads together"},
    {"upload_s", COLUMN_REAL, IN_SAMPLE(upload_s), "s", "end-to-end series: copy of the inputs to the device"},
    {"download_s", COLUMN_REAL, IN_SAMPLE(download_s), "s", "end-to-end series: copy of the output back"},
    {"total_s", COLUMN_REAL, IN_SAMPLE(total_s), "s", "end-to-end series: upload, run and download together"},
    {"clock_hz", COLUMN_REAL, IN_SAMPLE(clock_hz), "Hz", "clock of the GPU's multiprocessors after the sample"},
    {"flags", COLUMN_FLAGS, IN_SAMPLE(flags), "", "doubts about the sample, joined by +: noisy, throttled"},
};

const struct column history_columns[] = {
    {"cell", COLUMN_ID, 0, 0, "", "the row of results.csv that the residual belongs to"},
    {"sweep", COLUMN_INTEGER, 0, 0, "",
     "number of the sweep that found it, from 0; of a long solve every 2nd, 4th, 8th ... is kept"},
    {"residual", COLUMN_REAL, 0, 0, "", "norm of b - A x before that sweep, as the verified run computed it"},
};

enum { FLAGS = 3 };

static size_t print_text(char *to, const char *text)
{
    const size_t length = strnlen(text, COLUMN_TEXT_SIZE - 1);
    memcpy(to, text, length);
    to[length] = '\0';
    return length;
}

static size_t print_flags(char *to, unsigned flags)
{
    to[0] = '\0';
    for (int bit = 0; bit < FLAGS; bit++)
        if (flags & BIT(bit)) {
            if (to[0])
                strcat(to, "+");
            strcat(to, flag_names[bit]);
        }
    return strlen(to);
}

static size_t print_axis(char *to, const struct cell *cell, int number)
{
    return cell_axis_print(number, cell_value(cell, number), to);
}

static size_t print_entry(char *to, enum column_kind kind, const struct entry *entry)
{
    if (!entry)
        return print_text(to, "");
    return print_text(to, kind == COLUMN_PROBLEM   ? entry->problem->name
                          : kind == COLUMN_VARIANT ? entry->name
                                                   : registry_backends[entry->backend].name);
}

size_t column_print(const struct column *column, const void *row, char text[COLUMN_TEXT_SIZE])
{
    const void *field = (const char *)row + column->offset;
    text[0] = '\0';
    switch (column->kind) {
    case COLUMN_EXPERIMENT:
        return 0;
    case COLUMN_PROBLEM:
    case COLUMN_VARIANT:
    case COLUMN_BACKEND:
        return print_entry(text, column->kind, ((const struct result *)row)->cell.entry);
    case COLUMN_ID:
    case COLUMN_HASH:
    case COLUMN_TEXT:
        return print_text(text, field);
    case COLUMN_AXIS:
        return print_axis(text, &((const struct result *)row)->cell, (int)column->size);
    case COLUMN_STATUS:
        return print_text(text, status_names[*(const enum status *)field]);
    case COLUMN_FLAGS:
        return print_flags(text, *(const unsigned *)field);
    case COLUMN_COUNT:
        return *(const int *)field == 0 ? 0 : (size_t)snprintf(text, COLUMN_TEXT_SIZE, "%d", *(const int *)field);
    case COLUMN_INTEGER:
        return (size_t)snprintf(text, COLUMN_TEXT_SIZE, "%d", *(const int *)field);
    case COLUMN_TRISTATE:
        return *(const int *)field < 0 ? 0 : (size_t)snprintf(text, COLUMN_TEXT_SIZE, "%d", *(const int *)field);
    case COLUMN_REAL:
        return number_print(*(const double *)field, text);
    }
    return 0;
}

static bool same(const char *name, const char *text, size_t length)
{
    return strncmp(name, text, length) == 0 && name[length] == '\0';
}

static bool read_count(const char *text, size_t length, int64_t *value)
{
    *value = 0;
    if (length > 18)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *value = 10 * *value + (text[i] - '0');
    }
    return true;
}

static bool read_int(const char *text, size_t length, int if_empty, int *value)
{
    int64_t count;
    if (!read_count(text, length, &count) || count > INT32_MAX)
        return false;
    *value = length ? (int)count : if_empty;
    return true;
}

static bool read_axis(const struct axis *axis, const char *text, size_t length, int64_t *value)
{
    *value = 0;
    if (length == 0)
        return true;
    if (axis->kind == COUNT)
        return read_count(text, length, value);
    if (axis->kind == DECIMAL)
        return decimal_read(text, length, value);
    for (int64_t i = axis->lowest; i <= axis->highest; i++)
        if (same(axis->names[i], text, length)) {
            *value = i;
            return true;
        }
    return false;
}

static bool read_flags(const char *text, size_t length, unsigned *flags)
{
    *flags = 0;
    for (size_t from = 0; from < length;) {
        const char *plus = memchr(text + from, '+', length - from);
        const size_t word = plus ? (size_t)(plus - text) - from : length - from;
        int bit = 0;
        while (bit < FLAGS && !same(flag_names[bit], text + from, word))
            bit++;
        if (bit == FLAGS)
            return false;
        *flags |= BIT(bit);
        from += word + 1;
    }
    return true;
}

static bool read_status(const char *text, size_t length, enum status *status)
{
    for (int i = 0; i < STATUSES; i++)
        if (same(status_names[i], text, length)) {
            *status = (enum status)i;
            return true;
        }
    return false;
}

static bool read_variant(const char *text, size_t length, const struct entry **entry)
{
    char name[COLUMN_TEXT_SIZE];
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    *entry = registry_find(name); /* NULL: a variant that this build does not know */
    return true;
}

bool column_read(const struct column *column, void *row, const char *text, size_t length)
{
    void *field = (char *)row + column->offset;
    switch (column->kind) {
    case COLUMN_EXPERIMENT:
    case COLUMN_PROBLEM:
    case COLUMN_BACKEND:
        return true;
    case COLUMN_VARIANT:
        return read_variant(text, length, &((struct result *)row)->cell.entry);
    case COLUMN_ID:
    case COLUMN_HASH:
    case COLUMN_TEXT:
        if (length >= column->size)
            return false;
        memcpy(field, text, length);
        ((char *)field)[length] = '\0';
        return true;
    case COLUMN_AXIS:
        return read_axis(&cell_axes[column->size], text, length, field);
    case COLUMN_STATUS:
        return read_status(text, length, field);
    case COLUMN_FLAGS:
        return read_flags(text, length, field);
    case COLUMN_COUNT:
    case COLUMN_INTEGER:
        return read_int(text, length, 0, field);
    case COLUMN_TRISTATE:
        return read_int(text, length, -1, field);
    case COLUMN_REAL:
        return number_read(text, length, field);
    }
    return false;
}

static void describe(FILE *out, const struct column *columns, size_t count)
{
    fputs("| column | unit | meaning |\n|---|---|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct column *column = &columns[i];
        fprintf(out, "| %s | %s | %s", column->name, column->unit, column->meaning);
        if (column->kind == COLUMN_AXIS && cell_axes[column->size].kind == NAME) {
            const struct axis *axis = &cell_axes[column->size];
            for (int64_t value = axis->lowest; value <= axis->highest; value++)
                fprintf(out, "%s%s", value == axis->lowest ? ": " : ", ", axis->names[value]);
        }
        fputs(" |\n", out);
    }
}

void store_describe(FILE *out)
{
    fputs("# Results\n"
          "This page is written by the program from the table that writes the files' headers.\n\n"
          "`published/` holds what the sources print. Every other folder is one machine: `local/` "
          "is yours, the\n"
          "others are recorded runs. Each experiment has three files there: "
          "`<experiment>.results.csv`, a row a\n"
          "cell; `<experiment>.samples.csv`, a row a timed sample, none of them left out; and\n"
          "`<experiment>.run.json`, the machine, compilers and libraries. Iterative solvers have "
          "`<experiment>.history.csv`\n"
          "as well: how their residuals shrink. Where `tilelab count` was run, there is "
          "`<experiment>.counters.csv`: what\n"
          "the GPU's hardware counters say, a row a cell of the GPU.\n\n"
          "The CSV files follow RFC 4180 with one header line and line feeds, in UTF-8. The "
          "decimal point is `.`;\n"
          "a number has the digits that give back the same 64 bits. An empty field means not "
          "measured, or an axis\n"
          "that does not apply. Infinity is written 1e999. Times are those of one run of the "
          "variant. A hash is the\n"
          "first 16 hexadecimal digits of a SHA-256; a cell is measured again when one of its "
          "hashes changes.\n\n"
          "## results.csv\n\n",
          out);
    describe(out, result_columns, RESULT_COLUMNS);
    fputs("\n## samples.csv\n\n", out);
    describe(out, sample_columns, SAMPLE_COLUMNS);
    fputs("\n## history.csv\n\n", out);
    describe(out, history_columns, HISTORY_COLUMNS);
    fputs("\n## counters.csv\n\n"
          "Sums over the kernels of one launch, counted by Nsight Compute; each row names its "
          "metric there.\n\n",
          out);
    counters_describe(out);
}
