#!/usr/bin/env bats
# Variants that fail on purpose: a fault ends its own cell with the right status and no other cell.
# SPDX-License-Identifier: MIT
load common

# fault_study NAME PROBLEMS VARIANTS: writes the experiment file of a study of faults
fault_study() {
    study "$1" "$2" <<YAML
grid:
  n: [64]
  variant: $3
  threads: {for: [cpu-meddle, cpu-state, cpu-idle], values: [1, all]}
YAML
}

# All faults run once for all tests, because one fault is endless and another one fills the memory.
setup_file() {
    export TILELAB_TEST=1 TILELAB_FAKE_TIMER=1 TILELAB_TIMEOUT_S=10
    cd "$BATS_FILE_TMPDIR" || return 1
    # All but cpu-race, which is right where there is one core.
    fault_study faults fault '["cpu-[!r]*", "cpu-r[!a]*"]'
    local status=0
    "${TILELAB:-$BATS_TEST_DIRNAME/../../build/tilelab}" run faults.yaml --profile quick --data data >log 2>&1 ||
        status=$?
    echo "$status" >status
}

all=$BATS_FILE_TMPDIR/data/faults.results.csv

expected='fault/cpu-right ok
fault/cpu-wrong wrong
fault/cpu-nan wrong
fault/cpu-untouched wrong
fault/cpu-overrun wrong
fault/cpu-input crash
fault/cpu-crash crash
fault/cpu-endless timeout
fault/cpu-memory memory
fault/cpu-exit exit
fault/cpu-stdout failed
fault/cpu-flood failed
fault/cpu-mute exit
fault/cpu-garbage exit
fault/cpu-meddle ok
fault/cpu-state ok
fault/cpu-left failed
fault/cpu-spoil failed
fault/cpu-orphans failed
fault/cpu-idle ok'

@test "each fault has its own status, and the cell beside it is right" {
    cat "$BATS_FILE_TMPDIR/log"
    diff <(sort <<<"$expected") <(column variant,status "$all" | grep ^fault/ | sort -u)
    [ "$(cat "$BATS_FILE_TMPDIR/status")" -eq 1 ]
}

@test "every fault says where or why" {
    run bash -c "'$BATS_TEST_DIRNAME/../column' variant,status,reason '$all' |
        grep '^fault/' | grep -v ' ok ' | grep -E ' -\$'"
    [ -z "$output" ]
}

@test "what is wrong has no time" {
    run bash -c "'$BATS_TEST_DIRNAME/../column' variant,status,median_s,gflops '$all' | grep '^fault/' | grep -v ' ok '"
    [ "$(grep -c ' - -$' <<<"$output")" -eq 16 ]
}

@test "a variant that leaves threads, arithmetic, signals and affinity changed leaves the next variant alone" {
    fault_study meddle fault '[cpu-meddle, cpu-state]'
    # Without the fake timer a request takes longer than the alarms that the variant sets.
    unset TILELAB_FAKE_TIMER
    measure meddle.yaml
    column variant,threads,status,reason data/meddle.results.csv >rows
    ! grep '^fault/cpu-state' rows | grep -v ' ok ' || { cat rows; return 1; }
    grep -q '^fault/cpu-state 1 ok' rows
}

@test "a variant that leaves what cannot be undone fails with the reason, and the variants beside it do not" {
    fault_study left fault '[cpu-right, cpu-left, cpu-spoil, cpu-state]'
    measure -1 left.yaml
    column variant,status,reason data/left.results.csv >rows
    grep -q '^fault/cpu-left failed left the process .*1 thread that run() made goes on computing' rows &&
        grep -q '^fault/cpu-spoil failed left the process .*the process gave up new privileges' rows &&
        [ "$(grep -cE '^fault/cpu-(right|state) ok' rows)" -ge 2 ] || { cat rows; return 1; }
}

@test "threads that sleep are flagged, and a thread alone is not idle" {
    [ "$(nproc)" -ge 2 ] || skip "one core"
    fault_study idle fault '[cpu-idle]'
    unset TILELAB_FAKE_TIMER
    measure -0 idle.yaml
    column variant,threads,flags data/idle.results.csv >rows
    ! grep -E '^fault/cpu-idle 1 .*idle' rows || { cat rows; return 1; }
    # Where other programs hold the cores, the kernel is not to blame.
    ! grep -E '^fault/cpu-idle ([2-9]|[1-9][0-9]+) ' rows | grep -vE 'idle|noisy' || { cat rows; return 1; }
}

@test "what a variant prints is kept up to a limit" {
    column variant,reason "$all" | grep -q '^fault/cpu-flood wrote at least 65536 bytes'
}

# catches_term PID: the process has a handler for SIGTERM; the mask of caught signals is hexadecimal.
catches_term() {
    local mask
    mask=$(awk '/^SigCgt:/ {print $2}' "/proc/$1/status")
    (((16#${mask:-0} >> ($(kill -l TERM) - 1)) & 1))
}

@test "a worker that is deaf and mute is ended, and the run can be ended meanwhile" {
    fault_study deaf fault '[cpu-mute, cpu-endless]'
    export TILELAB_TIMEOUT_S=600
    local delay signal runner
    for delay in 0 0.5 2; do
        for signal in INT TERM; do
            env --default-signal=INT "$TILELAB" run deaf.yaml --profile quick --data deaf >log 2>&1 3>&- &
            runner=$!
            for _ in $(seq 3000); do
                ! { catches_term $runner && pgrep -P $runner >/dev/null; } || break
                sleep 0.02
            done
            sleep $delay
            kill -$signal $runner
            for _ in $(seq 1500); do kill -0 $runner 2>/dev/null || break; sleep 0.02; done
            ! kill -9 $runner 2>/dev/null || echo "$signal after $delay s does not end the run"
            status=0
            wait $runner || status=$?
            [ "$status" -eq 130 ] || { echo "$signal after $delay s: $status"; cat log; return 1; }
        done
    done
    run -1 pgrep -f "$BATS_TEST_TMPDIR/deaf.yaml"
}

@test "what a variant leaves behind ends with the run, also where the run is killed" {
    orphans() { pgrep -x tilelab-orphan; }
    fault_study orphans fault '[cpu-endless]'
    TILELAB_TIMEOUT_S=600 "$TILELAB" run orphans.yaml --profile quick --data data >log 2>&1 &
    local runner=$!
    for _ in $(seq 500); do ! orphans >/dev/null || break; sleep 0.02; done
    [ "$(orphans | wc -l)" -ge 1 ]
    kill -9 $runner
    for _ in $(seq 500); do orphans >/dev/null || break; sleep 0.02; done
    run -1 orphans
}

@test "what a variant leaves behind ends with verify" {
    export TILELAB_TEST=1
    local before
    before=$(pgrep -x -c tilelab-orphan) || true # those of other programs
    run -0 "$TILELAB" verify fault/cpu-orphans --sizes 8 -k precision=f64
    for _ in $(seq 500); do [ "$(pgrep -x -c tilelab-orphan)" -gt "$before" ] || break; sleep 0.02; done
    [ "$(pgrep -x -c tilelab-orphan)" -le "$before" ]
}

@test "a fault is not measured again unless asked for" {
    fault_study few fault '[cpu-right, cpu-wrong, cpu-crash, cpu-exit]'
    local told="few: 3 cells are failed or wrong; \`tilelab show few --data data\` names them, --retry measures them"
    measure -1 few.yaml
    says "$told"
    cp data/few.results.csv first.csv
    measure -1 few.yaml
    says ' 0 to measure' "$told"
    TILELAB_TYPED='make run EXP=few' measure -1 few.yaml
    says ', ARGS=--retry measures them again'
    run -1 "$TILELAB" run few.yaml --profile quick --data data --retry
    [[ "$output" == *" 3 to measure"* ]]
    cmp first.csv data/few.results.csv
}

@test "no worker is left behind" {
    # Another runner on this machine has workers as well, with another environment.
    local mine="BATS_FILE_TMPDIR=$BATS_FILE_TMPDIR" pid left
    for _ in $(seq 50); do
        left=''
        for pid in $(pgrep -f "^tilelab worker"); do
            ! grep -qzxF "$mine" "/proc/$pid/environ" 2>/dev/null || left+=" $pid"
        done
        [ -n "$left" ] || break
        sleep 0.1
    done
    [ -z "$left" ] || { echo "these workers are left:$left"; return 1; }
}

@test "five failures in a row end a variant, and a second run finds the same" {
    fault_study row fault '[cpu-wrong, cpu-right]'
    sed -i 's/n: \[64\]/n: {from: 10, to: 17, step: 1}/' row.yaml
    measure -1 row.yaml
    [ "$(column variant,status data/row.results.csv | grep -c '^fault/cpu-wrong wrong')" -eq 5 ]
    [ "$(column variant,status data/row.results.csv | grep -c '^fault/cpu-wrong skipped')" -eq 3 ]
    cp data/row.results.csv first.csv
    measure -1 row.yaml
    cmp first.csv data/row.results.csv
}
