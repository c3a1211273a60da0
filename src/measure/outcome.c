/* What one step of measuring a cell came to.
 * SPDX-License-Identifier: MIT */
#include "outcome.h"

#include <math.h>

struct outcome outcome_none(void)
{
    return (struct outcome){.run_s = NAN,
                            .cpu_s = NAN,
                            .start_s = NAN,
                            .alloc_s = NAN,
                            .first_run_s = NAN,
                            .error = NAN,
                            .bound = NAN,
                            .norm2 = NAN,
                            .growth = NAN,
                            .residual = NAN,
                            .radius = NAN,
                            .converged = -1,
                            .bitwise = -1};
}

void outcome_fail(struct outcome *outcome, enum status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(outcome->reason, sizeof outcome->reason, format, args);
    va_end(args);
    outcome->status = status;
    outcome->samples = 0;
}

size_t outcome_size(const struct outcome *outcome)
{
    return offsetof(struct outcome, sample) + (size_t)outcome->samples * sizeof outcome->sample[0];
}
