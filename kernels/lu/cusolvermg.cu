/* P A = L U in place by getrf of cuSOLVERMg, on several GPUs that one process drives: a baseline.
 * A (n x n) is distributed in blocks of tile columns, one GPU after another; a block has all n rows, column by column.
 * The library splits the work. Pivoting is partial, so that any matrix is allowed; a singular one is an error. The
 * library knows tiles up to 512, and GPUs of one host only.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#define DISABLE_CUSOLVERMG_DEPRECATED
#include "team_variant.h"

#include <cusolverMg.h>

struct solver_mg {
    cusolverMgHandle_t handle;
    cudaLibMgGrid_t grid;
    cudaLibMgMatrixDesc_t a;
    int64_t elements;
    int devices;
    void *matrix[TEAM_PARTS_MAX], *work[TEAM_PARTS_MAX];
    int *pivots[TEAM_PARTS_MAX];
};

#define MG_TRY(job, call) \
    do { \
        const cusolverStatus_t status_ = (call); \
        if (status_ != CUSOLVER_STATUS_SUCCESS) \
            return job_fail((job), "%s: status %d", #call, (int)status_); \
    } while (0)

static cudaDataType type_of(const struct job *job)
{
    return job->cell->precision == F64 ? CUDA_R_64F : CUDA_R_32F;
}

static int allocate_work(struct job *job, struct solver_mg *state, int64_t elements)
{
    const int64_t bytes = elements * cell_element_bytes(job->cell);
    if (elements <= state->elements)
        return 0;
    for (int i = 0; i < state->devices; i++) {
        CUDA_TRY(job, cudaSetDevice(i));
        cudaFree(state->work[i]);
        state->work[i] = NULL;
        CUDA_TRY(job, cudaMalloc(&state->work[i], (size_t)bytes));
    }
    CUDA_TRY(job, cudaSetDevice(0));
    state->elements = elements;
    return 0;
}

static int make(struct job *job, struct solver_mg *state)
{
    int device[TEAM_PARTS_MAX];
    int64_t elements = 0;
    const int n = (int)job->cell->n, tile = (int)job->cell->tile;
    const int64_t stride = (int64_t)tile * state->devices;
    for (int i = 0; i < state->devices; i++) {
        device[i] = i;
        state->matrix[i] = job->team->matrix[0].part[i].data;
        CUDA_TRY(job, cudaSetDevice(i));
        CUDA_TRY(job, cudaMalloc((void **)&state->pivots[i], (size_t)((n + stride - 1) / stride * tile) * sizeof(int)));
    }
    CUDA_TRY(job, cudaSetDevice(0));
    MG_TRY(job, cusolverMgCreate(&state->handle));
    MG_TRY(job, cusolverMgDeviceSelect(state->handle, state->devices, device));
    MG_TRY(job, cusolverMgCreateDeviceGrid(&state->grid, 1, state->devices, device, CUDALIBMG_GRID_MAPPING_COL_MAJOR));
    MG_TRY(job, cusolverMgCreateMatrixDesc(&state->a, n, n, n, tile, type_of(job), state->grid));
    MG_TRY(job, cusolverMgGetrf_bufferSize(state->handle, n, n, state->matrix, 1, 1, state->a, state->pivots,
                                           type_of(job), &elements));
    return allocate_work(job, state, elements);
}

MEMBER_ENTRY void lu_cusolvermg_release(struct job *job)
{
    struct solver_mg *state = (struct solver_mg *)job->state;
    if (state->a)
        cusolverMgDestroyMatrixDesc(state->a);
    if (state->grid)
        cusolverMgDestroyGrid(state->grid);
    if (state->handle)
        cusolverMgDestroy(state->handle);
    for (int i = 0; i < state->devices; i++) {
        cudaSetDevice(i);
        cudaFree(state->work[i]);
        cudaFree(state->pivots[i]);
    }
    cudaSetDevice(0);
    delete state;
    job->state = NULL;
}

MEMBER_ENTRY int lu_cusolvermg_prepare(struct job *job)
{
    struct solver_mg *state = new solver_mg();
    state->devices = job->team->devices;
    job->state = state;
    if (state->devices <= TEAM_PARTS_MAX && make(job, state) == 0)
        return 0;
    lu_cusolvermg_release(job);
    return job->error[0] ? -1 : job_fail(job, "more than %d GPUs in one process", TEAM_PARTS_MAX);
}

MEMBER_ENTRY int lu_cusolvermg_launch(struct job *job)
{
    struct solver_mg *state = (struct solver_mg *)job->state;
    const int n = (int)job->cell->n;
    int info = 0;
    MG_TRY(job, cusolverMgGetrf(state->handle, n, n, state->matrix, 1, 1, state->a, state->pivots, type_of(job),
                                state->work, state->elements, &info));
    return info == 0 ? 0 : job_fail(job, "getrf returned %d", info);
}

static int solve(struct job *job, struct solver_mg *state, struct team_matrix *x, cudaLibMgMatrixDesc_t b)
{
    const int n = (int)job->cell->n;
    void *column[TEAM_PARTS_MAX];
    int64_t elements = 0;
    int info = 0;
    for (int i = 0; i < state->devices; i++)
        column[i] = x->part[i].data;
    MG_TRY(job, cusolverMgGetrs_bufferSize(state->handle, CUBLAS_OP_N, n, 1, state->matrix, 1, 1, state->a,
                                           state->pivots, column, 1, 1, b, type_of(job), &elements));
    if (allocate_work(job, state, elements) != 0)
        return -1;
    MG_TRY(job, cusolverMgGetrs(state->handle, CUBLAS_OP_N, n, 1, state->matrix, 1, 1, state->a, state->pivots, column,
                                1, 1, b, type_of(job), state->work, state->elements, &info));
    return info == 0 ? 0 : job_fail(job, "getrs returned %d", info);
}

MEMBER_ENTRY int lu_cusolvermg_solve(struct job *job, struct team_matrix *x)
{
    struct solver_mg *state = (struct solver_mg *)job->state;
    cudaLibMgMatrixDesc_t b = NULL;
    const int n = (int)job->cell->n;
    MG_TRY(job, cusolverMgCreateMatrixDesc(&b, n, 1, n, (int)job->cell->tile, type_of(job), state->grid));
    const int failed = solve(job, state, x, b);
    cusolverMgDestroyMatrixDesc(b);
    return failed;
}

#else

VARIANT(lu, cusolvermg) = {
    .summary = "getrf of cuSOLVERMg on several GPUs",
    .summary_ru = "getrf из cuSOLVERMg на нескольких GPU",
    .source = "baseline",
    .vendor = true,
    .library = "cusolvermg",
    .style = 8,
    .precisions = FLOATS,
    .axes = HONOURS(gpus) | HONOURS(tile),
    .defaults = {.gpus = 2, .tile = 512},
    .tensor = BIT(F64),
    .pivoting = PIVOTING_PARTIAL,
    .column_major = true,
    .distribution = DISTRIBUTION_ROW,
    .one_process = true,
    .typical_gflops = 40000,
};

#endif
