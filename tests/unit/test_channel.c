/* Requests and answers between the runner and a worker: what is late, doubled, foreign or missing.
 * SPDX-License-Identifier: MIT */
#include "protocol/channel.h"
#include "protocol/request.h"
#include "test.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static int runner, worker;
static struct outcome received;

FIXTURE(open_channel)
{
    return channel_open(&runner, &worker);
}

FIXTURE(close_channel)
{
    close(runner);
    close(worker);
    return 0;
}
#define CHANNEL_TEST(name) TEST_AROUND(name, open_channel, close_channel)

static struct outcome answer_to(uint64_t request)
{
    struct outcome outcome = outcome_none();
    outcome.magic = OUTCOME_MAGIC;
    outcome.request = request;
    return outcome;
}

CHANNEL_TEST(an_answer_arrives_with_its_samples)
{
    struct outcome sent = answer_to(7);
    sent.samples = 3;
    sent.sample[2].kernel_s = 0.5;
    assert_int_equal(channel_send_answer(worker, &sent), 0);
    assert_int_equal(channel_take_answer(runner, 7, &received), CHANNEL_ANSWER);
    assert_int_equal(received.samples, 3);
    assert_true(received.sample[2].kernel_s == 0.5);
    assert_int_equal(channel_take_answer(runner, 7, &received), CHANNEL_NOTHING);
}

/* The number of a request is random, so that an answer with another one was made up. */
CHANNEL_TEST(an_answer_to_another_request_is_none)
{
    const struct outcome ahead = answer_to(8), now = answer_to(7);
    assert_int_equal(channel_send_answer(worker, &ahead), 0);
    assert_int_equal(channel_send_answer(worker, &now), 0);
    assert_int_equal(channel_send_answer(worker, &now), 0);
    assert_int_equal(channel_take_answer(runner, 7, &received), CHANNEL_FOREIGN);
    assert_int_equal(channel_take_answer(runner, 7, &received), CHANNEL_ANSWER);
    assert_int_equal(channel_take_answer(runner, 9, &received), CHANNEL_FOREIGN);
}

/* Changes an answer in one way. The runner must not take it for an answer. */
static void refuse(size_t size, void (*change)(struct outcome *outcome))
{
    struct outcome outcome = answer_to(7);
    change(&outcome);
    assert_true(send(worker, &outcome, size, 0) == (ssize_t)size);
    assert_int_equal(channel_take_answer(runner, 7, &received), CHANNEL_FOREIGN);
}

static void change_nothing(struct outcome *outcome)
{
    (void)outcome;
}

static void change_magic(struct outcome *outcome)
{
    outcome->magic = 1;
}

static void change_number(struct outcome *outcome)
{
    outcome->request = 8;
}

static void change_samples(struct outcome *outcome)
{
    outcome->samples = -1;
}

static void change_status(struct outcome *outcome)
{
    outcome->status = STATUSES;
}

static void change_log(struct outcome *outcome)
{
    outcome->log.recorded = SOLVER_HISTORY + 1;
}

static void change_reason(struct outcome *outcome)
{
    memset(outcome->reason, 'x', sizeof outcome->reason);
}

CHANNEL_TEST(what_is_no_answer_is_foreign)
{
    const struct outcome whole = answer_to(7);
    const size_t size = outcome_size(&whole);
    void (*const changes[])(struct outcome *) = {change_magic,  change_number, change_samples,
                                                 change_status, change_log,    change_reason};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        refuse(size, changes[i]);
    refuse(1, change_nothing);
    refuse(size - 1, change_nothing);
    refuse(size + 1, change_nothing);
    char large[sizeof received + 1] = {0};
    assert_true(send(worker, large, sizeof large, 0) == sizeof large);
    assert_int_equal(channel_take_answer(runner, 7, &received), CHANNEL_FOREIGN);
    assert_int_equal(channel_take_answer(runner, 7, &received), CHANNEL_NOTHING);
}

CHANNEL_TEST(a_closed_end_is_told)
{
    struct request request = {.number = 1};
    close(worker);
    assert_int_equal(channel_take_answer(runner, 1, &received), CHANNEL_CLOSED);
    assert_int_equal(channel_send(runner, &request, sizeof request), EPIPE);
    assert_int_equal(channel_open(&runner, &worker), 0);
    assert_int_equal(channel_send(runner, &request, sizeof request), 0);
    request.number = 0;
    assert_int_equal(channel_await_request(worker, &request, sizeof request), 0);
    assert_int_equal(request.number, 1);
    close(runner);
    assert_int_equal(channel_await_request(worker, &request, sizeof request), EPIPE);
    /* A request that cannot be read is another matter, for which no variant is blamed. */
    assert_int_equal(channel_await_request(-1, &request, sizeof request), EBADF);
}
