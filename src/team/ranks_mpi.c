/* How the ranks of MPI talk. The build compiles this file with mpicc into tilelab-scalapack.so, and without content
 * into the program.
 * SPDX-License-Identifier: MIT */
#ifdef TILELAB_MEMBER
#include "team_variant.h"
#include "backend/layout.h"

#include <mpi.h>
#include <unistd.h>

/* A collective call counts its elements by an int. */
enum { COUNT_MOST = 1 << 28, PAUSE_US = 500 };

static int open_ranks(struct team *team, char *why, size_t size)
{
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS || MPI_Comm_rank(MPI_COMM_WORLD, &team->rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &team->size) != MPI_SUCCESS) {
        snprintf(why, size, "MPI_Init failed");
        return -1;
    }
    return 0;
}

static int sum(double *values, int64_t count)
{
    for (int64_t at = 0; at < count; at += COUNT_MOST) {
        const int part = (int)(count - at < COUNT_MOST ? count - at : COUNT_MOST);
        if (MPI_Allreduce(MPI_IN_PLACE, values + at, part, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS)
            return -1;
    }
    return 0;
}

static int most(double *value)
{
    return MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD) == MPI_SUCCESS ? 0 : -1;
}

static int share(void *bytes, size_t size, int from)
{
    return MPI_Bcast(bytes, (int)size, MPI_BYTE, from, MPI_COMM_WORLD) == MPI_SUCCESS ? 0 : -1;
}

/* MPI_Bcast would keep a core busy as long as it waits. */
static int await_request(void *bytes, size_t size)
{
    MPI_Request request;
    int done = 0;
    if (MPI_Ibcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS)
        return -1;
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
        usleep(PAUSE_US);
    return done ? 0 : -1;
}

static void close_ranks(void)
{
    MPI_Finalize();
}

MEMBER_ENTRY const struct layout *tilelab_layout(void);
MEMBER_ENTRY const struct layout *tilelab_layout(void)
{
    return &layout_here;
}

MEMBER_ENTRY const struct team_api *tilelab_team(void);
MEMBER_ENTRY const struct team_api *tilelab_team(void)
{
    static const struct team_messages messages = {
        .open = open_ranks, .sum = sum, .most = most, .share = share, .await = await_request, .close = close_ranks};
    static const struct team_api api = {.version = TEAM_API_VERSION, .messages = &messages};
    return &api;
}
#else
typedef int ranks_mpi_empty; /* a file must not be empty */
#endif
