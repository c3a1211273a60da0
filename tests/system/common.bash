# What the system tests share.
# SPDX-License-Identifier: MIT

bats_require_minimum_version 1.5.0

setup() {
    root=$BATS_TEST_DIRNAME/../..
    TILELAB=${TILELAB:-$root/build/tilelab}
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p data
    # The cell alone decides each time, so that no test waits for a clock.
    export TILELAB_FAKE_TIMER=1
}

# A test that fails shows the output of its last `run`.
teardown() {
    [ -n "${BATS_TEST_COMPLETED:-}" ] || printf '%s\n' "${output:-}" "${stderr:-}"
}

# study NAME [PROBLEM [PRECISION]]: writes an experiment file; standard input gives its grid and further keys.
study() {
    {
        printf 'schema: 1\ntitle: {en: "Test"}\nsource: tilelab\n'
        printf 'problem: %s\nprecision: %s\n' "${2:-matmul}" "${3:-f64}"
        cat
    } >"$1.yaml"
}

tiny() {
    study "${1:-tiny}" <<'YAML'
grid:
  n: [64, 72]
  variant: [seq-ijk, seq-ikj]
YAML
}

# measure [-STATUS] FILE...: runs experiment files into ./data, and checks the exit status if it is given.
measure() {
    local expected=()
    [[ $1 != -[0-9] ]] || { expected=("$1"); shift; }
    run "${expected[@]}" "$TILELAB" run "$@" --profile quick --data data
}

# says TEXT...: the last output holds each text.
says() {
    local text
    for text; do [[ $output == *"$text"* ]] || { echo "not said: $text"; return 1; }; done
}

# column NAME FILE: the cells' values of a column of results.csv, with their variant, for the problem under test.
column() {
    "$BATS_TEST_DIRNAME/../column" "$@"
}

# program FILE: makes a program, whose script is standard input.
program() {
    rm -f "$1" # it may be a link
    { echo '#!/bin/bash'; cat; } >"$1"
    chmod +x "$1"
}

# fake NAME OBJECT [OPTION]...: compiles tests/unit/fake/NAME.c to a shared object.
fake() {
    cc -std=c11 -D_GNU_SOURCE -shared -fPIC "${@:3}" -I"$BATS_TEST_DIRNAME/../../src" -o "$2" \
        "$BATS_TEST_DIRNAME/../unit/fake/$1.c"
}

# older NAME OBJECT: the same, as a version did that had one axis less.
older() {
    local source=$BATS_TEST_DIRNAME/../../src
    mkdir -p source
    cp -r "$source"/*.h "$source"/*.def "$source/backend" source
    sed -i '/^AXIS(host_memory,/,$d' source/axes.def
    fake "$1" "$2" -Isource
}

# fake_gpu: makes a GPU of this folder that computes in host memory, tests/unit/fake/gpu.c.
fake_gpu() {
    mkdir -p objects
    fake gpu objects/tilelab-cuda.so || return 1
    cp objects/tilelab-cuda.so libcuda.so.1
    cp objects/tilelab-cuda.so libnvidia-ml.so.1
}

# of_study STUDY FORMAT FILE...: the rows of SQL files for a study in ./data.
of_study() {
    (cd "$root" && "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --published data/published --set host=data \
        --set "experiment=$1" --set studies= --set hosts=all --format "$2" "${@:3}")
}

# facts_in FILE... -- OPTION...: the facts of files in report/; the options name the folders.
facts_in() {
    local files=()
    while [ "$1" != -- ]; do files+=("report/$1") && shift; done
    (cd "$root" && "$TILELAB" query "${@:2}" --published data/published --set studies= --set hosts=all --format facts \
        report/chosen-cells.sql "${files[@]}")
}
# facts_of OPTION...: the facts of all findings and notes.
facts_of() {
    local files
    files=("$root"/report/{findings,notes}/*.sql)
    facts_in "${files[@]#"$root/report/"}" -- "$@"
}

# total_samples STUDY [SHARE]: invents the series with the copies of each cell that has such a time in ./data: two
# rounds, of which the second is longer by the share (0).
total_samples() {
    awk -F, -v share="${2:-0}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "cell,round,launch,index,repeats,total_s"; next }
        $at["total_s"] { for (round = 0; round < 2; round++)
            print $at["cell"] "," round ",0,0,1," $at["total_s"] * (1 + round * share) }' \
        "data/$1.results.csv" >"data/$1.samples.csv"
}

# is_at_home_anywhere SUBCOMMAND HINT: outside of the tree it takes the files that come with the program, and a program
# alone gives the hint.
is_at_home_anywhere() {
    mkdir -p local report
    run -0 "$TILELAB" "$1" --data "$root/data/epyc-2core"
    [ -n "$output" ]
    cp "$TILELAB" lone
    run -2 ./lone "$1" --data local
    says "$2"
}

# said NAME: the facts of the finding or note NAME from ./data, a row a line, "fact=text" between blanks.
said() {
    local file=findings/$1.sql
    [ -e "$root/report/$file" ] || file=notes/$1.sql
    facts_in "$file" -- --data "$BATS_TEST_TMPDIR/data" |
        sed -nE "s/^row\t[a-z]*\/$1\t(.*)/\1 /p" | tr '\t' ' '
}
