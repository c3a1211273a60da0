#!/usr/bin/env bats
# Variants that fail on purpose: a fault ends its own cell with the right status and no other cell.
# SPDX-License-Identifier: MIT
load common

# fault_study NAME PROBLEMS VARIANTS: writes the experiment file of a study of faults
fault_study() {
    cat >"$1.yaml" <<YAML
schema: 1
title: {en: "Made to fail"}
source: tilelab
problem: $2
precision: f64
grid:
  n: [64]
  variant: $3
YAML
}

# All faults run once for all tests, because one fault is endless and another one fills the memory.
setup_file() {
    export TILELAB_TEST=1 TILELAB_FAKE_TIMER=1 TILELAB_TIMEOUT_S=10
    cd "$BATS_FILE_TMPDIR" || return 1
    fault_study faults fault '["*"]'
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
fault/cpu-orphans ok
fault/cpu-idle ok'

@test "each fault has its own status, and the cell beside it is right" {
    cat "$BATS_FILE_TMPDIR/log"
    diff <(sort <<<"$expected") <(column variant,status "$all" | grep ^fault/ | sort)
    [ "$(cat "$BATS_FILE_TMPDIR/status")" -eq 1 ]
}

@test "every fault says where or why" {
    run bash -c "'$BATS_TEST_DIRNAME/../column' variant,status,reason '$all' |
        grep '^fault/' | grep -v ' ok ' | grep -E ' -\$'"
    [ -z "$output" ] || { echo "$output"; return 1; }
}

@test "what is wrong has no time" {
    run bash -c "'$BATS_TEST_DIRNAME/../column' variant,status,median_s,gflops '$all' | grep '^fault/' | grep -v ' ok '"
    [ "$(grep -c ' - -$' <<<"$output")" -eq 12 ] || { echo "$output"; return 1; }
}

@test "a fault is not measured again unless asked for" {
    fault_study few fault '[cpu-right, cpu-wrong, cpu-crash, cpu-exit]'
    measure few.yaml
    [ "$status" -eq 1 ]
    cp data/few.results.csv first.csv
    measure few.yaml
    [ "$status" -eq 1 ]
    [[ "$output" == *" 0 to measure"* ]] || { echo "$output"; return 1; }
    run "$TILELAB" run few.yaml --profile quick --data data --retry
    [ "$status" -eq 1 ]
    [[ "$output" == *" 3 to measure"* ]] || { echo "$output"; return 1; }
    cmp first.csv data/few.results.csv
}

@test "a fault beside a product costs the product nothing" {
    fault_study both '[matmul, fault]' '[matmul/seq-ijk, fault/cpu-crash, fault/cpu-exit]'
    measure both.yaml
    [ "$status" -eq 1 ]
    column variant,status data/both.results.csv | grep -q '^matmul/seq-ijk ok'
    column variant,status data/both.results.csv | grep -q '^fault/cpu-crash crash'
    column variant,status data/both.results.csv | grep -q '^fault/cpu-exit exit'
}

@test "no worker is left behind" {
    for _ in $(seq 50); do
        pgrep -f "^tilelab worker" >workers || return 0
        sleep 0.1
    done
    # A worker of another runner on this machine has a parent.
    run awk '{ getline stat < ("/proc/" $1 "/stat"); split(stat, field, " "); if (field[4] == 1) print $1 }' workers
    [ -z "$output" ]
}

@test "five failures in a row end a variant, and a second run finds the same" {
    fault_study row fault '[cpu-wrong, cpu-right]'
    sed -i 's/n: \[64\]/n: {from: 10, to: 17, step: 1}/' row.yaml
    measure row.yaml
    [ "$status" -eq 1 ]
    [ "$(column variant,status data/row.results.csv | grep -c '^fault/cpu-wrong wrong')" -eq 5 ]
    [ "$(column variant,status data/row.results.csv | grep -c '^fault/cpu-wrong skipped')" -eq 3 ]
    cp data/row.results.csv first.csv
    measure row.yaml
    [ "$status" -eq 1 ]
    cmp first.csv data/row.results.csv
}

@test "a budget takes nothing away that was measured before" {
    fault_study kept fault '[cpu-right]'
    measure kept.yaml
    [ "$status" -eq 0 ]
    cp data/kept.results.csv first.csv
    run "$TILELAB" run kept.yaml --profile quick --data data --again --budget 0.001s
    [ "$status" -eq 0 ]
    cmp first.csv data/kept.results.csv
}
