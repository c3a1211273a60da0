#!/usr/bin/env bats
# The formats of `tilelab show`.
# SPDX-License-Identifier: MIT
load common

@test "show warns of a file whose end cannot be read" {
    tiny
    measure tiny.yaml
    printf '"tiny,' >>data/tiny.results.csv
    run -0 "$TILELAB" show tiny --data data
    says 'data/tiny.results.csv:6: warning: left out the rest of the file: a quoted field is not closed' '4 cells'
}

@test "show prints Markdown, CSV and JSON of the same cells" {
    study three <<<'grid: {n: [64, 72], variant: [seq-ijk, seq-ikj, cuda-global]}'
    measure three.yaml
    "$TILELAB" show three --data data --format markdown >three.md
    "$TILELAB" show three --data data --format md | cmp three.md -
    [ "$(grep -c '^| matmul/' three.md)" -eq 6 ]
    [ "$(grep -cE '^\|(---\||--:\|)+$' three.md)" -eq 2 ]
    "$TILELAB" show three --data data --format csv >three.csv
    [ "$(wc -l <three.csv)" -eq 7 ]
    # The columns that no row fills are left out, the others are those of results.csv.
    [[ "$(head -n 1 three.csv)" == experiment,cell,* && "$(head -n 1 three.csv)" != *omega* ]]
    if command -v jq >/dev/null; then
        "$TILELAB" show three --data data --format json >three.json
        [ "$(jq length three.json)" -eq 6 ]
        [ "$(jq '[.[] | select(.status == "ok") | .median_s] | all(type == "number")' three.json)" = true ]
        [ "$(jq -c '[.[].n] | unique' three.json)" = '[64,72]' ]
    fi
}

@test "show refuses a format that it does not have, and formats of other outputs" {
    tiny
    measure tiny.yaml
    run -2 "$TILELAB" show tiny --data data --format html
    [[ "$output" == *"there is no format 'html'; the formats are text, markdown, json and csv"* ]]
    run -2 "$TILELAB" show tiny --data data --generations --format csv
    [[ "$output" == *"--format belongs to the results"* ]]
}

@test "show says which results a misspelt study may mean" {
    tiny
    measure tiny.yaml
    run -2 "$TILELAB" show tinny --data data
    [ "$output" = "tilelab show: data/tinny.results.csv: No such file or directory; did you mean 'tiny'?" ]
    run -2 "$TILELAB" show another --data data
    [[ "$output" == *'measures, --data DIR names another folder' ]]
}

@test "query takes options before and behind the files" {
    tiny
    measure tiny.yaml
    echo 'SELECT count(*) AS cells FROM results;' >count.sql
    "$TILELAB" query --data data --format json count.sql >before
    "$TILELAB" query count.sql --data data --format json | diff before -
    # SQL also comes from the command line and from the standard input.
    "$TILELAB" query "$(<count.sql)" --data data --format json | diff before -
    "$TILELAB" query - --data data --format json <count.sql | diff before -
    run -2 "$TILELAB" query 'SELECT 1, absent' --data data
    [ "$output" = 'SQL:1: error: no such column: absent' ]
    run -2 "$TILELAB" query count.sql --from data
    [ "${lines[0]}" = 'tilelab query: unknown option: --from' ]
}

@test "query and status refuse a folder that is not there, as show does" {
    tiny
    measure tiny.yaml
    run -2 "$TILELAB" query --data data --data nowhere 'SELECT variant FROM results'
    says 'tilelab query: nowhere: No such file or directory; ' 'measures, --data DIR names another folder'
    run -2 "$TILELAB" status nowhere
    says 'tilelab status: nowhere: No such file or directory; ' 'measures a part'
    # The program itself is asked without results.
    run -0 "$TILELAB" query 'SELECT 1 AS one'
    [ "$output" = $'one\n1' ]
}

@test "an empty name of a folder or of a query is told as one" {
    tiny
    for subcommand in 'run tiny.yaml' 'plan tiny.yaml' 'show tiny' 'why matmul/seq-ijk' 'list --results' status; do
        # shellcheck disable=SC2086 # the subcommand and its words
        run -2 "$TILELAB" $subcommand --data ''
        says 'has an empty name'
    done
    run -2 "$TILELAB" query --data '' 'SELECT 1'
    says 'tilelab query: the folder has an empty name: --data'
    run -2 "$TILELAB" query ''
    says 'tilelab query: an empty word is neither a file nor SQL'
}
