#!/bin/bash
# Checks that the same data in two folders make the same PDF, bit for bit. The data have a hostile title and a failed
# cell; no reference is left open.
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
TILELAB=${TILELAB:-$PWD/build/tilelab}
export TILELAB TILELAB_FAKE_TIMER=1 TILELAB_TEST=1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-report.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

count=0 result=0
tell() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; result=1; fi
}

mkdir -p "$scratch/studies"
sed -E 's/^( *n:) \[256.*/\1 [64, 96]/' experiments/lab5-matmul.yaml >"$scratch/studies/lab5-matmul.yaml"
cat >"$scratch/studies/hostile.yaml" <<'YAML'
schema: 1
title: {en: "\\input{/etc/passwd}`id`%_{}#&~^$", ru: "Название \\input{/etc/passwd}`id`%_{}"}
source: tilelab
problem: [matmul, fault]
precision: f64
grid:
  n: [64, 96]
  variant: [matmul/seq-ikj, matmul/omp-ikj, matmul/blas-*, fault/cpu-wrong]
figures: [gflops-by-n, time-by-n]
tables: [best]
YAML
"$TILELAB" run "$scratch"/studies/*.yaml --profile quick --data "$scratch/data" >"$scratch/log" 2>&1
[ $? -eq 1 ]
tell $? "the run ends with the exit code of a failed cell"

# build FOLDER: copies the tree, adds the data and makes the report.
build() {
    mkdir -p "$1"
    tar -cf - --exclude=./.git --exclude=./build --exclude=./data/local --exclude=./out . | tar -xf - -C "$1"
    cp -r "$scratch/data" "$1/data/local"
    (cd "$1" && EXPS='lab5-matmul hostile' BUILD=build DATA=data/local REPORT=build/report.pdf report/build.sh report) \
        >"$scratch/log" 2>&1
}
for folder in "$scratch/one" "$scratch/quite/another"; do
    build "$folder"
    status=$?
    [ $status -eq 0 ] && [ -s "$folder/build/report.pdf" ]
    tell $? "a report is made in ${folder#"$scratch"/}"
    [ $status -eq 0 ] || tail -n 30 "$scratch/log" | sed 's/^/# /'
done
cmp "$scratch/one/build/report.pdf" "$scratch/quite/another/build/report.pdf"
tell $? "both are the same, bit for bit"

pdftotext -layout "$scratch/one/build/report.pdf" "$scratch/text"
# A title may be broken over lines, and its quotes may be set as other characters.
tr -d ' \n\f' <"$scratch/text" >"$scratch/joined"
# shellcheck disable=SC2016 # it is text, not code
grep -qF '\input{/etc/passwd}`id`%_{}' "$scratch/joined"
tell $? "the hostile title is printed as its characters"
! grep -q 'root:x:' "$scratch/text"
tell $? "and nothing of it is obeyed"
! grep -nF '??' "$scratch/text"
tell $? "no reference is open"
grep -q 'cpu-wrong' "$scratch/text"
tell $? "the failed cell is listed"
! grep -qF "$scratch" "$scratch/text"
tell $? "no path of this machine is in it"
echo "1..$count"
exit $result
