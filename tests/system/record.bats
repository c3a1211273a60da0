#!/usr/bin/env bats
# Recording a host with tools/record, and what make passes on to the program.
# SPDX-License-Identifier: MIT
load common

# record ARGUMENT...: calls tools/record in a tree of its own that has the studies tiny and other.
record() {
    if [ ! -d tree ]; then
        mkdir -p tree/tools tree/experiments tree/build
        cp "$root/tools/record" tree/tools/
        tiny
        tiny other
        mv tiny.yaml other.yaml tree/experiments/
        TILELAB=$(realpath "$TILELAB")
        export TILELAB
    fi
    run tree/tools/record "$@"
}

# another_machine FOLDER: makes the rows of a folder those of another machine, as a clone has them.
another_machine() {
    rm -rf "$1/.journal"
    sed -i -E "s/$(column machine_hash "$1/tiny.results.csv" | head -n 1)/0123456789abcdef/" \
        "$1"/*.{results.csv,run.json}
}

@test "a record is one folder and one file, of the studies that were named" {
    record mine tiny
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    [ -s tree/data/mine/tiny.results.csv ]
    [ ! -e tree/data/mine/other.results.csv ]
    tar -tzf tree/build/mine.tar.gz | grep -qx data/mine/.journal/tiny.journal
    record mine
    [ -s tree/data/mine/other.results.csv ]
    [[ "$output" == *"tiny: 4 cells, 4 finished"* ]] || { echo "$output"; return 1; }
}

@test "names that are no host, and studies that are none, are refused" {
    local call
    for call in published local ../mine Mine 'mine nothing' 'mine --quick'; do
        # shellcheck disable=SC2086 # the words of a call
        record $call
        [ "$status" -eq 2 ] || { echo "$call: $status: $output"; return 1; }
        [ ! -e tree/data ]
    done
}

@test "a record goes on from its file alone, and keeps the CSV files of a clone that it replaces" {
    record mine tiny
    local before
    before=$(cd tree/data && find . -type f -exec sha256sum {} + | sort)
    rm -r tree/data/mine/.journal
    sed -i 1q tree/data/mine/tiny.samples.csv
    record mine tiny
    [ "$status" -eq 0 ]
    [[ "$output" == *"going on from build/mine.tar.gz"*"4 finished"*" 0 to measure"* ]] || { echo "$output"; return 1; }
    [ "$before" = "$(cd tree/data && find . -type f -exec sha256sum {} + | sort)" ]
    [ "$(tar -xOzf tree/build/mine.*.tar.gz data/mine/tiny.samples.csv | wc -l)" -eq 1 ]
}

@test "a pack that differs from the journals here is kept" {
    record mine tiny
    cp tree/build/mine.tar.gz first.tar.gz
    rm -r tree/data/mine/.journal tree/data/mine tree/build/mine.tar.gz
    record mine other
    cp first.tar.gz tree/build/mine.tar.gz
    record mine other
    [ "$status" -eq 0 ]
    cmp first.tar.gz tree/build/mine.*.tar.gz
}

@test "a pack of another host, or of another machine, is refused" {
    record mine tiny
    record yours --pack build/mine.tar.gz tiny
    [ "$status" -eq 4 ] || { echo "$output"; return 1; }
    [ ! -e tree/data/yours ]
    another_machine tree/data/mine
    (cd tree && tar -czf build/mine.tar.gz data/mine && rm -r data/mine)
    cp tree/build/mine.tar.gz before.tar.gz
    record mine tiny
    [ "$status" -eq 4 ]
    [[ "$output" == *"results of another machine"* ]] || { echo "$output"; return 1; }
    cmp before.tar.gz tree/build/mine.tar.gz
}

@test "another machine's record is neither changed nor packed" {
    record mine tiny
    another_machine tree/data/mine
    rm tree/build/mine.tar.gz
    local before
    before=$(find tree -type f -exec sha256sum {} + | sort)
    record mine
    [ "$status" -eq 4 ]
    [ "$before" = "$(find tree -type f -exec sha256sum {} + | sort)" ]
}

@test "the command that goes on with a record is the one that was typed" {
    record mine tiny
    sed -i 's/\[64, 72\]/[64, 3000]/' tree/experiments/tiny.yaml
    record mine --profile record --budget 5s tiny
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 cells are left, about"* ]] || { echo "$output"; return 1; }
    # Nothing fits into the budget, so the command has none.
    grep -qx '  tree/tools/record mine --profile record tiny' <<<"$output" || { echo "$output"; return 1; }
}

@test "make hands studies, budget and the typed command on" {
    local make=${MAKE:-make}
    run "$make" -C "$root" -n record HOST=mine EXPS='lab5-aat smoke' BUDGET=8m
    [ "$status" -eq 0 ]
    tr -s '\\\n ' ' ' <<<"$output" | grep -q "tools/record 'mine' --profile record --budget 8m lab5-aat smoke" ||
        { echo "$output"; return 1; }
    run "$make" -C "$root" -n report EXPS=smoke
    [[ "$output" == *"tilelab run --profile quick --data 'data/local'"*"experiments/smoke.yaml"* ]]
    run "$make" -C "$root" -n report EXPS=smoke MEASURE=no
    [ "$status" -eq 0 ]
    [[ "$output" != *"tilelab run"* && "$output" == *"report/build.sh report"* ]] || { echo "$output"; return 1; }
    run "$make" -C "$root" -n report MEASURE=maybe
    [ "$status" -eq 2 ]
}

@test "the command that make's run prints goes on" {
    local make=${MAKE:-make} data=$BATS_TEST_TMPDIR/data
    run "$make" -C "$root" run EXP=lab5-matmul BUDGET=2s DATA="$data" ARGS='--retry --again'
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    [[ "$output" == *" cells are left, about "* ]] || { echo "$output"; return 1; }
    local command finished
    command=$(sed -n '/To go on:$/{n;p;}' <<<"$output")
    [[ "$command" == *"make -C "*" run "* && "$command" == *" BUDGET=2s"* ]] || { echo "$command"; return 1; }
    [[ "$command" == *" ARGS=--retry"* && "$command" != *again* ]] || { echo "$command"; return 1; }
    finished=$(column status "$data/lab5-matmul.results.csv" | grep -c ok)
    run bash -c "$command"
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    [[ "$output" == *"lab5-matmul: "*" $finished finished"* ]] || { echo "$output"; return 1; }
}
