/* The worker's side of a team.
 * SPDX-License-Identifier: MIT */
#include "team.h"

#include "cell.h"
#include "backend/object.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const double START_LIMIT_S = 100, END_LIMIT_S = 5;

static struct process process;
static int to_team = -1, words_fd = -1; /* its standard input and standard error */
static bool lost;                       /* the team has ended, or answers no more */
static double start_s;
static struct team_answer answer; /* the latest one */

/* ---- The end of a team ---- */

/* Puts "this host" in the place of the name of the machine, which belongs in no result. */
static void hide_host(char *text)
{
    static const char hidden[] = "this host";
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0 || strlen(name) < 2)
        return;
    const size_t have = strlen(name), put = sizeof hidden - 1 < have ? sizeof hidden - 1 : have;
    /* The search goes on behind the new text: it would find a host named "this" there for ever. */
    for (char *at = text; (at = strstr(at, name)) != NULL; at += put) {
        memcpy(at, hidden, put);
        memmove(at + put, at + have, strlen(at + have) + 1);
    }
}

/* Joins the lines of a text. Lines of dashes, which mpirun draws, are left out, and lines that the ranks before have
 * written too. */
static void join_lines(char *text)
{
    char *to = text, *line, *next = text, *last = text;
    while ((line = strsep(&next, "\n")) != NULL) {
        while (*line == ' ')
            line++;
        if (*line == '\0' || strncmp(line, "----", 4) == 0)
            continue;
        const size_t length = strlen(line);
        if (length == (size_t)(to - last) && memcmp(last, line, length) == 0)
            continue;
        if (to != text)
            *to++ = ' ';
        last = memmove(to, line, length);
        to += length;
    }
    *to = '\0';
}

/* What mpirun says of a rank that a signal ended, in short; false: it says no such thing. */
static bool tell_signal(const char *words, char *why, size_t size)
{
    const char *rank = strstr(words, "process rank "), *signal = rank ? strstr(rank, "on signal ") : NULL;
    int number, by;
    if (!signal || sscanf(rank, "process rank %d", &number) != 1 || sscanf(signal, "on signal %d", &by) != 1)
        return false;
    snprintf(why, size, "rank %d of the team was ended by signal %d (%s)", number, by, strsignal(by));
    return true;
}

/* Says how the team ended. */
static void tell_end(char *why, size_t size)
{
    char words[4096];
    const bool ended = process_await(&process, END_LIMIT_S);
    const int status = process.status;
    lost = true;
    process_end(&process);
    const off_t end = lseek(words_fd, 0, SEEK_END), most = sizeof words - 1;
    const ssize_t got = pread(words_fd, words, (size_t)most, end > most ? end - most : 0);
    words[got > 0 ? got : 0] = '\0';
    join_lines(words);
    hide_host(words);
    if (tell_signal(words, why, size))
        return;
    if (words[0] != '\0')
        snprintf(why, size, "the team ended: %.160s", words);
    else if (ended && WIFSIGNALED(status))
        snprintf(why, size, "the team was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(why, size, "the team ended without a word%s", ended ? "" : "; its processes lived on and were ended");
}

/* ---- Requests and answers ---- */

static bool send_all(const void *bytes, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        const ssize_t put = write(to_team, (const char *)bytes + sent, size - sent);
        if (put < 0 && errno != EINTR)
            return false;
        sent += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* Takes a whole answer. The runner ends this worker where an answer of a running team takes too long. */
static bool take_all(void *bytes, size_t size, double limit_s)
{
    const double from_s = timer_now_s();
    for (size_t taken = 0; taken < size;) {
        struct pollfd waiting = {.fd = process.output, .events = POLLIN};
        if (poll(&waiting, 1, 500) == 0 && timer_now_s() - from_s > limit_s)
            return false;
        const ssize_t got = read(process.output, (char *)bytes + taken, size - taken);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
            return false;
        taken += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool take_answer(double limit_s, char *why, size_t size)
{
    char line_break;
    if (!take_all(&answer, sizeof answer, limit_s) || !take_all(&line_break, 1, limit_s)) {
        tell_end(why, size);
        return false;
    }
    if (answer.magic == TEAM_MAGIC)
        return true;
    lost = true;
    process_end(&process);
    snprintf(why, size, "something else than an answer came from the team, which was ended");
    return false;
}

/* Asks the team, and awaits its answer. Returns 0, or non-zero with job->error and errno. */
static int ask(struct job *job, struct team_request request)
{
    size_t count;
    request.magic = TEAM_MAGIC;
    request.entry = (uint32_t)(job->cell->entry - registry(&count));
    for (int axis = 0; axis < AXES; axis++)
        request.axis[axis] = cell_value(job->cell, axis);
    if (lost)
        return job_fail(job, "the team has ended");
    if (!send_all(&request, sizeof request)) {
        tell_end(job->error, sizeof job->error);
        return -1;
    }
    if (!take_answer(INFINITY, job->error, sizeof job->error))
        return -1;
    errno = answer.code;
    return answer.failed ? job_fail(job, "%.199s", answer.error) : 0;
}

/* ---- The start ---- */

struct start {
    const char *path;
    const char *const *arguments;
    int input;
};

static int become_team(const void *context)
{
    const struct start *start = context;
    if (dup2(start->input, STDIN_FILENO) < 0 || dup2(words_fd, STDERR_FILENO) < 0)
        return PROCESS_CANNOT_START;
    return process_become(start->path, start->arguments);
}

/* A team ends by itself where its input ends. */
static void close_team(void)
{
    if (to_team < 0)
        return;
    close(to_team);
    process_await(&process, END_LIMIT_S);
    process_end(&process);
    close(words_fd);
    to_team = -1;
    lost = false;
}

/* The runner ends a worker and its children by SIGTERM, and by SIGKILL where the worker has gone. srun needs the time
 * in between, since the ranks are no children of its own: those of a killed srun would hold their cores. The worker
 * then ends by the same signal, which tells the runner that the end came from elsewhere. The handler is reset when it
 * is entered (SA_RESETHAND), and calls only functions that are safe in a handler. */
static void await_end(int signal)
{
    enum { TRIES = 150, PAUSE_MS = 10 };
    for (int i = 0; i < TRIES && process.pid > 0 && waitpid(process.pid, NULL, WNOHANG) == 0; i++)
        poll(NULL, 0, PAUSE_MS);
    raise(signal);
}

int team_open(const char *const arguments[], const char *path, char *why, size_t size)
{
    int ends[2];
    const double from_s = timer_now_s();
    close_team();
    words_fd = memfd_create("tilelab-team", MFD_CLOEXEC);
    if (words_fd < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(why, size, "a team cannot be set up: %s", strerror(errno));
        close(words_fd);
        return BACKEND_TRANSIENT;
    }
    const struct start start = {path, arguments, ends[0]};
    const int failed = process_start(&process, PROCESS_OUTPUT, become_team, &start);
    close(ends[0]);
    to_team = ends[1];
    if (failed) {
        snprintf(why, size, "a team could not be started: %s", strerror(failed));
        return BACKEND_TRANSIENT;
    }
    if (!take_answer(START_LIMIT_S, why, size))
        return -1;
    start_s = timer_now_s() - from_s;
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = await_end, .sa_flags = SA_RESETHAND}, NULL);
    if (answer.failed)
        snprintf(why, size, "%.199s", answer.error);
    return answer.failed ? -1 : 0;
}

/* ---- The functions of struct backend ---- */

bool team_object(const struct cell *cell, char *path, size_t size)
{
    char file[48];
    snprintf(file, sizeof file, "tilelab-%s.so", registry_library(cell->entry));
    return object_path(file, path, size);
}

void team_identity(const struct cell *cell, char hex[HASH_SHORT_SIZE])
{
    char path[PATH_MAX];
    if (!team_object(cell, path, sizeof path) || !hash_file(path, hex, HASH_SHORT))
        hex[0] = '\0';
}

int team_prepare(struct job *job)
{
    return ask(job, (struct team_request){.command = TEAM_PREPARE});
}

int team_run(struct job *job, const struct repeats *repeats, struct backend_times *times)
{
    if (ask(job, (struct team_request){.command = TEAM_RUN, .count = repeats->count}) != 0)
        return -1;
    if (times)
        *times = (struct backend_times){.kernel_s = answer.seconds,
                                        .clock_hz = answer.clock_hz > 0 ? answer.clock_hz : NAN,
                                        .temperature_c = NAN,
                                        .throttled = answer.throttled,
                                        .capped = answer.capped,
                                        .disturbed = answer.disturbed};
    const struct problem *problem = job->cell->entry->problem;
    if (problem->sweeps)
        memcpy(job->operand[problem->operand_count - 1], &answer.log, sizeof answer.log);
    return 0;
}

void team_finish(struct job *job)
{
    if (!lost)
        ask(job, (struct team_request){.command = TEAM_RELEASE});
}

bool team_poisoned(void)
{
    return lost;
}

static int fill(struct job *job, enum inputs inputs, uint64_t seed)
{
    return ask(job, (struct team_request){.command = TEAM_FILL, .inputs = inputs, .seed = seed});
}

static int poison(struct job *job)
{
    return ask(job, (struct team_request){.command = TEAM_POISON});
}

static int judge(struct job *job, struct verdict *verdict)
{
    const int failed = ask(job, (struct team_request){.command = TEAM_JUDGE});
    if (!failed)
        *verdict = answer.verdict;
    return failed;
}

static int digest(struct job *job, uint64_t *digest, double *norm2)
{
    const int failed = ask(job, (struct team_request){.command = TEAM_DIGEST});
    if (!failed) {
        *digest = answer.digest;
        *norm2 = answer.norm2;
    }
    return failed;
}

static double started_s(void)
{
    return start_s;
}

const struct backend_team team_operands = {
    .fill = fill, .poison = poison, .judge = judge, .digest = digest, .start_s = started_s};
