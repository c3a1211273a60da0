#!/bin/bash
# Compares the bank model with a GPU's counters, for every CUDA variant that describes its accesses. The cells vary
# precision, tile, padding and size; one size is no multiple of the tile. All numbers of shared memory and the requests
# to global memory must be equal; sectors of global memory may differ by 1 %. Needs permission to read the counters.
#   [TILELAB=build/tilelab] tests/counters.sh [FILE]      FILE: the table of what was compared
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/.." || exit 1
tilelab=${TILELAB:-$PWD/${BUILD:-build}/tilelab}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tilelab-counters.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
table=${1:-$scratch/table}

# study NAME PROBLEM PRECISION SIZES TILES VARIANTS, with "" where no variant takes tiles
study() {
    cat >"$scratch/$1.yaml" <<YAML
schema: 1
title: {en: "Model against counters"}
source: tilelab
problem: $2
precision: $3
grid:
  n: $4
  variant: $6
${5:+  tile: $5}
$([ "$2" != aat ] || [ -z "$5" ] || echo '  padding: [1, 2, 3, 4]')
YAML
}
async='[cuda-async, cuda-dmma, cuda-int8]'
aat='[cuda-global, cuda-a, "cuda-b*", cuda-swizzle, cuda-sym]' register='[cuda-register, cuda-vector, cuda-warptile]'
study aat-f32 aat f32 '[64, 256, 1024]' '[8, 16, 32]' "$aat"
study aat-f64 aat f64 '[64, 256]' '[8, 16, 32]' "$aat"
study matmul-f32 matmul f32 '[100, 256]' '[2, 4, 8, 16, 32]' '["cuda-shared*"]'
study matmul-f64 matmul f64 '[100, 256]' '[2, 4, 8, 16, 32]' '["cuda-shared*"]'
study register-f32 matmul f32 '[100, 254, 256, 384]' '' "$register"
study register-f64 matmul f64 '[100, 255, 256, 384]' '' "$register"
study async-f32 matmul f32 '[254, 256, 384, 2048]' '' "$async"
study async-f64 matmul f64 '[100, 255, 256, 384, 2048]' '' "$async"
study async-i32 matmul i32 '[255, 256, 384, 2048]' '' "$async"
study async-aat aat f64 '[100, 255, 256, 384]' '' '[cuda-dmma]'
"$tilelab" count "$scratch"/*.yaml --data "$scratch/data" >"$scratch/log" 2>&1
status=$?

cat >"$scratch/compare.sql" <<'SQL'
WITH modelled AS (
    SELECT *, model(variant, settings) AS model FROM counters WHERE status = 'ok'),
pair AS (
    SELECT *, 'shared_load_instructions' AS quantity, 0.0 AS within, model ->> '$.shared_load.instructions' AS told,
           shared_load_instructions AS counted FROM modelled
    UNION ALL SELECT *, 'shared_load_wavefronts', 0.0, model ->> '$.shared_load.wavefronts', shared_load_wavefronts
    FROM modelled
    UNION ALL SELECT *, 'shared_store_instructions', 0.0, model ->> '$.shared_store.instructions',
                     shared_store_instructions FROM modelled
    UNION ALL SELECT *, 'shared_store_wavefronts', 0.0, model ->> '$.shared_store.wavefronts',
                     shared_store_wavefronts FROM modelled
    UNION ALL SELECT *, 'global_load_requests', 0.0, model ->> '$.global_load.instructions', global_load_requests
    FROM modelled
    UNION ALL SELECT *, 'global_load_sectors', 0.01, model ->> '$.global_load.sectors', global_load_sectors
    FROM modelled
    UNION ALL SELECT *, 'global_store_sectors', 0.01, model ->> '$.global_store.sectors', global_store_sectors
    FROM modelled)
SELECT iif(counted IS NOT NULL AND abs(told - counted) <= within * counted, 'ok', 'differs') AS verdict,
       variant, precision, n, tile, coalesce(padding, 0) AS padding, quantity, told AS model, counted
FROM pair WHERE model IS NOT NULL
ORDER BY variant, precision, n, tile, padding, quantity;
SQL
"$tilelab" query --data "$scratch/data" --format csv "$scratch/compare.sql" >"$table" 2>>"$scratch/log" || status=$?

compared=$(grep -c '^ok,' "$table") differing=$(grep -c '^differs,' "$table")
result=0
[ $status -eq 0 ] || result=1
echo "$([ $status -eq 0 ] || echo 'not ')ok 1 - counted and compared: exit code $status"
[ $status -eq 0 ] || tail -n 20 "$scratch/log" | sed 's/^/# /'
count=1
while read -r variant; do
    count=$((count + 1))
    bad=$(grep -c "^differs,$variant," "$table") good=$(grep -c "^ok,$variant," "$table")
    if [ "$bad" -eq 0 ] && [ "$good" -gt 0 ]; then
        echo "ok $count - $variant: $good numbers of the model are what was counted"
    else
        echo "not ok $count - $variant: $good numbers of the model are what was counted, $bad are not"
        grep "^differs,$variant," "$table" | head -n 8 | sed 's/^/# /'
        result=1
    fi
done < <(cut -d, -f2 "$table" | grep / | sort -u)
if [ $((compared + differing)) -eq 0 ]; then
    # If the counters cannot be read, nothing is compared, and the program has said why.
    echo "ok $((count + 1)) - # skip nothing was counted: $(grep -m 1 -iE 'count|ncu|permission|driver' "$scratch/log")"
fi
exit $result
