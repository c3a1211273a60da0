/* `tilelab compare REVISION REVISION`: builds both revisions of the tree, and measures a study with both in turn.
 * SPDX-License-Identifier: MIT */
#include "compare.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/process.h"
#include "base/tool.h"
#include "plan/study_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* A launch is a short run of its own: so many rounds of every cell. */
enum { LAUNCHES = 10, ROUNDS = 3 };

/* The line that `git WORD WORD TEXT` prints, for free(); NULL: git is missing, or refuses. */
static char *ask_git(const char *first, const char *second, const char *text)
{
    char git[PATH_MAX];
    if (!tool_find("git", false, git, sizeof git))
        return NULL;
    char *line = tool_run((const char *const[]){git, first, second, text, NULL});
    if (line)
        line[strcspn(line, "\n")] = '\0';
    return line;
}

/* The hash of a revision's commit, for free(); NULL: git knows no such revision here. */
static char *hash_of(const char *revision)
{
    char *commit = memory_print("%s^{commit}", revision), *hash = ask_git("rev-parse", "--verify", commit);
    free(commit);
    return hash;
}

bool compare_revisions_know(const char *text)
{
    char *hash = *text == '-' ? NULL : hash_of(text);
    const bool known = hash != NULL;
    free(hash);
    return known;
}

/* In a child. */
static int become_bash(const void *context)
{
    const char *const *arguments = context;
    char bash[PATH_MAX];
    return tool_find("bash", false, bash, sizeof bash) ? process_become(bash, arguments) : PROCESS_CANNOT_START;
}

/* Runs the script that builds and measures, to its end. Its lines on standard error say how far it is. */
static enum exit_code run_script(const char *const arguments[])
{
    struct process child;
    const double FOREVER_S = 1e9;
    if (process_start(&child, PROCESS_OUTPUT, become_bash, arguments) != 0)
        return EXIT_CELLS;
    char nothing[64];
    process_collect(&child, nothing, sizeof nothing, FOREVER_S);
    return WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0 ? EXIT_OK : EXIT_CELLS;
}

/* The launches that the settings ask for, or the usual number. The setting is taken out, as the script needs it itself.
 * 0: the setting is no number. */
static int64_t take_launches(struct experiments_arguments *run)
{
    static const char key[] = "launches=";
    int64_t launches = LAUNCHES;
    size_t kept = 0;
    for (size_t i = 0; i < run->settings; i++) {
        const char *value = run->setting[i] + sizeof key - 1;
        if (strncmp(run->setting[i], key, sizeof key - 1) != 0)
            run->setting[kept++] = run->setting[i];
        else if (!number_read_count(value, strlen(value), &launches))
            launches = 0;
    }
    run->settings = kept;
    return launches;
}

static bool sets_rounds(const struct experiments_arguments *run)
{
    for (size_t i = 0; i < run->settings; i++)
        if (strncmp(run->setting[i], "rounds=", strlen("rounds=")) == 0)
            return true;
    return false;
}

/* The problems of the study as patterns of --only, so that no probe is measured beside each launch where nobody chooses
 * cells; the caller frees the text. NULL after a message. */
static char *problems_of(const char *study, const struct experiments_arguments *run)
{
    struct yaml *yaml = study_file_open(study_file_path(study));
    struct study *read = yaml ? study_read(yaml, run->profile, NULL, 0, stderr) : NULL;
    char *patterns = NULL;
    for (size_t i = 0; read && i < read->asked->problems; i++)
        memory_append(&patterns, "%s%s/*", i ? "," : "", read->asked->problem[i]->name);
    study_free(read);
    return patterns;
}

/* The study as both revisions find it, for free(): a name where each revision has its own file, else the path of a
 * file. NULL: there is no such file. */
static char *study_for_both(const char *study)
{
    const char *path = study_file_path(study);
    return strncmp(path, "experiments/", strlen("experiments/")) == 0 && path != study ? memory_copy(study)
                                                                                       : realpath(path, NULL);
}

/* Measures launches of both revisions into FOLDER/0, FOLDER/1 and so on. */
static enum exit_code measure(const struct compare_asked *asked, const char *const hash[2], const char *folder,
                              const char *launches, const char *problems)
{
    const struct experiments_arguments *run = &asked->run;
    char *tree = ask_git("rev-parse", "--show-toplevel", "--"), *script = folder_installed("tools/revisions");
    char *study = study_for_both(asked->study);
    const char *const first[] = {"bash", script,   tree,  hash[0],     hash[1],
                                 folder, launches, study, "--profile", experiment_profiles[run->profile]};
    enum { FIRST = sizeof first / sizeof *first };
    const char **argument = memory_allocate(FIRST + 2 * (run->settings + run->onlys + 1) + 1, sizeof *argument);
    size_t count = FIRST;
    memcpy(argument, first, sizeof first);
    for (size_t i = 0; i < run->settings; i++) {
        argument[count++] = "--set";
        argument[count++] = run->setting[i];
    }
    for (size_t i = 0; i < run->onlys; i++) {
        argument[count++] = "--only";
        argument[count++] = run->only[i];
    }
    if (run->onlys == 0) {
        argument[count++] = "--only";
        argument[count++] = problems;
    }
    if (!script)
        fputs("tilelab compare: tools/revisions is not beside the program\n", stderr);
    const enum exit_code code = script && tree && study ? run_script(argument) : EXIT_USAGE;
    free(argument);
    free(study);
    free(script);
    free(tree);
    return code;
}

/* Compares the launches below the folder. */
static enum exit_code print(const struct compare_asked *asked, const char *folder, int64_t launches, const char *base,
                            const char *subject)
{
    struct query query = {.published = NULL};
    char **launch = memory_allocate((size_t)(2 * launches), sizeof *launch);
    const char *why = NULL;
    for (int64_t i = 0; i < 2 * launches; i++) {
        launch[i] = memory_print("%s/%lld", folder, (long long)i);
        why = why ? why : hosts_add(&query.hosts, launch[i]);
    }
    query_set(&query, "subject", "");
    query_set(&query, "base", "");
    query_set(&query, "cells", "");
    if (why)
        fprintf(stderr, "tilelab compare: %s: %s\n", folder, why);
    const enum exit_code code = why ? EXIT_USAGE : compare_print_launches(&query, asked, subject, base);
    query_close(&query);
    for (int64_t i = 0; i < 2 * launches; i++)
        free(launch[i]);
    free(launch);
    return code;
}

enum exit_code compare_revisions(struct compare_asked *asked, const char *base, const char *subject)
{
    static char rounds[32];
    const int64_t launches = take_launches(&asked->run);
    char folder[PATH_MAX], count[24], *problems;
    if (!asked->study || launches < 1 || asked->run.dry_run || asked->run.seed > 0 || isfinite(asked->run.budget_s)) {
        fputs("tilelab compare: two revisions are compared in the cells of a study, --exp STUDY, in at least one "
              "launch, and without --dry-run, --seed and --budget\n",
              stderr);
        return EXIT_USAGE;
    }
    if (!(problems = problems_of(asked->study, &asked->run)))
        return EXIT_USAGE;
    if (!folder_temporary("tilelab-revisions", folder, sizeof folder)) {
        fprintf(stderr, "tilelab compare: %s cannot be made: %s\n", folder, strerror(errno));
        free(problems);
        return EXIT_STORE;
    }
    snprintf(rounds, sizeof rounds, "rounds=%d", ROUNDS);
    if (!sets_rounds(&asked->run))
        asked->run.setting[asked->run.settings++] = rounds;
    snprintf(count, sizeof count, "%lld", (long long)launches);
    char *hash[] = {hash_of(base), hash_of(subject)};
    enum exit_code code =
        hash[0] && hash[1] ? measure(asked, (const char *const *)hash, folder, count, problems) : EXIT_USAGE;
    if (code == EXIT_OK)
        code = print(asked, folder, launches, base, subject);
    free(hash[0]);
    free(hash[1]);
    folder_remove(folder);
    free(problems);
    return code;
}
