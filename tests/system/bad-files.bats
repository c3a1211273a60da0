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

grid() {
    study bad <<YAML
grid:
  n: $1
  variant: [seq-ijk]
YAML
}

@test "a good file is accepted" {
    tiny
    run "$TILELAB" check tiny.yaml
    [ "$status" -eq 0 ]
}

@test "an unknown key, with the key that may have been meant" {
    study bad <<'YAML'
gird:
  n: [8]
YAML
    refused 6:1 gird
    "$TILELAB" check bad.yaml 2>&1 | grep -q 'did you mean.*grid'
}

@test "the faulty line is shown with a caret below it" {
    grid '[8, 512x]'
    run "$TILELAB" check bad.yaml
    [[ "$output" == *'  n: [8, 512x]'* ]]
    [[ "$output" == *'^'* ]]
}

@test "a size with letters" { grid '[8, 512x]'; refused 7:10 512x; }
@test "a size with a leading zero" { grid '[010]'; refused 7:7 010; }
@test "a size with a fraction" { grid '[3.5]'; refused 7:7 3.5; }
@test "a negative size" { grid '[-8]'; refused 7:7 -8; }
@test "a size of zero" { grid '[0]'; refused 7:7 0; }
@test "a size beyond 64 bits" { grid '[99999999999999999999]'; refused 7:7 99999999999999999999; }
@test "a size in hexadecimal" { grid '[0x10]'; refused 7:7 0x10; }
@test "a literal duplicate" { grid '[8, 16, 8]'; refused 7:14 8; }
@test "a list without values" { grid '[]'; refused 7; }
@test "a map where sizes belong" { grid '{width: 3}'; refused 7 width; }
@test "ranges that are too long together" { grid "{from: 1, to: 10000000, step: 1}"; refused 7 "all axes together"; }

@test "a wrong type" {
    study bad <<'YAML'
grid: 3
YAML
    refused 6
}

@test "a duplicate key" {
    study bad <<'YAML'
grid:
  n: [8]
  n: [16]
  variant: [seq-ijk]
YAML
    refused 8:3
}

@test "a tab as indentation" {
    printf 'schema: 1\ntitle: {en: "T"}\nsource: tilelab\nproblem: matmul\ngrid:\n\tn: [8]\n' >bad.yaml
    refused 6
}

@test "an empty file" {
    : >bad.yaml
    refused 1
}

@test "a file of comments only" {
    printf '# nothing\n' >bad.yaml
    run "$TILELAB" run bad.yaml --data data
    [ "$status" -eq 2 ]
}

@test "an alias" {
    study bad <<'YAML'
grid:
  n: &sizes [8]
  m: *sizes
  variant: [seq-ijk]
YAML
    refused '[78]'
}

@test "a grid of more than a million cells" {
    study bad <<'YAML'
grid:
  n: {from: 1, to: 4000, step: 1}
  k: {from: 1, to: 4000, step: 1}
  variant: [seq-ijk]
YAML
    refused '[0-9]+' 10
}

@test "an unknown variant, with the variant that may have been meant" {
    study bad <<'YAML'
grid:
  n: [8]
  variant: [seq-ikl]
YAML
    refused 8:13 seq-ikl
    "$TILELAB" check bad.yaml 2>&1 | grep -q 'did you mean.*seq-i[jk][jk]'
}

@test "a pattern that matches nothing" {
    study bad <<'YAML'
grid:
  n: [8]
  variant: [seq-ijk, zzz-*]
YAML
    refused 8:22 'zzz-\*'
}

@test "an unknown problem" {
    sed 's/^problem: matmul/problem: matmull/' <(tiny; cat tiny.yaml) >bad.yaml
    refused 4:10 matmull
}

@test "a problem of the runner's own tests" {
    sed 's/^problem: matmul/problem: fault/; s/\[seq-ijk, seq-ikj\]/[cpu-right]/' <(tiny; cat tiny.yaml) >bad.yaml
    refused 4:10 fault
}

@test "an unknown figure" {
    study bad <<'YAML'
grid:
  n: [8]
  variant: [seq-ijk]
figures: [gflops-by-m]
YAML
    refused 9:11 gflops-by-m
}

@test "an unknown schema" {
    sed 's/^schema: 1/schema: 2/' <(tiny; cat tiny.yaml) >bad.yaml
    refused 1:9 2
}

@test "YAML that does not parse" {
    printf 'schema: 1\ntitle: {en: "T"\nproblem: matmul\n' >bad.yaml
    refused '[0-9]+'
}

@test "a file too deep" {
    printf 'schema: 1\ngrid: %s8%s\n' "$(printf '[%.0s' {1..40})" "$(printf ']%.0s' {1..40})" >bad.yaml
    run "$TILELAB" check bad.yaml
    [ "$status" -eq 2 ]
}

@test "a file too long" {
    { tiny; cat tiny.yaml; head -c 1100000 /dev/zero | tr '\0' '#'; } >bad.yaml
    run "$TILELAB" check bad.yaml
    [ "$status" -eq 2 ]
}

@test "a file that is not there" {
    run "$TILELAB" run nowhere.yaml --data data
    [ "$status" -eq 2 ]
    [[ "$output" == *nowhere.yaml* ]]
}

@test "every fault of a file is told in one go" {
    study bad <<'YAML'
gird: 3
grid:
  n: [8, 512x]
  variant: [seq-ijk]
YAML
    run "$TILELAB" check bad.yaml
    [ "$status" -eq 2 ]
    [ "$(grep -c ': error: ' <<<"$output")" -ge 2 ]
}

@test "one bad file among good ones: nothing is measured" {
    tiny
    grid '[512x]'
    run "$TILELAB" run tiny.yaml bad.yaml --profile quick --data data
    [ "$status" -eq 2 ]
    [ -z "$(ls -A data)" ]
}

@test "a figure or a table that shows nothing of the problem, with those that do" {
    study bad <<'YAML'
grid:
  n: [8]
  variant: [seq-naive]
figures: [gflops-by-n, banks]
tables: [symmetry]
YAML
    sed -i 's/^problem: .*/problem: lu/' bad.yaml
    refused 9:24 "the figure 'banks' shows nothing of this problem"
    told=$("$TILELAB" check bad.yaml 2>&1) || :
    [[ $told == *"the table 'symmetry' shows nothing of this problem"* ]]
    lists=$(grep '^  it can be: ' <<<"$told")
    [[ $lists == *gflops-by-n* && $lists == *lu-libraries* && $lists != *banks* && $lists != *symmetry* ]]
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
    study bad <<'YAML'
grid:
  n: [8]
  variant: [omp-ijk]
  threads: some
figures: [xyzzy]
YAML
    sed -i 's/^precision: .*/precision: f16/' bad.yaml
    told=$("$TILELAB" check bad.yaml 2>&1) || :
    for words in 'f32, f64, i32' 'all, half' 'gflops-by-n'; do
        grep -q "^  it can be: .*$words" <<<"$told" || { echo "$told"; return 1; }
    done
    tiny
    sed 's/^problem: matmul/problem: xyzzy/' tiny.yaml >bad.yaml
    "$TILELAB" check bad.yaml 2>&1 | grep '^  it can be: matmul, aat, lu'
}
