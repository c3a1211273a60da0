#!/usr/bin/env bats
# One foreign file does not cost the report: what cannot be read is left out, and named on the page and the terminal.
# SPDX-License-Identifier: MIT

load report

setup() {
    NEEDED='gnuplot rsvg-convert latexmk pdftotext python3' prepare
    tree .
}

# edit FILE PYTHON: changes the object `record` of a run record.
edit() {
    python3 - "$1" "$2" <<'PYTHON'
import json, sys
record = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(record, open(sys.argv[1], "w"), ensure_ascii=False, indent=1)
PYTHON
}

# host NAME: a recorded host like the invented one. As in older run records, nothing counts the rows.
host() {
    local file
    cp -r data/gpu "data/$1"
    sed -i "s/Invented CPU/CPU of $1/; s/Invented GPU/GPU of $1/" data/"$1"/*.run.json
    for file in data/"$1"/*.run.json; do edit "$file" 'del record["counts"]'; done
}

@test "a report of hostile folders names what it leaves out" {
    for name in newer renamed cut garbage mark infinite foreign folders pipes; do host $name; done
    sed -i '1s/$/,colour/; 2,$s/$/,blue/' data/newer/slow-gpu.results.csv
    sed -i 's#,[a-z]*/cuda-[a-z0-9-]*,#,matmul/cuda-was-once,#' data/renamed/*.csv
    for file in data/cut/*.run.json; do truncate -s 300 "$file"; done
    head -c 5000 /dev/urandom >data/garbage/slow-gpu.run.json
    head -c 5000 /dev/urandom >data/garbage/hostile.results.csv
    printf 'hostile,abc\n' >>data/newer/hostile.results.csv
    sed -i '1s/^/\xef\xbb\xbf/' data/mark/*.csv
    for value in NaN 1e999; do
        awk -F, -v OFS=, -v value=$value 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "median_s") at = i; next }
            NR == 2 { $at = value; print }' data/infinite/slow-gpu.results.csv >row
        cat row >>data/infinite/slow-gpu.results.csv
    done
    edit data/infinite/slow-gpu.run.json 'record["measured_at"] = 9 * 10 ** 18'
    for study in slow-gpu hostile; do
        edit data/foreign/$study.run.json \
            'record["machine"]["cpu_model"] = "中文 ] [ Процессор ™ 😀"; record["gpu"] = {"name": "[1] ★"}'
    done
    edit data/infinite/slow-gpu.run.json 'record["experiment"]["title_en"] = "A ] title [ without end " * 15000'
    mkdir data/folders/other.results.csv data/folders/other.run.json
    mkfifo data/pipes/a.results.csv data/pipes/b.run.json data/pipes/c.csv
    ln -s /dev/zero data/pipes/d.samples.csv
    ln -s /dev/zero data/pipes/e.run.json
    run -0 timeout 300 report/build.sh report
    for told in "newer/slow-gpu.results.csv:1: warning: left out the column 'colour'" \
        'data/cut: slow-gpu: it has no run record' 'data/garbage is refused' \
        'newer/hostile.results.csv:[0-9]*: warning: left out a row: 2 fields' \
        'infinite/slow-gpu.results.csv:[0-9]*: warning: left out a row: median_s: the value is no finite number' \
        'infinite/slow-gpu.run.json: warning: left out the time' 'infinite/slow-gpu.run.json: warning: cut a text' \
        'data/folders: other: it has no run record' 'data/pipes: a: it has no run record'; do
        grep -q "$told" <<<"$output" || { echo "not told: $told"; return 1; }
    done
    [[ $output != *data/mark/* ]]
    page=$(text .)
    for named in cut garbage folders pipes; do
        grep -qE "$named [^a-z]*the host: its" <<<"$page" ||
            { grep -o '.\{60\}the host: its.\{20\}' <<<"$page"; echo "not on a page: $named"; return 1; }
    done
    for named in 'newer [a-z-]*\.[a-z.]* ' 'infinite [a-z-]*\.[a-z.]* ' 'left out a row: 2 fields' \
        'left out the column' 'left out a row: median_s' 'left out the time' 'cut a text'; do
        grep -q "$named" <<<"$page" || { echo "not on a page: $named"; return 1; }
    done
    [[ $page == *'What was left out of the data'* ]]
}

@test "a bracket in a title stays in the title" {
    for host in local gpu; do
        edit data/$host/hostile.run.json 'record["experiment"]["title_en"] = "C = A[i] ] B [0]"'
    done
    run -0 report/build.sh report
    [[ $(text .) == *'C = A[i] ] B [0]'* ]]
}

@test "a report with clean data has no section of what was left out" {
    run -0 report/build.sh report
    [[ $output != *warning* && $(text .) != *'left out of the data'* ]]
}

@test "of a class of hosts a dozen are shown, and the others are named" {
    for i in {10..22}; do
        host "s$i"
    done
    EXPS=slow-gpu run -0 timeout 300 report/build.sh report
    [[ $(text .) == *'name it in HOSTS to see it'* ]]
    [ "$(find build/figures -name 'slow-gpu.*.pdf' | wc -l)" -le $((13 * 20)) ]
}

@test "a citation leaves out what BibTeX would obey in a record" {
    mkdir -p local
    cp data/gpu/slow-gpu.* local/
    jq '.commit = "1}, evil = {x\u001b"' local/slow-gpu.run.json >record
    mv record local/slow-gpu.run.json
    run -0 "$TILELAB" cite --data local
    grep -xF "  version     = {1, evil = x }," <<<"$output"
}

@test "no subcommand waits for a pipe or reads a device without an end" {
    mkdir -p local
    cp data/gpu/* local/
    mkfifo local/a.results.csv local/b.run.json local/c.csv local/claims.csv
    ln -s /dev/zero local/d.results.csv
    ln -s /dev/zero local/e.run.json
    local subcommand
    for subcommand in 'cite --data local' 'list --results --data local' 'compare local data/gpu' 'claims --data local' \
        'show hostile --data local' "plan $root/experiments/smoke.yaml --data local" 'prune --data local'; do
        # shellcheck disable=SC2086 # words
        timeout 60 "$TILELAB" $subcommand >out 2>&1 </dev/null || [ $? -lt 124 ] ||
            { echo "$subcommand"; cat out; return 1; }
    done
}
