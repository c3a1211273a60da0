#!/usr/bin/env bats
# The keys of experiment files, as the documentation and editors see them.
# SPDX-License-Identifier: MIT
load common

# Checks each FILE against the schema; prints the names of those that it refuses.
refused() {
    python3 - "$@" <<'END'
import json, sys, yaml, jsonschema
schema = json.load(open('schema.json'))
jsonschema.Draft202012Validator.check_schema(schema)
for name in sys.argv[1:]:
    if not jsonschema.Draft202012Validator(schema).is_valid(yaml.safe_load(open(name))):
        print(name)
END
}

@test "the table of keys stands in the page on experiment files as the program prints it" {
    local line
    "$TILELAB" keys >table
    # The page tells of the axes in a table of their own, and of `measure` in one with the defaults of the profiles.
    awk '/^#/ { grid = /grid/ } grid' table | sed -nE 's/^\| (.[a-z-]+.) .*/^\\| \1/p' >axes
    while IFS= read -r line; do
        grep -qF -- "${line% |}" "$root/experiments/README.md" || { echo "missing: $line"; return 1; }
    done < <(grep -E '^\| .[a-z]' table | grep -vEf axes)
    [ "$(wc -l <axes)" -gt 15 ]
    [ "$(grep -E '^\| .[a-z]' table | grep -cvEf axes)" -ge 15 ]
}

@test "the schema of experiment files is JSON, and knows keys, variants and figures" {
    command -v jq >/dev/null || skip "jq is missing"
    "$TILELAB" keys --format json >schema.json
    [ "$(jq -r .additionalProperties schema.json)" = false ]
    [ "$(jq -c .required schema.json)" = '["schema","title","problem","grid"]' ]
    [ "$(jq -c '.properties.grid.required' schema.json)" = '["variant"]' ]
    grep -q '"matmul/omp-ijk"' schema.json
    grep -q '"gflops-by-n"' schema.json
    grep -q '"all"' schema.json
}

@test "the schema accepts every experiment file and refuses what check refuses" {
    python3 -c 'import yaml, jsonschema; jsonschema.Draft202012Validator' 2>/dev/null ||
        skip "there is no python3-jsonschema or python3-yaml"
    "$TILELAB" keys --format json >schema.json
    run refused "$root"/experiments/*.yaml
    [ "$status" -eq 0 ] && [ -z "$output" ]
    tiny
    sed 's/^grid:/gird:/' tiny.yaml >key.yaml
    sed 's/^  n: .*/  n: {from: 1, to: 8, stride: 2}/' tiny.yaml >range.yaml
    sed 's/^problem: .*/problem: matmull/' tiny.yaml >problem.yaml
    run refused tiny.yaml key.yaml range.yaml problem.yaml
    [ "$output" = $'key.yaml\nrange.yaml\nproblem.yaml' ]
}

@test "the manual page of experiment files has every key, and man and groff find no fault in it" {
    local key
    "$TILELAB" keys --format man >page.5
    for key in $("$TILELAB" keys | sed -nE 's/^[|] [^a-z]([a-z-]+). .*/\1/p'); do
        grep -qxF ".B ${key//-/\\-}" page.5 || { echo "$key is missing"; return 1; }
    done
    run ! grep -q '^@' page.5
    grep -qF '1 to 4096, \fBall\fR, \fBhalf\fR, \fBcores\fR.' page.5
    # Its example is an experiment.
    sed -n '/^\.EX/,/^\.EE/p' page.5 | sed -e '1d;$d' -e 's/\\-/-/g' >example.yaml
    "$TILELAB" check example.yaml
    for page in page.5 "$root/doc/tilelab.1"; do
        if command -v groff >/dev/null; then
            run groff -man -ww -z -Tutf8 "$page"
            [ "$status" -eq 0 ] && [ -z "$output" ] || { echo "$output"; return 1; }
        fi
        if command -v mandoc >/dev/null; then
            # Neither page has a date: the version tells its age.
            run sh -c "mandoc -T lint -W warning '$page' | grep -v 'missing date'"
            [ -z "$output" ]
        fi
    done
    command -v groff >/dev/null || command -v mandoc >/dev/null || skip "there is neither groff nor mandoc"
}
