#!/bin/bash
# Grades one kernel many times, and counts the marks that it gets. Beside it stand the marks of a grader that runs
# everything once. Other programs may run on the machine. Exit code 1: more than one in a hundred is another mark.
#   TILELAB=PROGRAM tests/grades.sh [NUMBER]
# The kernel is the stub of the course, and the baseline is its own algorithm, so that their ratio is near 1.
# SPDX-License-Identifier: MIT
set -eu -o pipefail
cd "$(dirname "$0")/.."
number=${1:-100}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-grades.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
for i in $(seq "$number"); do
    mkdir -p "$scratch/submissions/$i"
    cp examples/course/handout/kernels/omp_mine.c "$scratch/submissions/$i"
done
cat >"$scratch/assignment.yaml" <<'YAML'
schema: 1
title: "The same kernel"
problem: matmul
precision: f64
variant: omp-mine
baseline: omp-ijk
threads: 1
shown: [128, 200, 256]
points: {right: 40, 0.8: 60, 0.9: 70, 1.1: 80, 1.2: 90}
YAML
"$TILELAB" grade "$scratch/submissions" --assignment "$scratch/assignment.yaml" --output "$scratch/grades" --no-sandbox
cat >"$scratch/count.sql" <<'SQL'
CREATE TEMP TABLE marked AS
SELECT points, decided, (SELECT max(points) FROM points p WHERE p.kind = 'right' OR p.ratio <= o.single) AS single
FROM outcome o;
SELECT 'Of ' || count(*) || ' gradings of one kernel '
       || (SELECT max(count) FROM (SELECT count(*) AS count FROM marked GROUP BY points)) || ' gave the same mark, and '
       || sum(NOT decided) || ' were undecided. A grader that runs everything once gives the same mark '
       || (SELECT max(count) FROM (SELECT count(*) AS count FROM marked GROUP BY single)) || ' times.'
FROM marked;
SELECT points || ' points: ' || count(*) || ' times' FROM marked GROUP BY points;
SELECT single || ' points after one run: ' || count(*) || ' times' FROM marked GROUP BY single;
SQL
"$TILELAB" query --data report/grade --published "$scratch/grades/work/tables" --format lines "$scratch/count.sql"
echo 'SELECT 100 * max(count) >= 99 * sum(count) FROM (SELECT count(*) AS count FROM outcome GROUP BY points);' \
    >"$scratch/enough.sql"
[ "$("$TILELAB" query --data report/grade --published "$scratch/grades/work/tables" --format lines \
    "$scratch/enough.sql")" = 1 ]
