#!/usr/bin/env bats
# What make does in the tree itself. It may build the program anew, so that tests/run starts no other check beside this
# file.
# SPDX-License-Identifier: MIT
# bats file_tags=alone
load common

@test "the command that make's run prints goes on" {
    local make=${MAKE:-make} data=$BATS_TEST_TMPDIR/data budget command finished
    # On a busy machine a short budget ends before a cell does. A cell that it interrupts is measured on later.
    for budget in 2s 5s 10s 20s; do
        run -0 "$make" -C "$root" run EXP=lab5-matmul BUDGET=$budget DATA="$data" ARGS='--retry --again'
        [[ "$output" == *" cells are left, about "* ]]
        finished=$(column status,flags "$data/lab5-matmul.results.csv" | grep '^ok' | grep -cv partial) && break
    done
    [ "$finished" -gt 0 ]
    command=$(sed -n '/To go on:$/{n;p;}' <<<"$output")
    [[ "$command" == *"make -C "*" run "* && "$command" == *" BUDGET=$budget"* ]] || { echo "$command"; return 1; }
    [[ "$command" == *" ARGS=--retry"* && "$command" != *again* ]] || { echo "$command"; return 1; }
    run -0 bash -c "$command"
    [[ "$output" == *"lab5-matmul: "*" $finished finished"* ]]
}

@test "without gnuplot, rsvg-convert and LaTeX the report is text, and that is said before anything is measured" {
    cd "$BATS_TEST_DIRNAME/../.." || return 1
    run -0 env -u MAKEFLAGS "${MAKE:-make}" BUILD="${BUILD:-build}" NVCC="${NVCC:-}" GNUPLOT= \
        RSVG_CONVERT= LATEXMK= report EXPS=lab5-aat BUDGET=1s DATA="$BATS_TEST_TMPDIR/data" \
        REPORT="$BATS_TEST_TMPDIR/report.pdf"
    local told measured
    told=$(grep -n -m 1 'no PDF without gnuplot and rsvg-convert and LaTeX' <<<"$output" | cut -d: -f1)
    measured=$(grep -n -m 1 'lab5-aat: ' <<<"$output" | cut -d: -f1)
    [ "$told" -lt "$measured" ]
    grep -q 'aat/seq-ijk' "$BATS_TEST_TMPDIR/report.md"
    [ ! -e "$BATS_TEST_TMPDIR/report.pdf" ]
}
