#!/usr/bin/env bats
# Measuring on a GPU that computes in host memory, tests/unit/fake/gpu.c: operands changed in place, copies, memory.
# SPDX-License-Identifier: MIT
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR" && fake_gpu || return 1
    cp objects/tilelab-cuda.so objects/tilelab-cusolver.so
}

# lu [-STATUS] N VARIANT...: runs a study of factorisations on a GPU whose runs take 20 us each.
lu() {
    local expected=() n
    [[ $1 != -[0-9] ]] || { expected=("$1"); shift; }
    n=$1
    shift
    export TILELAB_BACKENDS=${objects:-$BATS_FILE_TMPDIR/objects} LD_LIBRARY_PATH=$BATS_FILE_TMPDIR FAKE_GPU_RUN_S=2e-5
    study lu lu <<<"quick: {max-time: 50ms}
grid: {n: $n, variant: [$(IFS=,; echo "$*")]}"
    # The seed decides the order of the cells, and so which one of them ends a launch.
    run "${expected[@]}" "$TILELAB" run lu.yaml --profile quick --data data --seed 1
}

# of VARIANT COLUMN[,COLUMN]...: these columns of the results of a variant
of() {
    column "variant,$2" data/lu.results.csv | sed -n "s|^lu/$1 ||p"
}

@test "runs in place find fresh operands, and copies to and from the device are timed" {
    unset TILELAB_FAKE_TIMER
    lu -1 65 cuda-naive cusolver
    for variant in cuda-naive cusolver; do
        [ "$(of "$variant" status,bitwise)" = "ok 1" ] || { cat data/lu.results.csv; return 1; }
        # A run is too short for a sample, so a sample has several runs.
        echo "SELECT min(samples.repeats) > 1 FROM samples JOIN results USING (cell)
            WHERE variant = 'lu/$variant' AND kernel_s > 0;" >q.sql
        [ "$("$TILELAB" query --data data --format tsv q.sql | tail -1)" = 1 ]
        of "$variant" upload_s,download_s,total_s,growth |
            awk '{ exit !(NF == 4 && $1 > 0 && $2 > 0 && $3 >= $1 + $2 && $4 > 0) }'
    done
}

@test "a factorisation with its copy is too large for the device: skipped, with both sizes" {
    FAKE_GPU_FREE_MIB=772 lu -0 '[500, 600]' cuda-naive
    # 768 MiB are reserved for the driver. A, its copy and P share the other 4 MiB.
    [ "$(of cuda-naive n,status)" = $'500 ok\n600 skipped' ]
    [ "$(of cuda-naive n,reason | tail -1)" = "600 operands of 0.005762 GB; 0.004194 GB of device memory can be used" ]
}

@test "contracts whose operands do not fit on the device together are measured one after the other" {
    FAKE_GPU_FREE_MIB=772 lu -0 500 cuda-naive cusolver
    [ "$(of '[a-z-]*' status)" = $'ok\nok' ] || { column variant,status,reason data/lu.results.csv; return 1; }
}

@test "a variant that finds no memory has a status of its own, by its code and not by its words" {
    FAKE_GPU_ERRNO=12 lu -1 33 cuda-naive # ENOMEM
    [ "$(of cuda-naive status,reason)" = 'memory out of memory or out of order' ]
    rm -r data
    FAKE_GPU_ERRNO=5 lu 33 cuda-naive
    [ "$(of cuda-naive status,reason)" = 'failed out of memory or out of order' ]
}

@test "without cuSOLVER all else is measured" {
    mkdir some
    cp "$BATS_FILE_TMPDIR/objects/tilelab-cuda.so" some/
    objects=$PWD/some lu -0 33 cuda-naive cusolver
    [ "$(of cuda-naive status)" = ok ]
    [[ $(of cusolver status,reason) == "skipped built without cuSOLVER: "* ]]
}

@test "shared objects that are older than the program are refused: their cells have another layout" {
    mkdir one both
    older gpu one/tilelab-cusolver.so
    cp "$BATS_FILE_TMPDIR/objects/tilelab-cuda.so" one/
    objects=$PWD/one lu -0 33 cuda-naive cusolver
    [ "$(of cuda-naive status)" = ok ]
    [[ $(of cusolver status,reason) == 'skipped tilelab-cusolver.so belongs to another version of tilelab'* ]]
    rm -r data
    cp one/tilelab-cusolver.so both/
    cp one/tilelab-cusolver.so both/tilelab-cuda.so
    objects=$PWD/both lu -0 33 cuda-naive seq-naive
    [ "$(of seq-naive status)" = ok ]
    [[ $(of cuda-naive status,reason) == 'skipped tilelab-cuda.so belongs to another version of tilelab'* ]]
}

@test "a cell of a GPU needs fewer rounds once its interval is narrow, in all launches; a cell of a CPU needs all" {
    echo "SELECT variant || ' ' || count(DISTINCT launch) || ' ' || count(DISTINCT round)
        FROM samples JOIN results USING (host, experiment, cell)
        WHERE NOT probe GROUP BY variant ORDER BY variant;" >q.sql
    lu -0 33 cuda-naive seq-naive
    run "$TILELAB" query --data data --format lines q.sql
    [ "$output" = $'lu/cuda-naive 3 5\nlu/seq-naive 3 5' ]
    sed -i 's/max-time: 50ms/max-time: 50ms, rounds: 12/' lu.yaml
    rm -r data
    "$TILELAB" run lu.yaml --profile quick --data data --seed 1
    run "$TILELAB" query --data data --format lines q.sql
    [ "$output" = $'lu/cuda-naive 3 6\nlu/seq-naive 3 12' ]
    # No interval is as narrow as this study asks for.
    sed -i 's/max-time: 50ms/max-time: 50ms, ci: 0.001%/' lu.yaml
    rm -r data
    "$TILELAB" run lu.yaml --profile quick --data data --seed 1
    run "$TILELAB" query --data data --format lines q.sql
    [ "$output" = $'lu/cuda-naive 3 12\nlu/seq-naive 3 12' ]
}

@test "operands are pinned for the copies of their cells alone, and cold caches are made cold before each run" {
    unset TILELAB_FAKE_TIMER
    export FAKE_GPU_LOG=$BATS_TEST_TMPDIR/log
    lu -1 "65, cache: [hot, cold], host-memory: [pageable, pinned]" cuda-naive
    [ "$(of cuda-naive cache,host-memory,status)" = $'- - ok\n- pinned ok\ncold - ok\ncold pinned ok' ] ||
        { column variant,cache,host-memory,status,reason data/lu.results.csv; return 1; }
    # A, its copy and P are pinned and released again.
    [ "$(grep -c '^pin ' "$FAKE_GPU_LOG")" -ge 3 ]
    [ "$(grep -c '^pin ' "$FAKE_GPU_LOG")" -eq "$(grep -c '^unpin ' "$FAKE_GPU_LOG")" ]
    # An upload fills the cache of the device, so that a cell with cold caches has no times of copies.
    echo "SELECT group_concat(coalesce(cache, 'hot') || ' ' || (total_s > 0), ', ') FROM (SELECT * FROM results
        WHERE variant = 'lu/cuda-naive' AND total_s > 0 ORDER BY cell);" >q.sql
    [ "$("$TILELAB" query --data data --format tsv q.sql | tail -1)" = 'hot 1, hot 1' ]
    echo "SELECT group_concat(DISTINCT samples.repeats) FROM samples JOIN results USING (cell)
        WHERE cache = 'cold';" >q.sql
    [ "$("$TILELAB" query --data data --format tsv q.sql | tail -1)" = 1 ]
}

@test "a driver that pins no memory fails the cells that need it, and no others" {
    unset TILELAB_FAKE_TIMER
    FAKE_GPU_PIN_FAILS=2 lu -1 "65, host-memory: [pageable, pinned]" cuda-naive
    [ "$(of cuda-naive host-memory,status | sort)" = $'- ok\npinned failed' ] ||
        { column variant,host-memory,status,reason data/lu.results.csv; return 1; }
    [[ $(of cuda-naive reason) == *"the driver cannot pin operand "* ]]
}
