/* Whether results of several folders may be joined.
 * SPDX-License-Identifier: MIT */
#include "merge_check.h"

#include "base/memory.h"
#include "results/store_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Something that the rows of all folders must agree on. */
struct merge_seen {
    char *what;   /* "machine", or "source of matmul/seq-ijk" */
    char *value;  /* a hash */
    char *folder; /* the first one with this value */
};

/* What a visit of the rows of one folder needs. */
struct visit {
    struct merge_check *check;
    const char *folder, *study;
};

/* The machine of a row, with the remark that the clock was simulated. */
static void print_machine(const char *const text[RESULT_COLUMNS], char machine[MERGE_MACHINE_SIZE])
{
    const bool simulated = strstr(text[RESULT_AT_flags], "simulated") != NULL;
    snprintf(machine, MERGE_MACHINE_SIZE, "%.16s%s", text[RESULT_AT_machine_hash], simulated ? ", simulated" : "");
}

/* Compares a value with that of the other folders. The first difference is told. `what` is taken over. */
static void compare(const struct visit *visit, char *what, const char *value)
{
    struct merge_check *check = visit->check;
    bool is_known = false;
    for (size_t i = 0; i < check->count && !check->failed; i++) {
        const struct merge_seen *seen = &check->seen[i];
        if (strcmp(seen->what, what) != 0)
            continue;
        if (strcmp(seen->value, value) == 0) {
            is_known = true;
        } else if (strcmp(seen->folder, visit->folder) != 0) {
            const bool machine = strcmp(what, "machine") == 0;
            fprintf(stderr, "tilelab: %s and %s were measured with another %s (%s and %s, for example in %s); %s\n",
                    seen->folder, visit->folder, what, seen->value, value, visit->study,
                    machine ? "--by-machine makes a host of each machine"
                            : "measure all parts with one build, and join them in a folder without older results");
            check->failed = true;
        }
    }
    if (!is_known && !check->failed) {
        if (check->count == check->room)
            check->seen =
                memory_grow(check->seen, check->room = check->room ? 2 * check->room : 64, sizeof *check->seen);
        check->seen[check->count++] = (struct merge_seen){what, memory_copy(value), memory_copy(visit->folder)};
        return;
    }
    free(what);
}

static void add_mark(struct merge_check *check, const char *mark)
{
    size_t at = 0;
    while (at < check->marks && strcmp(check->mark[at], mark) < 0)
        at++;
    if (!*mark || strlen(mark) >= sizeof *check->mark || (at < check->marks && strcmp(check->mark[at], mark) == 0))
        return;
    check->mark = memory_grow(check->mark, check->marks + 1, sizeof *check->mark);
    memmove(check->mark + at + 1, check->mark + at, (check->marks - at) * sizeof *check->mark);
    strcpy(check->mark[at], mark);
    check->marks++;
}

static void take_row(void *context, const char *const text[RESULT_COLUMNS], bool shown)
{
    const struct visit *visit = context;
    add_mark(visit->check, text[RESULT_AT_machine_mark]);
    if (!shown)
        return;
    char machine[MERGE_MACHINE_SIZE];
    print_machine(text, machine);
    if (*text[RESULT_AT_machine_hash])
        compare(visit, memory_copy("machine"), machine);
    if (strcmp(text[RESULT_AT_status], status_names[STATUS_SKIPPED]) == 0)
        return;
    compare(visit, memory_print("source of %s", text[RESULT_AT_variant]), text[RESULT_AT_source_hash]);
    compare(visit, memory_print("library of %s on %s", text[RESULT_AT_variant], text[RESULT_AT_device]),
            text[RESULT_AT_library_hash]);
}

void merge_check_take(struct merge_check *check, struct store *store, const char *study)
{
    struct visit visit = {check, store_folder(store), study};
    if (store_merge_visit(store, take_row, &visit) == 0)
        return;
    fprintf(stderr, "tilelab: the results of %s in %s cannot be joined: %s\n", study, visit.folder,
            errno == EPROTO ? "another version of the program wrote them; `tilelab run` of that study writes them anew"
                            : store_failure(errno));
    check->failed = true;
}

void merge_check_free(struct merge_check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        free(check->seen[i].what);
        free(check->seen[i].value);
        free(check->seen[i].folder);
    }
    free(check->seen);
    free(check->mark);
    *check = (struct merge_check){.count = 0};
}

int merge_check_number(const void *context, const char *mark)
{
    const struct merge_check *check = context;
    for (size_t i = 0; i < check->marks; i++)
        if (strcmp(check->mark[i], mark) == 0)
            return (int)i + 1;
    return 0;
}

/* The machine of the rows so far. */
struct machine {
    char *text;
    bool differs;
};

static void take_machine(void *context, const char *const text[RESULT_COLUMNS], bool shown)
{
    struct machine *machine = context;
    char found[MERGE_MACHINE_SIZE];
    if (!shown || !*text[RESULT_AT_machine_hash])
        return;
    print_machine(text, found);
    if (!*machine->text)
        strcpy(machine->text, found);
    machine->differs |= strcmp(machine->text, found) != 0;
}

bool merge_check_machine(struct store *store, char text[MERGE_MACHINE_SIZE])
{
    struct machine machine = {text, false};
    return store_merge_visit(store, take_machine, &machine) == 0 && !machine.differs;
}
