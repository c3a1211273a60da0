/* The window: memory through which a worker shows the result of a run to the process that judges it.
 * SPDX-License-Identifier: MIT */
#include "window.h"

#include "cell.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALIGNMENT = 4096 };
static int window = -1;
static char *mapped;
static size_t mapped_size;

void window_use(int fd)
{
    window = fd;
}

bool window_is_open(void)
{
    return window >= 0;
}

/* Lays the written operands of a cell one after the other. Returns the size of all. */
static size_t lay_out(const struct cell *cell, size_t at[MAX_OPERANDS])
{
    const struct problem *problem = cell->entry->problem;
    size_t size = 0;
    for (int i = 0; i < problem->operand_count; i++) {
        at[i] = size;
        if (problem->operand[i].role != INPUT)
            size += ((size_t)cell_operand_bytes(cell, i) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return size;
}

/* Maps at least `size` bytes of the window. */
static bool map(size_t size)
{
    if (size <= mapped_size)
        return true;
    if (mapped)
        munmap(mapped, mapped_size);
    mapped_size = 0;
    mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, window, 0);
    if (mapped == MAP_FAILED) {
        mapped = NULL;
        return false;
    }
    mapped_size = size;
    return true;
}

/* Asks how many bytes the window has. False, and an outcome with the reason: the system does not say. */
static bool ask_size(size_t *size, struct outcome *outcome)
{
    struct stat now;
    if (fstat(window, &now) != 0) {
        outcome_transient(outcome, "the memory of the judge cannot be used: %s", strerror(errno));
        return false;
    }
    *size = (size_t)now.st_size;
    return true;
}

bool window_show(const struct operands *operands, const struct cell *cell, struct outcome *outcome)
{
    size_t at[MAX_OPERANDS];
    const size_t size = lay_out(cell, at);
    size_t had;
    if (!ask_size(&had, outcome))
        return false;
    if ((size > had && posix_fallocate(window, 0, (off_t)size) != 0) || !map(size)) {
        outcome_fail(outcome, STATUS_MEMORY, "no memory of %zu bytes to show the result to the judge", size);
        return false;
    }
    for (int i = 0; i < cell->entry->problem->operand_count; i++)
        if (cell->entry->problem->operand[i].role != INPUT)
            guarded_copy(mapped + at[i], operands->host[i].data, operands->host[i].size);
    return true;
}

bool window_look(const struct cell *cell, void *operand[MAX_OPERANDS], struct outcome *outcome)
{
    size_t at[MAX_OPERANDS];
    const size_t size = lay_out(cell, at);
    size_t had;
    if (!ask_size(&had, outcome))
        return false;
    if (size > had) {
        outcome_fail(outcome, STATUS_FAILED, "the worker showed no output");
        return false;
    }
    if (!map(size)) {
        outcome_fail(outcome, STATUS_MEMORY, "no memory to verify the result");
        return false;
    }
    for (int i = 0; i < MAX_OPERANDS; i++)
        operand[i] = i < cell->entry->problem->operand_count && cell->entry->problem->operand[i].role != INPUT
                         ? mapped + at[i]
                         : NULL;
    return true;
}
