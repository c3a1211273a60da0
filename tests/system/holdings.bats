#!/usr/bin/env bats
# What a data folder holds: where each number comes from, results before and after a change, and what may be dropped.
# SPDX-License-Identifier: MIT
load common

# rows FILE ROW...: writes invented results of the study that names the file. A row has the fields cell, status, flags,
# median_s, ci_lo_s, ci_hi_s, source_hash, profile and generation.
rows() {
    local file=$1 study row
    study=$(basename "${file%%.*}")
    shift
    echo experiment,variant,n,cell,status,flags,median_s,ci_lo_s,ci_hi_s,source_hash,profile,generation >"$file"
    for row in "$@"; do
        echo "$study,matmul/seq-ijk,64,$row" >>"$file"
    done
}

@test "show says in one line which profile, generation, source and clock all numbers have" {
    tiny
    measure tiny.yaml
    run -0 "$TILELAB" show tiny --data data
    grep -x "profile quick, generation 1, source current, simulated clock" <<<"$output"
    [[ $output == *$'\nsimulated: 4 ('* ]]
}

@test "show has a column for each origin in which the numbers differ" {
    rows data/tiny.results.csv a,ok,noisy,0.5,0.4,0.6,0000000000000000,full,2 \
        b,ok,partial,0.5,0.4,0.6,0000000000000000,quick,1
    run -0 "$TILELAB" show tiny --data data
    [[ $output == *$'\nsource changed since, real clock\n'* ]]
    [[ $output == *$'\npartial: 1 ('* && $output != *simulated* ]]
    [[ $output == *'profile  generation'* ]]
    [[ $output == *' msⁿ '*'full              2'*' msᵖ '*'quick             1'* ]]
}

@test "show takes a profile that the rows do not tell from the run record" {
    rows data/tiny.results.csv a,ok,,0.5,0.4,0.6,,,
    echo '{"experiment": {"profile": "record"}}' >data/tiny.run.json
    run "$TILELAB" show tiny --data data
    [[ $output == *$'\nprofile record, generation 1, source unknown, real clock\n'* ]]
}

@test "show and list --results read the journal of a run that was cut off before it wrote results.csv" {
    tiny
    measure tiny.yaml
    "$TILELAB" show tiny --data data >before
    "$TILELAB" list --results --data data | grep -o '^tiny  *[a-z]*  *4  *0' >counts
    rm data/tiny.results.csv
    "$TILELAB" show tiny --data data | diff before -
    "$TILELAB" list --results --data data | grep -o '^tiny  *[a-z]*  *4  *0' | diff counts -
    # A results.csv that is there counts, also if it is empty.
    rows data/tiny.results.csv
    run -0 --separate-stderr "$TILELAB" show tiny --data data
    [[ $output == 'tiny in data: 0 cells, 0 ok, 0 without a time'* ]]
}

@test "show --generations compares each result with the one before" {
    rows data/tiny.results.csv a,ok,,0.5,0.49,0.51,2222222222222222,quick,2 b,ok,,1,0.9,1.1,2222222222222222,quick,3 \
        c,ok,,1,1,1,1111111111111111,quick,1 d,skipped,,,,,2222222222222222,quick,2
    rows data/tiny.archive.csv a,ok,,1,0.98,1.02,1111111111111111,full,1 b,ok,,2,1.9,2.1,1111111111111111,full,1 \
        b,ok,,1.05,1,1.1,1111111111111111,full,2 d,ok,,1,1,1,1111111111111111,full,1
    run -0 "$TILELAB" show tiny --generations --data data
    [[ $output == *'cells with results of several generations: 2'* ]]
    table=$(tail -n +3 <<<"$output" | tr -s ' ' | sed 's/ *$//')
    [ "$table" = 'variant n generation profile changed time interval time / before its interval verdict kept as
matmul/seq-ijk 64 1 full 1.000 s 0.980 .. 1.020 archived
matmul/seq-ijk 64 2 quick source 500.0 ms 490.0 .. 510.0 0.500 0.480 .. 0.520 faster shown
matmul/seq-ijk 64 1 full 2.000 s 1.900 .. 2.100 archived
matmul/seq-ijk 64 2 full 1.050 s 1.000 .. 1.100 0.525 0.476 .. 0.579 faster archived
matmul/seq-ijk 64 3 quick source 1.000 s 0.900 .. 1.100 0.952 0.818 .. 1.100 undecided shown' ]
}

@test "plan says which profiles satisfy it, and why the other cells are measured" {
    tiny
    measure tiny.yaml
    "$TILELAB" run tiny.yaml --profile full --data data
    printf 'quick: {n: [64, 72, 80]}\n' >>tiny.yaml
    run -0 "$TILELAB" plan tiny.yaml --profile quick --data data
    says ' 4 finished: 4 by profile full' ' 2 to measure: missing'
    measure tiny.yaml
    run "$TILELAB" plan tiny.yaml --profile quick --data data
    [[ $output == *' 6 finished: 4 by profile full, 2 by quick'* ]]
}

@test "list --results tells what a folder holds of each study" {
    tiny
    measure tiny.yaml
    "$TILELAB" run tiny.yaml --profile full --data data
    rows data/old.results.csv a,ok,partial,0.5,0.4,0.6,0000000000000000,full,2 b,skipped,,,,,,full,1 \
        c,crash,,,,,0000000000000000,quick,1
    rows data/old.archive.csv a,ok,,1,0.98,1.02,1111111111111111,full,1
    echo '{"measured_at": 1000000000}' >data/old.run.json
    run -0 "$TILELAB" list --results --data data
    table=$(sed 4q <<<"$output" | tr -s ' ' | sed -E 's/ [0-9.]+ kB//g')
    [ "$table" = 'studies in data: 2
study profile ok skipped failed flagged partial simulated stale generations archived machine measured (UTC) CSV journal
old full+quick 1 1 1 1 1 2 2 1 unknown 2001-09-09 01:46 none
tiny full 4 0 0 4 4 0 1 this one' ]
    grep -E '^tiny  +[1-9][0-9]*  +[0-9.]+ kB' <<<"$output"
    run -2 "$TILELAB" list --results --data nowhere
    run -2 "$TILELAB" list 'matmul/*' --data data
}

@test "list --results says which study has its file neither here nor in experiments/" {
    tiny
    tiny away
    measure tiny.yaml away.yaml
    mkdir -p experiments elsewhere
    mv away.yaml elsewhere
    run -0 "$TILELAB" list --results --data data
    says 'away.yaml is neither here nor in experiments/'
    [[ $output != *'tiny.yaml is'* ]]
}

# replaced: leaves results in ./data that better results have replaced, and a file of a run that was killed.
replaced() {
    tiny
    measure tiny.yaml
    "$TILELAB" run tiny.yaml --profile full --data data
    echo part >data/.tiny.results.csv.new
    mkdir -p before
    cp data/*.csv data/tiny.run.json before/
}

@test "list --results ends where some rows tell no profile, and the run record tells none either" {
    rows data/tiny.results.csv a,ok,,0.5,0.4,0.6,,full,1 b,ok,,0.5,0.4,0.6,,,1
    run -0 timeout 20 "$TILELAB" list --results --data data
    [[ "$output" == *'full'* ]]
}

@test "prune drops nothing unasked" {
    replaced
    cp data/.journal/tiny.journal before/
    run -0 "$TILELAB" prune --data data
    [[ $output == *--superseded*--generations* ]]
    run -2 "$TILELAB" prune --superseded --data data </dev/null
    [[ $output == *--yes* ]]
    run -2 "$TILELAB" prune --superseded --data data nothing --yes
    if command -v script; then
        script -qec "'$TILELAB' prune --superseded --data data" /dev/null <<<n
    fi
    cmp before/tiny.journal data/.journal/tiny.journal
    [ -e data/.tiny.results.csv.new ]
}

@test "prune drops superseded lines and temporary files, and every shown result stays" {
    replaced
    run -0 "$TILELAB" prune --superseded --yes --data data tiny.yaml
    [ ! -e data/.tiny.results.csv.new ]
    for file in before/*; do
        cmp "$file" "data/${file##*/}"
    done
    run "$TILELAB" prune --superseded --data data
    [[ $status -eq 0 && $output == *'nothing to drop'* ]]
    run "$TILELAB" plan tiny.yaml --profile full --data data
    [[ $output == *'4 finished, 0 to measure'* ]]
}

@test "prune asks at a terminal" {
    command -v script || skip 'script is missing'
    replaced
    script -qec "'$TILELAB' prune --superseded --data data" /dev/null <<<y
    run "$TILELAB" prune --data data
    [[ $output == *'nothing to drop'* ]]
}

@test "prune needs results.csv, which tells what is shown" {
    replaced
    rm data/tiny.results.csv
    cp data/.journal/tiny.journal before/
    run -4 "$TILELAB" prune --superseded --generations --yes --data data
    [[ $output == *'no results.csv'* && $output != *'nothing to drop'* ]]
    cmp before/tiny.journal data/.journal/tiny.journal
}

@test "prune of a folder without a journal lets the run record keep that its files were changed" {
    tiny
    measure tiny.yaml
    rm -r data/.journal
    sed -i '2s/,ok,/,ok,faster than it was/' data/tiny.results.csv
    echo part >data/.tiny.results.csv.new
    cp data/tiny.run.json before.json
    run -0 "$TILELAB" prune --data data
    cmp before.json data/tiny.run.json
    run -0 "$TILELAB" prune --superseded --yes --data data
    [ "$(jq -c .changed_outputs data/tiny.run.json)" = '["results.csv"]' ]
    diff <(jq -S 'del(.outputs)' before.json) <(jq -S 'del(.outputs, .changed_outputs)' data/tiny.run.json)
    # The next run takes the rows from the journal.
    run -0 "$TILELAB" run tiny.yaml --profile quick --data data
    run -0 --separate-stderr "$TILELAB" show tiny --data data
    [[ "$stderr" == *'rows of a file that was changed after its run'* ]]
}

# older FILE: takes the column `inputs` out, as a program wrote the file that did not have it. No field has a comma.
older() {
    local gone
    gone=$(head -n 1 "$1" | tr , '\n' | grep -nx inputs | cut -d : -f 1)
    cut -d , -f "$gone" --complement "$1" >older.csv
    cp older.csv "$1"
}

@test "prune writes no file of a study that it drops nothing of" {
    replaced
    tiny other
    measure other.yaml
    rm data/.journal/other.journal
    older data/other.results.csv
    run -0 "$TILELAB" prune --superseded --yes --data data
    cmp older.csv data/other.results.csv
    [ ! -e data/.journal/other.journal ]
}

@test "prune lets the run record name files that it wrote with a column more" {
    tiny
    measure tiny.yaml
    rm -r data/.journal
    older data/tiny.results.csv
    hash=$(sha256sum <older.csv | cut -d ' ' -f 1)
    jq --arg hash "$hash" '.outputs["results.csv"] = $hash' data/tiny.run.json >new.json
    cp new.json data/tiny.run.json
    run -0 "$TILELAB" check data
    echo part >data/.tiny.results.csv.new
    run -0 "$TILELAB" prune --superseded --yes --data data
    head -n 1 data/tiny.results.csv | grep ,inputs,
    run -0 "$TILELAB" check data
}

@test "prune leaves a study that another run holds" {
    replaced
    exec 9<>data/.journal/tiny.journal
    flock -x 9
    run -4 "$TILELAB" prune --superseded --yes --data data
    [ -e data/.tiny.results.csv.new ]
}

@test "generations: a changed source is compared, listed and pruned" {
    tiny
    measure tiny.yaml
    # As if the variants had been measured before a change of their sources.
    hashes=$("$root/tests/column" source_hash data/tiny.results.csv | sort -u)
    for hash in $hashes; do
        sed -i "s/$hash/$(rev <<<"$hash")/" data/tiny.results.csv
    done
    rm -r data/.journal
    run "$TILELAB" show tiny --data data
    grep -x 'profile quick, generation 1, source changed since, simulated clock' <<<"$output"
    measure tiny.yaml
    [[ $output == *'source changed: 4'* ]]
    run "$TILELAB" show tiny --data data
    grep -x 'profile quick, generation 2, source current, simulated clock' <<<"$output"
    run "$TILELAB" show tiny --generations --data data
    [ "$(grep -cE ' 2  quick +source .* same +shown' <<<"$output")" -eq 4 ]
    run "$TILELAB" list --results --data data
    grep -E '^tiny  .* 4  +[0-9.]+ kB' <<<"$output"
    cp data/tiny.{results,samples}.csv data/tiny.run.json .
    run -0 "$TILELAB" prune --generations --yes --data data
    [ ! -e data/tiny.archive.csv ]
    for file in tiny.*.csv tiny.run.json; do
        cmp "$file" "data/$file"
    done
    run "$TILELAB" show tiny --generations --data data
    [[ $output == *'of several generations: 0'* ]]
}
