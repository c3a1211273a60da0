#!/bin/bash
# Puts a machine in trouble, for as long as asked: kills, failing calls and system calls, full disks, damaged journals,
# records of others with any bytes, and kernels that crash. Ends with figures.
#   tests/torture.sh [TIME [SEED [ATTACK]...]]      TIME: "60", "10m", "2h"
# Each attack tells how often it was tried and how often the program misbehaved. To misbehave is to lose or change a
# result, to end with an exit code that README does not name, to hang, or to leave a process behind.
# Exit code 1: it misbehaved at least once. The folders of such tries are kept, and named.
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
root=$PWD
TILELAB=$(realpath "${TILELAB:-build/tilelab}")
INJECTOR=$(realpath -m "${INJECTOR:-${BUILD:-build}/tests/inject.so}")
export TILELAB INJECTOR
case ${1:-60} in
*h) seconds=$((${1%h} * 3600)) ;;
*m) seconds=$((${1%m} * 60)) ;;
*) seconds=${1:-60} seconds=${seconds%s} ;;
esac
seed=${2:-1}
RANDOM=$seed
shift $(($# < 2 ? $# : 2))
LIMIT_S=60
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-torture.XXXXXX")
calm=$scratch/calm/local
kept=
cleanup() {
    umount "$scratch/disk" 2>/dev/null
    if [ -n "$kept" ]; then echo "kept: $scratch"; else rm -rf "$scratch"; fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM
export TILELAB_FAKE_TIMER=1 TILELAB_TIMEOUT_S=10 TILELAB_TEST=1

. tests/victim.bash
victim "In trouble" >"$scratch/victim.yaml"
echo "SELECT count(*) FROM results WHERE host = 'local';" >"$scratch/count.sql"

declare -A tried=() wrong=()
# complain WHAT: notes a misbehaviour of the present try, and keeps its folder.
complain() {
    wrong[$attack]=$((${wrong[$attack]:-0} + 1))
    kept=1
    cp -r "$scratch/now" "$scratch/$attack.${tried[$attack]}" 2>/dev/null
    echo "$attack, try ${tried[$attack]}: $1" | tee -a "$scratch/log"
    tail -n 3 "$scratch/out" 2>/dev/null | sed 's/^/    /'
}
# run FOLDER [OPTION]...: measures the victim; sets status.
run() {
    status=0
    timeout -k 5 $LIMIT_S "${before[@]}" "$TILELAB" run "$scratch/victim.yaml" --profile quick --data "$@" \
        >"$scratch/out" 2>&1 </dev/null || status=$?
}
before=(env)
# ends_well FOLDER [WORD]: an undisturbed run now ends in the bytes of one that was never disturbed. A cell that failed
# in the meantime is measured again with --retry, in another order, so that only its prediction may differ.
ends_well() {
    run "$1"
    [ $status -eq 0 ] && same "$calm" "$1" && return
    run "$1" --retry
    [ $status -eq 0 ] || { complain "${2:-a run afterwards} has exit code $status"; return; }
    [ -z "$(comm -3 <(comparable "$calm") <(comparable "$1"))" ] ||
        complain "${2:-a run afterwards} ends with other results"
}
# What stays the same when a cell is measured again later.
comparable() {
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(generation|predicted_s|measured_at)$/) no[i] }
        { for (i in no) $i = ""; print }' "$1/victim.results.csv" | sort
}
# named STATUS: whether the program may end so.
named() { case $1 in 0 | 1 | 2 | 4 | 5 | 130) return 0 ;; *) return 1 ;; esac; }

# damage FILE: changes a few bytes, cuts it, repeats a part of it, or puts NULs or a line into it.
damage() {
    local file=$1 size at i
    size=$(stat -c %s "$file")
    [ "$size" -gt 0 ] || return
    at=$(((RANDOM * 32768 + RANDOM) % size))
    case $((RANDOM % 6)) in
    0 | 1)
        for ((i = RANDOM % 4; i >= 0; i--)); do
            at=$(((RANDOM * 32768 + RANDOM) % size))
            # shellcheck disable=SC2059
            printf "\\x$(printf %02x $((RANDOM % 256)))" | dd of="$file" bs=1 seek=$at conv=notrunc status=none
        done ;;
    2) truncate -s $at "$file" ;;
    3) tail -c $((RANDOM % 500)) "$file" >>"$file.part" && cat "$file.part" >>"$file" && rm "$file.part" ;;
    4) head -c $((RANDOM % 64)) /dev/zero | dd of="$file" bs=1 seek=$at conv=notrunc status=none ;;
    5)
        { head -c $at "$file" && printf '\n0badcafe\tNaN,1e999,"\n' && tail -c +$at "$file"; } >"$file.part"
        mv "$file.part" "$file"
        ;;
    esac
}

attack_kill() {
    tests/kill.sh 10 "$RANDOM" >"$scratch/out" 2>&1 || complain 'a kill costs a result'
    tried[$attack]=$((${tried[$attack]} + 9))
}
attack_call() {
    tests/inject.sh 5 "$RANDOM" >"$scratch/out" 2>&1 || complain "$(grep -m 1 '^not ok' "$scratch/out")"
    tried[$attack]=$((${tried[$attack]} + 4))
}
attack_order() {
    tests/orders.sh 1 "$RANDOM" >"$scratch/out" 2>&1 || complain 'an order of runs loses something'
}
# One kind of system call fails from a certain call on, or once.
attack_strace() {
    local calls=(write pwrite64 openat read pread64 fdatasync fsync ftruncate rename renameat2 mkdir flock sendto
        recvfrom socketpair pipe2 clone3 mmap mprotect fcntl poll close unlink memfd_create lseek dup2 prlimit64
        sched_setaffinity)
    local errors=(EIO ENOSPC ENOMEM EINTR EACCES EMFILE EAGAIN EROFS EDQUOT)
    local call=${calls[RANDOM % ${#calls[@]}]} error=${errors[RANDOM % ${#errors[@]}]} when=$((RANDOM % 60 + 1))
    # No machine interrupts every call.
    [ "$error" = EINTR ] || [ $((RANDOM % 2)) -eq 0 ] || when=$when+
    before=(strace -f -o /dev/null -e "trace=$call" -e "inject=$call:error=$error:when=$when")
    run "$scratch/now"
    before=(env)
    # A program that has not begun yet cannot tell what it lacks: the loader ends it with 127.
    named $status || [ $status -eq 127 ] || complain "$call $error $when: exit code $status"
    ends_well "$scratch/now" "$call $error $when: a run afterwards"
}
attack_disk() {
    mkdir -p "$scratch/disk"
    mount -t tmpfs -o size=$((RANDOM % 60 + 4))k none "$scratch/disk" 2>/dev/null || return
    run "$scratch/disk/data"
    named $status || complain "full disk: exit code $status"
    mount -o remount,size=16m "$scratch/disk"
    ends_well "$scratch/disk/data" 'a run with room'
    umount "$scratch/disk"
}
attack_journal() {
    local i
    cp -r "$calm" "$scratch/now"
    for ((i = RANDOM % 3; i >= 0; i--)); do damage "$scratch/now/.journal/victim.journal"; done
    [ $((RANDOM % 3)) -gt 0 ] || rm "$scratch/now"/*.csv
    ends_well "$scratch/now"
}
# The CSV files are another thing than the journal: where they are alone, what cannot be read is told.
attack_csv() {
    local files
    cp -r "$calm" "$scratch/now"
    [ $((RANDOM % 2)) -eq 0 ] || rm -r "$scratch/now/.journal"
    files=("$scratch/now"/*.csv)
    damage "${files[RANDOM % ${#files[@]}]}"
    run "$scratch/now"
    named $status || complain "exit code $status"
}
attack_record() {
    local files file
    mkdir "$scratch/now"
    cp -r "$calm" "$scratch/now/local"
    mkdir "$scratch/now/foreign"
    files=(data/h200/*.run.json)
    file=$(basename "${files[RANDOM % ${#files[@]}]}" .run.json)
    cp data/h200/"$file".* "$scratch/now/foreign"
    files=("$scratch/now/foreign"/*)
    damage "${files[RANDOM % ${#files[@]}]}"
    status=0
    timeout -k 5 $LIMIT_S "$TILELAB" query --data "$scratch/now/foreign" --data "$scratch/now/local" \
        "$scratch/count.sql" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ $status -eq 0 ] || complain "a query ends with $status"
    [ $status -ne 0 ] || grep -qx "$rows" "$scratch/out" || complain "a query loses rows of another host"
}
attack_kernel() {
    local faults=(wrong nan untouched overrun orphans crash endless memory exit stdout flood mute garbage meddle state
        idle)
    local a=${faults[RANDOM % ${#faults[@]}]} b=${faults[RANDOM % ${#faults[@]}]}
    mkdir "$scratch/now"
    sed "s|^problem:.*|problem: [fault, matmul]|; s|^  n:.*|  n: [64]|; /threads/d
        s|^  variant:.*|  variant: [fault/cpu-$a, fault/cpu-right, matmul/seq-ikj, fault/cpu-$b]|" \
        "$scratch/victim.yaml" | sed "s|cpu-$a, \(.*\), fault/cpu-$a\]|cpu-$a, \1]|" >"$scratch/now/hostile.yaml"
    status=0
    timeout -k 5 $LIMIT_S "$TILELAB" run "$scratch/now/hostile.yaml" --profile quick --data "$scratch/now/data" \
        >"$scratch/out" 2>&1 </dev/null || status=$?
    case $status in 0 | 1) ;; *) complain "$a and $b: exit code $status" ;; esac
    tests/column variant,status "$scratch/now/data/hostile.results.csv" >"$scratch/cells"
    [ "$(grep -cE '^(fault/cpu-right|matmul/seq-ikj) ok$' "$scratch/cells")" -eq 2 ] ||
        complain "$a and $b: a right cell is not ok"
}

attacks=(kill call strace disk journal csv record kernel order)
[ $# -eq 0 ] || attacks=("$@")
skipped() {
    case $1 in
    strace) command -v strace >/dev/null || echo 'strace is missing' ;;
    disk) { mkdir -p "$scratch/disk" && mount -t tmpfs -o size=4k none "$scratch/disk" && umount "$scratch/disk"; } \
        2>/dev/null || echo 'nobody but root may mount a disk of any size' ;;
    call) [ -e "$INJECTOR" ] || echo "$INJECTOR is missing" ;;
    record) compgen -G 'data/h200/*.run.json' >/dev/null || echo 'data/h200 is missing' ;;
    esac
}
usable=()
for attack in "${attacks[@]}"; do
    why=$(skipped "$attack")
    if [ -z "$why" ]; then usable+=("$attack"); else echo "without $attack: $why"; fi
done
run "$calm"
[ $status -eq 0 ] || { cat "$scratch/out"; echo 'an undisturbed run fails'; exit 1; }
rows=$("$TILELAB" query --data "$calm" "$scratch/count.sql" 2>/dev/null | tail -n 1)

end=$((SECONDS + seconds))
while [ ${#usable[@]} -gt 0 ] && [ $SECONDS -lt $end ]; do
    for attack in "${usable[@]}"; do
        [ $SECONDS -lt $end ] || break
        tried[$attack]=$((${tried[$attack]:-0} + 1))
        rm -rf "$scratch/now"
        "attack_$attack"
    done
done
cd "$root" || exit 1
left=$(pgrep -f "^$TILELAB (run|worker)" | head -n 3)
[ -z "$left" ] || { attack=kernel; complain "processes are left behind: $left"; }

all=0 bad=0
printf '%-10s %8s %12s\n' attack tried misbehaved
for attack in "${usable[@]}"; do
    printf '%-10s %8d %12d\n' "$attack" "${tried[$attack]:-0}" "${wrong[$attack]:-0}"
    all=$((all + ${tried[$attack]:-0})) bad=$((bad + ${wrong[$attack]:-0}))
done
printf '%-10s %8d %12d   seed %s, %s s\n' all $all $bad "$seed" "$SECONDS"
[ $bad -eq 0 ]
