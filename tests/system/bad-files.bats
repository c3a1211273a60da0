#!/usr/bin/env bats
# A faulty experiment file gives exit code 2 and a diagnostic with its position; nothing is measured or written.
# SPDX-License-Identifier: MIT
load common

# refused LINE[:COLUMN] TEXT: checks that bad.yaml is refused at this position, with TEXT in the message.
refused() {
    run "$TILELAB" run bad.yaml --profile quick --data data
    [ "$status" -eq 2 ] || { echo "exit code $status: $output"; return 1; }
    [[ "$output" =~ bad\.yaml:$1(:[0-9]+)*:\ error:\ .*$2 ]] || { echo "$output"; return 1; }
    [ -z "$(ls -A data)" ] || { ls -lR data; return 1; }
    run "$TILELAB" check bad.yaml
    [ "$status" -eq 2 ]
}

@test "a faulty file is refused with the position of each fault, and a good one is accepted" {
    local file
    for file in "$root"/tests/bad/*.yaml; do
        cp "$file" .
        file=${file##*/}
        run -2 "$TILELAB" run "$file" --data data
        [[ "$output" =~ $file:[0-9]+:[0-9]+:\ error:\  || $file = Bad_Name.yaml ]]
        run -2 "$TILELAB" check "$file"
    done
    [ -z "$(ls -A data)" ]
    tiny
    run -0 "$TILELAB" check tiny.yaml
}

@test "ranges that are too long together" {
    study bad <<<'grid: {n: {from: 1, to: 10000000, step: 1}, variant: [seq-ijk]}'
    refused 6 "all axes together"
}

@test "a folder of kernels that is not there, with the other faults of the file" {
    study bad <<<$'kernels: nowhere\ngrid: {n: [0], variant: [seq-ijk]}'
    refused 6:10 "the folder of kernels 'nowhere' cannot be read: No such file or directory"
    says "bad.yaml:7:"
}

@test "one bad file among good ones: nothing is measured" {
    tiny
    sed 's/64/512x/' tiny.yaml >bad.yaml
    run -2 "$TILELAB" run tiny.yaml bad.yaml --profile quick --data data
    [ -z "$(ls -A data)" ]
}

@test "a figure or a table that shows nothing of the problem, with those that do" {
    study bad lu <<'YAML'
grid:
  n: [8]
  variant: [seq-naive]
figures: [gflops-by-n, banks]
tables: [symmetry]
YAML
    refused 9:24 "the figure 'banks' shows nothing of this problem"
    told=$("$TILELAB" check bad.yaml 2>&1) || :
    [[ $told == *"the table 'symmetry' shows nothing of this problem"* ]]
    lists=$(grep '^  it can be: ' <<<"$told")
    # A problem without operations, or without a library, has no share of a peak and no frontier.
    study other copy <<'YAML'
grid:
  n: [8]
  variant: [omp]
figures: [share-of-peak]
YAML
    run -2 "$TILELAB" check other.yaml
    [[ $output == *"the figure 'share-of-peak' shows nothing of this problem"* ]]
    # A problem of one's own whose variants are bound by the memory has none either.
    "$TILELAB" new problem transpose
    sed -i -e 's/^problem: .*/problem: transpose/; s/\[omp\]/[seq]/' -e '$a kernels: kernels' other.yaml
    run -2 "$TILELAB" check other.yaml
    [[ $output == *"the figure 'share-of-peak' shows nothing of this problem"* ]]
    [[ $lists == *gflops-by-n* && $lists == *lu-libraries* && $lists != *banks* && $lists != *symmetry* &&
        $lists != *bandwidth-by-size* && $lists != *guards-by-n* &&
        $lists != *lab5-5* ]]
}

@test "figures and tables are those of the tree that holds the program; a lone program takes any name" {
    mkdir -p tree/build tree/report/tables
    cp "$TILELAB" tree/build/
    cp "$TILELAB" lone
    tiny bad
    echo 'tables: [mine]' >>bad.yaml
    refused 9:10 "unknown table 'mine'"
    echo '-- My rows.' >tree/report/tables/mine.sql
    run -0 tree/build/tilelab check bad.yaml
    run -0 ./lone check bad.yaml
    sed -i 's/mine/Mine/' bad.yaml
    run -2 ./lone check bad.yaml
    [[ $output == *"unknown table 'Mine'"* ]]
}

@test "an unknown word of a list, with the words that are allowed" {
    study bad matmul f16 <<'YAML'
grid:
  n: [8]
  variant: [omp-ijk]
  threads: some
figures: [xyzzy]
YAML
    told=$("$TILELAB" check bad.yaml 2>&1) || :
    for words in 'f32, f64, i32' 'all, half' 'gflops-by-n'; do
        grep -q "^  it can be: .*$words" <<<"$told" || { echo "$told"; return 1; }
    done
    study bad xyzzy <<<'grid: {n: 8, variant: seq-ijk}'
    "$TILELAB" check bad.yaml 2>&1 | grep '^  it can be: matmul, aat, lu'
}
