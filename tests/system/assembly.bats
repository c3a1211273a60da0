#!/usr/bin/env bats
# `tilelab show --assembly`: the machine code of a variant.
# SPDX-License-Identifier: MIT
load common

needs_objdump() {
    command -v objdump >/dev/null || skip 'objdump is missing'
    [ "$(uname -m)" = x86_64 ] || skip 'the instructions are those of x86-64'
}

@test "the innermost loop of a CPU kernel is shown with its source lines" {
    needs_objdump
    cd "$root"
    run -0 --separate-stderr "$TILELAB" show --assembly matmul/seq-ikj --precision f64 --isa base --opt O2
    [ -z "$stderr" ]
    [ "${lines[0]}" = 'matmul/seq-ikj: precision f64, opt O2, isa base' ]
    [[ ${lines[1]} == *'; 1 of them (*) multiply. Its function is run' ]]
    grep -Ex 'kernels/matmul/seq_ikj.c:[0-9]+  c\[i \* n \+ j\] \+= factor \* b\[l \* n \+ j\];' <<<"$output"
    grep -E '^ +[0-9a-f]+\* mulsd ' <<<"$output"
}

@test "another instruction set is another build, and --all shows the functions of that build alone" {
    needs_objdump
    run -0 "$TILELAB" show --assembly matmul/seq-ikj --isa v3 --all
    grep -E '^ +[0-9a-f]+\* vfmadd[0-9]+ps .*%ymm' <<<"$output"
    [ "$(grep -c '^function ' <<<"$output")" -eq 1 ]
    # Without the sources, the numbers of lines stay.
    grep -Ex 'kernels/matmul/seq_ikj.c:[0-9]+' <<<"$output"
}

@test "a packed product shows its register tile" {
    needs_objdump
    run -0 "$TILELAB" show --assembly matmul/omp-packed --isa v3
    grep -E '^kernels/common/gemm_tile.h:[0-9]+' <<<"$output"
    (($(grep -cE '\* vfmadd.*%ymm' <<<"$output") >= 8))
}

@test "show --assembly says why there is no code to show" {
    run -2 "$TILELAB" show --assembly matmul/seq-ijj
    [[ $output == *"did you mean 'matmul/seq-ijk'?"* ]]
    run -2 "$TILELAB" show --assembly matmul/blas-openblas
    [[ $output == *'leaves the work to openblas, whose code is in the library' ]]
    run -2 "$TILELAB" show --assembly jacobi/seq --precision i32
    run -2 "$TILELAB" show tiny --all
    [[ $output == *'belong to --assembly'* ]]
    mkdir empty
    PATH=$PWD/empty run -2 "$TILELAB" show --assembly matmul/seq-ijk
    [[ $output == 'tilelab show: objdump is missing; install it with: '*' binutils' ]]
}

@test "a CUDA kernel's code is SASS, from the shared object that runs" {
    local arch
    [ -e "$(dirname "$TILELAB")/tilelab-cuda.so" ] || skip 'the GPU code is not built'
    command -v cuobjdump >/dev/null || [ -x /usr/local/cuda/bin/cuobjdump ] ||
        skip 'cuobjdump is missing (part of the CUDA Toolkit)'
    run -0 "$TILELAB" show --assembly matmul/cuda-shared
    [[ ${lines[0]} =~ ^'matmul/cuda-shared: precision f32, SASS for sm_'[0-9]+a?$ ]]
    [[ ${lines[1]} == *'Its function is matmul_shared<f32, '*'>' ]]
    grep -E '^ +[0-9a-f]+\* FFMA ' <<<"$output"
    arch=${lines[0]##* }
    run "$TILELAB" show --assembly matmul/cuda-shared --precision f64 --arch "$arch"
    grep -E '^ +[0-9a-f]+\* DFMA ' <<<"$output"
    run -2 "$TILELAB" show --assembly matmul/cuda-shared --arch hopper
    [[ $output == *"not 'hopper'" ]]
}

@test "without cuobjdump, nvcc makes PTX in TMPDIR and leaves nothing there" {
    mkdir -p cuda/bin nothing temporary
    program cuda/bin/nvcc <<'EOF'
while [ "$1" != -o ]; do shift; done
echo "$2" >"$ASKED"
printf '.entry matmul_global(\n\tfma.rn.f32 %%f1, %%f2;\n' >"$2"
EOF
    export ASKED=$PWD/asked
    cd "$root"
    PATH=$BATS_TEST_TMPDIR/nothing CUDA_HOME=$BATS_TEST_TMPDIR/cuda TMPDIR=$BATS_TEST_TMPDIR/temporary \
        run "$TILELAB" show --assembly matmul/cuda-global --all
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == 'matmul/cuda-global: precision f32, PTX for compute_'* ]]
    [[ $(<"$ASKED") == "$BATS_TEST_TMPDIR/temporary/"* ]]
    [ -z "$(ls -A "$BATS_TEST_TMPDIR/temporary")" ]
}

@test "where nothing can show a GPU's code, the packages are named" {
    mkdir empty
    PATH=$PWD/empty CUDA_HOME=$PWD/empty TILELAB_BACKENDS=$PWD/empty run "$TILELAB" show --assembly matmul/cuda-global
    [ "$status" -eq 2 ]
    [[ $output == 'tilelab show: '* ]]
}
