#!/usr/bin/env bats
# Kernels and problems of a user's own folder: compiled by an installed program that nobody may write to, in folders
# with blanks and Cyrillic letters, beside files that are broken.
# SPDX-License-Identifier: MIT
load common
load installed

setup() {
    TILELAB=$PREFIX/bin/tilelab
    mkdir -p "$BATS_TEST_TMPDIR/моя папка"
    cd "$BATS_TEST_TMPDIR/моя папка" || return 1
    export TILELAB_FAKE_TIMER=1
}

@test "a full folder of compiled kernels is named" {
    mkdir full
    unshare -m mount -t tmpfs tmpfs full 2>/dev/null || skip 'no file system can be mounted'
    "$TILELAB" new variant matmul/seq-mine
    run env "XDG_CACHE_HOME=$PWD/full" unshare -m \
        sh -c "mount -t tmpfs -o size=16k tmpfs full && '$TILELAB' verify matmul/seq-mine --kernels kernels --sizes 8"
    says "there is no space left for compiled kernels in $PWD/full/tilelab/kernels: free some, or let XDG_CACHE_HOME "
}

@test "new tells why it cannot write, and where it could" {
    mkdir closed
    chmod a-w closed
    cd closed || return 1
    run -2 as_user "$TILELAB" new study mine
    says 'tilelab new: mine.yaml cannot be written: Permission denied; go to a folder of your own'
    [[ $output != *--kernels* ]]
    run -2 as_user "$TILELAB" new variant matmul/omp-mine
    says 'omp_mine.c cannot be written: Permission denied; go to a folder of your own, or give --kernels FOLDER'
}

@test "new writes a kernel, a problem and a study that work at once, and overwrites nothing" {
    run -0 "$TILELAB" new
    says 'variant PROBLEM/NAME' 'matmul'
    run -0 "$TILELAB" new variant matmul/omp-mine
    says 'kernels/matmul/omp_mine.c' 'tilelab verify matmul/omp-mine --kernels kernels'
    [[ $output == *"$(printf '%q' "$PREFIX")/bin/tilelab verify"* ]]
    PATH=$PREFIX/bin:$PATH run -0 tilelab new problem transpose
    says "Now: tilelab verify 'transpose/*' --kernels kernels"
    run -0 "$TILELAB" new variant transpose/omp-mine
    run -0 "$TILELAB" new study mine
    run -2 "$TILELAB" new variant matmul/omp-mine
    says 'nothing is overwritten'
    # The program has such a kernel already, so that the copy could never be loaded.
    run -2 "$TILELAB" new variant matmul/seq-ijk
    says "there is a kernel 'matmul/seq-ijk' already; choose another name, as matmul/seq-ijk-mine"
    [ ! -e kernels/matmul/seq_ijk.c ]
    # A kernel in another language is no beginning, and each library has a variant of its own.
    run -2 "$TILELAB" new variant transpose/opencl-mine
    says 'transpose has no opencl kernel'
    run -0 "$TILELAB" new variant matmul/blas-mine
    says "tilelab verify 'matmul/blas-*-mine' --kernels kernels"
    run -0 "$TILELAB" verify 'matmul/omp-mine,transpose/*' --kernels kernels --sizes 1,33
    says 'ok variant=matmul/omp-mine' 'ok variant=transpose/seq' 'ok variant=transpose/omp-mine'
    # Only what the cells ask for is compiled.
    "$TILELAB" new variant matmul/seq-mine
    run -0 "$TILELAB" verify matmul/seq-mine --kernels kernels --sizes 9 --only 'precision=f64 and m=9'
    [[ $output != *i32* && $output == *'1 cells, 1 ok'* ]]
    run -0 "$TILELAB" run mine.yaml --set n=16 --only 'seq-ikj,omp-mine'
    run -0 "$TILELAB" show mine --format csv --orphaned
    says 'matmul/omp-mine'
}

@test "a file that cannot be read is told, and the others are measured" {
    mkdir k
    sed 's/omp_ijk/omp_mine/' "$PREFIX/share/tilelab/kernels/matmul/omp_ijk.c" >k/omp_mine.c
    ln -s /nowhere.c k/omp_gone.c
    run -1 "$TILELAB" verify matmul/omp-mine --kernels k --sizes 9
    says 'k/omp_gone.c: it cannot be read: No such file or directory' 'k/omp_gone.c is left out' '6 cells, 6 ok'
}

@test "a kernel has the hash and the speed of the same kernel in the tree, and a new source makes results stale" {
    mkdir k
    sed 's/omp_ijk/omp_mine/' "$PREFIX/share/tilelab/kernels/matmul/omp_ijk.c" >k/omp_mine.c
    study mine <<'YAML'
kernels: k
grid:
  n: [16]
  variant: [omp-ijk, omp-mine]
YAML
    run -0 "$TILELAB" run mine.yaml
    [ "$(column source_hash data/local/mine.results.csv | sort -u | wc -l)" = 1 ]
    run -0 "$TILELAB" run mine.yaml
    says '0 to measure'
    # A study is read once, so that it may come from a pipe.
    mkdir piped
    mkfifo piped/mine.yaml
    sed 's|kernels: k|kernels: ../k|' mine.yaml >piped/mine.yaml &
    run -0 timeout 60 "$TILELAB" check piped/mine.yaml
    says 'piped/mine.yaml: 2 cells in full'
    sed -i 's/real sum = 0;/real sum = 0 * 1;/' k/omp_mine.c
    run -0 "$TILELAB" plan mine.yaml
    says '1 to measure: source'
    run -0 "$TILELAB" show --assembly matmul/omp-mine --kernels k
    says "$PWD/k/omp_mine.c:"
}

@test "a variant of one's own problem verifies the others" {
    run -0 "$TILELAB" new problem transpose
    sed -i 's|^    .verify = verify,|    AGAINST("seq", 4),|; s|"verify/inputs.h"|"verify/against.h"\n#include &|
        /^static void verify/,/^}/d' kernels/transpose/problem.c
    run -0 "$TILELAB" new variant transpose/omp-mine
    sed -i 's/a\[j \* n + i\]/a[i * n + j]/' kernels/transpose/omp_mine.c
    run -1 "$TILELAB" verify 'transpose/*' --kernels kernels --sizes 33 --only precision=f64
    says 'ok variant=transpose/seq' 'wrong variant=transpose/omp-mine' 'as with seq'
}

@test "a file that does not compile is told with its line, and the others go on" {
    mkdir k
    "$TILELAB" new variant matmul/omp-good --kernels k
    sed 's/omp_good/omp_bad/; s/real sum/rael sum/' k/matmul/omp_good.c >k/omp_bad.c
    sed 's/omp_good/omp_half/; s|^static int run|#ifndef TILELAB_F64\n#error only f64\n#endif\n&|' \
        k/matmul/omp_good.c >k/omp_half.c
    sed 's/omp_good/omp_loose/; s/^static int run/int loose;\n&/' k/matmul/omp_good.c >k/omp_loose.c
    study mine <<'YAML'
kernels: k
grid:
  n: [16]
  variant: [omp-bad, omp-good]
YAML
    run -1 "$TILELAB" run mine.yaml
    says "k/omp_bad.c:" "error: " "matmul/omp-bad is left out" "k/omp_loose.c: defines 'loose'"
    [ "$(column variant,status data/local/mine.results.csv)" = 'matmul/omp-good ok' ]
    run -1 "$TILELAB" verify 'matmul/omp-half' --kernels k --sizes 16 --only precision=f64
    says 'ok variant=matmul/omp-half precision=f64'
    run -1 "$TILELAB" verify 'matmul/omp-half' --kernels k --sizes 16 --only precision=f32
    says 'failed variant=matmul/omp-half precision=f32' 'k/omp_half.c:' 'only f64'
}

@test "two kernels of one name are an error that names both files" {
    "$TILELAB" new variant matmul/omp-mine
    cp kernels/matmul/omp_mine.c kernels/omp_mine.c
    run -2 "$TILELAB" list --kernels kernels
    says 'kernels/matmul/omp_mine.c' 'kernels/omp_mine.c' 'two kernels are named matmul/omp-mine'
    rm kernels/omp_mine.c
    sed 's/omp_mine/omp_ijk/' kernels/matmul/omp_mine.c >kernels/omp_ijk.c
    run -2 "$TILELAB" list --kernels kernels
    says 'kernels/matmul/omp_ijk.c' 'kernels/omp_ijk.c'
    mv kernels/omp_ijk.c kernels/omp_other.c
    run -1 "$TILELAB" list --kernels kernels
    says 'VARIANT(matmul, omp_other)'
    sed 's/omp_mine/omp-dash/' kernels/matmul/omp_mine.c >kernels/omp-dash.c
    sed 's/omp_mine/omp_dash/' kernels/matmul/omp_mine.c >kernels/omp-other.c
    run -1 "$TILELAB" list --kernels kernels
    says 'VARIANT(matmul, omp-dash); names in it have a-z, 0-9 and _' 'rename the file to omp_dash.c'
    run -2 "$TILELAB" list --kernels nowhere
    says "'nowhere' cannot be read"
}

@test "without a GPU or nvcc a kernel for CUDA is skipped with the reason" {
    [ ! -e /dev/nvidia0 ] || skip 'there is a GPU'
    "$TILELAB" new variant matmul/cuda-mine
    study mine <<'YAML'
kernels: kernels
grid:
  n: [16]
  variant: [seq-ijk, cuda-mine]
YAML
    run -0 "$TILELAB" run mine.yaml
    [ "$(column variant,status data/local/mine.results.csv)" = $'matmul/seq-ijk ok\nmatmul/cuda-mine skipped' ]
    column variant,reason data/local/mine.results.csv | grep -qE 'cuda-mine .*(NVIDIA|nvcc)'
}

@test "the machine code of a kernel for CUDA is PTX where cuobjdump is missing, and its faults give an exit code" {
    command -v nvcc >/dev/null || skip 'nvcc is missing'
    "$TILELAB" new variant matmul/cuda-mine
    if ! command -v cuobjdump >/dev/null; then
        run -0 "$TILELAB" show --assembly matmul/cuda-mine --kernels kernels
        says 'PTX for compute_80' 'fma.rn.f32'
        run -0 "$TILELAB" show --assembly matmul/cuda-global
        says 'PTX for compute_80'
    fi
    sed -i 's/ += a\[/ += aa[/' kernels/matmul/cuda_mine.cu
    # A program that was built without nvcc compiles no kernel for CUDA.
    code=$([ -n "${NVCC:-}" ] && echo 1 || echo 0)
    run "-$code" "$TILELAB" verify matmul/cuda-mine --kernels kernels --sizes 9
    [ "$code" = 0 ] || says 'kernels/matmul/cuda_mine.cu(' 'identifier "aa" is undefined'
}

@test "a report has the rows and the listing of one's own kernel and problem" {
    for tool in gnuplot latexmk pdftotext; do command -v $tool >/dev/null || skip "$tool is missing"; done
    "$TILELAB" new problem transpose
    cat >mine.yaml <<'YAML'
schema: 1
title: {en: "Transposes"}
source: own
problem: transpose
kernels: kernels
precision: f64
grid:
  n: [16, 32]
  variant: ['*']
figures: [gflops-by-n]
YAML
    # A file that nobody may read costs no report.
    echo 'VARIANT(transpose, closed)' >kernels/closed.c
    chmod 0 kernels/closed.c
    run -0 as_user "$TILELAB" report mine.yaml
    pdftotext -layout report.pdf - >text
    grep -q 'Transposes' text
    grep -q 'kernels/transpose/seq.c' text
    grep -q 'a\[j \* n + i\]' text
    # Without gnuplot it is a text, and the PDF is an old one.
    mkdir bin
    ln -s /usr/bin/* /bin/* bin/ 2>/dev/null || true
    rm bin/gnuplot
    PATH=$PWD/bin run -0 "$TILELAB" report mine.yaml --no-measure
    says 'report.pdf is older than these results'
    grep -q 'transpose/seq' report.md
}

@test "a sanitizer names the line of a fault of one's own kernel" {
    [[ $(gcc -print-file-name=libasan.so) == /* ]] || skip 'gcc has no AddressSanitizer'
    "$TILELAB" new variant matmul/seq-mine --kernels mine
    sed 's/seq_mine/seq_bad/; s/return 0;/return nothing;/' mine/matmul/seq_mine.c >mine/matmul/seq_bad.c
    sed -i 's/c\[i \* n + j\] = sum;/c[i * n + j + (i == m - 1)] = sum;/' mine/matmul/seq_mine.c
    run -1 "$TILELAB" verify matmul/seq-mine --kernels mine --sizes 9 --square --only precision=f64 --sanitize address
    says " mine/matmul/seq_mine.c:$(grep -n 'i == m - 1' mine/matmul/seq_mine.c | cut -d : -f 1)"
    [ "$(grep -c 'is left out' <<<"$output")" -eq 1 ]
}
