/* Edits the answer that the worker prepares: each time there is divided by a whole number, and the number of its
 * runs multiplied, so that their sum is right. A file of the corpus defines FACTOR(time, n), this number.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_CHEATS_EDITED_SAMPLES_H
#define TILELAB_TESTS_CHEATS_EDITED_SAMPLES_H

#include "product.h"

#include "protocol/outcome.h"

#include <link.h>

static struct outcome *answer;

/* An answer with at least one sample, whose time is that of a small product. */
static int is_answer(const struct outcome *here)
{
    const struct sample *first = &here->sample[0];
    return here->status == STATUS_OK && here->samples >= 1 && here->samples <= ROUND_SAMPLES_MAX && first->index == 0 &&
           first->repeats >= 1 && first->repeats < 1000000 && first->kernel_s > 1e-7 && first->kernel_s < 1;
}

/* Looks for the answer in the writable part of the program, the first object. */
static int find(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        char *const begin = (char *)(info->dlpi_addr + part->p_vaddr);
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        for (size_t at = (8 - (uintptr_t)begin % 8) % 8; at + sizeof *answer <= part->p_memsz; at += 8) {
            struct outcome *here = (struct outcome *)(begin + at);
            if (is_answer(here))
                answer = here;
        }
    }
    return 1;
}

static int run(struct job *job)
{
    static int edited, looks;
    if (!answer && looks++ < 100)
        dl_iterate_phdr(find, NULL);
    multiply_job(job);
    if (!answer || answer->samples < edited)
        edited = 0;
    for (; answer && edited < answer->samples; edited++) {
        struct sample *sample = &answer->sample[edited];
        const int factor = FACTOR(sample->kernel_s, job->cell->n);
        sample->kernel_s /= factor;
        sample->cpu_s /= factor;
        sample->repeats *= factor;
    }
    return 0;
}

#endif
