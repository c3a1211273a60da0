#!/usr/bin/env bats
# `tilelab calibrate`: the same variant under two names.
# SPDX-License-Identifier: MIT
load common

@test "a calibration is kept, shown and loaded" {
    run --separate-stderr "$TILELAB" calibrate --cells 8 --data data
    [ "$status" -eq 0 ] || { echo "$output$stderr"; return 1; }
    [[ $stderr != *--again* ]] || { echo "$stderr"; return 1; }
    [ ! -e data/.calibration-quick ]
    [[ ${lines[-2]} == 'side '*'% different'* ]]
    grep -Eq '^CPU +8 ' <<<"${lines[-1]}"
    [ "$(grep -c ',matmul/' data/calibration.csv)" -eq 8 ]
    run -1 grep -q -- '-twin' data/calibration.csv
    run "$TILELAB" calibrate --show --data data
    [ "$status" -eq 0 ]
    grep -Eq '^CPU +8 ' <<<"${lines[-1]}"
    # Nothing else sees a calibration.
    run "$TILELAB" list --results --data data
    [[ $output != *calibration* ]]
    run "$TILELAB" list '*twin*'
    [ "$status" -eq 2 ]
}

@test "calibrate says what it lacks" {
    run "$TILELAB" calibrate --show --data data
    [ "$status" -eq 2 ]
    [[ $output == *'holds no calibration' ]]
    run "$TILELAB" calibrate --cells none
    [ "$status" -eq 2 ]
}

@test "calibrating one side keeps the last result of the other" {
    "$TILELAB" calibrate --cells 8 --data data >/dev/null
    sed 's/,CPU,/,GPU,/' data/calibration.csv >mixed.csv
    mv mixed.csv data/calibration.csv
    run --separate-stderr "$TILELAB" calibrate --cells 8 --side cpu --data data
    [ "$status" -eq 0 ] || { echo "$output$stderr"; return 1; }
    grep -Eq '^CPU +8 ' <<<"${lines[-2]}"
    grep -Eq '^GPU +8 ' <<<"${lines[-1]}"
    run "$TILELAB" calibrate --side neither --data data
    [ "$status" -eq 2 ]
    [[ $output == *"no side 'neither'"* ]]
}

@test "a calibration that was interrupted goes on" {
    env --default-signal=INT "$TILELAB" calibrate --cells 64 --data data >first.log 2>&1 &
    # From here the first cells are in the journal, and others are not yet measured.
    until grep -q '\[9/' first.log; do sleep 0.1; done
    kill -INT $!
    code=0
    wait $! || code=$?
    [ $code -eq 130 ]
    grep -q 'To go on' first.log
    [ ! -e data/calibration.csv ]
    run "$TILELAB" calibrate --cells 64 --data data
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    grep -E '^calibration-cpu: [0-9]+ cells, [1-9][0-9]* finished' <<<"$output"
    [ ! -e data/.calibration-quick ]
    [ "$(grep -c ',matmul/' data/calibration.csv)" -eq 64 ]
}
