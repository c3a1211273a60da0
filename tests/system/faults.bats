#!/usr/bin/env bats
# Variants that fail on purpose: each costs its own cell, under the right status.
# SPDX-License-Identifier: MIT
load common

fault_study() {
    cat >faults.yaml <<'YAML'
schema: 1
title: {en: "Made to fail"}
source: tilelab
problem: fault
precision: f64
grid:
  n: [64]
  variant: ["*"]
YAML
    export TILELAB_TEST=1 TILELAB_TIMEOUT_S=2
}

expected='fault/cpu-right ok
fault/cpu-wrong wrong
fault/cpu-nan wrong
fault/cpu-untouched wrong
fault/cpu-overrun wrong
fault/cpu-crash crash
fault/cpu-endless timeout
fault/cpu-memory memory
fault/cpu-exit exit
fault/cpu-stdout failed'

@test "each fault has its own status, and the cell beside it is right" {
    fault_study
    measure faults.yaml
    [ "$status" -eq 1 ] || { echo "$status: $output"; return 1; }
    diff <(sort <<<"$expected") <(column variant,status data/faults.results.csv | grep ^fault/ | sort)
}

@test "every fault says where or why, and has no time" {
    fault_study
    measure faults.yaml
    ! column variant,status,reason data/faults.results.csv | grep '^fault/' | grep -v ' ok ' | grep -E ' -$'
    ! column variant,median_s,gflops data/faults.results.csv | grep '^fault/' | grep -v cpu-right | grep -vE ' - -$'
}

@test "a fault is not measured again unless asked for" {
    fault_study
    measure faults.yaml
    local lines
    lines=$(wc -l <data/.journal/faults.journal)
    measure faults.yaml
    [ "$(wc -l <data/.journal/faults.journal)" -eq "$lines" ]
    run "$TILELAB" run faults.yaml --profile quick --data data --retry
    [ "$status" -eq 1 ]
    [ "$(wc -l <data/.journal/faults.journal)" -gt "$lines" ]
    diff <(sort <<<"$expected") <(column variant,status data/faults.results.csv | grep ^fault/ | sort)
}

@test "a fault beside a product costs the product nothing" {
    fault_study
    sed -i 's/^problem: fault/problem: [matmul, fault]/; s|\["\*"\]|[matmul/seq-ijk, fault/cpu-crash, fault/cpu-exit]|' faults.yaml
    measure faults.yaml
    [ "$status" -eq 1 ]
    column variant,status data/faults.results.csv | grep -q '^matmul/seq-ijk ok'
    column variant,status data/faults.results.csv | grep -q '^fault/cpu-crash crash'
}

@test "nothing of a worker is left behind" {
    fault_study
    measure faults.yaml
    sleep 0.1
    [ -z "$(pgrep -f "$TILELAB worker" -s 0)" ]
}
