/* What a backend that finds several devices, as OpenCL and SYCL do, knows of one of them. In plain C, as the shared
 * object of a backend fills it in.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_FOUND_DEVICE_H
#define TILELAB_BACKEND_FOUND_DEVICE_H

#include <stdint.h>

struct found_device {
    char name[64], platform[64], version[64], driver[64]; /* SYCL's platform: its backend, as "CUDA" or "OpenMP" */
    char kind[8];                                         /* "GPU" or "CPU"; an accelerator counts as a GPU */
    int available, compiler, fp64, usm;                   /* 1: yes; usm: memory that pointers reach */
    int compute_units, clock_mhz, group_items, items_x, items_y;
    int64_t memory_bytes, allocation_bytes, local_bytes;
};

#endif
