/* `tilelab trace`: who worked when in a run of a kernel, and what its gap to a product is made of.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "base/escape.h"
#include "inspect/timeline_print.h"
#include "inspect/trace.h"
#include "machine/host.h"
#include "plan/variants.h"

#include <string.h>

static const char *const formats[] = {"text", "csv", "json", NULL};

static const struct form {
    bool gathers; /* it has no room for works that take next to nothing */
    void (*head)(void);
    void (*timeline)(const struct timeline *timeline, int number);
    void (*end)(void);
} forms[] = {{true, NULL, timeline_print_text, NULL},
             {true, timeline_print_head_csv, timeline_print_csv, NULL},
             {false, timeline_print_head_json, timeline_print_json, timeline_print_end_json}};

struct arguments {
    struct options_format format;
    const char *pattern;
    struct cell cell; /* 0: the default of the variant */
};

/* Reads a setting, "n=2048". */
static void take_setting(struct arguments *arguments, const char *text, struct argp_state *state)
{
    const char *const equals = strchr(text, '=');
    const int axis = equals ? cell_axis_find(text, (size_t)(equals - text)) : -1;
    if (axis < 0)
        argp_error(state, "'%s' is no setting, such as n=2048 or threads=2", text);
    int64_t *const value = cell_axis(&arguments->cell, axis);
    if (!cell_axis_read(axis, equals + 1, strlen(equals + 1), value) || !cell_axis_allows(axis, *value))
        argp_error(state, "'%s' is no value of %s", equals + 1, cell_axes[axis].key);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->format;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            arguments->pattern = text;
        else
            take_setting(arguments, text, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name a kernel, for example lu/omp-tasks n=2048");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The cell of a variant: the settings where it has such an axis, its defaults elsewhere. */
static struct cell make_cell(const struct entry *entry, const struct cell *settings)
{
    enum { USUAL_N = 2048 };
    const unsigned supported = registry_axes(entry), precisions = entry->meta->precisions;
    struct cell cell = {.entry = entry};
    for (int axis = 0; axis < AXES; axis++)
        if (supported & BIT(axis))
            *cell_axis(&cell, axis) =
                cell_value(settings, axis) ? cell_value(settings, axis) : cell_default(entry, axis);
    cell.n = settings->n ? settings->n : USUAL_N;
    cell.m = supported & HONOURS(m) && !settings->m ? cell.n : cell.m;
    cell.k = supported & HONOURS(k) && !settings->k ? cell.n : cell.k;
    cell.precision = settings->precision ? settings->precision : precisions & BIT(F64) ? F64 : F32;
    cell.opt = supported & HONOURS(opt) && !settings->opt ? OPT_O3 : cell.opt;
    cell.isa = supported & HONOURS(isa) && !settings->isa ? host_get()->isa_best : cell.isa;
    cell.threads = supported & HONOURS(threads) && !settings->threads ? host_get()->cores : cell.threads;
    return cell;
}

/* Traces what the pattern matches. Returns the exit code. */
static int trace_all(const struct arguments *arguments)
{
    const struct form *const form = &forms[arguments->format.chosen];
    size_t count;
    int printed = 0, code = EXIT_OK;
    const struct entry *entries = registry(&count);
    if (form->head)
        form->head();
    for (size_t i = 0; i < count; i++) {
        struct timeline timeline;
        char why[512] = "";
        if (entries[i].problem->hidden || !variants_match(arguments->pattern, &entries[i]))
            continue;
        const struct cell cell = make_cell(&entries[i], &arguments->cell);
        if (trace_cell(&cell, &timeline, why, sizeof why)) {
            if (form->gathers)
                timeline_gather(&timeline);
            form->timeline(&timeline, printed++);
        } else {
            escape_tell("tilelab trace: %s: %s", entries[i].name, why);
            code = EXIT_CELLS;
        }
        timeline_free(&timeline);
    }
    if (form->end)
        form->end();
    return code;
}

int trace_main(int argc, char **argv)
{
    static const struct argp_child children[] = {{&options_format, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .parser = parse,
        .children = children,
        .args_doc = "PATTERN [KEY=VALUE...]",
        .doc =
            "Says who worked when in a run of a kernel: the share of each function and of idle time on each thread, "
            "the critical path, and of a factorisation, what its gap to the rate of the product is made of.\vA setting names a value of an axis: lu/omp-tasks n=2048 threads=2 tile=128. Without settings n is "
            "2048, and each core has a thread.\n\n"
            "The kernel's file is compiled again, to record the entries and exits of its functions. A CUDA kernel "
            "tells its works instead, as lu/cuda-dataflow does. The kernel runs as it is and with the record by "
            "turns, five times each or more. The fastest recorded run is shown. The format json is a trace for "
            "chrome://tracing and Perfetto. The rows of the format csv belong beside results, as "
            "data/local/EXPERIMENT.timeline.csv, where the report finds them."};
    struct arguments arguments = {.format.names = formats};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    return variants_check(arguments.pattern) ? trace_all(&arguments) : EXIT_USAGE;
}
