#!/usr/bin/env bats
# Results that keep their worth when a kernel's hash changes, by tools/restamp.
# SPDX-License-Identifier: MIT
load common

# tree NAME: makes a tree that shares everything with the repository but src/, kernels/ and build/.
tree() {
    local part
    mkdir -p "$1/build/gen"
    for part in "$root"/*; do
        case ${part##*/} in build | data | src | kernels) ;; *) ln -s "$(realpath "$part")" "$1/" ;; esac
    done
    cp -R "$root/src" "$root/kernels" "$1/"
}

# compile NAME DIGIT: compiles ${kernels[@]} in a tree, and gives each kernel a hash that begins with the digit.
compile() {
    local i objects=("${kernels[@]/#/build/obj/kernels/matmul/}")
    make -C "$1" "${objects[@]/%/.o}" >log 2>&1 || { cat log; return 1; }
    for i in "${!kernels[@]}"; do
        printf 'HASH("matmul/%s", "%s%d%062d", "cc")\n' "${kernels[i]}" "$2" "$i" 0
    done >"$1/build/gen/hashes.def"
}

@test "a kernel whose fields have moved keeps its results, one that computes anything else does not" {
    # One build of each kernel is enough.
    export MAKEFLAGS='PRECISIONS=f64 OPTS=O2 ISAS=base'
    local kernels=(seq_ijk seq_ikj seq_tiled seq_tiled_ijk omp_tiled) changed
    tree old
    tree new
    # Without this axis the fields after it lie 8 bytes lower: row_tile lies where tile lies in the new tree.
    sed -i '/^AXIS(gpus,/d' old/src/axes.def
    sed -i 's/cell->tile/cell->row_tile/' old/kernels/matmul/seq_tiled_ijk.c
    sed -i 's/ += / -= /' old/kernels/matmul/seq_ikj.c
    sed -i 's/j0 < n;/j0 < m;/' old/kernels/matmul/omp_tiled.c
    for changed in seq_tiled_ijk seq_ikj omp_tiled; do
        run ! cmp -s {old,new}/kernels/matmul/$changed.c
    done
    compile old a
    compile new b
    cmp <(objcopy -O binary -j .text old/build/obj/kernels/matmul/seq_tiled_ijk.o /dev/stdout) \
        <(objcopy -O binary -j .text new/build/obj/kernels/matmul/seq_tiled_ijk.o /dev/stdout)
    mkdir results
    local zeros
    zeros=$(printf %062d 0)
    printf "x,a%d${zeros:0:14}\n" 0 1 2 3 4 >results/x.results.csv
    printf "  \"source_hash\": \"a%d$zeros\",\n" 0 1 2 3 4 >results/x.run.json

    run "$root/tools/restamp" old new results
    [ "$status" -eq 0 ] || { echo "$output"; return 1; }
    diff - <(echo "$output") <<'END'
matmul/seq_ijk: same machine code
matmul/seq_ikj: other machine code
matmul/seq_tiled: same machine code but for moved fields
matmul/seq_tiled_ijk: other machine code
matmul/omp_tiled: other machine code
END
    diff - results/x.run.json <<END
  "restamped": "same machine code",
  "source_hash": "b0$zeros",
  "source_hash": "a1$zeros",
  "restamped": "same machine code but for moved fields",
  "source_hash": "b2$zeros",
  "source_hash": "a3$zeros",
  "source_hash": "a4$zeros",
END
    diff <(printf 'x,%s\n' b0 a1 b2 a3 a4) <(sed "s/${zeros:0:14}//" results/x.results.csv)
}
