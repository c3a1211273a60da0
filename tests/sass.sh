#!/bin/bash
# Checks in the compiler's output what the bank model relies on. A CUDA variant may describe its accesses in a list. Its
# machine code must then have exactly these loads and stores, with these widths and counts. The variants are compiled
# for 9.0 and for the oldest architecture that this nvcc offers. tests/unit/test_sites.c checks the addresses, this test
# does not.
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

# instructions: prints the memory instructions of each kernel as "precision tile padding space direction bytes count".
# The template arguments come from the mangled name; 0 stands for an argument that a kernel does not have. The list
# describes kernels that move vectors, for which a flag in the name is set; kernels without the flag are left out.
instructions() {
    awk '
        /Function :/ {
            narrow = /I[fdj]Lb0E/
            sub(/Lb1E/, "")
            match($0, /I[fdj](Li[0-9]+E)*E/)
            split(substr($0, RSTART + 1, RLENGTH - 2), argument, /Li|ELi|E/)
            precision = argument[1] == "d" ? "f64" : argument[1] == "f" ? "f32" : "i32"
            kernel = precision " " argument[2] + 0 " " argument[3] + 0
        }
        !narrow && match($0, /[ \t](LD|ST)(S|SM|G|L)?(\.[A-Z0-9]+)*[ \t]/) {
            opcode = substr($0, RSTART + 1, RLENGTH - 2) "."
            bytes = opcode ~ /\.128\./ ? 16 : opcode ~ /\.64\./ ? 8 : 4
            space = opcode ~ /^..S\./ ? "shared" : opcode ~ /^..G\./ ? "global" : "other"
            count[kernel " " space " " (opcode ~ /^LD/ ? "load" : "store") " " bytes]++
        }
        END { for (key in count) print key, count[key] }'
}

# judge FILE: compares the program's list with the instructions, and prints each difference. The compiler may have
# copied a pass any number of times by unrolling. Within a pass, the loop over a tile is unrolled as the source says.
judge() {
    awk -v file="$1" '
        FNR == NR {
            if ($1 != file) next
            kernel = $2 " " (file ~ /global/ ? 0 : $3) " " $4
            if (file ~ /global/ && $3 != 8) next # all tiles have one kernel
            key = kernel " " $5 " " $6 " " $7
            turns[kernel] = file ~ /_x4/ ? $3 / 2 : 1
            if ($9 == "once") once[key] += $8; else loop[key] += $8
            wanted[key]; kernels[kernel]
            next
        }
        $1 != "i32" { found[$1 " " $2 " " $3 " " $4 " " $5 " " $6] = $7 }
        END {
            for (key in found)
                # A few registers of cuda-register are spilled.
                if (!(key in wanted) && !(file ~ /cuda_register/ && key ~ / other /))
                    print key ": the code has " found[key] ", the list none"
            for (key in wanted) {
                split(key, part, " ")
                kernel = part[1] " " part[2] " " part[3]
                rest = found[key] - once[key]
                if (loop[key] == 0) {
                    if (rest != 0) print key ": the code has " found[key] + 0 ", the list " once[key]
                    continue
                }
                copies = rest / loop[key]
                if (part[4] == "shared" && part[5] == "load") copies *= turns[kernel]
                if (copies < 1 || copies != int(copies) || (kernel in of && of[kernel] != copies))
                    print key ": the code has " found[key] + 0 ", the list " loop[key] " a pass"
                of[kernel] = copies
            }
            n = 0
            for (kernel in kernels) n++
            if (n == 0) print "the list has no access of this file"
        }' "$scratch/list" -
}

count=0 result=0
"$list" list >"$scratch/list" || { echo "not ok 1 - $list lists the accesses"; exit 1; }
mapfile -t files < <(cut -d ' ' -f 1 "$scratch/list" | sort -u)
[ ${#files[@]} -gt 0 ] || { echo 'not ok 1 - some variant describes its accesses'; exit 1; }
oldest=$($nvcc --list-gpu-arch | sort -t_ -k2 -n | head -n 1)
for architecture in "${oldest/compute/sm}" sm_90; do
    for file in "${files[@]}"; do
        count=$((count + 1))
        if $nvcc -cubin -arch="$architecture" -O3 -std=c++17 -Isrc -Ikernels -o "$scratch/cubin" "$file" \
            2>"$scratch/log" && "$dump" -sass "$scratch/cubin" >"$scratch/sass" 2>"$scratch/log"; then
            instructions <"$scratch/sass" | judge "$file" >"$scratch/log"
        fi
        if [ -s "$scratch/log" ]; then echo "not ok $count - $file for $architecture"; result=1; else
            echo "ok $count - $file for $architecture"; fi
        sed 's/^/# /' "$scratch/log"
    done
done
exit $result
