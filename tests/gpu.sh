#!/bin/bash
# Runs every CUDA variant at small, awkward sizes under compute-sanitizer. memcheck finds accesses that are misaligned
# or out of bounds, racecheck races in shared memory, initcheck reads of memory that was never written. Results are
# verified. Any finding, wrong result or missing variant fails, except a warning of racecheck about a vendor's kernel.
# The table of all findings goes to FILE, for the record. With a ROUND or more, each "PATTERN SIZES", only these run.
#   [TILELAB=build/tilelab] [SANITIZER=compute-sanitizer] tests/gpu.sh [FILE [ROUND...]]
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
tilelab=${TILELAB:-$PWD/${BUILD:-build}/tilelab}
table=${1:-${BUILD:-build}/sanitizer.txt}
sanitizer=${SANITIZER:-}
for place in compute-sanitizer /usr/local/cuda/bin/compute-sanitizer; do
    [ -n "$sanitizer" ] || sanitizer=$(command -v "$place")
done
[ -n "$sanitizer" ] || { echo 'ok 1 - # skip compute-sanitizer is missing (part of the CUDA Toolkit)'; exit 0; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-gpu.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

tiles=2,8,32
# PATTERN SIZES. The variants that call a vendor's library have rounds of their own, because their findings are judged
# differently. Variants whose thread blocks work together need a larger size.
rounds=(
    'cuda* 1,7,33,64'
    'lu/cuda-* 300'
    'jacobi/cuda-persistent 300'
    'jacobi/cuda-onchip 300,600'
    'seidel/cuda-exact 300'
    'seidel/cuda-onchip 300,600'
    'cublas* 1,7,33,64'
    'cusolver* 1,7,33,64'
)
[ $# -lt 2 ] || rounds=("${@:2}")
# The names of our own kernels.
own=$(grep -rh -A1 '__global__' kernels | tr -s ' \n' ' ' |
    grep -oE '__global__ void (__launch_bounds__\((\([^()]*\)|[^()])*\) )?[a-z0-9_]+\(' |
    sed -E 's/.* ([a-z0-9_]+)\($/\1/' | sort -u | paste -sd '|')
own="[^a-z0-9_]($own)[(<]"
finding=99 # the sanitizer's exit code if it found something; all exit codes of the program are smaller
. tests/tap.bash

# cells STATUS VARIANT: counts the lines "STATUS ... variant=VARIANT ..." that the program printed.
cells() { grep -cE "^$1 (.* )?variant=$2( |:|\$)" "$scratch/out"; }

mapfile -t variants < <(tools/registry | awk '$1 == "CUDA" { print $3 "/" $4 }' | tr _ -)
{
    echo "compute-sanitizer over every CUDA variant, n as listed (square and rectangular), tile = $tiles"
    "$sanitizer" --version 2>/dev/null | grep -i version
    printf '%-10s  %-26s %-9s %6s %8s %6s  %s\n' tool variant n ok skipped wrong 'summary of the process'
} >"$table"

for round in "${rounds[@]}"; do
    read -r pattern sizes <<<"$round"
    for tool in memcheck racecheck initcheck; do
        "$sanitizer" --tool "$tool" --target-processes all --error-exitcode $finding --log-file "$scratch/log-%p" \
            "$tilelab" verify "$pattern" --sizes "$sizes" --tiles "$tiles" --timeout 0 >"$scratch/out" 2>"$scratch/err"
        status=$?
        cat "$scratch"/log-* >"$scratch/log" 2>/dev/null
        rm -f "$scratch"/log-*
        summary=$(grep -ohE '(ERROR|RACECHECK) SUMMARY: .*' "$scratch/log" | sort | uniq -c | sort -rn |
            sed -E 's/^ *[0-9]+ //' | paste -sd ';')
        # A hazard names the kernels that it lies between.
        harmless='SUMMARY: 0 (errors|hazards)' vendor=
        [[ $pattern == *cuda* ]] || grep -qE "$own" "$scratch/log" || vendor=1
        [ -z "$vendor" ] || harmless="$harmless|\\(0 errors, [0-9]+ warnings\\)"
        clean=1
        if [ -n "$summary" ] && ! grep -qvE "$harmless" <<<"${summary//;/$'\n'}"; then clean=0; fi
        [ $status -eq 0 ] || { [ $status -eq $finding ] && [ -n "$vendor" ]; } || clean=1
        tell $clean "$tool of $pattern, n = $sizes: exit code $status; ${summary:-no summary}"
        [ $clean -eq 0 ] || { head -n 60 "$scratch/log" "$scratch/err" | sed 's/^/# /'; }
        for variant in "${variants[@]}"; do
            # shellcheck disable=SC2053
            [[ ${variant#*/} == $pattern || $variant == $pattern ]] || continue
            right=$(cells ok "$variant") skipped=$(cells skipped "$variant")
            all=$(cells '[a-z]+' "$variant")
            wrong=$((all - right - skipped))
            printf '%-10s  %-26s %-9s %6d %8d %6d  %s\n' "$tool" "$variant" "$sizes" "$right" "$skipped" "$wrong" \
                "${summary:-no summary}" >>"$table"
            [ "$wrong" -eq 0 ] && [ "$right" -gt 0 ]
            tell $? "$tool of $variant, n = $sizes: $right cells right, $wrong not"
            grep -E "^[a-z]+ .*variant=$variant( |:|\$)" "$scratch/out" | grep -vE '^(ok|skipped) ' | head -n 5 |
                sed 's/^/# /'
        done
        grep -E "^(skipped|failed) [a-z]+/" "$scratch/out" | sort -u | sed 's/^/# /'
    done
done
echo "# the table: $table"
exit $result
