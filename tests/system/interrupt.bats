#!/usr/bin/env bats
# A run that is interrupted keeps its finished rounds, and the next run measures the other rounds only.
# SPDX-License-Identifier: MIT
load common

# Every round is saved at once: the tests have no time to wait for the interval of a long run.
rounds_study() {
    study "$1" <<'YAML'
grid:
  n: [160, 168]
  variant: [seq-ijk, seq-ikj, omp-ijk, omp-ikj]
measure: {rounds: 7, launches: 3}
YAML
    export TILELAB_SAVE_S=0
}

# The number of journal lines with partial results.
saved() {
    local count
    count=$(grep -c partial data/.journal/"$1".journal 2>/dev/null) || true
    echo "${count:-0}"
}

# interrupt SIGNAL NAME LINES: starts a run and sends it a signal once so many partial results are saved
interrupt() {
    "$TILELAB" run "$2.yaml" --profile full --data data >log 2>&1 &
    local runner=$!
    for _ in $(seq 600); do
        [ "$(saved "$2")" -lt "$3" ] || break
        sleep 0.02
    done
    kill "-$1" $runner
    code=0
    wait $runner || code=$?
}

undisturbed() {
    "$TILELAB" run "$1.yaml" --profile full --data calm >/dev/null
    cmp calm/"$1".results.csv data/"$1".results.csv
    cmp calm/"$1".samples.csv data/"$1".samples.csv
}

@test "Ctrl-C keeps finished rounds, and the next run measures the others only" {
    rounds_study kept
    interrupt INT kept 9
    [ "$code" -eq 130 ] || { cat log; return 1; }
    grep -q partial data/kept.results.csv
    [ -s data/kept.samples.csv ]
    "$TILELAB" plan kept.yaml --profile full --data data | grep -q interrupted
    run -0 "$TILELAB" run kept.yaml --profile full --data data
    # 8 cells of 7 rounds: each round of each cell was saved once, by one of the two runs.
    [ "$(saved kept)" -eq 56 ] || { saved kept; return 1; }
    run -1 grep -q partial data/kept.results.csv
    undisturbed kept
}

@test "SIGTERM, SIGHUP and SIGKILL keep rounds as well" {
    rounds_study torn
    local signal wanted=0
    for signal in TERM HUP KILL; do
        wanted=$((wanted + 9))
        interrupt "$signal" torn $wanted
        [ "$code" -ne 0 ] || { cat log; return 1; }
    done
    run -0 "$TILELAB" run torn.yaml --profile full --data data
    # A killed runner may lose what it measured since the last save: one round of one cell.
    [ "$(saved torn)" -le 57 ] || { saved torn; return 1; }
    undisturbed torn
}

@test "with --again, the rounds of an interrupted run do not count" {
    rounds_study fresh
    interrupt INT fresh 9
    [ "$code" -eq 130 ] || { cat log; return 1; }
    local before
    before=$(saved fresh)
    run -0 "$TILELAB" run fresh.yaml --profile full --data data --again
    [ "$(saved fresh)" -eq $((before + 56)) ] || { saved fresh; return 1; }
    undisturbed fresh
}

@test "cells that do not fit into memory together are measured one part after the other" {
    study many <<'YAML'
grid:
  n: [240]
  variant: [omp-packed]
  threads: 1
  mc: [48, 96, 144, 192, 240]
  nc: [48, 96, 144, 192, 240]
  kc: [120, 150, 180, 210, 240]
measure: {rounds: 1, launches: 1}
YAML
    measure -0 many.yaml
    # All workspaces together need 46 MB. A small stack leaves the memory to them, not to the threads that verify.
    local limit=$((30000 + 1024 * $(nproc)))
    run -0 bash -c "ulimit -s 1024 -d $limit && '$TILELAB' run many.yaml --profile quick --data short"
    cmp data/many.results.csv short/many.results.csv
    cmp data/many.samples.csv short/many.samples.csv
}

@test "a worker that cannot read its request is a transient error, and blames no variant" {
    command -v strace >/dev/null || skip 'strace is not installed'
    strace -qq -o /dev/null true || skip 'strace may not trace here'
    study alone <<<'grid: {n: [24], variant: [seq-ijk, seq-ikj]}'
    # Each worker waits for requests by recvfrom, and so does the runner for answers.
    run -1 strace -qq -f -o trace -e trace=recvfrom -e inject=recvfrom:error=EINVAL:when=3 "$TILELAB" run alone.yaml \
        --profile quick --data data
    [[ $output == *'transient error of the machine: a worker could not read a request'* ]]
    [[ $output != *' exit: '* ]]
    run -0 "$TILELAB" run alone.yaml --profile quick --data data
    "$TILELAB" run alone.yaml --profile quick --data calm
    cmp calm/alone.results.csv data/alone.results.csv
}

@test "a transient error of the machine is no result: the next run measures the cell" {
    study alone <<<'grid: {n: [64], variant: [seq-ijk, seq-ikj]}'
    # With few open files, the folder can be written, but no worker can be started.
    local files found=0
    for files in 4 5 6 7 8 9 10; do
        run bash -c "exec 3>&-; ulimit -n $files && '$TILELAB' run alone.yaml --profile full --data data"
        case $output in
            *"skipped: transient error of the machine"*)
                # A script can tell that nothing was measured.
                found=1
                [ "$status" -eq 1 ] &&
                    [[ $output == *'alone: transient errors of the machine kept 2 cells from being'* ]] ;;
            *) [ "$status" -eq 0 ] || [ "$status" -eq 4 ] ;;
        esac || { echo "$files: $status: $output"; return 1; }
        [[ "$output" != *GFLOP* ]] || break
    done
    [ $found -eq 1 ]
    run -0 "$TILELAB" run alone.yaml --profile full --data data
    undisturbed alone
}
