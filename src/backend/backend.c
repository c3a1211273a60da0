/* The table of backends, and the setup that a cell asks for.
 * SPDX-License-Identifier: MIT */
#include "backend.h"

#include "backend_worker.h"
#include "cell.h"
#include "machine/host.h"

#include <string.h>

const struct backend *backend_get(enum backend_id id)
{
    static const struct backend *const backends[BACKENDS] = {
#define BACKEND(id, name, suffix, kind, made, devices, axes) &backend_##name,
#include "backends.def"
#undef BACKEND
    };
    return backends[id];
}

const struct backend *backend_of(const struct cell *cell)
{
    return backend_get(cell->entry->backend);
}

enum registry_kind backend_kind(const struct cell *cell)
{
    const struct backend *backend = backend_of(cell);
    return backend->kind ? backend->kind(cell) : registry_kind(cell->entry);
}

bool backend_has_memory(const struct backend *backend)
{
    return backend->worker->allocate != NULL;
}

bool backend_is_team(const struct cell *cell)
{
    return backend_of(cell)->worker->team != NULL;
}

bool backend_can_mark(enum backend_id id)
{
    return backend_get(id)->worker->mark != NULL;
}

int backend_device(const struct cell *cell)
{
    return cell && cell->device_id ? (int)(cell->device_id - registry_device(cell->entry->backend, 0)) : 0;
}

int64_t backend_bytes(const struct cell *cell)
{
    int64_t sum = 0;
    if (!backend_is_team(cell))
        return cell_bytes(cell);
    for (int i = 0; i < cell->entry->problem->operand_count; i++)
        if (__builtin_add_overflow(sum, cell_operand_bytes(cell, i), &sum))
            return INT64_MAX;
    return sum;
}

int64_t backend_host_bytes(const struct cell *cell)
{
    return backend_is_team(cell) && backend_of(cell)->memory_bytes(cell) > 0 ? 0 : backend_bytes(cell);
}

int64_t backend_judge_bytes(const struct cell *cell)
{
    return backend_is_team(cell) ? 0 : cell_bytes(cell);
}

struct backend_setup backend_setup(const struct cell *cell)
{
    struct backend_setup setup = {.backend = cell->entry->backend, .device = backend_device(cell)};
    if (registry_kind(cell->entry) == KIND_CPU)
        setup.threads = cell->threads ? (int)cell->threads : 1;
    snprintf(setup.library, sizeof setup.library, "%s", cell->entry->library);
    if (backend_is_team(cell)) {
        setup.team_size = (int)(cell->ranks ? cell->ranks : cell->gpus);
        setup.one_process = cell->entry->meta->one_process;
        snprintf(setup.library, sizeof setup.library, "%s", registry_library(cell->entry));
        /* A team of MPI may have more ranks than this machine has cores: on several machines, or in a test. */
        if (cell->ranks)
            setup.threads = cell->ranks < host_get()->cores ? (int)cell->ranks : host_get()->cores;
    }
    return setup;
}

bool backend_same_setup(const struct backend_setup *a, const struct backend_setup *b)
{
    return a->backend == b->backend && a->device == b->device && a->threads == b->threads &&
           a->team_size == b->team_size && a->one_process == b->one_process && a->judges == b->judges &&
           strcmp(a->library, b->library) == 0;
}
