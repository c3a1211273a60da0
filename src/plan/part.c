/* A part of a measurement that is spread over several machines.
 * SPDX-License-Identifier: MIT */
#include "part.h"

#include "predict.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

bool part_parse(const char *text, struct part_name *part)
{
    int64_t number, of;
    const char *slash = strchr(text, '/');
    if (!slash || !number_read_count(text, (size_t)(slash - text), &number) ||
        !number_read_count(slash + 1, strlen(slash + 1), &of) || number < 1 || number > of || of > PART_MOST)
        return false;
    *part = (struct part_name){(int)number, (int)of};
    return true;
}

/* A point of one of the studies. */
struct candidate {
    struct part_share *share;
    size_t point;
    double cost_s;
};

/* The predicted cost of a point without any result. A cell that this machine skips, now and later, costs nothing. */
static double point_cost(const struct schedule *schedule, const struct point *point)
{
    const struct measure *measure = &schedule->experiment->measure;
    struct predict_workers workers = {.count = 0};
    double cost_s = 0;
    for (size_t i = 0; i < point->count; i++) {
        const struct item *item = &schedule->item[schedule->order[point->first + i]];
        const double run_s = predict_run_s(schedule->item, NULL, item);
        if (item->state == ITEM_UNSUITED || run_s > measure->skip_above_s)
            continue;
        const struct cost cost =
            predict_cost(measure, &item->cell, run_s, predict_starts_worker(&workers, &item->cell));
        cost_s += predict_total_s(&cost);
    }
    return cost_s;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->cost_s != y->cost_s)
        return x->cost_s > y->cost_s ? -1 : 1;
    const int name = strcmp(x->share->schedule->experiment->name, y->share->schedule->experiment->name);
    return name != 0 ? name : (x->point > y->point) - (x->point < y->point);
}

void part_share_out(struct part_share *share, size_t shares, int parts)
{
    size_t count = 0;
    for (size_t i = 0; i < shares; i++)
        count += share[i].schedule->points;
    struct candidate *candidate = memory_allocate(count, sizeof *candidate);
    double *load_s = memory_allocate((size_t)parts, sizeof *load_s);
    size_t filled = 0;
    for (size_t i = 0; i < shares; i++)
        for (size_t p = 0; p < share[i].schedule->points; p++)
            candidate[filled++] =
                (struct candidate){&share[i], p, point_cost(share[i].schedule, &share[i].schedule->point[p])};
    if (count > 0)
        qsort(candidate, count, sizeof *candidate, compare_candidates);
    for (size_t i = 0; i < count; i++) {
        int least = 0;
        for (int k = 1; k < parts; k++)
            if (load_s[k] < load_s[least])
                least = k;
        load_s[least] += candidate[i].cost_s;
        candidate[i].share->of[candidate[i].point] = least + 1;
    }
    free(load_s);
    free(candidate);
}

void part_select(struct schedule *schedule, const int *of, int number)
{
    size_t kept = 0;
    for (size_t p = 0; p < schedule->points; p++) {
        const struct point point = schedule->point[p];
        if (of[p] == number)
            schedule->point[kept++] = point;
        for (size_t i = 0; i < point.count; i++)
            schedule->item[schedule->order[point.first + i]].asked = of[p] == number ? ITEM_ASKED : ITEM_DEFERRED;
    }
    schedule->points = kept;
}
