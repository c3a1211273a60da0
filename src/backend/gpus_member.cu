/* The GPUs of one process of a team: memory, inputs and verification where the parts lie. Linked into the shared object
 * of each library for several GPUs.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"
#include "team_variant.h"
#include "base/random.h"

#include <stdlib.h>
#include <vector>

/* In gpus_nccl.cu; a shared object without NCCL does not have it. */
extern "C" int gpus_nccl_join(struct team *team, const struct team_messages *messages, char *why, size_t size)
    __attribute__((weak));

enum { THREADS = 256, BLOCKS = 2048, COLUMNS = 512 };

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

/* ---- Elements of a part ---- */

struct block {
    void *data;
    int64_t rows, cols, ld, block_rows, block_cols, all_cols;
    int grid_row, grid_rows, grid_col, grid_cols;
};

static struct block block_of(const struct team_matrix *matrix, const struct team_part *part)
{
    return {part->data,   part->rows,     part->cols,        part->ld,       matrix->block_rows, matrix->block_cols,
            matrix->cols, part->grid_row, matrix->grid_rows, part->grid_col, matrix->grid_cols};
}

static __device__ int64_t index_of(int64_t local, int64_t block, int part, int parts)
{
    return (local / block * parts + part) * block + local % block;
}

static __device__ int64_t row_of(const struct block &b, int64_t local)
{
    return index_of(local, b.block_rows, b.grid_row, b.grid_rows);
}

static __device__ int64_t col_of(const struct block &b, int64_t local)
{
    return index_of(local, b.block_cols, b.grid_col, b.grid_cols);
}

template <typename real>
static __device__ real input(const struct block &b, struct team_inputs in, int64_t row, int64_t col)
{
    const uint64_t counter = (uint64_t)(row * b.all_cols + col);
    if (in.kind == TEAM_INTEGERS)
        return (real)random_integer(in.key, counter, in.low, in.values);
    const double uniform = random_uniform(in.key, counter);
    return (real)(in.kind == TEAM_UNIFORM ? uniform : 25 * (uniform + 1));
}

template <typename real> __global__ void gpus_fill(struct block b, struct team_inputs in)
{
    for (int64_t j = blockIdx.y; j < b.cols; j += gridDim.y) {
        const int64_t col = col_of(b, j);
        for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < b.rows; i += (int64_t)gridDim.x * THREADS)
            ((real *)b.data)[j * b.ld + i] = input<real>(b, in, row_of(b, i), col);
    }
}

/* The diagonal of a dominant matrix, in the order of the sums that the host takes. */
template <typename real> __global__ void gpus_fill_diagonal(struct block b, struct team_inputs in)
{
    const int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (j >= b.cols)
        return;
    const int64_t row = col_of(b, j), block = row / b.block_rows;
    if (block % b.grid_rows != b.grid_row)
        return;
    const int64_t i = block / b.grid_rows * b.block_rows + row % b.block_rows;
    if (i >= b.rows)
        return;
    double sum = 1;
    for (int64_t col = 0; col < b.all_cols; col++)
        sum += col == row ? 0 : fabs((double)input<real>(b, in, row, col));
    ((real *)b.data)[j * b.ld + i] = (real)sum;
}

/* y (of the part's rows) += A x, for columns of one slice; x has an element for each column of the whole matrix. */
template <typename real>
__global__ void gpus_multiply(struct block b, bool magnitudes, int triangle, const double *x, double *y)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= b.rows)
        return;
    const int64_t row = row_of(b, i);
    const int64_t from = (int64_t)blockIdx.y * COLUMNS, to = from + COLUMNS < b.cols ? from + COLUMNS : b.cols;
    double sum = 0;
    for (int64_t j = from; j < to; j++) {
        const int64_t col = col_of(b, j);
        const double value = (double)((const real *)b.data)[j * b.ld + i];
        const bool counts = triangle == TEAM_ALL || (triangle == TEAM_LOWER ? row >= col : row > col);
        if (counts)
            sum += (magnitudes ? fabs(value) : value) * x[col];
    }
    atomicAdd(&y[i], sum);
}

/* The sum over a block of threads; the first thread gets it. */
static __device__ double block_sum(double value)
{
    __shared__ double of_warp[THREADS / 32];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffffu, value, offset);
    __syncthreads(); /* the sums of the last call have been read */
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = value;
    __syncthreads(); /* all warps have written their sums */
    double sum = 0;
    for (int warp = 0; warp < THREADS / 32; warp++)
        sum += of_warp[warp];
    return sum;
}

/* y (of the part's columns) += A^T x; x has an element for each row of the whole matrix. */
template <typename real>
__global__ void gpus_multiply_transposed(struct block b, bool magnitudes, int triangle, const double *x, double *y)
{
    for (int64_t j = blockIdx.x; j < b.cols; j += gridDim.x) {
        const int64_t col = col_of(b, j);
        double sum = 0;
        for (int64_t i = threadIdx.x; i < b.rows; i += THREADS) {
            const int64_t row = row_of(b, i);
            const double value = (double)((const real *)b.data)[j * b.ld + i];
            if (triangle == TEAM_ALL || (triangle == TEAM_LOWER ? row >= col : row > col))
                sum += (magnitudes ? fabs(value) : value) * x[row];
        }
        sum = block_sum(sum);
        if (threadIdx.x == 0)
            y[j] += sum;
    }
}

template <typename real> __global__ void gpus_digest(struct block b, unsigned long long *digest, double *norm2)
{
    unsigned long long hash = 0;
    double squares = 0;
    for (int64_t j = blockIdx.y; j < b.cols; j += gridDim.y) {
        const int64_t col = col_of(b, j);
        for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < b.rows; i += (int64_t)gridDim.x * THREADS) {
            const double value = (double)((const real *)b.data)[j * b.ld + i];
            const uint64_t at = (uint64_t)(row_of(b, i) * b.all_cols + col);
            hash += random_mix(random_mix(at + 1) ^ (uint64_t)__double_as_longlong(value));
            squares += value * value;
        }
    }
    atomicAdd(digest, hash);
    squares = block_sum(squares);
    if (threadIdx.x == 0)
        atomicAdd(norm2, squares);
}

/* ---- The functions of struct team_memory ---- */

static dim3 grid_of(const struct team_part *part)
{
    const int64_t x = (part->rows + THREADS - 1) / THREADS;
    return dim3((unsigned)(x < 1        ? 1
                           : x < BLOCKS ? x
                                        : BLOCKS),
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
    const struct block b = block_of(matrix, part);
    gpus_fill<real><<<grid_of(part), THREADS>>>(b, in);
    if (in.kind == TEAM_DOMINANT)
        gpus_fill_diagonal<real><<<(unsigned)((part->cols + THREADS - 1) / THREADS), THREADS>>>(b, in);
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
    const struct block b = block_of(matrix, part);
    const int64_t of_x = transposed ? matrix->rows : matrix->cols, of_y = transposed ? part->cols : part->rows;
    struct scratch device_x, device_y;
    std::vector<double> share((size_t)of_y);
    TRY(cudaMalloc(&device_x.data, (size_t)of_x * sizeof(double)));
    TRY(cudaMalloc(&device_y.data, (size_t)of_y * sizeof(double)));
    TRY(cudaMemcpy(device_x.data, x, (size_t)of_x * sizeof(double), cudaMemcpyHostToDevice));
    TRY(cudaMemset(device_y.data, 0, (size_t)of_y * sizeof(double)));
    if (transposed)
        gpus_multiply_transposed<real><<<BLOCKS, THREADS>>>(b, magnitudes, triangle, device_x.data, device_y.data);
    else
        gpus_multiply<real>
            <<<dim3((unsigned)((part->rows + THREADS - 1) / THREADS), (unsigned)((part->cols + COLUMNS - 1) / COLUMNS)),
               THREADS>>>(b, magnitudes, triangle, device_x.data, device_y.data);
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
        const struct block b = block_of(matrix, part);
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
            gpus_digest<double><<<grid_of(part), THREADS>>>(b, (unsigned long long *)sums.data, sums.data + 1);
        else
            gpus_digest<float><<<grid_of(part), THREADS>>>(b, (unsigned long long *)sums.data, sums.data + 1);
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
