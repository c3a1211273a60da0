/* Child processes: what they print, how they end, and what ends with them.
 * SPDX-License-Identifier: MIT */
#include "base/process.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

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

static int become_nothing(const void *context)
{
    static const char *const arguments[] = {"nothing", NULL};
    (void)context;
    return process_become("/nowhere/nothing", arguments);
}

static void output_is_collected(void **state)
{
    struct process child;
    char text[16];
    (void)state;
    assert_int_equal(process_start(&child, PROCESS_OUTPUT, print_text, "a few words"), 0);
    assert_true(process_collect(&child, text, sizeof text, 60));
    assert_string_equal(text, "a few words");
    assert_int_equal(child.pid, 0);
    assert_int_equal(child.status, 0);
}

static void too_much_output_is_told(void **state)
{
    struct process child;
    char text[8];
    (void)state;
    assert_int_equal(process_start(&child, PROCESS_OUTPUT, print_text, "more than fits"), 0);
    assert_false(process_collect(&child, text, sizeof text, 60));
    assert_string_equal(text, "more th");
}

static void a_child_that_does_not_end_is_ended(void **state)
{
    int (*const children[])(const void *) = {print_and_wait, fall_silent};
    (void)state;
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

static void a_stopped_child_is_ended(void **state)
{
    struct process child;
    (void)state;
    assert_int_equal(process_start(&child, PROCESS_GROUP, wait_for_ever, NULL), 0);
    assert_false(process_await(&child, 0));
    process_signal(&child, SIGSTOP);
    const int status = process_end(&child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(process_end(&child), status); /* ending it again does nothing */
}

static void exit_codes_are_kept(void **state)
{
    struct process child;
    const int code = 3;
    (void)state;
    assert_int_equal(process_start(&child, 0, exit_with, &code), 0);
    assert_true(process_await(&child, 60));
    assert_int_equal(WEXITSTATUS(child.status), code);
    assert_int_equal(process_start(&child, 0, become_nothing, NULL), 0);
    assert_true(process_await(&child, 60));
    assert_int_equal(WEXITSTATUS(child.status), 127);
}

/* Whoever holds the pipe's end to write keeps a reader waiting. */
static void a_group_ends_with_its_leader(void **state)
{
    struct process child;
    int ends[2];
    char byte;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(process_start(&child, PROCESS_GROUP, leave_a_process, NULL), 0);
    close(ends[1]);
    assert_true(process_await(&child, 60));
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

int main(void)
{
    alarm(120); /* a test that hangs fails */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_is_collected),
        cmocka_unit_test(too_much_output_is_told),
        cmocka_unit_test(a_child_that_does_not_end_is_ended),
        cmocka_unit_test(a_stopped_child_is_ended),
        cmocka_unit_test(exit_codes_are_kept),
        cmocka_unit_test(a_group_ends_with_its_leader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
