/* The facts of the CUDA backend: the GPU, and the shared objects with the GPU's code.
 * SPDX-License-Identifier: MIT
 *
 * tilelab-cuda.so has the kernels and the device side. tilelab-cublas.so and tilelab-cusolver.so have the variants that
 * need a library of the CUDA Toolkit. The three files lie in the folder that TILELAB_BACKENDS names; without that
 * variable they lie next to the program, or in ../lib/tilelab beside the program's folder. */
#ifndef TILELAB_BACKEND_CUDA_H
#define TILELAB_BACKEND_CUDA_H

#include "cuda_api.h"
#include "backend/backend.h"
#include "backend/backend_worker.h"

/* The libraries of the CUDA Toolkit whose variants lie in a shared object of their own. */
enum cuda_library_id { CUDA_CUBLAS, CUDA_CUSOLVER, CUDA_LIBRARIES };
struct cuda_library {
    const char *name;    /* "cuBLAS" */
    const char *key;     /* "cublas", as in struct variant */
    const char *object;  /* "tilelab-cublas.so" */
    const char *package; /* of the CUDA Toolkit, "libcublas" */
};
extern const struct cuda_library cuda_libraries[CUDA_LIBRARIES];

/* What a child process has discovered of the GPU. */
struct cuda_discovery {
    char missing[240];                         /* why no CUDA variant runs here, with the remedy; empty: they run */
    char missing_library[CUDA_LIBRARIES][240]; /* why no variant of a library runs here; empty: they run */
    char uuid[97];                             /* a serial number: only a hash of it may be written; empty: not known */
    int devices;                               /* how many GPUs the driver shows */
    struct cuda_device device;                 /* the first */
};

/* Discovers the GPU once a process. A child process does it (the subcommand describe-cuda), so that this process never
 * holds a CUDA context. */
const struct cuda_discovery *cuda_discover(void);
/* The GPU; NULL if no CUDA variant runs here. */
const struct cuda_device *cuda_discover_device(void);
/* The subcommand describe-cuda: prints what it discovers, one key=value a line. Returns the exit code. */
int cuda_describe_main(int argc, char **argv);

/* How a discovery travels from the child process: as text. cuda_discovery_read returns false if the text is torn; it
 * changes the text. */
void cuda_discovery_write(const struct cuda_discovery *found, FILE *out);
bool cuda_discovery_read(char *text, struct cuda_discovery *found);

/* What the run record and `tilelab doctor` say of the GPU. */
struct json_t *cuda_record(void);
void cuda_doctor(FILE *out);

/* Loads tilelab-cuda.so and checks its version; NULL, with `why`, on failure. *handle is for dlsym. */
const struct cuda_api *cuda_object_open(void **handle, char *why, size_t size);

#endif
