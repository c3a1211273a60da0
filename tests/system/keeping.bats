#!/usr/bin/env bats
# What was measured is kept: whatever the order of runs, profiles, budgets, interruptions, clones and machines.
# SPDX-License-Identifier: MIT
load common

# two_profiles: a study whose quick profile has fewer sizes and less care than the full one.
two_profiles() {
    study tiny <<'YAML'
grid:
  n: [64, 72]
  variant: [seq-ijk, seq-ikj]
quick: {n: [64], rounds: 4}
YAML
}

# tilelab_run [-STATUS] [OPTION]...: measures tiny.yaml into ./data.
tilelab_run() {
    local expected=()
    [[ ${1-} != -[0-9] ]] || { expected=("$1"); shift; }
    run "${expected[@]}" "$TILELAB" run tiny.yaml --data data "$@"
}

# measured_in_full: measures two_profiles with the full profile.
measured_in_full() {
    two_profiles
    tilelab_run --profile full
}

# finished [OPTION]...: a full run, into ./data unless an option names a folder, has nothing to measure.
finished() {
    tilelab_run -0 --profile full "$@"
    says "0 to measure"
}

# same FOLDER FOLDER: both have the same results and samples.
same() {
    cmp "$1/tiny.results.csv" "$2/tiny.results.csv" && cmp "$1/tiny.samples.csv" "$2/tiny.samples.csv"
}

# kept BEFORE AFTER: no row of a sorted list is lacking in another one.
kept() {
    run -0 comm -23 "$1" "$2"
    [ -z "$output" ]
}

# start [OPTION]...: runs tiny.yaml in the background, into $folder. The shell lets its children ignore SIGINT.
start() {
    env --default-signal=INT "$TILELAB" run tiny.yaml --data "${folder:-data}" "$@" >log 2>&1 </dev/null 3>&- &
    runner=$!
}
await_worker() {
    for _ in $(seq 200); do
        ! pgrep -P "$runner" -f '^tilelab worker ' >/dev/null || return 0
        sleep 0.02
    done
}
# await_end: sets status to the exit code of what was started.
await_end() {
    status=0
    wait "$runner" || status=$?
}

# clone FROM TO: a folder of results as git hands it out, without the journal.
clone() {
    mkdir -p "$2"
    cp "$1"/*.* "$2"
}

# rows [FILE]: the rows of results.csv, sorted.
rows() {
    tail -n +2 "${1:-data/tiny.results.csv}" | sort
}

# unpredicted FILE: without the predictions, which depend on what was measured before.
unpredicted() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "predicted_s") at = i } { $at = ""; print }' "$1"
}

# edit COLUMN PATTERN VALUE FILE: replaces the values of a column that match a pattern.
edit() {
    awk -F, -v OFS=, -v name="$1" -v pattern="$2" -v value="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR > 1 && $at ~ pattern { $at = value }
        { print }' "$4" >edited && mv edited "$4"
}

# not COMMAND...: fails where the command succeeds; bats takes no notice of a failing `! command`.
not() {
    if "$@"; then
        echo "succeeded: $*"
        return 1
    fi
}

# ---- Profiles and budgets ----

@test "a quick run after a full one of a short study measures nothing" {
    study tiny <<'YAML'
grid:
  n: [64]
  variant: [seq-ikj]
measure: {max-time: 0.02s}
quick: {rounds: 4}
record: {rounds: 3}
YAML
    tilelab_run -0 --profile full
    for profile in quick record quick full; do
        tilelab_run -0 --profile "$profile"
        says "0 to measure"
    done
}

@test "a full run after a quick one measures all cells, and says that they were less careful" {
    two_profiles
    tilelab_run --profile quick
    tilelab_run -0 --profile full
    says "less careful: 2" "missing: 2"
    [ "$(column rounds data/tiny.results.csv | sort -u)" = 8 ]
    run "$TILELAB" run tiny.yaml --profile full --data calm
    same calm data
}

@test "a budget takes no finished cell away, with and without --again" {
    measured_in_full
    cp -r data before
    for more in "" --again "--again --retry"; do
        # shellcheck disable=SC2086
        tilelab_run -0 --profile full --budget 0.000001s $more
        same before data
        [ ! -e data/tiny.archive.csv ]
    done
    # A more careful request that the budget refuses shows what was measured before.
    sed -i 's/^quick/measure: {rounds: 9}\nquick/' tiny.yaml
    tilelab_run -0 --profile full --budget 0.000001s
    cmp before/tiny.results.csv data/tiny.results.csv
}

@test "a cell that takes many times longer than predicted is left when the budget is spent, and a later run ends it" {
    unset TILELAB_FAKE_TIMER
    mkdir k
    sed -e 's/omp_ijk/omp_slow/' \
        -e 's/#include "variant.h"/&\n\n#include <stdlib.h>\n#include <time.h>/' \
        -e 's/^    real \*c = .*/&\n    if (getenv("SLOW"))\n        nanosleep(\&two_seconds, NULL);/' \
        -e 's/^static int run/static const struct timespec two_seconds = {.tv_sec = 2};\n\n&/' \
        "$root/kernels/matmul/omp_ijk.c" >k/omp_slow.c
    study tiny <<'YAML'
kernels: k
grid:
  n: [64]
  threads: 1
  variant: [omp-slow, seq-ikj]
quick: {max-time: 60s}
YAML
    SLOW=1 tilelab_run -0 --profile quick --budget 12s
    says 'left, about' "$TILELAB run tiny.yaml --data data --profile quick --budget 12s"
    [ "$(column rounds data/tiny.results.csv | sed -n 1p)" = 5 ]
    local slow
    slow=$(grep '^tiny,[^,]*,matmul,matmul/omp-slow,' data/tiny.results.csv)
    [[ $slow == *,skipped,'outside the budget of 12 s: predicted '* || $slow == *,partial,* ]]
    tilelab_run -0 --profile quick --only omp-slow
    [[ $(grep ',matmul/omp-slow,' data/tiny.results.csv) == *,ok,,5,3,* ]]
}

@test "a budget that ends a run says how many cells are left, and the command that goes on works" {
    two_profiles
    tilelab_run -0 --profile full --budget 0.000001s
    says "4 cells"
    [ "$(column status data/tiny.results.csv | sort -u)" = skipped ]
    tilelab_run -0 --profile full
    [ "$(column status data/tiny.results.csv | sort -u)" = ok ]
    "$TILELAB" run tiny.yaml --profile full --data calm
    cmp calm/tiny.results.csv data/tiny.results.csv
}

@test "results of all orders of three profiles are those of the most careful one" {
    two_profiles
    echo 'record: {rounds: 10, max-time: 30s}' >>tiny.yaml
    for order in "quick full record" "record full quick" "full record quick" "quick record full"; do
        rm -rf data
        for profile in $order; do
            tilelab_run -0 --profile "$profile"
        done
        [ "$(column rounds data/tiny.results.csv | sort -u)" = 10 ] || { echo "$order"; return 1; }
        [ "$(rows | wc -l)" -eq 4 ]
    done
}

@test "two studies of one name in one folder lose no row" {
    measured_in_full
    rows >before
    mkdir other
    sed 's/\[64, 72\]/[80]/; /quick/d' tiny.yaml >other/tiny.yaml
    run -0 "$TILELAB" run other/tiny.yaml --profile full --data data
    # The rows of cells that the study no longer lists are archived.
    kept before <(rows data/tiny.archive.csv)
    [ "$(rows | wc -l)" -eq 2 ]
    finished
    diff before <(rows)
}

# ---- A folder without its journal ----

@test "a clone without a journal is finished: plan says so, and a run changes no byte" {
    measured_in_full
    clone data theirs
    run -0 "$TILELAB" plan tiny.yaml --profile full --data theirs
    says "4 finished"
    [ ! -e theirs/.journal ] # plan writes nothing
    finished --data theirs
    same data theirs
    cmp data/tiny.run.json theirs/tiny.run.json
}

@test "an import that is killed at any moment loses no row" {
    measured_in_full
    for delay in 0 0.002 0.004 0.006 0.008 0.01 0.012 0.015 0.02 0.025 0.03 0.04; do
        rm -rf theirs
        clone data theirs
        folder=theirs start --profile full
        sleep $delay
        kill -9 "$runner" || true
        await_end
        finished --data theirs
        same data theirs
    done
}

@test "an empty journal beside CSV files is no journal" {
    measured_in_full
    clone data theirs
    mkdir theirs/.journal
    : >theirs/.journal/tiny.journal
    finished --data theirs
    cmp data/tiny.results.csv theirs/tiny.results.csv
}

@test "a clone with files of another kind is refused or read, and loses no row" {
    measured_in_full
    rows >before
    # A newer program's column.
    clone data newer
    sed -i '1s/$/,colour/; 2,$s/$/,red/' newer/tiny.results.csv
    cp newer/tiny.results.csv kept.csv
    run -4 "$TILELAB" run tiny.yaml --profile full --data newer
    cmp kept.csv newer/tiny.results.csv
    # Line ends of another system.
    clone data windows
    sed -i 's/$/\r/' windows/tiny.*.csv
    run "$TILELAB" run tiny.yaml --profile full --data windows
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ]
    diff before <(tr -d '\r' <windows/tiny.results.csv | rows /dev/stdin)
    # A file that ends in the middle of a row, as an interrupted copy leaves it.
    clone data torn
    truncate -s -30 torn/tiny.results.csv
    head -n -1 torn/tiny.results.csv | rows /dev/stdin >whole
    run "$TILELAB" run tiny.yaml --profile full --data torn
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ]
    kept whole <(rows torn/tiny.results.csv)
    # Rows without their samples.
    clone data lone
    rm lone/tiny.samples.csv
    run "$TILELAB" run tiny.yaml --profile full --data lone
    [ "$status" -eq 0 ] || [ "$status" -eq 4 ]
    diff before <(rows lone/tiny.results.csv)
}

@test "a clone keeps the rows of variants that this program does not know" {
    measured_in_full
    clone data theirs
    sed -i 's|matmul/seq-ijk|matmul/seq-gone|' theirs/tiny.results.csv
    local cell
    for cell in $(column cell,variant theirs/tiny.results.csv | sed -n 's/ .*gone//p'); do
        sed -i "s/$cell/ffff${cell:4}/" theirs/tiny.*.csv
    done
    column cell,variant,median_s theirs/tiny.results.csv | grep gone | sort >before
    [ "$(wc -l <before)" -eq 2 ]
    run -0 "$TILELAB" run tiny.yaml --profile full --data theirs
    says "2 to measure"
    diff before <(column cell,variant,median_s theirs/tiny.archive.csv | sort)
    cmp data/tiny.samples.csv theirs/tiny.samples.csv
}

@test "rows that only the CSV files have, as after a git pull, stay" {
    measured_in_full
    clone data theirs
    rm -rf data
    tilelab_run --profile quick # makes a journal of fewer and less careful results
    clone theirs data           # the pull
    finished
    same theirs data
}

# ---- Machines, sources, clocks ----

@test "skipped rows of an unknown machine do not make a folder foreign" {
    tiny
    mkdir first
    run -0 "$TILELAB" run tiny.yaml --data first
    # The machine could not be read by a transient error, and no worker could start.
    awk -F, -v OFS=, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
        {
            for (i = at["rounds"]; i < at["source_hash"]; i++) $i = ""
            $at["status"] = "skipped"
            $at["reason"] = "transient error of the machine: no worker"
            $at["machine_hash"] = "0123456789abcdef"
            print
        }' first/tiny.results.csv >data/tiny.results.csv
    run -0 "$TILELAB" run tiny.yaml --data data
    [ "$(column status data/tiny.results.csv | grep -c ok)" -eq 4 ] || { cat data/tiny.results.csv; return 1; }
    # A row that was measured still says whose the folder is.
    sed -E 's/,[0-9a-f]{16},([0-9a-f]{16},quick)/,0123456789abcdef,\1/' first/tiny.results.csv >first/new
    rm -r first/.journal
    mv first/new first/tiny.results.csv
    run -4 "$TILELAB" run tiny.yaml --data first
    [[ $output == *'another kind of machine'* ]]
}

@test "the folder of a machine refuses another machine before anything is written" {
    [ "$(nproc)" -gt 1 ] || skip "there is one processor"
    measured_in_full
    cp -r data before
    sed -i 's/\[64, 72\]/[64, 72, 80]/' tiny.yaml
    run -4 taskset -c 0 "$TILELAB" run tiny.yaml --profile full --data data
    diff -r before data
    # The plan says the same, and promises nothing.
    run -4 taskset -c 0 "$TILELAB" plan tiny.yaml --profile full --data data
    [[ $output == *'another kind of machine'* && $output != *'to measure'* ]]
    # Another study, and a clone, are refused as well.
    cp tiny.yaml other.yaml
    run -4 taskset -c 0 "$TILELAB" run other.yaml --profile full --data data
    diff -r before data
    clone data theirs
    run -4 taskset -c 0 "$TILELAB" run other.yaml --profile full --data theirs
    [ "$(find theirs | wc -l)" -eq "$(find before -maxdepth 1 -type f | wc -l | awk '{ print $1 + 1 }')" ]
}

@test "in the folder local, the results of each machine come back with it" {
    [ "$(nproc)" -gt 1 ] || skip "there is one processor"
    two_profiles
    "$TILELAB" run tiny.yaml --profile full --data local
    cp -r local first
    run -0 taskset -c 0 "$TILELAB" run tiny.yaml --profile quick --data local
    says "2 to measure"
    # This machine's rows are shown, and no row of the other machine is among them.
    [ "$(column machine_hash local/tiny.results.csv | sort -u | wc -l)" -eq 1 ]
    not grep -qF "$(column machine_hash first/tiny.results.csv | head -n 1)" local/tiny.results.csv
    kept <(rows first/tiny.results.csv) <(rows local/tiny.archive.csv)
    run -0 taskset -c 0 "$TILELAB" run tiny.yaml --profile quick --data local
    says "0 to measure"
    finished --data local
    same first local
}

@test "results of an earlier source are kept as a generation" {
    measured_in_full
    clone data theirs
    edit source_hash . 0123456789abcdef theirs/tiny.results.csv
    rows theirs/tiny.results.csv >before
    run -0 "$TILELAB" run tiny.yaml --profile full --data theirs
    says "source changed: 4"
    [ "$(column generation theirs/tiny.results.csv | sort -u)" = 2 ]
    diff before <(rows theirs/tiny.archive.csv)
    diff <(column cell,median_s data/tiny.results.csv) <(column cell,median_s theirs/tiny.results.csv)
    # A clone of this folder has both generations.
    clone theirs again
    finished --data again
    cmp theirs/tiny.results.csv again/tiny.results.csv
    cmp theirs/tiny.archive.csv again/tiny.archive.csv
    # A budget shows the times of the earlier source until there are new ones.
    clone data theirs2
    edit source_hash . 0123456789abcdef theirs2/tiny.results.csv
    cp theirs2/tiny.results.csv kept.csv
    run -0 "$TILELAB" run tiny.yaml --profile full --data theirs2 --budget 0.000001s
    cmp kept.csv theirs2/tiny.results.csv
}

@test "times of a simulated clock never become real results" {
    study tiny <<'YAML'
grid:
  n: [64]
  variant: [seq-ikj]
measure: {max-time: 0.05s}
YAML
    tilelab_run -0 --profile full
    cp -r data simulated
    [ "$(column flags data/tiny.results.csv)" = simulated ]
    unset TILELAB_FAKE_TIMER
    tilelab_run -0 --profile full --budget 0.000001s
    not grep -q simulated data/tiny.results.csv
    [ -z "$(column median_s data/tiny.results.csv | tr -d '\n-')" ]
    tilelab_run -0 --profile full
    not grep -q simulated data/tiny.results.csv
    column variant,status data/tiny.results.csv | grep -q 'seq-ikj ok'
    grep -q simulated data/tiny.archive.csv
    # Both clocks keep their results.
    cp -r data real
    export TILELAB_FAKE_TIMER=1
    finished
    diff <(column cell,median_s simulated/tiny.results.csv) <(column cell,median_s data/tiny.results.csv)
    unset TILELAB_FAKE_TIMER
    finished
    same real data
}

# ---- Interruptions ----

# await_cells CELLS PAUSE: waits, for at most 1000 pauses, until the run that start began has told as many cells.
await_cells() {
    for _ in $(seq 1000); do
        [ -r log ] && [ "$(grep -c GFLOP log)" -ge "$1" ] && return
        sleep "$2"
    done
}

# long_point: one point whose rounds take some seconds together.
long_point() {
    study tiny <<'YAML'
grid:
  n: [320]
  variant: [seq-ijk, seq-ikj]
quick: {rounds: 8}
YAML
}

@test "the command that is printed after an interruption works when it is pasted" {
    mkdir "it's a folder; \$(false)"
    cd "it's a folder; \$(false)"
    two_profiles
    sed -i 's/\[64, 72\]/[64, 300]/' tiny.yaml
    folder='my "data" & more'
    start --profile full --again
    await_worker
    kill -INT "$runner"
    await_end
    [ "$status" -eq 130 ] || { cat log; return 1; }
    grep -A 1 -i 'to go on' log | tail -n 1 >typed
    grep -qF "$TILELAB" typed || { cat log; return 1; }
    not grep -qe --again typed
    run -0 bash typed
    [ "$(column status "$folder/tiny.results.csv" | sort -u)" = ok ]
    "$TILELAB" run tiny.yaml --profile full --data calm
    cmp calm/tiny.results.csv "$folder/tiny.results.csv"
}

@test "a run that is killed leaves recent CSV files or a journal with every finished cell" {
    study tiny <<<'grid: {n: [16, 24, 32, 40, 48, 56, 64, 72], variant: [seq-ikj]}'
    "$TILELAB" run tiny.yaml --profile full --data calm
    start --profile full
    await_cells 3 0.01
    kill -9 "$runner" || true
    await_end
    local told
    told=$(grep -c GFLOP log)
    run -0 "$TILELAB" plan tiny.yaml --profile full --data data
    local known
    known=$(tail -n 1 <<<"$output" | grep -oE '[0-9]+ finished' | cut -d ' ' -f 1)
    [ "$known" -ge "$told" ]
    tilelab_run -0 --profile full
    same calm data
}

@test "a runner and its workers that are stopped and go on lose no cell" {
    study tiny <<'YAML'
grid:
  n: [200]
  variant: [seq-ikj]
quick: {rounds: 100, launches: 1, max-time: 60s} # many rounds fit, so that the run lasts
YAML
    export TILELAB_TIMEOUT_S=1
    "$TILELAB" run tiny.yaml --profile quick --data calm
    start --profile quick
    await_worker
    sleep 0.3
    local all
    all="$runner $(pgrep -P "$runner" | tr '\n' ' ')"
    # shellcheck disable=SC2086
    kill -STOP $all
    sleep 3
    # The runner wakes first, and finds that much time has passed.
    for pid in $all; do
        kill -CONT "$pid"
        sleep 0.05
    done
    await_end
    [ "$status" -eq 0 ] || { cat log; return 1; }
    cmp calm/tiny.results.csv data/tiny.results.csv
}

# ---- The journal and the files ----

@test "a foreign line in the journal during a run costs nothing, and no file is torn" {
    long_point
    sed -i 's/\[320\]/[64, 72, 300]/' tiny.yaml
    "$TILELAB" run tiny.yaml --profile quick --data calm
    local foreign
    for foreign in 'a foreign line\n' 'no line feed' '\n\n' '0123abcd\tx\n' '\0\0\0'; do
        rm -rf data
        start --profile quick
        await_cells 2 0.02
        # shellcheck disable=SC2059
        printf "$foreign" >>data/.journal/tiny.journal
        await_end
        [ "$status" -eq 0 ] || [ "$status" -eq 4 ] || { cat log; return 1; }
        tilelab_run -0 --profile quick
        cmp <(unpredicted calm/tiny.results.csv) <(unpredicted data/tiny.results.csv)
        cmp calm/tiny.samples.csv data/tiny.samples.csv
    done
}

@test "a journal that is cut, removed or replaced under a run ends the run with exit code 4" {
    long_point
    sed -i 's/\[320\]/[64, 72, 300]/' tiny.yaml
    "$TILELAB" run tiny.yaml --profile quick --data calm
    local harm
    for harm in 'truncate -s 0' 'truncate -s 100' 'rm' 'sed -i 1d' 'shred -n 1'; do
        rm -rf data
        start --profile quick
        await_cells 2 0.02
        $harm data/.journal/tiny.journal
        await_end
        [ "$status" -eq 4 ] || { echo "$harm: $status"; cat log; return 1; }
        grep -q 'could not be written: another program .* the journal$' log || { cat log; return 1; }
        tilelab_run -0 --profile quick
        cmp <(unpredicted calm/tiny.results.csv) <(unpredicted data/tiny.results.csv)
        cmp calm/tiny.samples.csv data/tiny.samples.csv
    done
}

@test "a damaged line of the journal costs no result that the CSV files still have" {
    measured_in_full
    cp -r data before
    sed -i '2s/[0-9]/x/20' data/.journal/tiny.journal
    finished
    same before data
}

@test "a second header line of the results is told with its line, and the journal gives the file anew" {
    measured_in_full
    cp -r data before
    sed -i '1p' data/tiny.results.csv
    run -2 "$TILELAB" check data
    [[ $output != *'another kind of machine'* && $output == *'not the file whose hash'* ]]
    tilelab_run -0 --profile full
    says 'tiny.results.csv:2: ' 'the journal is taken instead'
    cmp before/tiny.results.csv data/tiny.results.csv
}

@test "a limit on the size of files ends a run with exit code 4 and no torn file" {
    two_profiles
    "$TILELAB" run tiny.yaml --profile full --data calm
    status=0
    (
        ulimit -f 12
        exec "$TILELAB" run tiny.yaml --profile full --data data
    ) >log 2>&1 || status=$?
    [ "$status" -eq 4 ] || { echo "exit code $status"; cat log; return 1; }
    tilelab_run -0 --profile full
    cmp calm/tiny.results.csv data/tiny.results.csv
}

@test "a second runner of the same study is refused and disturbs nothing" {
    long_point
    sed -i 's/n: .320./n: [320, 328, 336, 344, 352, 360]/' tiny.yaml # longer than a runner waits for the lock
    "$TILELAB" run tiny.yaml --profile quick --data calm
    start --profile quick
    await_worker
    tilelab_run -4 --profile quick
    await_end
    [ "$status" -eq 0 ] || { cat log; return 1; }
    cmp calm/tiny.results.csv data/tiny.results.csv
}

# ---- Transient errors ----

@test "signals that others send to a worker are no result" {
    long_point
    "$TILELAB" run tiny.yaml --profile quick --data calm
    local signal
    for signal in TERM KILL INT HUP; do
        rm -rf data
        start --profile quick
        await_worker
        for _ in 1 2 3; do
            sleep 0.2
            pgrep -P "$runner" | head -n 1 | xargs -r kill -"$signal" 2>/dev/null || true
        done
        await_end
        tilelab_run -0 --profile quick
        same calm data
    done
}

@test "a point of many cells measures each of them" {
    study tiny <<'YAML'
grid:
  n: [32]
  variant: [omp-packed]
  mc: {from: 8, to: 64, step: 8}
  nc: {from: 8, to: 64, step: 8}
  kc: {from: 8, to: 32, step: 8}
quick: {rounds: 2}
YAML
    tilelab_run -0 --profile quick
    [ "$(column status data/tiny.results.csv | sort | uniq -c | awk '{ print $2 }')" = ok ]
}

@test "an interruption saves the rounds that wait for their interval, and leaves no archive" {
    long_point
    "$TILELAB" run tiny.yaml --profile full --data calm
    local kept=0 tries=0
    until [ $kept -gt 0 ] || [ $((tries += 1)) -gt 5 ]; do
        rm -rf data
        start --profile full
        await_worker
        sleep 0.9
        kill -TERM "$runner" || true
        await_end
        [ "$status" -eq 130 ]
        run "$TILELAB" plan tiny.yaml --profile full --data data
        [[ "$output" != *interrupted* ]] || kept=1
        tilelab_run --profile full
        same calm data
        [ ! -e data/tiny.archive.csv ]
    done
    [ $kept -gt 0 ]
}

@test "a clone keeps its rows when a run in it is interrupted" {
    measured_in_full
    clone data theirs
    sed -i 's/\[64, 72\]/[64, 72, 700, 720]/' tiny.yaml
    folder=theirs start --profile full
    await_worker
    sleep 0.2
    kill -TERM "$runner"
    await_end
    [ "$status" -eq 130 ]
    kept <(rows data/tiny.results.csv) <(rows theirs/tiny.results.csv)
    kept <(rows data/tiny.samples.csv) <(rows theirs/tiny.samples.csv)
}
