/* What a run would measure, and how long that would take.
 * SPDX-License-Identifier: MIT */
#include "run_plan.h"

#include "cell.h"
#include "progress.h"
#include "plan/predict.h"

#include <stdlib.h>
#include <string.h>

/* Prints why cells are skipped, and how many cells for each reason. */
static void print_skips(const struct schedule *schedule)
{
    /* Reasons hold sizes, so there are many of them; the first ones suffice. */
    enum { SHOWN = 12 };
    const char *seen[SHOWN];
    size_t seen_count[SHOWN], kinds = 0, others = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const char *skip = schedule->item[i].asked == ITEM_ASKED ? schedule->item[i].skip : NULL;
        size_t k = 0;
        if (!skip)
            continue;
        while (k < kinds && strcmp(seen[k], skip) != 0)
            k++;
        if (k == SHOWN) {
            others++;
            continue;
        }
        if (k == kinds) {
            seen[kinds] = skip;
            seen_count[kinds++] = 0;
        }
        seen_count[k]++;
    }
    for (size_t k = 0; k < kinds; k++)
        printf("  %7zu skipped: %s\n", seen_count[k], seen[k]);
    if (others > 0)
        printf("  %7zu skipped for other reasons\n", others);
}

/* Prints which profiles asked for the results that are not measured again: "  12 finished: 8 by profile full, ...". */
static void print_finished(const struct schedule *schedule, const struct store *store)
{
    enum { KINDS = 8 };
    char profile[KINDS][sizeof((struct result *)0)->profile];
    size_t count[KINDS], kinds = 0, finished = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const struct item *item = &schedule->item[i];
        const bool is_finished = item->state == ITEM_FINISHED && item->asked == ITEM_ASKED;
        const struct result *result = is_finished ? store_find(store, item->id) : NULL;
        size_t k = 0;
        if (!result)
            continue;
        while (k < kinds && strcmp(profile[k], result->profile) != 0)
            k++;
        if (k == KINDS)
            continue;
        if (k == kinds) {
            memcpy(profile[k], result->profile, sizeof profile[k]);
            count[kinds++] = 0;
        }
        count[k]++;
        finished++;
    }
    if (finished == 0)
        return;
    printf("  %7zu finished:", finished);
    for (size_t k = 0; k < kinds; k++)
        printf("%s %zu by %s%s", k > 0 ? "," : "", count[k], k == 0 && *profile[k] ? "profile " : "",
               *profile[k] ? profile[k] : "an older program");
    putchar('\n');
}

/* Prints why cells are measured, and how many cells for each reason. */
static void print_reasons(const struct schedule *schedule)
{
    for (enum reason r = 0; r < REASON_NONE; r++) {
        const size_t count = schedule_count(schedule, r);
        if (count > 0)
            printf("  %7zu to measure: %s\n", count, schedule_reasons[r]);
    }
}

void run_plan_print(const struct schedule *schedule, const struct store *store)
{
    const struct measure *measure = &schedule->experiment->measure;
    struct predict_workers workers = {.count = 0};
    double total_s = 0, energy_s = 0;
    size_t all = 0, finished = 0, pending = 0;
    char time[32];
    printf("%s\n", schedule->experiment->name);
    for (size_t p = 0; p < schedule->points; p++) {
        const struct point *point = &schedule->point[p];
        const struct cell *head = &schedule->item[schedule->order[point->first]].cell;
        predict_next_point(&workers);
        double point_s = 0;
        size_t cells = 0, long_cells = 0, too_long = 0;
        for (size_t i = 0; i < point->count; i++) {
            const struct item *item = &schedule->item[schedule->order[point->first + i]];
            all += item->asked == ITEM_ASKED;
            finished += item->state == ITEM_FINISHED && item->asked == ITEM_ASKED;
            if (!item_pending(item))
                continue;
            const double run_s = predict_run_s(schedule->item, store, item);
            cells++;
            long_cells += run_s > measure->once_above_s && run_s <= measure->skip_above_s;
            too_long += run_s > measure->skip_above_s;
            if (run_s > measure->skip_above_s)
                continue;
            const struct cost cost =
                predict_cost(measure, &item->cell, run_s, predict_starts_worker(&workers, &item->cell));
            point_s += predict_total_s(&cost);
            energy_s += cost.energy_s;
        }
        pending += cells;
        total_s += point_s;
        if (cells == 0)
            continue;
        progress_duration(point_s, time, sizeof time);
        printf("  %s %s", head->entry->problem->name, cell_precision_names[head->precision]);
        if (head->m > 0)
            printf(" m=%lld", (long long)head->m);
        printf(" n=%lld", (long long)head->n);
        if (head->k > 0)
            printf(" k=%lld", (long long)head->k);
        printf(": %zu cell%s, about %s", cells, cells == 1 ? "" : "s", time);
        if (long_cells)
            printf(", %zu of them run once", long_cells);
        if (too_long)
            printf(", %zu predicted over skip-above", too_long);
        putchar('\n');
    }
    print_finished(schedule, store);
    print_reasons(schedule);
    print_skips(schedule);
    printf("  %zu cells: %zu finished, %zu to measure", all, finished, pending);
    progress_duration(total_s, time, sizeof time);
    if (pending > 0)
        printf(", about %s", time);
    progress_duration(energy_s, time, sizeof time);
    if (energy_s > 0)
        printf(", of which the continuous runs for the energy take %s", time);
    putchar('\n');
}

enum exit_code run_plan_studies(struct study *const studies[], const struct experiments_arguments *arguments)
{
    /* `tilelab run` would measure nothing in the folder of another machine. */
    bool failed;
    int **const share = experiments_share(studies, arguments, &failed);
    enum exit_code code = failed ? EXIT_USAGE : experiments_folder(arguments->data) ? EXIT_OK : EXIT_STORE;
    for (size_t i = 0; i < arguments->files && code != EXIT_STORE && !failed; i++) {
        char why[512];
        /* Without results, times are predicted from typical rates. */
        struct store *store = store_open(arguments->data, studies[i]->asked->name, true, why, sizeof why);
        struct schedule *schedule = schedule_make(studies[i], store, arguments->again, stderr);
        if (schedule && share)
            part_select(schedule, share[i], arguments->part.number);
        if (schedule)
            run_plan_print(schedule, store);
        else
            code = EXIT_USAGE;
        schedule_free(schedule);
        store_close(store);
    }
    experiments_share_free(share, arguments);
    return code;
}
