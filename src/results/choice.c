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
    return merit->care ? merit->care->rounds : merit->rounds;
}

bool choice_keeps_older(const struct choice_merit *older, const struct choice_merit *newer)
{
    if (rank(older) != rank(newer))
        return rank(older) > rank(newer);
    if (newer->skipped || newer->wrong || (newer->ok && !older->ok) || older->settings == newer->settings)
        return false;
    if (older->care && newer->care)
        return care_satisfies(older->care, older->once, newer->care) &&
               !care_satisfies(newer->care, newer->once, older->care);
    return rounds(older) != rounds(newer) ? rounds(older) > rounds(newer) : older->samples > newer->samples;
}

bool choice_ends(const struct choice_merit *merit)
{
    return merit->wrong;
}
