/* The GPUs of one process of a team: memory, inputs and verification where the parts lie. Linked into the shared object
 * of each library for several GPUs.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"
#include "gpus_elements.cuh"
#include "team_variant.h"

#include <stdlib.h>
#include <vector>

/* In gpus_nccl.cu; a shared object without NCCL does not have it. */
extern "C" int gpus_nccl_join(struct team *team, const struct team_messages *messages, char *why, size_t size)
    __attribute__((weak));

static int first_device, device_count;
static cudaStream_t stream;
static char last_why[200];

#define TRY(call) \
    do { \
        const cudaError_t status_ = (call); \
        if (status_ != cudaSuccess) { \
            snprintf(last_why, sizeof last_why, "%.120s: %s", #call, cuda_error_text(status_)); \
            cudaGetLastError(); \
            return -1; \
        } \
    } while (0)

static const char *why(void)
{
    return last_why;
}

/* A part in host memory is worked on by the first GPU. */
static int use(int device)
{
    TRY(cudaSetDevice(first_device + (device < 0 ? 0 : device)));
    return 0;
}

static void *allocate(int device, size_t bytes)
{
    void *memory = NULL;
    if (use(device) != 0)
        return NULL;
    const cudaError_t status = device < 0 ? cudaMallocHost(&memory, bytes) : cudaMalloc(&memory, bytes);
    if (status == cudaSuccess)
        return memory;
    snprintf(last_why, sizeof last_why, "%zu bytes of %s: %s", bytes, device < 0 ? "pinned host memory" : "a GPU",
             cuda_error_text(status));
    cudaGetLastError();
    return NULL;
}

static void release(int device, void *memory)
{
    if (use(device) == 0) {
        if (device < 0)
            cudaFreeHost(memory);
        else
            cudaFree(memory);
        use(0);
    }
}

static int wait_all(void)
{
    for (int i = device_count; i-- > 0;) {
        if (use(i) != 0)
            return -1;
        TRY(cudaDeviceSynchronize());
    }
    return 0;
}

/* ---- The functions of struct team_memory ---- */

static dim3 grid_of(const struct team_part *part)
{
    const int64_t x = (part->rows + GPUS_THREADS - 1) / GPUS_THREADS;
    return dim3((unsigned)(x < 1             ? 1
                           : x < GPUS_BLOCKS ? x
                                             : GPUS_BLOCKS),
                (unsigned)(part->cols < 1     ? 1
                           : part->cols < 256 ? part->cols
                                              : 256));
}

/* Memory of a GPU that is released at the end of a function. */
struct scratch {
    double *data = NULL;
    ~scratch()
    {
        cudaFree(data);
    }
};

static bool is_empty(const struct team_part *part)
{
    return part->rows == 0 || part->cols == 0;
}

static int set(const struct team_matrix *matrix, int byte)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct team_part *part = &matrix->part[p];
        if (use(part->device) != 0)
            return -1;
        const size_t size = matrix->precision == F64 ? 8 : 4;
        TRY(cudaMemset(part->data, byte, (size_t)part->ld * (size_t)part->cols * size));
    }
    return wait_all();
}

template <typename real>
static int fill_part(const struct team_matrix *matrix, const struct team_part *part, struct team_inputs in)
{
    const struct gpus_block b = gpus_block_of(matrix, part);
    gpus_fill<real><<<grid_of(part), GPUS_THREADS>>>(b, in);
    if (in.kind == TEAM_DOMINANT)
        gpus_fill_diagonal<real><<<(unsigned)((part->cols + GPUS_THREADS - 1) / GPUS_THREADS), GPUS_THREADS>>>(b, in);
    TRY(cudaGetLastError());
    return 0;
}

static int fill(const struct team_matrix *matrix, const struct team_inputs *inputs)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct team_part *part = &matrix->part[p];
        if (is_empty(part))
            continue;
        if (use(part->device) != 0 || (matrix->precision == F64 ? fill_part<double>(matrix, part, *inputs)
                                                                : fill_part<float>(matrix, part, *inputs)) != 0)
            return -1;
    }
    return wait_all();
}

template <typename real>
static int multiply_part(const struct team_matrix *matrix, const struct team_part *part, bool transposed,
                         bool magnitudes, enum team_triangle triangle, const double *x, double *y)
{
    const struct gpus_block b = gpus_block_of(matrix, part);
    const int64_t of_x = transposed ? matrix->rows : matrix->cols, of_y = transposed ? part->cols : part->rows;
    struct scratch device_x, device_y;
    std::vector<double> share((size_t)of_y);
    TRY(cudaMalloc(&device_x.data, (size_t)of_x * sizeof(double)));
    TRY(cudaMalloc(&device_y.data, (size_t)of_y * sizeof(double)));
    TRY(cudaMemcpy(device_x.data, x, (size_t)of_x * sizeof(double), cudaMemcpyHostToDevice));
    TRY(cudaMemset(device_y.data, 0, (size_t)of_y * sizeof(double)));
    if (transposed)
        gpus_multiply_transposed<real>
            <<<GPUS_BLOCKS, GPUS_THREADS>>>(b, magnitudes, triangle, device_x.data, device_y.data);
    else
        gpus_multiply<real><<<dim3((unsigned)((part->rows + GPUS_THREADS - 1) / GPUS_THREADS),
                                   (unsigned)((part->cols + GPUS_COLUMNS - 1) / GPUS_COLUMNS)),
                              GPUS_THREADS>>>(b, magnitudes, triangle, device_x.data, device_y.data);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(share.data(), device_y.data, (size_t)of_y * sizeof(double), cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < of_y; i++)
        y[transposed ? team_index(i, b.block_cols, b.grid_col, b.grid_cols)
                     : team_index(i, b.block_rows, b.grid_row, b.grid_rows)] += share[(size_t)i];
    return 0;
}

static int multiply(const struct team_matrix *matrix, bool transposed, bool magnitudes, enum team_triangle triangle,
                    const double *x, double *y)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct team_part *part = &matrix->part[p];
        if (is_empty(part))
            continue;
        if (use(part->device) != 0 ||
            (matrix->precision == F64
                 ? multiply_part<double>(matrix, part, transposed, magnitudes, triangle, x, y)
                 : multiply_part<float>(matrix, part, transposed, magnitudes, triangle, x, y)) != 0)
            return -1;
    }
    return 0;
}

static int digest(const struct team_matrix *matrix, uint64_t *digest, double *norm2)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct team_part *part = &matrix->part[p];
        const struct gpus_block b = gpus_block_of(matrix, part);
        struct scratch sums;
        double found[2] = {0, 0};
        uint64_t hash;
        if (is_empty(part))
            continue;
        if (use(part->device) != 0)
            return -1;
        TRY(cudaMalloc(&sums.data, sizeof found));
        TRY(cudaMemcpy(sums.data, found, sizeof found, cudaMemcpyHostToDevice));
        if (matrix->precision == F64)
            gpus_digest<double><<<grid_of(part), GPUS_THREADS>>>(b, (unsigned long long *)sums.data, sums.data + 1);
        else
            gpus_digest<float><<<grid_of(part), GPUS_THREADS>>>(b, (unsigned long long *)sums.data, sums.data + 1);
        TRY(cudaGetLastError());
        TRY(cudaMemcpy(found, sums.data, sizeof found, cudaMemcpyDeviceToHost));
        memcpy(&hash, &found[0], sizeof hash);
        *digest += hash;
        *norm2 += found[1];
    }
    return 0;
}

/* Copies the one column of a vector's part through a buffer in host memory. */
template <typename real>
static int move(const struct team_matrix *matrix, const struct team_part *part, const double *from, double *to)
{
    std::vector<real> column((size_t)part->rows);
    const size_t bytes = (size_t)part->rows * sizeof(real);
    if (!from)
        TRY(cudaMemcpy(column.data(), part->data, bytes, cudaMemcpyDefault));
    for (int64_t i = 0; i < part->rows; i++) {
        const int64_t row = team_index(i, matrix->block_rows, part->grid_row, matrix->grid_rows);
        if (from)
            column[(size_t)i] = (real)from[row];
        else
            to[row] += (double)column[(size_t)i];
    }
    if (from)
        TRY(cudaMemcpy(part->data, column.data(), bytes, cudaMemcpyDefault));
    return 0;
}

static int move_vector(const struct team_matrix *matrix, const double *from, double *to)
{
    for (int p = 0; p < matrix->parts; p++) {
        const struct team_part *part = &matrix->part[p];
        if (!is_empty(part) &&
            (use(part->device) != 0 || (matrix->precision == F64 ? move<double>(matrix, part, from, to)
                                                                 : move<float>(matrix, part, from, to)) != 0))
            return -1;
    }
    return 0;
}

static int put(const struct team_matrix *matrix, const double *from)
{
    return move_vector(matrix, from, NULL);
}

static int get(const struct team_matrix *matrix, double *to)
{
    return move_vector(matrix, NULL, to);
}

/* ---- The start ---- */

/* Lets the GPUs of this process reach each other's memory. */
static int connect(char *text, size_t size)
{
    for (int i = 0; i < device_count; i++)
        for (int j = 0; j < device_count; j++) {
            int able = i == j;
            if (i != j && (cudaDeviceCanAccessPeer(&able, i, j) != cudaSuccess || !able)) {
                snprintf(text, size, "GPU %d cannot access the memory of GPU %d", i, j);
                return -1;
            }
            if (i != j && (use(i) != 0 || (cudaDeviceEnablePeerAccess(j, 0) != cudaSuccess &&
                                           cudaGetLastError() != cudaErrorPeerAccessAlreadyEnabled))) {
                snprintf(text, size, "GPU %d was refused the memory of GPU %d", i, j);
                return -1;
            }
        }
    return 0;
}

static int join(struct team *team, const struct team_messages *messages, char *text, size_t size)
{
    int there = 0;
    device_count = team->devices / team->size;
    first_device = team->rank * device_count;
    if (cudaGetDeviceCount(&there) != cudaSuccess || there < team->devices) {
        snprintf(text, size, "%d GPUs, but this process sees %d", team->devices, there);
        return -1;
    }
    if (use(0) != 0 || cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) {
        snprintf(text, size, "GPU %d cannot be used: %.120s", first_device, last_why);
        return -1;
    }
    if (team->size == 1)
        return connect(text, size);
    return gpus_nccl_join ? gpus_nccl_join(team, messages, text, size) : 0;
}

static void *stream_of(void)
{
    return stream;
}

MEMBER_ENTRY const struct team_api *tilelab_team(void)
{
    static struct team_memory memory;
    static struct team_api api;
    memory.why = why;
    memory.allocate = allocate;
    memory.release = release;
    memory.set = set;
    memory.fill = fill;
    memory.multiply = multiply;
    memory.digest = digest;
    memory.put = put;
    memory.get = get;
    memory.wait = wait_all;
    api.version = TEAM_API_VERSION;
    api.memory = &memory;
    api.join = join;
    api.stream = stream_of;
    return &api;
}
