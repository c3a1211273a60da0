#!/bin/bash
# Kills the runner or one of its workers by SIGKILL at random moments. No row is lost, doubled or torn, and a runner
# that is called again ends in the bytes of an undisturbed run.
#   tests/kill.sh [KILLS [SEED]]
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
TILELAB=${TILELAB:-$PWD/build/tilelab}
wanted=${1:-200}
RANDOM=${2:-1}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-kill.XXXXXX")
trap 'kill -9 $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT
export TILELAB_FAKE_TIMER=1 TILELAB_SAVE_S=0 # every round is saved at once

cat >"$scratch/victim.yaml" <<'YAML'
schema: 1
title: {en: "To be killed"}
source: tilelab
problem: matmul
precision: f64
grid:
  n: [64, 72, 80, 88, 96]
  variant: [seq-ikj, omp-ikj]
YAML

start() {
    "$TILELAB" run "$scratch/victim.yaml" --profile quick --data "$1" >"$scratch/log" 2>&1 </dev/null &
    runner=$!
}
fail() {
    echo "not ok 1 - $1"
    tail -n 20 "$scratch/log" | sed 's/^/# /'
    exit 1
}
. tests/victim.bash

began=$(date +%s%N)
start "$scratch/calm"
wait $runner || fail "an undisturbed run ends with exit code 0"
length_ms=$((($(date +%s%N) - began) / 1000000))

kills=0 completions=0
start "$scratch/torn"
while [ $kills -lt "$wanted" ]; do
    # A kill may fall anywhere in a run, also at its start or while it writes the files.
    sleep "$(awk -v ms=$((RANDOM % (length_ms + 20))) -v share=$((RANDOM % 4 + 1)) 'BEGIN { print ms / share / 1000 }')"
    if ! kill -0 $runner 2>/dev/null; then
        wait $runner
        status=$?
        [ $status -eq 0 ] || fail "a run goes on where the last one was killed (exit code $status after $kills kills)"
        same "$scratch/calm" "$scratch/torn" "$scratch/log" ||
            fail "after $kills kills the files are those of an undisturbed run"
        completions=$((completions + 1))
        rm -rf "$scratch/torn"
        start "$scratch/torn"
        continue
    fi
    mapfile -t workers < <(pgrep -P $runner)
    if [ ${#workers[@]} -gt 0 ] && [ $((RANDOM % 2)) -eq 0 ]; then
        kill -9 "${workers[RANDOM % ${#workers[@]}]}" 2>/dev/null && kills=$((kills + 1))
    else
        kill -9 $runner 2>/dev/null && kills=$((kills + 1))
        wait $runner 2>/dev/null
        start "$scratch/torn"
    fi
done
for _ in 1 2 3; do
    wait $runner && break
    start "$scratch/torn"
done
same "$scratch/calm" "$scratch/torn" "$scratch/log" ||
    fail "after $kills kills the files are those of an undisturbed run"
echo "ok 1 - $kills kills, $((completions + 1)) completed runs, all of the same bytes"
echo "1..1"
