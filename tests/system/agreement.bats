#!/usr/bin/env bats
# A recorded folder agrees with its run records: no row is lost, and none of another kind of machine is there.
# SPDX-License-Identifier: MIT

# `root` is set by common.bash.
# shellcheck disable=SC2154
load common

# recorded: a folder with a record of three rows, one of them skipped.
recorded() {
    mkdir -p data/mine
    {
        echo experiment,cell,problem,variant,backend,precision,n,status,machine_hash,rounds,launches,median_s,gflops
        echo mine,a1,matmul,matmul/seq-ijk,cpu,f64,64,ok,0123456789abcdef,5,3,1,1
        echo mine,a2,matmul,matmul/seq-ikj,cpu,f64,64,ok,0123456789abcdef,5,3,2,1
        echo mine,a3,matmul,matmul/omp-ikj,cpu,f64,64,skipped,,,,,
    } >data/mine/mine.results.csv
    echo '{"experiment": {"name": "mine"}, "variants": [], "counts": {"ok": 2, "skipped": 1}}' >data/mine/mine.run.json
}

# hashed: the run record names the hash of the file.
hashed() {
    jq --arg hash "$(sha256sum <data/mine/mine.results.csv | cut -d ' ' -f 1)" '.outputs = {"results.csv": $hash}' \
        data/mine/mine.run.json >record
    mv record data/mine/mine.run.json
}

@test "every recorded folder agrees with its run records" {
    cd "$root"
    local folder
    for folder in data/*/; do
        [[ $folder == data/published/ || $folder == data/local/ ]] || run -0 "$TILELAB" check "$folder"
    done
}

@test "a row that was removed is told with its study and the numbers, whatever the hash says" {
    recorded
    hashed
    run -0 "$TILELAB" check data/mine
    [ "$output" = 'data/mine: 1 studies agree with their run records; 0 of them lack rows that left-out.csv counts' ]
    sed -i /a2/d data/mine/mine.results.csv
    run -2 "$TILELAB" check data/mine
    [[ $output == *'data/mine: mine: its run record counts 2 ok, its results.csv has 1'* ]] ||
        { echo "$output"; return 1; }
    [[ $output == *'mine: its results.csv is not the file whose hash its run record has'* ]]
    hashed
    run -2 "$TILELAB" check data/mine
    [ "$output" = 'data/mine: mine: its run record counts 2 ok, its results.csv has 1' ]
    # A list of what was lost takes the number, and needs a reason.
    printf '%s\n' experiment,cell,status,rows,reason mine,,ok,1,lost >data/mine/left-out.csv
    run -0 "$TILELAB" check data/mine
    [[ $output == *'; 1 of them lack rows that left-out.csv counts' ]]
    printf '%s\n' experiment,cell,status,rows,reason mine,,ok,1, >data/mine/left-out.csv
    run -2 "$TILELAB" check data/mine
    [[ $output == *'left-out.csv: line 2 needs an experiment and a reason' ]] || { echo "$output"; return 1; }
}

@test "two kinds of machine under one name are refused" {
    recorded
    sed -i '/a2/s/0123456789abcdef/fedcba9876543210/' data/mine/mine.results.csv
    run -2 "$TILELAB" check data/mine
    [[ $output == 'data/mine: mine: its rows are of another kind of machine (fedcba9876543210)'* ]] ||
        { echo "$output"; return 1; }
}

@test "two kinds of machine whose processors have one name are refused" {
    local study
    recorded
    jq '.machine = {l3_bytes: 33554432, nominal_ghz: 2.45}' data/mine/mine.run.json >record
    for study in mine yours; do
        cp record "data/mine/$study.run.json"
        [ -e "data/mine/$study.results.csv" ] || sed "s/^mine,/$study,/" data/mine/mine.results.csv \
            >"data/mine/$study.results.csv"
    done
    # The clock may be measured at the start of the kernel, and an older record does not tell all facts.
    jq '.machine.nominal_ghz = 2.0' record >data/mine/mine.run.json
    jq '.machine.nominal_ghz = 2' record >data/mine/yours.run.json
    run -0 "$TILELAB" check data/mine
    cp record data/mine/mine.run.json
    jq '.machine += {nominal_ghz: 2.449, cpu_id: "family 25, model 1"}' record >data/mine/yours.run.json
    run -0 "$TILELAB" check data/mine
    jq '.machine.l3_bytes = 8388608' record >data/mine/yours.run.json
    run -2 "$TILELAB" check data/mine
    [ "$output" = 'data/mine: yours: its run record tells of another kind of machine than that of mine'\
' (l3_bytes is 8388608, not 33554432); give it a folder' ] || { echo "$output"; return 1; }
}

@test "a row that is marked as left out has no time, and its reason is shown" {
    recorded
    echo "SELECT idea, status, reason FROM results ORDER BY cell;" >rows.sql
    printf '%s\n' experiment,cell,status,rows,reason 'mine,a2,,,a neighbour ran' >data/mine/left-out.csv
    run -0 "$TILELAB" check data/mine
    run -0 "$TILELAB" query --data data/mine --published data --format csv rows.sql
    [[ $output == *'seq-ijk,ok,'*'seq-ikj,withdrawn,left out: a neighbour ran'* ]] || { echo "$output"; return 1; }
    # A mark of no row leaves nothing out: its cell may be misspelt.
    sed -i s/a2/a9/ data/mine/left-out.csv
    run -2 "$TILELAB" check data/mine
    says 'left-out.csv: line 2 marks the cell a9, which mine.results.csv does not have'
}

@test "report and site leave out a recorded folder that does not agree" {
    recorded
    sed -i /a2/d data/mine/mine.results.csv
    # The part that both share is enough.
    mkdir -p report/text/en data/local
    : >report/words.csv
    run -2 env TILELAB="$TILELAB" REPORT_LANGUAGE=en DATA=data/mine \
        bash -c "set -eu; . $root/report/data.sh; agree"
    run -0 env TILELAB="$TILELAB" REPORT_LANGUAGE=en DATA=data/local \
        bash -c "set -eu; . $root/report/data.sh; agree; echo \"refused:\$refused, shown: \${folders[*]}\""
    [[ $output == *'refused: mine, shown: data/local'* ]]
    [[ $output == *'its run record counts 2 ok, its results.csv has 1'*'data/mine is refused; '* ]] ||
        { echo "$output"; return 1; }
}
