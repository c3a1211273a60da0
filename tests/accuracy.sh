#!/bin/bash
# Compares the errors of products from several products on tensor cores with those of cuBLAS in the same precision, on a
# device: the largest error must be at most 1.5 times as large. Sizes along k lie around the places where the kernels
# change their method. Times do not count here, so that each cell is measured briefly.
#   [TILELAB=build/tilelab] tests/accuracy.sh [FILE]      FILE: the table of what was compared
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
tilelab=${TILELAB:-$PWD/${BUILD:-build}/tilelab}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-accuracy.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
table=${1:-$scratch/table}

cat >"$scratch/accuracy.yaml" <<'YAML'
schema: 1
title: {en: "Errors of products from several products on tensor cores"}
source: tilelab
problem: matmul
precision: [f32, f64]
grid:
  m: 1024
  n: 1024
  k: [1, 2, 3, 5, 8, 16, 33, 64, 100, 128, 129, 144, 192, 256, 303, 512, 1000, 1024, 1025, 1500, 2048, 4096]
  variant: [cublas, "cuda-3x*", "cuda-int8-f*"]
measure: {rounds: 1, launches: 1, max-time: 5ms}
YAML
"$tilelab" run "$scratch/accuracy.yaml" --data "$scratch/data" >"$scratch/log" 2>&1
status=$?
cat >"$scratch/accuracy.sql" <<'SQL'
SELECT iif(own.error <= 1.5 * library.error, 'ok', 'exceeds') AS verdict, own.variant, own.precision, own.k, own.error,
       library.error AS error_of_cublas
FROM results AS own JOIN results AS library ON library.experiment = own.experiment AND library.k = own.k
  AND library.precision = own.precision
WHERE library.variant = 'matmul/cublas' AND own.variant <> 'matmul/cublas' AND own.status = 'ok'
  AND library.status = 'ok'
ORDER BY own.variant, own.k;
SQL
"$tilelab" query --data "$scratch/data" --format csv "$scratch/accuracy.sql" >"$table" 2>>"$scratch/log" || status=$?
good=$(grep -c '^ok,' "$table") bad=$(grep -c '^exceeds,' "$table")
if [ "$status" -eq 0 ] && [ $((good + bad)) -eq 0 ]; then
    echo "ok 1 - # skip no device measured both: $(grep -m 1 -iE 'driver|cublas|nothing' "$scratch/log")"
    exit 0
fi
result=0
[ "$status" -eq 0 ] && [ "$bad" -eq 0 ] || result=1
echo "$([ $result -eq 0 ] || echo 'not ')ok 1 - $good errors are at most 1.5 times those of cuBLAS, $bad are larger"
[ $result -eq 0 ] || { grep '^exceeds,' "$table"; tail -n 20 "$scratch/log"; } | sed 's/^/# /'
exit $result
