/* Verifying in a child process, so that a kernel that crashes, hangs or ends its process costs one cell.
 * SPDX-License-Identifier: MIT */
#include "verify_watch.h"

#include "verify_sanitize.h"
#include "base/exit.h"
#include "base/process.h"
#include "base/timer.h"
#include "worker/operands.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* After the last cell only the exit handlers of libraries run. */
static const double END_LIMIT_S = 30, SLICE_S = 0.2, MOMENT_S = 0.5;

struct verify_watch *verify_watch_open(void)
{
    struct verify_watch *watch = mmap(NULL, sizeof *watch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return watch == MAP_FAILED ? NULL : watch;
}

void verify_watch_begin(struct verify_watch *watch, const char *name, bool opening, double limit_s)
{
    snprintf(watch->at_hand, sizeof watch->at_hand, "%s", name);
    watch->opening = opening;
    watch->limit_s = limit_s;
    watch->begun++;
}

void verify_watch_go_on(struct verify_watch *watch)
{
    watch->begun++;
}

/* A line of the terminal names what has taken longer than a moment, with its seconds. */
static void show(struct verify_watch *watch, double waited_s)
{
    struct winsize window = {.ws_col = 80};
    char line[sizeof watch->at_hand + 64];
    if (waited_s < MOMENT_S || !isatty(STDERR_FILENO) || !isatty(STDOUT_FILENO))
        return;
    ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
    snprintf(line, sizeof line, "%.0f of %.0f s: %s", waited_s, watch->limit_s, watch->at_hand);
    watch->shown = true;
    fprintf(stderr, "\r%.*s\033[K", window.ws_col > 1 ? window.ws_col - 1 : 79, line);
}

void verify_watch_clear(struct verify_watch *watch)
{
    if (watch->shown)
        fputs("\r\033[K", stderr);
    watch->shown = false;
}

/* ---- Crashes ---- */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes };
typedef void crash_handler(int number, siginfo_t *info, void *context);

/* A sanitizer or a debugger keeps the handlers that it has in this process. */
static void handle_crashes(crash_handler *handler)
{
    static char stack[1 << 16]; /* of its own, since a stack that overflowed cannot run a handler */
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    const struct sigaction crash = {.sa_sigaction = handler,
                                    .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
    struct sigaction old;
    bool any = false;
    for (int i = 0; i < CRASHES; i++)
        if (sigaction(crashes[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            any |= sigaction(crashes[i], &crash, NULL) == 0;
    if (any)
        sigaltstack(&own, NULL);
}

/* ---- In a child process ---- */

struct work {
    int (*work)(const void *context);
    const void *context;
    struct verify_watch *watch;
    struct sigaction usual[CRASHES]; /* the handlers of a sanitizer, which process_start takes away */
};
static const struct work *under_way;

/* Where a sanitizer has a handler, the access is made once more, for that handler. */
static void note_access(int number, siginfo_t *info, void *context)
{
    (void)context;
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i] == number)
            sigaction(number, &under_way->usual[i], NULL);
    if (info->si_code > 0)
        operands_blame(info->si_addr, under_way->watch->access, sizeof under_way->watch->access);
    else
        raise(number);
}

/* exit() runs the handlers of sanitizers and profilers, unlike the end of a child that process_start gives. */
static int call_work(const void *context)
{
    const struct work *work = context;
    under_way = work;
    handle_crashes(note_access);
    exit(work->work(work->context));
}

/* Waits until the child ends. False if what was begun last takes too long: then the child was ended. */
static bool await_child(struct process *child, struct verify_watch *watch)
{
    size_t begun = watch->begun;
    double waited_s = 0;
    for (double last_s = timer_now_s(), now_s; !process_await(child, SLICE_S); last_s = now_s) {
        now_s = timer_now_s();
        /* Where a slice took much longer, this process was suspended. */
        waited_s = watch->begun == begun ? waited_s + fmin(now_s - last_s, 2 * SLICE_S) : 0;
        begun = watch->begun;
        show(watch, waited_s);
        if (waited_s <= (watch->finished ? END_LIMIT_S : watch->limit_s))
            continue;
        process_end(child);
        return false;
    }
    return true;
}

/* Counts and tells what became of the cell at hand when its process ended, and steps behind it. */
static void tell_end(struct verify_watch *watch, const struct process *child, pid_t id, bool in_time)
{
    enum status status = STATUS_TIMEOUT;
    char reason[320], more[640] = "";
    const int signal = WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;
    if (!in_time) {
        snprintf(reason, sizeof reason, "no result in %.3g s; --timeout gives another limit", watch->limit_s);
    } else if (verify_sanitize_told(id, reason, sizeof reason, more, sizeof more)) {
        status = STATUS_WRONG;
    } else if (signal) {
        status = STATUS_CRASH;
        snprintf(reason, sizeof reason, "the kernel crashed here by SIG%s (%s)", sigabbrev_np(signal),
                 strsignal(signal));
    } else {
        status = STATUS_EXIT;
        snprintf(reason, sizeof reason, "the kernel ended the process here, with exit code %d",
                 WEXITSTATUS(child->status));
    }
    verify_watch_clear(watch);
    printf("%s %s: %s%s%s\n%s", status_names[status], watch->at_hand, reason, watch->access[0] ? ": it " : "",
           watch->access, more);
    fflush(stdout);
    watch->access[0] = '\0';
    watch->seen[status]++;
    watch->bad++;
    if (watch->opening) {
        watch->entry++;
        watch->cells = 0;
    }
}

int verify_watch_run(struct verify_watch *watch, int (*work)(const void *context), const void *context)
{
    struct work told = {.work = work, .context = context, .watch = watch};
    process_adopt_orphans();
    for (int i = 0; i < CRASHES; i++)
        if (sigaction(crashes[i], NULL, &told.usual[i]) != 0 || told.usual[i].sa_handler == SIG_IGN)
            told.usual[i] = (struct sigaction){.sa_handler = SIG_DFL};
    for (;;) {
        struct process child;
        watch->begun = 0;
        watch->limit_s = END_LIMIT_S;
        const int failed = process_start(&child, PROCESS_GROUP, call_work, &told);
        if (failed) {
            fprintf(stderr, "tilelab: no process can be started to verify in: %s\n", strerror(failed));
            return EXIT_CELLS;
        }
        const pid_t id = child.pid;
        const bool in_time = await_child(&child, watch);
        if (watch->finished) {
            const int code = in_time && WIFEXITED(child.status) ? WEXITSTATUS(child.status) : EXIT_CELLS;
            return code == EXIT_OK && watch->bad ? EXIT_CELLS : code;
        }
        if (watch->begun == 0) {
            fputs("tilelab: the process that verifies ends before its first cell\n", stderr);
            return EXIT_CELLS;
        }
        tell_end(watch, &child, id, in_time);
    }
}

/* ---- In this process ---- */

static struct verify_watch *here;
static pid_t here_id;

static void name_at_hand(const char *status, const char *reason)
{
    static char line[sizeof here->at_hand + 128];
    const int length = snprintf(line, sizeof line, "%s %s: %s, and `verify` ends\n", status, here->at_hand, reason);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(EXIT_CELLS);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    name_at_hand(status_names[STATUS_CRASH], "the kernel crashed here");
    raise(number); /* SA_RESETHAND: this time the signal ends the program */
}

static void on_exit_call(void)
{
    if (here->finished || here->begun == 0 || getpid() != here_id)
        return;
    name_at_hand(status_names[STATUS_EXIT], "the kernel ended the process here");
    _exit(EXIT_CELLS);
}

void verify_watch_here(struct verify_watch *watch)
{
    here = watch;
    here_id = getpid();
    atexit(on_exit_call);
    handle_crashes(on_crash);
}
