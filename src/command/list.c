/* `tilelab list`: the variants, and which of them run here; or what a data folder holds.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "list_results.h"
#include "options.h"
#include "backend/backend.h"
#include "own/kernel_files.h"
#include "plan/variants.h"

struct arguments {
    const char *pattern, *folder;
    bool results, devices;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'r':
        arguments->results = true;
        return 0;
    case 'D':
        arguments->devices = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->folder;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->pattern)
            argp_error(state, "give one pattern, in quotes");
        arguments->pattern = value;
        return 0;
    case ARGP_KEY_END:
        if ((arguments->results || arguments->devices) && arguments->pattern)
            argp_error(state, "--results and --devices take no pattern");
        if (arguments->folder && !arguments->results)
            argp_error(state, "--data belongs to --results");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int list_variants(const char *pattern)
{
    size_t count;
    const struct entry *entries = registry(&count);
    if (!variants_check(pattern))
        return EXIT_USAGE;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->problem->hidden || !variants_match(pattern, entry))
            continue;
        char precisions[32];
        cell_precisions_print(entry->meta->precisions, precisions, sizeof precisions);
        const struct cell cell = {.entry = entry, .precision = F32};
        const char *missing = backend_of(&cell)->missing(&cell);
        printf("%-28s %-12s %s (%s)\n", entry->name, precisions, entry->meta->summary, entry->meta->source);
        if (missing)
            printf("%-28s %-12s not here: %s\n", "", "", missing);
    }
    kernel_files_warn(stderr);
    return EXIT_OK;
}

/* Lists the devices of each backend by the names that an experiment may give them. */
static int list_devices(void)
{
    for (int id = 0; id < BACKENDS; id++) {
        const struct registry_backend *known = &registry_backends[id];
        const struct backend *backend = backend_get((enum backend_id)id);
        if (known->made == MADE_LIBRARIES)
            continue; /* they run on the device of the CPU backend */
        const int count = backend->devices ? backend->devices() : backend->device(NULL)[0] != '\0';
        const char *missing = count == 0 && backend->missing ? backend->missing(NULL) : NULL;
        if (count == 0)
            printf("%-10s not here: %s\n", known->name, missing ? missing : "no device");
        for (int i = 0; i < count; i++) {
            char line[300];
            if (backend->device_line)
                backend->device_line(i, line, sizeof line);
            else
                snprintf(line, sizeof line, "%s, %s", backend->device(NULL), registry_kind_names[known->kind]);
            printf("%-10s %s\n",
                   known->devices > 0 ? cell_device_names[registry_device((enum backend_id)id, i)] : known->name, line);
        }
    }
    return EXIT_OK;
}

int list_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"results", 'r', NULL, 0, "list what a data folder holds of each study, and what could be dropped", 0},
        {"devices", 'D', NULL, 0, "list the devices, by the names that an experiment file gives them", 0},
        {0}};
    static const struct argp_child children[] = {{&options_data, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_option,
        .children = children,
        .args_doc = "[PATTERN]\n--results\n--devices",
        .doc = "Lists the variants in the order of legends: name, precisions, summary and source. A variant that does "
               "not run here has a second line that says why. PATTERN is like \"matmul/omp-*\"."};
    struct arguments arguments = {.results = false};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (arguments.devices)
        return list_devices();
    if (arguments.results)
        return list_results(arguments.folder ? arguments.folder : "data/local");
    return list_variants(arguments.pattern ? arguments.pattern : "*");
}
