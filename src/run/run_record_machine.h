/* The part of the run record about the machine.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_RUN_RECORD_MACHINE_H
#define TILELAB_RUN_RUN_RECORD_MACHINE_H

#include <jansson.h>

/* Tells what results depend on: the machine, the compilers and their flags, the libraries and their kernels, GPU and
 * driver, the git commit. Of the environment it tells only OMP_, OPENBLAS_, BLIS_, MKL_ and CUDA_VISIBLE_DEVICES.
 * `hash` is that of the machine in the folder of the record (provenance_machine). Returns a new reference. */
json_t *run_record_machine(const char *hash);

#endif
