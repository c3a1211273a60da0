/* `tilelab verify`: runs and verifies variants in a process of its own, without timing.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "base/memory.h"
#include "inspect/verify_cells.h"
#include "inspect/verify_sanitize.h"
#include "machine/host.h"
#include "own/kernel_files.h"
#include "own/own.h"
#include "plan/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS_WORDS "integers, random, normal, zeros, small, graded, denormals, nonfinite, ties and constant"

struct arguments {
    struct verify_asked asked;
    const char *sanitizer; /* a name that verify_sanitize knows; NULL: none */
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
        options_read_sizes("--sizes", text, AXIS_n, &arguments->asked.sizes, state);
        return 0;
    case 't':
        options_read_sizes("--tiles", text, AXIS_tile, &arguments->asked.tiles, state);
        return 0;
    case 'd':
        if (strlen(text) != 1 || *text < '0' || *text > '7')
            argp_error(state, "'%s' is no number of a device from 0 to 7", text);
        arguments->asked.device = *text - '0';
        return 0;
    case 'p':
        arguments->asked.how.threads = read_count(text, THREADS_MOST, "threads", state);
        return 0;
    case OPTION_TEAM_SIZE:
        arguments->asked.team_size = read_count(text, cell_axes[AXIS_ranks].highest, "ranks or GPUs", state);
        return 0;
    case 'i':
        arguments->asked.how.inputs = read_inputs(text);
        if (arguments->asked.how.inputs == 0)
            argp_error(state, "'%s' is no list of " INPUTS_WORDS, text);
        return 0;
    case OPTION_TIMEOUT:
        if (!number_read(text, strlen(text), &arguments->asked.timeout_s) || !(arguments->asked.timeout_s >= 0))
            argp_error(state, "'%s' is no number of seconds", text);
        return 0;
    case OPTION_REPEAT:
        arguments->asked.how.repeat = read_count(text, RUNS_MOST, "runs", state);
        return 0;
    case OPTION_SANITIZE:
        if (!verify_sanitize_knows(text))
            argp_error(state, "'%s' is none of thread, address, memcheck and racecheck", text);
        arguments->sanitizer = text;
        return 0;
    case 'q':
        arguments->asked.square = true;
        return 0;
    case 'k':
        arguments->asked.only[arguments->asked.onlys++] = text;
        return 0;
    case 'n':
        arguments->asked.dry_run = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "give one pattern, or several with commas between them");
        arguments->asked.pattern = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
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
        .asked = {.pattern = "*",
                  .sizes = {{1, 33, 64, 100, 130, 257}, 6},
                  .tiles = {{8, 32}, 2},
                  .how = {.inputs = BIT(INPUTS_EXACT) | BIT(INPUTS_RANDOM), .repeat = 1, .threads = host_get()->cores},
                  .timeout_s = NAN,
                  .only = memory_allocate((size_t)argc, sizeof *arguments.asked.only)}};
    /* The process before this one has compiled, and no compiler bears the library of a sanitizer. */
    if (verify_sanitize_is_on())
        own_compile_nothing();
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    kernel_files_warn(stderr);
    if (!variants_check(arguments.asked.pattern))
        return EXIT_USAGE;
    if (!arguments.asked.dry_run && !verify_sanitize_is_on())
        verify_cells_build(&arguments.asked);
    if (arguments.sanitizer && !arguments.asked.dry_run && !verify_sanitize_is_on())
        return verify_sanitize(arguments.sanitizer, arguments.asked.pattern, argc, argv);
    verify_sanitize_load(arguments.asked.pattern);
    const int code = verify_cells(&arguments.asked);
    free(arguments.asked.only);
    return code;
}
