#!/usr/bin/env bats
# BLAS libraries that misbehave: a function is missing, the thread count is ignored, the kernel is slow. Several of them
# in one study.
# SPDX-License-Identifier: MIT
# Two tests judge kernels by their times, so that tests/run starts no other check beside this file.
# bats file_tags=alone
load common

# library NAME OPTION...: builds the fake library with these options and lets the runner find it under that name.
library() {
    local name=$1
    shift
    fake blas "$name.so" -O3 -march=native "$@"
    export TILELAB_BLAS=$name=$PWD/$name.so
}

# blas_study NAME PROBLEM VARIANTS: writes the experiment file of a study on one thread and on all.
blas_study() {
    study "$1" "$2" '[f32, f64]' <<YAML
grid:
  n: [24]
  variant: $3
  threads: [1, all]
YAML
}

isa() {
    "$TILELAB" doctor | sed -n 's/.* instruction set  *\([a-z0-9]*\).*/\1/p'
}

@test "a library without a product: its cells fail with the name of what is missing, others are measured" {
    library part -DWITHOUT_DGEMM
    blas_study part matmul '[seq-ikj, blas-part]'
    measure -1 part.yaml
    column variant,status data/part.results.csv | grep -q '^matmul/seq-ikj ok'
    column variant,status,reason data/part.results.csv >rows
    ! grep '^matmul/blas-part' rows | grep -v 'has no cblas_sgemm or no cblas_dgemm' || { cat rows; return 1; }
    "$TILELAB" doctor | grep -A 1 'missing  part' | grep -q 'its cells fail'
}

@test "a library without syrk: that variant says so, its gemm is measured" {
    library part
    blas_study part aat '[blas-part-syrk, blas-part-gemm]'
    sed -i 's/\[1, all\]/1/' part.yaml
    measure -1 part.yaml
    column variant,status,reason data/part.results.csv >rows
    [ "$(grep -c '^aat/blas-part-gemm ok' rows)" -eq 2 ] || { cat rows; return 1; }
    [ "$(grep '^aat/blas-part-syrk' rows | grep -c 'cblas_ssyrk')" -eq 2 ] || { cat rows; return 1; }
}

@test "a run reads the file of a library once to hash it, whatever processes load the library" {
    command -v strace >/dev/null || skip 'strace is not installed'
    strace -qq -o /dev/null true || skip 'strace may not trace here'
    library part -DCHOOSES
    blas_study part matmul '[blas-part]'
    sed -i 's/\[1, all\]/1/' part.yaml
    run -0 strace -qq -f -o trace -e trace=read -P "$PWD/part.so" "$TILELAB" run part.yaml --data data
    # The loader reads the head alone.
    [ "$(grep -c ', 65536) = [1-9]' trace)" -eq 1 ] || { cat trace; return 1; }
}

@test "a library that ignores its thread count fails on two threads, and is right on one" {
    [ "$(nproc)" -ge 2 ] || skip "one core"
    library deaf -DDEAF
    blas_study deaf matmul '[blas-deaf]'
    sed -i 's/\[1, all\]/[1, 2]/' deaf.yaml
    measure -1 deaf.yaml
    column variant,threads,status,reason data/deaf.results.csv >rows
    [ "$(grep -c '^matmul/blas-deaf 1 ok' rows)" -eq 2 ] || { cat rows; return 1; }
    [ "$(grep '^matmul/blas-deaf 2' rows | grep -c 'told to use 2 threads, but kept')" -eq 2 ] ||
        { cat rows; return 1; }
}

@test "a poor kernel is found by measuring, corrected before loading, and told" {
    case $(isa) in v3 | v4) ;; *) skip "a processor without AVX2" ;; esac
    library mine -DCHOOSES
    unset TILELAB_FAKE_TIMER
    run "$TILELAB" doctor
    grep -A 4 'found    mine' <<<"$output" >told
    grep -qE 'says: kernel (skx|haswell)' told || { cat told; return 1; }
    grep -qE 'set before loading: BLIS_ARCH_TYPE=[01]' told
    grep -qE 'its own choice, penryn is a kernel for SSE2 or AVX, .* times as fast' told
}

@test "the worker runs under the setting that the record names, and results follow it" {
    case $(isa) in v3 | v4) ;; *) skip "a processor without AVX2" ;; esac
    library mine -DCHOOSES
    blas_study mine matmul '[blas-mine]'
    sed -i 's/\[1, all\]/1/' mine.yaml
    BLIS_ARCH_TYPE=1 measure -0 mine.yaml
    record=data/mine.run.json
    [ "$(jq -r '.libraries[] | select(.name == "mine") | [.kernel, .setting, .choice] | join(" ")' $record)" = \
        'haswell BLIS_ARCH_TYPE=1 user' ]
    measure mine.yaml
    [[ $output == *'library changed'* ]]
    # Without clocks no other kernel can be tried. The record tells the poor kernel and not what it costs.
    [ "$(jq -r '.libraries[] | select(.name == "mine") | [.kernel, .setting, .choice] | map(. // "-") |
        join(" ")' $record)" = 'penryn - poor' ]
    jq -r '.libraries[] | select(.name == "mine").remark' $record | grep -q 'what that costs was not measured'
    echo "SELECT choice, remark FROM libraries WHERE name = 'mine';" >query.sql
    "$TILELAB" query --data data query.sql | grep -q '^poor.penryn is a kernel'
}

@test "the user's setting wins, and a poor kernel of it is said to be the user's" {
    case $(isa) in v3 | v4) ;; *) skip "a processor without AVX2" ;; esac
    library mine -DCHOOSES
    unset TILELAB_FAKE_TIMER
    BLIS_ARCH_TYPE=2 run "$TILELAB" doctor
    grep -A 4 'limited  mine' <<<"$output" >told
    grep -q 'set by the user: BLIS_ARCH_TYPE=2' told
    grep -q "by the user's setting: penryn" told
}

@test "libraries that share one OpenMP runtime keep their own thread counts side by side" {
    blas_study both matmul '[omp-ikj, blas-*]'
    measure -0 both.yaml
    column variant,threads,status,reason data/both.results.csv >rows
    ! grep '^matmul/' rows | grep -vE ' ok | skipped .*(no [a-z-]+ on this machine)' || { cat rows; return 1; }
}
