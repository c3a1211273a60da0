/* What one step of measuring a cell came to.
 * SPDX-License-Identifier: MIT */
#include "outcome.h"

#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct outcome outcome_none(void)
{
#define UNKNOWN_REAL NAN
#define UNKNOWN_TRISTATE -1
    return (struct outcome){
#define MEASURED(kind, name, ...) .name = UNKNOWN_##kind,
#define VERDICT(name, ...) .name = NAN,
#include "results/results.def"
        .run_s = NAN,
        .again_s = NAN,
        .seen_s = NAN,
        .delay_s = NAN,
        .cpu_s = NAN,
    };
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

void outcome_transient(struct outcome *outcome, const char *format, ...)
{
    char text[sizeof outcome->reason];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    outcome_fail(outcome, STATUS_SKIPPED, "%s", text);
    outcome->transient = true;
}

void outcome_judge(struct outcome *outcome, const struct problem *problem, const struct verdict *verdict,
                   const struct solver_log *log)
{
#define VERDICT(name, ...) outcome->name = verdict->name;
#include "results/results.def"
    if (!(verdict->growth > 0))
        outcome->growth = NAN;
    if (problem->sweeps)
        outcome->log = *log;
    else
        outcome->residual = outcome->radius = NAN;
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
#define VERDICT(name, ...) outcome->name = verdict->name;
#include "results/results.def"
        outcome->log = verdict->log;
    }
    if (verdict->status != STATUS_OK)
        outcome_fail(outcome, verdict->status, "%s", verdict->reason);
}

void outcome_put_measured(const struct outcome *outcome, struct result *result)
{
#define PUT_REAL(name) result->name = isnan(result->name) ? outcome->name : result->name;
#define PUT_TRISTATE(name) \
    if (outcome->name >= 0) \
        result->name = result->name < 0 ? outcome->name : result->name & outcome->name;
#define MEASURED(kind, name, ...) PUT_##kind(name)
#include "results/results.def"
}

bool outcome_put_verdict(const struct outcome *outcome, struct result *result)
{
    const struct solver_log *log = &outcome->log;
#define VERDICT(name, ...) result->name = outcome->name;
#include "results/results.def"
    if (!result->cell.entry->problem->sweeps)
        return true;
    double *history = realloc(result->history, (size_t)(log->recorded ? log->recorded : 1) * sizeof *history);
    if (!history)
        return false;
    memcpy(history, log->history, (size_t)log->recorded * sizeof *history);
    result->history = history;
    result->history_count = (size_t)log->recorded;
    result->history_every = log->every;
    result->iterations = (int)log->sweeps;
    return true;
}

size_t outcome_size(const struct outcome *outcome)
{
    return offsetof(struct outcome, sample) + (size_t)outcome->samples * sizeof outcome->sample[0];
}
