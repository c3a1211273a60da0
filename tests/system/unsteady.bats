#!/usr/bin/env bats
# Times that the scheduler has spoiled: they are measured again in new workers, and flagged if the doubt stays.
# SPDX-License-Identifier: MIT
load common

setup_times() {
    study tiny <<'YAML'
grid: {n: [64, 96], variant: [seq-ijk]}
YAML
}

# stops "N FACTOR LAUNCHES FIRST": measures with simulated stops of the scheduler; src/worker/prepared.h explains them.
stops() {
    TILELAB_FAKE_STOPS=$1 measure tiny.yaml "${@:2}"
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
}

# launches: the launches of the samples of the cell with n = 64.
launches() {
    local cell
    cell=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["n"] == 64 { print $at["cell"] }' \
        data/tiny.results.csv)
    awk -F, -v cell="$cell" '$1 == cell { print $3 }' data/tiny.samples.csv | sort -nu | tr '\n' ' '
}

@test "a median far above the shortest sample is measured again in new workers, and the new time counts" {
    setup_times
    measure tiny.yaml
    column n,median_s,flags data/tiny.results.csv >honest
    rm -r data
    stops '64 10 3 1'
    [[ $output == *'1 time is in doubt; new workers measure again'* ]]
    column n,median_s,flags data/tiny.results.csv | diff honest -
    [ "$(launches)" = '3 4 5 ' ]
}

@test "a time above that of a larger size is measured again" {
    setup_times
    stops '64 10 3 0'
    [ "$(column n,flags data/tiny.results.csv)" = $'64 simulated\n96 simulated' ]
    [ "$(launches)" = '3 4 5 ' ]
}

@test "cells are measured again twice; a doubt that stays is a flag, and the next run measures nothing" {
    setup_times
    local first
    for first in 0 1; do
        rm -rf data
        stops "64 10 99 $first"
        [ "$(grep -c 'new workers measure again' <<<"$output")" -eq 2 ]
        [ "$(grep -c '^tiny \[./.\] .* n=64: ' <<<"$output")" -eq 3 ]
        [ "$(column n,flags data/tiny.results.csv)" = $'64 simulated+unsteady\n96 simulated' ]
        [ "$(launches)" = '6 7 8 ' ]
        [[ $output == *'unsteady: 1; '* ]]
        measure tiny.yaml
        [[ $output == *'2 finished'*' 0 to measure'* && $output != *'in doubt'* ]]
    done
}

@test "a time that an interrupted run left in doubt is measured by the next run, or flagged where the budget is spent" {
    setup_times
    stops '64 10 99 1'
    # An interrupted run has neither measured it again nor flagged it.
    rm -r data/.journal
    sed -i 's/+unsteady//' data/tiny.results.csv
    cp -r data unmeasured
    run -0 "$TILELAB" run tiny.yaml --profile quick --data unmeasured --budget 0.01s
    [ "$(column n,flags unmeasured/tiny.results.csv)" = $'64 simulated+unsteady\n96 simulated' ]
    measure tiny.yaml
    [ "$(column n,flags data/tiny.results.csv)" = $'64 simulated\n96 simulated' ]
}

@test "paired, a doubtful time stays with the cells of its rounds, and slow cells have all rounds" {
    setup_times
    stops '64 10 3 0' --set rounds=8 --set max-time=3ms
    [[ $output == *'new workers measure again'* ]]
    [ "$(column n,rounds data/tiny.results.csv)" = $'64 5\n96 5' ]
    stops '64 10 3 0' --set rounds=8 --set max-time=3ms --paired --again
    [[ $output != *'new workers measure again'* ]]
    [ "$(column n,rounds data/tiny.results.csv)" = $'64 8\n96 8' ]
}

@test "equal samples far above the shortest one are no convergence: the round has all samples" {
    setup_times
    stops '64 30 99 0'
    # Ten of these samples take longer than the round's share of the time.
    local cell
    cell=$(awk -F, '/,64,64,64,/ { print $2 }' data/tiny.results.csv)
    [ "$(awk -F, -v cell="$cell" '$1 == cell { print $2 }' data/tiny.samples.csv | uniq -c | awk '{ print $1 }' |
        sort -u)" = 10 ] || { cat data/tiny.samples.csv; return 1; }
    [ "$(column n,converged data/tiny.results.csv)" = $'64 0\n96 1' ]
}

@test "show says how often the intervals cover the true median, and explains the flags that it shows" {
    setup_times
    stops '64 10 99 1'
    run -0 "$TILELAB" show tiny --data data
    [[ $output == *'covers the true median with 5 rounds: 93.75 %'* ]]
    [[ $output == *'ᵘ unsteady: more than three times the shortest sample'* && $output != *'noisy'* ]]
    "$TILELAB" run tiny.yaml --profile quick --data other --set rounds=3
    run -0 "$TILELAB" show tiny --data other
    [[ $output == *'covers the true median with 3 rounds: 75 %'* && $output != *unsteady* ]]
}

# late_answers: has each answer of a worker come 20 ms late, for the first 90 ms.
late_answers() {
    command -v cc >/dev/null || skip 'no compiler'
    cat >late.c <<'EOF2'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/socket.h>
#include <time.h>
ssize_t send(int fd, const void *data, size_t size, int flags)
{
    static struct timespec first, now;
    const struct timespec late = {0, 20000000};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (first.tv_sec == 0)
        first = now;
    if ((now.tv_sec - first.tv_sec) * 1000000000L + now.tv_nsec - first.tv_nsec < 90000000)
        nanosleep(&late, 0);
    ssize_t (*real)(int, const void *, size_t, int);
    *(void **)&real = dlsym(RTLD_NEXT, "send");
    return real(fd, data, size, flags);
}
EOF2
    cc -shared -fPIC -o late.so late.c -ldl
    export TILELAB_TEST=1 LD_PRELOAD=$PWD/late.so # else no worker gets it
}

@test "answers that a busy machine holds up do not blame the variant" {
    unset TILELAB_FAKE_TIMER
    study tiny <<'YAML'
grid: {n: 24, variant: [seq-ijk]}
YAML
    late_answers
    measure tiny.yaml
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    [ "$(column status data/tiny.results.csv | sort -u)" = ok ]
}
