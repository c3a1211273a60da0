/* `tilelab verify`: runs and verifies variants in a process of its own, without timing.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "backend/backend.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/timer.h"
#include "inspect/verify_check.h"
#include "inspect/verify_sanitize.h"
#include "machine/host.h"
#include "own/kernel_files.h"
#include "own/own.h"
#include "plan/selection.h"
#include "plan/variants.h"
#include "worker/measure.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS_WORDS "integers, random, normal, zeros, small, graded, denormals, nonfinite, ties and constant"

struct arguments {
    const char *pattern; /* a list of patterns of variants */
    char **only;         /* lists of patterns of cells (selection.h); owned, but not the lists */
    size_t onlys;
    bool dry_run, silent;
    struct number_list sizes, tiles;
    int device;
    int team_size; /* 0: that which a variant has by default */
    struct verify_how how;
    const char *sanitizer; /* a name that verify_sanitize knows; NULL: none */
    bool square;           /* no rectangular cells */
    double timeout_s;      /* of a cell; NAN: the usual limit; 0: none, and all cells in this process */
};

enum { OPTION_TIMEOUT = 0x100, OPTION_REPEAT, OPTION_SANITIZE, OPTION_TEAM_SIZE };

/* Reads a list of kinds of inputs. Returns 0 if a name is unknown. */
static unsigned read_inputs(const char *text)
{
    unsigned chosen = 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        int kind = 0;
        while (kind < INPUTS_KINDS &&
               (strlen(verify_inputs_names[kind]) != length || strncmp(text, verify_inputs_names[kind], length) != 0))
            kind++;
        if (kind == INPUTS_KINDS)
            return 0;
        chosen |= BIT(kind);
        text += length + (text[length] == ',');
    }
    return chosen;
}

/* Reads one number from 1 to `most`; `what` is counted. */
static int read_count(const char *text, int64_t most, const char *what, const struct argp_state *state)
{
    struct number_list one = {.count = 0};
    if (!number_list_read(text, &one) || one.count != 1 || one.value[0] > most)
        argp_error(state, "'%s' is no number of %s from 1 to %lld", text, what, (long long)most);
    return (int)one.value[0];
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    enum { THREADS_MOST = 1024, RUNS_MOST = 1000000 };
    struct arguments *arguments = state->input;
    switch (key) {
    case 's':
    case 't':
        if (!number_list_read(text, key == 's' ? &arguments->sizes : &arguments->tiles))
            argp_error(state, "'%s' is no list of sizes like 1,33,64", text);
        return 0;
    case 'd':
        if (strlen(text) != 1 || *text < '0' || *text > '7')
            argp_error(state, "'%s' is no number of a device from 0 to 7", text);
        arguments->device = *text - '0';
        return 0;
    case 'p':
        arguments->how.threads = read_count(text, THREADS_MOST, "threads", state);
        return 0;
    case OPTION_TEAM_SIZE:
        arguments->team_size = read_count(text, cell_axes[AXIS_ranks].highest, "ranks or GPUs", state);
        return 0;
    case 'i':
        arguments->how.inputs = read_inputs(text);
        if (arguments->how.inputs == 0)
            argp_error(state, "'%s' is no list of " INPUTS_WORDS, text);
        return 0;
    case OPTION_TIMEOUT:
        if (!number_read(text, strlen(text), &arguments->timeout_s) || !(arguments->timeout_s >= 0))
            argp_error(state, "'%s' is no number of seconds", text);
        return 0;
    case OPTION_REPEAT:
        arguments->how.repeat = read_count(text, RUNS_MOST, "runs", state);
        return 0;
    case OPTION_SANITIZE:
        if (!verify_sanitize_knows(text))
            argp_error(state, "'%s' is none of thread, address, memcheck and racecheck", text);
        arguments->sanitizer = text;
        return 0;
    case 'q':
        arguments->square = true;
        return 0;
    case 'k':
        arguments->only[arguments->onlys++] = text;
        return 0;
    case 'n':
        arguments->dry_run = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "give one pattern, or several with commas between them");
        arguments->pattern = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Whether the status is a fault of the program. A solver that diverges shows a property of its method. */
static bool is_bad(enum status status)
{
    return status != STATUS_OK && status != STATUS_SKIPPED && !status_blames_method(status);
}

/* How far this call is, and the outcomes of its cells for the last line. */
static struct verify_watch *watch;
/* The cells of the entry at hand: how many were met, and how many of these an earlier process has begun. */
static size_t met, begun_before;

static void print_summary(void)
{
    size_t all = 0;
    for (int status = 0; status < STATUSES; status++)
        all += watch->seen[status];
    fprintf(stderr, "tilelab: %zu cells", all);
    for (int status = 0; status < STATUSES; status++)
        if (watch->seen[status] > 0)
            fprintf(stderr, ", %zu %s", watch->seen[status], status_names[status]);
    fputc('\n', stderr);
}

/* How long a cell may take, with the generation of its inputs and its check. */
static double limit_s(const struct arguments *arguments, const struct cell *cell)
{
    static const double LEAST_S = 60, SLOW_FLOPS = 1e8;
    const double flops = cell ? cell_executed_flops(cell) : 0;
    return isnan(arguments->timeout_s) ? timer_limit_s(LEAST_S) + flops / SLOW_FLOPS : arguments->timeout_s;
}

/* Why a cell does not run here; NULL: it runs. */
static const char *why_skipped(const struct cell *cell)
{
    const struct variant *meta = cell->entry->meta;
    const char *reason = NULL;
    if (!cell_is_built(cell))
        reason = "not built for this precision or instruction set";
    else if (meta->reject)
        reason = meta->reject(cell);
    /* Threads that take turns on a core compute the same, so more of them than cores are verified too. */
    struct cell possible = *cell;
    possible.threads = possible.threads < host_get()->cores ? possible.threads : host_get()->cores;
    return reason ? reason : backend_of(cell)->missing(&possible);
}

/* Prints the line of a cell; below it, what further runs tell, and once a variant the map of what is wrong. */
static void print_found(const char *key, const struct verify_found *found)
{
    const struct outcome *outcome = &found->outcome;
    const char *const parts[] = {outcome->status == STATUS_OK ? "" : outcome->reason, found->where, found->remark};
    const char *mark = ": ";
    verify_watch_clear(watch);
    printf("%s %s", status_names[outcome->status], key);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i][0] == '\0')
            continue;
        printf("%s%s", mark, parts[i]);
        mark = "; ";
    }
    putchar('\n');
    if (found->when[0] != '\0')
        printf("  %s\n", found->when);
    /* The words say it all where every element is wrong. */
    if (strchr(found->where, ':') && watch->mapped != watch->entry + 1) {
        watch->mapped = watch->entry + 1;
        wrong_map_print(&found->map, stdout);
    }
    fflush(stdout);
}

/* Verifies one cell and prints its line. */
static void verify_cell(const struct cell *cell, const struct arguments *arguments)
{
    char key[512];
    if (!selection_has(arguments->only, arguments->onlys, cell))
        return;
    cell_key(cell, key, sizeof key);
    if (arguments->dry_run) {
        watch->chosen++;
        if (!arguments->silent)
            puts(key);
        return;
    }
    if (met++ < begun_before)
        return;
    watch->chosen++;
    watch->cells = met;
    struct verify_found *found = memory_allocate(1, sizeof *found);
    const char *reason = why_skipped(cell);
    if (reason) {
        outcome_fail(&found->outcome, STATUS_SKIPPED, "%s", reason);
    } else {
        verify_watch_begin(watch, key, false, limit_s(arguments, cell));
        verify_check(cell, &arguments->how, watch, found);
    }
    watch->seen[found->outcome.status]++;
    watch->bad += is_bad(found->outcome.status);
    print_found(key, found);
    verify_found_free(found);
}

/* Verifies two cells of order n. The first is rectangular; for a solver it runs 5 sweeps. The second is square; for a
 * solver it runs with omega = 2/3 until it converges, which takes few sweeps even in f32. A problem that has square
 * operands alone has the second cell alone. */
static void verify_size(struct cell cell, int64_t n, const struct arguments *arguments)
{
    const unsigned supported = registry_axes(cell.entry);
    cell.n = n;
    cell.m = supported & HONOURS(m) ? n : 0;
    cell.k = supported & HONOURS(k) ? n : 0;
    cell.omega = supported & HONOURS(omega) ? 2 * DECIMAL_ONE / 3 : 0;
    cell.sweeps = 0;

    struct cell rectangular = cell;
    rectangular.m = supported & HONOURS(m) ? n + n / 3 : 0;
    rectangular.k = supported & HONOURS(k) ? 2 * n - 1 : 0;
    rectangular.omega = 0;
    rectangular.sweeps = supported & HONOURS(sweeps) ? 5 : 0;
    if (!arguments->square && cell_compare(&rectangular, &cell) != 0)
        verify_cell(&rectangular, arguments);
    verify_cell(&cell, arguments);
}

/* The same in each kind of memory, where the entry knows several. */
static void verify_memories(struct cell cell, int64_t n, const struct arguments *arguments)
{
    if (!(registry_axes(cell.entry) & HONOURS(memory))) {
        verify_size(cell, n, arguments);
        return;
    }
    for (cell.memory = MEMORY_USM; cell.memory <= MEMORIES; cell.memory++)
        verify_size(cell, n, arguments);
}

/* Sets the number of ranks, or GPUs, of a team. */
static void set_team_size(struct cell *cell, const struct arguments *arguments)
{
    const unsigned supported = registry_axes(cell->entry);
    const int64_t size = arguments->team_size;
    if (supported & HONOURS(ranks))
        cell->ranks = size ? size : cell_default(cell->entry, AXIS_ranks);
    if (supported & HONOURS(gpus))
        cell->gpus = size ? size : cell_default(cell->entry, AXIS_gpus);
}

/* Verifies an entry in each of its precisions and kinds of memory, with each size and, where the entry has one, each
 * tile. */
static void verify_entry(const struct entry *entry, int64_t device_id, const struct arguments *arguments)
{
    const unsigned supported = registry_axes(entry), precisions = entry->meta->precisions & entry->problem->precisions;
    const int tiles = supported & HONOURS(tile) ? arguments->tiles.count : 1;
    struct cell cell = {.entry = entry};
    for (int axis = 0; axis < AXES; axis++)
        if (supported & BIT(axis))
            *cell_axis(&cell, axis) = cell_default(entry, axis);
    cell.device_id = device_id;
    set_team_size(&cell, arguments);
    cell.isa = supported & HONOURS(isa) ? host_get()->isa_best : 0;
    cell.opt = supported & HONOURS(opt) ? OPT_O3 : 0;
    cell.threads = supported & HONOURS(threads) ? arguments->how.threads : 0;
    for (int precision = F32; precision <= PRECISIONS; precision++) {
        cell.precision = precision;
        for (int s = 0; precisions & BIT(precision) && s < arguments->sizes.count; s++)
            for (int t = 0; t < tiles; t++) {
                cell.tile = supported & HONOURS(tile) ? arguments->tiles.value[t] : 0;
                verify_memories(cell, arguments->sizes.value[s], arguments);
            }
    }
}

/* Compiles what the command line asks for of the user's own kernels. */
static void build_own(const struct arguments *arguments)
{
    size_t count;
    const struct entry *entries = registry(&count);
    for (size_t i = 0; i < count; i++)
        for (int precision = F32; precision <= PRECISIONS; precision++) {
            const struct cell cell = {
                .entry = &entries[i], .precision = precision, .opt = OPT_O3, .isa = host_get()->isa_best};
            if (entries[i].meta->precisions & entries[i].problem->precisions & BIT(precision) &&
                variants_match(arguments->pattern, &entries[i]))
                own_build(&cell);
        }
}

/* Whether the command line asks for a cell of the entry. */
static bool is_chosen(const struct entry *entry, int64_t device_id, const struct arguments *arguments)
{
    struct arguments counting = *arguments;
    const size_t before = watch->chosen;
    counting.dry_run = counting.silent = true;
    verify_entry(entry, device_id, &counting);
    const bool any = watch->chosen > before;
    watch->chosen = before;
    return any;
}

/* Opens the device of the entry's backend and verifies the entry there, if it runs here. `device_id`: a value of that
 * axis, or 0. */
static void open_and_verify(const struct entry *entry, int64_t device_id, const struct arguments *arguments)
{
    struct cell cell = {.entry = entry, .precision = F32, .device_id = device_id};
    if (arguments->dry_run) {
        verify_entry(entry, device_id, arguments);
        return;
    }
    if (arguments->onlys > 0 && !is_chosen(entry, device_id, arguments))
        return;
    set_team_size(&cell, arguments);
    const char *unseen = verify_sanitize_skips(entry), *missing = unseen ? unseen : backend_of(&cell)->missing(&cell);
    struct backend_setup setup = backend_setup(&cell);
    setup.threads = arguments->how.threads < host_get()->cores ? arguments->how.threads : host_get()->cores;
    char why[256];
    if (missing) {
        watch->seen[STATUS_SKIPPED]++;
        watch->chosen++;
        verify_watch_clear(watch);
        printf("skipped %s: %s\n", entry->name, missing);
        return;
    }
    verify_watch_begin(watch, entry->name, true, limit_s(arguments, NULL));
    if (measure_open(&setup, false, why, sizeof why) != 0) {
        watch->seen[STATUS_FAILED]++;
        verify_watch_clear(watch);
        printf("failed %s: %s\n", entry->name, why);
        watch->bad++;
        return;
    }
    verify_entry(entry, device_id, arguments);
}

/* Verifies all entries that the command line asks for, from watch->entry on. Returns the exit code. */
static int verify_all(const void *context)
{
    const struct arguments *arguments = context;
    size_t count;
    const struct entry *entries = registry(&count);
    begun_before = watch->cells;
    for (size_t i = watch->entry; i < count; i++) {
        watch->entry = i;
        watch->cells = begun_before;
        met = 0;
        if (variants_match(arguments->pattern, &entries[i])) {
            const int64_t first = cell_default(&entries[i], AXIS_device_id);
            open_and_verify(&entries[i], first > 0 ? first + arguments->device : 0, arguments);
        }
        begun_before = 0;
    }
    watch->finished = true;
    return watch->bad ? EXIT_CELLS : EXIT_OK;
}

/* Verifies what the command line asks for, and prints the last line. Returns the exit code. */
static int verify(const struct arguments *arguments)
{
    watch = verify_watch_open();
    if (!watch) {
        fprintf(stderr, "tilelab: no memory to verify: %s\n", strerror(errno));
        return EXIT_CELLS;
    }
    const bool here = arguments->dry_run || arguments->timeout_s == 0;
    if (here && !arguments->dry_run)
        verify_watch_here(watch);
    const int code = here ? verify_all(arguments) : verify_watch_run(watch, verify_all, arguments);
    if (arguments->onlys > 0 && watch->chosen == 0) {
        fputs("tilelab: no cell matches --only; --dry-run lists the cells\n", stderr);
        return EXIT_USAGE;
    }
    if (arguments->dry_run)
        fprintf(stderr, "tilelab: %zu cells\n", watch->chosen);
    else
        print_summary();
    if (verify_sanitize_is_on() && watch->bad == 0 && watch->seen[STATUS_OK] == 0) {
        fputs("tilelab: no cell ran under the sanitizer\n", stderr);
        return EXIT_CELLS;
    }
    return code;
}

int verify_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"sizes", 's', "LIST", 0, "orders n to check (default 1,33,64,100,130,257)", 0},
        {"tiles", 't', "LIST", 0, "tiles to check where a variant has a tile (default 8,32)", 0},
        {"threads", 'p', "NUMBER", 0, "threads of a variant that has several (default: one a core)", 0},
        {"device", 'd', "NUMBER", 0, "device of a backend that has several, counted from 0 (default 0)", 0},
        {"team-size", OPTION_TEAM_SIZE, "NUMBER", 0,
         "ranks of MPI, or GPUs, of a variant that runs as a team (default 2)", 0},
        {"inputs", 'i', "LIST", 0, "kinds of inputs, of " INPUTS_WORDS " (default integers,random)", 0},
        {"repeat", OPTION_REPEAT, "NUMBER", 0,
         "run each cell so often with each kind of inputs: a data race shows in some runs only (default 1)", 0},
        {"sanitize", OPTION_SANITIZE, "NAME", 0,
         "thread or address: compile the chosen CPU kernels for this sanitizer of gcc, and name the line of a data "
         "race, or of an access outside of memory; memcheck or racecheck: run CUDA variants under NVIDIA's "
         "compute-sanitizer",
         0},
        {"square", 'q', NULL, 0, "check square cells only", 0},
        {"only", 'k', "PATTERN", 0,
         "only cells that match: 'n=33', one of 'n=33,n=64', or all of 'n=33 and precision=f32'; several such options "
         "add up",
         0},
        {"timeout", OPTION_TIMEOUT, "SECONDS", 0,
         "how long a cell may take (default 60, and 10 more for each GFLOP); 0: no limit, and all cells in this "
         "process, for a debugger",
         0},
        {"dry-run", 'n', NULL, 0, "list the cells, and verify nothing", 0},
        {0},
    };
    static const char doc[] =
        "Runs and verifies variants in a process of their own, without timing, and prints one "
        "line a cell. A cell that crashes, hangs or ends its process is told, and the others "
        "follow. The subcommand is for debuggers, for sanitizers and for whoever writes a kernel. "
        "It shows what a kernel prints, which `run` does not allow. "
        "PATTERN is like 'matmul/omp-*', or a list of such patterns with commas.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "[PATTERN]", .doc = doc};
    struct arguments arguments = {
        .pattern = "*",
        .sizes = {{1, 33, 64, 100, 130, 257}, 6},
        .tiles = {{8, 32}, 2},
        .how = {.inputs = BIT(INPUTS_EXACT) | BIT(INPUTS_RANDOM), .repeat = 1, .threads = host_get()->cores},
        .timeout_s = NAN,
        .only = memory_allocate((size_t)argc, sizeof *arguments.only)};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    kernel_files_warn(stderr);
    if (!variants_check(arguments.pattern))
        return EXIT_USAGE;
    if (!arguments.dry_run && !verify_sanitize_is_on())
        build_own(&arguments);
    if (arguments.sanitizer && !arguments.dry_run && !verify_sanitize_is_on())
        return verify_sanitize(arguments.sanitizer, arguments.pattern, argc, argv);
    verify_sanitize_load(arguments.pattern);
    const int code = verify(&arguments);
    free(arguments.only);
    return code;
}
