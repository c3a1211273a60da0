#!/usr/bin/env bats
# `tilelab why` and the rules of report/limits.sql. The profile is that of the ladder's kernels and of those of C = AAᵀ
# on an H100, read by Nsight Compute; its times are the profiler's. SPDX-License-Identifier: MIT
load common

# why LANGUAGE CELL...: what is known of cells of the profile.
why() { run "$TILELAB" why --data "${profile:-$root/tests/golden/profile}" --language "$@"; }

# record LAUNCHES STALE: a copy of the profile in ./profile, as if each cell had been measured in five rounds. The
# sources are those of the program, but for the stale variant.
record() {
    profile=$PWD/profile
    mkdir -p "$profile"
    cp "$root"/tests/golden/profile/*.run.json "$profile"
    "$TILELAB" query --data "$profile" "SELECT name, source_hash FROM known WHERE source_hash <> ''" >hashes
    local file
    for file in "$root"/tests/golden/profile/*.csv; do
        awk -v launches="$1" -v stale="$2" '
            NR == FNR { hash[$1] = $2; next }
            FNR == 1 { FS = OFS = ","; $0 = $0; for (i = 1; i <= NF; i++) at[$i] = i }
            { variant = $at["variant"] }
            variant == stale { $at["source_hash"] = "0123456789abcdef" }
            variant != stale && variant in hash { $at["source_hash"] = hash[variant] }
            FILENAME ~ /results/ {
                time = $at["median_s"]
                $0 = $0 "," (FNR == 1 ? "rounds,launches,ci_lo_s,ci_hi_s" \
                                      : "5," launches "," 0.999 * time "," 1.001 * time)
            }
            { print }' hashes "$file" >"$profile/${file##*/}"
    done
}

@test "the limit of a kernel is what its warps wait for, in ten of twelve kernels of the ladder" {
    # A kernel counts once, in its first precision. cuda-int8-short is cuda-int8-f64 with fewer moduli.
    cat >agree.sql <<'SQL'
WITH profiled AS (
    SELECT r.variant, l.agrees, row_number() OVER (PARTITION BY r.variant ORDER BY r.precision) AS turn
    FROM limits l JOIN results r USING (host, experiment, cell) WHERE l.wait IS NOT NULL)
SELECT sum(agrees IS 1) FILTER (WHERE turn = 1 AND variant GLOB 'matmul/*' AND variant <> 'matmul/cuda-int8-short'),
       count(*) FILTER (WHERE turn = 1 AND variant GLOB 'matmul/*' AND variant <> 'matmul/cuda-int8-short'),
       sum(agrees IS 1), count(*) FROM profiled;
SQL
    read -r agree kernels all profiled \
        < <("$TILELAB" query --data "$root/tests/golden/profile" --format lines agree.sql)
    echo "$agree of $kernels, $all of $profiled launches"
    [ "$kernels" -eq 12 ]
    [ "$agree" -ge 10 ]
    [ "$profiled" -eq 33 ]
    [ $((12 * all)) -ge $((10 * profiled)) ]
}

@test "why names the limit, how far it is reached, and the rung that removes it" {
    record 3
    why en matmul/cuda-shared precision=f32
    [ "$status" -eq 0 ]
    says 'matmul/cuda-shared precision=f32' 'The limit is shared memory, at 87 % (hardware counters).' \
        'Warps wait most for shared memory' 'cuda-register removes this limit, and is 3.'
    why en aat/cuda-b
    says 'The limit is bank conflicts, at 95 %' 'cuda-b-pad removes this limit'
    why en matmul/cuda-global precision=f64
    says 'The limit is unknown: the busiest is L1 cache, at 38 %'
    why ru matmul/cuda-shared precision=f32
    says 'Предел — разделяемая память'
    why en matmul/none
    [ "$status" -eq 2 ]
    says "no cell is called 'matmul/none'"
    why en
    [ "$status" -eq 2 ]
}

@test "only times that may give a verdict say what removes a limit, or that nothing does" {
    # The time of the profiler is one run: the rung may be faster, or not.
    why en matmul/cuda-shared precision=f32
    says 'The limit is shared memory'
    [[ $output != *'removes this limit'* && $output != *'no faster one'* ]]
    record 1
    why en aat/cuda-b
    says 'The limit is bank conflicts'
    [[ $output != *'removes this limit'* && $output != *'no faster one'* ]]
    record 3 aat/cuda-b-pad
    why en aat/cuda-b
    says 'The limit is bank conflicts'
    [[ $output != *'cuda-b-pad removes'* && $output != *'no faster one'* ]]
    record 3
    why en aat/cuda-sym
    says 'The limit is ' 'no faster one has another known limit.'
}

@test "why tells of a cell without a time, and what to type" {
    study tiny <<<'grid: {n: [32, 64], variant: [seq-ijk, cuda-global]}'
    run_study() { run "$TILELAB" run tiny.yaml --data data --profile quick; }
    export TILELAB_BACKENDS=$BATS_TEST_TMPDIR/nowhere
    run_study
    run -0 "$TILELAB" why --data data 'matmul/*' n=32
    says 'No time: skipped' " run tiny --only matmul/cuda-global --set n=32" 'Measured: '
}

@test "what why tells to type runs when it is pasted, with its program, its folder and its study" {
    study long <<<'grid: {n: 512, variant: seq-ijk}'
    run -0 "$TILELAB" run long.yaml --data "its data" --set once-above=1ms --profile quick
    mkdir -p data/local
    cp -r "its data/." data/local
    cp -r "its data" kept
    local data
    for data in "its data" data/local; do
        run -0 "$TILELAB" why --data "$data" matmul/seq-ijk
        says "Type: $TILELAB run long --only matmul/seq-ijk --set n=512 "
        [[ $output == *" --data 'its data'"* || $data == data/local ]]
        run -0 bash -c "${output##*Type: }"
        says 'asked for again: 1' # in the folder that has the result
    done
    # Where the file of the study is not here, its path is asked for.
    mkdir elsewhere
    mv long.yaml elsewhere
    run -0 "$TILELAB" why --data kept matmul/seq-ijk
    says ', with the path of long.yaml for its name'
}

@test "what why tells to type gives a cell that was too long for the study its rounds" {
    study long <<<'grid: {n: [512, 520], variant: seq-ijk}'
    local limit
    for limit in once-above skip-above; do
        rm -rf data
        run "$TILELAB" run long.yaml --data data --profile quick --set "$limit=1ms"
        run -0 "$TILELAB" why --data data 'matmul/seq-ijk' n=520
        says "--set $limit="
        run -0 bash -c "${output##*Type: }"
        run -0 "$TILELAB" why --data data 'matmul/seq-ijk' n=520
        says 'Measured: '
        [[ $output != *'decides nothing'* && $output != *'In doubt'* ]]
    done
}
