#!/usr/bin/env bats
# SYCL: on the devices of the machine if build/tilelab-sycl.so was built, and on a device that does not exist
# (tests/unit/fake/sycl.c), whose faults a test chooses.
# SPDX-License-Identifier: MIT
load common
load tiles
export backend=sycl

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    mkdir fake none cache older
    fake sycl fake/tilelab-sycl.so
    older sycl older/tilelab-sycl.so
}

# A kernel that is compiled for every size anew would take minutes, so AdaptiveCpp compiles each kernel once.
needs_sycl() {
    local folder=${TILELAB_BACKENDS:-${TILELAB%/*}}
    [ -e "$folder/tilelab-sycl.so" ] || skip 'no SYCL compiler: tilelab-sycl.so was not built'
    export ACPP_APPDB_DIR=$BATS_FILE_TMPDIR/cache ACPP_ADAPTIVITY_LEVEL=0 OMP_NUM_THREADS=2
}

with_fake() {
    export TILELAB_BACKENDS=$BATS_FILE_TMPDIR/fake
}

# --- Without a compiler ---

@test "without a compiler every variant is listed and described, and its cells are skipped with the reason" {
    export TILELAB_BACKENDS=$BATS_FILE_TMPDIR/none
    local variant
    "$TILELAB" list >listed
    for variant in matmul/sycl-{global-rmw,global,tiled,tiled-x4} lu/sycl-blocked; do
        grep -qE "$variant +.* .* " listed || { cat listed; return 1; }
    done
    study tiles '[matmul, lu]' <<'YAML'
grid: {n: 32, variant: ["matmul/sycl-*", "lu/sycl-*"], tile: 8, memory: [usm, buffer]}
YAML
    measure -0 tiles.yaml
    [ "$(column status data/tiles.results.csv | sort | uniq -c | xargs)" = '10 skipped' ]
    [ "$(column reason data/tiles.results.csv | grep -c 'built without SYCL')" -eq 10 ]
}

@test "a compiler that is there but broken: the reason names it" {
    program broken <<'SH'
[ "$1" = --version ] && echo 'Broken 1.0' && exit
echo "broken: error: cannot find the SYCL library" >&2
exit 1
SH
    SYCLCXX=$PWD/broken NVCC='' "$root/tools/detect" "$PWD/config.mk"
    grep -qx 'SYCL := ' config.mk
    grep -q 'SYCL_WHY := .*broken compiles nothing here: broken: error: cannot find the SYCL library' config.mk
    # A program that ends well without a file is no compiler either.
    program broken <<<'exit 0'
    SYCLCXX=$PWD/broken NVCC='' "$root/tools/detect" "$PWD/config.mk"
    grep -q 'SYCL_WHY := .*broken compiles nothing here' config.mk
    SYCLCXX='' NVCC='' "$root/tools/detect" "$PWD/config.mk"
    grep -qx 'SYCL_WHY := no SYCL compiler was found when tilelab was built' config.mk
}

@test "a compiler that works is taken with its options and its version" {
    program works <<'SH'
[ "$1" = -fsycl ] && [ "$2" = --version ] && echo 'Works 2.0' && exit
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || echo object >"$2"
    shift
done
SH
    SYCLCXX="$PWD/works -fsycl" NVCC='' "$root/tools/detect" "$PWD/config.mk"
    grep -qx "SYCL := $PWD/works -fsycl" config.mk
    grep -qx 'SYCL_VERSION := Works 2.0' config.mk
    grep -qx 'SYCL_WHY := ' config.mk
}

# detected COMPILER...: what tools/detect says where the user names no compiler and has only these, which all work. Each
# insists on the options that the real one needs.
detected() {
    local name
    rm -rf bin
    mkdir bin
    for name; do
        program "bin/$name" <<'SH'
name=${0##*/}
[ "$name" != acpp ] || [ "$1" != --acpp-version ] || { echo 'AdaptiveCpp version: 24.06.0'; exit; }
[ "$name" = acpp ] || [ "$1" = -fsycl ] || { echo 'error: no -fsycl' >&2; exit 1; }
[ "$2" != --version ] || { echo "$name 2.0"; exit; }
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || echo object >"$2"
    shift
done
SH
    done
    env -u SYCLCXX PATH="$PWD/bin:/usr/bin:/bin" NVCC='' "$root/tools/detect" "$PWD/config.mk"
    sed -n 's/^SYCL\(_VERSION\|_WHY\)\? := //p' config.mk
}

@test "each compiler is found by its name and called with its options; AdaptiveCpp comes first" {
    [ "$(detected acpp icpx clang++)" = $'acpp\nAdaptiveCpp 24.06.0' ] || { cat config.mk; return 1; }
    [ "$(detected icpx clang++)" = $'icpx -fsycl\nicpx 2.0' ] || { cat config.mk; return 1; }
    [ "$(detected clang++)" = $'clang++ -fsycl\nclang++ 2.0' ] || { cat config.mk; return 1; }
    # A clang++ that knows no -fsycl is no broken SYCL compiler.
    program bin/clang++ <<<'echo "error: no SYCL" >&2; exit 1'
    env -u SYCLCXX PATH="$PWD/bin:/usr/bin:/bin" NVCC='' "$root/tools/detect" "$PWD/config.mk"
    grep -qx 'SYCL_WHY := no SYCL compiler was found when tilelab was built' config.mk
}

# --- Right on the devices of this machine ---

@test "every product is right at 1, tile - 1, tile, tile + 1, odd and rectangular sizes, with USM and with buffers" {
    needs_sycl
    local memory variant
    run -0 "$TILELAB" verify 'matmul/sycl-*' --sizes 1,3,4,5,8,21 --tiles 4
    for memory in usm buffer; do
        for variant in matmul/sycl-{global-rmw,global,tiled,tiled-x4}; do
            grep -q "^ok variant=$variant .*memory=$memory" <<<"$output"
        done
    done
}

@test "the factorisation is right at 1, tile - 1, tile, tile + 1 and odd sizes, with USM and with buffers" {
    needs_sycl
    run -0 "$TILELAB" verify lu/sycl-blocked --sizes 1,7,8,9,16,37 --tiles 8
    grep -q "^ok variant=lu/sycl-blocked .*memory=usm" <<<"$output"
    grep -q "^ok variant=lu/sycl-blocked .*memory=buffer" <<<"$output"
}

@test "a study runs on all devices, each named with its backend in the record" {
    needs_sycl
    tiles
    echo 'device: sycl:*' >>tiles.yaml
    measure -0 tiles.yaml
    [ "$(of sycl-tiled device-id,status | head -n 1)" = 'sycl:0 ok' ]
    [ "$(of seq-ikj device-id)" = - ]
    jq -e '.sycl[0] | .id == "sycl:0" and .platform != "" and .compiler != "" and .group_items > 0' data/tiles.run.json
    run "$TILELAB" list --devices
    [[ "$output" == *$'\nsycl:0 '*'SYCL on '* ]]
}

# AdaptiveCpp notes which arguments a translated kernel still has. With the note lost, the kernel reads wrong addresses.
@test "a kernel that another process translated is right" {
    needs_sycl
    unset ACPP_ADAPTIVITY_LEVEL
    export ACPP_APPDB_DIR=$PWD/kept
    mkdir kept
    for _ in first second; do
        run -0 "$TILELAB" verify --sizes 9 --tiles 4 -k 'precision=f32 and memory=usm' matmul/sycl-tiled
    done
}

@test "the device's clock times copies and kernels" {
    needs_sycl
    unset TILELAB_FAKE_TIMER
    tiles
    echo 'quick: {max-time: 50ms, rounds: 2, launches: 1}' >>tiles.yaml
    measure -0 tiles.yaml
    of sycl-tiled median_s,upload_s,download_s,total_s | awk '{ exit !($1 > 0 && $2 > 0 && $3 > 0 && $4 > $2 + $3) }'
}

# --- Faults: each a reason, never the end of a run ---

@test "no device, a runtime that crashes, a shared object that cannot be loaded or is older" {
    with_fake
    tiles
    FAKE_SYCL_DEVICES=0 skips 'the SYCL runtime finds no device'
    FAKE_SYCL_CRASH=1 skips 'gave no answer'
    FAKE_SYCL_VERSION=99 skips 'belongs to another version of tilelab'
    TILELAB_BACKENDS=$BATS_FILE_TMPDIR/older skips 'tilelab-sycl.so belongs to another version of tilelab'
    mkdir torn
    echo nothing >torn/tilelab-sycl.so
    TILELAB_BACKENDS=$PWD/torn skips 'tilelab-sycl.so'
    run -0 "$TILELAB" doctor
}

@test "a device without f64, without pointers, with few work items, with little local memory" {
    with_fake
    tiles f64
    FAKE_SYCL_FP64=0 skips 'Fake Device has no f64'
    tiles
    FAKE_SYCL_USM=0 skips 'Fake Device has no memory that pointers reach'
    FAKE_SYCL_ITEMS=15 skips 'a group of tile 4 has 16 work items; Fake Device allows 15'
    FAKE_SYCL_LOCAL=127 FAKE_SYCL_ITEMS=16 measure tiles.yaml
    [[ $(of sycl-tiled reason) == 'a group of tile 4 needs 128 bytes of local memory; Fake Device has 127' ]]
}

@test "the plugins of a runtime find the runtime's data" {
    with_fake
    FAKE_SYCL_PLUGIN=1 run "$TILELAB" list --devices
    [[ "$output" == *'Fake Device, GPU: SYCL on Fake Backend'* ]]
}

@test "a runtime that prints to standard output hides no device" {
    with_fake
    FAKE_SYCL_CHATTER=1 run "$TILELAB" list --devices
    [[ "$output" == *'Fake Device, GPU: SYCL on Fake Backend'* ]]
}

@test "a device that is not there: its cells are skipped, the others measured" {
    with_fake
    tiles
    echo 'device: [sycl:0, sycl:1]' >>tiles.yaml
    measure tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ $(of sycl-tiled device-id,reason) == *'no device sycl:1 on this machine'* ]]
}

@test "a device that disappears, and an error that SYCL throws later, fail their cells; the run goes on" {
    with_fake
    tiles
    FAKE_SYCL_LOST=0 measure -1 tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ $(of sycl-tiled status,reason) == failed*'the device is lost'* ]]
    rm -r data
    FAKE_SYCL_ASYNC='kernel: an illegal address' measure tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ $(of sycl-tiled status,reason) == failed*'kernel: an illegal address'* ]]
    rm -r data
    FAKE_SYCL_GONE=1 measure tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ "$output" == *'cannot be opened: it is gone'* ]]
}

@test "a device with too little memory: the status says so" {
    with_fake
    tiles
    FAKE_SYCL_MEMORY=64 measure tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ $(of sycl-tiled status) == memory ]] || { of sycl-tiled status,reason; return 1; }
}

@test "without a folder that can be written, kernels are compiled in a folder of the program" {
    needs_sycl
    unset ACPP_APPDB_DIR
    mkdir temporary
    tiles
    HOME=/proc/nowhere TMPDIR=$PWD/temporary measure -0 tiles.yaml
    [ "$(of sycl-tiled status)" = ok ]
}
