/* `tilelab status`: how far the parts of a measurement on several machines are.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/folder.h"
#include "parts/states.h"
#include "query/table.h"

#include <errno.h>
#include <string.h>

static void print_states(const struct states *states)
{
    struct table table = {.columns = 0};
    size_t cells = 0, left = 0;
    table_column(&table, "study", true, false);
    table_column(&table, "part", false, false);
    table_column(&table, "profile", true, false);
    table_column(&table, "cells", false, false);
    table_column(&table, "done", false, false);
    table_column(&table, "failed", false, true);
    table_column(&table, "state", true, false);
    table_column(&table, "folder", true, false);
    for (size_t i = 0; i < states->count; i++) {
        const struct part_state *state = &states->state[i];
        cells += state->cells;
        left += state->cells - state->done;
        table_text(&table, state->study);
        table_print(&table, "%d/%d", state->list.part.number, state->list.part.of);
        table_text(&table, state->list.profile);
        table_print(&table, "%zu", state->cells);
        table_print(&table, "%zu", state->done);
        table_count(&table, state->failed);
        table_text(&table, states_word(state));
        table_text(&table, state->folder);
    }
    table_end(&table);
    printf("%zu of %zu cells are left\n", left, cells);
}

struct asked {
    struct states states;
    bool named; /* the command line names a folder */
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct asked *asked = state->input;
    if (key == ARGP_KEY_ARG || key == 'd') {
        options_check_folder(text, state);
        if (!folder_exists(text))
            argp_error(state, "%s: %s; `tilelab run --part K/N` measures a part", text, strerror(errno));
        states_add_folder(&asked->states, text);
        asked->named = true;
    } else if (key == ARGP_KEY_END && !asked->named) {
        states_add_folder(&asked->states, "data/local/parts");
    } else if (key != ARGP_KEY_END) {
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int status_main(int argc, char **argv)
{
    static const struct argp_option options[] = {{"data", 'd', "DIR", 0, "a DIR, as other subcommands take it", 0},
                                                 {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[DIR...]",
        .doc = "Shows how far the parts of `tilelab run --part` are. A DIR is the folder of a part, or one that holds "
               "such folders (default data/local/parts)."};
    struct asked asked = {.named = false};
    options_parse(&argp, argc, argv, 0, NULL, &asked);
    states_find(&asked.states);
    if (asked.states.count > 0)
        print_states(&asked.states);
    else
        puts("there are no parts");
    states_free(&asked.states);
    return EXIT_OK;
}
