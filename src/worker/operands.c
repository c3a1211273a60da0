/* The operands of one shape, on the host and on the device.
 * SPDX-License-Identifier: MIT */
#include "operands.h"

#include "cell.h"
#include "operands_parts.h"
#include "state.h"
#include "base/timer.h"
#include "verify/signs.h"

#include <string.h>

enum { ALIVE_MAX = 32 };
static struct operands alive[ALIVE_MAX], others;
static bool judged_elsewhere;

bool operands_is_inout(const struct operands *operands, int i)
{
    return operands->problem->operand[i].role == INOUT && !operands->backend->team;
}

static void free_reference(struct operands *operands)
{
    if (operands->reference)
        operands->problem->reference_free(operands->reference);
    operands->reference = NULL;
}

/* Makes the first `count` operands of the host pageable again. */
static void unpin(const struct operands *operands, int count)
{
    for (int i = 0; i < count; i++) {
        (void)operands->backend->pin(operands->host[i].data, operands->host[i].size, false);
        if (operands->pristine[i].data)
            (void)operands->backend->pin(operands->pristine[i].data, operands->pristine[i].size, false);
    }
}

static void close_one(struct operands *operands)
{
    if (!operands->problem)
        return;
    free_reference(operands);
    unpin(operands, operands->pinned ? operands->problem->operand_count : 0);
    if (operands->eviction)
        operands->backend->release(operands->eviction);
    for (int i = 0; i < operands->problem->operand_count; i++) {
        if (operands->device[i])
            operands->backend->release(operands->device[i]);
        if (operands->device_pristine[i])
            operands->backend->release(operands->device_pristine[i]);
        operands_free_spare(operands, i);
        guarded_free(&operands->host[i]);
        guarded_free(&operands->pristine[i]);
    }
    *operands = (struct operands){0};
}

static bool allocate_device(struct operands *operands, int i, size_t bytes)
{
    if (!operands->backend->allocate)
        return true;
    operands->device[i] = operands->backend->allocate(bytes);
    if (operands->device[i] && operands_is_inout(operands, i))
        operands->device_pristine[i] = operands->backend->allocate(bytes);
    return operands->device[i] && (!operands_is_inout(operands, i) || operands->device_pristine[i]);
}

/* Allocates the operands of a cell's shape. */
static bool open_one(struct operands *operands, const struct backend_worker *backend, const struct cell *cell,
                     struct outcome *outcome)
{
    *operands = (struct operands){
        .backend = backend, .problem = cell->entry->problem, .shape = *cell, .inputs = -1, .signs = signs_none()};
    for (int i = 0; i < operands->problem->operand_count; i++) {
        const int64_t bytes = cell_operand_bytes(cell, i);
        const bool is_log = operands->problem->sweeps && i == operands->problem->operand_count - 1;
        if (backend->team && !is_log)
            continue;
        if (bytes < 0 || guarded_allocate(&operands->host[i], (size_t)bytes) != 0 ||
            (operands_is_inout(operands, i) && guarded_allocate(&operands->pristine[i], (size_t)bytes) != 0)) {
            outcome_fail(outcome, STATUS_MEMORY, "no memory for operand %s of %lld bytes",
                         operands->problem->operand[i].name, (long long)bytes);
            close_one(operands);
            return false;
        }
        const double start = timer_now_s();
        if (!allocate_device(operands, i, (size_t)bytes)) {
            outcome_fail(outcome, STATUS_MEMORY, "no device memory for operand %s of %lld bytes",
                         operands->problem->operand[i].name, (long long)bytes);
            close_one(operands);
            return false;
        }
        operands->alloc_s += timer_now_s() - start;
    }
    return true;
}

struct operands *operands_open(const struct backend_worker *backend, const struct cell *cell, struct outcome *outcome)
{
    struct operands *operands = NULL;
    for (int i = 0; i < ALIVE_MAX; i++) {
        if (alive[i].problem && cell_shares_operands(&alive[i].shape, cell))
            return &alive[i];
        if (!alive[i].problem && !operands)
            operands = &alive[i];
    }
    if (!operands) {
        outcome_fail(outcome, STATUS_MEMORY, "no room for more than %d shapes of operands in one worker", ALIVE_MAX);
        return NULL;
    }
    return open_one(operands, backend, cell, outcome) ? operands : NULL;
}

struct operands *operands_open_others(const struct backend_worker *backend, const struct cell *cell,
                                      struct outcome *outcome)
{
    return open_one(&others, backend, cell, outcome) ? &others : NULL;
}

void operands_close_others(void)
{
    close_one(&others);
}

void operands_pointers(const struct operands *operands, bool pristine, void *operand[MAX_OPERANDS])
{
    for (int i = 0; i < MAX_OPERANDS; i++)
        operand[i] = pristine && operands->pristine[i].data ? operands->pristine[i].data : operands->host[i].data;
}

static bool upload(struct operands *operands, void *const to[MAX_OPERANDS], struct outcome *outcome)
{
    void *from[MAX_OPERANDS];
    operands_pointers(operands, true, from);
    for (int i = 0; operands->backend->upload && i < operands->problem->operand_count; i++)
        if (operands->problem->operand[i].role != OUTPUT && to[i] &&
            operands->backend->upload(to[i], from[i], operands->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "upload of operand %s failed", operands->problem->operand[i].name);
            return false;
        }
    return true;
}

bool operands_upload(struct operands *operands, struct outcome *outcome)
{
    return upload(operands, operands->device, outcome);
}

bool operands_protect(struct operands *operands, bool read_only, struct outcome *outcome)
{
    for (int i = 0; i < operands->problem->operand_count; i++) {
        const struct operand *operand = &operands->problem->operand[i];
        const struct guarded *guarded = operands_is_inout(operands, i) ? &operands->pristine[i] : &operands->host[i];
        const int failed = operand->role == OUTPUT ? 0 : guarded_protect(guarded, read_only);
        if (failed) {
            outcome_fail(outcome, STATUS_MEMORY, "operand %s cannot be made %s: %s", operand->name,
                         read_only ? "read-only" : "writable", strerror(failed));
            return false;
        }
    }
    return true;
}

void operands_judged_elsewhere(void)
{
    judged_elsewhere = true;
}

static uint64_t digest_inputs(const struct operands *operands)
{
    uint64_t digest = 0;
    void *operand[MAX_OPERANDS];
    operands_pointers(operands, true, operand);
    for (int i = 0; i < operands->problem->operand_count; i++)
        if (operands->problem->operand[i].role != OUTPUT && operand[i])
            digest = digest * 31 + guarded_digest(operand[i], operands->host[i].size);
    return digest;
}

/* Takes the inputs back from the device, over those on the host. */
static bool fetch_inputs(struct operands *operands)
{
    bool good = true;
    void *operand[MAX_OPERANDS];
    operands_pointers(operands, true, operand);
    for (int i = 0; i < operands->problem->operand_count && good; i++)
        if (operands->problem->operand[i].role != OUTPUT && operands->backend->download)
            good = operands->backend->download(
                       operand[i], operands_is_inout(operands, i) ? operands->device_pristine[i] : operands->device[i],
                       0, operands->host[i].size) == 0;
    return good;
}

bool operands_unspoiled(struct operands *operands, struct outcome *outcome)
{
    const struct signs none = signs_none();
    if (operands->inputs < 0 || operands->backend->team || operands->problem->probe)
        return true;
    if (!operands_turn(operands, &none, outcome) || !operands_protect(operands, false, outcome))
        return false;
    const bool good = fetch_inputs(operands) && digest_inputs(operands) == operands->input_digest;
    if (!good) {
        operands->inputs = -1;
        outcome_fail(outcome, STATUS_FAILED, "the inputs in memory are not those that were generated any more");
    }
    return operands_protect(operands, true, outcome) && good;
}

void operands_protect_all(void)
{
    struct outcome ignored;
    for (int i = 0; i < ALIVE_MAX; i++)
        for (int o = 0; alive[i].problem && o < alive[i].problem->operand_count; o++)
            if (alive[i].problem->operand[o].role != INPUT && alive[i].host[o].data)
                (void)guarded_protect(&alive[i].host[o], false);
    for (int i = 0; i < ALIVE_MAX; i++)
        if (alive[i].problem && !alive[i].backend->team && alive[i].inputs >= 0)
            (void)operands_protect(&alive[i], true, &ignored);
}

static bool make_reference(struct operands *operands, enum inputs inputs, uint64_t seed, struct outcome *outcome)
{
    const double start = timer_now_s();
    void *operand[MAX_OPERANDS];
    operands_pointers(operands, true, operand);
    free_reference(operands);
    if (!operands->problem->reference || (judged_elsewhere && !operands->problem->probe))
        return true;
    operands->reference = operands->problem->reference(&operands->shape, inputs, seed, operand);
    outcome->phase_s[PHASE_VERIFY] += timer_now_s() - start;
    if (!operands->reference)
        outcome_fail(outcome, STATUS_MEMORY, "no memory for the reference of the verification");
    return operands->reference != NULL;
}

bool operands_fill(struct operands *operands, enum inputs inputs, uint64_t seed, struct outcome *outcome)
{
    const struct signs none = signs_none();
    if (operands->inputs == (int)inputs && operands->seed == seed)
        return operands_turn(operands, &none, outcome);
    const double start = timer_now_s();
    void *operand[MAX_OPERANDS];
    operands_pointers(operands, true, operand);
    operands->inputs = -1; /* until the reference and the upload have succeeded */
    operands->signs = none;
    if (!operands_protect(operands, false, outcome))
        return false;
    state_restore_arithmetic();
    operands->problem->generate(&operands->shape, inputs, seed, operand);
    if (!operands_protect(operands, true, outcome))
        return false;
    outcome->phase_s[PHASE_INPUTS] += timer_now_s() - start;
    if (!make_reference(operands, inputs, seed, outcome) || !operands_upload(operands, outcome) ||
        !upload(operands, operands->device_pristine, outcome))
        return false;
    operands->input_digest = operands->problem->probe ? 0 : digest_inputs(operands);
    operands->inputs = (int)inputs;
    operands->seed = seed;
    return true;
}

static bool take_one(struct operands *to, const struct operands *from, int i)
{
    void *target[MAX_OPERANDS], *source[MAX_OPERANDS];
    const struct backend_worker *backend = to->backend;
    const size_t bytes = to->host[i].size;
    operands_pointers(to, true, target);
    operands_pointers(from, true, source);
    guarded_copy(target[i], source[i], bytes);
    if (!backend->allocate)
        return true;
    if (!backend->copy)
        return backend->upload(to->device[i], source[i], bytes) == 0;
    return backend->copy(to->device[i], from->device[i], bytes) == 0 &&
           (!to->device_pristine[i] || backend->copy(to->device_pristine[i], from->device[i], bytes) == 0);
}

bool operands_take(struct operands *to, const struct operands *from, struct outcome *outcome)
{
    bool good = operands_protect(to, false, outcome);
    for (int i = 0; i < to->problem->operand_count && good; i++)
        if (to->problem->operand[i].role != OUTPUT && !(good = take_one(to, from, i)))
            outcome_fail(outcome, STATUS_FAILED, "copying operand %s failed", to->problem->operand[i].name);
    to->inputs = good ? from->inputs : -1;
    to->seed = from->seed;
    to->input_digest = from->input_digest;
    to->signs = from->signs;
    return operands_protect(to, true, outcome) && good;
}

bool operands_blame(const void *address, char *text, size_t size)
{
    for (int a = 0; a < ALIVE_MAX; a++)
        for (int i = 0; alive[a].problem && i < alive[a].problem->operand_count; i++) {
            const char *name = alive[a].problem->operand[i].name;
            if (guarded_blame(&alive[a].host[i], name, address, text, size) ||
                guarded_blame(&alive[a].spare[i], name, address, text, size))
                return true;
        }
    return false;
}

/* Memory that is read-only cannot be page-locked, but it may become read-only afterwards. */
bool operands_pin(struct operands *operands, bool pinned, struct outcome *outcome)
{
    const int count = operands->problem->operand_count;
    int i = 0;
    if (operands->pinned == pinned)
        return true;
    if (!pinned)
        unpin(operands, count);
    operands->pinned = pinned;
    if (!pinned)
        return true;
    if (!operands_protect(operands, false, outcome))
        return operands->pinned = false;
    while (i < count && operands->backend->pin(operands->host[i].data, operands->host[i].size, true) == 0) {
        if (operands->pristine[i].data &&
            operands->backend->pin(operands->pristine[i].data, operands->pristine[i].size, true) != 0) {
            (void)operands->backend->pin(operands->host[i].data, operands->host[i].size, false);
            break;
        }
        i++;
    }
    if (i < count) {
        unpin(operands, i);
        operands->pinned = false;
        outcome_fail(outcome, STATUS_FAILED, "the driver cannot pin operand %s of %zu bytes",
                     operands->problem->operand[i].name, operands->host[i].size);
    }
    return operands_protect(operands, true, outcome) && operands->pinned;
}

void operands_close_all(void)
{
    for (int i = 0; i < ALIVE_MAX; i++)
        close_one(&alive[i]);
    close_one(&others);
}
