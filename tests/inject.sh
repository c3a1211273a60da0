#!/bin/bash
# Makes calls of the C library fail in the runner, in its children and in its workers, one at a time. Each run ends in
# time with an exit code of its own, and a run afterwards ends in the bytes of an undisturbed run.
#   tests/inject.sh [FAULTS [SEED]]      FAULTS: how many; "all": a walk over all calls, which takes hours
#   FAULT=CALL:NTH:ERRNO:ROLE:MODE START=NAME tests/inject.sh      that fault alone, as a failure prints it
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
TILELAB=${TILELAB:-$PWD/build/tilelab}
INJECTOR=${INJECTOR:-$PWD/${BUILD:-build}/tests/inject.so}
wanted=${1:-120}
RANDOM=${2:-1}
LIMIT_S=40
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-inject.XXXXXX")
[ -n "${KEEP:-}" ] || trap 'rm -rf "$scratch"' EXIT
# TILELAB_TIMEOUT_S ends an answer that never comes early enough for many of them.
export TILELAB_FAKE_TIMER=1 TILELAB_TIMEOUT_S=5 TILELAB_TEST=1 # a test's workers have its LD_PRELOAD

. tests/victim.bash
victim "With faults" >"$scratch/victim.yaml"
mkdir "$scratch/small"
sed 's/\[24, 32\]/[24]/' "$scratch/victim.yaml" >"$scratch/small/victim.yaml"

mapfile -t calls < <(sed -n '/CALLS-BEGIN/,/CALLS-END/s/^ *X(\(.*\)).*/\1/p' tests/inject.c)
roles=(runner child worker helper)
declare -A errnos=([EINTR]=4 [EIO]=5 [EAGAIN]=11 [ENOMEM]=12 [EACCES]=13 [EINVAL]=22 [EMFILE]=24 [ENOSPC]=28
    [EPIPE]=32 [ECONNRESET]=104 [ENOBUFS]=105)

# likely CALL: the errors that the call may have on a machine in trouble.
likely() {
    case $1 in
    fork | pthread_create) echo EAGAIN ENOMEM ;;
    execv) echo ENOMEM EIO EACCES ;;
    pipe2 | socketpair | memfd_create | dup2) echo EMFILE ENOMEM ;;
    waitid | waitpid) echo EINTR ;;
    poll) echo EINTR ENOMEM ;;
    kill | setpgid | setrlimit | sigaction | syscall) echo EINVAL EACCES ;;
    send | recv) echo EINTR ENOBUFS ECONNRESET EPIPE ;;
    mmap | mprotect | malloc | large) echo ENOMEM ;;
    open | fopen | fdopen | mkdir) echo EMFILE ENOSPC EINTR EACCES ;;
    read | pread | lseek | fstat | fcntl) echo EIO EINTR ;;
    *) echo EIO ENOSPC EINTR ;;
    esac
}

# may_persist CALL ERROR: no machine interrupts every call, or lets a process end none of its own.
may_persist() {
    [ "$2" != EINTR ] && [ "$1" != kill ]
}

# start NAME FOLDER: what is there before the run.
start() {
    mkdir -p "$2"
    case $1 in
    empty) ;;
    half) cp -r "$scratch/half/." "$2" ;;
    clone)
        cp -r "$scratch/half/." "$2"
        rm -r "$2/.journal"
        ;;
    esac
}
starts=(empty half clone)

# measure STUDY FOLDER [OPTION]...: the array `with` has variables for the program alone.
with=()
measure() {
    timeout -k 5 $LIMIT_S env "${with[@]}" "$TILELAB" run "$1" --profile quick --data "${@:2}" \
        >>"$scratch/log" 2>&1 </dev/null
}
run() { measure "$scratch/victim.yaml" "$@"; }
without_prediction() {
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "predicted_s") at = i }
        { $at = ""; print }' "$1/victim.results.csv" | sort
}
# counts: "CALL ROLE COUNT" of the state file, all processes of a role together.
counts() {
    local size=$((4 * ${#roles[@]} * ${#calls[@]}))
    od -An -v -tu4 -w4 -j $size -N $size "$scratch/state" |
        awk -v calls="${calls[*]}" -v roles="${roles[*]}" '
            BEGIN { count = split(calls, call); split(roles, role) }
            $1 > 0 { print call[(NR - 1) % count + 1], role[int((NR - 1) / count) + 1], $1 }'
}

tried=0 failed=0 recovered=0
declare -A codes=()
# complain WHAT: notes a failure, with the command that tries it again.
complain() {
    failed=$((failed + 1))
    echo "not ok $((tried + 1)) - $1: FAULT=$fault START=$from"
    tail -n 15 "$scratch/log" | sed 's/^/# /'
    [ -z "${KEEP:-}" ] || cp -r "$scratch/torn" "$scratch/torn.$failed"
}

# A worker that gets no memory or loses its socket fails its cell, which is measured again on request only. All else
# needs no request.
may_be_a_result() {
    case $fault in
    send:*:32:* | send:*:104:* | recv:*:32:* | recv:*:104:*) return 0 ;;
    mmap:*:worker:* | mprotect:*:worker:* | malloc:*:worker:* | large:*:worker:*) return 0 ;;
    *) return 1 ;;
    esac
}

# try FAULT START
try() {
    fault=$1 from=$2
    local status
    rm -rf "$scratch/torn"
    : >"$scratch/log"
    start "$from" "$scratch/torn"
    head -c 4096 /dev/zero >"$scratch/state"
    with=("LD_PRELOAD=$INJECTOR" "INJECT=$fault" "INJECT_STATE=$scratch/state")
    { run "$scratch/torn"; } 2>/dev/null
    status=$?
    with=()
    codes[$status]=$((${codes[$status]:-0} + 1))
    case $status in
    0 | 1 | 4 | 5 | 130) ;; # 5: standard output could not be written
    2) # The study could not be read, so that nothing may have changed.
        rm -rf "$scratch/before"
        start "$from" "$scratch/before"
        diff -r "$scratch/before" "$scratch/torn" >>"$scratch/log" || complain "exit code 2, and files changed" ;;
    124 | 137) complain "the run did not end in $LIMIT_S s" ;;
    *) complain "exit code $status" ;;
    esac
    echo "---- run again" >>"$scratch/log"
    run "$scratch/torn"
    status=$?
    if ! { [ $status -eq 0 ] && same "$scratch/calm.$from" "$scratch/torn" "$scratch/log"; } && may_be_a_result; then
        echo "---- retry" >>"$scratch/log"
        run "$scratch/torn" --retry
        status=$?
        recovered=$((recovered + 1))
        # A cell that is measured last is predicted better.
        [ -z "$(comm -3 <(without_prediction "$scratch/calm.$from") <(without_prediction "$scratch/torn"))" ] &&
            cp "$scratch/calm.$from/victim.results.csv" "$scratch/torn"
    fi
    if [ $status -ne 0 ]; then
        complain "a run afterwards has exit code $status"
    elif ! same "$scratch/calm.$from" "$scratch/torn" "$scratch/log"; then
        complain "a run afterwards has other bytes"
    fi
    tried=$((tried + 1))
}

give_up() {
    echo "not ok 1 - $1"
    tail -n 15 "$scratch/log" | sed 's/^/# /'
    exit 1
}
[ -e "$INJECTOR" ] || give_up "$INJECTOR is missing; make test builds it"
measure "$scratch/small/victim.yaml" "$scratch/half" || give_up 'an undisturbed run ends with exit code 0'
for from in "${starts[@]}"; do
    start "$from" "$scratch/calm.$from"
    head -c 4096 /dev/zero >"$scratch/state"
    with=("LD_PRELOAD=$INJECTOR" "INJECT_STATE=$scratch/state")
    run "$scratch/calm.$from" || give_up 'an undisturbed run ends with exit code 0'
    with=()
    counts | sed "s/^/$from /" >>"$scratch/totals"
done

# walk: all faults of interest, one a line. Of many calls, those near the beginning, near the end and some between.
walk() {
    local from call role count error mode
    while read -r from call role count; do
        for error in $(likely "$call"); do
            for mode in once each after; do
                [ "$mode" != after ] || may_persist "$call" "$error" || continue
                seq "$count" | awk -v n="$count" -v most="$([ $mode = once ] && echo 12 || echo 3)" '
                    n <= most || $1 <= most / 3 || int($1 * most / n) != int(($1 - 1) * most / n)' |
                    sed "s/.*/$from $call:&:${errnos[$error]}:$role:$mode/"
            done
        done
    done <"$scratch/totals"
}
# some COUNT: random faults, such that each call of each role fails as often as any other.
some() {
    local from call role count error mode left=$1
    local -a errors modes=(once each after)
    while [ "$left" -gt 0 ]; do
        while read -r from call role count && [ "$left" -gt 0 ]; do
            mapfile -t errors < <(likely "$call" | tr ' ' '\n')
            error=${errors[RANDOM % ${#errors[@]}]} mode=${modes[RANDOM % 3]}
            may_persist "$call" "$error" || mode=${modes[RANDOM % 2]}
            echo "$from $call:$((RANDOM % count + 1)):${errnos[$error]}:$role:$mode"
            left=$((left - 1))
        done < <(shuf --random-source=<(yes "$RANDOM") "$scratch/totals")
    done
}

if [ -n "${FAULT:-}" ]; then
    try "$FAULT" "${START:-empty}"
else
    while read -r from fault; do
        try "$fault" "$from"
    done < <(if [ "$wanted" = all ]; then walk; else some "$wanted"; fi)
fi
left=$(grep -lzxF "INJECT_STATE=$scratch/state" /proc/[0-9]*/environ 2>/dev/null)
if [ -n "$left" ]; then
    failed=$((failed + 1))
    echo "not ok $((tried + 1)) - processes are left behind: $left"
fi
summary=$(for code in "${!codes[@]}"; do echo "${codes[$code]} with exit code $code"; done | sort -rn |
    paste -sd , | sed 's/,/, /g')
[ $failed -gt 0 ] || echo "ok 1 - $tried faults: $summary; $recovered that became results and were measured again"
[ $failed -eq 0 ]
