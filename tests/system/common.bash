# What the system tests share.
# SPDX-License-Identifier: MIT

bats_require_minimum_version 1.5.0

setup() {
    root=$BATS_TEST_DIRNAME/../..
    TILELAB=${TILELAB:-$root/build/tilelab}
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p data
    # The cell alone decides each time, so that no test waits for a clock.
    export TILELAB_FAKE_TIMER=1
}

# study NAME: writes an experiment file of one tiny product; standard input gives its grid and further keys.
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

# measure FILE...: runs experiment files into ./data and prints nothing.
measure() {
    run "$TILELAB" run "$@" --profile quick --data data
}

# column NAME FILE: the cells' values of a column of results.csv, with their variant, for the problem under test.
column() {
    "$BATS_TEST_DIRNAME/../column" "$@"
}

# said NAME: the facts of the finding or note NAME from ./data, a row a line, "fact=text" between blanks.
said() {
    (cd "$root" && "$TILELAB" query --data "$BATS_TEST_TMPDIR/data" --published data/published --set studies= \
        --set hosts=all --format facts report/chosen.sql report/chosen-cells.sql report/calibration-summary.sql \
        report/findings/*.sql report/notes/*.sql) |
        sed -nE "s/^row\t[a-z]*\/$1\t(.*)/\1 /p" | tr '\t' ' '
}
