/* How long a run will still take.
 * SPDX-License-Identifier: MIT
 *
 * A run consists of parts: starts of workers, checks, warm-ups and rounds. Each part was predicted before it began. How
 * long the finished parts took corrects the prediction of those that are left, each kind by itself. */
#ifndef TILELAB_RUN_ESTIMATE_H
#define TILELAB_RUN_ESTIMATE_H

#include <stdbool.h>

enum part { PART_START, PART_CHECK, PART_WARM, PART_ROUND, PARTS };

struct estimate {
    double left_s[PARTS];                    /* predicted for the parts that are not finished */
    double expected_s[PARTS], took_s[PARTS]; /* of the finished parts: predicted, and measured */
    bool busy;                               /* a part is being worked on: */
    enum part part;
    double begin_s, part_s; /* when it began, and how long it was predicted to take */
    double end_s;           /* when the run is said to end; 0: nothing was said yet */
};

/* A part begins now. */
void estimate_begin(struct estimate *estimate, enum part part, double expected_s, double now_s);
/* The part ends. `counts`: it was finished, so its time corrects the prediction. */
void estimate_end(struct estimate *estimate, bool counts, double now_s);

/* Predicted times of the parts, corrected and added up. */
double estimate_correct_s(const struct estimate *estimate, const double predicted_s[PARTS]);

/* How long the run will still take. What was said before holds, less the time since, until the new estimate differs by
 * more than a little. At least 0. */
double estimate_left_s(struct estimate *estimate, double now_s);

#endif
