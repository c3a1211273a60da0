/* Child processes: what they print, how they end, and what ends with them.
 * SPDX-License-Identifier: MIT */
#include "base/process.h"
#include "base/timer.h"
#include "test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int print_text(const void *text)
{
    return dprintf(STDOUT_FILENO, "%s", (const char *)text) < 0;
}

static int exit_with(const void *code)
{
    return *(const int *)code;
}

static int wait_for_ever(const void *context)
{
    (void)context;
    while (pause() != 0)
        continue;
    return 0;
}

static int print_and_wait(const void *text)
{
    print_text(text);
    return wait_for_ever(NULL);
}

/* Closes its standard output, and lives on. */
static int fall_silent(const void *text)
{
    print_text(text);
    close(STDOUT_FILENO);
    return wait_for_ever(NULL);
}

/* Leaves a process behind, with all descriptors open. */
static int leave_a_process(const void *context)
{
    (void)context;
    if (fork() == 0)
        wait_for_ever(NULL);
    return 0;
}

/* Leaves a process behind that is in a session of its own, and another one whose parent has ended as well. */
static int leave_sessions(const void *context)
{
    (void)context;
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            setsid();
        wait_for_ever(NULL);
    }
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            wait_for_ever(NULL);
        _exit(0);
    }
    return 0;
}

static int ignore_the_end(const void *context)
{
    signal(SIGTERM, SIG_IGN);
    return write(*(const int *)context, "", 1) == 1 ? wait_for_ever(NULL) : 1;
}

static int become_nothing(const void *context)
{
    static const char *const arguments[] = {"nothing", NULL};
    (void)context;
    return process_become("/nowhere/nothing", arguments);
}

TEST(output_is_collected)
{
    struct process child;
    char text[16];
    assert_int_equal(process_start(&child, PROCESS_OUTPUT, print_text, "a few words"), 0);
    assert_true(process_collect(&child, text, sizeof text, 60));
    assert_string_equal(text, "a few words");
    assert_int_equal(child.pid, 0);
    assert_int_equal(child.status, 0);
}

TEST(too_much_output_is_told)
{
    struct process child;
    char text[8];
    assert_int_equal(process_start(&child, PROCESS_OUTPUT, print_text, "more than fits"), 0);
    assert_false(process_collect(&child, text, sizeof text, 60));
    assert_string_equal(text, "more th");
}

TEST(a_child_that_does_not_end_is_ended)
{
    int (*const children[])(const void *) = {print_and_wait, fall_silent};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        struct process child;
        char text[16];
        assert_int_equal(process_start(&child, PROCESS_OUTPUT, children[i], "words"), 0);
        assert_false(process_collect(&child, text, sizeof text, 0.05));
        assert_int_equal(child.pid, 0);
        assert_true(WIFSIGNALED(child.status));
        assert_int_equal(WTERMSIG(child.status), SIGTERM);
    }
}

TEST(a_stopped_child_is_ended)
{
    struct process child;
    assert_int_equal(process_start(&child, PROCESS_GROUP, wait_for_ever, NULL), 0);
    assert_false(process_await(&child, 0));
    process_signal(&child, SIGSTOP);
    const int status = process_end(&child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(process_end(&child), status); /* ending it again does nothing */
}

TEST(exit_codes_are_kept)
{
    struct process child;
    const int code = 3;
    assert_int_equal(process_start(&child, 0, exit_with, &code), 0);
    assert_true(process_await(&child, 60));
    assert_int_equal(WEXITSTATUS(child.status), code);
    assert_int_equal(process_start(&child, 0, become_nothing, NULL), 0);
    assert_true(process_await(&child, 60));
    assert_int_equal(WEXITSTATUS(child.status), 127);
}

/* Whoever holds the pipe's end to write keeps a reader waiting. */
TEST(a_group_ends_with_its_leader)
{
    struct process child;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(process_start(&child, PROCESS_GROUP, leave_a_process, NULL), 0);
    close(ends[1]);
    assert_true(process_await(&child, 60));
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

TEST(what_leaves_the_group_ends_too)
{
    struct process child;
    int ends[2];
    char byte;
    process_adopt_orphans();
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(process_start(&child, PROCESS_GROUP, leave_sessions, NULL), 0);
    close(ends[1]);
    assert_true(process_await(&child, 60));
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

TEST(orphans_of_one_child_leave_another_child_alone)
{
    struct process child, other;
    process_adopt_orphans();
    assert_int_equal(process_start(&other, 0, wait_for_ever, NULL), 0);
    assert_int_equal(process_start(&child, PROCESS_GROUP, leave_sessions, NULL), 0);
    assert_true(process_await(&child, 60));
    assert_false(process_await(&other, 0));
    assert_int_equal(WTERMSIG(process_end(&other)), SIGTERM);
}

TEST(many_children_end_in_the_time_of_one)
{
    enum { CHILDREN = 8 };
    struct process child[CHILDREN], *all[CHILDREN];
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < CHILDREN; i++) {
        all[i] = &child[i];
        assert_int_equal(process_start(&child[i], PROCESS_GROUP, ignore_the_end, &ends[1]), 0);
    }
    for (int i = 0; i < CHILDREN; i++)
        assert_int_equal(read(ends[0], &byte, 1), 1);
    const double start_s = timer_now_s();
    process_end_all(all, CHILDREN);
    assert_true(timer_now_s() - start_s < 10); /* one after the other, they would take 16 s */
    for (int i = 0; i < CHILDREN; i++) {
        assert_int_equal(child[i].pid, 0);
        assert_int_equal(WTERMSIG(child[i].status), SIGKILL);
    }
    close(ends[0]);
    close(ends[1]);
}

TEST(a_stopped_child_is_told)
{
    struct process child;
    assert_int_equal(process_start(&child, PROCESS_GROUP, wait_for_ever, NULL), 0);
    assert_false(process_is_stopped(&child));
    process_signal(&child, SIGSTOP);
    while (!process_is_stopped(&child))
        usleep(1000);
    assert_true(process_is_stopped(&child));
    process_end(&child);
    assert_false(process_is_stopped(&child));
}

TEST(a_child_starts_with_usual_signals)
{
    struct process child;
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    signal(SIGTERM, SIG_IGN);
    assert_int_equal(process_start(&child, PROCESS_GROUP, wait_for_ever, NULL), 0);
    signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &blocked, NULL);
    usleep(50000);
    assert_int_equal(WTERMSIG(process_end(&child)), SIGTERM);
}

int main(void)
{
    alarm(120); /* a test that hangs fails */
    return test_all(NULL, NULL);
}
