/* Going back to the state of a worker's start: what is restored, what spoils the worker, and what is no part of it.
 * SPDX-License-Identifier: MIT */
#include "base/timer.h"
#include "worker/state.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, IOPRIO_IDLE = 3 << 13, POLICY_PREFERRED = 1, RIGHT = 0, WRONG = 1, LEFT_OUT = 2 };

/* What a variant changes, and whether the state is the usual one. `change` returns false where the system refuses. */
struct change {
    const char *name;
    bool (*change)(void);
    bool (*is_usual)(void);
};

/* ---- Threads ---- */

static bool in_all_threads(bool (*function)(void))
{
    int good = 1;
#pragma omp parallel num_threads(THREADS) default(none) shared(function) reduction(&& : good)
    good = function();
    return good;
}

static bool set_class(int policy, int priority)
{
    const struct sched_param parameters = {.sched_priority = priority};
    return sched_setscheduler(0, policy, &parameters) == 0;
}
static bool be_idle(void)
{
    return set_class(SCHED_IDLE, 0);
}
static bool be_first(void)
{
    return set_class(SCHED_FIFO | SCHED_RESET_ON_FORK, 1);
}
static bool has_usual_class(void)
{
    return sched_getscheduler(0) == SCHED_OTHER;
}

static bool be_nice(void)
{
    return setpriority(PRIO_PROCESS, (id_t)gettid(), 7) == 0;
}
static bool has_usual_nice(void)
{
    return getpriority(PRIO_PROCESS, (id_t)gettid()) < 7;
}

static bool be_slow_to_read(void)
{
    return syscall(SYS_ioprio_set, 1, 0, IOPRIO_IDLE) == 0;
}
static bool has_usual_io_priority(void)
{
    return syscall(SYS_ioprio_get, 1, 0) != IOPRIO_IDLE;
}

static bool be_slow_to_wake(void)
{
    return prctl(PR_SET_TIMERSLACK, 999999999L) == 0;
}
static bool wakes_as_usual(void)
{
    return prctl(PR_GET_TIMERSLACK) != 999999999;
}

static bool prefer_a_node(void)
{
    const unsigned long node = 1;
    return syscall(SYS_set_mempolicy, POLICY_PREFERRED, &node, 64) == 0;
}
static bool has_usual_policy(void)
{
    int mode = 0;
    return syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) == 0 && mode != POLICY_PREFERRED;
}

static bool forbid_speculation(void)
{
    return prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0) == (PR_SPEC_PRCTL | PR_SPEC_ENABLE) &&
           prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0, 0) == 0;
}
static bool speculates(void)
{
    return prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0) & PR_SPEC_ENABLE;
}

static bool move_signal_stack(void)
{
    static char stack[THREADS][1 << 16];
    const stack_t other = {.ss_sp = stack[omp_get_thread_num()], .ss_size = sizeof *stack};
    return sigaltstack(&other, NULL) == 0;
}
static bool has_usual_signal_stack(void)
{
    stack_t now;
    return sigaltstack(NULL, &now) == 0 && now.ss_size != 1 << 16;
}

static const struct change of_threads[] = {
    {"SCHED_IDLE", be_idle, has_usual_class},
    {"SCHED_FIFO", be_first, has_usual_class},
    {"nice", be_nice, has_usual_nice},
    {"I/O priority", be_slow_to_read, has_usual_io_priority},
    {"timer slack", be_slow_to_wake, wakes_as_usual},
    {"memory policy", prefer_a_node, has_usual_policy},
    {"speculation", forbid_speculation, speculates},
    {"signal stack", move_signal_stack, has_usual_signal_stack},
};

/* ---- The process ---- */

static bool forbid_huge_pages(void)
{
    return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0;
}
static bool allows_huge_pages(void)
{
    return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0;
}

static bool hide_memory(void)
{
    return prctl(PR_SET_DUMPABLE, 0) == 0;
}
static bool shows_memory(void)
{
    return prctl(PR_GET_DUMPABLE) == 1;
}

static bool outlive_parent(void)
{
    return prctl(PR_SET_PDEATHSIG, 0) == 0;
}
static bool ends_with_parent(void)
{
    int signal = 0;
    return prctl(PR_GET_PDEATHSIG, &signal) == 0 && signal == SIGKILL;
}

static bool be_of_another_age(void)
{
    return personality(READ_IMPLIES_EXEC | ADDR_NO_RANDOMIZE) >= 0;
}
static bool is_of_this_age(void)
{
    return !(personality(0xffffffff) & READ_IMPLIES_EXEC);
}

static long locked_kb(void)
{
    char line[128];
    long kb = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmLck:", 6) == 0)
            kb = atol(line + 6);
    if (file)
        fclose(file);
    return kb;
}
static bool lock_memory(void)
{
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}
static bool has_no_locked_memory(void)
{
    void *more = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return more != MAP_FAILED && locked_kb() == 0;
}

static long oom_score(void)
{
    long score = -1;
    FILE *file = fopen("/proc/self/oom_score_adj", "r");
    if (!file || fscanf(file, "%ld", &score) != 1)
        score = -1;
    if (file)
        fclose(file);
    return score;
}
static bool be_first_to_go(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "w");
    const bool good = file && fprintf(file, "1000") > 0;
    return file && fclose(file) == 0 && good;
}
static bool has_usual_oom_score(void)
{
    return oom_score() >= 0 && oom_score() < 1000;
}

/* ---- Surroundings ---- */

static bool change_variables(void)
{
    char *written = getenv("TILELAB_STATE_WRITTEN");
    if (written)
        memcpy(written, "bad", 4);
    return setenv("OMP_NUM_THREADS", "77", 1) == 0 && unsetenv("TILELAB_STATE_REMOVED") == 0;
}
static bool has_usual_variables(void)
{
    const char *written = getenv("TILELAB_STATE_WRITTEN"), *removed = getenv("TILELAB_STATE_REMOVED");
    return !getenv("OMP_NUM_THREADS") && written && strcmp(written, "yes") == 0 && removed &&
           strcmp(removed, "no") == 0;
}

static bool clear_variables(void)
{
    return clearenv() == 0;
}

static struct stat standard[3];
static bool redirect(void)
{
    const int other = open("/proc/self/maps", O_RDONLY);
    close(STDIN_FILENO);
    return dup2(other, STDOUT_FILENO) >= 0 && dup2(other, STDERR_FILENO) >= 0;
}
static bool has_usual_files(void)
{
    for (int fd = 0; fd < 3; fd++) {
        struct stat now;
        if (fstat(fd, &now) != 0 || now.st_ino != standard[fd].st_ino || now.st_dev != standard[fd].st_dev)
            return false;
    }
    return true;
}

static const struct change of_the_process[] = {
    {"huge pages", forbid_huge_pages, allows_huge_pages},
    {"dumpable", hide_memory, shows_memory},
    {"parent's end", outlive_parent, ends_with_parent},
    {"personality", be_of_another_age, is_of_this_age},
    {"mlockall", lock_memory, has_no_locked_memory},
    {"oom_score_adj", be_first_to_go, has_usual_oom_score},
    {"environment variables", change_variables, has_usual_variables},
    {"no environment", clear_variables, has_usual_variables},
    {"standard files", redirect, has_usual_files},
};

/* ---- What cannot be undone ---- */

static bool give_up_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}
static bool leave_session(void)
{
    return setsid() >= 0;
}
static bool leave_network(void)
{
    return unshare(CLONE_NEWNET) == 0;
}
static bool leave_files(void)
{
    return unshare(CLONE_NEWNS) == 0;
}
static bool leave_root(void)
{
    return chroot("/proc") == 0;
}
static bool leave_user(void)
{
    return geteuid() == 0 && setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0;
}
static bool forbid_speculation_for_ever(void)
{
    return prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0) == (PR_SPEC_PRCTL | PR_SPEC_ENABLE) &&
           prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_FORCE_DISABLE, 0, 0) == 0;
}
static bool lose_standard_error(void)
{
    return close_range(STDIN_FILENO, ~0u, 0) == 0;
}

/* Moves this process to a new control group of the first hierarchy that lets it. */
static bool leave_control_group(void)
{
    static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/cpu"};
    bool moved = false;
    for (size_t i = 0; i < sizeof roots / sizeof *roots && !moved; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/tilelab-test-state", roots[i]);
        if (mkdir(path, 0755) != 0 && errno != EEXIST)
            continue;
        snprintf(path, sizeof path, "%s/tilelab-test-state/cgroup.procs", roots[i]);
        FILE *file = fopen(path, "r+"); /* another file system would make a file */
        moved = file && fprintf(file, "%d", (int)getpid()) > 0;
        if (file)
            moved = fclose(file) == 0 && moved;
    }
    return moved;
}

FIXTURE(remove_control_groups)
{
    rmdir("/sys/fs/cgroup/tilelab-test-state");
    rmdir("/sys/fs/cgroup/pids/tilelab-test-state");
    rmdir("/sys/fs/cgroup/cpu/tilelab-test-state");
    return 0;
}

static const struct change spoiling[] = {
    {"no new privileges", give_up_privileges, NULL},
    {"a session of its own", leave_session, NULL},
    {"another network", leave_network, NULL},
    {"other mounts", leave_files, NULL},
    {"another root", leave_root, NULL},
    {"another user", leave_user, NULL},
    {"no speculation for ever", forbid_speculation_for_ever, NULL},
    {"no standard files", lose_standard_error, NULL},
    {"another control group", leave_control_group, NULL},
};

/* ---- Threads that are left ---- */

static sem_t begin, began;

static void *spin(void *nothing)
{
    for (;;)
        continue;
    return nothing;
}
static void *sleep_for_ever(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}
/* It takes little processor time, but takes it again and again. */
static void *look_again_and_again(void *nothing)
{
    for (;;)
        usleep(50);
    return nothing;
}
/* As the thread of a library: it spins for some time after a call. */
static void *spin_for_a_while(void *nothing)
{
    struct timespec time = {0};
    while (time.tv_sec == 0 && time.tv_nsec < 50000000)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return sleep_for_ever(nothing);
}
static void *spin_later(void *nothing)
{
    while (sem_wait(&begin) != 0)
        continue;
    sem_post(&began);
    return spin(nothing);
}

static bool leave(void *(*function)(void *))
{
    pthread_t thread;
    return pthread_create(&thread, NULL, function, NULL) == 0;
}
static bool leave_spinning(void)
{
    return leave(spin);
}
static bool leave_looking(void)
{
    return leave(look_again_and_again);
}
static bool leave_three_spinning(void)
{
    return leave(spin) && leave(spin) && leave(spin);
}

/* ---- Children, since OpenMP's team and what cannot be undone belong to a process ---- */

static int told(const char *name, const char *what, const char *why)
{
    dprintf(9, "%s: %s: %s\n", name, what, why);
    return WRONG;
}

/* Each child is as a new worker is. Descriptor 9 is its way to the log, whatever the change does to the others. */
static int in_child(int (*function)(const struct change *), const struct change *change)
{
    const pid_t child = fork();
    if (child == 0) {
        char why[136] = "";
        dup2(STDERR_FILENO, 9);
        setenv("TILELAB_STATE_WRITTEN", "yes", 1);
        setenv("TILELAB_STATE_REMOVED", "no", 1);
        unsetenv("OMP_NUM_THREADS");
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int fd = 0; fd < 3; fd++)
            fstat(fd, &standard[fd]);
        omp_set_dynamic(0);
        omp_set_num_threads(THREADS);
        if (state_note(why, sizeof why) != 0 || state_restore(why, sizeof why) != STATE_RESTORED)
            _exit(told("a new worker", "is not usable", why));
        _exit(function(change));
    }
    int status;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : WRONG;
}

/* A process that may not raise its priority again is spoiled by lowering it. */
static bool may_spoil(const struct change *change)
{
    return geteuid() != 0 && (change->change == be_idle || change->change == be_nice);
}

static int change_threads(const struct change *change)
{
    char why[136] = "";
    if (!in_all_threads(change->change))
        return LEFT_OUT;
    if (in_all_threads(change->is_usual))
        return told(change->name, "the change was none", "");
    const enum state_end end = state_restore(why, sizeof why);
    if (end == STATE_SPOILED && may_spoil(change))
        return RIGHT;
    return end == STATE_RESTORED && in_all_threads(change->is_usual) ? RIGHT : told(change->name, "not restored", why);
}

static int change_process(const struct change *change)
{
    char why[136] = "";
    if (!change->change())
        return LEFT_OUT;
    if (change->is_usual())
        return told(change->name, "the change was none", "");
    const bool restored = state_restore(why, sizeof why) == STATE_RESTORED;
    return restored && change->is_usual() ? RIGHT : told(change->name, "not restored", why);
}

static int spoil(const struct change *change)
{
    char why[136] = "";
    if (!change->change())
        return LEFT_OUT;
    return state_restore(why, sizeof why) == STATE_SPOILED && why[0] ? RIGHT : told(change->name, "not noticed", why);
}

static void check_all(int (*function)(const struct change *), const struct change *change, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int end = in_child(function, &change[i]);
        if (end == LEFT_OUT)
            print_message("%s: this system does not allow the change\n", change[i].name);
        else if (end != RIGHT)
            fail_msg("%s", change[i].name);
    }
}

/* ---- Tests ---- */

TEST(what_a_thread_has_is_restored_in_every_thread_of_the_team)
{
    check_all(change_threads, of_threads, sizeof of_threads / sizeof *of_threads);
}

TEST(what_the_process_has_is_restored)
{
    check_all(change_process, of_the_process, sizeof of_the_process / sizeof *of_the_process);
}

TEST_AROUND(what_cannot_be_undone_spoils_the_worker, NULL, remove_control_groups)
{
    check_all(spoil, spoiling, sizeof spoiling / sizeof *spoiling);
}

TEST(threads_that_go_on_computing_spoil_the_worker)
{
    static const struct change left[] = {{"a thread", leave_spinning, NULL},
                                         {"a thread that looks again and again", leave_looking, NULL},
                                         {"three threads on few cores", leave_three_spinning, NULL}};
    check_all(spoil, left, sizeof left / sizeof *left);
}

/* ---- Processes that are left ---- */

/* The child ends by itself, and holds no file that somebody may read to the end. */
static bool leave_child(void)
{
    enum { END_S = 30 };
    const pid_t child = fork();
    if (child == 0) {
        alarm(END_S);
        close_range(STDIN_FILENO, ~0u, 0);
        sleep_for_ever(NULL);
    }
    return child > 0;
}
/* Its parent has ended, and it has a session of its own. */
static bool leave_grandchild(void)
{
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        _exit(leave_child() ? 0 : 1);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
static bool leave_child_unheard(void)
{
    return signal(SIGCHLD, SIG_IGN) != SIG_ERR && leave_child();
}

TEST(processes_that_go_on_spoil_the_worker)
{
    static const struct change left[] = {{"a child", leave_child, NULL},
                                         {"a grandchild", leave_grandchild, NULL},
                                         {"a child whose end is ignored", leave_child_unheard, NULL}};
    check_all(spoil, left, sizeof left / sizeof *left);
}

/* A child that has ended, as a linker that a library ran, harms nobody. */
static int end_child(const struct change *change)
{
    char why[136] = "";
    siginfo_t ended;
    const double before_s = timer_children_s();
    const pid_t child = fork();
    (void)change;
    while (child == 0)
        if (timer_cpu_s() > 2e-3)
            _exit(0);
    if (child < 0 || waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) != 0)
        return LEFT_OUT;
    if (state_left_process() || timer_children_s() - before_s < 1e-3)
        return told("a child that has ended", "computed", "its time is lost");
    return state_restore(why, sizeof why) == STATE_RESTORED ? RIGHT : told("a child that has ended", "spoils", why);
}

TEST(a_process_that_has_ended_is_no_fault)
{
    assert_int_equal(in_child(end_child, NULL), RIGHT);
}

/* A thread that sleeps or comes to rest, as that of a library's pool, is left alone, in many calls. */
static int keep_pool(const struct change *change)
{
    char why[136] = "";
    if (!leave(spin_for_a_while) || !leave(sleep_for_ever))
        return LEFT_OUT;
    for (int i = 0; i < 20; i++)
        if (state_restore(why, sizeof why) != STATE_RESTORED)
            return told("a pool", "is taken for a variant's", why);
    (void)change;
    return RIGHT;
}

TEST(threads_that_come_to_rest_are_those_of_a_library)
{
    assert_int_equal(in_child(keep_pool, NULL), RIGHT);
}

static int wake_later(const struct change *change)
{
    char why[136] = "";
    enum state_end end = STATE_RESTORED;
    (void)change;
    if (sem_init(&begin, 0, 0) != 0 || sem_init(&began, 0, 0) != 0 || !leave(spin_later))
        return LEFT_OUT;
    for (int i = 0; i < 5; i++)
        if (state_restore(why, sizeof why) != STATE_RESTORED)
            return told("a sleeping thread", "spoils the worker", why);
    sem_post(&begin);
    while (sem_wait(&began) != 0)
        continue;
    for (int i = 0; i < 100 && end == STATE_RESTORED; i++)
        end = state_restore(why, sizeof why);
    return end == STATE_SPOILED ? RIGHT : told("a thread that wakes later", "not noticed", "");
}

TEST(a_thread_that_wakes_later_is_found)
{
    assert_int_equal(in_child(wake_later, NULL), RIGHT);
}

/* A team of another size has other threads afterwards. */
static int remake_team(const struct change *change)
{
    char why[136] = "";
    int sum = 0;
    (void)change;
#pragma omp parallel num_threads(7) reduction(+ : sum)
    sum++;
    return sum > 0 && state_restore(why, sizeof why) == STATE_RESTORED ? RIGHT : told("a larger team", "spoils", why);
}

TEST(a_team_of_another_size_is_no_fault)
{
    assert_int_equal(in_child(remake_team, NULL), RIGHT);
}

static void handle(int signal)
{
    (void)signal;
}

static bool tells_handler(int signal, void (*handler)(int))
{
    char why[200] = "";
    const struct sigaction action = {.sa_handler = handler}, usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &action, NULL);
    const bool left = state_left_handler(why, sizeof why);
    sigaction(signal, &usual, NULL);
    return left && strstr(why, "handler for SIG");
}

static int leave_handlers(const struct change *change)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE};
    char why[200] = "", *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*made)(int);
    (void)change;
    memcpy(&made, &code, sizeof made);
    if (state_left_handler(why, sizeof why))
        return told("no handler", "taken for one", why);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (!tells_handler(faults[i], handle) || !tells_handler(faults[i], made))
            return told("a handler", "not noticed", strsignal(faults[i]));
    if (tells_handler(SIGSEGV, SIG_IGN) || tells_handler(SIGUSR1, handle) || tells_handler(SIGFPE, exit))
        return told("another handler, or that of a library", "is a fault", "");
    const int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1);
    if (fd >= 0 && !state_left_handler(why, sizeof why))
        return told("a userfaultfd", "not noticed", "");
    return RIGHT;
}

TEST(a_handler_that_could_compute_the_result_later_is_told)
{
    assert_int_equal(in_child(leave_handlers, NULL), RIGHT);
}

#if defined(__x86_64__)
TEST(accesses_that_are_not_aligned_are_no_fault)
{
    __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | 1ul << 18);
    state_restore_arithmetic();
    assert_false(__builtin_ia32_readeflags_u64() & 1ul << 18);
}
#endif
