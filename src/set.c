/* The operands of one shape, on the host and on the device.
 * SPDX-License-Identifier: MIT */
#include "set.h"

#include "timer.h"

#include <string.h>

enum { SETS_MAX = 8 };
static struct set sets[SETS_MAX];

static bool same_shape(const struct cell *a, const struct cell *b)
{
    return a->entry->problem == b->entry->problem && a->precision == b->precision && a->m == b->m &&
           a->n == b->n && a->k == b->k;
}

static void set_close(struct set *set)
{
    if (!set->problem)
        return;
    if (set->reference)
        set->problem->reference_free(set->reference);
    for (int i = 0; i < set->problem->operand_count; i++) {
        if (set->device[i])
            set->backend->release(set->device[i]);
        guarded_free(&set->host[i]);
    }
    *set = (struct set){0};
}

struct set *set_open(const struct backend *backend, const struct cell *cell,
                     struct outcome *outcome)
{
    struct set *set = NULL;
    for (int i = 0; i < SETS_MAX; i++) {
        if (sets[i].problem && same_shape(&sets[i].shape, cell))
            return &sets[i];
        if (!sets[i].problem && !set)
            set = &sets[i];
    }
    if (!set) {
        outcome_fail(outcome, STATUS_FAILED, "more than %d operand sets in one worker", SETS_MAX);
        return NULL;
    }
    *set = (struct set){
        .backend = backend, .problem = cell->entry->problem, .shape = *cell, .inputs = -1};
    for (int i = 0; i < set->problem->operand_count; i++) {
        const int64_t bytes = operand_bytes(cell, i);
        if (bytes < 0 || guarded_allocate(&set->host[i], (size_t)bytes) != 0) {
            outcome_fail(outcome, STATUS_MEMORY, "no memory for operand %s of %lld bytes",
                         set->problem->operand[i].name, (long long)bytes);
            set_close(set);
            return NULL;
        }
        const double start = timer_now_s();
        if (set->backend->allocate && !(set->device[i] = set->backend->allocate((size_t)bytes))) {
            outcome_fail(outcome, STATUS_MEMORY, "no device memory for operand %s of %lld bytes",
                         set->problem->operand[i].name, (long long)bytes);
            set_close(set);
            return NULL;
        }
        set->alloc_s += timer_now_s() - start;
    }
    return set;
}

bool set_upload(struct set *set, struct outcome *outcome)
{
    for (int i = 0; set->backend->upload && i < set->problem->operand_count; i++)
        if (set->problem->operand[i].role == INPUT &&
            set->backend->upload(set->device[i], set->host[i].data, set->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "upload of operand %s failed",
                         set->problem->operand[i].name);
            return false;
        }
    return true;
}

static void set_protect(struct set *set, bool read_only)
{
    for (int i = 0; i < set->problem->operand_count; i++)
        if (set->problem->operand[i].role == INPUT)
            guarded_protect(&set->host[i], read_only);
}

bool set_fill(struct set *set, enum inputs inputs, uint64_t seed, struct outcome *outcome)
{
    if (set->inputs == (int)inputs)
        return true;
    const double start = timer_now_s();
    void *operand[MAX_OPERANDS];
    for (int i = 0; i < MAX_OPERANDS; i++)
        operand[i] = set->host[i].data;
    set->inputs = -1; /* until reference and upload have succeeded, too */
    set_protect(set, false);
    set->problem->generate(&set->shape, inputs, seed, operand);
    set_protect(set, true);
    const double generated = timer_now_s();
    outcome->phase_s[PHASE_INPUTS] += generated - start;
    if (set->reference)
        set->problem->reference_free(set->reference);
    set->reference = set->problem->reference(&set->shape, inputs, seed, operand);
    outcome->phase_s[PHASE_VERIFY] += timer_now_s() - generated;
    if (!set->reference) {
        outcome_fail(outcome, STATUS_MEMORY, "no memory for the reference of the verification");
        return false;
    }
    if (!set_upload(set, outcome))
        return false;
    set->inputs = (int)inputs;
    return true;
}

bool set_poison(struct set *set, struct outcome *outcome)
{
    for (int i = 0; i < set->problem->operand_count; i++) {
        if (set->problem->operand[i].role != OUTPUT)
            continue;
        memset(set->host[i].data, 0xFF, set->host[i].size);
        if (set->backend->poison && set->backend->poison(set->device[i], set->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "filling operand %s on the device failed",
                         set->problem->operand[i].name);
            return false;
        }
    }
    return true;
}

bool set_download(struct set *set, struct outcome *outcome)
{
    for (int i = 0; set->backend->download && i < set->problem->operand_count; i++)
        if (set->problem->operand[i].role == OUTPUT &&
            set->backend->download(set->host[i].data, set->device[i], set->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "download of operand %s failed",
                         set->problem->operand[i].name);
            return false;
        }
    return true;
}

uint64_t set_digest(const struct set *set)
{
    uint64_t digest = 0;
    for (int i = 0; i < set->problem->operand_count; i++)
        if (set->problem->operand[i].role == OUTPUT)
            digest = digest * 31 + guarded_digest(&set->host[i]);
    return digest;
}

bool set_intact(const struct set *set, struct outcome *outcome)
{
    for (int i = 0; i < set->problem->operand_count; i++)
        if (set->problem->operand[i].role == OUTPUT && !guarded_intact(&set->host[i])) {
            outcome_fail(outcome, STATUS_WRONG, "wrote outside operand %s",
                         set->problem->operand[i].name);
            return false;
        }
    return true;
}

void set_close_all(void)
{
    for (int i = 0; i < SETS_MAX; i++)
        set_close(&sets[i]);
}
