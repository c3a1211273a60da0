/* What happens to operands from run to run: signs, fresh copies, poison, what is read back, caches.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "evict.h"
#include "operands_parts.h"
#include "verify/signs.h"

#include <limits.h>
#include <string.h>

enum { SPARE_ALIGNMENT = 256, SPARE_BYTES = 64 << 20 };

/* ---- Signs ---- */

/* Negates lines of an operand as it was generated. */
static bool turn_one(struct operands *operands, int i, const struct signs_line *line, int lines)
{
    const struct backend_worker *backend = operands->backend;
    void *const host = operands_is_inout(operands, i) ? operands->pristine[i].data : operands->host[i].data;
    void *const device = operands_is_inout(operands, i) ? operands->device_pristine[i] : operands->device[i];
    bool good = true;
    for (int l = 0; l < lines && good; l++) {
        signs_negate(host, operands->shape.precision, &line[l]);
        good = !device || backend->negate(device, host, operands->shape.precision, line[l].first, line[l].count,
                                          line[l].stride) == 0;
    }
    return good;
}

bool operands_turn(struct operands *operands, const struct signs *signs, struct outcome *outcome)
{
    const struct signs before = operands->signs;
    if (operands->backend->team || memcmp(&before, signs, sizeof before) == 0)
        return true;
    if (!operands_protect(operands, false, outcome))
        return false;
    bool good = true;
    operands->signs = *signs;
    for (int i = 0; i < operands->problem->operand_count && good; i++) {
        struct signs_line line[SIGNS_LINES];
        if (operands->problem->operand[i].role != OUTPUT)
            good = turn_one(operands, i, line, signs_lines(&operands->shape, i, &before, signs, line));
    }
    if (!good) {
        operands->inputs = -1;
        outcome_fail(outcome, STATUS_FAILED, "changing the signs of the inputs on the device failed");
    }
    return operands_protect(operands, true, outcome) && good;
}

void operands_undo_signs(const struct operands *operands, const struct cell *cell)
{
    void *operand[MAX_OPERANDS];
    operands_pointers(operands, false, operand);
    if (!operands->backend->team)
        signs_undo(cell, &operands->signs, operand);
}

/* ---- Fresh copies of INOUT operands ---- */

void operands_free_spare(struct operands *operands, int i)
{
    if (operands->device_spare[i])
        operands->backend->release(operands->device_spare[i]);
    operands->device_spare[i] = NULL;
    guarded_free(&operands->spare[i]);
}

static size_t stride_bytes(const struct operands *operands, int i)
{
    return (operands->host[i].size + SPARE_ALIGNMENT - 1) / SPARE_ALIGNMENT * SPARE_ALIGNMENT;
}

int operands_repeats_most(const struct operands *operands)
{
    size_t bytes = 0;
    for (int i = 0; i < operands->problem->operand_count; i++)
        bytes += operands_is_inout(operands, i) ? stride_bytes(operands, i) : 0;
    return bytes ? 1 + (int)(SPARE_BYTES / bytes) : INT_MAX;
}

static bool make_spares(struct operands *operands, int count, struct outcome *outcome)
{
    if (count <= operands->spares)
        return true;
    operands->spares = 0;
    for (int i = 0; i < operands->problem->operand_count; i++) {
        if (!operands_is_inout(operands, i))
            continue;
        const size_t bytes = (size_t)count * stride_bytes(operands, i);
        operands_free_spare(operands, i);
        if (operands->backend->allocate ? !(operands->device_spare[i] = operands->backend->allocate(bytes))
                                        : guarded_allocate(&operands->spare[i], bytes) != 0) {
            outcome_fail(outcome, STATUS_MEMORY, "no memory for %d fresh copies of operand %s", count,
                         operands->problem->operand[i].name);
            return false;
        }
    }
    operands->spares = count;
    return true;
}

/* The host waits for every copy within the device. Each copy but the first therefore doubles what is there already. */
static bool copy_on_device(const struct operands *operands, int i, char *to, int count, struct outcome *outcome)
{
    const size_t stride = stride_bytes(operands, i);
    for (int there = 0, more; there < count; there += more) {
        more = there == 0 ? 1 : there < count - there ? there : count - there;
        if (operands->backend->copy(to + (size_t)there * stride, there ? to : operands->device_pristine[i],
                                    (size_t)(more - 1) * stride + operands->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "copying operand %s on the device failed",
                         operands->problem->operand[i].name);
            return false;
        }
    }
    return true;
}

/* Writes `count` copies of an operand as it was generated. */
static bool copy_fresh(const struct operands *operands, int i, char *to, int count, struct outcome *outcome)
{
    if (operands->backend->copy)
        return copy_on_device(operands, i, to, count, outcome);
    for (int copy = 0; copy < count; copy++)
        guarded_copy(to + (size_t)copy * stride_bytes(operands, i), operands->pristine[i].data, operands->host[i].size);
    return true;
}

bool operands_restore(struct operands *operands, int count, struct repeats *repeats, struct outcome *outcome)
{
    *repeats = (struct repeats){.count = count};
    for (int i = 0; i < operands->problem->operand_count; i++) {
        if (!operands_is_inout(operands, i))
            continue;
        if (!make_spares(operands, count - 1, outcome) ||
            !copy_fresh(operands, i, operands->device[i] ? operands->device[i] : operands->host[i].data, 1, outcome))
            return false;
        repeats->spare[i] = operands->device_spare[i] ? operands->device_spare[i] : operands->spare[i].data;
        repeats->stride_bytes[i] = stride_bytes(operands, i);
        if (!copy_fresh(operands, i, repeats->spare[i], count - 1, outcome))
            return false;
    }
    return true;
}

/* ---- Poison, and what is read back ---- */

/* The poison of a precision is a NaN that tells whether it was computed with. Elements of other types get 0xFF bytes.
 * */
static void poison_host(struct operands *operands, int i)
{
    if (operands->problem->element_bytes[i])
        memset(operands->host[i].data, 0xFF, operands->host[i].size);
    else
        guarded_poison(&operands->host[i], operands->shape.precision);
}

bool operands_poison(struct operands *operands, struct outcome *outcome)
{
    for (int i = 0; i < operands->problem->operand_count; i++) {
        if (operands->problem->operand[i].role != OUTPUT)
            continue;
        if (!operands->backend->poison) {
            poison_host(operands, i);
        } else if (operands->backend->poison(operands->device[i], operands->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_FAILED, "filling operand %s on the device failed",
                         operands->problem->operand[i].name);
            return false;
        }
    }
    return true;
}

size_t operands_element_bytes(const struct operands *operands, int operand)
{
    const int own = operands->problem->element_bytes[operand];
    return own ? (size_t)own : cell_precision_size(operands->shape.precision);
}

bool operands_read(const struct operands *operands, int operand, int64_t first, int64_t count, void *to)
{
    const size_t size = operands_element_bytes(operands, operand), bytes = (size_t)count * size;
    if (operands->backend->team)
        return false;
    if (operands->backend->download)
        return operands->backend->download(to, operands->device[operand], (size_t)first * size, bytes) == 0;
    memcpy(to, (char *)operands->host[operand].data + (size_t)first * size, bytes);
    return true;
}

bool operands_download_one(struct operands *operands, int operand, struct outcome *outcome)
{
    struct guarded *host = &operands->host[operand];
    if (!operands->backend->download ||
        operands->backend->download(host->data, operands->device[operand], 0, host->size) == 0)
        return true;
    outcome_fail(outcome, STATUS_FAILED, "download of operand %s failed", operands->problem->operand[operand].name);
    return false;
}

static bool is_written(const struct operands *operands, int i)
{
    return operands->problem->operand[i].role != INPUT && operands->host[i].data;
}

bool operands_download(struct operands *operands, struct outcome *outcome)
{
    for (int i = 0; i < operands->problem->operand_count; i++)
        if (is_written(operands, i) && !operands_download_one(operands, i, outcome))
            return false;
    return true;
}

const struct solver_log *operands_log(const struct operands *operands)
{
    return operands->host[operands->problem->operand_count - 1].data;
}

uint64_t operands_digest(const struct operands *operands)
{
    uint64_t digest = 0;
    for (int i = 0; i < operands->problem->operand_count; i++)
        if (is_written(operands, i))
            digest = digest * 31 + guarded_digest(operands->host[i].data, operands->host[i].size);
    return digest;
}

bool operands_intact(const struct operands *operands, struct outcome *outcome)
{
    for (int i = 0; i < operands->problem->operand_count; i++)
        if (is_written(operands, i) && !guarded_intact(&operands->host[i])) {
            outcome_fail(outcome, STATUS_WRONG, "wrote outside operand %s", operands->problem->operand[i].name);
            return false;
        }
    return true;
}

/* ---- The conditions of a run ---- */

/* ---- Caches ---- */

bool operands_evict(struct operands *operands, struct outcome *outcome)
{
    const struct backend_worker *backend = operands->backend;
    const size_t bytes = backend->cache_bytes ? 2 * (size_t)backend->cache_bytes() : 0;
    operands->evictions++;
    for (int i = 0; !bytes && i < operands->problem->operand_count; i++)
        if (evict_host(operands->host[i].data, operands->host[i].size) != 0) {
            outcome_fail(outcome, STATUS_MEMORY, "no memory to take the operands out of the caches");
            return false;
        }
    if (bytes && !operands->eviction && !(operands->eviction = backend->allocate(bytes))) {
        outcome_fail(outcome, STATUS_MEMORY, "no device memory of %zu bytes to take the operands out of its cache",
                     bytes);
        return false;
    }
    if (!bytes || backend->poison(operands->eviction, bytes) == 0)
        return true;
    outcome_fail(outcome, STATUS_FAILED, "filling memory to take the operands out of the device's cache failed");
    return false;
}
