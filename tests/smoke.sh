#!/bin/bash
# Runs every variant once on a tiny shape with the given program. A cell that suits this machine must be right. If the
# program was built with sanitizers, they must report nothing.
#   tests/smoke.sh PROGRAM
# SPDX-License-Identifier: MIT
set -u
program=$1
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-smoke.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export ASAN_OPTIONS=log_path=$scratch/finding UBSAN_OPTIONS=log_path=$scratch/finding:print_stacktrace=1

. tests/tap.bash

check() {
    "${@:2}"
    tell $? "$1"
}

"$program" run experiments/smoke.yaml --profile quick --data "$scratch/data" >"$scratch/log" 2>&1
status=$?
tell $status "the smoke study runs (exit code $status)"
[ $status -eq 0 ] || tail -n 20 "$scratch/log" | sed 's/^/# /'

csv=$scratch/data/smoke.results.csv
tests/column variant,status,reason "$csv" >"$scratch/rows" || : >"$scratch/rows"
check 'it has results' test -s "$scratch/rows"
# A variant that ran is right, and a variant that did not run says why.
while read -r variant; do
    bad=$(awk -v v="$variant" '$1 == v && $2 != "ok" && ($2 != "skipped" || $3 == "-")' "$scratch/rows")
    check "$variant" test -z "$bad"
    [ -z "$bad" ] || echo "# ${bad//$'\n'/$'\n# '}"
done < <(cut -d ' ' -f 1 "$scratch/rows" | sort -u)
for listed in $(tools/registry | awk '$1 == "CPU" && $3 != "fault" { print $3 "/" $4 }' | tr _ -); do
    grep -qE "^$listed (ok|skipped .*, which this processor lacks)" "$scratch/rows" ||
        tell 1 "$listed is measured by the smoke study"
done

findings=("$scratch"/finding.*)
check 'no sanitizer complains' test ! -e "${findings[0]}"
[ ! -e "${findings[0]}" ] || head -n 60 "${findings[0]}" | sed 's/^/# /'
echo "1..$count"
exit $result
