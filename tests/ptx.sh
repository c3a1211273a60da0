#!/bin/bash
# Checks in the compiler's output what a study relies on. Every loop of cuda-global-rmw that sums stores to global
# memory; no loop of cuda-global stores. Both are compiled for the oldest and newest architecture of this nvcc.
#   NVCC=nvcc tests/ptx.sh
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
nvcc=${NVCC:-nvcc}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-ptx.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# loops FILE: prints the number of kernels in the file, of loops, and of loops that store to global memory. A loop is a
# label and a branch back to the label.
loops() {
    awk '
        /\.entry/ { kernels++; delete label }
        /^\$L[_A-Za-z0-9]*:/ { sub(/:.*/, "", $1); label[$1] = NR }
        /[ \t]st\.(volatile\.)?(global\.)?[a-z0-9.]+[ \t]/ { store[NR] = 1 }
        /[ \t]bra(\.uni)?[ \t]/ {
            target = $NF; sub(/;.*/, "", target)
            if (!(target in label)) next
            loops++
            for (line = label[target]; line <= NR; line++)
                if (line in store) { storing++; break }
        }
        END { printf "%d %d %d\n", kernels, loops, storing }' "$1"
}

count=0 result=0
# expect FILE ARCHITECTURE WANTED: checks that all or none of the loops store, as WANTED says.
expect() {
    local file=$1 architecture=$2 wanted=$3 ptx=$scratch/$1-$2.ptx kernels loops storing
    count=$((count + 1))
    if ! $nvcc -ptx -arch="$architecture" -O3 -std=c++17 -Isrc -Ikernels -o "$ptx" "kernels/matmul/$file.cu" \
        2>"$scratch/log"; then
        echo "not ok $count - $file compiles for $architecture"
        sed 's/^/# /' "$scratch/log"
        result=1
        return
    fi
    read -r kernels loops storing < <(loops "$ptx")
    local right=0
    [ "$kernels" -eq 3 ] && [ "$loops" -ge 3 ] || right=1
    [ "$wanted" = all ] && [ "$storing" -ne "$loops" ] && right=1
    [ "$wanted" = none ] && [ "$storing" -ne 0 ] && right=1
    [ $right -eq 0 ] || result=1
    echo "$([ $right -eq 0 ] || echo 'not ')ok $count - $file for $architecture: $storing of $loops loops" \
        "in $kernels kernels store to global memory; $wanted should"
}

mapfile -t offered < <($nvcc --list-gpu-arch | sort -t_ -k2 -n)
[ ${#offered[@]} -gt 0 ] || { echo "not ok 1 - $nvcc lists its architectures"; exit 1; }
for architecture in "${offered[0]}" "${offered[-1]}"; do
    expect cuda_global_rmw "$architecture" all
    expect cuda_global "$architecture" none
done
exit $result
