/* Fuzz target: what the command line says of an experiment. A line "-LIST" is a list of patterns of --only, any other
 * line a setting of --set. The cells that the lists ask for are as many as selection_check says.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "plan/selection.h"
#include "plan/settings.h"
#include "plan/study.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 8, CELLS = 256 };

struct words {
    char *list[LINES];
    const char *setting[LINES];
    size_t lists, settings;
};

/* The words of the lines, which stay in `text`. The command line refuses a setting of another form at once. */
static struct words words_of(char *text)
{
    struct words words = {.lists = 0};
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
        if (*line == '-' && words.lists < LINES)
            words.list[words.lists++] = line + 1;
        else if (words.settings < LINES && settings_allow(line))
            words.setting[words.settings++] = line;
    return words;
}

/* Whether the settings leave the grid small enough for many inputs a second. */
static bool is_small(const struct experiment *experiment)
{
    size_t cells = 1;
    for (size_t i = 0; i < experiment->value_lists; i++)
        if ((cells *= experiment->values[i].count) > CELLS)
            return false;
    return true;
}

static void select_cells(const struct words *words, const struct grid *grid)
{
    bool has = false;
    for (size_t i = 0; i < grid->count && !has; i++)
        has = selection_has(words->list, words->lists, &grid->cell[i]);
    if (selection_check(words->list, words->lists, grid, 1, fuzz_nowhere()))
        FUZZ_NEED(has);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char yaml[] = "schema: 1\ntitle: {en: \"T\"}\nsource: tilelab\nproblem: [matmul, jacobi]\ngrid:\n"
                               "  n: [8, 16]\n  variant: [matmul/seq-ijk, matmul/omp-*, jacobi/omp]\n"
                               "  threads: {for: \"*omp*\", values: [1, all]}\n";
    static const struct grid_limits limits = {.threads_all = 4, .isa_best = ISA_BASE};
    static struct fuzz_file file;
    static unsigned calls;
    struct grid grid;
    if (!file.path[0])
        fuzz_write(&file, "study.yaml", yaml, sizeof yaml - 1);
    char *text = fuzz_text(data, size);
    const struct words words = words_of(text);
    struct study *study =
        study_read(yaml_read(file.path), (enum profile)(calls++ % 3), words.setting, words.settings, fuzz_nowhere());
    if (study && is_small(study->asked) && grid_expand(study->asked, &limits, &grid, fuzz_nowhere()) == 0) {
        select_cells(&words, &grid);
        grid_free(&grid);
    }
    study_free(study);
    free(text);
    return 0;
}
