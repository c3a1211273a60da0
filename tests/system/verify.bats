#!/usr/bin/env bats
# What `verify` says of a kernel that is wrong: where, when, and in which line of its source.
# SPDX-License-Identifier: MIT
load common
export TILELAB_TEST=1

@test "verify says which elements are wrong, and shows them once a variant" {
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-wrong --sizes 5,33 -k precision=f64
    diff - <(sed -E 's/variant=[^:]*: C\([^;]*; //' <<<"$output") <<'TEXT'
wrong 1 of 25 elements is wrong: the last row, the last column
  C, 5 x 5; a sign is 1 x 1: . right, # wrong, + partly wrong
       0 .....
       1 .....
       2 .....
       3 .....
       4 ....#
wrong 1 of 1089 elements is wrong: the last row, the last column
TEXT
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-untouched --sizes 5 -k precision=f64
    [[ $output == *'; all elements are wrong' && $output != *$'\n'* ]]
}

@test "verify tells a data race from an error" {
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-race --sizes 9 --threads 3 -k precision=f64
    [[ $output == *$'\n  right on one thread, and differs from run to run: a data race?'* ]]
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-wrong --sizes 9 -k precision=f64
    [[ $output != *'run to run'* && $output != *'one thread'* ]]
    run -0 "$TILELAB" verify fault/cpu-race --sizes 9 --threads 1 --repeat 20 -k precision=f64
}

@test "verify says where more threads ran than were asked for" {
    run -0 --separate-stderr "$TILELAB" verify fault/cpu-left --sizes 9 -k precision=f64
    [[ $output == 'ok variant=fault/cpu-left '*': 2 threads ran, and 1 was asked for' ]]
}

@test "a crash names the operand that was written" {
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-input --sizes 9 -k precision=f64
    [[ $output == 'crash variant=fault/cpu-input '*'SIGSEGV'*': it writes into operand A, which is read-only' ]]
}

@test "on a terminal, verify names the cell that takes long" {
    script -qec "'$TILELAB' verify fault/cpu-endless --sizes 5 -k precision=f64 --timeout 1" /dev/null >shown || true
    grep -q '1 of 1 s: variant=fault/cpu-endless precision=f64' shown
    "$TILELAB" verify fault/cpu-endless --sizes 5 -k precision=f64 --timeout 1 >shown 2>&1 || true
    run -1 grep 'of 1 s' shown
}

@test "verify --sanitize names the line of a race and of an access outside of an operand" {
    local line
    line=$(grep -n 'behind\[i\] = 1' "$root/kernels/fault/cpu_overrun.c" | cut -d : -f 1)
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-overrun --sanitize address --sizes 9 -k precision=f64
    [[ $output == *"AddressSanitizer: access beside an operand "*"kernels/fault/cpu_overrun.c:$line in run"* ]]
    run -1 "$TILELAB" verify fault/cpu-input --sanitize address --sizes 9 -k precision=f64
    [[ $output == *'kernels/fault/cpu_input.c:'*': it writes into operand A, which is read-only'* ]]
    # A kernel of a user's own folder.
    mkdir 'my kernels'
    sed 's/(fault, cpu_overrun)/(fault, cpu_mine)/' "$root/kernels/fault/cpu_overrun.c" >'my kernels/cpu_mine.c'
    XDG_CACHE_HOME=$PWD run -1 --separate-stderr "$TILELAB" verify fault/cpu-mine --kernels "my kernels" \
        --sanitize address --sizes 9 -k precision=f64
    [[ $output == *"access beside an operand "*"cpu_mine.c:$line in run"* ]]
    run -0 "$TILELAB" verify fault/cpu-right --sanitize address --sizes 9 -k precision=f64
    compgen -G '/usr/lib/llvm-*/lib/libarcher.so' >/dev/null || skip 'libarcher.so is missing'
    line=$(grep -n 'last = omp' "$root/kernels/fault/cpu_race.c" | cut -d : -f 1)
    run -1 --separate-stderr "$TILELAB" verify fault/cpu-race --sanitize thread --threads 3 --sizes 9 -k precision=f64
    [[ $output == *"ThreadSanitizer: data race "*"kernels/fault/cpu_race.c:$line in run"* ]]
    run -0 "$TILELAB" verify matmul/omp-packed --sanitize thread --threads 3 --sizes 65 -k precision=f64
}

@test "verify --sanitize runs CUDA variants under compute-sanitizer, and says where it is missing" {
    mkdir bin
    program bin/compute-sanitizer <<<'echo "$@" >called; exit 99'
    PATH=$PWD/bin:$PATH run -1 "$TILELAB" verify matmul/cuda-global --sizes 9 --sanitize memcheck
    [[ $output == *'compute-sanitizer has found the faults above' ]]
    grep -q -- '^--tool memcheck .*/tilelab verify .*matmul/cuda-global.* --timeout=0$' called
    rm bin/compute-sanitizer
    PATH=$PWD/bin CUDA_HOME=$PWD run -2 "$TILELAB" verify matmul/cuda-global --sizes 9 --sanitize racecheck
    [[ $output == *'needs compute-sanitizer, which is part of the CUDA Toolkit' ]]
    run -2 "$TILELAB" verify matmul/seq-ijk --sanitize memory
    # What no sanitizer has seen does not pass.
    run -2 "$TILELAB" verify matmul/cuda-global --sizes 9 --sanitize address
}
