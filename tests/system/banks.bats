#!/usr/bin/env bats
# The bank model on the command line.
# SPDX-License-Identifier: MIT
load common

# Prints the line of the picture that counts the words of each bank.
words() {
    grep '^sum' <<<"$output"
}

@test "banks tells the conflicts of a variant and draws the worst access" {
    run -0 --separate-stderr "$TILELAB" banks aat/cuda-b --n 1024 --tile 32
    [ -z "$stderr" ]
    grep -Eq 'all stores +2097152 +34603008 +16\.50 +32505856$' <<<"$output"
    grep -Eq 'all loads +2097152 +8388608 +4\.00$' <<<"$output"
    [[ $(words) =~ ^sum\ 32(\ \ 0){31}$ ]]
    [[ $output == *'32 wavefronts'* ]]
    [ "$(wc -L <<<"$output")" -le 100 ]
}

@test "padding and exclusive or give every lane a bank of its own" {
    local variant
    for variant in cuda-b-pad cuda-swizzle; do
        run -0 "$TILELAB" banks "aat/$variant" --tile 32 --warp 5
        [[ $(words) =~ ^sum(\ \ 1){32}$ ]]
        [[ $output == *'no conflict'* ]]
    done
}

@test "the size and the access to draw can be chosen" {
    run -0 "$TILELAB" banks cuda-a --n 64 --k 32 --precision f64 --tile 16 --site 2
    [[ ${lines[0]} == *'f64  n 64  k 32  tile 16' ]]
    [[ ${lines[1]} == '4 x 4 blocks of 16 x 16 threads; passes: 2;'* ]]
    [[ $output == *'16 sectors.' ]]
}

@test "a pattern gives every variant that it matches, and a line for a variant without a model" {
    run -0 --separate-stderr "$TILELAB" banks 'aat/*' --n 32
    [ "$(grep -c '^aat/cuda-' <<<"$output")" -ge 5 ]
    [[ $stderr == *'aat/seq-ijk has no model'* ]]
}

@test "a cell without a model: one line, exit code 2" {
    run -2 --separate-stderr "$TILELAB" banks aat/cuda-bb
    [ "$stderr" = "tilelab: no variant matches 'aat/cuda-bb'; did you mean 'aat/cuda-b'?" ]
    run -2 --separate-stderr "$TILELAB" banks aat/cuda-b --tile 32 --n 1000
    [[ $stderr == *'n = 1000 is no multiple of tile = 32'* && -z $output ]]
    run -2 --separate-stderr "$TILELAB" banks aat/seq-ijk
    [[ $stderr == *'it does not run on a GPU'* && -z $output ]]
    run -2 --separate-stderr "$TILELAB" banks aat/cuda-b --site 16
    [[ $stderr == *'no --site 16'* ]]
}

@test "wrong usage: exit code 2" {
    local wrong
    for wrong in '' 'aat/cuda-b --n 0' 'aat/cuda-b --n 12x' 'aat/cuda-b --precision f16' 'aat/cuda-b --site 0' \
        'aat/cuda-b --warp 32' 'aat/cuda-a aat/cuda-b'; do
        # shellcheck disable=SC2086
        run "$TILELAB" banks $wrong
        [ "$status" -eq 2 ] || { echo "banks $wrong: $status"; return 1; }
    done
}
