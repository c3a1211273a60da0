/* The state of a worker: what belongs to each of its threads.
 * SPDX-License-Identifier: MIT */
#include "state_parts.h"

#include "machine/placement.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CPU_WORDS = 64, NODE_BITS = 4096, WORD_BITS = 8 * sizeof(unsigned long), IOPRIO_THREAD = 1 };

/* An affinity mask of up to 4096 processors. */
struct mask {
    unsigned long word[CPU_WORDS];
};

/* The first version of the kernel's struct sched_attr, which the C library may lack. The size is 0 where the system did
 * not tell it. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

/* What a thread can read and set of any thread of its process. */
struct place {
    struct mask mask;
    struct scheduling scheduling;
    long io_priority;
};

/* How memory is distributed over the nodes of the machine. */
struct policy {
    bool known; /* a container may forbid the question */
    int mode;
    unsigned long node[NODE_BITS / WORD_BITS];
};

enum { SPECULATIONS = 2 }; /* store bypass, indirect branches */

static struct {
    sigset_t blocked;
    struct place usual; /* of the main thread */
    int slack;
    struct policy policy;
    int speculation[SPECULATIONS];
    struct {
        pid_t id;
        struct place place;
    } other[STATE_THREADS_MAX];
    int others;
} noted;

/* ---- Affinity and priorities ---- */

static bool get_mask(pid_t thread, struct mask *mask)
{
    *mask = (struct mask){{0}};
    return syscall(SYS_sched_getaffinity, thread, sizeof *mask, mask) >= 0;
}

static void get_scheduling(pid_t thread, struct scheduling *scheduling)
{
    *scheduling = (struct scheduling){.size = sizeof *scheduling};
    const bool told = syscall(SYS_sched_getattr, thread, scheduling, sizeof *scheduling, 0) == 0;
    scheduling->size = told ? sizeof *scheduling : 0;
}

static bool get_place(pid_t thread, struct place *place)
{
    get_scheduling(thread, &place->scheduling);
    place->io_priority = syscall(SYS_ioprio_get, IOPRIO_THREAD, thread);
    return get_mask(thread, &place->mask);
}

/* The mask that the calling thread should have. */
static struct mask own_mask(void)
{
    const int cpu = placement_cpu();
    struct mask mask = {{0}};
    if (cpu < 0 || cpu >= (int)(CPU_WORDS * WORD_BITS))
        return noted.usual.mask;
    mask.word[(size_t)cpu / WORD_BITS] = 1ul << ((size_t)cpu % WORD_BITS);
    return mask;
}

static bool restore_mask(pid_t thread, const struct mask *usual)
{
    struct mask now;
    if (get_mask(thread, &now) && memcmp(&now, usual, sizeof now) == 0)
        return true;
    return syscall(SYS_sched_setaffinity, thread, sizeof *usual, usual) == 0;
}

/* False: the process may not go back. */
static bool restore_priorities(pid_t thread, const struct place *usual)
{
    struct scheduling now, then = usual->scheduling;
    bool good = true;
    get_scheduling(thread, &now);
    if (now.size > 0 && then.size > 0 && memcmp(&now, &then, sizeof now) != 0) {
        /* Of a usual thread, the kernel tells the length of a slice, which is its own choice where it is set to 0. */
        if (then.policy == SCHED_OTHER || then.policy == SCHED_BATCH)
            then.runtime = 0;
        good = syscall(SYS_sched_setattr, thread, &then, 0) == 0 || errno != EPERM;
    }
    const long io_priority = syscall(SYS_ioprio_get, IOPRIO_THREAD, thread);
    if (usual->io_priority >= 0 && io_priority >= 0 && io_priority != usual->io_priority)
        good = (syscall(SYS_ioprio_set, IOPRIO_THREAD, thread, usual->io_priority) == 0 || errno != EPERM) && good;
    return good;
}

/* ---- What a thread can read of itself alone ---- */

static void get_policy(struct policy *policy)
{
    *policy = (struct policy){.known = false};
    policy->known = syscall(SYS_get_mempolicy, &policy->mode, policy->node, NODE_BITS, NULL, 0) == 0;
}

static bool restore_policy(void)
{
    struct policy now;
    if (!noted.policy.known)
        return true;
    get_policy(&now);
    return !now.known || memcmp(&now, &noted.policy, sizeof now) == 0 ||
           syscall(SYS_set_mempolicy, noted.policy.mode, noted.policy.node, NODE_BITS) == 0;
}

static int get_speculation(int which)
{
    return prctl(PR_GET_SPECULATION_CTRL, (long)which, 0L, 0L, 0L);
}

/* A variant can forbid speculation, which makes all others slower. */
static bool restore_speculation(void)
{
    bool good = true;
    for (int which = 0; which < SPECULATIONS; which++) {
        const int then = noted.speculation[which];
        if (then >= 0 && get_speculation(which) != then)
            good = prctl(PR_SET_SPECULATION_CTRL, (long)which, (long)(then & ~PR_SPEC_PRCTL), 0L, 0L) == 0 && good;
    }
    return good;
}

void state_restore_arithmetic(void)
{
#if defined(__x86_64__)
    /* The flag that makes an access that is not aligned a fault. */
    const unsigned long alignment_check = 1ul << 18;
    unsigned long flags = __builtin_ia32_readeflags_u64();
    if (flags & alignment_check)
        __builtin_ia32_writeeflags_u64(flags & ~alignment_check);
#endif
    fesetenv(FE_DFL_ENV);
}

/* Each thread keeps the stack for signals that it had when it was met first. */
static void restore_signal_stack(void)
{
    static _Thread_local struct {
        bool known;
        stack_t stack;
    } own;
    stack_t now;
    if (sigaltstack(NULL, &now) != 0)
        return;
    if (!own.known)
        own.stack = now;
    own.known = true;
    if (now.ss_sp != own.stack.ss_sp || now.ss_flags != own.stack.ss_flags || now.ss_size != own.stack.ss_size)
        sigaltstack(&own.stack, NULL);
}

/* ---- A thread ---- */

int state_thread_note(void)
{
    pthread_sigmask(SIG_SETMASK, NULL, &noted.blocked);
    noted.slack = prctl(PR_GET_TIMERSLACK, 0L, 0L, 0L, 0L);
    get_policy(&noted.policy);
    for (int which = 0; which < SPECULATIONS; which++)
        noted.speculation[which] = get_speculation(which);
    return get_place(0, &noted.usual) ? 0 : -1;
}

enum { BAD_MASK = 1, BAD_PRIORITY = 2, BAD_POLICY = 4, BAD_SPECULATION = 8 };

unsigned state_thread_restore(void)
{
    const struct mask mask = own_mask();
    unsigned bad = 0;
    state_restore_arithmetic();
    restore_signal_stack();
    pthread_sigmask(SIG_SETMASK, &noted.blocked, NULL);
    bad |= restore_mask(0, &mask) ? 0 : BAD_MASK;
    bad |= restore_priorities(0, &noted.usual) ? 0 : BAD_PRIORITY;
    bad |= restore_policy() ? 0 : BAD_POLICY;
    bad |= restore_speculation() ? 0 : BAD_SPECULATION;
    if (prctl(PR_GET_TIMERSLACK, 0L, 0L, 0L, 0L) != noted.slack)
        prctl(PR_SET_TIMERSLACK, (long)noted.slack, 0L, 0L, 0L);
    return bad;
}

void state_thread_fail(struct state_fault *fault, unsigned bad)
{
    if (bad & BAD_PRIORITY)
        state_fail(fault, STATE_SPOILED, "the scheduling class or priority of a thread cannot be restored");
    if (bad & BAD_SPECULATION)
        state_fail(fault, STATE_SPOILED, "a thread may not speculate any more (PR_SET_SPECULATION_CTRL)");
    if (bad & BAD_POLICY)
        state_fail(fault, STATE_SPOILED, "the memory policy of a thread cannot be restored");
    if (bad & BAD_MASK)
        state_fail(fault, STATE_TRANSIENT, "the threads of a worker cannot be bound again");
}

/* ---- Other threads ---- */

int state_thread_list(pid_t *id, int most)
{
    struct entry { /* of getdents64 */
        uint64_t inode;
        int64_t next;
        uint16_t length;
        uint8_t type;
        char name[];
    };
    _Alignas(struct entry) char buffer[16384];
    int count = 0;
    long got = -1;
    const int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && (got = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < got;) {
            const struct entry *entry = (const void *)(buffer + at);
            const pid_t thread = (pid_t)atoi(entry->name);
            if (thread > 0 && count < most)
                id[count++] = thread;
            at += entry->length;
        }
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return got < 0 ? -1 : count;
}

/* Whether a thread of this process has the id. The id of a thread that has ended may belong to another process. */
static bool is_thread(pid_t id)
{
    return syscall(SYS_tgkill, getpid(), id, 0) == 0;
}

bool state_thread_is_in(const pid_t *id, int count, pid_t one)
{
    for (int i = 0; i < count; i++)
        if (id[i] == one)
            return true;
    return false;
}

void state_thread_note_others(const pid_t *team, int members)
{
    static pid_t id[STATE_THREADS_MAX];
    const int count = state_thread_list(id, STATE_THREADS_MAX);
    noted.others = 0;
    for (int i = 0; i < count; i++)
        if (!state_thread_is_in(team, members, id[i]) && get_place(id[i], &noted.other[noted.others].place))
            noted.other[noted.others++].id = id[i];
}

void state_thread_restore_others(struct state_fault *fault)
{
    for (int i = 0; i < noted.others; i++) {
        struct place now;
        const pid_t id = noted.other[i].id;
        const struct place *then = &noted.other[i].place;
        if (!get_place(id, &now) || memcmp(&now, then, sizeof now) == 0 || !is_thread(id))
            continue;
        if (!restore_priorities(id, then))
            state_thread_fail(fault, BAD_PRIORITY);
        if (!restore_mask(id, &then->mask))
            state_thread_fail(fault, BAD_MASK);
    }
}

void state_thread_calm(pid_t id)
{
    restore_priorities(id, &noted.usual);
}
