/* Looks at the outputs of a job when no work on the runner's stream can be changing them.
 * SPDX-License-Identifier: MIT */
#include "cuda_looks.cuh"

/* A look takes SPOT_BYTES at each of SPOTS places of an operand, or the whole of a small operand. */
enum { SPOTS = 128, SPOT_BYTES = 64, OPERAND_BYTES = SPOTS * SPOT_BYTES, LOOK_BYTES = MAX_OPERANDS * OPERAND_BYTES };
enum { BEFORE, HELD, ENDED, FINAL, LOOKS };

static unsigned char *seen; /* LOOKS looks in page-locked memory, so that copies to it go on beside the host */
static volatile int *over;
static cudaStream_t aside; /* waits for no other stream */

#define TRY(call) \
    do { \
        const cudaError_t status_ = (call); \
        if (status_ != cudaSuccess) \
            return status_; \
    } while (0)

cudaError_t looks_open()
{
    TRY(cudaHostAlloc((void **)&seen, (size_t)LOOKS * LOOK_BYTES, cudaHostAllocDefault));
    TRY(cudaHostAlloc((void **)&over, sizeof *over, cudaHostAllocMapped));
    return cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
}

int *looks_hold_over()
{
    return (int *)over;
}

/* Bytes from one spot of an operand to the next. */
static size_t pitch_of(size_t bytes)
{
    return bytes / OPERAND_BYTES * SPOT_BYTES;
}

static cudaError_t look(const struct job *job, const struct cuda_outputs *outputs, int number, cudaStream_t stream)
{
    for (int o = 0; o < MAX_OPERANDS; o++) {
        const size_t bytes = outputs->bytes[o];
        unsigned char *to = seen + (size_t)number * LOOK_BYTES + (size_t)o * OPERAND_BYTES;
        if (bytes >= OPERAND_BYTES)
            TRY(cudaMemcpy2DAsync(to, SPOT_BYTES, job->operand[o], pitch_of(bytes), SPOT_BYTES, SPOTS,
                                  cudaMemcpyDeviceToHost, stream));
        else if (bytes > 0)
            TRY(cudaMemcpyAsync(to, job->operand[o], bytes, cudaMemcpyDeviceToHost, stream));
    }
    return cudaSuccess;
}

static bool differ(int one, int other)
{
    return memcmp(seen + (size_t)one * LOOK_BYTES, seen + (size_t)other * LOOK_BYTES, LOOK_BYTES) != 0;
}

/* An output may hold the result of an earlier run, which a new run would not change. So its spots are filled with the
 * byte of poisoned outputs. */
cudaError_t looks_begin(const struct job *job, const struct cuda_outputs *outputs, cudaStream_t stream)
{
    memset(seen, 0, (size_t)LOOKS * LOOK_BYTES);
    *over = 0;
    for (int o = 0; o < MAX_OPERANDS; o++) {
        const size_t bytes = outputs->fresh[o] ? outputs->bytes[o] : 0;
        if (bytes >= OPERAND_BYTES)
            TRY(cudaMemset2DAsync(job->operand[o], pitch_of(bytes), 0xFF, SPOT_BYTES, SPOTS, stream));
        else if (bytes > 0)
            TRY(cudaMemsetAsync(job->operand[o], 0xFF, bytes, stream));
    }
    TRY(look(job, outputs, BEFORE, stream));
    return cudaStreamSynchronize(stream);
}

/* A look counts only if the hold goes on when the look is done. A variant whose launch waits for the stream comes back
 * after the hold, and then nothing is known. */
cudaError_t looks_while_held(const struct job *job, const struct cuda_outputs *outputs, struct cuda_block *block)
{
    while (!*over) {
        TRY(look(job, outputs, HELD, aside));
        TRY(cudaStreamSynchronize(aside));
        if (*over)
            break;
        block->looked = true;
        block->early = block->early || differ(BEFORE, HELD);
    }
    return cudaSuccess;
}

cudaError_t looks_after_end(const struct job *job, const struct cuda_outputs *outputs, cudaStream_t stream)
{
    return look(job, outputs, ENDED, stream);
}

cudaError_t looks_finish(const struct job *job, const struct cuda_outputs *outputs, cudaStream_t stream,
                         struct cuda_block *block)
{
    TRY(look(job, outputs, FINAL, stream));
    TRY(cudaStreamSynchronize(stream));
    block->late = differ(ENDED, FINAL);
    return cudaSuccess;
}
