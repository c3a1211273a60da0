#!/usr/bin/env bats
# Teams of GPUs that compute in host memory, tests/unit/fake/team.cpp: how they start and end, and what they lack.
# SPDX-License-Identifier: MIT
load common

setup_file() {
    local root=$BATS_TEST_DIRNAME/../..
    cd "$BATS_FILE_TMPDIR" && fake_gpu || return 1
    # What the C++ compiler takes of the device's files: the layout, which the true objects have from another file.
    echo '#include "backend/layout.h"
        extern "C" __attribute__((visibility("default"))) const struct layout *tilelab_layout(void)
        { return &layout_here; }' >layout.cpp
    c++ -std=c++17 -shared -fPIC -I"$root/src" -I"$root/tests/unit/fake/nccl" -o objects/tilelab-cublasxt.so \
        "$root/tests/unit/fake/team.cpp" layout.cpp -x c++ "$root/src/team/gpus_nccl.cu" || return 1
    cp objects/tilelab-cublasxt.so objects/tilelab-cublasmp.so
    cp objects/tilelab-cublasxt.so objects/tilelab-nccl.so
}

# products VARIANT N...: a study of products on two GPUs, and its results
products() {
    local variant=$1
    shift
    export TILELAB_BACKENDS=$BATS_FILE_TMPDIR/objects LD_LIBRARY_PATH=$BATS_FILE_TMPDIR FAKE_GPU_COUNT=${gpus:-2}
    study team <<YAML
grid: {n: [$(IFS=,; echo "$*")], variant: $variant, gpus: 2, tile: 16}
YAML
    run "$TILELAB" run team.yaml --profile quick --data data ${energy:+--energy}
}

reasons() {
    column n,status,reason data/team.results.csv
}

@test "one process drives two GPUs: right, with the start of the team apart" {
    products cublasxt 40 48
    reasons
    [ "$(column n,gpus,status data/team.results.csv)" = $'40 2 ok\n48 2 ok' ]
}

@test "a time of a team tells the clock of its GPUs, and whether they were throttled" {
    unset TILELAB_FAKE_TIMER
    FAKE_GPU_REASONS=0x08 products cublasxt 40 # a slowdown of the hardware
    [ "$(column clock_hz,flags data/team.samples.csv | sort -u)" = '1500000000 throttled' ]
    rm -r data
    FAKE_GPU_REASONS=0x04 products cublasxt 40 # the power limit
    [ "$(column clock_hz,flags data/team.samples.csv | sort -u)" = '1500000000 capped' ]
    rm -r data
    FAKE_GPU_REASONS=0x01 products cublasxt 40 # idle
    [ "$(column clock_hz,flags data/team.samples.csv | sort -u)" = '1500000000 -' ]
}

@test "the energy of a team is that of its GPUs together" {
    energy=yes FAKE_GPU_WATTS=300 products cublasxt 40
    column power_w,no_energy data/team.results.csv
    column power_w data/team.results.csv | awk '{ exit !($1 > 480 && $1 < 720) }'
}

@test "a result of a team that is wrong is found without gathering it" {
    products cublasmp 40
    reasons
    [[ "$(reasons)" == *'40 wrong row 0 of C is wrong'* ]]
}

@test "more GPUs than the machine has are skipped with both numbers" {
    gpus=1 products cublasmp 40
    [ "$status" -eq 0 ]
    [[ "$(reasons)" == *'40 skipped 2 GPUs, but this machine has 1'* ]]
}

@test "GPUs that cannot reach each other's memory are the reason of a failed row" {
    FAKE_TEAM_REFUSES='GPU 0 cannot access the memory of GPU 1' products cublasxt 40 48
    reasons
    [ "$status" -eq 1 ]
    [ "$(reasons | grep -c 'failed.*GPU 0 cannot access the memory of GPU 1')" -eq 2 ]
}

@test "a NCCL older than the libraries need is told with both versions, once" {
    FAKE_NCCL=22809 products cublasmp 40
    reasons
    [ "$status" -eq 1 ]
    [[ "$(reasons)" == *'NCCL 2.28.9 is too old: cuBLASMp and cuSOLVERMp need 2.29.2 (make setup-cuda-mp)' ]]
    # The kernels that only exchange do not need it.
    rm -r data
    study team allgather <<<'grid: {n: 40, variant: nccl, gpus: 2}'
    FAKE_NCCL=22803 run "$TILELAB" run team.yaml --profile quick --data data
    reasons
    [[ "$(reasons)" == *'40 wrong GPU 0 got '* ]]
}

@test "a communicator that cannot be made is told in NCCL's words" {
    FAKE_NCCL_FAILS=1 products cublasmp 40
    reasons
    [[ "$(reasons)" == *'NCCL 2.32.3: no link between the GPUs'* ]]
}

@test "a rank that is killed is a status of its cell, and the other cells get a new team" {
    FAKE_TEAM_KILLS=48 products cublasmp 40 48 56
    reasons
    [ "$status" -eq 1 ]
    [[ "$(reasons)" == *'48 '*'rank 1 of the team was ended by signal 9 (Killed)'* ]]
    [ "$(reasons | grep -c 'wrong row')" -eq 2 ]
}

@test "a library for another CUDA is named, with what it misses" {
    cp -r "$BATS_FILE_TMPDIR/objects" objects
    # As a wheel for CUDA 13 on a machine with CUDA 12: a shared object that needs libcublas.so.13.
    echo 'int x;' >x.c
    cc -shared -o libcublas.so.99 -Wl,-soname,libcublas.so.99 x.c
    cc -shared -o objects/tilelab-cublasmp.so x.c -Wl,--no-as-needed ./libcublas.so.99
    rm libcublas.so.99
    export TILELAB_BACKENDS=$PWD/objects LD_LIBRARY_PATH=$BATS_FILE_TMPDIR FAKE_GPU_COUNT=2
    study team <<'YAML'
grid: {n: 40, variant: cublasmp, gpus: 2, tile: 16}
YAML
    run "$TILELAB" run team.yaml --profile quick --data data
    reasons
    [[ "$(reasons)" == *'libcublas.so.99: cannot open shared object file'* ]]
}

@test "libraries for CUDA 13 are not installed beside another CUDA" {
    program nvcc <<<'echo "Cuda compilation tools, release 12.4, V12.4.131"'
    NVCC=$PWD/nvcc run -1 "$root/tools/setup-cuda-mp" "$PWD/mp"
    [[ $output == *"these libraries are for CUDA 13, and $PWD/nvcc is of CUDA 12; nothing was installed" ]]
    [ ! -e mp ]
}

# pip BODY: a pip whose downloads do what BODY says; $to is the folder for the wheels.
pip() {
    mkdir -p pip
    {
        cat <<'SH'
[ "$1" != --version ] || exit 0
while [ "$1" != --dest ]; do shift; done
to=$2
SH
        echo "$1"
    } | program pip/pip3
}

@test "headers and libraries of the wheels are laid out for the build" {
    mkdir -p nvidia/nccl/include/nested/include nvidia/nccl/lib
    echo 1 >nvidia/nccl/include/nccl.h
    echo 2 >nvidia/nccl/include/nested/include/more.h
    echo 3 >nvidia/nccl/lib/libnccl.so.2
    python3 -m zipfile -c nccl.whl nvidia
    pip "echo 'Downloading nccl.whl (300 MB)'; cp '$PWD/nccl.whl' \"\$to\""
    PATH=$PWD/pip:$PATH NVCC='' run -0 "$root/tools/setup-cuda-mp" mp
    [ "$(cd mp && find . -type f | sort)" = \
        $'./include/nccl.h\n./include/nested/include/more.h\n./lib/libnccl.so.2' ]
    [[ $output == *'Downloading nccl.whl (300 MB)'*'mp takes '*'; run make again' ]]
}

@test "a download that fails leaves nothing behind, and says what stays skipped" {
    pip 'echo "No matching distribution" >&2; exit 1'
    PATH=$PWD/pip:$PATH NVCC='' run -1 "$root/tools/setup-cuda-mp" mp
    [[ $output == *'the cells of these libraries stay skipped'*'is there a network'* ]]
    [ -z "$(find mp -type f)" ]
}

@test "without pip, its package is named" {
    mkdir bin
    ln -s "$(command -v mktemp)" "$(command -v bash)" "$(command -v env)" bin
    PATH=$PWD/bin NVCC='' run -1 "$root/tools/setup-cuda-mp" mp
    [ "$output" = 'setup-cuda-mp: no pip found; install it with: apt-get install -y python3-pip' ]
}
