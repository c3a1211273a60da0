/* What one step of measuring a cell came to.
 * SPDX-License-Identifier: MIT */
#include "outcome.h"

#include <math.h>

struct outcome outcome_none(void)
{
    return (struct outcome){.run_s = NAN,
                            .again_s = NAN,
                            .seen_s = NAN,
                            .delay_s = NAN,
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

void outcome_accident(struct outcome *outcome, const char *format, ...)
{
    char text[sizeof outcome->reason];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    outcome_fail(outcome, STATUS_SKIPPED, "%s", text);
    outcome->accident = true;
}

void outcome_judge(struct outcome *outcome, const struct problem *problem, const struct verdict *verdict,
                   const struct solver_log *log)
{
    outcome->error = verdict->error;
    outcome->bound = verdict->bound;
    outcome->norm2 = verdict->norm2;
    if (verdict->growth > 0)
        outcome->growth = verdict->growth;
    if (problem->sweeps) {
        outcome->residual = verdict->residual;
        outcome->radius = verdict->radius;
        outcome->log = *log;
    }
    if (!verdict->ok || verdict->status != STATUS_OK)
        outcome_fail(outcome, verdict->ok || verdict->status == STATUS_MEMORY ? verdict->status : STATUS_WRONG, "%s",
                     verdict->reason[0] ? verdict->reason : "the result is wrong");
}

void outcome_take_verdict(struct outcome *outcome, const struct outcome *verdict)
{
    outcome->digest = verdict->digest;
    outcome->verified = verdict->verified;
    outcome->phase_s[PHASE_VERIFY] += verdict->phase_s[PHASE_VERIFY];
    if (verdict->verified) {
        outcome->error = verdict->error;
        outcome->bound = verdict->bound;
        outcome->norm2 = verdict->norm2;
        outcome->growth = verdict->growth;
        outcome->residual = verdict->residual;
        outcome->radius = verdict->radius;
        outcome->log = verdict->log;
    }
    if (verdict->status != STATUS_OK)
        outcome_fail(outcome, verdict->status, "%s", verdict->reason);
}

size_t outcome_size(const struct outcome *outcome)
{
    return offsetof(struct outcome, sample) + (size_t)outcome->samples * sizeof outcome->sample[0];
}
