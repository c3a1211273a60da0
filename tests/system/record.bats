#!/usr/bin/env bats
# Recording a host with tools/record, and what make passes on to the program.
# SPDX-License-Identifier: MIT
load common

# record [-STATUS] ARGUMENT...: calls tools/record in a tree of its own that has the studies tiny and other.
record() {
    local expected=()
    [[ $1 != -[0-9] ]] || { expected=("$1"); shift; }
    if [ ! -d tree ]; then
        mkdir -p tree/tools tree/experiments tree/build
        cp "$root/tools/record" "$root/tools/nearest" tree/tools/
        tiny
        tiny other
        mv tiny.yaml other.yaml tree/experiments/
        TILELAB=$(realpath "$TILELAB")
        export TILELAB
    fi
    run "${expected[@]}" tree/tools/record "$@"
}

# another_machine FOLDER: makes the rows of a folder those of another machine, as a clone has them.
another_machine() {
    rm -rf "$1/.journal"
    sed -i -E "s/$(column machine_hash "$1/tiny.results.csv" | head -n 1)/0123456789abcdef/" \
        "$1"/*.{results.csv,run.json}
}

@test "a record is one folder and one file, of the studies that were named" {
    record -0 mine tiny
    [ -s tree/data/mine/tiny.results.csv ]
    [ ! -e tree/data/mine/other.results.csv ]
    tar -tzf tree/build/mine.tar.gz | grep -qx data/mine/.journal/tiny.journal
    record mine
    [ -s tree/data/mine/other.results.csv ]
    [[ "$output" == *"tiny: 4 cells, 4 finished"* ]]
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
    record -0 mine --dry-run tiny
    [[ "$output" == *"4 finished"*" 0 to measure"* ]]
    [ "$(wc -l <tree/data/mine/tiny.samples.csv)" -eq 1 ]
    record -0 mine tiny
    [[ "$output" == *"going on from build/mine.tar.gz"*"4 finished"*" 0 to measure"* ]]
    [ "$before" = "$(cd tree/data && find . -type f -exec sha256sum {} + | sort)" ]
    [ "$(tar -xOzf tree/build/mine.*.tar.gz data/mine/tiny.samples.csv | wc -l)" -eq 1 ]
}

@test "a pack that differs from the journals here is kept" {
    record mine tiny
    cp tree/build/mine.tar.gz first.tar.gz
    rm -r tree/data/mine/.journal tree/data/mine tree/build/mine.tar.gz
    record mine other
    cp first.tar.gz tree/build/mine.tar.gz
    record -0 mine other
    cmp first.tar.gz tree/build/mine.*.tar.gz
}

@test "a pack of another host, or of another machine, is refused" {
    record mine tiny
    record -4 yours --pack build/mine.tar.gz tiny
    [ ! -e tree/data/yours ]
    another_machine tree/data/mine
    (cd tree && tar -czf build/mine.tar.gz data/mine && rm -r data/mine)
    cp tree/build/mine.tar.gz before.tar.gz
    record -4 mine tiny
    [[ "$output" == *"results of another kind of machine"* ]]
    cmp before.tar.gz tree/build/mine.tar.gz
}

@test "another machine's record is neither changed nor packed" {
    record mine tiny
    another_machine tree/data/mine
    rm tree/build/mine.tar.gz
    local before
    before=$(find tree -type f -exec sha256sum {} + | sort)
    record -4 mine
    [ "$before" = "$(find tree -type f -exec sha256sum {} + | sort)" ]
}

@test "the command that goes on with a record is the one that was typed" {
    record mine tiny
    sed -i 's/\[64, 72\]/[64, 3000]/' tree/experiments/tiny.yaml
    record -0 mine --profile record --budget 5s tiny
    [[ "$output" == *"2 cells are left, about"* ]]
    # Nothing fits into the budget, so the command has none.
    grep -qx '  tree/tools/record mine --profile record tiny' <<<"$output"
}

@test "a part of a record: settings and patterns are handed on, and a dry run packs nothing" {
    record -0 mine --dry-run tiny
    [[ "$output" == *"4 to measure"*"left on the CPU"* ]]
    [ ! -e tree/data ] && [ ! -e tree/build/mine.tar.gz ]
    record -0 mine --set n=80 --only seq-ikj tiny
    [[ "$output" == *"tiny: 1 cells,"*" 1 to measure"* ]]
    [ "$(column variant,n tree/data/mine/tiny.archive.csv)" = 'matmul/seq-ikj 80' ]
    tar -tzf tree/build/mine.tar.gz | grep -qx data/mine/tiny.archive.csv
    record mine tny
    [ "$output" = 'record: there is no experiments/tny.yaml; did you mean experiments/tiny.yaml?' ]
}

@test "make hands studies, budget and the typed command on" {
    local make=${MAKE:-make}
    run -0 "$make" -C "$root" -n record HOST=mine EXPS='lab5-aat smoke' BUDGET=8m NEED=gpu
    tr -s '\\\n ' ' ' <<<"$output" |
        grep -q "tools/record 'mine' --profile record --budget '8m' --need 'gpu' lab5-aat smoke"
    run "$make" -C "$root" -n report EXPS=smoke
    [[ "$output" == *"tilelab run --profile quick --data 'data/local'"*"experiments/smoke.yaml"* ]]
    run -0 "$make" -C "$root" -n report EXPS=smoke MEASURE=no
    [[ "$output" != *"tilelab run"* && "$output" == *"report/build.sh report"* ]]
    run -2 "$make" -C "$root" -n report MEASURE=maybe
}

# simulate STUDY FIELD VALUE [VARIANT N]: writes a value into a field of the rows of a record, or of the row of one
# cell, as another machine or a noisy one would have written it, and drops the journals.
simulate() {
    rm -rf tree/data/mine/.journal tree/build/mine.tar.gz
    awk -F, -v OFS=, -v field="$2" -v value="$3" -v variant="${4-}" -v n="${5-}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && (n == "" || $at["n"] == n && $at["variant"] == "matmul/" variant) { $at[field] = value }
        { print }' "tree/data/mine/$1.results.csv" >rewritten
    mv rewritten "tree/data/mine/$1.results.csv"
}

# The cells that a record has measured, in their order: "tiny seq-ijk 64".
measured() {
    sed -nE 's|^([a-z]+) \[.*matmul/([a-z-]+) f64 n=([0-9]+).*|\1 \2 \3|p' <<<"$output"
}

@test "a record takes stale cells of all studies before missing cells, and flagged cells last" {
    record -0 mine tiny
    simulate tiny source_hash 0123456789abcdef seq-ijk 72
    simulate tiny flags noisy+simulated seq-ikj 64
    record -0 mine
    # The stale cell comes first, whether it is the fastest cell of its group or not.
    [ "$(measured | head -n 1)" = "tiny seq-ijk 72" ]
    [ "$(measured | tail -n 1)" = "tiny seq-ikj 64" ]
    [ "$(measured | grep -c other)" -eq 4 ]
    [ "$(measured | wc -l)" -eq 6 ]
    [ "$(column flags tree/data/mine/tiny.results.csv | sort -u)" = simulated ]
}

@test "the libraries' cells, and what findings and claims use, come first" {
    record mine tiny
    rm -r tree/data tree/build/mine.tar.gz
    sed -i 's/seq-ikj]/seq-ikj, blas-openblas]\n  threads: 1/' tree/experiments/other.yaml
    echo 'figures: [gflops-by-n]' | tee -a tree/experiments/tiny.yaml >>tree/experiments/other.yaml
    mkdir -p tree/report/findings tree/data
    cp "$root"/report/{chosen,hostnames,chosen-cells,headlines}.sql tree/report/
    cp -r "$root/data/published" tree/data/
    printf '%s\n' '-- facts' "SELECT 'other' AS experiment, 'seq-ikj' AS idea;" >tree/report/findings/one.sql
    printf 'id,studies,subject,reference,points\none,tiny smoke,matmul/seq-ijk,,\n' >tree/data/published/claims.csv
    sed -i 's/\[64, 72\]/[64]/' tree/experiments/*.yaml
    record mine --budget 0.000001s
    [[ "$output" == *"left on the CPU, about "*": 3 headline"*"left on the CPU, about "*": 2 missing"* ]]
    [ "$(column status tree/data/mine/other.results.csv | sort -u)" = skipped ]
    column reason tree/data/mine/other.results.csv | grep -q 'outside the budget of .*: predicted'
}

@test "where one cell is measured on another machine, the cells that it is compared with are measured again" {
    record mine tiny
    simulate tiny machine_mark 0badcafe
    record mine tiny
    [ "$(measured | wc -l)" -eq 0 ]
    simulate tiny source_hash 0123456789abcdef seq-ijk 72
    record mine tiny
    [ "$(measured | sort)" = $'tiny seq-ijk 72\ntiny seq-ikj 72' ]
    # A container may have no mark.
    column n,machine_mark tree/data/mine/tiny.results.csv | sort -u >marks
    [ "$(head -n 1 marks)" = "64 0badcafe" ]
    tail -n +2 marks | grep -qxE '72 (-|[0-9a-f]{8})'
    [ "$(wc -l <marks)" -eq 2 ]
    # Pieces of one machine do not start over.
    record mine tiny
    [ "$(measured | wc -l)" -eq 0 ]
}

@test "a budget is shared by all studies, pieces are one record, and a kind of processor can be left out" {
    record -0 mine --need gpu
    [ "$(measured | wc -l)" -eq 0 ]
    sed -i 's/\[64, 72\]/[64, 3000]/' tree/experiments/tiny.yaml
    record -0 mine --budget 10s
    # The long cells of tiny, which comes last by name, do not keep other from being measured, nor the reverse.
    [ "$(measured | grep -c other)" -eq 4 ]
    [ "$(measured | grep -c tiny)" -eq 2 ]
    [[ "$output" == *"left on the CPU, about "*"2 cells are left, about"* ]]
    sed -i 's/3000/72/' tree/experiments/tiny.yaml
    record mine --budget 10s
    [ "$(measured | wc -l)" -eq 2 ]
    record -2 mine --need tpu
}

@test "a row of an earlier source is marked, and the run record keeps how that source was compiled" {
    record mine tiny
    cd tree || return 1
    local build='.variants[] | select(.name == "matmul/seq-ijk")'
    jq "($build).source_hash = \"0123456789abcdef0000\" | ($build).compile_line = \"cc old\"" \
        data/mine/tiny.run.json >new.json
    mv new.json data/mine/tiny.run.json
    cd ..
    simulate tiny source_hash 0123456789abcdef seq-ijk 72
    record mine --budget 0.000001s tiny
    run jq -r '.earlier_builds[] | "\(.name) \(.compile_line)"' tree/data/mine/tiny.run.json
    [ "$output" = "matmul/seq-ijk cc old" ]
    [ "$(jq -r "$build | .compile_line" tree/data/mine/tiny.run.json)" != "cc old" ]
    # The one that is stale has a letter of its own; the table says what it means.
    echo "SELECT idea AS \"Variant\", n AS \"n\", marked(si(median_s, 's'), flagged) AS \"Time\" FROM results
          ORDER BY cell;" >rows.sql
    run "$TILELAB" query --data tree/data/mine --published "$root/data/published" --block mine=mine \
        --set experiment=tiny --format latex rows.sql
    [ "$(grep -c ' & 72 & .*s\$.*{s}' <<<"$output")" -eq 1 ]
    grep -q 'seq-ijk & 72 & .*s\$.*{s}' <<<"$output"
    grep -qF 'flagrow{3}{\flagname{f}, \flagname{s}}' <<<"$output"
    # Once the row is measured again, nothing is left to tell.
    record mine tiny
    [ "$(jq '.earlier_builds | length' tree/data/mine/tiny.run.json)" -eq 0 ]
    [ "$(jq '.machine | has("number")' tree/data/mine/tiny.run.json)" = true ]
}
