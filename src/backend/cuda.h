/* The CUDA backend's facts: the GPU, seen without a context in this process, and its shared
 * objects.
 * SPDX-License-Identifier: MIT
 *
 * tilelab-cuda.so (kernels and the device side), tilelab-cublas.so and tilelab-cusolver.so (the
 * variants that need those libraries) lie in the folder named by TILELAB_BACKENDS, else next to the
 * program, else in ../lib/tilelab beside its folder. */
#ifndef TILELAB_BACKEND_CUDA_H
#define TILELAB_BACKEND_CUDA_H

#include "backend.h"
#include "cuda_api.h"
#include "machine/nvml.h"

/* Libraries of the CUDA Toolkit whose variants lie in shared objects of their own. */
enum cuda_library_id { CUDA_CUBLAS, CUDA_CUSOLVER, CUDA_LIBRARIES };
struct cuda_library {
    const char *name;   /* "cuBLAS" */
    const char *key;    /* "cublas", as in struct variant */
    const char *object; /* "tilelab-cublas.so" */
    const char *package;
};
extern const struct cuda_library cuda_libraries[CUDA_LIBRARIES];

/* What was seen of the GPU. */
struct cuda_discovery {
    char missing[240];                         /* why no CUDA variant runs here, with the remedy; empty: they do */
    char missing_library[CUDA_LIBRARIES][240]; /* why those of a library do not */
    struct cuda_device device;
};

/* Looks once, by a child process of this program (verb describe-cuda), so that this one never
 * holds a context. */
const struct cuda_discovery *cuda_discover(void);
/* The GPU, or NULL if no CUDA variant runs here. */
const struct cuda_device *cuda_discover_device(void);
/* Independent sums that keep the whole GPU busy: 16 for each thread that it holds at once; those
 * of some GPU where there is none. */
int64_t cuda_sums(void);
/* The verb describe-cuda: prints a look, one key=value a line. Returns the exit code. */
int cuda_describe_main(int argc, char **argv);

void cuda_discovery_write(const struct cuda_discovery *look, FILE *out);
/* Reads what cuda_discovery_write printed; false if it is torn. Changes `text`. */
bool cuda_discovery_read(char *text, struct cuda_discovery *look);

/* Path of one of the shared objects; false if it is not there. */
bool cuda_object_path(const char *file, char *path, size_t size);
/* Loads tilelab-cuda.so and checks its version; NULL with `why`. *handle is for dlsym. */
const struct cuda_api *cuda_object_open(void **handle, char *why, size_t size);

#endif
