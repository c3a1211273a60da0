/* `tilelab list`, `tilelab check` and `tilelab verify`.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "base/number.h"
#include "machine/host.h"
#include "measure/measure.h"
#include "plan/experiment_read.h"
#include "plan/grid.h"

#include <argp.h>
#include <stdlib.h>

int list_main(int argc, char **argv)
{
    static const char doc[] = "Lists the variants in ladder order: name, precisions, what it is, and why it does not "
                              "run here if it does not. PATTERN as in \"matmul/omp-*\".";
    const struct argp argp = {.args_doc = "[PATTERN]", .doc = doc};
    int at = argc;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, ARGP_NO_ARGS | ARGP_IN_ORDER, &at, NULL);
    const char *pattern = at < argc ? argv[at] : "*";
    size_t count, shown = 0;
    const struct entry *entries = registry(&count);
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->problem->hidden || !entry_matches(entry, pattern))
            continue;
        char precisions[32];
        precisions_text(entry->meta->precisions, precisions, sizeof precisions);
        const struct cell cell = {.entry = entry, .precision = F32};
        const char *missing = backend_of(&cell)->missing(&cell);
        printf("%-28s %-12s %s (%s)\n", entry->name, precisions, entry->meta->summary, entry->meta->source);
        if (missing)
            printf("%-28s %-12s not here: %s\n", "", "", missing);
        shown++;
    }
    if (shown > 0)
        return EXIT_OK;
    fprintf(stderr, "tilelab: no variant matches '%s'\n", pattern);
    return EXIT_USAGE;
}

int check_main(int argc, char **argv)
{
    const struct argp argp = {.args_doc = "EXPERIMENT.yaml...", .doc = "Checks experiment files under all profiles."};
    int at = argc;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, ARGP_NO_ARGS | ARGP_IN_ORDER, &at, NULL);
    const struct grid_limits limits = grid_limits_here();
    enum exit_code code = at < argc ? EXIT_OK : EXIT_USAGE;
    for (; at < argc; at++) {
        size_t cells[PROFILE_RECORD + 1] = {0};
        bool faulty = false;
        for (int profile = PROFILE_FULL; profile <= PROFILE_RECORD && !faulty; profile++) {
            struct experiment *experiment = experiment_read(argv[at], (enum profile)profile, stderr);
            struct grid grid = {0};
            faulty = !experiment || grid_expand(experiment, &limits, &grid, stderr) != 0;
            cells[profile] = grid.count;
            if (!faulty)
                grid_free(&grid);
            experiment_free(experiment);
        }
        if (faulty)
            code = EXIT_USAGE;
        else
            printf("%s: %zu cells in full, %zu in quick, %zu in record\n", argv[at], cells[PROFILE_FULL],
                   cells[PROFILE_QUICK], cells[PROFILE_RECORD]);
    }
    return code;
}

/* ---- verify ---- */

struct verify_arguments {
    const char *pattern;
    struct number_list sizes, tiles;
};

static error_t parse_verify(int key, char *text, struct argp_state *state)
{
    struct verify_arguments *arguments = state->input;
    switch (key) {
    case 's':
    case 't':
        if (!number_list_read(text, key == 's' ? &arguments->sizes : &arguments->tiles))
            argp_error(state, "'%s' is no list of sizes like 1,33,64", text);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "one pattern at a time");
        arguments->pattern = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status verify_cell(const struct cell *cell, struct outcome *outcome)
{
    const struct variant *meta = cell->entry->meta;
    const char *reason = NULL;
    char key[512];
    if (!cell_variant(cell))
        reason = "not built for this precision or instruction set";
    else if (meta->reject)
        reason = meta->reject(cell);
    if (reason) {
        outcome->status = STATUS_SKIPPED;
        snprintf(outcome->reason, sizeof outcome->reason, "%s", reason);
    } else {
        outcome->status = STATUS_OK;
        if (cell_has_exact(cell))
            measure_check(cell, INPUTS_EXACT, 1, outcome);
        if (outcome->status == STATUS_OK)
            measure_check(cell, INPUTS_RANDOM, 1, outcome);
        measure_close();
    }
    cell_key(cell, key, sizeof key);
    printf("%s %s%s%s\n", status_names[outcome->status], key, outcome->status == STATUS_OK ? "" : ": ",
           outcome->status == STATUS_OK ? "" : outcome->reason);
    fflush(stdout);
    return outcome->status;
}

static bool is_bad(enum status status)
{
    return status != STATUS_OK && status != STATUS_SKIPPED && !status_blames_method(status);
}

/* All cells of an entry: precisions x sizes (one of them rectangular; for a solver, of a few sweeps; the other is of
 * weighted ones until the residual is small, which they are few for and single precision can reach) x tiles. Returns
 * how many were not right. */
static int verify_entry(const struct entry *entry, const struct verify_arguments *arguments, struct outcome *outcome)
{
    int bad = 0;
    const unsigned honoured = entry_axes(entry);
    const struct cell *defaults = &entry->meta->defaults;
    for (int precision = F32; precision <= PRECISIONS; precision++) {
        if (!(entry->meta->precisions & entry->problem->precisions & BIT(precision)))
            continue;
        for (int s = 0; s < arguments->sizes.count; s++)
            for (int t = 0; t < (honoured & HONOURS(tile) ? arguments->tiles.count : 1); t++) {
                const int64_t n = arguments->sizes.value[s];
                struct cell cell = {.entry = entry, .precision = precision};
                cell.isa = honoured & HONOURS(isa) ? host_get()->isa_best : 0;
                cell.opt = honoured & HONOURS(opt) ? OPT_O3 : 0;
                cell.threads = honoured & HONOURS(threads) ? host_get()->cores : 0;
                cell.tile = honoured & HONOURS(tile) ? arguments->tiles.value[t] : 0;
                cell.row_tile = honoured & HONOURS(row_tile) ? defaults->row_tile : 0;
                cell.padding = honoured & HONOURS(padding) ? defaults->padding : 0;
                cell.n = n;
                cell.m = honoured & HONOURS(m) ? n + n / 3 : 0;
                cell.k = honoured & HONOURS(k) ? 2 * n - 1 : 0;
                cell.sweeps = honoured & HONOURS(sweeps) ? 5 : 0;
                bad += is_bad(verify_cell(&cell, outcome));
                cell.m = cell.m ? n : 0;
                cell.k = cell.k ? n : 0;
                cell.omega = honoured & HONOURS(omega) ? 2 * DECIMAL_ONE / 3 : 0;
                cell.sweeps = 0;
                bad += is_bad(verify_cell(&cell, outcome));
            }
    }
    return bad;
}

int verify_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"sizes", 's', "LIST", 0, "orders n to check (default 1,33,64)", 0},
        {"tiles", 't', "LIST", 0, "tiles to check where a variant has one (default 8,32)", 0},
        {0},
    };
    static const char doc[] = "Runs and verifies variants in this process, without timing: one line a cell. For "
                              "debuggers, sanitizers and whoever writes a kernel.";
    const struct argp argp = {.options = options, .parser = parse_verify, .args_doc = "[PATTERN]", .doc = doc};
    struct verify_arguments arguments = {.pattern = "*", .sizes = {{1, 33, 64}, 3}, .tiles = {{8, 32}, 2}};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct outcome *outcome = calloc(1, sizeof *outcome);
    size_t count;
    int bad = 0, matched = 0;
    const struct entry *entries = registry(&count);
    for (size_t i = 0; outcome && i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->problem->hidden || !entry_matches(entry, arguments.pattern))
            continue;
        matched++;
        const struct cell cell = {.entry = entry, .precision = F32};
        const char *missing = backend_of(&cell)->missing(&cell);
        char why[256];
        const struct backend_setup setup = {.threads = host_get()->cores, .library = entry->library};
        if (missing) {
            printf("skipped %s: %s\n", entry->name, missing);
        } else if (measure_open(entry->backend, &setup, why, sizeof why) != 0) {
            printf("failed %s: %s\n", entry->name, why);
            bad++;
        } else {
            bad += verify_entry(entry, &arguments, outcome);
        }
    }
    free(outcome);
    if (matched == 0)
        fprintf(stderr, "tilelab: no variant matches '%s'\n", arguments.pattern);
    return matched == 0 ? EXIT_USAGE : bad ? EXIT_CELLS : EXIT_OK;
}
