/* P A = L U in place by getrf of cuSOLVERMp, on several GPUs with a process each: a baseline.
 * A (n x n) is distributed in blocks of tile x tile over one row of GPUs, so that a panel lies on one GPU. Parts lie
 * column by column.
 * The library splits the work. Pivoting is partial, so that any matrix is allowed; a singular one is an error.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "team_variant.h"

#include <cusolverMp.h>
#include <stdlib.h>

struct solver_mp {
    cusolverMpHandle_t handle;
    cusolverMpGrid_t grid;
    cusolverMpMatrixDescriptor_t a;
    int64_t *pivots;
    int *info;
    void *device_work, *host_work;
    size_t device_bytes, host_bytes;
};

#define MP_TRY(job, call) \
    do { \
        const cusolverStatus_t status_ = (call); \
        if (status_ != CUSOLVER_STATUS_SUCCESS) \
            return job_fail((job), "%.80s: status %d", #call, (int)status_); \
    } while (0)

static cudaDataType type_of(const struct job *job)
{
    return job->cell->precision == F64 ? CUDA_R_64F : CUDA_R_32F;
}

static int describe(struct job *job, struct solver_mp *state, const struct team_matrix *matrix,
                    cusolverMpMatrixDescriptor_t *to)
{
    MP_TRY(job, cusolverMpCreateMatrixDesc(to, state->grid, type_of(job), matrix->rows, matrix->cols,
                                           matrix->block_rows, matrix->block_cols, 0, 0, matrix->part[0].ld));
    return 0;
}

/* Makes the workspaces at least so large. */
static int reserve(struct job *job, struct solver_mp *state, size_t device_bytes, size_t host_bytes)
{
    if (!state->device_work || device_bytes > state->device_bytes) {
        cudaFree(state->device_work);
        state->device_work = NULL;
        CUDA_TRY(job, cudaMalloc(&state->device_work, device_bytes + 1));
        state->device_bytes = device_bytes;
    }
    if (!state->host_work || host_bytes > state->host_bytes) {
        free(state->host_work);
        state->host_work = malloc(host_bytes + 1);
        state->host_bytes = host_bytes;
    }
    return state->host_work ? 0 : job_fail(job, "no memory for %zu bytes of workspace", host_bytes);
}

static int make(struct job *job, struct solver_mp *state)
{
    const struct team *team = job->team;
    const struct team_matrix *a = &team->matrix[0];
    const int64_t n = job->cell->n;
    size_t device_bytes = 0, host_bytes = 0;
    int device = 0;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaMalloc((void **)&state->pivots, (size_t)(a->part[0].rows + a->block_rows) * sizeof(int64_t)));
    CUDA_TRY(job, cudaMalloc((void **)&state->info, sizeof(int)));
    MP_TRY(job, cusolverMpCreate(&state->handle, device, (cudaStream_t)job->stream));
    MP_TRY(job, cusolverMpCreateDeviceGrid(state->handle, &state->grid, (ncclComm_t)team->comm, team->grid_rows,
                                           team->grid_cols, CUSOLVERMP_GRID_MAPPING_COL_MAJOR));
    if (describe(job, state, a, &state->a) != 0)
        return -1;
    MP_TRY(job, cusolverMpGetrf_bufferSize(state->handle, n, n, job->operand[0], 1, 1, state->a, state->pivots,
                                           type_of(job), &device_bytes, &host_bytes));
    return reserve(job, state, device_bytes, host_bytes);
}

MEMBER_ENTRY void lu_cusolvermp_release(struct job *job)
{
    struct solver_mp *state = (struct solver_mp *)job->state;
    if (state->a)
        cusolverMpDestroyMatrixDesc(state->a);
    if (state->grid)
        cusolverMpDestroyGrid(state->grid);
    if (state->handle)
        cusolverMpDestroy(state->handle);
    cudaFree(state->pivots);
    cudaFree(state->info);
    cudaFree(state->device_work);
    free(state->host_work);
    delete state;
    job->state = NULL;
}

MEMBER_ENTRY int lu_cusolvermp_prepare(struct job *job)
{
    struct solver_mp *state = new solver_mp();
    job->state = state;
    if (make(job, state) == 0)
        return 0;
    lu_cusolvermp_release(job);
    return -1;
}

/* The library leaves on the device whether it has met a pivot of 0. */
static int judge(struct job *job, const struct solver_mp *state, const char *call)
{
    int info = 0;
    CUDA_TRY(job, cudaStreamSynchronize((cudaStream_t)job->stream));
    CUDA_TRY(job, cudaMemcpy(&info, state->info, sizeof info, cudaMemcpyDeviceToHost));
    return info == 0 ? 0 : job_fail(job, "%s returned %d", call, info);
}

MEMBER_ENTRY int lu_cusolvermp_launch(struct job *job)
{
    struct solver_mp *state = (struct solver_mp *)job->state;
    const int64_t n = job->cell->n;
    MP_TRY(job,
           cusolverMpGetrf(state->handle, n, n, job->operand[0], 1, 1, state->a, state->pivots, type_of(job),
                           state->device_work, state->device_bytes, state->host_work, state->host_bytes, state->info));
    return judge(job, state, "getrf");
}

static int solve(struct job *job, struct solver_mp *state, struct team_matrix *x, cusolverMpMatrixDescriptor_t b)
{
    const int64_t n = job->cell->n;
    size_t device_bytes = 0, host_bytes = 0;
    MP_TRY(job,
           cusolverMpGetrs_bufferSize(state->handle, CUBLAS_OP_N, n, 1, job->operand[0], 1, 1, state->a, state->pivots,
                                      x->part[0].data, 1, 1, b, type_of(job), &device_bytes, &host_bytes));
    if (reserve(job, state, device_bytes, host_bytes) != 0)
        return -1;
    MP_TRY(job, cusolverMpGetrs(state->handle, CUBLAS_OP_N, n, 1, job->operand[0], 1, 1, state->a, state->pivots,
                                x->part[0].data, 1, 1, b, type_of(job), state->device_work, state->device_bytes,
                                state->host_work, state->host_bytes, state->info));
    return judge(job, state, "getrs");
}

MEMBER_ENTRY int lu_cusolvermp_solve(struct job *job, struct team_matrix *x)
{
    struct solver_mp *state = (struct solver_mp *)job->state;
    cusolverMpMatrixDescriptor_t b = NULL;
    if (describe(job, state, x, &b) != 0)
        return -1;
    const int failed = solve(job, state, x, b);
    cusolverMpDestroyMatrixDesc(b);
    return failed;
}

#else

VARIANT(lu, cusolvermp) = {
    .summary = "getrf of cuSOLVERMp on several GPUs",
    .summary_ru = "getrf из cuSOLVERMp на нескольких GPU",
    .source = "baseline",
    .vendor = true,
    .library = "cusolvermp",
    .style = 9,
    .precisions = FLOATS,
    .axes = HONOURS(gpus) | HONOURS(tile),
    .defaults = {.gpus = 2, .tile = 1024},
    .tensor = BIT(F64),
    .pivoting = PIVOTING_PARTIAL,
    .column_major = true,
    .distribution = DISTRIBUTION_ROW,
    .typical_gflops = 10000,
};

#endif
