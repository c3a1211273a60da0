#!/bin/bash
# Typesets the whole report in each language on full, quick, CPU-only and no data, on quick data beside the recorded
# hosts, on the hosts that decide most claims, and each study alone. The hosts that decide take at most 35 pages, any
# others at most 60 if nobody has named them, one study at most 8 up to the one where listings of kernels begin.
# Nothing sticks out of a page, each fact that is printed has a value, no caption has too many lines, the text names
# each table and figure, and the same data make the same bytes. The check takes minutes; `make check-report` runs it.
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
# shellcheck source=tests/system/report.bash
. tests/system/report.bash
TILELAB=$(realpath "${TILELAB:-build/tilelab}")
export TILELAB
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-pages.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

. tests/tap.bash

# typeset_it DATA LANGUAGE STUDIES MOST [HOSTS]: makes the report of a tree and checks its pages.
typeset_it() {
    local data=$1 language=$2 studies=$3 most=$4 hosts=${5:-all} pages name="$1${3:+ ($3)}${5:+, hosts $5,} in $2"
    (cd "$data" && EXPS=$studies HOSTS=$hosts REPORT_LANGUAGE=$language report/build.sh report) >log 2>&1
    tell $? "$name: a report is made" || return
    pages=$(sed -n 's/^\\newlabel{kernels}{{[^}]*}{\([0-9]*\)}.*/\1/p' "$data/build/report/out/report.aux")
    [ -n "$studies" ] && [ -n "$pages" ] || pages=$(pages "$data")
    [ "${pages:-99}" -le "$most" ]
    tell $? "$name: it has at most $most pages: $pages"
    fits "$data" >wide
    tell $? "$name: nothing sticks out of a page, no fact and no reference is open"
    head -n 9 wide | sed 's/^/# /'
    brief "$data" >long
    tell $? "$name: no caption has too many lines"
    head -n 9 long | sed 's/^/# /'
    referred "$data" >unnamed
    tell $? "$name: the text names each table and figure"
    head -n 9 unnamed | sed 's/^/# /'
}

# full: the recorded results, and beside them the same without a GPU as those of this machine. recorded: the recorded
# results as those of this machine. hosts: what a clone holds, of which the report shows the hosts that decide. quick:
# what a machine without GPU measures by default; a test's clock tells the times. student: the same beside all
# recorded results, as in a clone of this repository.
cd "$scratch" || exit 1
for data in full recorded hosts quick student cpu-only empty; do sources $data; done
cp -r "$root/data/." hosts/data/
cp -r "$root/data/h200" full/data/
without_gpu "$root/data/h200" full/data/local
cp -r full/data/local cpu-only/data/local
cp -r "$root/data/h200" recorded/data/local
TILELAB_FAKE_TIMER=1 CUDA_VISIBLE_DEVICES='' "$TILELAB" run "$root"/experiments/*.yaml --profile quick \
    --data quick/data/local >log 2>&1
tell $? "the quick profile is measured" || { tail -n 5 log; exit 1; }
cp -r "$root/data/." student/data/
cp -r quick/data/local student/data/
recorded=$(cd "$root/data" && dirname -- */*.run.json | sort -u | paste -sd ' ')

for language in "$root"/report/text/*; do
    language=${language##*/}
    for data in full quick student cpu-only empty; do
        typeset_it $data "$language" '' 60
    done
    typeset_it student "$language" '' 99 "$recorded"
    typeset_it hosts "$language" '' 35
    # The first page has the nine answers, the next one the comparisons and the state of the data.
    [ "$(pdftotext -f 1 -l 1 -layout full/build/report.pdf - | grep -c '•')" -eq 9 ] &&
        pdftotext -f 1 -l 1 -layout full/build/report.pdf - | grep -qF 'NVIDIA H200' &&
        pdftotext -f 2 -l 2 -layout full/build/report.pdf - | grep -qF 'cublas'
    tell $? "full in $language: page 1 answers nine questions"
    # LaTeX alone, once more.
    mv full/build/report.pdf first.pdf
    (cd full && REPORT_LANGUAGE=$language report/build.sh report) >log 2>&1
    cmp full/build/report.pdf first.pdf
    tell $? "full in $language: the same data make the same bytes"
    for study in "$root"/experiments/*.yaml; do
        study=$(basename "$study" .yaml)
        for data in recorded quick; do
            compgen -G "$data/data/local/$study.results.csv" >/dev/null && typeset_it $data "$language" "$study" 8
        done
    done
done
echo "1..$count"
exit $result
