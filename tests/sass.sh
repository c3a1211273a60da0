#!/bin/bash
# What the bank model relies on in the compiler's output: the loads and stores of a CUDA variant that describes its
# accesses are those of its list, with the widths and in the numbers given there. Looked at for the oldest
# architecture that this nvcc offers, and for 9.0. Addresses are not: tests/unit/test_sites.c is about them.
#   NVCC=nvcc BUILD=build tests/sass.sh
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
nvcc=${NVCC:-nvcc}
list=${BUILD:-build}/tests/test_sites
dump=$(command -v cuobjdump "$(dirname "$(command -v "$nvcc")")/cuobjdump" | head -n 1)
[ -n "$dump" ] || { echo 'ok 1 - # skip cuobjdump is missing (part of the CUDA Toolkit)'; exit 0; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-sass.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# instructions: for each kernel its memory instructions, as "precision tile padding space direction bytes count".
# Template arguments are read off the mangled name; 0 stands for one that is not there.
instructions() {
    awk '
        /Function :/ {
            match($0, /I[fdj](Li[0-9]+E)*E/)
            split(substr($0, RSTART + 1, RLENGTH - 2), argument, /Li|ELi|E/)
            kernel = (argument[1] == "d" ? "f64" : argument[1] == "f" ? "f32" : "i32") " " argument[2] + 0 " " argument[3] + 0
        }
        match($0, /[ \t](LD|ST)(S|SM|G|L)?(\.[A-Z0-9]+)*[ \t]/) {
            opcode = substr($0, RSTART + 1, RLENGTH - 2) "."
            bytes = opcode ~ /\.128\./ ? 16 : opcode ~ /\.64\./ ? 8 : 4
            space = opcode ~ /^..S\./ ? "shared" : opcode ~ /^..G\./ ? "global" : "other"
            count[kernel " " space " " (opcode ~ /^LD/ ? "load" : "store") " " bytes]++
        }
        END { for (key in count) print key, count[key] }'
}

# judge FILE: reads the program's list, then the instructions; prints what is wrong. A pass may have been copied any
# number of times by unrolling; within it the loop over a tile is unrolled as the source says.
judge() {
    awk -v file="$1" '
        FNR == NR {
            if ($1 != file) next
            kernel = $2 " " (file ~ /global/ ? 0 : $3) " " $4
            if (file ~ /global/ && $3 != 8) next # one kernel for all of them
            key = kernel " " $5 " " $6 " " $7
            turns[kernel] = file ~ /_x4/ ? $3 / 2 : 1
            if ($9 == "once") once[key] += $8; else loop[key] += $8
            wanted[key]; kernels[kernel]
            next
        }
        $1 != "i32" { found[$1 " " $2 " " $3 " " $4 " " $5 " " $6] = $7 }
        END {
            for (key in found)
                if (!(key in wanted)) print key ": " found[key] " in the code, none in the list"
            for (key in wanted) {
                split(key, part, " ")
                kernel = part[1] " " part[2] " " part[3]
                rest = found[key] - once[key]
                if (loop[key] == 0) {
                    if (rest != 0) print key ": " found[key] + 0 " in the code, " once[key] " in the list"
                    continue
                }
                copies = rest / loop[key]
                if (part[4] == "shared" && part[5] == "load") copies *= turns[kernel]
                if (copies < 1 || copies != int(copies) || (kernel in of && of[kernel] != copies))
                    print key ": " found[key] + 0 " in the code, " loop[key] " a pass in the list"
                of[kernel] = copies
            }
            n = 0
            for (kernel in kernels) n++
            if (n == 0) print "the list has no site of this file"
        }' "$scratch/list" -
}

count=0 result=0
"$list" list >"$scratch/list" || { echo "not ok 1 - $list lists the sites"; exit 1; }
mapfile -t files < <(cut -d ' ' -f 1 "$scratch/list" | sort -u)
[ ${#files[@]} -gt 0 ] || { echo 'not ok 1 - some variant describes its accesses'; exit 1; }
oldest=$($nvcc --list-gpu-arch | sort -t_ -k2 -n | head -n 1)
for architecture in "${oldest/compute/sm}" sm_90; do
    for file in "${files[@]}"; do
        count=$((count + 1))
        if $nvcc -cubin -arch="$architecture" -O3 -std=c++17 -Isrc -o "$scratch/cubin" "$file" 2>"$scratch/log" &&
            "$dump" -sass "$scratch/cubin" >"$scratch/sass" 2>"$scratch/log"; then
            instructions <"$scratch/sass" | judge "$file" >"$scratch/log"
        fi
        if [ -s "$scratch/log" ]; then echo "not ok $count - $file for $architecture"; result=1; else
            echo "ok $count - $file for $architecture"; fi
        sed 's/^/# /' "$scratch/log"
    done
done
exit $result
