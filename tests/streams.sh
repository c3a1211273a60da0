#!/bin/bash
# Times variants that launch their kernel on another stream than the runner's, beside a twin that launches the same
# kernel on the runner's stream, on a GPU. Prints the ratio of the times, as TAP lines. The default stream must be
# within 5 % of the twin. Any other stream is refused with a reason that names job->stream, or its time is not shorter.
#   TILELAB=build/tests/cheats/tilelab tests/streams.sh [VARIANT...]
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
tilelab=${TILELAB:-${BUILD:-build}/tests/cheats/tilelab}
tilelab=$(realpath -e "$tilelab") || exit 1
column=$PWD/tests/column
sizes=(64 128 256 512 1024 4096)
twin=cuda-stream
variants=("$@")
[ $# -gt 0 ] || variants=(cuda-default-stream cuda-own-stream cuda-own-stream-waits cuda-blocking-stream
    cuda-forked-stream cuda-thread-stream cuda-graph cuda-helper-thread)
. tests/tap.bash
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-streams.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# measure N VARIANT...: a study of these variants at one size, since variants that fail five times in a row are skipped.
# The file rows gets lines "variant n status median_s reason".
measure() {
    local n=$1
    shift
    rm -rf data
    printf '%s\n' 'schema: 1' 'title: {en: "Streams"}' 'source: tilelab' 'problem: matmul' 'precision: f64' \
        'quick: {rounds: 3, launches: 1, max-time: 300ms}' "grid: {n: $n, variant: [$(IFS=,; echo "$*")]}" >streams.yaml
    "$tilelab" run streams.yaml --data data >log 2>&1 </dev/null
    "$column" variant,n,status,median_s,reason data/streams.results.csv >rows 2>>log
}
# of VARIANT N: status, time and reason of a cell
of() { awk -v variant="matmul/$1" -v n="$2" '$1 == variant && $2 == n { $1 = $2 = ""; print substr($0, 3) }' rows; }

known=()
for variant in "${variants[@]}"; do
    if "$tilelab" list "matmul/$variant" 2>/dev/null | grep -qw -- "$variant"; then
        known+=("$variant")
    else
        echo "# $variant: $tilelab does not know it"
    fi
done
[ ${#known[@]} -gt 0 ] || { echo "$tilelab knows no such variant" >&2; exit 1; }
for n in "${sizes[@]}"; do
    measure "$n" "$twin" "${known[@]}"
    read -r status fair_s reason <<<"$(of "$twin" "$n")"
    [ "${status:-}" = ok ] || { tell 1 "$twin n=$n: ${status:-no row} ${reason:-}"; cat log; continue; }
    for variant in "${known[@]}"; do
        read -r status time_s reason <<<"$(of "$variant" "$n")"
        ratio=$(awk -v a="${time_s:-}" -v b="$fair_s" 'BEGIN { if (a ~ /[0-9]/) printf "%.3f", a / b; else print "-" }')
        most=1000
        [ "$variant" != cuda-default-stream ] || most=1.05
        if [ "${status:-}" = ok ]; then
            awk -v r="$ratio" -v most="$most" 'BEGIN { exit !(r >= 0.95 && r <= most) }'
        else
            [[ ${reason:-} == *'job->stream'* || $variant:${status:-} == cuda-helper-thread:wrong ]]
        fi
        tell $? "$variant n=$n: ${status:-no row}, ratio $ratio of $fair_s s${reason:+; $reason}"
    done
done
echo "1..$count"
exit $result
