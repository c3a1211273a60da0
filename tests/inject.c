/* A library that is preloaded into tilelab and makes chosen calls of the C library fail, as a machine in trouble does.
 * tests/inject.sh describes how it is used.
 *
 *   INJECT=CALL:NTH:ERRNO:ROLE:MODE   without this variable, calls are only counted
 *   INJECT_STATE=FILE                 4096 bytes of zeros, which all processes of a run share
 *
 * ROLE says which process fails: the runner, a child of the runner before it becomes another program, a worker, or a
 * helper, which is any other subcommand. MODE is `once` (the NTH call of all processes with that role fails), `each`
 * (the NTH call of each process fails) or `after` (in each process, the NTH call and all later ones fail).
 * SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#undef fstat
#undef open
#undef open64

/* The calls that can fail. tests/inject.sh reads the order of this list. CALLS-BEGIN */
#define CALLS(X) \
    X(fork) \
    X(execv) \
    X(pipe2) \
    X(dup2) \
    X(setpgid) \
    X(waitid) \
    X(waitpid) \
    X(kill) \
    X(socketpair) \
    X(memfd_create) \
    X(send) \
    X(recv) \
    X(poll) \
    X(mmap) \
    X(mprotect) \
    X(malloc) \
    X(large) \
    X(open) \
    X(fopen) \
    X(fdopen) \
    X(read) \
    X(pread) \
    X(write) \
    X(fwrite) \
    X(fflush) \
    X(fclose) \
    X(fstat) \
    X(lseek) \
    X(flock) \
    X(fcntl) \
    X(fsync) \
    X(fdatasync) \
    X(ftruncate) \
    X(rename) \
    X(mkdir) \
    X(setrlimit) \
    X(sigaction) \
    X(syscall) \
    X(pthread_create)
/* CALLS-END */

enum call {
#define X(name) CALL_##name,
    CALLS(X)
#undef X
        CALL_COUNT
};
static const char *const call_names[] = {
#define X(name) #name,
    CALLS(X)
#undef X
};
enum role { RUNNER, CHILD, WORKER, HELPER, ROLES };
static const char *const role_names[] = {"runner", "child", "worker", "helper"};

/* What all processes of a run share. */
static struct state {
    atomic_uint most[ROLES][CALL_COUNT];  /* calls of the process that made most of them */
    atomic_uint total[ROLES][CALL_COUNT]; /* calls of all processes with this role */
    atomic_uint failed;                   /* calls that were made to fail */
} * state;
_Static_assert(sizeof(struct state) <= 4096, "INJECT_STATE has 4096 bytes");

static atomic_uint made[CALL_COUNT];
static enum role role;
static pid_t self;
static int chosen_call = -1, chosen_role, chosen_errno;
static unsigned chosen_nth;
static char chosen_mode;
/* A call of the C library may make another one; only the outer one counts. */
static _Thread_local int depth;
enum { LARGE = 65536 };

static int find(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* The role follows from the subcommand, which is the second argument of the program. */
static enum role find_role(void)
{
    char text[256] = "";
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY);
    const long got = fd < 0 ? 0 : syscall(SYS_read, fd, text, sizeof text - 2);
    if (fd >= 0)
        syscall(SYS_close, fd);
    const char *subcommand = got > 0 ? text + strlen(text) + 1 : "";
    return strcmp(subcommand, "run") == 0 ? RUNNER : strcmp(subcommand, "worker") == 0 ? WORKER : HELPER;
}

static void choose(const char *wish)
{
    char text[128], *part[5], *rest = text;
    snprintf(text, sizeof text, "%s", wish);
    for (int i = 0; i < 5; i++)
        if (!(part[i] = strsep(&rest, ":"))) {
            static const char complaint[] = "inject: INJECT is CALL:NTH:ERRNO:ROLE:MODE\n";
            syscall(SYS_write, STDERR_FILENO, complaint, sizeof complaint - 1);
            _exit(99);
        }
    chosen_nth = (unsigned)strtoul(part[1], NULL, 10);
    chosen_errno = atoi(part[2]);
    chosen_role = find(role_names, ROLES, part[3]);
    chosen_mode = part[4][0];
    chosen_call = find(call_names, CALL_COUNT, part[0]);
}

__attribute__((constructor)) static void begin(void)
{
    const char *const path = getenv("INJECT_STATE"), *const wish = getenv("INJECT");
    depth++;
    self = getpid();
    role = find_role();
    const int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR) : -1;
    void *const shared =
        fd < 0 ? MAP_FAILED : (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        syscall(SYS_close, fd);
    if (shared != MAP_FAILED) {
        state = shared;
        if (wish)
            choose(wish);
    }
    depth--;
}

/* Counts a call. True if it has to fail, with errno set. */
static bool fails(enum call call)
{
    if (!state || depth > 0)
        return false;
    const enum role here = role == RUNNER && getpid() != self ? CHILD : role;
    const unsigned count = atomic_fetch_add(&made[call], 1) + 1;
    const unsigned total = atomic_fetch_add(&state->total[here][call], 1) + 1;
    unsigned most = atomic_load(&state->most[here][call]);
    while (count > most && !atomic_compare_exchange_weak(&state->most[here][call], &most, count))
        ;
    if ((int)call != chosen_call || (int)here != chosen_role)
        return false;
    if (chosen_mode == 'o' ? total != chosen_nth : chosen_mode == 'e' ? count != chosen_nth : count < chosen_nth)
        return false;
    atomic_fetch_add(&state->failed, 1);
    errno = chosen_errno;
    return true;
}

/* REPLACE(type, failure, name, parameters, arguments): a function that fails or calls the one of the C library. */
#define REPLACE(type, failure, call, name, parameters, arguments) \
    type name parameters \
    { \
        static type(*next) parameters; \
        if (!next) { \
            depth++; \
            next = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
            depth--; \
        } \
        if (fails(CALL_##call)) \
            return failure; \
        depth++; \
        type answer = next arguments; \
        depth--; \
        return answer; \
    }

REPLACE(int, -1, execv, execv, (const char *path, char *const *arguments), (path, arguments))
REPLACE(int, -1, pipe2, pipe2, (int ends[2], int flags), (ends, flags))
REPLACE(int, -1, dup2, dup2, (int from, int to), (from, to))
REPLACE(int, -1, setpgid, setpgid, (pid_t pid, pid_t group), (pid, group))
REPLACE(int, -1, waitid, waitid, (idtype_t type, id_t id, siginfo_t *info, int options), (type, id, info, options))
REPLACE(pid_t, -1, waitpid, waitpid, (pid_t pid, int *status, int options), (pid, status, options))
REPLACE(int, -1, kill, kill, (pid_t pid, int signal), (pid, signal))
REPLACE(int, -1, socketpair, socketpair, (int domain, int type, int protocol, int ends[2]),
        (domain, type, protocol, ends))
REPLACE(int, -1, memfd_create, memfd_create, (const char *name, unsigned flags), (name, flags))
REPLACE(ssize_t, -1, send, send, (int fd, const void *data, size_t size, int flags), (fd, data, size, flags))
REPLACE(ssize_t, -1, recv, recv, (int fd, void *data, size_t size, int flags), (fd, data, size, flags))
REPLACE(int, -1, poll, poll, (struct pollfd * list, nfds_t count, int limit_ms), (list, count, limit_ms))
REPLACE(void *, MAP_FAILED, mmap, mmap, (void *at, size_t size, int access, int flags, int fd, off_t offset),
        (at, size, access, flags, fd, offset))
REPLACE(void *, MAP_FAILED, mmap, mmap64, (void *at, size_t size, int access, int flags, int fd, off_t offset),
        (at, size, access, flags, fd, offset))
REPLACE(int, -1, mprotect, mprotect, (void *at, size_t size, int access), (at, size, access))
REPLACE(FILE *, NULL, fopen, fopen, (const char *path, const char *mode), (path, mode))
REPLACE(FILE *, NULL, fopen, fopen64, (const char *path, const char *mode), (path, mode))
REPLACE(FILE *, NULL, fdopen, fdopen, (int fd, const char *mode), (fd, mode))
REPLACE(ssize_t, -1, read, read, (int fd, void *data, size_t size), (fd, data, size))
REPLACE(ssize_t, -1, pread, pread, (int fd, void *data, size_t size, off_t offset), (fd, data, size, offset))
REPLACE(ssize_t, -1, pread, pread64, (int fd, void *data, size_t size, off_t offset), (fd, data, size, offset))
REPLACE(ssize_t, -1, write, write, (int fd, const void *data, size_t size), (fd, data, size))
REPLACE(ssize_t, -1, write, pwrite, (int fd, const void *data, size_t size, off_t offset), (fd, data, size, offset))
REPLACE(ssize_t, -1, write, pwrite64, (int fd, const void *data, size_t size, off_t offset), (fd, data, size, offset))
REPLACE(int, -1, fstat, fstat, (int fd, struct stat *about), (fd, about))
REPLACE(int, -1, fstat, fstat64, (int fd, struct stat64 *about), (fd, about))
REPLACE(off_t, -1, lseek, lseek, (int fd, off_t offset, int from), (fd, offset, from))
REPLACE(off_t, -1, lseek, lseek64, (int fd, off_t offset, int from), (fd, offset, from))
REPLACE(int, -1, flock, flock, (int fd, int how), (fd, how))
REPLACE(int, -1, fsync, fsync, (int fd), (fd))
REPLACE(int, -1, fdatasync, fdatasync, (int fd), (fd))
REPLACE(int, -1, ftruncate, ftruncate, (int fd, off_t size), (fd, size))
REPLACE(int, -1, ftruncate, ftruncate64, (int fd, off_t size), (fd, size))
REPLACE(int, -1, rename, rename, (const char *from, const char *to), (from, to))
REPLACE(int, -1, mkdir, mkdir, (const char *path, mode_t mode), (path, mode))
REPLACE(int, -1, setrlimit, setrlimit, (__rlimit_resource_t which, const struct rlimit *limit), (which, limit))
REPLACE(int, -1, sigaction, sigaction, (int signal, const struct sigaction *to, struct sigaction *from),
        (signal, to, from))

pid_t fork(void)
{
    static pid_t (*next)(void);
    if (!next)
        next = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    return fails(CALL_fork) ? -1 : next();
}

/* Streams remember that writing failed. */
static bool stream_fails(enum call call, FILE *file)
{
    enum { ERROR_SEEN = 0x20 }; /* in glibc */
    const bool failed = fails(call);
    if (failed && file)
        file->_flags |= ERROR_SEEN;
    return failed;
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    static size_t (*next)(const void *, size_t, size_t, FILE *);
    if (!next)
        next = (size_t(*)(const void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fwrite");
    return stream_fails(CALL_fwrite, file) ? 0 : next(data, size, count, file);
}
int fflush(FILE *file)
{
    static int (*next)(FILE *);
    if (!next)
        next = (int (*)(FILE *))dlsym(RTLD_NEXT, "fflush");
    return stream_fails(CALL_fflush, file) ? EOF : next(file);
}

/* A file that is closed is closed, even where writing the rest of it failed. */
int fclose(FILE *file)
{
    static int (*next)(FILE *);
    if (!next)
        next = (int (*)(FILE *))dlsym(RTLD_NEXT, "fclose");
    const bool failed = fails(CALL_fclose);
    depth++;
    const int answer = next(file);
    depth--;
    if (!failed)
        return answer;
    errno = chosen_errno;
    return EOF;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next)
        next =
            (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
    return fails(CALL_pthread_create) ? chosen_errno : next(thread, attributes, start, argument);
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) \
    { \
        va_list more; \
        va_start(more, flags); \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        return fails(CALL_open) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define FCNTL(name) \
    int name(int fd, int command, ...) \
    { \
        va_list more; \
        va_start(more, command); \
        const long argument = va_arg(more, long); \
        va_end(more); \
        return fails(CALL_fcntl) ? -1 : (int)syscall(SYS_fcntl, fd, command, argument); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* Affinity is set by syscall(), because the mask may be larger than a cpu_set_t. */
long syscall(long number, ...)
{
    static long (*next)(long, ...);
    if (!next)
        next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list more;
    long argument[6];
    va_start(more, number);
    for (int i = 0; i < 6; i++)
        argument[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_sched_setaffinity && fails(CALL_syscall))
        return -1;
    return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}
int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
    return (int)syscall(SYS_sched_setaffinity, pid, size, mask);
}

/* ---- Memory. The program's own names of the C library are used, because dlsym allocates. ---- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool no_memory(size_t size)
{
    const bool failed = fails(CALL_malloc);
    return (size >= LARGE && fails(CALL_large)) || failed;
}
void *malloc(size_t size)
{
    return no_memory(size) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    return no_memory(count * size) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size)
{
    return no_memory(size) ? NULL : __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return no_memory(size) ? NULL : __libc_memalign(alignment, size);
}
