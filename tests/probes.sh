#!/bin/bash
# Checks in the compiler's output the probes that measure a GPU's ceilings. The compiler must have kept the instructions
# that a probe counts, and must not spill registers to local memory.
#   NVCC=nvcc tests/probes.sh
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
nvcc=${NVCC:-nvcc}
dump=$(command -v cuobjdump "$(dirname "$(command -v "$nvcc")")/cuobjdump" | head -n 1)
[ -n "$dump" ] || { echo 'ok 1 - # skip cuobjdump is missing (part of the CUDA Toolkit)'; exit 0; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-probes.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
count=0 result=0

# holds FILE ARCHITECTURE KERNEL INSTRUCTION LEAST [OTHER MOST]: checks the kernel whose mangled name matches KERNEL.
# The kernel must have the INSTRUCTION at least LEAST times. For each INSTRUCTION it may have MOST times OTHER. It must
# not access local memory.
holds() {
    local found spilled other
    count=$((count + 1))
    if ! $nvcc -cubin -gencode "arch=compute_$2,code=sm_$2" -O3 -std=c++17 -Isrc -Ikernels -o "$scratch/cubin" \
        "kernels/$1.cu" 2>"$scratch/log" || ! "$dump" -sass "$scratch/cubin" >"$scratch/sass" 2>"$scratch/log"; then
        echo "not ok $count - $1 for $2"
        sed 's/^/# /' "$scratch/log"
        result=1
        return
    fi
    read -r found spilled other < <(awk -v kernel="$3" -v wanted="$4" -v beside="${6:-none}" '
        /Function :/ { inside = $0 ~ kernel }
        inside && index($0, " " wanted) { found++ }
        inside && index($0, " " beside " ") { other++ }
        inside && /[ \t](LDL|STL)[. ]/ { spilled++ }
        END { print found + 0, spilled + 0, other + 0 }' "$scratch/sass")
    if [ "$found" -ge "$5" ] && [ "$spilled" -eq 0 ] && [ "$other" -le $((found * ${7:-0})) ]; then
        echo "ok $count - $1 for $2: $found $4"
    else
        echo "not ok $count - $1 for $2:" \
            "$found $4 of at least $5, $other ${6:-other} beside them, $spilled accesses of local memory"
        result=1
    fi
}

# An iteration of the loop makes eight steps of sixteen sums.
holds fma/cuda 90 'If' FFMA 128
holds fma/cuda 90 'Id' DFMA 128
holds fma/cuda 90 'Ij' IMAD 128
# A step multiplies all tiles of a warp once.
holds fma/cuda_tensor 80 'Id' DMMA 16
holds fma/cuda_tensor 80 'If' HMMA 32
holds fma/cuda_tensor 90 'Id' DMMA.16x8x16 8
holds fma/cuda_tensor 90a 'If' HGMMA.64x256x8 2
# An iteration loads a whole period of groups and makes four additions a load.
holds smem/cuda 90 smem_sums LDS.128 8 FADD 4
# A thread loads one vector of each operand.
holds copy/cuda 90 copy_words LDG.E.128 1
holds triad/cuda 90 'If' LDG.E.128 2
exit $result
