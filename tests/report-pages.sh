#!/bin/bash
# Typesets all studies of this machine and of the recorded hosts together, in each language: at most 60 pages, the
# summary alone on page 2, nothing that sticks out of a page, no fact without a value, and the same bytes from the same
# data. It takes minutes; `make check-report` runs it.
# The data of "this machine" are the recorded ones without the rows of a GPU.
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
TILELAB=$(realpath "${TILELAB:-build/tilelab}")
export TILELAB
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-pages.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

count=0 result=0
tell() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; result=1; fi
}

cp -r figures report kernels experiments "$scratch/"
mkdir -p "$scratch/data/local"
cp -r data/published data/h200 "$scratch/data/"
for file in data/h200/*.{results,samples}.csv data/h200/*.{run.json,history.csv}; do
    [ ! -f "$file" ] || grep -v ',cuda,' "$file" >"$scratch/data/local/${file##*/}"
done
cd "$scratch" || exit 1

for language in "$root"/report/text/*; do
    language=${language##*/}
    REPORT_LANGUAGE=$language REPORT=$language.pdf report/build.sh report >log 2>&1
    tell $? "a report in the language $language is made"
    pages=$(pdfinfo "$language.pdf" | sed -n 's/^Pages: *//p')
    [ "${pages:-99}" -le 60 ]
    tell $? "it has at most 60 pages: $pages"
    # The table of contents begins on page 3. The summary has its findings and the state of the data.
    [ "$(pdftotext -f 2 -l 2 -layout "$language.pdf" - | grep -c '•')" -eq 5 ] &&
        pdftotext -f 2 -l 2 -layout "$language.pdf" - | grep -qF 'NVIDIA H200' &&
        pdftotext -f 3 -l 3 -layout "$language.pdf" - | grep -qE '(\. ){9}'
    tell $? "its summary is page 2"
    wide=$(awk '/^Overfull/ && match($0, /\([0-9.]+pt/) && substr($0, RSTART + 1) + 0 > 1' build/report/out/report.log)
    [ -z "$wide" ]
    tell $? "nothing sticks out of a page"
    [ -z "$wide" ] || printf '%s\n' "$wide" | head -n 9 | sed 's/^/# /'
    ! grep -a '^tilelab: ' build/report/out/report.log
    tell $? "each fact that is printed has a value"
    # LaTeX alone, once more.
    cp "$language.pdf" first.pdf
    rm -f build/report/report.stamp
    REPORT_LANGUAGE=$language REPORT=$language.pdf report/build.sh report >>log 2>&1
    cmp "$language.pdf" first.pdf
    tell $? "the same data make the same bytes"
done
echo "1..$count"
exit $result
