/* What the files of the SYCL backend share: the devices and the words about them.
 * SPDX-License-Identifier: MIT
 *
 * tilelab-sycl.so has the kernels and the device side; object.h says where the file lies. */
#ifndef TILELAB_BACKEND_SYCL_H
#define TILELAB_BACKEND_SYCL_H

#include "sycl_api.h"
#include "sycl_variant.h"
#include "backend/backend.h"
#include "backend/backend_worker.h"
#include "backend/found.h"

/* Discovers the devices once a process. A child process does it (the subcommand describe-sycl), because a SYCL runtime
 * loads drivers, which may crash. */
const struct found *sycl_discover(void);
int sycl_describe_main(int argc, char **argv);

/* Loads tilelab-sycl.so and checks its version; NULL, with `why`, on failure. *handle is for dlsym. */
const struct sycl_api *sycl_object_open(void **handle, char *why, size_t size);

/* Gives AdaptiveCpp a folder for compiled kernels if the user's folder cannot be written, and keeps its remarks out of
 * standard error. Called before the shared object is loaded, in a process of its own. */
void sycl_prepare_environment(void);

/* A function of struct backend. */
const char *sycl_missing(const struct cell *cell);

/* What the run record and `tilelab doctor` say of the devices. */
struct json_t *sycl_record(void);
void sycl_doctor(FILE *out);

#endif
