#!/usr/bin/env bats
# The archive is a research object: its two descriptions name every file, and are valid where the standards' validators
# are installed. SPDX-License-Identifier: MIT
load common

# validator PACKAGE COMMAND: puts a validator of a standard on the path. Where it is not installed, it comes from PyPI
# into a virtual environment below build/, once.
validator() {
    local folder=$root/build/validators/$1 why
    ! command -v "$2" >/dev/null || return 0
    if [ ! -e "$folder/bin/$2" ]; then
        python3 -c 'import ensurepip' 2>/dev/null || skip "python3-venv is missing (make setup test)"
        python3 -m venv --clear "$folder"
        why=$("$folder/bin/pip" install -q --retries 0 --timeout 10 "$1" 2>&1) ||
            skip "$1 cannot be had from PyPI: ${why##*$'\n'}"
    fi
    PATH=$folder/bin:$PATH
}

@test "the archive's descriptions name its files, their hashes and their columns" {
    command -v python3 >/dev/null || skip "python3 is missing"
    run -0 env REPORT=/nowhere "$BATS_TEST_DIRNAME/../../tools/archive" "$PWD/crate"
    [ -z "$output" ] || { echo "$output"; return 1; }
    tar -tzf crate.tar.gz | grep -q '^crate/ro-crate-metadata.json$'
    python3 - crate <<'PYTHON'
import hashlib, json, os, sys
crate = sys.argv[1]
found = {os.path.relpath(os.path.join(folder, name), crate) for folder, _, names in os.walk(crate) for name in names}
graph = json.load(open(crate + "/ro-crate-metadata.json"))["@graph"]
files = {entity["@id"] for entity in graph if entity["@type"] == "File"}
root = next(entity for entity in graph if entity["@id"] == "./")
assert files == {part["@id"] for part in root["hasPart"]} == found - {"ro-crate-metadata.json"}, files ^ found
assert root["license"] and root["datePublished"]
package = json.load(open(crate + "/data/datapackage.json"))
tables = [resource for resource in package["resources"] if resource["path"].endswith(".csv")]
assert {"data/" + resource["path"] for resource in tables} == {f for f in files if f.endswith(".csv")}
assert package["licenses"][0]["name"] == "CC-BY-4.0" and package["sources"] and package["contributors"]
fields = [field for resource in tables for field in resource["schema"]["fields"]]
assert all(field["type"] != "any" and field["description"] for field in fields)
for resource in tables:
    data = open(crate + "/data/" + resource["path"], "rb").read()
    assert resource["hash"] == "sha256:" + hashlib.sha256(data).hexdigest()
    header = data.split(b"\n", 1)[0].decode().strip().split(",")
    assert header == [field["name"] for field in resource["schema"]["fields"]]
    if resource["path"].endswith(".results.csv"):
        types = {field["name"]: field["type"] for field in resource["schema"]["fields"]}
        assert types["median_s"] == "number" and types["n"] == "integer" and types["variant"] == "string"
PYTHON
}

@test "the validator of data packages accepts the archive" {
    validator frictionless frictionless
    "$BATS_TEST_DIRNAME/../../tools/archive" "$PWD/crate"
    cd crate/data
    frictionless validate datapackage.json
}

@test "the validator of research objects accepts the archive" {
    timeout 10 bash -c 'exec 3<>/dev/tcp/w3id.org/443' 2>/dev/null || skip "its vocabulary cannot be fetched"
    validator roc-validator rocrate-validator
    "$BATS_TEST_DIRNAME/../../tools/archive" "$PWD/crate"
    rocrate-validator validate crate -p ro-crate-1.1 -l REQUIRED </dev/null
}

@test "run records are what their JSON Schema says" {
    python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is missing"
    mkdir fresh
    printf '%s\n' 'schema: 1' 'title: {en: "One"}' 'source: tilelab' 'problem: matmul' 'precision: f64' \
        'grid: {n: 33, variant: [seq-ikj, blas-*]}' >one.yaml
    TILELAB_FAKE_TIMER=1 "$TILELAB" run one.yaml --data fresh >/dev/null
    python3 - "$root/data/run-record.schema.json" "$root"/data/*/*.run.json fresh/one.run.json <<'PYTHON'
import json, jsonschema, sys
schema = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
schema.check_schema(schema.schema)
faults = [f"{path}: {error.json_path}: {error.message}"
          for path in sys.argv[2:] for error in schema.iter_errors(json.load(open(path)))]
assert not faults, faults
record = json.load(open(sys.argv[-1]))
del record["counts"]["ok"], record["machine"]["fingerprint"]
assert len(list(schema.iter_errors(record))) == 2
PYTHON
}

@test "data/datapackage.json describes the recorded data (make readme writes it)" {
    cd "$root"
    "$root/tools/datapackage" --recorded data | diff - data/datapackage.json
}

@test "kernels/README.md has a line of the recorded data for each kernel file (make readme writes it)" {
    cd "$root"
    # By another compiler than that of the record, no kernel is known to be stale (ˢ).
    tools/ladder "$TILELAB" | sed 's/; ˢ [^;.]*//; s/ˢ//' >"$BATS_TEST_TMPDIR/ladder"
    sed 's/; ˢ [^;.]*//; s/ˢ//' kernels/README.md >"$BATS_TEST_TMPDIR/page"
    # A new kernel has its line once the page is written anew.
    run -1 grep -vxFf "$BATS_TEST_TMPDIR/ladder" "$BATS_TEST_TMPDIR/page"
    local file count=0
    while read -r file; do
        [ -e "kernels/$file" ] || { echo "$file is not there"; return 1; }
        count=$((count + 1))
    done < <(sed -nE 's/^\| \[[^]]+\]\(([^)]+)\).*/\1/p' kernels/README.md)
    [ "$count" -ge 100 ]
    grep -qE '^\| \[cuda-shared\]\(matmul/cuda_shared.cu\) \| .+ \| [0-9.]+ % of .cublas-resident., f32, n = 8192' \
        kernels/README.md
}

@test "the validator of citations accepts CITATION.cff, also with the address set" {
    validator cffconvert cffconvert
    cffconvert --validate -i "$root/CITATION.cff"
    sed -E 's@^# (repository-code|url): .*@\1: "https://example.org/tilelab"@' "$root/CITATION.cff" >with-address.cff
    grep -q '^url: ' with-address.cff
    cffconvert --validate -i with-address.cff
}

@test "an experiment of one's own makes no citation \"with local changes\", a changed source does" {
    command -v git >/dev/null || skip "git is missing"
    mkdir -p tree/tools tree/src tree/experiments
    cp "$root/tools/build-info" tree/tools/
    cd tree
    : >src/main.c
    : >experiments/known.yaml
    git init -q
    git add -A
    git -c user.name=a -c user.email=a@localhost -c commit.gpgsign=false commit -qm 'A tree'
    : >experiments/mine.yaml
    : >report.pdf
    tools/build-info | grep -qx '#define TILELAB_DIRTY 0'
    echo 'schema: 1' >experiments/known.yaml
    tools/build-info | grep -qx '#define TILELAB_DIRTY 1'
    git checkout -q experiments/known.yaml
    : >src/more.c
    tools/build-info | grep -qx '#define TILELAB_DIRTY 1'
}

@test "each run record of a recorded host has the hashes of the files beside it" {
    cd "$root/data"
    local record study
    for record in */*.run.json; do
        [[ $record != local/* ]] || continue
        study=${record%.run.json}
        jq -r --arg study "$study" '.outputs // {} | to_entries[] | "\(.value)  \($study).\(.key)"' "$record"
    done >"$BATS_TEST_TMPDIR/hashes"
    [ -s "$BATS_TEST_TMPDIR/hashes" ]
    sha256sum --quiet --check "$BATS_TEST_TMPDIR/hashes"
}
