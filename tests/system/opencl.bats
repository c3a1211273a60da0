#!/usr/bin/env bats
# OpenCL on PoCL, which computes on the CPU, and on a device that does not exist (tests/unit/fake/opencl.c), whose
# faults a test chooses. oclgrind looks for data races, memory that nobody has written, and accesses out of bounds.
# SPDX-License-Identifier: MIT
load common
load tiles
export backend=opencl

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    mkdir pocl oclgrind fake cache
    ldconfig -p | sed -n 's/.*=> \(.*libpocl\.so.*\)/\1/p' | head -n 1 >pocl/pocl.icd
    [ -s pocl/pocl.icd ] || rm pocl/pocl.icd
    echo /usr/lib/oclgrind/liboclgrind-rt-icd.so >oclgrind/oclgrind.icd
    fake opencl fake/libOpenCL.so.1
}

needs_pocl() {
    [ -e "$BATS_FILE_TMPDIR/pocl/pocl.icd" ] || skip 'PoCL is missing'
    export OCL_ICD_VENDORS=$BATS_FILE_TMPDIR/pocl POCL_CACHE_DIR=$BATS_FILE_TMPDIR/cache
}

needs_oclgrind() {
    command -v oclgrind >/dev/null || skip 'oclgrind is missing'
    export OCL_ICD_VENDORS=$BATS_FILE_TMPDIR/oclgrind OCLGRIND_LOG=$BATS_TEST_TMPDIR/log
    export OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1
}

with_fake() {
    export LD_LIBRARY_PATH=$BATS_FILE_TMPDIR/fake
}

# mutant FILE SED: a tree with a copy of a kernel, changed by a sed script; the program takes the copy.
mutant() {
    mkdir -p "$BATS_TEST_TMPDIR/mutant/${1%/*}"
    sed "$2" "$root/$1" >"$BATS_TEST_TMPDIR/mutant/$1"
    ! cmp -s "$root/$1" "$BATS_TEST_TMPDIR/mutant/$1" || return 1
    export TILELAB_TEST=1 TILELAB_OPENCL_SOURCES=$BATS_TEST_TMPDIR/mutant
}

# --- Right on a device that orders work items in its own way ---

@test "every variant is right on PoCL at 1, tile - 1, tile, tile + 1 and rectangular sizes" {
    needs_pocl
    run -0 "$TILELAB" verify 'opencl-*' --sizes 1,3,4,5,8 --tiles 4
    local variant
    for variant in matmul/opencl-{global,tiled,padded,vec4,strided} aat/opencl-b{,-pad}; do
        grep -q "^ok variant=$variant " <<<"$output"
    done
    run -0 "$TILELAB" verify 'opencl-*' --sizes 31,64 --tiles 8,16,32
}

@test "vectors are right where n and k are multiples of 4 and no multiples of the tile" {
    needs_pocl
    study tiles matmul '[f32, f64, i32]' <<'YAML'
grid: {m: [1, 5, 13], n: [4, 12, 20], k: [4, 20], variant: opencl-vec4, tile: 8}
measure: {rounds: 1, launches: 1} # each run compiles the kernel, and one verifies it
YAML
    measure -0 tiles.yaml
    [ "$(of opencl-vec4 status | sort | uniq -c | xargs)" = '54 ok' ]
}

@test "oclgrind finds nothing in any variant" {
    needs_oclgrind
    run -0 "$TILELAB" verify 'opencl-[!p]*' --sizes 1,5,8 --tiles 4
    grep -q '^ok variant=matmul/opencl-vec4 ' <<<"$output"
    # The copy of rows makes oclgrind forget that the rest of the memory was written.
    unset OCLGRIND_UNINITIALIZED
    run -0 "$TILELAB" verify 'opencl-padded' --sizes 1,5,8 --tiles 4
    [ ! -s "$OCLGRIND_LOG" ] || { head -n 30 "$OCLGRIND_LOG"; return 1; }
}

@test "oclgrind catches a kernel that has lost a barrier, even where a group is smaller than a warp" {
    needs_oclgrind
    local barrier
    for barrier in both have; do # the words of the comments behind the two barriers
        mutant kernels/matmul/opencl_tiled.cl "/barrier(.*$barrier/d"
        : >"$OCLGRIND_LOG"
        # 16 work items: a GPU may run them in step, but no device has to.
        "$TILELAB" verify matmul/opencl-tiled --sizes 9 --tiles 4 || true
        grep -q 'data race' "$OCLGRIND_LOG" || { cat "$OCLGRIND_LOG"; return 1; }
    done
}

@test "without barriers within one warp the result is wrong where work items do not run in step" {
    needs_pocl
    mutant kernels/matmul/opencl_tiled.cl '/barrier(/d'
    run -1 "$TILELAB" verify matmul/opencl-tiled --sizes 9 --tiles 4
    [[ "$output" == *'wrong variant=matmul/opencl-tiled'* ]]
}

# --- Devices ---

@test "a study runs on all devices, each named in its rows and in the record" {
    needs_pocl
    tiles
    echo 'device: opencl:*' >>tiles.yaml
    measure -0 tiles.yaml
    [ "$(of opencl-tiled device-id,status)" = 'opencl:0 ok' ]
    [ "$(of seq-ikj device-id)" = - ]
    jq -e '.opencl[0] | .id == "opencl:0" and .kind == "CPU" and .group_items > 0' data/tiles.run.json
    echo "SELECT side FROM results WHERE device_id = 'opencl:0' LIMIT 1;" >q.sql
    [ "$("$TILELAB" query --data data --format tsv q.sql | tail -1)" = CPU ]
    run "$TILELAB" list --devices
    [[ "$output" == *$'\nopencl:0 '* ]]
}

@test "the device's clock times copies and kernels" {
    needs_pocl
    unset TILELAB_FAKE_TIMER
    tiles
    echo 'quick: {max-time: 50ms, rounds: 2, launches: 1}' >>tiles.yaml
    measure -0 tiles.yaml
    of opencl-tiled median_s,upload_s,download_s,total_s | awk '{ exit !($1 > 0 && $2 > 0 && $3 > 0 && $4 > $2 + $3) }'
}

@test "a device that is not there: its cells are skipped, the others measured" {
    needs_pocl
    tiles
    echo 'device: [opencl:0, opencl:1]' >>tiles.yaml
    measure -0 tiles.yaml
    [ "$(of opencl-tiled device-id,status)" = $'opencl:0 ok\nopencl:1 skipped' ]
    [[ $(of opencl-tiled reason) == *'no device opencl:1 on this machine'* ]]
}

@test "a device that no backend can have: one diagnostic, exit code 2" {
    tiles
    echo 'device: opencl:9' >>tiles.yaml
    run -2 "$TILELAB" check tiles.yaml
    [[ "$output" == *"tiles.yaml:7:9: error: unknown device-id 'opencl:9'"* ]]
}

@test "another driver makes the results of a device stale" {
    with_fake
    tiles
    measure tiles.yaml
    [ "$(of opencl-global status)" = wrong ] || { echo "$output"; return 1; } # this device computes nothing
    run "$TILELAB" plan tiles.yaml --profile quick --data data
    [[ "$output" != *'library changed'* ]]
    needs_pocl
    unset LD_LIBRARY_PATH
    run "$TILELAB" plan tiles.yaml --profile quick --data data
    [[ "$output" == *'library changed'* ]]
}

# --- The device's machine code ---

@test "show --assembly prints PoCL's innermost loop with the lines of the kernel" {
    needs_pocl
    command -v objdump >/dev/null || skip 'objdump is missing'
    mkdir temporary
    export TMPDIR=$PWD/temporary
    cd "$root"
    local line
    line=$(grep -n 'sum += ' kernels/matmul/opencl_tiled.cl | cut -d : -f 1)
    run -0 --separate-stderr "$TILELAB" show --assembly matmul/opencl-tiled --tile 8 --precision f64
    [[ ${lines[0]} == "matmul/opencl-tiled: precision f64, tile 8, "*": PoCL's machine code" ]]
    [[ ${lines[1]} == *' (*) multiply. Its function is _pocl_kernel_matmul_tiled' ]]
    grep -Fx "kernels/matmul/opencl_tiled.cl:$line  sum += a_tile[y][l] * b_tile[l][x];" <<<"$output"
    # Nothing of another kernel is shown, and no file is left.
    [ "$(grep -o 'kernels/[^:]*' <<<"$output" | sort -u)" = kernels/matmul/opencl_tiled.cl ]
    [ -z "$(ls -A "$TMPDIR")" ]
    # Another tile is another code.
    [ "$("$TILELAB" show --assembly matmul/opencl-vec4 --tile 8 --all | wc -l)" -ne \
        "$("$TILELAB" show --assembly matmul/opencl-vec4 --tile 16 --all | wc -l)" ]
}

@test "show --assembly shows the PTX that a driver gives, and says why there is none" {
    with_fake
    mkdir nothing
    export CUDA_HOME=$PWD/nothing
    local program=$'.version 8.0\n.target sm_90, texmode_independent\n.entry matmul_tiled(\n)\n{\n$L1:\n'
    program+=$'\tfma.rn.f32 %f1, %f2, %f3, %f1;\n\t@%p1 bra $L1;\n\tret;\n}\n'
    FAKE_OPENCL_PROGRAM=$program PATH=$PWD/nothing run -0 "$TILELAB" show --assembly matmul/opencl-tiled
    [ "${lines[0]}" = "matmul/opencl-tiled: precision f32, tile 16, Fake Device: the driver's PTX for sm_90" ]
    [[ ${lines[1]} == *'has 2 instructions; 1 of them (*) multiply. Its function is matmul_tiled' ]]
    run -2 "$TILELAB" show --assembly matmul/opencl-tiled
    [ "$output" = 'tilelab show: the driver of Fake Device does not give the machine code that it makes' ]
    FAKE_OPENCL_LOG=$'<kernel>:52:16: error: use of nothing' run -2 "$TILELAB" show --assembly matmul/opencl-tiled
    [[ "$output" == *'kernels/matmul/opencl_tiled.cl:47:16: error: use of nothing' ]]
    run -2 "$TILELAB" show --assembly matmul/opencl-tiled --device opencl:1
    [[ "$output" == *'there is no device opencl:1 on this machine'* ]]
    FAKE_OPENCL_PLATFORMS=0 run -2 "$TILELAB" show --assembly matmul/opencl-tiled
    [[ "$output" == *'finds no platform'* ]]
    TMPDIR=/proc/nowhere run -2 "$TILELAB" show --assembly matmul/opencl-tiled
    [[ "$output" == *'TMPDIR names another place' ]]
}

# --- Faults: each a reason, never the end of a run ---

@test "no loader: skipped with the package that has it" {
    mkdir none
    : >none/libOpenCL.so.1
    export LD_LIBRARY_PATH=$PWD/none
    tiles
    skips 'no OpenCL loader on this machine'
    run -0 "$TILELAB" doctor
    [[ "$output" == *'missing  devices'*'no OpenCL loader'* ]]
}

@test "a loader without platforms, a platform without devices" {
    with_fake
    tiles
    FAKE_OPENCL_PLATFORMS=0 skips 'finds no platform'
    FAKE_OPENCL_DEVICES=0 skips '1 platform without any device'
}

@test "a driver that crashes when it is looked at" {
    with_fake
    tiles
    FAKE_OPENCL_CRASH=1 skips 'gave no answer'
}

@test "a device without f64, with few work items, with little local memory" {
    with_fake
    tiles f64
    FAKE_OPENCL_FP64=0 skips 'Fake Device has no f64'
    tiles
    FAKE_OPENCL_ITEMS=15 skips 'a group of tile 4 has 16 work items; Fake Device allows 15'
    rm -r data
    FAKE_OPENCL_LOCAL=127 FAKE_OPENCL_ITEMS=16 measure tiles.yaml
    [[ $(of opencl-tiled reason) == 'a group of tile 4 needs 128 bytes of local memory; Fake Device has 127' ]]
}

@test "a device that disappears fails its cells, and the run goes on" {
    with_fake
    tiles
    FAKE_OPENCL_LOST=0 measure -1 tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ $(of opencl-tiled status,reason) == failed*CL_DEVICE_NOT_AVAILABLE*'gone'* ]]
    rm -r data
    FAKE_OPENCL_GONE=1 measure tiles.yaml
    [ "$(of seq-ikj status)" = ok ]
    [[ "$output" == *gone* ]]
}

@test "a kernel that does not compile: its file, its line and the complaint" {
    needs_pocl
    mutant kernels/matmul/opencl_tiled.cl 's/REAL sum = 0;/REAL sum = nothing;/'
    local line
    line=$(grep -n nothing "$TILELAB_OPENCL_SOURCES/kernels/matmul/opencl_tiled.cl" | cut -d : -f 1)
    tiles
    measure -1 tiles.yaml
    [ "$(of opencl-global status)" = ok ]
    [[ $(of opencl-tiled status,reason) == failed*"kernels/matmul/opencl_tiled.cl:$line:"*nothing* ]] ||
        { of opencl-tiled status,reason; return 1; }
    # `verify` shows the whole log.
    run --separate-stderr "$TILELAB" verify matmul/opencl-tiled --sizes 4 --tiles 4
    [[ "$stderr" == *"opencl_tiled.cl:$line:"* ]]
}

@test "without a folder that can be written, kernels are compiled in a folder of the program" {
    needs_pocl
    unset POCL_CACHE_DIR XDG_CACHE_HOME
    mkdir temporary
    tiles
    HOME=/proc/nowhere TMPDIR=$PWD/temporary measure -0 tiles.yaml
    [ "$(of opencl-tiled status)" = ok ]
    [ -d "temporary/tilelab-pocl-$(id -u)" ]
    rm -r data
    export HOME=/proc/nowhere TMPDIR=/proc/nowhere
    skips 'no folder for compiled kernels can be written; POCL_CACHE_DIR names another'
}
