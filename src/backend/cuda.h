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
    const char *prefix; /* of the ideas of its variants */
    const char *object; /* "tilelab-cublas.so" */
    const char *package;
};
extern const struct cuda_library cuda_libraries[CUDA_LIBRARIES];

/* What was seen of the GPU. */
struct cuda_look {
    char missing[240];                         /* why no CUDA variant runs here, with the remedy; empty: they do */
    char missing_library[CUDA_LIBRARIES][240]; /* why those of a library do not */
    struct cuda_device device;
};

/* Looks once, by a child process of this program (verb describe-cuda), so that this one never
 * holds a context. */
const struct cuda_look *cuda_look(void);
/* The GPU, or NULL if no CUDA variant runs here. */
const struct cuda_device *backend_cuda_device(void);
/* Independent sums that keep the whole GPU busy: 16 for each thread that it holds at once; those
 * of some GPU where there is none. */
int64_t backend_cuda_sums(void);
/* The verb describe-cuda: prints a look, one key=value a line. Returns the exit code. */
int backend_cuda_describe_main(void);

void cuda_look_write(const struct cuda_look *look, FILE *out);
/* Reads what cuda_look_write printed; false if it is torn. Changes `text`. */
bool cuda_look_read(char *text, struct cuda_look *look);

/* Path of one of the shared objects; false if it is not there. */
bool cuda_object_path(const char *file, char *path, size_t size);
/* Loads tilelab-cuda.so and checks its version; NULL with `why`. *handle is for dlsym. */
const struct cuda_api *cuda_object_open(void **handle, char *why, size_t size);

#endif
