# What the system tests share.
# SPDX-License-Identifier: MIT

bats_require_minimum_version 1.5.0

setup() {
    root=$BATS_TEST_DIRNAME/../..
    TILELAB=${TILELAB:-$root/build/tilelab}
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p data
    # Times that depend on nothing but the cell, so that no test waits for a clock.
    export TILELAB_FAKE_TIMER=1
}

# study NAME KEY: LINE... - an experiment file of one tiny product, with the lines of standard input as its grid and
# whatever else.
study() {
    local name=$1
    {
        printf 'schema: 1\ntitle: {en: "Test"}\nsource: tilelab\nproblem: matmul\nprecision: f64\n'
        cat
    } >"$name.yaml"
}

tiny() {
    study "${1:-tiny}" <<'YAML'
grid:
  n: [64, 72]
  variant: [seq-ijk, seq-ikj]
YAML
}

# measure FILE...: runs it into ./data, quietly.
measure() {
    run "$TILELAB" run "$@" --profile quick --data data
}

# column NAME FILE: the cells' values of a column of results.csv, with their variant, for the problem under test.
column() {
    "$BATS_TEST_DIRNAME/../column" "$@"
}
