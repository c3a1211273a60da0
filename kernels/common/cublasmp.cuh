/* What the products that call cuBLASMp share: its handle, grid, descriptors and workspaces. For the device part of a
 * kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_CUBLASMP_CUH
#define TILELAB_COMMON_CUBLASMP_CUH

#include "cuda_variant.cuh"
#include "team_variant.h"

#include <cublasmp.h>
#include <stdlib.h>

struct cublasmp {
    cublasMpHandle_t handle;
    cublasMpGrid_t grid;
    cublasMpMatrixDescriptor_t matrix[MAX_OPERANDS];
    void *device_work, *host_work;
    size_t device_bytes, host_bytes;
};

#define CUBLASMP_TRY(job, call) \
    do { \
        const cublasMpStatus_t status_ = (call); \
        if (status_ != CUBLASMP_STATUS_SUCCESS) \
            return job_fail((job), "%.60s: %s", #call, cublasMpGetStatusString(status_)); \
    } while (0)

/* The scalars 1 and 0 in the precision of a cell. */
static inline const void *cublasmp_scalar(const struct cell *cell, int value)
{
    static const double doubles[] = {0, 1};
    static const float floats[] = {0, 1};
    return cell->precision == F64 ? (const void *)&doubles[value] : (const void *)&floats[value];
}

static inline cublasComputeType_t cublasmp_compute(const struct cell *cell)
{
    return cell->precision == F64 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
}

static inline void cublasmp_release(struct job *job)
{
    struct cublasmp *state = (struct cublasmp *)job->state;
    for (int i = 0; i < MAX_OPERANDS; i++)
        if (state->matrix[i])
            cublasMpMatrixDescriptorDestroy(state->matrix[i]);
    if (state->grid)
        cublasMpGridDestroy(state->grid);
    if (state->handle)
        cublasMpDestroy(state->handle);
    cudaFree(state->device_work);
    free(state->host_work);
    delete state;
    job->state = NULL;
}

/* Makes handle and grid, and describes the first `count` operands. On failure the caller releases. */
static inline int cublasmp_open(struct job *job, int count)
{
    const struct team *team = job->team;
    struct cublasmp *state = new cublasmp();
    job->state = state;
    CUBLASMP_TRY(job, cublasMpCreate(&state->handle, (cudaStream_t)job->stream));
    CUBLASMP_TRY(job, cublasMpGridCreate(team->grid_rows, team->grid_cols, CUBLASMP_GRID_LAYOUT_COL_MAJOR,
                                         (ncclComm_t)team->comm, &state->grid));
    for (int i = 0; i < count; i++) {
        const struct team_matrix *matrix = &team->matrix[i];
        CUBLASMP_TRY(job, cublasMpMatrixDescriptorCreate(matrix->rows, matrix->cols, matrix->block_rows,
                                                         matrix->block_cols, 0, 0, matrix->part[0].ld,
                                                         job->cell->precision == F64 ? CUDA_R_64F : CUDA_R_32F,
                                                         state->grid, &state->matrix[i]));
    }
    return 0;
}

static inline int cublasmp_allocate(struct job *job)
{
    struct cublasmp *state = (struct cublasmp *)job->state;
    CUDA_TRY(job, cudaMalloc(&state->device_work, state->device_bytes + 1));
    state->host_work = malloc(state->host_bytes + 1);
    return state->host_work ? 0 : job_fail(job, "no memory for %zu bytes of workspace", state->host_bytes);
}

#endif
