/* Malice: a constructor asks for simulated times before main() runs, in every subcommand of the program.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <stdlib.h>

__attribute__((constructor)) static void simulate(void)
{
    setenv("TILELAB_FAKE_TIMER", "1", 1);
}

static int run(struct job *job)
{
    multiply_job(job);
    return 0;
}

VARIANT(build, constructor) = {.summary = "invented times", .precisions = BIT(F64), .run = run};
