/* What a command line asks for of experiment files: reads the files, and shares them out to parts.
 * SPDX-License-Identifier: MIT */
#include "experiments.h"

#include "counted.h"
#include "probes.h"
#include "selection.h"
#include "base/memory.h"
#include "base/timer.h"
#include "results/owner.h"

#include <stdlib.h>
#include <sys/random.h>

/* Machines of one kind may count their cores differently, and would then share out different cells. */
static bool suits_parts(const struct experiment *experiment, const struct experiments_arguments *arguments)
{
    bool counts = false;
    for (size_t i = 0; i < experiment->value_lists; i++)
        for (size_t j = 0; j < experiment->values[i].count; j++)
            counts |= experiment->values[i].axis == AXIS_threads && experiment->values[i].value[j] == VALUE_CORES;
    if (counts && arguments->part.of > 0)
        fprintf(stderr,
                "%s: error: each machine counts its own 'cores', so that parts would not fit together; write numbers\n",
                experiment->where);
    return !counts || arguments->part.of == 0;
}

/* Reads a study and expands its grid. A grid that does not expand is told here, before a folder is touched. NULL after
 * diagnostics. */
static struct study *read_one(const struct experiments_arguments *arguments, size_t i)
{
    if (!arguments->opened[i])
        return NULL;
    struct study *study =
        study_read(arguments->opened[i], arguments->profile, arguments->setting, arguments->settings, stderr);
    if (!study || !suits_parts(study->asked, arguments) || study_grid(study, study->asked, stderr)->count == 0) {
        study_free(study);
        return NULL;
    }
    struct experiment *experiment = study->asked;
    for (size_t i = 0; i < arguments->onlys; i++) {
        experiment->only = memory_grow(experiment->only, i + 1, sizeof *experiment->only);
        experiment->only[experiment->onlys++] = memory_copy(arguments->only[i]);
    }
    experiment->within = arguments->within ? memory_copy(arguments->within) : NULL;
    return study;
}

bool experiments_folder(const char *folder)
{
    char hash[HASH_SHORT_SIZE], machine[256], why[2048];
    provenance_machine(folder, hash);
    provenance_machine_words(machine, sizeof machine);
    if (owner_allows(folder, hash, machine, why, sizeof why))
        return true;
    fprintf(stderr, "tilelab: %s\n", why);
    return false;
}

/* The seed of the inputs of this call. Nobody can foretell it, so that no variant knows its inputs. Simulated times go
 * with the same inputs each time. */
static uint64_t seed_of(const struct experiments_arguments *arguments)
{
    uint64_t drawn = 0;
    if (arguments->seed > 0)
        return (uint64_t)arguments->seed;
    if (timer_is_fake() || getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return 1;
    return drawn % (uint64_t)EXPERIMENTS_SEED_MOST + 1;
}

/* Whether the patterns of --only, and of the list `within`, match cells of the studies, or probes beside them. If not,
 * a message says so. */
static bool check_patterns(struct study *const studies[], const struct experiments_arguments *arguments)
{
    struct grid *grids = memory_allocate(arguments->files, sizeof *grids);
    for (size_t i = 0; i < arguments->files; i++) {
        grid_merge(&grids[i], study_grid(studies[i], studies[i]->asked, NULL));
        if (!timer_is_fake())
            probes_append(&grids[i]);
    }
    const bool right = selection_check(arguments->only, arguments->onlys, grids, arguments->files, stderr) &&
                       selection_check(&arguments->within, arguments->within ? 1 : 0, grids, arguments->files, stderr);
    for (size_t i = 0; i < arguments->files; i++)
        grid_free(&grids[i]);
    free(grids);
    return right;
}

struct study **experiments_read(const struct experiments_arguments *arguments)
{
    struct study **studies = memory_allocate(arguments->files, sizeof *studies);
    const uint64_t seed = seed_of(arguments);
    counted_use(arguments->data);
    bool right = true;
    for (size_t i = 0; i < arguments->files; i++)
        right &= (studies[i] = read_one(arguments, i)) != NULL;
    right = right && ((arguments->onlys == 0 && !arguments->within) || check_patterns(studies, arguments));
    for (size_t i = 0; i < arguments->files; i++)
        if (right) {
            studies[i]->asked->measure.seed = seed;
            studies[i]->asked->measure.seed_given = arguments->seed > 0;
        } else {
            study_free(studies[i]);
        }
    if (right)
        return studies;
    free(studies);
    return NULL;
}

void experiments_free(struct study **studies, struct experiments_arguments *arguments)
{
    for (size_t i = 0; studies && i < arguments->files; i++)
        study_free(studies[i]);
    free(studies);
    free(arguments->file);
    free(arguments->opened);
    free(arguments->setting);
    free(arguments->only);
}

int **experiments_share(struct study *const studies[], const struct experiments_arguments *arguments, bool *failed)
{
    *failed = false;
    if (arguments->part.of == 0)
        return NULL;
    struct part_share *share = memory_allocate(arguments->files, sizeof *share);
    int **of = memory_allocate(arguments->files, sizeof *of);
    for (size_t i = 0; i < arguments->files && !*failed; i++) {
        struct schedule *schedule = schedule_make(studies[i], NULL, AGAIN_NOTHING, stderr);
        *failed = !schedule;
        of[i] = schedule ? memory_allocate(schedule->points, sizeof *of[i]) : NULL;
        share[i] = (struct part_share){schedule, of[i]};
    }
    if (!*failed)
        part_share_out(share, arguments->files, arguments->part.of);
    for (size_t i = 0; i < arguments->files; i++)
        schedule_free((struct schedule *)share[i].schedule); /* made here */
    free(share);
    if (!*failed)
        return of;
    experiments_share_free(of, arguments);
    return NULL;
}

void experiments_share_free(int **share, const struct experiments_arguments *arguments)
{
    for (size_t i = 0; share && i < arguments->files; i++)
        free(share[i]);
    free(share);
}
