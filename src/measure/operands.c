/* The operands of one shape, on the host and on the device.
 * SPDX-License-Identifier: MIT */
#include "operands.h"

#include "base/timer.h"

#include <limits.h>
#include <string.h>

enum { SETS_MAX = 8, SPARE_ALIGNMENT = 256, SPARE_BYTES = 64 << 20 };
static struct set sets[SETS_MAX];

static bool same_operands(const struct cell *a, const struct cell *b)
{
    return cells_share_inputs(a, b) && a->precision == b->precision && a->m == b->m && a->n == b->n && a->k == b->k;
}

static bool is_written(const struct set *set, int i)
{
    return set->problem->operand[i].role != INPUT;
}

static bool is_inout(const struct set *set, int i)
{
    return set->problem->operand[i].role == INOUT;
}

static void free_spare(struct set *set, int i)
{
    if (set->device_spare[i])
        set->backend->release(set->device_spare[i]);
    set->device_spare[i] = NULL;
    guarded_free(&set->spare[i]);
}

static void free_reference(struct set *set)
{
    if (set->reference)
        set->problem->reference_free(set->reference);
    set->reference = NULL;
}

static void set_close(struct set *set)
{
    if (!set->problem)
        return;
    free_reference(set);
    for (int i = 0; i < set->problem->operand_count; i++) {
        if (set->device[i])
            set->backend->release(set->device[i]);
        if (set->device_pristine[i])
            set->backend->release(set->device_pristine[i]);
        free_spare(set, i);
        guarded_free(&set->host[i]);
        guarded_free(&set->pristine[i]);
    }
    *set = (struct set){0};
}

static bool allocate_device(struct set *set, int i, size_t bytes)
{
    if (!set->backend->allocate)
        return true;
    set->device[i] = set->backend->allocate(bytes);
    if (set->device[i] && is_inout(set, i))
        set->device_pristine[i] = set->backend->allocate(bytes);
    return set->device[i] && (!is_inout(set, i) || set->device_pristine[i]);
}

struct set *set_open(const struct backend *backend, const struct cell *cell, struct outcome *outcome)
{
    struct set *set = NULL;
    for (int i = 0; i < SETS_MAX; i++) {
        if (sets[i].problem && same_operands(&sets[i].shape, cell))
            return &sets[i];
        if (!sets[i].problem && !set)
            set = &sets[i];
    }
    if (!set) {
        outcome_fail(outcome, STATUS_FAILED, "more than %d operand sets in one worker", SETS_MAX);
        return NULL;
    }
    *set = (struct set){.backend = backend, .problem = cell->entry->problem, .shape = *cell, .inputs = -1};
    for (int i = 0; i < set->problem->operand_count; i++) {
        const int64_t bytes = operand_bytes(cell, i);
        if (bytes < 0 || guarded_allocate(&set->host[i], (size_t)bytes) != 0 ||
            (is_inout(set, i) && guarded_allocate(&set->pristine[i], (size_t)bytes) != 0)) {
            outcome_fail(outcome, STATUS_MEMORY, "no memory for operand %s of %lld bytes",
                         set->problem->operand[i].name, (long long)bytes);
            set_close(set);
            return NULL;
        }
        const double start = timer_now_s();
        if (!allocate_device(set, i, (size_t)bytes)) {
            outcome_fail(outcome, STATUS_MEMORY, "no device memory for operand %s of %lld bytes",
                         set->problem->operand[i].name, (long long)bytes);
            set_close(set);
            return NULL;
        }
        set->alloc_s += timer_now_s() - start;
    }
    return set;
}

void set_operands(const struct set *set, bool pristine, void *operand[MAX_OPERANDS])
{
    for (int i = 0; i < MAX_OPERANDS; i++)
        operand[i] = pristine && set->pristine[i].data ? set->pristine[i].data : set->host[i].data;
}

static bool upload(struct set *set, void *const to[MAX_OPERANDS], struct outcome *outcome)
{
    void *from[MAX_OPERANDS];
    set_operands(set, true, from);
    for (int i = 0; set->backend->upload && i < set->problem->operand_count; i++)
        if (set->problem->operand[i].role != OUTPUT && to[i] &&
            set->backend->upload(to[i], from[i], set->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "upload of operand %s failed", set->problem->operand[i].name);
            return false;
        }
    return true;
}

bool set_upload(struct set *set, struct outcome *outcome)
{
    return upload(set, set->device, outcome);
}

static void set_protect(struct set *set, bool read_only)
{
    for (int i = 0; i < set->problem->operand_count; i++)
        if (set->problem->operand[i].role != OUTPUT)
            guarded_protect(is_inout(set, i) ? &set->pristine[i] : &set->host[i], read_only);
}

bool set_fill(struct set *set, enum inputs inputs, uint64_t seed, struct outcome *outcome)
{
    if (set->inputs == (int)inputs)
        return true;
    const double start = timer_now_s();
    void *operand[MAX_OPERANDS];
    set_operands(set, true, operand);
    set->inputs = -1; /* until reference and upload have succeeded, too */
    set_protect(set, false);
    set->problem->generate(&set->shape, inputs, seed, operand);
    set_protect(set, true);
    const double generated = timer_now_s();
    outcome->phase_s[PHASE_INPUTS] += generated - start;
    free_reference(set);
    if (set->problem->reference)
        set->reference = set->problem->reference(&set->shape, inputs, seed, operand);
    outcome->phase_s[PHASE_VERIFY] += timer_now_s() - generated;
    if (set->problem->reference && !set->reference) {
        outcome_fail(outcome, STATUS_MEMORY, "no memory for the reference of the verification");
        return false;
    }
    if (!set_upload(set, outcome) || !upload(set, set->device_pristine, outcome))
        return false;
    set->inputs = (int)inputs;
    return true;
}

/* ---- fresh copies ---- */

static size_t stride_bytes(const struct set *set, int i)
{
    return (set->host[i].size + SPARE_ALIGNMENT - 1) / SPARE_ALIGNMENT * SPARE_ALIGNMENT;
}

int set_repeats_most(const struct set *set)
{
    size_t bytes = 0;
    for (int i = 0; i < set->problem->operand_count; i++)
        bytes += is_inout(set, i) ? stride_bytes(set, i) : 0;
    return bytes ? 1 + (int)(SPARE_BYTES / bytes) : INT_MAX;
}

static bool make_spares(struct set *set, int count, struct outcome *outcome)
{
    if (count <= set->spares)
        return true;
    set->spares = 0;
    for (int i = 0; i < set->problem->operand_count; i++) {
        if (!is_inout(set, i))
            continue;
        const size_t bytes = (size_t)count * stride_bytes(set, i);
        free_spare(set, i);
        if (set->backend->allocate ? !(set->device_spare[i] = set->backend->allocate(bytes))
                                   : guarded_allocate(&set->spare[i], bytes) != 0) {
            outcome_fail(outcome, STATUS_MEMORY, "no memory for %d fresh copies of operand %s", count,
                         set->problem->operand[i].name);
            return false;
        }
    }
    set->spares = count;
    return true;
}

/* Every copy within a device is waited for: all but the first take as many at once as are there already. */
static bool copy_on_device(const struct set *set, int i, char *to, int count, struct outcome *outcome)
{
    const size_t stride = stride_bytes(set, i);
    for (int there = 0, more; there < count; there += more) {
        more = there == 0 ? 1 : there < count - there ? there : count - there;
        if (set->backend->copy(to + (size_t)there * stride, there ? to : set->device_pristine[i],
                               (size_t)(more - 1) * stride + set->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "copying operand %s on the device failed",
                         set->problem->operand[i].name);
            return false;
        }
    }
    return true;
}

/* `count` copies of an operand as it was generated. */
static bool copy_fresh(const struct set *set, int i, char *to, int count, struct outcome *outcome)
{
    if (set->backend->copy)
        return copy_on_device(set, i, to, count, outcome);
    for (int copy = 0; copy < count; copy++)
        operand_copy(to + (size_t)copy * stride_bytes(set, i), set->pristine[i].data, set->host[i].size);
    return true;
}

bool set_restore(struct set *set, int count, struct repeats *repeats, struct outcome *outcome)
{
    *repeats = (struct repeats){.count = count};
    for (int i = 0; i < set->problem->operand_count; i++) {
        if (!is_inout(set, i))
            continue;
        if (!make_spares(set, count - 1, outcome) ||
            !copy_fresh(set, i, set->device[i] ? set->device[i] : set->host[i].data, 1, outcome))
            return false;
        repeats->spare[i] = set->device_spare[i] ? set->device_spare[i] : set->spare[i].data;
        repeats->stride_bytes[i] = stride_bytes(set, i);
        if (!copy_fresh(set, i, repeats->spare[i], count - 1, outcome))
            return false;
    }
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

bool set_download_one(struct set *set, int operand, struct outcome *outcome)
{
    struct guarded *host = &set->host[operand];
    if (!set->backend->download || set->backend->download(host->data, set->device[operand], host->size) == 0)
        return true;
    outcome_fail(outcome, STATUS_FAILED, "download of operand %s failed", set->problem->operand[operand].name);
    return false;
}

bool set_download(struct set *set, struct outcome *outcome)
{
    for (int i = 0; i < set->problem->operand_count; i++)
        if (is_written(set, i) && !set_download_one(set, i, outcome))
            return false;
    return true;
}

const struct solve_log *set_log(const struct set *set)
{
    return set->host[SOLVE_LOG].data;
}

uint64_t set_digest(const struct set *set)
{
    uint64_t digest = 0;
    for (int i = 0; i < set->problem->operand_count; i++)
        if (is_written(set, i))
            digest = digest * 31 + guarded_digest(&set->host[i]);
    return digest;
}

bool set_intact(const struct set *set, struct outcome *outcome)
{
    for (int i = 0; i < set->problem->operand_count; i++)
        if (is_written(set, i) && !guarded_intact(&set->host[i])) {
            outcome_fail(outcome, STATUS_WRONG, "wrote outside operand %s", set->problem->operand[i].name);
            return false;
        }
    return true;
}

void set_close_all(void)
{
    for (int i = 0; i < SETS_MAX; i++)
        set_close(&sets[i]);
}
