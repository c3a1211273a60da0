/* Fuzz target: an experiment file, read in each profile.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "plan/experiment_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_file file;
    static unsigned calls;
    fuzz_write(&file, "study.yaml", data, size);
    /* One profile an input: most of the time goes into the syntax, which is the same in each of them. */
    struct experiment *experiment = experiment_read(file.path, (enum profile)(calls++ % 3), fuzz_nowhere());
    if (experiment)
        experiment_free(experiment);
    return 0;
}
