#!/bin/bash
# How often does `tilelab compare` call a difference where there is none, and does it find one that is there? On this
# machine, as busy as it is: 100 comparisons of a kernel with itself, and 10 with a kernel that takes 5 % more time.
# Exit code 1: more than one false alarm, or fewer than nine differences found.
#   tests/compare-proof.sh [FOLDER]      FOLDER keeps the copy of the tree, its program and its results
# SPDX-License-Identifier: MIT
set -eu -o pipefail
cd "$(dirname "$0")/.."
folder=${1:-$(mktemp -d "${TMPDIR:-/tmp}/tilelab-proof.XXXXXX")}
[ $# -gt 0 ] || trap 'rm -rf "$folder"' EXIT
tree=$folder/tree
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD DATA TILELAB TILELAB_FAKE_TIMER

if [ ! -x "$tree/build/tilelab" ]; then
    mkdir -p "$tree"
    tar -cf - --exclude=./.git --exclude=./build --exclude=./out --exclude='./data/[!p]*' . | tar -xf - -C "$tree"
    cp tests/planted/{seq_plain.c,seq_planted.c,planted.h} "$tree/kernels/matmul/"
    sed -i 's/^CPU(matmul, seq_ikj)$/&\nCPU(matmul, seq_plain)\nCPU(matmul, seq_planted)/' "$tree/kernels/registry.def"
    CCACHE_BASEDIR=$tree make -C "$tree" NVCC= build/tilelab >"$folder/build.log" 2>&1 ||
        { tail -n 20 "$folder/build.log" >&2; exit 2; }
fi

# compare NAME VARIANT SIZES [OPTION]...: compares seq-plain with a variant, and keeps the result in NAME.json.
compare() {
    TILELAB_TWINS=1 "$tree/build/tilelab" compare matmul/seq-plain "matmul/$2" --data "$folder/$1" --sizes "$3" \
        --set precision=f64 "${@:4}" --again --format json >"$folder/$1.json"
}
# said NAME VERDICT...: how many comparisons there were, and how many have one of the verdicts.
said() {
    local name=$1
    shift
    jq -r --args '[(.cells | length), ([.cells[] | select(.verdict | IN($ARGS.positional[]))] | length)] | join(" ")' \
        "$@" <"$folder/$name.json"
}
start=$SECONDS
# A size gives four comparisons in the same rounds, one for each build.
compare same seq-plain-twin "$(seq -s , 80 8 272)" --set isa=base,v3 --set opt=O2,O3
compare planted seq-planted "$(seq -s , 100 20 280)"
read -r equal alarms < <(said same faster slower)
read -r planted found < <(said planted faster)
echo "the same kernel: $alarms of $equal comparisons are called a difference"
echo "5 % more time: found in $found of $planted comparisons"
jq -r '.cells[] | "  n = \(.n): \(.speedup) [\(.low), \(.high)], p = \(.p): \(.verdict)"' "$folder/planted.json"
echo "load $(cut -d ' ' -f 1-3 /proc/loadavg), $((SECONDS - start)) s"
[ "$equal" -ge 100 ] && [ "$alarms" -le 1 ] && [ "$planted" -ge 10 ] && [ "$found" -ge 9 ]
