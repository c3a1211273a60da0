#!/bin/bash
# Random orders of runs, reports, interruptions and edits. After each step every result that was ever complete is still
# in results.csv, archive.csv or the journal, and results.csv shows the best one. At last a quiet run ends in the bytes
# of an undisturbed one.
#   tests/orders.sh [SEQUENCES [SEED]]      as many sequences, the first one with this seed
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
TILELAB=${TILELAB:-$PWD/build/tilelab}
here=$PWD/tests
sequences=${1:-10}
first=${2:-1}
STEPS=10
LIMIT_S=120
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-orders.XXXXXX")
[ -n "${KEEP:-}" ] || trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export TILELAB_FAKE_TIMER=1

# study SIZES: writes the experiment file. Profiles differ in sizes and in care.
study() {
    cat >victim.yaml <<YAML
schema: 1
title: {en: "In any order"}
source: tilelab
problem: [matmul, jacobi]
precision: f64
grid:
  n: [$1]
  variant: [matmul/seq-ikj, matmul/omp-ikj, jacobi/seq]
measure: {max-time: 0.5s}
quick: {n: [24, 28], rounds: 4}
record: {rounds: 10}
YAML
}
FIRST_SIZES='24, 32, 40' OTHER_SIZES='32, 48'

# start COMMAND [OPTION]...: in the background, with the processors and the clock of the sequence.
start() {
    local with=(env --default-signal=INT)
    [ $clock = simulated ] || with+=(-u TILELAB_FAKE_TIMER)
    [ $((seed % 2)) -eq 0 ] || with+=(TILELAB_SAVE_S=0) # keeps each round at once, and not only every ten seconds
    [ "$machine" = "$whole_machine" ] || with+=(taskset -c 0)
    timeout -k 5 $LIMIT_S "${with[@]}" "$TILELAB" "$@" >log 2>&1 </dev/null &
    process=$!
}
# finish: waits for it, and sets status.
finish() {
    status=0
    { wait $process || status=$?; } 2>/dev/null # without the shell's remark on a signal
    case $status in
    0 | 1 | 130 | 137) ;;
    129 | 143) ;; # the signal came before the runner was ready for it
    2 | 4) # there is nothing to show yet, or nobody can be asked
        [ ! -e local/victim.results.csv ] || [[ "$*" == prune* ]] || complain "exit code $status" ;;
    124) complain "no end in $LIMIT_S s" ;;
    *) complain "exit code $status" ;;
    esac
}
run() {
    start run victim.yaml --data local "$@"
    finish
}
complain() {
    echo "# sequence $seed, step $step, $doing: $1"
    tail -n 5 log | sed 's/^/#     /'
    bad=1
}
# hash_of [PROGRAM]...: the machine's hash when tilelab is called by a program.
hash_of() {
    "$@" "$TILELAB" run victim.yaml --profile quick --data "machine$#" >log 2>&1 &&
        "$here/column" machine_hash "machine$#/victim.results.csv" | sort -u
}

# check FRESH: compares with what was known before, see kept.awk.
check() {
    local whole=journal complaints file
    : >>before
    # What follows the last line feed is no line yet.
    cp local/.journal/victim.journal $whole 2>/dev/null || : >$whole
    [ ! -s $whole ] || [ -z "$(tail -c 1 $whole | tr -d '\n')" ] || sed -i '$d' $whole
    for file in results archive; do
        [ -e local/victim.$file.csv ] && cp local/victim.$file.csv $file.csv || echo cell >$file.csv
    done
    complaints=$(awk -f "$here/kept.awk" -v machine="$machine" -v clock=$clock -v fresh="$1" \
        before results.csv archive.csv $whole 2>&1 >after) || complain "$complaints"
    mv after before
}

# One step of a sequence.
profiles=(quick full record)
step() {
    local profile=${profiles[RANDOM % 3]} more=()
    doing="run $profile"
    case $((RANDOM % 13)) in
    0 | 1 | 2)
        case $((RANDOM % 6)) in
        0) more=(--budget 0.000001s) ;;
        1) more=(--again) ;;
        2) more=(--again --budget 0.3s) ;;
        3) more=(--retry) ;;
        esac
        doing="run $profile ${more[*]}"
        run --profile "$profile" "${more[@]}"
        check 1
        ;;
    3 | 4 | 5)
        local signals=(INT TERM HUP KILL KILL) signal
        signal=${signals[RANDOM % 5]}
        [ $((RANDOM % 3)) -gt 0 ] || more=(--again)
        doing="run $profile ${more[*]}, SIG$signal"
        start run victim.yaml --data local --profile "$profile" "${more[@]}"
        sleep "$(awk -v ms=$((RANDOM % 500)) 'BEGIN { print ms / 1000 }')"
        # The child of `timeout` is the runner.
        pkill -"$signal" -P $process 2>/dev/null
        finish
        check $((status == 0 || status == 130))
        ;;
    6)
        doing='journal deleted'
        rm -rf local/.journal
        : >before # what only the journal had is gone
        check 0
        run --profile "$profile"
        check 1
        ;;
    7)
        doing='sizes edited'
        if grep -q "$FIRST_SIZES" victim.yaml; then study "$OTHER_SIZES"; else study "$FIRST_SIZES"; fi
        run --profile "$profile"
        check 1
        ;;
    8)
        [ "$(nproc)" -gt 1 ] || return 0
        doing='other processors'
        if [ "$machine" = "$whole_machine" ]; then
            machine=$part_machine
        else
            machine=$whole_machine
        fi
        run --profile "$profile"
        check 1
        ;;
    9)
        [ "$sequences" -ge 50 ] || return 0 # takes too long for a test of every day
        doing='real clock' clock=real
        run --profile quick
        check 1
        clock=simulated
        ;;
    10)
        doing='source changed'
        run --profile "$profile" # the CSV files then have all that counts
        rm -rf local/.journal
        awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "source_hash") at = i }
            NR > 1 && NR % 2 { $at = "0123456789abcdef" }
            { print }' local/victim.results.csv >edited && mv edited local/victim.results.csv
        : >before
        check 0
        run --profile "$profile"
        check 1
        ;;
    *)
        doing='only read'
        local subcommand
        find local -type f -exec cksum {} + 2>/dev/null | sort >files
        for subcommand in "plan victim.yaml --profile $profile" 'show victim' 'query count.sql' 'list --results' \
            'prune --generations'; do
            # shellcheck disable=SC2086
            start ${subcommand%% *} --data local ${subcommand#* }
            finish "$subcommand"
        done
        find local -type f -exec cksum {} + 2>/dev/null | sort | cmp -s - files || complain 'files changed'
        ;;
    esac
}

echo 'SELECT count(*) FROM results;' >count.sql

# The machine with all processors and with one.
study "$FIRST_SIZES"
whole_machine=$(hash_of env) part_machine=$(hash_of taskset -c 0)

# undisturbed FOLDER: all profiles, in an order that measures no cell twice.
undisturbed() {
    for profile in record full quick; do
        "$TILELAB" run victim.yaml --profile $profile --data "$1" >log 2>&1 || return 1
    done
}
undisturbed calm || { echo 'not ok 1 - an undisturbed run ends with exit code 0'; exit 1; }
# comparable FILE: what was measured before leaves its mark in three columns.
comparable() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(profile|generation|predicted_s)$/) without[i] = 1 }
        { for (i in without) $i = ""; print }' "$1"
}

failed=0 total=0
for ((seed = first; seed < first + sequences; seed++)); do
    RANDOM=$seed machine=$whole_machine clock=simulated bad=0
    rm -rf local before
    mkdir local
    study "$FIRST_SIZES"
    for ((step = 1; step <= STEPS; step++)); do
        step 2>>errors # the shell remarks on each process that is killed
        total=$((total + 1))
    done
    doing='a quiet run' machine=$whole_machine clock=simulated
    study "$FIRST_SIZES"
    undisturbed local || complain 'no exit code 0'
    check 1
    cmp -s <(comparable calm/victim.results.csv) <(comparable local/victim.results.csv) || complain 'other results'
    cmp -s calm/victim.samples.csv local/victim.samples.csv || complain 'other samples'
    cmp -s calm/victim.history.csv local/victim.history.csv || complain 'other histories'
    failed=$((failed + bad))
    [ $bad -eq 0 ] || [ -z "${KEEP:-}" ] || cp -r local "failed.$seed"
done
if [ $failed -eq 0 ]; then
    echo "ok 1 - $sequences random orders of $total steps lose nothing"
else
    echo "not ok 1 - $failed of $sequences random orders lose something, or end in other bytes"
fi
[ $failed -eq 0 ]
