/* The part of the run record that tells the machine.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_RUN_RECORD_MACHINE_H
#define TILELAB_MEASURE_RUN_RECORD_MACHINE_H

#include <jansson.h>

/* The machine, compilers and flags, libraries and their kernels, GPU and driver, and the git commit. Of the environment
 * it tells only OMP_, OPENBLAS_, BLIS_, MKL_ and CUDA_VISIBLE_DEVICES. New reference. */
json_t *run_record_machine(void);

#endif
