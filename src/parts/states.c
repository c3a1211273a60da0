/* How far the parts of a measurement on several machines are.
 * SPDX-License-Identifier: MIT */
#include "states.h"

#include "base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Adds the folder if it holds parts, or else, if asked, the folders in it that do. Takes over the path. */
static void add_folder(struct states *states, char *path, bool deep)
{
    struct merge_names studies = {.count = 0};
    struct dirent **entry = NULL;
    merge_files_studies(&studies, path);
    const int count = deep && studies.count == 0 ? scandir(path, &entry, NULL, versionsort) : 0;
    for (int i = 0; i < count; i++) {
        if (entry[i]->d_name[0] != '.')
            add_folder(states, memory_print("%s/%s", path, entry[i]->d_name), false);
        free(entry[i]);
    }
    free(entry);
    if (studies.count > 0) {
        states->folder = memory_grow(states->folder, states->folders + 1, sizeof *states->folder);
        states->folder[states->folders++] = path;
        merge_files_studies(&states->studies, path);
    } else {
        free(path);
    }
    merge_files_free(&studies);
}

void states_add_folder(struct states *states, const char *folder)
{
    add_folder(states, memory_copy(folder), true);
}

static void add_state(struct states *states, const struct part_state *state)
{
    states->state = memory_grow(states->state, states->count + 1, sizeof *states->state);
    states->state[states->count++] = *state;
}

/* Counts the cells of a part that have a result. */
static void count_cells(struct part_state *state)
{
    char why[1024];
    struct store *store = store_open(state->folder, state->study, true, why, sizeof why);
    for (size_t c = 0; c < state->list.count; c++) {
        struct store_summary known;
        if (state->list.of[c] != state->list.part.number)
            continue;
        state->cells++;
        if (!store || !store_lookup(store, state->list.id[c], &known) || known.flags & FLAG_PARTIAL)
            continue;
        state->done++;
        state->failed += known.status != STATUS_OK && known.status != STATUS_SKIPPED;
    }
    store_close(store);
    state->is_running = store_is_held(state->folder, state->study);
}

/* Takes what the folders hold of a study. */
static void take_study(struct states *found, const struct states *states, const char *study)
{
    for (size_t i = 0; i < states->folders; i++) {
        struct part_state state = {.study = study, .folder = states->folder[i]};
        char why[1024];
        if (!part_file_read(state.folder, study, &state.list, why, sizeof why)) {
            if (*why)
                fprintf(stderr, "tilelab: %s\n", why);
            continue;
        }
        count_cells(&state);
        add_state(found, &state);
    }
}

static bool same_run(const struct part_state *a, const struct part_state *b)
{
    return a->study == b->study && part_file_same(&a->list, &b->list);
}

/* Adds the parts of the run of `one` that no folder holds. They share its list. */
static void add_absent(struct states *states, const struct states *found, const struct part_state *one)
{
    for (int number = 1; number <= one->list.part.of; number++) {
        struct part_state absent = {.study = one->study, .folder = "", .list = one->list};
        bool is_found = false;
        absent.list.part.number = number;
        for (size_t i = 0; i < found->count; i++)
            is_found |= found->state[i].list.part.number == number && same_run(&found->state[i], one);
        for (size_t c = 0; c < one->list.count; c++)
            absent.cells += one->list.of[c] == number;
        if (!is_found && absent.cells > 0)
            add_state(states, &absent);
    }
}

void states_find(struct states *states)
{
    struct states found = {.count = 0};
    for (size_t s = 0; s < states->studies.count; s++)
        take_study(&found, states, states->studies.name[s]);
    for (size_t i = 0; i < found.count; i++) {
        bool is_last = true;
        for (size_t k = i + 1; k < found.count; k++)
            is_last = is_last && !same_run(&found.state[k], &found.state[i]);
        add_state(states, &found.state[i]);
        if (is_last)
            add_absent(states, &found, &found.state[i]);
    }
    free(found.state);
}

void states_free(struct states *states)
{
    for (size_t i = 0; i < states->count; i++)
        if (*states->state[i].folder)
            part_file_free(&states->state[i].list);
    for (size_t i = 0; i < states->folders; i++)
        free(states->folder[i]);
    free(states->folder);
    free(states->state);
    merge_files_free(&states->studies);
}

const char *states_word(const struct part_state *state)
{
    return state->is_running                      ? "running"
           : state->done == state->cells          ? "finished"
           : state->done == 0 && state->cells > 0 ? "not begun"
                                                  : "ended early";
}
