/* A rank of a team: it starts, then serves requests until its input ends.
 * SPDX-License-Identifier: MIT */
#include "rank.h"

#include "rank_local.h"
#include "rank_parts.h"
#include "backend/object.h"
#include "machine/host.h"
#include "machine/nvml.h"
#include "verify/blocks.h"
#include "verify/parallel.h"

#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int answers_fd; /* what was standard output: libraries may write to standard output */

/* ---- Messages to and from the worker; only rank 0 has any ---- */

static bool take_request(struct team_request *request)
{
    for (size_t taken = 0; taken < sizeof *request;) {
        const ssize_t got = read(STDIN_FILENO, (char *)request + taken, sizeof *request - taken);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        taken += got > 0 ? (size_t)got : 0;
    }
    return request->magic == TEAM_MAGIC;
}

static bool give_answer(const struct team_answer *answer)
{
    char line[sizeof *answer + 1];
    memcpy(line, answer, sizeof *answer);
    line[sizeof *answer] = '\n';
    for (size_t given = 0; given < sizeof line;) {
        const ssize_t put = write(answers_fd, line + given, sizeof line - given);
        if (put < 0 && errno != EINTR)
            return false;
        given += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* ---- The start ---- */

/* Each rank keeps to a core of its own, unless there are fewer cores than ranks here. */
static void bind_to_core(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"};
    static const char *const sizes[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE"};
    int rank = -1, size = 0;
    for (int i = 0; i < 2 && rank < 0; i++) {
        rank = getenv(variables[i]) ? atoi(getenv(variables[i])) : -1;
        size = getenv(sizes[i]) ? atoi(getenv(sizes[i])) : 0;
    }
    if (rank >= 0 && rank < size && size <= host_get()->cores)
        host_bind_to(rank);
}

static bool load(struct rank *rank, const char *library, char *why, size_t size)
{
    char file[64], path[PATH_MAX];
    team_function function = NULL;
    snprintf(file, sizeof file, "tilelab-%s.so", library);
    if (!object_path(file, path, sizeof path)) {
        snprintf(why, size, "%s was not found (rebuild with `make`)", file);
        return false;
    }
    /* MPI opens modules of its own, which need its symbols. */
    rank->object = object_open(path, RTLD_NOW | RTLD_GLOBAL, why, size);
    if (!rank->object)
        return false;
    *(void **)&function = dlsym(rank->object, "tilelab_team");
    rank->api = function ? function() : NULL;
    if (rank->api && rank->api->version == TEAM_API_VERSION)
        return true;
    return object_refuse(&rank->object, file, why, size);
}

/* Reads what a rank must know before it can meet the others, who then receive requests. */
static bool read_options(struct rank *rank, int *ranks, int argc, char **argv)
{
    static const struct option options[] = {{"library", required_argument, NULL, 'l'},
                                            {"ranks", required_argument, NULL, 'r'},
                                            {"devices", required_argument, NULL, 'd'},
                                            {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'l')
            rank->team.library = optarg;
        else if (option == 'r')
            *ranks = atoi(optarg);
        else if (option == 'd')
            rank->team.devices = atoi(optarg);
        else
            return false;
    }
    return rank->team.library && *ranks > 0 && optind == argc;
}

static bool start(struct rank *rank, int ranks, char *why, size_t size)
{
    if (!load(rank, rank->team.library, why, size))
        return false;
    rank->messages = rank->api->messages ? rank->api->messages : rank_local(ranks);
    rank->memory = rank->api->memory ? rank->api->memory : &blocks_host;
    if (rank->messages->open(&rank->team, why, size) != 0)
        return false;
    if (rank->team.size != ranks) {
        snprintf(why, size, "the team has %d ranks and not %d: mpirun belongs to another MPI than the library",
                 rank->team.size, ranks);
        return false;
    }
    if (rank->api->join && rank->api->join(&rank->team, rank->messages, why, size) != 0)
        return false;
    const int devices = rank->team.devices / ranks;
    if (devices > 0)
        nvml_open_several(rank->team.rank * devices, devices, rank->team.devices);
    return true;
}

/* ---- Requests ---- */

/* If a rank has failed, all ranks take the answer of the first that did. False: the team has broken up. */
static bool agree(const struct rank *rank, struct team_answer *answer)
{
    const struct team *team = &rank->team;
    double first = answer->failed ? team->size - team->rank : 0;
    if (rank->messages->most(&first) != 0)
        return false;
    return first == 0 || rank->messages->share(answer, sizeof *answer, team->size - (int)first) == 0;
}

static void serve_all(struct rank *rank)
{
    static struct team_request request;
    static struct team_answer answer;
    for (;;) {
        memset(&request, 0, sizeof request);
        /* A request without its magic ends the ranks. */
        if (rank->team.rank == 0 && !take_request(&request))
            request.magic = 0;
        if (rank->messages->await(&request, sizeof request) != 0 || request.magic != TEAM_MAGIC)
            break;
        memset(&answer, 0, sizeof answer);
        answer.magic = TEAM_MAGIC;
        rank_serve(rank, &request, &answer);
        if (!agree(rank, &answer) || (rank->team.rank == 0 && !give_answer(&answer)))
            break;
    }
    rank->messages->close();
}

int rank_main(int argc, char **argv)
{
    static struct rank rank;
    static struct team_answer hello = {.magic = TEAM_MAGIC};
    int ranks = 0;
    if (!read_options(&rank, &ranks, argc, argv)) {
        fprintf(stderr, "tilelab: `tilelab run` starts the ranks of a team itself\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    answers_fd = dup(STDOUT_FILENO);
    if (answers_fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 1;
    bind_to_core();
    parallel_init();
    if (!start(&rank, ranks, hello.error, sizeof hello.error)) {
        /* Ranks that could not meet cannot agree: the first words that arrive are told. */
        fprintf(stderr, "%s\n", hello.error);
        return 1;
    }
    if (rank.team.rank == 0 && !give_answer(&hello))
        return 1;
    serve_all(&rank);
    _exit(0); /* the exit handler of a driver may hang */
}
