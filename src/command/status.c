/* `tilelab status`: how far the parts of a measurement on several machines are.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "merge_files.h"
#include "options.h"
#include "part_file.h"
#include "table.h"
#include "base/memory.h"

#include <argp.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char **folder; /* owned, as the paths are */
    size_t folders;
};

/* One part of one study. */
struct state {
    struct part_file list;
    const char *study, *folder;
    size_t cells, done, failed;
    bool is_running;
};

struct states {
    struct state *state; /* owned */
    size_t count;
};

/* Adds the folder, or the folders in it that hold parts. */
static void add_folder(struct arguments *arguments, char *path, bool deep)
{
    struct merge_names studies = {.count = 0};
    struct dirent **entry = NULL;
    merge_files_studies(&studies, path);
    const int count = deep && studies.count == 0 ? scandir(path, &entry, NULL, versionsort) : 0;
    for (int i = 0; i < count; i++) {
        if (entry[i]->d_name[0] != '.')
            add_folder(arguments, memory_print("%s/%s", path, entry[i]->d_name), false);
        free(entry[i]);
    }
    free(entry);
    if (studies.count > 0) {
        arguments->folder = memory_grow(arguments->folder, arguments->folders + 1, sizeof *arguments->folder);
        arguments->folder[arguments->folders++] = path;
    } else {
        free(path);
    }
    merge_files_free(&studies);
}

/* Counts the cells of a part that have a result. */
static void count_cells(struct state *state)
{
    char why[1024];
    struct store *store = store_open(state->folder, state->study, true, why, sizeof why);
    for (size_t c = 0; c < state->list.count; c++) {
        struct glance known;
        if (state->list.of[c] != state->list.part.number)
            continue;
        state->cells++;
        if (!store || !store_peek(store, state->list.id[c], &known) || known.flags & FLAG_PARTIAL)
            continue;
        state->done++;
        state->failed += known.status != STATUS_OK && known.status != STATUS_SKIPPED;
    }
    store_close(store);
    state->is_running = store_is_held(state->folder, state->study);
}

/* Takes what the folders hold of a study. */
static void take_study(struct states *states, const struct arguments *arguments, const char *study)
{
    for (size_t i = 0; i < arguments->folders; i++) {
        struct state state = {.study = study, .folder = arguments->folder[i]};
        char why[1024];
        if (!part_file_read(state.folder, study, &state.list, why, sizeof why)) {
            if (*why)
                fprintf(stderr, "tilelab: %s\n", why);
            continue;
        }
        count_cells(&state);
        states->state = memory_grow(states->state, states->count + 1, sizeof *states->state);
        states->state[states->count++] = state;
    }
}

static const char *word_of(const struct state *state)
{
    return state->is_running                      ? "running"
           : state->done == state->cells          ? "finished"
           : state->done == 0 && state->cells > 0 ? "not begun"
                                                  : "ended early";
}

static void add_row(struct table *table, const struct state *state)
{
    table_text(table, state->study);
    table_print(table, "%d/%d", state->list.part.number, state->list.part.of);
    table_text(table, state->list.profile);
    table_print(table, "%zu", state->cells);
    table_print(table, "%zu", state->done);
    table_count(table, state->failed);
    table_text(table, word_of(state));
    table_text(table, state->folder);
}

/* Adds rows for the parts of a list that no folder holds. */
static void add_absent(struct table *table, const struct states *states, const struct state *first, size_t *left)
{
    for (int number = 1; number <= first->list.part.of; number++) {
        bool found = false;
        size_t cells = 0;
        for (size_t i = 0; i < states->count; i++)
            found |= states->state[i].list.part.number == number && states->state[i].study == first->study &&
                     part_file_same(&states->state[i].list, &first->list);
        for (size_t c = 0; c < first->list.count; c++)
            cells += first->list.of[c] == number;
        if (found || cells == 0)
            continue;
        *left += cells;
        struct state absent = {.study = first->study, .folder = "", .list = first->list, .cells = cells};
        absent.list.part.number = number;
        add_row(table, &absent);
    }
}

static void print_states(const struct states *states)
{
    struct table table = {.columns = 0};
    size_t cells = 0, left = 0, absent = 0;
    table_column(&table, "study", true, false);
    table_column(&table, "part", false, false);
    table_column(&table, "profile", true, false);
    table_column(&table, "cells", false, false);
    table_column(&table, "done", false, false);
    table_column(&table, "failed", false, true);
    table_column(&table, "state", true, false);
    table_column(&table, "folder", true, false);
    for (size_t i = 0; i < states->count; i++) {
        const struct state *state = &states->state[i];
        cells += state->cells;
        left += state->cells - state->done;
        add_row(&table, state);
        /* The parts of one run share the same list. Those that no folder holds come behind the last of the others. */
        bool is_last = true;
        for (size_t k = i + 1; k < states->count; k++)
            is_last = is_last &&
                      !(states->state[k].study == state->study && part_file_same(&states->state[k].list, &state->list));
        if (is_last)
            add_absent(&table, states, state, &absent);
    }
    table_end(&table);
    printf("%zu of %zu cells are left\n", left + absent, cells + absent);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == ARGP_KEY_ARG)
        add_folder(arguments, memory_copy(text), true);
    else if (key == ARGP_KEY_NO_ARGS)
        add_folder(arguments, memory_copy("data/local/parts"), true);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int status_main(int argc, char **argv)
{
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "[DIR...]",
        .doc = "Shows how far the parts of `tilelab run --part` are. A DIR is the folder of a part, or one that holds "
               "such folders (default data/local/parts)."};
    struct arguments arguments = {.folders = 0};
    struct merge_names studies = {.count = 0};
    struct states states = {.count = 0};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    for (size_t i = 0; i < arguments.folders; i++)
        merge_files_studies(&studies, arguments.folder[i]);
    for (size_t s = 0; s < studies.count; s++)
        take_study(&states, &arguments, studies.name[s]);
    if (states.count > 0)
        print_states(&states);
    else
        puts("there are no parts");
    for (size_t i = 0; i < states.count; i++)
        part_file_free(&states.state[i].list);
    free(states.state);
    merge_files_free(&studies);
    for (size_t i = 0; i < arguments.folders; i++)
        free((char *)arguments.folder[i]);
    free(arguments.folder);
    return EXIT_OK;
}
