# What the tests share that put a run in trouble: the study that it measures, and the comparison of two folders.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# victim TITLE: prints an experiment file. Its study has all that a worker does: fresh copies of an operand, a
# reference, a log of residuals, several launches.
victim() {
    cat <<YAML
schema: 1
title: {en: "$1"}
source: tilelab
problem: [matmul, lu, jacobi]
precision: f64
grid:
  n: [24, 32]
  variant: [matmul/seq-ikj, matmul/omp-ikj, lu/seq-naive, jacobi/seq]
  threads: {for: "*/omp-*", values: [2]}
YAML
}

# same FOLDER FOLDER [LOG]: whether the study's files of results have the same bytes in both folders.
same() {
    local kind
    for kind in results samples history archive archive-samples archive-history; do
        [ -e "$1/victim.$kind.csv" ] || [ -e "$2/victim.$kind.csv" ] || continue
        cmp "$1/victim.$kind.csv" "$2/victim.$kind.csv" >>"${3:-/dev/null}" 2>&1 || return 1
    done
}
