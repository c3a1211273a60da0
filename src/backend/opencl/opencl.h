/* What the files of the OpenCL backend share: the devices, the programs and the words about them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_OPENCL_H
#define TILELAB_BACKEND_OPENCL_H

#include "opencl_api.h"
#include "opencl_variant.h"
#include "backend/backend.h"
#include "backend/backend_worker.h"
#include "backend/found.h"

/* Discovers the devices once a process. A child process does it (the subcommand describe-opencl), because a driver may
 * crash and may leave threads and memory behind. */
const struct found *opencl_discover(void);
int opencl_describe_main(int argc, char **argv);

/* What the file of a variant says of its kernel. */
static inline const struct opencl_kernel *opencl_kernel_of(const struct entry *entry)
{
    return entry->meta->kernel;
}

/* A function of struct backend. */
const char *opencl_missing(const struct cell *cell);

/* Gives PoCL a folder for compiled kernels if the user's folder cannot be written. Called before a driver is loaded, in
 * a process of its own. False if no folder can be written. */
bool opencl_cache_prepare(void);

/* What the run record and `tilelab doctor` say of the devices. */
struct json_t *opencl_record(void);
void opencl_doctor(FILE *out);

/* What a worker has opened. */
struct opencl_session {
    const struct opencl_api *api; /* NULL: nothing is open */
    cl_device device;
    cl_context context;
    cl_queue queue;
};

/* Makes the kernel of a cell, from the text that the program carries. NULL with job->error set: the error tells the
 * first complaint of the device's compiler, with the file and the line; standard error gets the whole log. */
cl_kernel opencl_program_kernel(const struct opencl_session *session, struct job *job);

/* From now on, each compiled program is also written into `folder` as the file "program", if the driver gives it:
 * NVIDIA's gives PTX. PoCL keeps machine code in its cache instead, which moves into the folder, and adds the lines of
 * the source. Call this before the first device is opened, in a process of its own. */
void opencl_program_keep(const char *folder);
/* The pattern of the paths of PoCL's machine code in such a folder, for glob(3). */
#define OPENCL_POCL_CODE "/*/*/*/*/*.so"

/* The text of a .cl file by the symbol of its variant; NULL if the program carries none. */
const char *opencl_source(const char *symbol);

#endif
