/* Fuzz target: an experiment file, which is read in all profiles.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "plan/study.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_file file;
    fuzz_write(&file, "study.yaml", data, size);
    study_free(study_read(yaml_read(file.path), PROFILE_FULL, NULL, 0, fuzz_nowhere()));
    return 0;
}
