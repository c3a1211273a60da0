/* Which of two results of a cell counts.
 * SPDX-License-Identifier: MIT */
#include "choice.h"

static int rank(const struct choice_merit *merit)
{
    return merit->skipped ? 0 : merit->partial ? 1 : 2;
}

/* The rounds that a result stands for. A measurement may end before all rounds that were asked for, so that the
 * settings count where they are known. */
static int rounds(const struct choice_merit *merit)
{
    return merit->criterion ? merit->criterion->rounds : merit->rounds;
}

bool choice_keeps_older(const struct choice_merit *older, const struct choice_merit *newer)
{
    if (rank(older) != rank(newer))
        return rank(older) > rank(newer);
    if (newer->skipped || newer->wrong || (newer->ok && !older->ok) || older->settings == newer->settings)
        return false;
    if (older->criterion && newer->criterion)
        return criterion_satisfies(older->criterion, older->once, newer->criterion) &&
               !criterion_satisfies(newer->criterion, newer->once, older->criterion);
    return rounds(older) != rounds(newer) ? rounds(older) > rounds(newer) : older->samples > newer->samples;
}

bool choice_ends(const struct choice_merit *merit)
{
    return merit->wrong;
}
