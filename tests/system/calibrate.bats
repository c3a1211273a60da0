#!/usr/bin/env bats
# `tilelab calibrate`: the same variant under two names.
# SPDX-License-Identifier: MIT
load common

@test "a calibration is kept, shown and loaded" {
    run -0 --separate-stderr "$TILELAB" calibrate --pairs 16 --data data
    [[ $stderr != *--again* ]]
    [ ! -e data/.calibration-quick ]
    [[ ${lines[-2]} == 'side '*'% different'* ]]
    grep -Eq '^CPU +16 ' <<<"${lines[-1]}"
    [ "$(grep -c ',matmul/' data/calibration.csv)" -eq 16 ]
    run -1 grep -q -- '-twin' data/calibration.csv
    run -0 "$TILELAB" calibrate --show --data data
    grep -Eq '^CPU +16 ' <<<"${lines[-1]}"
    # Nothing else sees a calibration.
    run "$TILELAB" list --results --data data
    [[ $output != *calibration* ]]
    run -2 "$TILELAB" list '*twin*'
}

@test "calibrate says what it lacks" {
    run -2 "$TILELAB" calibrate --show --data data
    [[ $output == *'holds no calibration' ]]
    run -2 "$TILELAB" calibrate --pairs none
}

@test "calibrating one side keeps the last result of the other" {
    "$TILELAB" calibrate --pairs 16 --data data >/dev/null
    sed 's/,CPU,/,GPU,/' data/calibration.csv >mixed.csv
    mv mixed.csv data/calibration.csv
    run -0 --separate-stderr "$TILELAB" calibrate --pairs 16 --side cpu --data data
    grep -Eq '^CPU +16 ' <<<"${lines[-2]}"
    grep -Eq '^GPU +16 ' <<<"${lines[-1]}"
    run -2 "$TILELAB" calibrate --side neither --data data
    [[ $output == *"no side 'neither'"* ]]
}

@test "a calibration that was interrupted goes on" {
    env --default-signal=INT "$TILELAB" calibrate --pairs 128 --data data >first.log 2>&1 &
    # From here the first cells are in the journal, and others are not yet measured.
    until grep -q '\[9/' first.log || ! kill -0 $!; do sleep 0.1; done
    kill -INT $!
    code=0
    wait $! || code=$?
    [ $code -eq 130 ]
    grep -q 'To go on' first.log
    [ ! -e data/calibration.csv ]
    run -0 "$TILELAB" calibrate --pairs 128 --data data
    grep -E '^calibration-cpu: [0-9]+ cells, [1-9][0-9]* finished' <<<"$output"
    [ ! -e data/.calibration-quick ]
    [ "$(grep -c ',matmul/' data/calibration.csv)" -eq 128 ]
}

@test "halves of the launches that part are counted, and each half is compared alone" {
    study halves <<'YAML'
grid: {n: 64, variant: [seq-ijk, seq-ikj]}
quick: {rounds: 12, launches: 6}
YAML
    run -0 "$TILELAB" run halves.yaml --profile quick --data data
    sed -i 's/seq-ikj/seq-ijk-twin/' data/halves.results.csv
    halves() {
        "$TILELAB" query --data data --published "$root/data/published" --set now=0 --set profile=quick \
            --set rounds=5 --set launches=3 --format tsv "$root/report/calibrate-twins.sql" | cut -f 6,7,11,12
    }
    [ "$(halves)" = $'half\trounds\tverdict\toverlaps\n1\t6\tsame\t2\n2\t6\tsame\t' ] || { halves; return 1; }
    # From the fourth launch on the twin takes twice the time, so that it is slower in the second half.
    local twin
    twin=$(column variant,cell data/halves.results.csv | sed -n 's/.*-twin //p')
    awk -F , -v OFS=, -v twin="$twin" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $1 == twin && $at["launch"] >= 3 { $at["kernel_s"] *= 2 } { print }' data/halves.samples.csv >edited
    mv edited data/halves.samples.csv
    [ "$(halves)" = $'half\trounds\tverdict\toverlaps\n1\t6\tsame\t1\n2\t6\tslower\t' ] || { halves; return 1; }
}
