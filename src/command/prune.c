/* `tilelab prune`: drops results that no table shows, after it has said what it would drop.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/escape.h"
#include "base/memory.h"
#include "plan/study_file.h"
#include "query/inventory_table.h"
#include "results/inventory.h"
#include "results/inventory_journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *folder;
    bool superseded, generations, yes;
    char **study; /* names or paths of experiment files; none: all studies */
    size_t studies;
};

/* What would be dropped, over all studies. */
struct total {
    size_t lines, files, elsewhere; /* elsewhere: cells that lose results of another machine or clock */
    int64_t bytes;
};

/* The lines that the options drop. Damaged lines hold no result, so they go with the superseded ones. */
static unsigned uses_of(const struct arguments *arguments)
{
    return (arguments->superseded ? BIT(STORE_SUPERSEDED) | BIT(STORE_DAMAGED) : 0) |
           (arguments->generations ? BIT(STORE_ARCHIVED) : 0);
}

static bool is_asked_for(const struct arguments *arguments, const char *study)
{
    bool is = arguments->studies == 0;
    for (size_t i = 0; i < arguments->studies && !is; i++) {
        char *name = study_file_name(arguments->study[i]);
        is = strcmp(study, name) == 0;
        free(name);
    }
    return is;
}

static void say(const char *folder, const char *study, const char *why)
{
    escape_tell("tilelab prune: %s/%s: %s", folder, study, why);
}

/* What could be dropped. */
static const enum store_use uses[] = {STORE_SUPERSEDED, STORE_ARCHIVED, STORE_DAMAGED};
enum { USES = sizeof uses / sizeof *uses };

/* Adds what the options would drop of a study. False: nothing. */
static bool add_total(struct total *total, const struct arguments *arguments, const struct inventory *study,
                      const struct store_inventory *counts)
{
    const size_t before = total->lines + total->files;
    for (int use = 0; use < STORE_USES; use++)
        if (uses_of(arguments) & BIT(use)) {
            total->lines += counts->use[use].lines;
            total->bytes += (int64_t)counts->use[use].bytes;
        }
    if (arguments->generations)
        total->elsewhere += counts->elsewhere;
    if (arguments->generations && !arguments->superseded) { /* they go with their generation */
        total->lines += counts->behind_archived.lines;
        total->bytes += (int64_t)counts->behind_archived.bytes;
    }
    if (arguments->superseded) {
        total->files += study->temporary;
        total->bytes += study->temporary_bytes;
    }
    return total->lines + total->files > before;
}

/* Opens a study. Without results.csv nobody knows which results are shown, so nothing is dropped. */
static bool open_study(const struct arguments *arguments, const char *study, bool read_only,
                       struct inventory_journal *held)
{
    char why[512];
    if (inventory_journal_open(held, arguments->folder, study, read_only, why, sizeof why)) {
        if (held->ids)
            return true;
        inventory_journal_close(held);
        snprintf(why, sizeof why, "there is no results.csv; `tilelab run` writes it");
    }
    say(arguments->folder, study, why);
    return false;
}

/* Prints the lines of the journals and the files that could be dropped, and adds up what the options would drop.
 * drops[i]: they would drop something of study i. */
static enum exit_code survey(const struct arguments *arguments, const struct inventory *list, size_t count, bool *drops,
                             struct total *total)
{
    enum exit_code code = EXIT_OK;
    struct table table = {.columns = 0};
    inventory_table_columns(&table, uses, USES);
    for (size_t i = 0; i < count; i++) {
        struct inventory_journal held;
        struct store_inventory counts;
        if (!list[i].has_results || !is_asked_for(arguments, list[i].study))
            continue;
        if (!open_study(arguments, list[i].study, true, &held)) {
            code = EXIT_STORE;
            continue;
        }
        inventory_journal_take(&held, &counts);
        inventory_journal_close(&held);
        if (inventory_table_lines(&list[i], &counts, uses, USES) > 0)
            inventory_table_add(&table, &list[i], &counts, uses, USES);
        drops[i] = add_total(total, arguments, &list[i], &counts);
    }
    if (table.texts > 0)
        table_end(&table);
    else if (code == EXIT_OK)
        puts("There is nothing to drop.");
    return code;
}

/* Whether the person at the terminal agrees. Without a terminal nobody can be asked. */
static bool agrees(const struct arguments *arguments, const struct total *total)
{
    char bytes[INVENTORY_BYTES_SIZE], answer[16] = "";
    inventory_print_bytes(total->bytes, bytes);
    printf("\nlines to drop: %zu; temporary files to drop: %zu; together %s. No shown result is among them.\n",
           total->lines, total->files, bytes);
    if (total->elsewhere > 0)
        printf("cells that lose results of another machine or clock: %zu\n", total->elsewhere);
    if (arguments->yes)
        return true;
    fflush(stdout);
    if (!isatty(STDIN_FILENO)) {
        fputs("tilelab prune: nothing was dropped: nobody can be asked without a terminal; --yes agrees\n", stderr);
        return false;
    }
    printf("What is dropped cannot be brought back. Drop it? [y/N] ");
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (strcmp(answer, "y\n") == 0 || strcmp(answer, "yes\n") == 0);
}

static void remove_file(void *context, const char *path)
{
    int *failed = context;
    if (unlink(path) != 0 && errno != ENOENT)
        *failed = errno;
}

/* Drops what the options name of one study. */
static bool prune(const struct arguments *arguments, const char *study)
{
    struct inventory_journal held;
    if (!open_study(arguments, study, false, &held))
        return false;
    int failed = inventory_journal_prune(&held, uses_of(arguments));
    /* The journal is locked, so no run is writing such a file now. */
    if (!failed && arguments->superseded)
        inventory_visit_temporary(arguments->folder, study, remove_file, &failed);
    inventory_journal_close(&held);
    if (failed)
        say(arguments->folder, study, store_failure(failed));
    return !failed;
}

/* Drops what the person agrees to. A study of which nothing is dropped keeps its files as they are. */
static enum exit_code prune_all(const struct arguments *arguments, const struct inventory *list, size_t count,
                                bool *drops)
{
    struct total total = {.lines = 0};
    enum exit_code code = survey(arguments, list, count, drops, &total);
    if (!uses_of(arguments)) {
        puts("\n--superseded drops superseded and damaged lines and temporary files, --generations archived lines.");
        return code;
    }
    if (total.lines == 0 && total.files == 0)
        return code;
    if (!agrees(arguments, &total))
        return isatty(STDIN_FILENO) ? code : EXIT_USAGE;
    for (size_t i = 0; i < count; i++)
        if (drops[i] && !prune(arguments, list[i].study))
            code = EXIT_STORE;
    if (code == EXIT_OK)
        puts("Dropped.");
    return code;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    (void)value;
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->folder;
        return 0;
    case 's':
        arguments->superseded = true;
        return 0;
    case 'g':
        arguments->generations = true;
        return 0;
    case 'y':
        arguments->yes = true;
        return 0;
    case ARGP_KEY_ARGS:
        arguments->study = state->argv + state->next;
        arguments->studies = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int prune_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"superseded", 's', NULL, 0,
         "drop results that a better result of the same generation has replaced, damaged lines, and files that an "
         "interrupted run has left",
         0},
        {"generations", 'g', NULL, 0, "drop the archived results of other sources, libraries, machines and clocks", 0},
        {"yes", 'y', NULL, 0, "do not ask", 0},
        {0}};
    static const struct argp_child children[] = {{&options_data, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_option,
        .children = children,
        .args_doc = "[STUDY...]",
        .doc = "Says what the journals of a folder hold besides the results that are shown, and drops what the options "
               "name. It asks first. A shown result is never dropped."};
    struct arguments arguments = {.folder = "data/local"};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);

    struct inventory *list;
    const int count = inventory_find(arguments.folder, &list);
    if (count < 0)
        return EXIT_USAGE;
    bool found = count > 0;
    for (size_t s = 0; s < arguments.studies; s++) {
        const struct arguments one = {.study = &arguments.study[s], .studies = 1};
        bool here = false;
        for (int i = 0; i < count; i++)
            here = here || is_asked_for(&one, list[i].study);
        if (!here)
            say(arguments.folder, arguments.study[s], "there is no such study");
        found = found && here;
    }
    bool *drops = memory_allocate((size_t)count, sizeof *drops);
    const int code = found ? (int)prune_all(&arguments, list, (size_t)count, drops) : EXIT_USAGE;
    free(drops);
    free(list);
    return code;
}
